"""The house rules that let these modules run in a browser: numpy and nothing else."""

import subprocess
import sys
from pathlib import Path

import sims

MODULES = sorted(path.stem for path in Path(sims.__file__).parent.glob("*.py"))


def test_importing_everything_brings_in_numpy_only() -> None:
    code = (
        "import sys, importlib\n"
        f"for name in {MODULES!r}: importlib.import_module('sims.' + name)\n"
        "heavy = {'torch', 'ml_dtypes', 'scipy', 'pandas', 'streamlit', 'plotly', 'lab', 'apps'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    root = Path(sims.__file__).parents[1]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
