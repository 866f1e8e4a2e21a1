"""The entry file of the browser lab: `streamlit run apps/app.py`.

Streamlit puts the folder of this file on the module path, not the repository root; the first lines below do
that, so that `apps`, `lab` and `sims` are found however the lab is started.
"""

import sys
from pathlib import Path

ROOT = str(Path(__file__).resolve().parents[1])
if ROOT not in sys.path:
    sys.path.insert(0, ROOT)

from apps import shell  # noqa: E402
from apps.registry import PAGES  # noqa: E402

shell.run(PAGES, folder=Path(__file__).parent)
