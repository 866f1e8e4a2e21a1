"""What the page of the last product shows of a recorded step: pictures, sentences, tables.

Plain functions of `sims.head` and `sims.flips`. Nothing here draws, or computes what `sims` does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise

import numpy as np
import pandas as pd  # type: ignore[import-untyped]
import plotly.graph_objects as go

from apps.text import n, t
from apps.widgets import AGREE, AGREE_MARKER, FLIP, FLIP_MARKER
from apps.widgets.tokens import VISIBLE
from sims.flips import grid_flip, simulate_margin, wilson_interval
from sims.formats import BF16
from sims.head import HeadRecording, RecordedStep
from sims.kernels import SplitTable
from sims.logits import LogitStep, logit_spacing
from sims.noise import DifferenceNoise, GaussianNoise, MeasuredDifferences, UniformNoise

GREY = "#8A9097"
MAX_BATCH = 64
BATCHES = tuple(range(1, MAX_BATCH + 1))
TICKS = (1, 2, 4, 8, 16, 32, 64)
DEFAULT_SPACING = 0.125  # of BF16 from 16 to 32, where most logits lie
MARGINS = np.arange(0, 97) / 128  # logits
SIMULATED = MARGINS[::12]
SAMPLES = 20_000
BINS = (0.0, 0.0625, 0.125, 0.25, 0.5, 1.0)


@dataclass(frozen=True)
class Watched:
    """A recorded step at every batch size; `now` is the chosen one, `alone` is M = 1."""

    step: RecordedStep
    table: SplitTable
    moments: tuple[LogitStep, ...]  # at BATCHES
    batch: int

    @property
    def now(self) -> LogitStep:
        return self.moments[self.batch - 1]

    @property
    def alone(self) -> LogitStep:
        return self.moments[0]

    @property
    def flipped(self) -> bool:
        return self.now.first != self.alone.first

    @property
    def spacing(self) -> float:
        """The BF16 grid at the largest logit alone."""
        return logit_spacing(float(self.alone.logits.max()), BF16)

    @property
    def leaders(self) -> list[int]:
        """Candidates that come first or second at some batch size, the one chosen alone first."""
        return list(dict.fromkeys(i for moment in self.moments for i in (moment.first, moment.second)))


def name(step: RecordedStep, candidate: int) -> str:
    """A token as text: a leading space as ·, line breaks visible."""
    text = step.texts[candidate].translate(VISIBLE)
    return f"·{text[1:]}" if text.startswith(" ") else text


def code(step: RecordedStep, candidate: int) -> str:
    """The token for a Markdown sentence."""
    return f"`{name(step, candidate).replace('`', 'ˋ')}`"


def verdict(watched: Watched) -> str:
    """Which token wins at this batch size and how, beside the one that wins alone."""
    step, now, alone = watched.step, watched.now, watched.alone
    told: dict[str, str | int] = {
        "batch": watched.batch,
        "splits": watched.table.splits(watched.batch),
        "first": code(step, now.first),
        "second": code(step, now.second),
        "logit": n(now.logits[now.first], "g"),
        "other": n(now.logits[now.second], "g"),
    }
    if now.tied:
        sentence = t("token-tied", id=str(step.ids[now.first]), other_id=str(step.ids[now.second]), **told)
    else:
        sentence = t("token-wins", margin=n(now.margin, "g"), **told)
    if watched.batch == 1:
        return sentence
    against = "token-flipped" if watched.flipped else "token-held"
    return f"{sentence} {t(against, alone=code(step, alone.first))}"


def line_figure(watched: Watched) -> go.Figure:
    """A number line a candidate: the sum in FP32, the BF16 logit it rounds to, and the logit alone."""
    step, now, alone = watched.step, watched.now, watched.alone
    every = np.array([moment.logits for moment in watched.moments])  # (M, V)
    low = min(every[:, watched.leaders].min(), now.accumulated[watched.leaders].min()) - 2 * watched.spacing
    high = every.max() + 2 * watched.spacing
    seen = [i for i in np.argsort(alone.logits, kind="stable") if every[:, i].max() > low]
    labels = {i: escape(f"{name(step, i)}  {step.ids[i]}") for i in seen}
    figure = go.Figure()
    for i in seen:
        figure.add_scatter(
            x=[now.accumulated[i], now.logits[i]],
            y=[labels[i]] * 2,
            mode="lines",
            line={"color": GREY, "width": 1.5},
            showlegend=False,
            hoverinfo="skip",
        )
    figure.add_scatter(
        x=[alone.logits[i] for i in seen],
        y=[labels[i] for i in seen],
        mode="markers",
        marker={"symbol": "line-ns-open", "size": 24, "color": GREY, "line": {"width": 2}},
        name=t("token-line-alone"),
    )
    figure.add_scatter(
        x=[now.accumulated[i] for i in seen],
        y=[labels[i] for i in seen],
        mode="markers",
        marker={"symbol": "x-thin-open", "size": 9, "color": GREY, "line": {"width": 2}},
        name=t("token-line-sum"),
    )
    others = [i for i in seen if i != now.first]
    figure.add_scatter(
        x=[now.logits[i] for i in others],
        y=[labels[i] for i in others],
        mode="markers",
        marker={"symbol": "circle-open", "size": 11, "color": AGREE, "line": {"width": 2}},
        name=t("token-line-logit"),
    )
    figure.add_scatter(
        x=[now.logits[now.first]],
        y=[labels[now.first]],
        mode="markers",
        marker={**(FLIP_MARKER if watched.flipped else AGREE_MARKER), "size": 14},
        name=t("token-line-flip" if watched.flipped else "token-line-chosen"),
    )
    figure.update_xaxes(
        title=t("token-logit"),
        range=[low, high],
        nticks=7,
        tickformat="~g",
        showgrid=False,
        minor={"dtick": watched.spacing, "tick0": 0, "showgrid": (high - low) / watched.spacing <= 64},
    )
    figure.update_yaxes(categoryorder="array", categoryarray=list(labels.values()), showgrid=False)
    return figure


def batch_figure(watched: Watched) -> go.Figure:
    """The leading candidates' logits at every batch size, and which token is chosen there."""
    step = watched.step
    figure = go.Figure()
    styles = (("solid", AGREE), ("dash", FLIP), ("dot", "#009E73"), ("dashdot", "#CC79A7"))
    for i, (dash, color) in zip(watched.leaders, styles, strict=False):
        figure.add_scatter(
            x=BATCHES,
            y=[moment.logits[i] for moment in watched.moments],
            mode="lines",
            line={"shape": "hv", "dash": dash, "color": color, "width": 2.5},
            name=escape(name(step, i)),
        )
    for flips, marker, label in ((False, AGREE_MARKER, "chosen"), (True, FLIP_MARKER, "flip")):
        at = [m for m in TICKS if (watched.moments[m - 1].first != watched.alone.first) is flips]
        if at:
            figure.add_scatter(
                x=at,
                y=[watched.moments[m - 1].logits[watched.moments[m - 1].first] for m in at],
                mode="markers",
                marker={**marker, "size": 11},
                name=t(f"token-line-{label}"),
            )
    logits = np.array([moment.logits for moment in watched.moments])[:, watched.leaders]
    low, high = logits.min() - watched.spacing, logits.max() + 2 * watched.spacing
    figure.add_scatter(
        x=[watched.batch] * 2,
        y=[low, high],
        mode="lines",
        line={"color": GREY, "dash": "dot", "width": 1.5},
        showlegend=False,
        hoverinfo="skip",
    )
    for first, last, splits in spans(watched.table):
        figure.add_scatter(
            x=[(first * last) ** 0.5],
            y=[high - watched.spacing / 2],
            mode="text",
            text=[f"S = {splits}"],
            showlegend=False,
            hoverinfo="skip",
        )
    figure.update_xaxes(title=t("token-batch-axis"), type="log", tickvals=TICKS, range=[-0.05, 1.85])
    figure.update_yaxes(
        title=t("token-logit"),
        range=[low, high],
        tickformat="~g",
        tick0=0,
        dtick=watched.spacing * max(1, round((high - low) / watched.spacing / 8)),
    )
    return figure


