"""Tokens a pass against nodes verified, by form of the tree, and what the pass over so many nodes takes.

All of it was recorded by `python -m lab record tree`; nothing is computed here but means.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd  # type: ignore[import-untyped]
import plotly.graph_objects as go

from apps.measured import curve
from apps.text import t
from apps.widgets import AGREE, FLIP
from lab.decode.speculative.family import SERIAL
from lab.round_records import FamilyRecord, PassTimeRecord

FORMS: dict[str, dict[str, object]] = {
    "chain": {"color": "#808080", "symbol": "circle-open", "line": {"width": 2}},
    "k-ary": {"color": FLIP, "symbol": "diamond", "line": {"color": "#7A5200", "width": 1.5}},
    "dynamic": {"color": AGREE, "symbol": "square"},
}
"""The marks of the forms, in the order of the legend."""
DASHES = {"chain": "dot", "k-ary": "dash", "dynamic": "solid"}


@dataclass(frozen=True)
class Size:
    """One tree on all prompts, pooled."""

    form: str
    shape: str
    nodes: float
    """Verified in a pass, on average."""
    tokens: float
    """Emitted a pass, on average."""
    passes: int
    same: bool
    """Whether every text is that of plain decoding."""


def sizes(records: Sequence[Any]) -> list[Size]:
    """By form, then by nodes. Sums over prompts first, then one division."""
    groups: dict[str, list[FamilyRecord]] = {}
    for record in records:
        if isinstance(record, FamilyRecord) and record.method != SERIAL:
            groups.setdefault(record.method, []).append(record)
    found = []
    for method, own in groups.items():
        passes = sum(record.passes for record in own)
        found.append(
            Size(
                form=method.split()[0],
                shape=own[0].shape,
                nodes=sum(record.drafted for record in own) / passes,
                tokens=sum(len(record.tokens) - 1 for record in own) / passes,
                passes=passes,
                same=all(record.same_as_plain for record in own),
            )
        )
    return sorted(found, key=lambda size: (list(FORMS).index(size.form), size.nodes))


def times(records: Sequence[Any]) -> tuple[float, ...]:
    """v: a pass over a tree of 0, 1, … nodes ÷ one over the last token alone; empty where none was timed."""
    return curve([record for record in records if isinstance(record, PassTimeRecord)])


def tokens_figure(found: Sequence[Size]) -> go.Figure:
    """A line a form; all nodes accepted as the border that no tree passes."""
    figure = go.Figure()
    for form, marker in FORMS.items():
        own = [size for size in found if size.form == form]
        figure.add_scatter(
            x=[size.nodes for size in own],
            y=[size.tokens for size in own],
            mode="lines+markers",
            name=t(f"tree-shape-{form}"),
            line={"color": marker["color"], "dash": DASHES[form], "width": 2},
            marker={"size": 10, **marker},
            text=[size.shape for size in own],
            hovertemplate="%{text}<br>%{x:.1f}: %{y:.2f}<extra></extra>",
        )
    figure.update_xaxes(title=t("tree-axis-nodes"), rangemode="tozero")
    figure.update_yaxes(title=t("tree-axis-tokens"), rangemode="tozero")
    return figure


def times_figure(v: Sequence[float], found: Sequence[Size]) -> go.Figure:
    """v against nodes, with the tokens that the best tree of that size or less gives: a gain needs more."""
    figure = go.Figure()
    figure.add_scatter(
        x=list(range(len(v))),
        y=list(v),
        mode="lines",
        name=t("tree-line-v"),
        line={"color": "#D55E00", "width": 2},
        hovertemplate="%{x}: %{y:.2f}<extra></extra>",
    )
    best: list[Size] = []
    for size in sorted(found, key=lambda each: each.nodes):
        if not best or size.tokens > best[-1].tokens:
            best.append(size)
    figure.add_scatter(
        x=[size.nodes for size in best],
        y=[size.tokens for size in best],
        mode="lines+markers",
        name=t("tree-line-best"),
        line={"color": AGREE, "width": 2, "dash": "dash"},
        text=[size.shape for size in best],
        hovertemplate="%{text}<br>%{x:.1f}: %{y:.2f}<extra></extra>",
    )
    figure.update_xaxes(title=t("tree-axis-nodes"), rangemode="tozero")
    figure.update_yaxes(title=t("tree-axis-both"), rangemode="tozero")
    return figure


def frame(found: Sequence[Size], v: Sequence[float]) -> pd.DataFrame:
    """A row a tree."""
    rows = [
        {
            "form": size.form,
            "shape": size.shape,
            "nodes": size.nodes,
            "tokens": size.tokens,
            "passes": size.passes,
            "v": v[round(size.nodes)] if round(size.nodes) < len(v) else None,
            "same": size.same,
        }
        for size in found
    ]
    return pd.DataFrame(rows)
