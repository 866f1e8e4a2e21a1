"""Live runs in a real browser: progress, stop, a change of language on the way, two tabs, bad input."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser
Open = Callable[..., Page]


def tokens(page: Page) -> int:
    return page.locator(".strip").first.locator(".strip-token").count()


def test_the_recording_is_there_at_once_and_a_run_replaces_it(demo: str, open_page: Open) -> None:
    page = open_page(demo, "demo", **{"demo-tokens": 6})
    expect(page.locator(".origin.recorded")).to_be_visible()
    assert tokens(page) == 24
    page.get_by_role("button", name="Run").click()
    expect(page.get_by_test_id("stProgress")).to_be_visible(timeout=5000)
    expect(page.locator(".origin.live")).to_be_visible(timeout=20_000)
    expect(page.get_by_role("button", name="Show the recorded trace")).to_be_visible(timeout=30_000)
    assert tokens(page) == 6
    assert page.locator(".strip").count() == 2, "nothing of an earlier drawing is left"
    page.get_by_role("button", name="Show the recorded trace").click()
    expect(page.locator(".origin.recorded")).to_be_visible()


def test_stop_keeps_what_has_come(demo: str, open_page: Open) -> None:
    page = open_page(demo, "demo", **{"demo-tokens": 90})
    page.get_by_role("button", name="Run").click()
    expect(page.locator(".origin.live")).to_be_visible(timeout=20_000)
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("Stopped after")).to_be_visible(timeout=10_000)
    assert 0 < tokens(page) < 90
    stopped = tokens(page)
    page.wait_for_timeout(1500)
    assert tokens(page) == stopped


def test_a_run_goes_on_in_another_language(demo: str, open_page: Open) -> None:
    page = open_page(demo, "demo", **{"demo-tokens": 20})
    page.get_by_role("button", name="Run").click()
    expect(page.locator(".origin.live")).to_be_visible(timeout=20_000)
    page.get_by_role("radio", name="العربية").click()
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    expect(page.get_by_role("button", name="اعرض السجل المُسجَّل")).to_be_visible(timeout=60_000)
    assert tokens(page) == 20


def test_new_settings_end_a_run(demo: str, open_page: Open) -> None:
    page = open_page(demo, "demo", **{"demo-tokens": 90})
    page.get_by_role("button", name="Run").click()
    expect(page.locator(".origin.live")).to_be_visible(timeout=20_000)
    page.get_by_role("slider").press("ArrowLeft")
    expect(page.get_by_text("The settings have changed since this run.")).to_be_visible(timeout=10_000)
    expect(page.get_by_role("button", name="Run")).to_be_visible()


def test_two_tabs_do_not_disturb_each_other(demo: str, open_page: Open) -> None:
    first = open_page(demo, "demo", **{"demo-tokens": 8, "demo-seed": 1})
    second = open_page(demo, "demo", **{"demo-tokens": 12, "demo-seed": 2})
    for page in (first, second):
        page.get_by_role("button", name="Run").click()
    for page, count in ((first, 8), (second, 12)):
        expect(page.get_by_role("button", name="Show the recorded trace")).to_be_visible(timeout=60_000)
        assert tokens(page) == count


def test_bad_input_says_what_to_do_and_shows_no_traceback(demo: str, open_page: Open) -> None:
    page = open_page(demo, "demo", **{"demo-lane": "broken"})
    page.get_by_role("button", name="Run").click()
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text(
        "The lane 'broken' does not exist. Choose fp32 or bf16-emulated.", timeout=20_000
    )
    assert "Traceback" not in page.locator("body").inner_text()


def test_a_token_s_note_is_shown_to_the_keyboard(demo: str, open_page: Open) -> None:
    page = open_page(demo, "demo")
    flip = page.locator(".strip-token.flip").first
    flip.focus()
    expect(flip.locator(".note")).to_be_visible()
    assert "flip" in (flip.text_content() or "")
