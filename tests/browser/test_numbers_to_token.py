"""From a sum to a token, and what this machine does: slider, links, a live run, in a real browser."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.harness import parameters, wait_idle

pytestmark = pytest.mark.browser
Open = Callable[..., Page]
FLIPPED = "the batch has flipped the token"


def test_the_slider_moves_the_batch_by_keyboard(lab: str, open_page: Open) -> None:
    page = open_page(lab, "sum-to-token", **{"token-step": "flip4", "token-batch": 8})
    expect(page.get_by_text(FLIPPED)).to_be_visible()
    page.get_by_role("slider").first.press("ArrowRight")  # nine rows: one part again
    expect(page.get_by_text("wins too.")).to_be_visible(timeout=15_000)
    expect(page.get_by_text(FLIPPED)).to_have_count(0)
    wait_idle(page)
    assert parameters(page)["token-batch"] == "9"


def test_a_link_is_the_experiment_in_every_language(lab: str, open_page: Open) -> None:
    link = {"token-step": "flip2", "token-reach": "product", "token-arithmetic": "reduced_partials"}
    page = open_page(lab, "sum-to-token", lang="fa", **link, **{"token-batch": 16})
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    expect(page.get_by_text("دسته توکن را تغییر داده است")).to_be_visible()
    assert parameters(page).items() >= link.items()


def test_both_pictures_are_drawn_and_named(lab: str, open_page: Open) -> None:
    page = open_page(lab, "sum-to-token")
    for name in ("Number lines of the top candidates", "The logits of the leading", "Probability of a flip"):
        expect(page.locator(f"[aria-label^='{name}']").first).to_be_visible(timeout=15_000)


def test_a_bad_table_says_what_to_write_and_the_page_stays(lab: str, open_page: Open) -> None:
    page = open_page(lab, "sum-to-token")
    field = page.get_by_role("textbox", name="Split table")
    field.fill("1:3")
    field.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("not recorded with", timeout=15_000)
    field.fill("1:8")
    field.press("Enter")
    expect(page.get_by_role("alert")).to_have_count(0, timeout=15_000)
    assert "Traceback" not in page.locator("body").inner_text()


def test_this_machine_runs_and_can_be_stopped(lab: str, open_page: Open) -> None:
    page = open_page(lab, "this-machine", device="cpu")
    expect(page.locator(".origin.recorded")).to_be_visible()
    page.get_by_test_id("stBaseButton-primary").click()
    expect(page.locator(".origin.live")).to_be_visible(timeout=60_000)
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("Stopped after")).to_be_visible(timeout=30_000)
    page.get_by_role("button", name="Show the recorded trace").click()
    expect(page.locator(".origin.recorded")).to_be_visible(timeout=30_000)


def test_an_idea_looks_at_another_operator(lab: str, open_page: Open) -> None:
    page = open_page(lab, "this-machine")
    page.get_by_role("button", name="Look at the lab’s own FP32 product").click()
    expect(page.get_by_text("0 / 64")).to_be_visible(timeout=15_000)
    wait_idle(page)
    assert parameters(page) == {"machine-kernels-case": "matmul-fp32-lab"}
