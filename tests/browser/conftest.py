"""Fixtures of the browser tests: one lab and one Chromium a session, one fresh context a test."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.browser import harness


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


@pytest.fixture
def context(chromium: Browser) -> Iterator[BrowserContext]:
    context = chromium.new_context(viewport={"width": 1280, "height": 900}, locale="en-US")
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    yield context
    context.close()


@pytest.fixture
def open_page(context: BrowserContext) -> Callable[..., Page]:
    """open_page(address, slug, **parameters) → a tab that is drawn to the end."""

    def open_it(address: str, slug: str = "", **parameters: Any) -> Page:
        return harness.open_page(context, address, slug, **parameters)

    return open_it
