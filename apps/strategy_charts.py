"""Figures of the page of determinism's cost: cost against determinism, and replay's gate on a grid."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from apps.strategy_table import PLAIN, costs_of, main_gates, sizes
from apps.text import t
from lab.decode.margingate.compare import increment, merged, summarise
from lab.records import StrategyRecord

GREY, VERMILION, PURPLE, BLUE = "#808080", "#D55E00", "#CC79A7", "#0072B2"
# One colour a family, one symbol a strategy. Open symbols verify nothing.
MARKS = {
    "bf16": (GREY, "circle-open"),
    "fp32": (GREY, "square-open"),
    "bf16-invariant": (GREY, "diamond-open"),
    "every-step": (VERMILION, "triangle-up"),
    "window-16": (VERMILION, "triangle-right"),
    "window-32": (VERMILION, "triangle-down"),
    "window-64": (VERMILION, "triangle-left"),
    "margingate": (PURPLE, "x"),
    "margingate-queued": (PURPLE, "cross"),
    "replay": (BLUE, "star"),
}
MEASURES = ("increment", "waste", "filling")
LABEL_GAP = 0.062  # of the chart's height between two names
PALE = [[0, "#E3F0F8"], [1, BLUE]]


def cost_figure(records: Sequence[StrategyRecord], batch: int) -> go.Figure:
    """Identical sequences (x, over all shapes) and ms a token more than BF16 alone (y, at `batch`).

    With one shape only, x is the share of sequences that are the reference's.
    """
    costs, several = costs_of(records), len(sizes(records)) > 1
    points = []
    for summary in summarise(main_gates(records)):
        cost = costs.get((summary.strategy, batch))
        if cost is not None and (cost.increment is not None or summary.strategy == PLAIN):
            share = summary.identical if several else summary.equal
            points.append((summary.strategy, 100 * share, cost.increment or 0.0))
    figure = go.Figure()
    heights = [y for _, _, y in points]
    low, high = min(heights, default=0), max(heights, default=1)
    room = (high - low or 1) * 0.12
    names_at = spread(heights, LABEL_GAP * (high - low + 2 * room))
    for (name, x, y), name_at in zip(points, names_at, strict=True):
        colour, symbol = MARKS.get(name, (GREY, "circle"))
        figure.add_scatter(
            x=[x],
            y=[y],
            name=name,
            mode="markers",
            marker={"color": colour, "symbol": symbol, "size": 12, "line": {"color": colour, "width": 2}},
            hovertemplate=f"{name}<br>%{{x:.1f}} %<br>%{{y:.2f}} ms<extra></extra>",
        )
        side = -1 if x > 50 else 1
        figure.add_annotation(
            x=x,
            y=y,
            text=name,
            ax=x + side * 6,
            ay=name_at,
            axref="x",
            ayref="y",
            xanchor="right" if side < 0 else "left",
            arrowhead=0,
            arrowwidth=1,
            arrowcolor=colour,
            standoff=7,
        )
    figure.update_layout(showlegend=False)
    axis = t("determinism-axis-identical" if several else "determinism-axis-equal")
    figure.update_xaxes(title=axis, range=[-2, 104], ticksuffix=" %")
    figure.update_yaxes(
        title=t("determinism-axis-increment"),
        range=[low - room, high + room],
        zeroline=True,
        ticksuffix=" ms",
    )
    return figure


def spread(values: Sequence[float], gap: float) -> list[float]:
    """The values moved apart, in their order, so that neighbours stand at least `gap` from each other.

    Each run of values that are too close is laid out around its own middle.
    """
    order = sorted(range(len(values)), key=values.__getitem__)
    runs: list[list[int]] = []
    for index in order:
        runs.append([index])
        while len(runs) > 1 and _start(runs[-1], values, gap) < _end(runs[-2], values, gap) + gap:
            runs[-2:] = [runs[-2] + runs[-1]]
    placed = list(values)
    for run in runs:
        start = _start(run, values, gap)
        for rank, index in enumerate(run):
            placed[index] = start + rank * gap
    return placed


def _start(run: Sequence[int], values: Sequence[float], gap: float) -> float:
    return sum(values[i] for i in run) / len(run) - (len(run) - 1) * gap / 2


def _end(run: Sequence[int], values: Sequence[float], gap: float) -> float:
    return _start(run, values, gap) + (len(run) - 1) * gap


def grid_of(records: Sequence[StrategyRecord]) -> list[StrategyRecord]:
    """Replay under every gate, at the batch size with most gates; empty where that is only one."""
    replays = [record for record in merged(records) if record.strategy == "replay"]
    by_batch: dict[tuple[bool, int], list[StrategyRecord]] = {}
    for record in replays:
        by_batch.setdefault((not record.emulated, record.batch), []).append(record)
    most = max(by_batch, key=lambda key: (len(by_batch[key]), key[0]), default=None)
    return by_batch[most] if most and len(by_batch[most]) > 1 else []


def pass_sizes(grid: Sequence[StrategyRecord]) -> list[int]:
    """Those with several gates, which make a picture; all of them where none has."""
    sizes = [record.pass_size for record in grid if record.pass_size is not None]
    return sorted({size for size in sizes if sizes.count(size) > 1} or set(sizes))


def plain_beside(grid: Sequence[StrategyRecord], records: Sequence[StrategyRecord]) -> StrategyRecord | None:
    """BF16 alone in real batches of the grid's size; None where it did not run, or the grid is emulated."""
    real = [r for r in records if r.strategy == PLAIN and r.batch == grid[0].batch and not r.emulated]
    return merged(real)[0] if real and not grid[0].emulated else None


