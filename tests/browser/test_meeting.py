"""Where speculation meets the gate, in a real browser: the recording, a prompt chosen, a small live run."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.harness import choose

pytestmark = pytest.mark.browser
Open = Callable[..., Page]
LIVE_SECONDS = 180  # patience, not a target: the first run of a server loads the model


def test_a_prompt_is_chosen_and_stands_in_the_link(lab: str, open_page: Open) -> None:
    page = open_page(lab, "meeting")
    expect(page.get_by_text("They part at token").first).to_be_visible()
    row = page.locator(".met tr[aria-current]")
    first = row.inner_text()
    choose(page.locator(".st-key-meeting-prompt-seen").get_by_role("combobox"), "tale-08")
    expect(row).to_contain_text("tale-08", timeout=20_000)
    assert row.inner_text() != first
    page.wait_for_url("**meeting-prompt=tale-08*")
    for width in (400, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        page.wait_for_timeout(300)
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


@pytest.mark.model
def test_live_with_gamma_0_equals_plain_decoding(lab: str, open_page: Open) -> None:
    link = {"meeting-gamma": 0, "meeting-length": 3, "meeting-drafter": "trigram"}
    page = open_page(lab, "meeting", **link)
    page.locator(".st-key-meeting-run-begin button").click()
    forget = page.get_by_role("button", name="Show the recorded trace")
    expect(forget).to_be_visible(timeout=LIVE_SECONDS * 1000)
    expect(page.locator(".origin.live")).to_be_visible()
    expect(page.get_by_text("Here it is:")).to_be_visible()
    assert page.locator(".met").first.locator("tbody tr").count() == 1
