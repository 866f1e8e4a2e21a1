"""The page of determinism's cost in a real browser: recorded, live, stopped, saved and opened."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from lab import traces
from lab.records import StrategyRecord
from tests.browser.harness import wait_idle

pytestmark = [pytest.mark.browser, pytest.mark.model]
Open = Callable[..., Page]
LIVE_SECONDS = 120  # patience, not a target: the first run of a server loads the model
SHORT = {
    "determinism-prompts": 2,
    "determinism-length": 4,
    "determinism-strategies": "bf16,every-step,replay",
}


def save(page: Page, path: Path) -> traces.Trace:
    with page.expect_download() as download:
        page.get_by_role("button", name="Trace (JSONL)").click()
    download.value.save_as(path)
    return traces.read(path)


def test_live_run_is_saved_and_opens_again(lab: str, open_page: Open, tmp_path: Path) -> None:
    page = open_page(lab, "determinism", **SHORT)
    page.locator(".st-key-determinism-run-begin button").click()
    expect(page.locator(".origin.live")).to_be_visible(timeout=LIVE_SECONDS * 1000)
    expect(page.get_by_role("button", name="Show the recorded trace")).to_be_visible(
        timeout=LIVE_SECONDS * 1000
    )
    wait_idle(page)
    expect(page.locator(".st-key-determinism-cost")).to_contain_text("every-step")
    trace = save(page, tmp_path / "saved.jsonl")
    records = [record for record in trace.records if isinstance(record, StrategyRecord)]
    assert [record.strategy for record in records] == ["bf16", "every-step", "replay"]
    assert all(all(record.equal) for record in records[1:])

    other = open_page(lab, "determinism")
    other.get_by_text("Open a saved trace").click()
    other.locator("input[type=file]").set_input_files(tmp_path / "saved.jsonl")
    expect(other.get_by_text(re.compile(r"2\W* prompts, up to \W*4\W* tokens"))).to_be_visible(timeout=20_000)
    bad = tmp_path / "bad.jsonl"
    bad.write_text("no trace\n")
    other.locator("input[type=file]").set_input_files(bad)
    expect(other.get_by_role("alert").first).to_contain_text(
        "bad.jsonl is not a trace of this lab", timeout=20_000
    )
    assert "Traceback" not in other.locator("body").inner_text()


def test_stop_in_the_middle(lab: str, open_page: Open) -> None:
    page = open_page(lab, "determinism", **{"determinism-length": 128, "determinism-strategies": "bf16"})
    page.locator(".st-key-determinism-run-begin button").click()
    expect(page.locator(".origin.live")).to_be_visible(timeout=LIVE_SECONDS * 1000)
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("Stopped after")).to_be_visible(timeout=20_000)
    expect(page.get_by_text("No strategy has finished yet.")).to_be_visible()


def test_a_control_goes_into_the_link_and_a_link_restores_it(lab: str, open_page: Open) -> None:
    page = open_page(lab, "determinism")
    page.get_by_role("slider", name="Threshold τ").press("ArrowRight")
    page.wait_for_url("**determinism-tau=0.3125**")
    page.get_by_role("button", name="Let replay look at every flagged row at once").click()
    page.wait_for_url("**determinism-pass=1**")
    again = open_page(lab, page.url.removeprefix(f"{lab}/"))
    expect(again.get_by_role("slider", name="Pass size")).to_have_value("1")
    expect(again.get_by_text("--pass-size 1 ")).to_be_visible()


def test_the_grid_shows_another_measure(lab: str, open_page: Open) -> None:
    page = open_page(lab, "determinism", **{"determinism-measure": "filling"})
    expect(page.get_by_text("Positions in a pass, on average")).to_be_visible()
    page.get_by_role("radio", name="rolled back").click()
    expect(page.get_by_text("Tokens rolled back, per cent")).to_be_visible()
    page.wait_for_url("**determinism-measure=waste**")


@pytest.mark.parametrize("width", [400, 1280])
def test_no_sideways_scrolling(lab: str, open_page: Open, width: int) -> None:
    page = open_page(lab, "determinism", lang="fa")
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    page.set_viewport_size({"width": width, "height": 800})
    page.wait_for_timeout(500)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
