"""Fixtures of the tests that run pages without a browser."""

import pytest

from tests.apps.opening import SECONDS


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work inside the page's own script run: AppTest has no browser that asks again."""
    monkeypatch.setattr("apps.widgets.live.FIRST_TICK_SECONDS", SECONDS)
