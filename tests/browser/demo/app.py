"""The shell around a page that exists for the tests only: every block of apps/widgets, once."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2]))

from fluent.runtime import FluentResource  # noqa: E402

from apps import shell  # noqa: E402
from apps.registry import HOME, Page  # noqa: E402
from apps.text.catalogue import LANGUAGES, bundle  # noqa: E402

for code in LANGUAGES:
    bundle(code).add_resource(FluentResource((HERE / f"{code}.ftl").read_text(encoding="utf-8")))

PAGES = (HOME, Page("demo", section="demo", slug="demo"), Page("demo-other", section="demo", slug="other"))
shell.run(PAGES, folder=HERE)
