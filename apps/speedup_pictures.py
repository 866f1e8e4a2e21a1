"""Pictures of the page of α, γ and c: curves against γ, maps over α and c, simulated rounds, lenience."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from apps.gains import Setting
from apps.measured import Series
from apps.text import t
from apps.widgets import AGREE, FLIP
from lab.round_records import MeasureRecord
from sims.leviathan import LENIENCES, TABLES_2_AND_4, Lenient
from sims.rounds import Rounds, accepted_law
from sims.speedup import expected_tokens, operations_factor, speedups, wasted_share, weight_bytes_per_token

GREY, GREEN, RED, PURPLE, PALE = "#808080", "#009E73", "#D55E00", "#CC79A7", "#E3F0F8"
CELLS = np.linspace(0, 1, 51)
"""Of both axes of a map."""
LOWEST, HIGHEST = -1, 3
"""Of a map's colours, as powers of two: half as fast to eight times."""
EVEN = (0 - LOWEST) / (HIGHEST - LOWEST)
"""Where no gain lies on that scale."""
GAINS = [[0, FLIP], [EVEN, "#FBEBCC"], [EVEN, PALE], [0.75, AGREE], [1, "#003D66"]]


def gain_figure(at: Setting, measured: Sequence[MeasureRecord]) -> go.Figure:
    """Speedup against γ; the chosen and the best γ, the oracle, no gain, and measured runs."""
    gammas = list(at.shown)
    figure = go.Figure()
    figure.add_hline(y=1, line={"color": GREY, "width": 1, "dash": "dash"})
    if not at.at_papers_v:
        papers = [expected_tokens(at.alpha, gamma) / (gamma * at.c + 1) for gamma in gammas]
        _line(figure, gammas, papers, t("speedup-line-paper"), GREY, "dot")
    if np.isfinite(at.oracle):
        _line(figure, gammas, [at.oracle] * len(gammas), t("speedup-line-oracle"), PURPLE, "dashdot")
    _line(figure, gammas, [at.gain(gamma) for gamma in gammas], t("speedup-line-gain"), AGREE)
    if at.best in at.shown:
        star = {"color": GREEN, "symbol": "star", "size": 15}
        _point(figure, at.best, at.gain(at.best), t("speedup-line-best"), star)
    ring = {"color": RED, "symbol": "circle-open", "size": 13, "line": {"width": 2.5, "color": RED}}
    _point(figure, at.gamma, at.gain(at.gamma), t("speedup-line-chosen"), ring)
    own = [run for run in measured if run.gamma in at.shown]
    if own:
        _measured(figure, own)
    figure.update_xaxes(title="γ", range=[-0.5, gammas[-1] + 0.5], dtick=4 if len(gammas) > 17 else 2)
    figure.update_yaxes(title=t("speedup-axis-gain"), rangemode="tozero", ticksuffix="×")
    return figure


def _measured(figure: go.Figure, runs: Sequence[MeasureRecord]) -> None:
    figure.add_scatter(
        x=[run.gamma for run in runs],
        y=[run.speedup for run in runs],
        error_y={
            "array": [run.speedup_high - run.speedup for run in runs],
            "arrayminus": [run.speedup - run.speedup_low for run in runs],
            "width": 3,
            "thickness": 1,
        },
        name=t("speedup-line-measured"),
        mode="markers",
        marker={"color": RED, "symbol": "x", "size": 8},
        text=[f"{run.draft}, {run.kind}, T={run.temperature:g}, α={run.alpha or 0:.2f}" for run in runs],
        hovertemplate="%{text}<br>γ=%{x}: %{y:.2f}×<extra></extra>",
    )


def balance_figure(at: Setting) -> go.Figure:
    """What a round gives and what it costs, against γ: a gain where the first line lies above the second."""
    gammas = list(at.shown)
    figure = go.Figure()
    _line(figure, gammas, [gamma + 1.0 for gamma in gammas], t("speedup-line-all"), GREY, "dot")
    _line(figure, gammas, [at.tokens(gamma) for gamma in gammas], t("speedup-line-tokens"), AGREE)
    _line(figure, gammas, [at.cost(gamma) for gamma in gammas], t("speedup-line-cost"), RED, "dash")
    top = 1.15 * max(*(at.tokens(gamma) for gamma in gammas), *(at.cost(gamma) for gamma in gammas))
    figure.add_vline(x=at.gamma, line={"color": GREY, "width": 1})
    figure.update_xaxes(title="γ", range=[-0.5, gammas[-1] + 0.5], dtick=4 if len(gammas) > 17 else 2)
    figure.update_yaxes(title=t("speedup-axis-balance"), range=[0, top])
    return figure


