"""P(flip) beside the recorded steps: curves, Monte Carlo and counts, for the page of the last product.

Plain functions of `sims.flips` and `sims.rounded_flips`. Nothing here draws.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pandas as pd  # type: ignore[import-untyped]
import plotly.graph_objects as go

from apps.text import t
from apps.widgets import AGREE, FLIP_MARKER
from sims.flips import simulate_margin, wilson_interval
from sims.head import HeadRecording
from sims.noise import DifferenceNoise, GaussianNoise, MeasuredDifferences, UniformNoise
from sims.rounded_flips import rounded_flip, simulate_rounded

GREY = "#8A9097"
DEFAULT_SPACING = 0.125  # of BF16 from 16 to 32, where most logits lie
MARGINS = np.arange(0, 97) / 128  # logits
THINNED = 12
SIMULATED = MARGINS[::THINNED]
SAMPLES = 20_000
BINS = (0.0, 0.0625, 0.125, 0.25, 0.5, 1.0)


def noise(kind: str, size: float, recording: HeadRecording) -> DifferenceNoise:
    """The law of the perturbation: `size` is the standard deviation or the bound of one logit."""
    if kind == "measured":
        return MeasuredDifferences(recording.all_gains)
    return GaussianNoise(size) if kind == "gaussian" else UniformNoise(size)


@dataclass(frozen=True)
class FlipCurve:
    """P(flip) by formula at MARGINS, and flips among SAMPLES draws at SIMULATED.

    By whether the runner-up has the lower id; without a grid no tie has a chance, and there is one case.
    """

    formula: dict[bool, list[float]]
    simulated: dict[bool, list[int]]


def flip_curve(law: DifferenceNoise, on_grid: bool, seed: int) -> FlipCurve:
    """Formula and Monte Carlo under this law, with both batch shapes rounded to the grid or with none."""
    if not on_grid:
        counts = [simulate_margin(float(margin), law, SAMPLES, seed).swaps for margin in SIMULATED]
        return FlipCurve({False: law.exceeds(MARGINS).tolist()}, {False: counts})
    grid = DEFAULT_SPACING
    return FlipCurve(
        {lower: [rounded_flip(float(m), law, grid, lower) for m in MARGINS] for lower in (True, False)},
        {
            lower: [simulate_rounded(float(m), law, grid, lower, SAMPLES, seed) for m in SIMULATED]
            for lower in (True, False)
        },
    )


def observed(recording: HeadRecording) -> pd.DataFrame:
    """Of the recorded steps, by margin: how many pairs (step, split count) there are and how many flipped."""
    rows = []
    for low, high in pairwise(BINS):
        inside = (recording.margins >= low) & (recording.margins < high)
        flips = sum(int(flipped[inside].sum()) for flipped in recording.flips.values())
        pairs = int(inside.sum()) * len(recording.flips)
        rows.append(
            {
                "from": low,
                "to": high,
                "margin": float(recording.margins[inside].mean()),
                "flips": flips,
                "pairs": pairs,
            }
        )
    return pd.DataFrame(rows)


def flip_figure(curve: FlipCurve, seen: pd.DataFrame, margin: float, bound: float | None) -> go.Figure:
    """P(flip) against the margin: formula, Monte Carlo, recorded steps. `bound`: 2ε, if there is one."""
    figure = go.Figure()
    looks = {True: ("solid", AGREE, "circle"), False: ("dash", "#009E73", "square")}
    for lower, values in curve.formula.items():
        dash, color, symbol = looks[lower]
        kind = ("lower" if lower else "higher") if len(curve.formula) == 2 else "plain"
        figure.add_scatter(
            x=MARGINS,
            y=values,
            mode="lines",
            line={"dash": dash, "color": color},
            name=t(f"token-flip-{kind}"),
        )
        figure.add_scatter(
            x=SIMULATED,
            **_with_interval([(flips, SAMPLES) for flips in curve.simulated[lower]]),
            mode="markers",
            marker={"symbol": f"{symbol}-open", "size": 8, "color": color},
            name=t("token-flip-simulated"),
            showlegend=lower or len(curve.formula) == 1,
        )
    figure.add_scatter(
        x=seen["margin"],
        **_with_interval(list(zip(seen["flips"], seen["pairs"], strict=True))),
        mode="markers",
        marker=FLIP_MARKER,
        name=t("token-flip-observed"),
    )
    for x, label in ((margin, t("token-flip-here")), (bound, "2ε")):
        if x is not None and x <= MARGINS[-1]:
            figure.add_scatter(
                x=[x, x],
                y=[0, 0.56],
                mode="lines+text",
                text=["", label],
                textposition="top center",
                line={"color": GREY, "dash": "dot"},
                showlegend=False,
                hoverinfo="skip",
            )
    figure.update_xaxes(title=t("token-flip-margin"), range=[-0.01, float(MARGINS[-1])], tickformat="~g")
    figure.update_yaxes(title="P(flip)", range=[0, 0.62], tickformat="~g")
    return figure


def _with_interval(counts: Sequence[tuple[int, int]]) -> dict[str, object]:
    """Shares with their 95 % Wilson intervals, as Plotly takes them."""
    share = [hits / total for hits, total in counts]
    ends = [wilson_interval(hits, total) for hits, total in counts]
    return {
        "y": share,
        "error_y": {
            "type": "data",
            "symmetric": False,
            "array": [high - y for y, (_, high) in zip(share, ends, strict=True)],
            "arrayminus": [y - low for y, (low, _) in zip(share, ends, strict=True)],
            "thickness": 1.2,
            "width": 3,
        },
    }


def flip_frame(curve: FlipCurve) -> pd.DataFrame:
    """A row for each simulated margin and case of the tie rule: formula beside Monte Carlo."""
    return pd.DataFrame(
        [
            {
                "margin": float(margin),
                "lower_id": lower,
                "formula": curve.formula[lower][THINNED * at],
                "simulated": flips / SAMPLES,
                "low": wilson_interval(flips, SAMPLES)[0],
                "high": wilson_interval(flips, SAMPLES)[1],
            }
            for lower in curve.formula
            for at, (margin, flips) in enumerate(zip(SIMULATED, curve.simulated[lower], strict=True))
        ]
    )
