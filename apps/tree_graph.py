"""The tree of a round as a graph: a column a level, left to right, a mark and a colour a state.

Nothing moves when a step adds to it: every node has its place from the start.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import plotly.graph_objects as go

from apps.paper_tables import GREY
from apps.round_steps import chance, uniform
from apps.text import t
from apps.text.catalogue import isolated
from apps.tree_steps import TreeMoment, has_own, path_of, product
from apps.widgets import AGREE, FLIP
from apps.widgets.tokens import VISIBLE
from lab.decode.speculative.tree import ROOT
from lab.round_records import LawRecord

RED, GREEN = "#D55E00", "#009E73"
LABEL = 11  # characters of a token that the graph has room for
ROW = 34  # px a leaf
MARKERS: dict[str, dict[str, object]] = {
    "root": {"color": GREY, "symbol": "square", "size": 12},
    "waiting": {"color": GREY, "symbol": "circle-open", "size": 11, "line": {"width": 2}},
    "accepted": {"color": AGREE, "symbol": "circle", "size": 13},
    "rejected": {"color": RED, "symbol": "x", "size": 11},
    "unjudged": {"color": GREY, "symbol": "circle-open-dot", "size": 10, "line": {"width": 1}},
    "correction": {
        "color": FLIP,
        "symbol": "diamond",
        "size": 14,
        "line": {"color": "#7A5200", "width": 1.5},
    },
    "bonus": {"color": GREEN, "symbol": "star", "size": 15},
}
"""Each state by colour and by shape."""


def places(parents: Sequence[int]) -> tuple[list[tuple[int, float]], float, int]:
    """(level, height) of each node, the root's height, and how many leaves there are.

    Leaves have whole numbers from 0 on, in order of the branches; a parent stands amid its children.
    """
    children: dict[int, list[int]] = {node: [] for node in range(ROOT, len(parents))}
    for node, parent in enumerate(parents):
        children[parent].append(node)
    heights: dict[int, float] = {}
    leaves = 0

    def place(node: int) -> float:
        nonlocal leaves
        if not children[node]:
            heights[node] = float(leaves)
            leaves += 1
        else:
            own = [place(child) for child in children[node]]
            heights[node] = (own[0] + own[-1]) / 2
        return heights[node]

    root = place(ROOT)
    levels: list[int] = []
    for parent in parents:
        levels.append(1 if parent == ROOT else levels[parent] + 1)
    return [(level, heights[node]) for node, level in enumerate(levels)], root, leaves


def graph(moment: TreeMoment) -> tuple[go.Figure, int]:
    """The tree so far, with a trace a state, and its height in px."""
    one = moment.round
    parents = list(one.tree)
    path = path_of(one)
    if has_own(one):  # its place is kept from the start
        parents.append(path[-1] if path else ROOT)
    spots, root, leaves = places(parents)
    at = {ROOT: (0, root)} | dict(enumerate(spots))
    figure = go.Figure()
    own = [len(parents) - 1] if moment.own is not None else []
    stands = [*moment.path, *own]
    _edges(figure, [(at[parents[node]], at[node]) for node in moment.nodes if node not in stands], False)
    _edges(figure, [(at[parents[node]], at[node]) for node in stands], True)
    _nodes(figure, "root", [at[ROOT]], [moment.last], [t("tree-hover-root")])
    for state in ("waiting", "accepted", "rejected", "unjudged"):
        members = [node for node in moment.nodes if moment.state(node) == state]
        texts = [one.drafted[node].text for node in members]
        _nodes(
            figure, state, [at[node] for node in members], texts, [hover(moment, node) for node in members]
        )
    if moment.own is not None:
        _nodes(figure, one.ending, [at[own[0]]], [moment.own], [_own_hover(moment)])
    deepest = max((level for level, _ in spots), default=0)
    figure.update_xaxes(
        title=t("tree-axis-level"), range=[-0.4, max(deepest, 1) + 0.5], dtick=1, zeroline=False
    )
    figure.update_yaxes(visible=False, range=[leaves - 0.4, -0.8])
    return figure, ROW * max(leaves, 2) + 110


def _edges(
    figure: go.Figure, pairs: Sequence[tuple[tuple[float, float], tuple[float, float]]], stands: bool
) -> None:
    figure.add_scatter(
        x=[x for (ax, _), (bx, _) in pairs for x in (ax, bx, None)],
        y=[y for (_, ay), (_, by) in pairs for y in (ay, by, None)],
        mode="lines",
        line={"color": AGREE, "width": 4} if stands else {"color": GREY, "width": 1},
        hoverinfo="skip",
        showlegend=False,
    )


def _nodes(
    figure: go.Figure,
    state: str,
    spots: Sequence[tuple[float, float]],
    texts: Sequence[str],
    hovers: Sequence[str],
) -> None:
    if not spots:
        return
    figure.add_scatter(
        x=[x for x, _ in spots],
        y=[y for _, y in spots],
        mode="markers+text",
        text=[label(text) for text in texts],
        textposition="top center",
        cliponaxis=False,
        marker=MARKERS[state],
        name=t(f"tree-state-{state}"),
        customdata=[f"<b>{label(text, 60)}</b><br>{told}" for text, told in zip(texts, hovers, strict=True)],
        hovertemplate="%{customdata}<extra></extra>",
    )


def label(text: str, most: int = LABEL) -> str:
    """A token's text for a chart, its blanks visible, cut to what there is room for."""
    shown = text.translate(VISIBLE)
    shown = "·" + shown[1:] if shown[:1] == " " else shown
    # Plotly knows few entities: quotes stay as they are.
    return escape(shown if len(shown) <= most else f"{shown[: most - 1]}…", quote=False) or "∅"


def hover(moment: TreeMoment, node: int) -> str:
    """What is known of a node by now, line by line."""
    one, token = moment.round, moment.round.drafted[node]
    state = moment.state(node)
    depth = one.depths[node]
    position = one.target_cache.before + depth
    lines = [
        t("tree-hover-place", node=node, level=depth, position=position),
        t("tree-hover-confidence", confidence=chance(token.confidence), product=chance(product(one, node))),
    ]
    if state in ("accepted", "rejected"):
        p, q = chance(token.p_target), chance(token.p_draft)
        lines.append(t("tree-hover-test", q=q, p=p, u=uniform(token)))
        lines += _law_lines(token.law)
    lines.append(t(f"tree-state-{state}"))
    return "<br>".join(map(isolated, lines))


def _own_hover(moment: TreeMoment) -> str:
    one = moment.round
    place = t("tree-hover-own", position=one.target_cache.before + one.accepted + 1)
    return "<br>".join(map(isolated, [place, *_law_lines(one.last_law), t(f"tree-state-{one.ending}")]))


def _law_lines(law: LawRecord | None) -> list[str]:
    """The likeliest tokens under both laws."""
    if law is None:
        return []
    pairs = [
        t(
            "tree-hover-law",
            token=label(each.text, 20),
            p=chance(each.p_target),
            q=chance(each.p_draft),
        )
        for each in law.tokens
    ]
    return [t("tree-hover-laws"), *pairs]