def map_figures(at: Setting, series: Sequence[Series]) -> tuple[go.Figure, go.Figure]:
    """Over c (x) and α (y): the speedup at the best γ of 1 or more with the line of no gain; that best γ."""
    every = speedups(CELLS, CELLS, at.v)  # (α, c, γ)
    gains = every[:, :, 1:].max(axis=2) if len(at.v) > 1 else every[:, :, 0]
    best = every.argmax(axis=2)
    powers = np.log2(gains)
    ticks = list(range(LOWEST, HIGHEST + 1))
    gain = go.Figure(
        go.Heatmap(
            z=powers.clip(LOWEST, HIGHEST),
            x=CELLS,
            y=CELLS,
            zmin=LOWEST,
            zmax=HIGHEST,
            colorscale=GAINS,
            customdata=gains,
            hovertemplate="α=%{y:.2f}, c=%{x:.2f}: %{customdata:.2f}×<extra></extra>",
            colorbar={"thickness": 10, "tickvals": ticks, "ticktext": [f"{2.0**k:g}×" for k in ticks]},
        )
    )
    gain.add_contour(
        z=powers,
        x=CELLS,
        y=CELLS,
        contours={"start": 0, "end": 0, "size": 1, "coloring": "none"},
        line={"color": "#1C2126", "width": 2.5},
        name=t("speedup-mark-even"),
        showscale=False,
        hoverinfo="skip",
    )
    top = 16
    gammas = go.Figure(
        go.Heatmap(
            z=best.clip(0, top),
            x=CELLS,
            y=CELLS,
            zmin=0,
            zmax=top,
            colorscale=[[0, "#FBEBCC"], [0.5 / top, "#FBEBCC"], [0.5 / top, PALE], [1, "#003D66"]],
            customdata=best,
            hovertemplate="α=%{y:.2f}, c=%{x:.2f}: γ=%{customdata}<extra></extra>",
            colorbar={
                "thickness": 10,
                "tickvals": [0, 4, 8, 12, top],
                "ticktext": ["0", "4", "8", "12", "≥16"],
            },
        )
    )
    for figure in (gain, gammas):
        _marks(figure, at, series)
    return gain, gammas


def _marks(figure: go.Figure, at: Setting, series: Sequence[Series]) -> None:
    """The paper's runs, this machine's, and where the dials stand."""
    figure.add_scatter(
        x=[row.c for row in TABLES_2_AND_4],
        y=[row.alpha for row in TABLES_2_AND_4],
        name=t("speedup-mark-paper"),
        mode="markers",
        marker={"color": "#1C2126", "symbol": "diamond-open", "size": 7},
        text=[f"{row.draft}, {row.task}, T={row.temperature}" for row in TABLES_2_AND_4],
        hovertemplate="%{text}<br>α=%{y:.2f}, c=%{x:.2f}<extra></extra>",
    )
    runs = [each.fastest for each in series]
    if runs:
        figure.add_scatter(
            x=[run.c for run in runs],
            y=[run.alpha for run in runs],
            name=t("speedup-mark-machine"),
            mode="markers",
            marker={"color": "#1C2126", "symbol": "x", "size": 8},
            text=[each.name for each in series],
            hovertemplate="%{text}<br>α=%{y:.2f}, c=%{x:.2f}<extra></extra>",
        )
    ring = {"color": RED, "symbol": "circle-open", "size": 15, "line": {"width": 3, "color": RED}}
    _point(figure, at.c, at.alpha, t("speedup-mark-here"), ring)
    figure.update_xaxes(title="c", range=[-0.01, 1.01], showgrid=False)
    figure.update_yaxes(title="α", range=[-0.01, 1.01], showgrid=False)


