"""The page of neighbours in a real browser, with the real model."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.model]
Open = Callable[..., Page]
LIVE_SECONDS = 120  # patience, not a target: the first run of a server loads the model


def tokens(page: Page, strip: int) -> int:
    return page.locator(".strip").nth(strip).locator(".strip-token").count()


def wait_for_end(page: Page) -> None:
    expect(page.get_by_role("button", name="Show the recorded trace")).to_be_visible(
        timeout=LIVE_SECONDS * 1000
    )


def test_recorded_then_live(lab: str, open_page: Open) -> None:
    page = open_page(lab, "neighbours", **{"neighbours-length": 6, "neighbours-lane": "bf16-invariant"})
    expect(page.locator(".origin.recorded")).to_be_visible()
    expect(page.get_by_text("another token at step")).to_be_visible()
    page.locator(".st-key-neighbours-run-begin button").click()
    expect(page.get_by_test_id("stProgress")).to_be_visible(timeout=5000)
    wait_for_end(page)
    expect(page.locator(".origin.live")).to_be_visible()
    assert [tokens(page, strip) for strip in (0, 1)] == [6, 6]
    expect(page.get_by_text("the same bits")).to_be_visible()


def test_stop_in_the_middle_keeps_what_has_come(lab: str, open_page: Open) -> None:
    page = open_page(lab, "neighbours", **{"neighbours-length": 128})
    page.locator(".st-key-neighbours-run-begin button").click()
    expect(page.locator(".origin.live")).to_be_visible(timeout=LIVE_SECONDS * 1000)
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("Stopped after")).to_be_visible(timeout=20_000)
    assert 0 < tokens(page, 0) < 128


def test_a_control_goes_into_the_link_and_a_link_restores_it(lab: str, open_page: Open) -> None:
    page = open_page(lab, "neighbours")
    batches = page.get_by_role("textbox", name="Batch sizes")
    batches.fill("2, 4")
    batches.press("Enter")
    page.get_by_role("slider", name="New tokens").press("ArrowRight")
    page.wait_for_url("**neighbours-length=49**")
    page.wait_for_url("**neighbours-batches=2**")
    again = open_page(lab, page.url.removeprefix(f"{lab}/"))
    expect(again.get_by_role("textbox", name="Batch sizes")).to_have_value("2, 4")
    expect(again.get_by_role("slider", name="New tokens")).to_have_value("49")


def test_arabic_and_back(lab: str, open_page: Open) -> None:
    page = open_page(lab, "neighbours")
    page.get_by_role("radio", name="العربية").click()
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    expect(page.get_by_role("heading", level=1)).to_contain_text("جيران مختلفون")
    assert page.locator(".strip").first.get_attribute("dir") == "ltr"
    page.get_by_role("radio", name="English").click()
    expect(page.locator("html")).to_have_attribute("dir", "ltr")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Same prompt")


def test_two_tabs_run_beside_each_other(lab: str, open_page: Open) -> None:
    lengths = (5, 8)
    pages = [open_page(lab, "neighbours", **{"neighbours-length": length}) for length in lengths]
    for page in pages:
        page.locator(".st-key-neighbours-run-begin button").click()
    for page, length in zip(pages, lengths, strict=True):
        wait_for_end(page)
        assert tokens(page, 0) == length


@pytest.mark.parametrize("width", [400, 1280])
def test_no_sideways_scrolling(lab: str, open_page: Open, width: int) -> None:
    page = open_page(lab, "neighbours", lang="fa")
    page.set_viewport_size({"width": width, "height": 800})
    page.wait_for_timeout(500)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_files(lab: str, open_page: Open, tmp_path: Path) -> None:
    """A trace saved here opens again; what is no trace is refused with a message."""
    page = open_page(lab, "neighbours", **{"neighbours-prompt": "tides"})
    with page.expect_download() as download:
        page.get_by_role("button", name="Trace (JSONL)").click()
    saved = tmp_path / "saved.jsonl"
    download.value.save_as(saved)
    other = open_page(lab, "neighbours")
    other.get_by_text("Open a saved trace").click()
    other.locator("input[type=file]").set_input_files(saved)
    expect(other.get_by_text("What causes the tides?").first).to_be_visible(timeout=10_000)
    bad = tmp_path / "bad.jsonl"
    bad.write_bytes(b"\xff\xfe no trace")
    other.locator("input[type=file]").set_input_files(bad)
    expect(other.get_by_role("alert")).to_contain_text("bad.jsonl is not a trace of this lab", timeout=10_000)
    assert "Traceback" not in other.locator("body").inner_text()
