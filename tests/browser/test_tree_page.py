"""A tree of guesses in a real browser: stepped by keyboard, drawn by Plotly, its table and cache readable."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser
Open = Callable[..., Page]
LIVE_SECONDS = 180  # patience, not a target: the first run of a server loads the model


def test_a_tree_is_stepped_by_keyboard_and_stands_in_the_link(lab: str, open_page: Open) -> None:
    page = open_page(lab, "tree", **{"tree-round": 1, "tree-step": 1})
    expect(page.get_by_text(re.compile(r"Grow, level \W*1"))).to_be_visible()
    nodes = page.locator(".window.nodes > table > tbody > tr")
    expect(nodes).to_have_count(3)
    page.locator(".st-key-tree-go-forward button").press("Enter")
    expect(page.get_by_text(re.compile(r"Grow, level \W*2"))).to_be_visible(timeout=60_000)
    page.wait_for_url("**tree-step=2*")
    expect(nodes).to_have_count(9)
    expect(page.locator(".st-key-tree-graph .scatterlayer .textpoint")).to_have_count(1 + 9)
    page.locator(".st-key-tree-step").get_by_role("slider").press("End")
    expect(page.get_by_role("heading", name=re.compile("^Compacted"))).to_be_visible(timeout=60_000)
    expect(page.locator(".slots li.kept small").first).to_have_text(re.compile(r"\d+"))
    laws = page.locator(".nodes summary").first
    laws.press("Enter")
    expect(page.locator(".nodes details[open] table")).to_be_visible()


@pytest.mark.model
def test_a_live_tree_replaces_the_recorded_one(lab: str, open_page: Open) -> None:
    page = open_page(lab, "tree", **{"tree-run-length": 8, "tree-run-shape": "dynamic", "tree-run-nodes": 9})
    expect(page.locator(".origin.recorded").first).to_be_visible()
    page.locator(".st-key-tree-run-begin button").click()
    expect(page.get_by_role("button", name="Show the recorded trace")).to_be_visible(
        timeout=LIVE_SECONDS * 1000
    )
    expect(page.locator(".origin.live")).to_be_visible()
    expect(page.get_by_text(re.compile(r"Dynamic tree: .*nodes \W*9"))).to_be_visible()