def price_figure(at: Setting, size: float) -> go.Figure:
    """Against γ, beside plain decoding: operations a token, weights read a token, positions thrown away."""
    gammas = list(at.shown)
    figure = go.Figure()
    figure.add_hline(y=1, line={"color": GREY, "width": 1, "dash": "dash"})
    operations = [operations_factor(at.alpha, gamma, size) for gamma in gammas]
    reads = [weight_bytes_per_token(at.alpha, gamma, 1.0, size) for gamma in gammas]
    wasted = [wasted_share(at.alpha, gamma) for gamma in gammas]
    _line(figure, gammas, operations, t("speedup-line-operations"), RED, "dash")
    _line(figure, gammas, reads, t("speedup-line-reads"), AGREE)
    _line(figure, gammas, wasted, t("speedup-line-wasted"), GREY, "dot")
    figure.add_vline(x=at.gamma, line={"color": GREY, "width": 1})
    figure.update_xaxes(title="γ", range=[-0.5, gammas[-1] + 0.5], dtick=4 if len(gammas) > 17 else 2)
    figure.update_yaxes(title=t("speedup-axis-price"), rangemode="tozero")
    return figure


def rounds_figure(rounds: Rounds, conditional: Sequence[float]) -> go.Figure:
    """Share of rounds by tokens emitted: simulated bars, the formula's points."""
    tokens = [str(count) for count in range(1, rounds.gamma + 2)]
    figure = go.Figure()
    figure.add_bar(
        x=tokens, y=rounds.counts / len(rounds.accepted), name=t("speedup-bar-simulated"), marker_color=AGREE
    )
    figure.add_scatter(
        x=tokens,
        y=accepted_law(conditional),
        name=t("speedup-bar-formula"),
        mode="markers",
        marker={"color": FLIP, "symbol": "diamond", "size": 9, "line": {"color": "#7A5200", "width": 1.5}},
    )
    figure.update_xaxes(title=t("speedup-axis-tokens"), type="category")
    figure.update_yaxes(title=t("speedup-axis-share"), tickformat=".0%", rangemode="tozero")
    return figure


def positions_figure(rounds: Rounds, alpha: float) -> go.Figure:
    """Acceptance by position in simulated rounds: given that it was reached, and of all rounds."""
    places = list(range(1, rounds.gamma + 1))
    figure = go.Figure()
    figure.add_hline(y=alpha, line={"color": GREY, "width": 1, "dash": "dash"})
    _line(figure, places, rounds.conditional, t("speedup-line-conditional"), AGREE)
    _line(figure, places, rounds.unconditional, t("speedup-line-unconditional"), RED, "dash")
    figure.update_xaxes(title=t("speedup-axis-position"), dtick=1 if rounds.gamma < 13 else 4)
    figure.update_yaxes(title=t("speedup-axis-accepted"), range=[0, 1.05])
    return figure


def lenience_figures(row: Lenient, at: Setting) -> tuple[go.Figure, go.Figure]:
    """By lenience: α split into what is exact and what is drift; the best speedup at these c and v."""
    names = [f"{lenience:g}" for lenience in LENIENCES]
    exact = row.alphas[0]
    alphas = go.Figure()
    alphas.add_bar(x=names, y=[exact] * len(names), name=t("speedup-bar-exact"), marker_color=AGREE)
    alphas.add_bar(
        x=names,
        y=[alpha - exact for alpha in row.alphas],
        name=t("speedup-bar-drift"),
        marker={"color": FLIP, "pattern": {"shape": "/"}},
    )
    alphas.update_layout(barmode="stack")
    alphas.update_yaxes(title="α", range=[0, 1])
    best = speedups(row.alphas, [at.c], at.v)[:, 0, :].max(axis=1)
    gains = go.Figure()
    gains.add_hline(y=1, line={"color": GREY, "width": 1, "dash": "dash"})
    gains.add_bar(
        x=names,
        y=best,
        marker_color=AGREE,
        texttemplate="%{y:.2f}×",
        textposition="outside",
        cliponaxis=False,
    )
    gains.update_yaxes(title=t("speedup-axis-gain"), ticksuffix="×", rangemode="tozero")
    for figure in (alphas, gains):
        figure.update_xaxes(title=t("speedup-axis-lenience"), type="category")
    return alphas, gains


def _line(
    figure: go.Figure,
    x: Sequence[int],
    y: Sequence[float] | NDArray[np.float64],
    name: str,
    colour: str,
    dash: str = "solid",
) -> None:
    figure.add_scatter(
        x=list(x),
        y=list(y),
        name=name,
        mode="lines+markers" if dash == "solid" else "lines",
        line={"color": colour, "dash": dash, "width": 2},
        marker_size=5,
        hovertemplate="%{x}: %{y:.3g}<extra></extra>",
    )


def _point(figure: go.Figure, x: float, y: float, name: str, marker: dict[str, object]) -> None:
    figure.add_scatter(x=[x], y=[y], name=name, mode="markers", marker=marker, hoverinfo="skip")
