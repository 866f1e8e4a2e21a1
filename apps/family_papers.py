"""The papers' side of the family: a timeline of what each reports, its list of links, and all figures.

The figures are those of `sims.successors` and `sims.spec_bench`. The timeline runs from top to bottom, so
that it reads the same on a phone and in every language.
"""

from __future__ import annotations

from typing import get_args

import pandas as pd  # type: ignore[import-untyped]
import plotly.graph_objects as go

from apps.paper_tables import GREY
from apps.strategy_charts import spread
from apps.text import t
from apps.text.catalogue import LEFT_TO_RIGHT, POP
from sims.spec_bench import Board
from sims.successors import PAPERS, Kind, Paper

MARKS = {
    "chain": ("#0072B2", "circle"),
    "tree": ("#009E73", "diamond"),
    "trained": ("#D55E00", "square"),
    "matching": ("#CC79A7", "triangle-up"),
}
BENCH_MARK = {"color": GREY, "symbol": "diamond-open", "size": 10, "line": {"width": 2}}
ROW = 1.35
"""Months that two names keep between them."""


def months(paper: Paper) -> int:
    """Since the year 0."""
    year, month = map(int, paper.month.split("-"))
    return 12 * year + month - 1


def timeline_figure(board: Board) -> go.Figure:
    """Speedups (x) by month (y, later is lower): each paper's headline as a line, the board's as a diamond.

    A line without a lower end starts at 1. Rows that would touch are moved apart by a month or so.
    """
    figure = go.Figure()
    rows = dict(zip(PAPERS, spread([float(months(paper)) for paper in PAPERS], ROW), strict=True))
    for kind in get_args(Kind):
        own = [paper for paper in PAPERS if paper.kind == kind]
        colour, symbol = MARKS[kind]
        ends = [(paper.headline.low or 1, paper.headline.high, rows[paper]) for paper in own]
        figure.add_scatter(
            x=[x for low, high, _ in ends for x in (low, high, None)],
            y=[y for *_, row in ends for y in (row, row, None)],
            mode="lines",
            line={"color": colour, "width": 5},
            hoverinfo="skip",
            showlegend=False,
        )
        figure.add_scatter(
            x=[high for _, high, _ in ends],
            y=[row for *_, row in ends],
            mode="markers+text",
            name=t(f"family-kind-{kind}"),
            marker={"color": colour, "symbol": symbol, "size": 11},
            text=[f" {paper.name}" for paper in own],
            textposition="middle right",
            hovertext=[
                f"{paper.month} · {paper.name}: {paper.headline.told}<br>{paper.headline.conditions}"
                for paper in own
            ],
            hovertemplate="%{hovertext}<extra></extra>",
            cliponaxis=False,
        )
    found = [(entry, rows[paper]) for paper in PAPERS if (entry := board.entry(paper.bench))]
    figure.add_scatter(
        x=[entry.speedup for entry, _ in found],
        y=[row for _, row in found],
        mode="markers",
        name=t("family-mark-bench"),
        marker=BENCH_MARK,
        text=[entry.method for entry, _ in found],
        hovertemplate=f"%{{text}}: %{{x:.2f}}×<br>{board.machine} · {board.model}<extra></extra>",
    )
    years = range(int(PAPERS[0].month[:4]) + 1, int(PAPERS[-1].month[:4]) + 1)
    figure.update_xaxes(
        title=t("family-axis-speedup"), range=[0.9, 8.2], tickvals=[*range(1, 7)], ticksuffix="×"
    )
    figure.update_yaxes(
        range=[max(rows.values()) + ROW, min(rows.values()) - ROW],
        tickvals=[12 * year for year in years],
        ticktext=[str(year) for year in years],
        zeroline=False,
    )
    return figure


def listed() -> str:
    """The timeline in words: month, a link to the paper, its headline and what it brought."""
    return "\n".join(
        "- "
        + t(
            "family-paper-line",
            month=paper.month,
            paper=f"[{paper.name}]({paper.source})",
            claim=f"{LEFT_TO_RIGHT}{paper.headline.told}{POP}",
            told=t(f"family-paper-{paper.key}"),
        )
        for paper in PAPERS
    )


def claims_frame() -> pd.DataFrame:
    """Every figure, a row each, with what is told of its conditions."""
    return pd.DataFrame(
        [
            {
                "month": paper.month,
                "name": paper.name,
                "low": claim.low,
                "high": float(claim.high),
                "tokens": claim.tokens,
                "model": claim.model,
                "machine": claim.machine,
                "batch": claim.batch,
                "temperature": claim.temperature,
                "task": claim.task,
                "kind": paper.kind,
                "exact": paper.exact,
                "source": paper.source,
            }
            for paper in PAPERS
            for claim in paper.claims
        ]
    )


def span() -> dict[str, str]:
    """First and last month, for the words that name the chart."""
    first, last = PAPERS[0].month, PAPERS[-1].month
    return {"first": first, "last": last}
