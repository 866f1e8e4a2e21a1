"""What the page of the last product shows of a recorded step: pictures, sentences, tables.

Plain functions of `sims.head`. Nothing here draws, or computes what `sims` does not.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from math import ceil, log2

import numpy as np
import pandas as pd  # type: ignore[import-untyped]
import plotly.graph_objects as go

from apps.text import n, t
from apps.widgets import AGREE, AGREE_MARKER, FLIP, FLIP_MARKER
from apps.widgets.tokens import VISIBLE
from sims.formats import BF16
from sims.head import RecordedStep
from sims.kernels import SplitTable
from sims.logits import LogitStep, logit_spacing

GREY = "#8A9097"
GRID = "rgba(128, 136, 144, 0.4)"
MAX_BATCH = 64
BATCHES = tuple(range(1, MAX_BATCH + 1))
TICKS = (1, 2, 4, 8, 16, 32, 64)


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
        **_ticks(low, high, watched.spacing, 8),
        showgrid=True,
        gridcolor=GRID,
        minor={"dtick": watched.spacing, "tick0": 0, "showgrid": True, "gridcolor": GRID},
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
            name=escape(f"{name(step, i)}  {step.ids[i]}"),
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
    figure.update_xaxes(title=t("token-batch-axis"), type="log", tickvals=TICKS, range=[-0.12, 1.87])
    figure.update_yaxes(
        title=t("token-logit"),
        range=[low, high],
        **_ticks(low, high, watched.spacing, 8),
    )
    return figure


def _ticks(low: float, high: float, spacing: float, most: int) -> dict[str, object]:
    """Axis labels on points of the BF16 grid, at most about `most` of them."""
    every = 2 ** max(0, ceil(log2((high - low) / spacing / most)))
    return {"tick0": 0, "dtick": spacing * every, "tickformat": "~g"}


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
