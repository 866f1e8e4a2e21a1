"""A moment of a tree's round as HTML: its nodes as a table, and the cache before, behind and after the pass.

They are tables and lists, so a screen reader reads them as a sighted reader does.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Literal

from apps.round_picture import column_html, row_of_phases, token_html
from apps.round_steps import Column, Fate, chance, uniform
from apps.text import n, t
from apps.tree_steps import PHASES, State, TreeMoment, path_of, product
from lab.decode.speculative.tree import ROOT
from lab.round_records import LawRecord, RoundRecord


def phases_html(moment: TreeMoment) -> str:
    return row_of_phases(PHASES, moment.phase, "tree-phase")


def table_html(moment: TreeMoment) -> str:
    """A row a node that has grown; what the laws were is folded into the row."""
    heads = ("node", "token", "level", "parent", "confidence", "product", "q", "p", "u", "verdict", "laws")
    head = "".join(f'<th scope="col">{escape(t(f"tree-head-{each}"))}</th>' for each in heads)
    body = "".join(_row(moment, node) for node in moment.nodes)
    if moment.own is not None:
        one = moment.round
        cells = ["", str(one.accepted + 1), *[""] * 6, escape(t(f"tree-state-{one.ending}"))]
        cells[0] = token_html(moment.own, "corrected" if one.ending == "correction" else one.ending)
        last = "".join(f"<td>{cell}</td>" for cell in [*cells, _laws_html(one.last_law)])
        body += f'<tr><th scope="row">{escape(t("tree-own"))}</th>{last}</tr>'
    caption = escape(t("tree-table-label", round=moment.round.round + 1))
    return (
        f'<div class="window nodes" dir="ltr" tabindex="0" role="group" aria-label="{caption}">'
        f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


MARKS: dict[State, str] = {"waiting": "plain"}


def _row(moment: TreeMoment, node: int) -> str:
    one, token, state = moment.round, moment.round.drafted[node], moment.state(node)
    parent = one.tree[node]
    tested = state in ("accepted", "rejected")
    cells = [
        token_html(token.text, MARKS.get(state, state)),
        n(one.depths[node], "d"),
        escape(t("tree-root")) if parent == ROOT else n(parent, "d"),
        chance(token.confidence),
        chance(product(one, node)),
        chance(token.p_draft),
        chance(token.p_target) if tested else "",
        uniform(token) if tested else "",
        "" if state == "waiting" else escape(t(f"tree-state-{state}")),
        _laws_html(token.law) if tested else "",
    ]
    body = "".join(f'<td><bdi dir="ltr">{cell}</bdi></td>' for cell in cells)
    return f'<tr><th scope="row">{n(node, "d")}</th>{body}</tr>'


def _laws_html(law: LawRecord | None) -> str:
    """Both laws at a node, folded: the likeliest tokens of either."""
    if law is None:
        return ""
    rows = "".join(
        f"<tr><td>{token_html(each.text, 'plain')}</td><td>{chance(each.p_target)}</td>"
        f"<td>{chance(each.p_draft)}</td></tr>"
        for each in law.tokens
    )
    heads = "".join(f'<th scope="col">{escape(t(f"tree-head-{name}"))}</th>' for name in ("token", "p", "q"))
    told = escape(t("tree-laws", tokens=len(law.tokens)))
    return (
        f"<details><summary>{told}</summary><table><thead><tr>{heads}</tr></thead>"
        f"<tbody>{rows}</tbody></table></details>"
    )


def caches_html(moment: TreeMoment) -> str:
    """The target's cache before the pass, behind it, and compacted: a box a slot, with where it came from."""
    one, before = moment.round, moment.round.target_cache.before
    texts = [moment.last, *(each.text for each in one.drafted)]
    slots = kept_slots(one)
    rows = [_cache("before", one.target_cache.before, before, [])]
    if moment.verified:
        fates: list[Fate] = ["kept" if at in slots else "trimmed" for at in range(len(texts))]
        filled = [
            column_html(Column(text, _kind(at), fates[at] if moment.emitted else "new"), n(before + at, "d"))
            for at, text in enumerate(texts)
        ]
        rows.append(_cache("full", one.target_cache.full, before, filled))
    if moment.compacted:
        moved = []
        for at, slot in enumerate(slots):
            source = t("tree-slot-from", slot=before + slot) if slot != at else ""
            moved.append(column_html(Column(texts[slot], _kind(slot), "kept"), n(before + at, "d"), source))
        rows.append(_cache("kept", one.target_cache.kept, before, moved))
    return f'<div class="caches">{"".join(rows)}</div>'


def _kind(slot: int) -> Literal["committed", "drafted"]:
    return "drafted" if slot else "committed"


def kept_slots(one: RoundRecord) -> list[int]:
    """Of the slots that the pass filled, counted from 0, those that stay: the last token's and the path's."""
    return [0, *(node + 1 for node in path_of(one))][: one.target_cache.kept - one.target_cache.before]


def _cache(name: str, length: int, before: int, boxes: Sequence[str]) -> str:
    old = escape(t("round-cache-before", positions=before))
    title, held = escape(t(f"tree-cache-{name}")), escape(t("tree-cache-slots", slots=length))
    return (
        f'<div class="cache slots"><h4>{title} <span>{held}</span></h4>'
        f'<ul dir="ltr"><li class="old"><bdi>{old}</bdi></li>{"".join(boxes)}</ul></div>'
    )
