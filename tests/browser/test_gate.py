"""The page of the gate in a real browser: τ, a chosen step, a live run with the real model, files."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.harness import wait_idle
from tests.browser.timing import GATE, slider_seconds

pytestmark = pytest.mark.browser
Open = Callable[..., Page]
LIVE_SECONDS = 180  # patience, not a target: the first run of a server loads the model
MARKS = ".st-key-gate-lanes .scatterlayer .trace .points path"


def test_a_small_threshold_fails_visibly_and_goes_into_the_link(lab: str, open_page: Open) -> None:
    page = open_page(lab, "gate")
    expect(page.get_by_text("holds every row")).to_be_visible()
    page.get_by_role("slider", name="The gate's threshold τ").press("Home")
    expect(page.get_by_text("is too small")).to_be_visible(timeout=10_000)
    expect(page.locator(".st-key-gate-lanes .legendtext", has_text="flip missed")).to_be_visible()
    page.wait_for_url("**gate-tau=0*")


def test_a_click_chooses_a_step_and_so_do_the_controls(lab: str, open_page: Open) -> None:
    page = open_page(lab, "gate")
    expect(page.get_by_text("Flagged, repaired.")).to_be_visible()
    page.locator(MARKS).first.wait_for()
    box = page.locator(MARKS).first.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.get_by_text("Passed.")).to_be_visible(timeout=30_000)
    page.wait_for_url("**gate-prompt=question-01**")
    page.locator(".st-key-gate-step").get_by_role("slider").press("End")
    page.wait_for_url(lambda url: "gate-step=0" not in url)


@pytest.mark.model
def test_recorded_then_live(lab: str, open_page: Open) -> None:
    link = {"gate-policy": "replay", "gate-length": 6, "gate-prompts": 2}
    page = open_page(lab, "gate", **link)
    assert page.locator(".strip").count() == 8
    page.locator(".st-key-gate-run-begin button").click()
    expect(page.get_by_test_id("stProgress")).to_be_visible(timeout=10_000)
    expect(page.get_by_role("button", name="Show the recorded trace")).to_be_visible(
        timeout=LIVE_SECONDS * 1000
    )
    expect(page.locator(".origin.live")).to_be_visible()
    assert page.locator(".strip").count() == 2
    assert page.locator(".strip").first.locator(".strip-token").count() == 6
    expect(page.get_by_text(re.compile(r"2\W* of \W*2\W*$")).first).to_be_visible()


@pytest.mark.model
def test_stop_keeps_what_has_come(lab: str, open_page: Open) -> None:
    page = open_page(lab, "gate", **{"gate-length": 128})
    page.locator(".st-key-gate-run-begin button").click()
    expect(page.locator(".origin.live")).to_be_visible(timeout=LIVE_SECONDS * 1000)
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("Stopped after")).to_be_visible(timeout=30_000)


@pytest.mark.parametrize("width", [400, 1280])
def test_no_sideways_scrolling(lab: str, open_page: Open, width: int) -> None:
    page = open_page(lab, "gate", lang="ar")
    page.set_viewport_size({"width": width, "height": 800})
    page.wait_for_timeout(500)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_files(lab: str, open_page: Open, tmp_path: Path) -> None:
    """Traces of both kinds saved here open again; another kind is refused with a message."""
    page = open_page(lab, "gate")
    page.get_by_text("The steps as a table").click()
    with page.expect_download() as download:
        page.locator(".st-key-save-gate-watch button").click()
    watch = tmp_path / "watch.jsonl"
    download.value.save_as(watch)
    wait_idle(page)
    page.get_by_text("The run as a table").click()
    page.wait_for_timeout(1500)  # the table opens and moves the button below it
    with page.expect_download() as download:
        page.locator(".st-key-save-gate-run button").click()
    run = tmp_path / "run.jsonl"
    download.value.save_as(run)
    page.get_by_text("Open a saved trace").click()
    for path in (watch, run):
        page.locator("input[type=file]").set_input_files(path)
        page.wait_for_timeout(1500)
        wait_idle(page)
        expect(page.locator(".strip")).to_have_count(8)
        assert page.get_by_role("alert").count() == 0
    other = tmp_path / "other.jsonl"
    other.write_text(run.read_text(encoding="utf-8").replace('"kind":"gate"', '"kind":"flips"'))
    page.locator("input[type=file]").set_input_files(other)
    expect(page.get_by_role("alert")).to_contain_text("Open a watch or gate trace", timeout=10_000)
    assert "Traceback" not in page.locator("body").inner_text()


def test_a_new_picture_follows_the_slider(lab: str, open_page: Open) -> None:
    page = open_page(lab, "gate")
    page.locator(".st-key-gate-curve .scatterlayer").wait_for()
    assert slider_seconds(page, GATE, moves=3) > 0  # how soon is a matter of tests/bench/bench_page.py
