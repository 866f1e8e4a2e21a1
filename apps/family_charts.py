"""Figures of the family's run: each method here, on Spec-Bench and in its paper, on one axis of speedups."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from apps.family_papers import BENCH_MARK
from apps.family_table import BESIDE, Beside, method_name
from apps.paper_tables import GREY
from apps.text import t
from apps.text.catalogue import isolated
from apps.widgets import AGREE
from lab.round_records import FamilyRecord
from sims.spec_bench import Board

ORANGE = "#E69F00"


def run_figure(records: Sequence[FamilyRecord], board: Board) -> go.Figure:
    """A row a method, as they ran: measured here, tokens a pass, the paper's range, the board's figure."""
    shown = records[::-1]
    names = [isolated(method_name(record.method)) for record in shown]
    besides = [BESIDE.get(record.method, Beside()) for record in shown]
    figure = go.Figure()
    figures = [(name, beside.figure) for name, beside in zip(names, besides, strict=True) if beside.figure]
    figure.add_scatter(
        x=[x for _, claim in figures for x in (claim.low or 1, claim.high, None)],
        y=[y for name, _ in figures for y in (name, name, None)],
        mode="lines+markers",
        name=t("family-mark-paper"),
        line={"color": ORANGE, "width": 5},
        marker={"color": ORANGE, "symbol": "line-ns-open", "size": 9, "line": {"width": 3}},
        hovertemplate="%{y}: %{x:.2f}×<extra></extra>",
    )
    found = [(name, entry) for name, b in zip(names, besides, strict=True) if (entry := b.entry(board))]
    figure.add_scatter(
        x=[entry.speedup for _, entry in found],
        y=[name for name, _ in found],
        mode="markers",
        name=t("family-mark-bench"),
        marker=BENCH_MARK,
        hovertemplate="%{y}: %{x:.2f}×<extra></extra>",
    )
    figure.add_scatter(
        x=[record.tokens_per_pass for record in shown],
        y=names,
        mode="markers",
        name=t("family-mark-tokens"),
        marker={"color": GREY, "symbol": "line-ns-open", "size": 12, "line": {"width": 2}},
        hovertemplate="%{y}: %{x:.2f}<extra></extra>",
    )
    figure.add_scatter(
        x=[record.speedup for record in shown],
        y=names,
        mode="markers",
        name=t("family-mark-here"),
        marker={"color": AGREE, "symbol": "circle", "size": 11},
        hovertemplate="%{y}: %{x:.2f}×<extra></extra>",
    )
    figure.add_vline(x=1, line={"color": GREY, "dash": "dash", "width": 1})
    figure.update_xaxes(title=t("family-axis-speedup"), rangemode="tozero", ticksuffix="×")
    figure.update_yaxes(type="category", categoryorder="array", categoryarray=names)
    return figure
