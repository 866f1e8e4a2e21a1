"""Opening the lab without a browser, and reading what it shows."""

from __future__ import annotations

from pathlib import Path

from streamlit.testing.v1 import AppTest

from apps.registry import APPS, PAGES

LAB = APPS / "app.py"
OF_SHELL = ("lang", "model", "device")
SECONDS = 120  # the first run imports torch; a live run may be part of one


def run(app: Path = LAB, script: str = "", locale: str | None = "en-US", **parameters: str) -> AppTest:
    """The app at the page of `script` (its home without one), with these parameters in the address.

    An underscore of a name stands for a hyphen.
    """
    at = AppTest.from_file(str(app), default_timeout=SECONDS)
    at.context = {"locale": locale, "url": "http://127.0.0.1:8501/"}
    for name, value in parameters.items():
        at.query_params[name.replace("_", "-")] = value
    at.run()
    return at.switch_page(script).run() if script else at


def open_page(page_id: str, **parameters: str) -> AppTest:
    """A page of the lab; `parameters` are its controls by their own names, and those of the shell."""
    (script,) = (page.script for page in PAGES if page.id == page_id)
    keyed = {name if name in OF_SHELL else f"{page_id}-{name}": value for name, value in parameters.items()}
    return run(LAB, script, **keyed)


def facts(at: AppTest) -> str:
    """The row of facts, as HTML."""
    return next(html.value for html in at.html if 'class="facts"' in html.value)


def told(at: AppTest) -> str:
    """All running text of the page."""
    return " ".join(markdown.value for markdown in at.markdown)
