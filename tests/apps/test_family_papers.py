"""The papers' side of the family: the timeline's marks and words, and two boards against each other."""

from __future__ import annotations

from itertools import pairwise

import pytest

from apps import family_boards, family_papers
from apps.family_boards import ALL, Compared, compared
from sims.spec_bench import BOARDS, BY_KEY, Board, Entry
from sims.successors import PAPERS
from tests.apps.opening import open_page, told


def test_every_paper_stands_once_and_later_is_lower() -> None:
    figure = family_papers.timeline_figure(BOARDS[0])
    marks = [trace for trace in figure.data if trace.mode == "markers+text"]
    rows = {text.strip(): y for trace in marks for text, y in zip(trace.text, trace.y, strict=True)}
    assert sorted(rows, key=rows.__getitem__) == [paper.name for paper in PAPERS]
    for (first, above), (second, below) in pairwise(sorted(rows.items(), key=lambda item: item[1])):
        assert below - above >= family_papers.ROW - 1e-9, f"{first} touches {second}"
    for paper in PAPERS:
        assert rows[paper.name] == pytest.approx(family_papers.months(paper), abs=3)
    low, high = figure.layout.yaxis.range
    assert low > max(rows.values()) > min(rows.values()) > high


def test_a_diamond_stands_where_the_board_has_the_method() -> None:
    diamonds = family_papers.timeline_figure(BY_KEY["a100-7b"]).data[-1]
    assert "EAGLE-3" not in diamonds.text
    assert dict(zip(diamonds.text, diamonds.x, strict=True))["Medusa"] == 1.71
    assert list(diamonds.text).count("SpS") == 2, "Leviathan and Chen publish one rule"


def test_the_list_links_to_every_paper() -> None:
    lines = family_papers.listed().splitlines()
    assert len(lines) == len(PAPERS)
    for line, paper in zip(lines, PAPERS, strict=True):
        assert f"[{paper.name}]({paper.source})" in line
        assert paper.headline.told in line


def test_the_table_has_every_figure() -> None:
    frame = family_papers.claims_frame()
    assert len(frame) == sum(len(paper.claims) for paper in PAPERS)
    best = frame[frame["name"] == "EAGLE-2"].iloc[1]
    assert (best["model"], best["high"], best["tokens"]) == ("Vicuna-13B", 4.26, 4.83)


def board(**speedups: float) -> Board:
    entries = tuple(Entry(name, (value,) * 6, 9, value) for name, value in speedups.items())
    return Board("made", "made", "made", entries)


def test_pairs_that_change_places_are_counted() -> None:
    first, second = board(a=3, b=2, c=1, d=1), board(a=3, b=1, c=2, d=1, e=5)
    both = Compared(first, second, ALL)
    assert [own.method for own, _ in both.shared] == ["a", "b", "c", "d"]
    assert both.swapped == 1, "b with c; b with d and c with d tie on one board"
    mover, before, after = both.farthest
    assert (mover, before, after) == ("b", 2, 3)
    assert Compared(first, first, ALL).swapped == 0
    assert "keep their places" in Compared(first, first, ALL).told()


def test_real_machines_change_the_order() -> None:
    both = compared("3090-7b", "a100-7b", ALL)
    assert both.swapped == 8
    assert both.farthest == ("Recycling", 8, 3)
    summaries = [own.method for own, _ in compared("3090-7b", "a100-7b", "summary").shared]
    assert summaries.index("PLD") < summaries.index("EAGLE")
    figure = family_boards.boards_figure(both)
    marks = [trace for trace in figure.data if trace.mode == "markers"]
    assert len(marks) == 3
    assert marks[0].y[-1] == "SAMD[EAGLE-2]", "the fastest on top"
    assert len(family_boards.boards_frame(both)) == 20


def test_boards_are_chosen_and_stand_in_the_link() -> None:
    at = open_page("family", **{"board-a": "a100-7b", "board-b": "a100-33b", "task": "summary"})
    assert not at.exception
    assert "change places" in told(at)
    at = open_page("family", **{"board-a": "a100-7b", "board-b": "a100-7b"})
    assert any("Both boards are the same" in info.value for info in at.info)


@pytest.mark.parametrize("lang", ["ar", "fa"])
def test_the_page_speaks(lang: str) -> None:
    at = open_page("family", lang=lang)
    assert not at.exception
    assert not at.error
