"""Pictures of pages, to look at while building them.

    python tests/browser/shots.py OUT                    every page of the lab
    python tests/browser/shots.py OUT sum 'sum?sum-terms=16'   these links
    python tests/browser/shots.py OUT demo --demo --languages ar --widths 400

Each page is taken at 1280 and 400 px, light and dark, in three languages, in its whole length.
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from playwright.sync_api import Page

from apps.registry import PAGES
from tests.browser import harness

TALLEST = 6000  # px


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("out", type=Path)
    options.add_argument("links", nargs="*", default=[page.slug for page in PAGES])
    options.add_argument("--widths", nargs="+", type=int, default=[1280, 400])
    options.add_argument("--themes", nargs="+", choices=["light", "dark"], default=["light", "dark"])
    options.add_argument("--languages", nargs="+", default=["en", "ar", "fa"])
    options.add_argument("--demo", action="store_true", help="the tests' own page instead of the lab's")
    chosen = options.parse_args()
    chosen.out.mkdir(parents=True, exist_ok=True)
    app = harness.DEMO if chosen.demo else harness.APP
    with harness.served(app) as address, harness.browser() as browser:
        for theme in chosen.themes:
            context = browser.new_context(color_scheme=theme, locale="en-US")
            page = context.new_page()
            for link in chosen.links:
                for language in chosen.languages:
                    for width in chosen.widths:
                        slug, _, query = link.partition("?")
                        harness.go(page, address, f"{slug}?{query}&lang={language}")
                        name = f"{slug or 'home'}-{language}-{width}-{theme}.png"
                        take(page, width, chosen.out / name)
                        print(chosen.out / name)


def take(page: Page, width: int, path: Path) -> None:
    """The whole page in one picture: the window grows to the height of what scrolls in it."""
    page.set_viewport_size({"width": width, "height": 900})
    page.wait_for_timeout(400)
    height = page.get_by_test_id("stMain").evaluate("e => e.scrollHeight")
    page.set_viewport_size({"width": width, "height": min(max(height, 900), TALLEST)})
    page.wait_for_timeout(800)
    page.screenshot(path=path)


if __name__ == "__main__":
    main()
