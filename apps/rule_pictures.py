"""Pictures of the rule: p against q at a token of a run, and what a rule's two parts add up to."""

from __future__ import annotations

import plotly.graph_objects as go

from apps.rule_positions import Bars
from apps.text import t
from apps.text.catalogue import isolated
from apps.widgets import AGREE, FLIP
from sims.acceptance import Law
from sims.mistakes import Parts

GREEN, RED = "#009E73", "#D55E00"
CROSSED = {"shape": "x", "fgcolor": "#7A5200", "size": 6, "fillmode": "overlay"}
STRIPED = {"shape": "/", "fgcolor": "#FFFFFF", "size": 6, "fillmode": "overlay"}
ROW = 46  # px of one token's three bars


def laws_figure(bars: Bars) -> go.Figure:
    """p, q and the residual p′, a group of bars a token, the likeliest at the top."""
    figure = go.Figure()
    traces = (
        ("p", bars.p, {"color": AGREE}),
        ("q", bars.q, {"color": GREEN, "pattern": STRIPED}),
        ("residual", bars.residual, {"color": FLIP, "pattern": CROSSED}),
    )
    places = list(range(len(bars.names)))
    for name, values, marker in (trace for trace in traces if trace[1]):
        figure.add_bar(
            x=values,
            y=places,
            orientation="h",
            marker=marker,
            name=t(f"rule-line-{name}"),
            hovertemplate="%{x:.4f}<extra></extra>",
        )
    figure.update_layout(barmode="group", bargroupgap=0.08)
    names = [isolated(name) for name in bars.names]
    figure.update_yaxes(
        tickvals=places, ticktext=names, range=[len(places) - 0.4, -0.6], showgrid=False, zeroline=False
    )
    figure.update_xaxes(title=t("rule-axis-probability"), range=[0, 1.02], zeroline=False)
    return figure


def height(bars: Bars) -> int:
    return 90 + ROW * len(bars.names)


def parts_figure(p: Law, q: Law, parts: Parts) -> go.Figure:
    """For each token what comes out, accepted drafts below corrections, beside p; q as marks."""
    names = letters(len(p))
    figure = go.Figure()
    figure.add_bar(
        x=names,
        y=parts.accepted,
        marker={"color": AGREE},
        name=t("rule-part-accepted"),
        hovertemplate="%{x}: %{y:.4f}<extra></extra>",
    )
    figure.add_bar(
        x=names,
        y=parts.corrected,
        marker={"color": FLIP, "pattern": CROSSED},
        name=t("rule-part-corrected"),
        hovertemplate="%{x}: %{y:.4f}<extra></extra>",
    )
    marks = (
        ("p", p, {"symbol": "line-ew", "size": 34, "line": {"width": 3, "color": RED}}),
        ("q", q, {"symbol": "circle-open", "size": 11, "color": GREEN, "line": {"width": 2}}),
    )
    for name, values, marker in marks:
        figure.add_scatter(
            x=names,
            y=values,
            mode="markers",
            marker=marker,
            name=t(f"rule-line-{name}"),
            hovertemplate="%{x}: %{y:.4f}<extra></extra>",
        )
    figure.update_layout(barmode="stack", legend={"traceorder": "normal"})
    figure.update_xaxes(title=t("rule-axis-token"), showgrid=False)
    top = max(float(parts.law.max()), float(p.max()), float(q.max()))
    figure.update_yaxes(title=t("rule-axis-probability"), range=[0, top * 1.08], zeroline=False)
    return figure


def letters(size: int) -> list[str]:
    """Names of the tokens of a small vocabulary."""
    return [chr(ord("A") + at) for at in range(size)]
