"""The family, side by side, in a real browser: boards chosen, links to papers, a small live run."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.harness import choose

pytestmark = pytest.mark.browser
Open = Callable[..., Page]
LIVE_SECONDS = 180  # patience, not a target: the first run of a server loads the model


def test_boards_are_chosen_and_papers_linked(lab: str, open_page: Open) -> None:
    page = open_page(lab, "family")
    expect(page.locator(".st-key-family-papers .scatterlayer")).to_be_visible()
    papers = page.locator("[data-testid=stMarkdownContainer] a[href='https://arxiv.org/abs/2406.16858']")
    expect(papers).to_contain_text("EAGLE-2")
    moved = page.get_by_text("The farthest move:")
    expect(moved).to_contain_text("Recycling")
    page.get_by_role("button", name="Look at summaries alone").click()
    page.wait_for_url("**family-task=summary*")
    expect(page.locator(".st-key-family-boards .scatterlayer")).to_be_visible()
    again = open_page(lab, page.url.removeprefix(f"{lab}/"))
    expect(again.locator(".st-key-family-task-seen").get_by_role("combobox")).to_have_value("summaries")
    choose(again.locator(".st-key-family-board-b-seen").get_by_role("combobox"), "RTX 3090 · Vicuna-7B")
    expect(again.get_by_text("Both boards are the same.")).to_be_visible()
    for width in (400, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        page.wait_for_timeout(300)
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


@pytest.mark.model
def test_a_live_run_beside_the_papers(lab: str, open_page: Open) -> None:
    link = {"family-run-methods": "lookup", "family-run-length": 8, "family-run-own": "Say: tea tea tea tea"}
    page = open_page(lab, "family", **link)
    page.locator(".st-key-family-run-begin button").click()
    expect(page.locator(".origin.live")).to_be_visible(timeout=LIVE_SECONDS * 1000)
    rows = page.locator(".met.family tbody tr")
    expect(rows).to_have_count(2, timeout=LIVE_SECONDS * 1000)
    expect(rows.last).to_contain_text("Mistral-7B")
    expect(rows.last).to_contain_text("serial decoding’s text")
    expect(page.get_by_text("Fastest here").or_(page.get_by_text("No method is faster"))).to_be_visible()
