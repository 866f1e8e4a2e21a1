"""The race, the round and the rule in a real browser: playing, stepping, a press on a token, a live run."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

pytestmark = pytest.mark.browser
Open = Callable[..., Page]
LIVE_SECONDS = 180  # patience, not a target: the first run of a server loads the model


def player(page: Page, name: str) -> Locator:
    return page.locator(f".st-key-serial-{name} .player-all")


def now(race: Locator) -> float:
    return float(race.locator(".player-time").input_value())


def seen(race: Locator) -> int:
    """Tokens of the speculative lane that are shown."""
    return race.locator(".player-text-speculative .strip-token:not([hidden])").count()


def test_a_race_plays_pauses_and_is_stepped_by_keyboard(lab: str, open_page: Open) -> None:
    page = open_page(lab, "serial")
    race = player(page, "simulated")
    expect(race.locator(".player-facts")).to_contain_text("×1.58")
    assert seen(race) == 48
    play = race.get_by_role("button", name="Play")
    play.focus()
    page.keyboard.press("Enter")
    expect(race.get_by_role("button", name="Pause")).to_be_focused()
    page.wait_for_timeout(600)
    page.keyboard.press("Enter")
    expect(play).to_be_focused()
    stopped = now(race)
    assert 0 < stopped < 48
    assert seen(race) < 48
    race.get_by_role("button", name="Step forward").press("Enter")
    assert now(race) > stopped
    race.locator(".player-time").press("Home")
    assert now(race) == 0
    assert seen(race) == 0
    assert "target steps" in (race.locator(".player-time").get_attribute("aria-valuetext") or "")


def test_a_slider_changes_the_race_and_the_link(lab: str, open_page: Open) -> None:
    page = open_page(lab, "serial")
    blocks = player(page, "simulated").locator(".player-track-speculative .block.draft")
    before = blocks.count()
    page.get_by_role("slider", name="γ, drafted tokens a round").last.press("ArrowRight")
    page.wait_for_url("**serial-gamma=5**")
    expect(blocks).not_to_have_count(before)


def test_a_round_is_stepped_by_keyboard_and_stands_in_the_link(lab: str, open_page: Open) -> None:
    page = open_page(lab, "round", **{"round-round": 2, "round-step": 1})
    expect(page.get_by_text(re.compile(r"Draft, token \W*1"))).to_be_visible()
    expect(page.locator(".window .row-u td").first).to_have_text("")
    page.locator(".st-key-round-go-forward button").press("Enter")
    expect(page.get_by_text(re.compile(r"Draft, token \W*2"))).to_be_visible(timeout=20_000)
    page.wait_for_url("**round-step=2*")
    page.locator(".st-key-round-step").get_by_role("slider").press("End")
    expect(page.get_by_text("Columns of tokens that do not stand")).to_be_visible(timeout=20_000)
    expect(page.locator(".window .row-u td").first).to_have_text(re.compile(r"0\.\d+"))
    assert page.locator(".cache li.trimmed, .cache li.kept").count() > 0


def test_a_pressed_token_shows_its_laws(lab: str, open_page: Open) -> None:
    page = open_page(lab, "rule")
    page.locator(".st-key-rule-text button").nth(0).click()
    page.wait_for_url(re.compile("rule-token=0"))
    page.locator(".st-key-rule-laws .scatterlayer, .st-key-rule-laws .barlayer").first.wait_for()


def test_a_mistake_shows_its_law_and_a_poor_test_hides_it(lab: str, open_page: Open) -> None:
    page = open_page(lab, "rule", **{"rule-rule": "accept-always"})
    expect(page.get_by_text("Wrong law.")).to_be_visible(timeout=10_000)
    page.get_by_role("button", name="p = q", exact=True).click()
    expect(page.get_by_text("No error to see")).to_be_visible(timeout=20_000)


@pytest.mark.model
def test_recorded_then_live_then_kept_and_opened(lab: str, open_page: Open, tmp_path: Path) -> None:
    page = open_page(lab, "serial", **{"serial-run-length": 8, "serial-run-draft": "lookup"})
    expect(page.locator(".origin.recorded")).to_be_visible()
    page.locator(".st-key-serial-run-begin button").click()
    expect(page.get_by_role("button", name="Show the recorded trace")).to_be_visible(
        timeout=LIVE_SECONDS * 1000
    )
    expect(page.locator(".origin.live")).to_be_visible()
    expect(player(page, "real").locator(".player-text-speculative .strip-token")).to_have_count(8)
    page.get_by_text("The run as a table").click()
    with page.expect_download() as download:
        page.locator(".st-key-save-serial-run button").click()
    kept = tmp_path / "run.jsonl"
    download.value.save_as(kept)
    other = open_page(lab, "round")
    other.get_by_text("Open a saved trace").click()
    other.locator("input[type=file]").set_input_files(kept)
    expect(other.get_by_text(re.compile(r"Draft: \W*lookup"))).to_be_visible(timeout=10_000)
    assert other.get_by_role("alert").count() == 0