def spans(table: SplitTable) -> list[tuple[int, int, int]]:
    """(first M, last M, splits) of every stretch of batch sizes with one split count."""
    found: list[tuple[int, int, int]] = []
    for batch in BATCHES:
        splits = table.splits(batch)
        if found and found[-1][2] == splits:
            found[-1] = (found[-1][0], batch, splits)
        else:
            found.append((batch, batch, splits))
    return found


def frame(watched: Watched) -> pd.DataFrame:
    """A row for each batch size and candidate."""
    step = watched.step
    return pd.DataFrame(
        [
            {
                "batch": moment.batch,
                "splits": watched.table.splits(moment.batch),
                "id": step.ids[i],
                "token": step.texts[i],
                "sum": moment.accumulated[i],
                "logit": moment.logits[i],
                "chosen": i == moment.first,
            }
            for moment in watched.moments
            for i in range(len(step.ids))
        ]
    )


def noise(kind: str, size: float, recording: HeadRecording) -> DifferenceNoise:
    """The law of the perturbation: `size` is the standard deviation or the bound of one logit."""
    if kind == "measured":
        return MeasuredDifferences(recording.all_gains)
    return GaussianNoise(size) if kind == "gaussian" else UniformNoise(size)


@dataclass(frozen=True)
class FlipCurve:
    """P(flip) by formula at MARGINS and by Monte Carlo at SIMULATED, for both cases of the tie rule."""

    formula: dict[bool, list[float]]  # by whether the runner-up has the lower id
    simulated: dict[bool, list[tuple[int, int]]]  # flips, samples


def flip_curve(law: DifferenceNoise, on_grid: bool, seed: int) -> FlipCurve:
    """Both curves. Without a grid no tie has a chance, and the two cases are one."""
    if on_grid:
        exact = [grid_flip(float(margin), law, DEFAULT_SPACING) for margin in MARGINS]
        formula = {lower: [each.flip(lower) for each in exact] for lower in (True, False)}
    else:
        formula = {False: law.exceeds(MARGINS).tolist()}
    spacing = DEFAULT_SPACING if on_grid else None
    counts = [simulate_margin(float(margin), law, SAMPLES, seed, spacing) for margin in SIMULATED]
    simulated = {
        lower: [(count.swaps + count.ties * lower, count.samples) for count in counts] for lower in formula
    }
    return FlipCurve(formula, simulated)


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
            **_with_interval(curve.simulated[lower]),
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
                "formula": curve.formula[lower][12 * at],
                "simulated": hits / total,
                "low": wilson_interval(hits, total)[0],
                "high": wilson_interval(hits, total)[1],
            }
            for lower in curve.formula
            for at, (margin, (hits, total)) in enumerate(zip(SIMULATED, curve.simulated[lower], strict=True))
        ]
    )
