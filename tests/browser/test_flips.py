"""The page of the flip study in a real browser: a cell by click and by keyboard, links, files, a live run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from apps.flip_study import batches, cells_of, names, telling
from apps.recordings import recording
from lab.records import FlipRecord
from tests.browser.harness import choose, parameters, wait_idle

pytestmark = pytest.mark.browser
Open = Callable[..., Page]
LIVE_SECONDS = 120  # patience, not a target: the first run of a server loads the model


def cells() -> list[FlipRecord]:
    trace = recording("flips")
    assert trace is not None
    return cells_of(record for record in trace.records if isinstance(record, FlipRecord))


def others() -> list[FlipRecord]:
    """Cells that share nothing with the one that the page opens with; that one is not in the address."""
    first = telling(cells())
    return [cell for cell in cells() if cell.prompt != first.prompt and cell.batch != first.batch]


def shows(page: Page, cell: FlipRecord) -> None:
    """The cell is in the address, and its answer on the page."""
    named = f"flips-at-prompt={cell.prompt}", f"flips-at-batch={cell.batch}"
    page.wait_for_url(lambda url: all(each in url.split("?")[-1].split("&") for each in named))
    wait_idle(page)
    expect(page.get_by_test_id("stMain")).to_contain_text(cell.base_text.split("\n")[0][:30])


def click(page: Page, cell: FlipRecord) -> None:
    """Click well off the middle of the cell: all of it must take the click."""
    rows, columns = names(cells()), batches(cells())
    area = page.locator(".st-key-flips-map .nsewdrag").first
    area.scroll_into_view_if_needed()
    box = area.bounding_box()
    assert box is not None
    x = (columns.index(cell.batch) + 0.2) / len(columns)
    y = (rows.index(cell.prompt) + 0.6) / len(rows)
    area.click(position={"x": x * box["width"], "y": y * box["height"]})


def test_a_click_on_the_map_opens_the_cell(lab: str, open_page: Open) -> None:
    page = open_page(lab, "flips")
    for cell in (others()[0], others()[-1], others()[0]):
        click(page, cell)
        shows(page, cell)


def test_the_controls_open_a_cell_by_keyboard(lab: str, open_page: Open) -> None:
    page = open_page(lab, "flips")
    click(page, others()[0])
    shows(page, others()[0])
    choose(page.get_by_role("combobox", name="Prompt to read"), others()[-1].prompt)
    page.wait_for_url(f"**flips-at-prompt={others()[-1].prompt}**")
    choose(page.get_by_role("combobox", name="Batch size to read"), str(others()[-1].batch))
    shows(page, others()[-1])


def test_a_link_restores_the_study_and_the_cell(lab: str, open_page: Open) -> None:
    page = open_page(lab, "flips")
    page.get_by_role("radio", name="until the first flip").click()
    page.wait_for_url("**flips-count=first**")
    sizes = page.get_by_role("textbox", name="Batch sizes")
    sizes.fill("2, 4")
    sizes.press("Enter")
    page.wait_for_url("**flips-batches=2**")
    wait_idle(page)
    click(page, others()[-1])
    shows(page, others()[-1])
    again = open_page(lab, "flips", **parameters(page))
    expect(again.get_by_role("textbox", name="Batch sizes")).to_have_value("2, 4")
    expect(again.get_by_role("radio", name="until the first flip")).to_be_checked()
    expect(again.get_by_text("--batch 2 --batch 4")).to_be_visible()
    assert parameters(again) == parameters(page)


@pytest.mark.parametrize(("width", "lang"), [(400, "en"), (400, "fa"), (1280, "ar")])
def test_no_sideways_scrolling(lab: str, open_page: Open, width: int, lang: str) -> None:
    page = open_page(lab, "flips", lang=lang)
    page.set_viewport_size({"width": width, "height": 800})
    page.wait_for_timeout(500)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_files(lab: str, open_page: Open, tmp_path: Path) -> None:
    """A trace saved here opens again; one of another kind is refused with a message."""
    page = open_page(lab, "flips")
    with page.expect_download() as download:
        page.get_by_role("button", name="Trace (JSONL)").click()
    saved = tmp_path / "saved.jsonl"
    download.value.save_as(saved)
    header, *lines = saved.read_text(encoding="utf-8").splitlines()
    first = [line for line in lines if '"prompt":"question-01"' in line]
    shorter = tmp_path / "shorter.jsonl"
    shorter.write_text("\n".join([header, *first]), encoding="utf-8")
    page.get_by_text("Open a saved trace").click()
    page.locator("input[type=file]").set_input_files(shorter)
    expect(page.get_by_text("The recorded study: \u20681\u2069 prompts")).to_be_visible(timeout=10_000)
    other = tmp_path / "other.jsonl"
    other.write_text(header.replace('"kind":"flips"', '"kind":"kernels"'), encoding="utf-8")
    page.locator("input[type=file]").set_input_files(other)
    expect(page.get_by_role("alert")).to_contain_text("other.jsonl is a kernels trace", timeout=10_000)


@pytest.mark.model
def test_live_run(lab: str, open_page: Open) -> None:
    page = open_page(
        lab, "flips", **{"flips-prompts": 4, "flips-length": 4, "flips-batches": "2", "flips-lane": "fp32"}
    )
    expect(page.locator(".origin.recorded")).to_be_visible()
    page.locator(".st-key-flips-run-begin button").click()
    expect(page.get_by_test_id("stProgress")).to_be_visible(timeout=5000)
    expect(page.get_by_role("button", name="Show the recorded trace")).to_be_visible(
        timeout=LIVE_SECONDS * 1000
    )
    expect(page.locator(".origin.live")).to_be_visible()
    expect(page.locator(".facts")).to_contain_text("\u20680\u2069 of \u206816\u2069")
    expect(page.get_by_text("The same bits:")).to_be_visible()
