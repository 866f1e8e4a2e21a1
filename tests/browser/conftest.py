"""Fixtures of the browser tests: one lab and one Chromium a session, one fresh context a test."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser import harness

expect.set_options(timeout=20_000)  # a page on two busy cores is slow, and no test of an expectation times it


@pytest.fixture(scope="session")
def lab() -> Iterator[str]:
    with harness.served(harness.APP) as address:
        yield address


@pytest.fixture(scope="session")
def demo() -> Iterator[str]:
    with harness.served(harness.DEMO) as address:
        yield address


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    with harness.browser() as browser:
        yield browser


@pytest.fixture(scope="session")
def context(chromium: Browser) -> Iterator[BrowserContext]:
    """One for all tests, so that Streamlit's own files are loaded once; a tab is a session of its own."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900}, locale="en-US")
    context.set_default_timeout(60_000)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    yield context
    context.close()


@pytest.fixture
def open_page(context: BrowserContext) -> Iterator[Callable[..., Page]]:
    """open_page(address, slug, **parameters) → a tab that is drawn to the end, closed after the test."""
    tabs: list[Page] = []

    def open_it(address: str, slug: str = "", **parameters: Any) -> Page:
        tabs.append(context.new_page())
        harness.go(tabs[-1], address, slug, **parameters)
        return tabs[-1]

    yield open_it
    for tab in tabs:
        tab.close()