def cheapest(
    grid: Sequence[StrategyRecord], plain: StrategyRecord | None
) -> tuple[StrategyRecord, float] | None:
    """The gate that adds least time, and its ms a token; None where times are not known."""
    if plain is None:
        return None
    best = min(grid, key=lambda record: increment(record, plain))
    return best, 1000 * increment(best, plain)


def measured(record: StrategyRecord, measure: str, plain: StrategyRecord | None) -> float | None:
    """One cell: ms a token over BF16 alone, per cent of tokens rolled back, or positions a pass."""
    if measure == "waste":
        return 100 * record.rolled_back / record.rows
    if measure == "filling":
        return record.verified / record.visits if record.visits else None
    return None if plain is None else 1000 * increment(record, plain)


def grid_figure(
    grid: Sequence[StrategyRecord], size: int, measure: str, plain: StrategyRecord | None
) -> go.Figure:
    """τ (x) by window (y) at one pass size; each cell has its value written in it."""
    own = {(r.tau, r.window): measured(r, measure, plain) for r in grid if r.pass_size == size}
    taus = sorted({tau for tau, _ in own}, key=lambda tau: -1 if tau is None else tau)
    windows = sorted({window for _, window in own}, key=lambda window: window or 10**9)
    values = [[own.get((tau, window)) for tau in taus] for window in windows]
    every = [measured(r, measure, plain) for r in grid]
    known = [value for value in every if value is not None]
    figure = go.Figure(
        go.Heatmap(
            z=values,
            x=[t("determinism-no-tau") if tau is None else f"{tau:g}" for tau in taus],
            y=[t("determinism-no-window") if window is None else str(window) for window in windows],
            zmin=min(known, default=0),
            zmax=max(known, default=1),
            colorscale=PALE,
            showscale=False,
            xgap=2,
            ygap=2,
            texttemplate="%{z:.3g}",
            textfont_size=13,
            hovertemplate="τ %{x}, w %{y}: %{z:.3g}<extra></extra>",
            hoverongaps=False,
        )
    )
    figure.update_xaxes(title="τ", type="category", showgrid=False)
    figure.update_yaxes(title=t("determinism-axis-window"), type="category", showgrid=False)
    return figure
