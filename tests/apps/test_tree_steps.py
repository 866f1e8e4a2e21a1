"""A tree's round as moments: what is seen when, what a node's state is, the graph's places, the words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from apps import tree_graph, tree_picture, tree_steps
from apps.tree_graph import places
from apps.tree_steps import TreeMoment, moments
from lab.round_records import RoundRecord
from tests.apps.round_records import ROUNDS, round_of
from tests.apps.tree_records import BEFORE, DETOUR, FIRST, LEAF, PARENTS, tree_round


def at(one: RoundRecord, phase: str) -> TreeMoment:
    """The last moment of that phase."""
    return [moment for moment in moments(one, " last") if moment.phase == phase][-1]


def states(moment: TreeMoment) -> str:
    signs = {"waiting": " ", "accepted": "+", "rejected": "-", "unjudged": "."}
    return "".join(signs[moment.state(node)] for node in moment.nodes)


def test_the_moments_of_a_round() -> None:
    assert [moment.phase for moment in moments(DETOUR)] == ["grow"] * 3 + ["verify"] + ["judge"] * 2 + [
        "emit",
        "compact",
    ]
    assert [len(moment.nodes) for moment in moments(DETOUR)] == [2, 5, 6, 6, 6, 6, 6, 6]
    assert [states(moment) for moment in moments(DETOUR)[3:]] == [
        "      ",
        "-+    ",
        "-+  - ",
        "-+..-.",
        "-+..-.",
    ]
    nothing = round_of(0, 1, accepted=0, gamma=0)
    assert [moment.phase for moment in moments(nothing)] == ["verify", "emit", "compact"]


def test_a_chain_is_a_tree_with_one_branch() -> None:
    (one,) = ROUNDS[:1]
    assert [moment.grown for moment in moments(one)] == [1, 2, 3, 3, 3, 3, 3, 3]
    assert states(moments(one)[-1]) == "+-."


def test_the_round_to_open_with_accepts_a_second_guess() -> None:
    assert tree_steps.detours(DETOUR) == [1]
    assert tree_steps.detours(FIRST) == [3]
    assert tree_steps.detours(LEAF) == [1]
    assert tree_steps.most_telling([tree_round("+.+...", "bonus"), DETOUR, LEAF]) == 2


def test_the_product_runs_along_the_path() -> None:
    assert [tree_steps.product(DETOUR, node) for node in range(6)] == [0.5, 0.5, 0.25, 0.25, 0.25, 0.125]
    unasked = replace(DETOUR.drafted[1], confidence=None)
    one = replace(DETOUR, drafted=(DETOUR.drafted[0], unasked, *DETOUR.drafted[2:]))
    assert tree_steps.product(one, 4) is None
    assert tree_steps.product(one, 3) == 0.25


def test_places_by_hand() -> None:
    spots, root, leaves = places(PARENTS)
    assert spots == [(1, 0.5), (1, 2.0), (2, 0.0), (2, 1.0), (2, 2.0), (3, 2.0)]
    assert (root, leaves) == (1.25, 3)
    assert places(()) == ([], 0.0, 1)


def test_no_two_nodes_share_a_place_and_nothing_moves() -> None:
    for one in (DETOUR, LEAF, FIRST, *ROUNDS):
        spots, _, _ = places(one.tree)
        assert len(set(spots)) == len(spots)
        seen: dict[str, set[tuple[float, float]]] = {}
        for moment in moments(one, " last"):
            figure, height = tree_graph.graph(moment)
            assert height > 100
            for trace in figure.data:
                if trace.mode == "markers+text":
                    for text, x, y in zip(trace.text, trace.x, trace.y, strict=True):
                        seen.setdefault(text, set()).add((x, y))
        assert all(len(spot) == 1 for spot in seen.values()), seen


def shown(moment: TreeMoment) -> dict[str, list[str]]:
    """Names of the nodes in the graph by the legend."""
    figure, _ = tree_graph.graph(moment)
    return {trace.name: list(trace.text) for trace in figure.data if trace.mode == "markers+text"}


def test_the_graph_shows_states_in_words_and_the_targets_own_token_at_the_end() -> None:
    assert shown(at(DETOUR, "judge")) == {
        "last committed token": ["·last"],
        "not judged yet": ["·n2", "·n3", "·n5"],
        "accepted": ["·n1"],
        "rejected": ["·n0", "·n4"],
    }
    assert shown(at(DETOUR, "emit"))["correction"] == ["·t1"]
    assert shown(at(LEAF, "emit"))["one more (bonus)"] == ["·t3"]
    assert "one more (bonus)" not in shown(at(tree_round("+.....", "cut"), "compact"))


def test_a_label_is_text_for_plotly() -> None:
    assert tree_graph.label(' "<b>\n') == '·"&lt;b&gt;⏎'
    assert tree_graph.label(" countryside") == "·countrysi…"
    assert tree_graph.label("") == "∅"


def test_a_hover_tells_what_is_known_by_then() -> None:
    grown = tree_graph.hover(at(DETOUR, "grow"), 4)
    assert "0.250" in grown
    assert "p =" not in grown
    judged = tree_graph.hover(at(DETOUR, "judge"), 4)
    assert f"{BEFORE + 2}" in judged
    assert judged.count("p =") == 1 + 2
    assert "&lt;b&gt;" in judged
    assert "rejected" in judged
    assert "p =" not in tree_graph.hover(at(DETOUR, "compact"), 5)


@pytest.mark.parametrize("uniform", [0.5, None])
def test_every_moment_is_told_and_drawn(uniform: float | None) -> None:
    cut = tree_round("+.-+..", "cut", uniform)
    empty = round_of(0, 1, accepted=0, gamma=0)
    for one in (tree_round("-+..-.", uniform=uniform), LEAF, FIRST, cut, empty, *ROUNDS):
        for moment in moments(one, " last"):
            assert tree_steps.told(moment).startswith("**")
            html = tree_picture.table_html(moment)
            assert html.count('<th scope="row">') == len(moment.nodes) + (moment.own is not None)
            assert tree_picture.phases_html(moment).count('aria-current="step"') == 1
            assert "<b>" not in html
    assert tree_steps.told(at(cut, "judge")).count("\n- ") == 2
    assert "ended the text" in tree_steps.told(at(cut, "emit"))


def test_the_table_of_all_rounds() -> None:
    frame = tree_steps.frame([DETOUR, tree_round("+.....", "cut")])
    assert len(frame) == 6 + 1 + 6
    assert list(frame["verdict"])[:7] == [
        "rejected",
        "accepted",
        "never judged",
        "never judged",
        "rejected",
        "never judged",
        "correction",
    ]
    assert list(frame["parent"])[:6] == list(PARENTS)
