"""The pages of α, γ and c and of the paper's results in a real browser: dials, links, losses, filters."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.harness import wait_idle

pytestmark = pytest.mark.browser
Open = Callable[..., Page]


def test_a_dial_moves_the_picture_and_the_link_restores_it(lab: str, open_page: Open) -> None:
    page = open_page(lab, "speedup")
    curve = page.locator(".st-key-speedup-gain .scatterlayer")
    expect(curve).to_be_visible()
    before = curve.inner_html()
    page.get_by_role("slider", name="Acceptance rate α").press("ArrowLeft")
    page.wait_for_url("**speedup-alpha=0.79**")
    page.wait_for_function(
        "before => document.querySelector('.st-key-speedup-gain .scatterlayer').innerHTML !== before",
        arg=before,
    )
    again = open_page(lab, page.url.removeprefix(f"{lab}/"))
    expect(again.get_by_role("slider", name="Acceptance rate α")).to_have_value("0.79")


def test_a_large_batch_loses_and_says_why(lab: str, open_page: Open) -> None:
    page = open_page(lab, "speedup")
    page.get_by_role("button", name="Verify 32 sequences together").click()
    expect(page.get_by_text("Here speculation loses")).to_be_visible(timeout=20_000)
    expect(page.get_by_text("The reason is verification")).to_be_visible()
    page.wait_for_url("**speedup-device=cpu**")
    page.get_by_text("Bandwidth, peak and model").click()
    expect(page.get_by_label("Memory bandwidth, GB/s")).to_have_value("20")


def test_rounds_are_simulated_beside_the_formula(lab: str, open_page: Open) -> None:
    page = open_page(lab, "speedup")
    page.get_by_role("radio", name="simulated rounds").click()
    wait_idle(page)
    page.get_by_role("radio", name="in streaks").click()
    expect(page.get_by_text("Easy text and hard text come in streaks")).to_be_visible(timeout=20_000)
    expect(page.locator(".st-key-speedup-positions .scatterlayer")).to_be_visible()
    page.wait_for_url("**speedup-process=streaks**")


def test_the_papers_tables_are_filtered_and_lead_to_the_dials(lab: str, open_page: Open) -> None:
    page = open_page(lab, "paper-results")
    expect(page.get_by_text("rows the measured speedup is above")).to_contain_text("12")
    page.get_by_role("button", name="Show T5-large alone").click()
    page.wait_for_url("**paper-results-draft=T5-large**")
    expect(page.get_by_text("rows the measured speedup is above")).to_contain_text("4", timeout=20_000)
    page.get_by_test_id("stMain").get_by_role("link", name="What do α, γ and c buy?").click()
    expect(page.get_by_role("slider", name="Acceptance rate α")).to_have_value("0.2", timeout=20_000)
