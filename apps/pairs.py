"""What the page of neighbours shows of its records: strips, chart, sentences, table, as plain functions.

Records come in the order of `lab.decode.neighbours.compare`: the run alone, then the pairs of each batch
size; a recorded trace holds the pairs only. Nothing here draws.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd  # type: ignore[import-untyped]
import plotly.graph_objects as go

from apps.text import n, t
from apps.widgets import AGREE, FLIP_MARKER, Token
from lab.decode.neighbours import SUBJECT, PairSummary, summarise
from lab.decode.prompts import NEIGHBOURS, PROMPTS
from lab.decode.settings import SWITCHES, LaneSettings, NeighbourSettings
from lab.errors import LabError
from lab.records import Failure, PairRecord, TokenRecord

Shown = TokenRecord | PairRecord | Failure
MAX_BATCH = 64
MARGIN_TOP = 3.0  # of the chart: the margins that matter are small; larger ones run out of the picture
DASHES = ("solid", "dot", "dash", "dashdot", "longdash")


def settings(values: Mapping[str, Any]) -> NeighbourSettings:
    """The experiment that the controls describe. Raises LabError for batch sizes that cannot be read."""
    prompt = values["own-prompt"] if values["prompt"] == "own" else PROMPTS[values["prompt"]]
    company = {
        "others": NEIGHBOURS,
        "copies": (prompt,),
        "own": tuple(line.strip() for line in values["own-company"].splitlines() if line.strip()),
    }
    return NeighbourSettings(
        prompt=prompt,
        neighbours=company[values["company"]],
        batches=batch_sizes(values["batches"]),
        length=values["length"],
        teacher_forced=values["forced"],
        arrive_every=values["arrive"],
        arithmetic=LaneSettings(
            values["lane"],
            tuple(name for name in SWITCHES if values[name]),
            values["split-k"],
            values["partials"],
        ),
    )


def batch_sizes(typed: str) -> tuple[int, ...]:
    """Sizes from text such as `2, 8, 32`, in any digits. Raises LabError naming what is not a size."""
    words = [word for word in re.split(r"[\s,;،]+", typed) if word]
    bad = next((word for word in words if not word.isdecimal() or not 2 <= int(word) <= MAX_BATCH), None)
    if bad is not None or not 1 <= len(words) <= len(DASHES):
        raise LabError(
            f"{bad or typed!r} is no batch size." if bad else f"{len(words)} batch sizes are given.",
            f"Write up to {len(DASHES)} numbers from 2 to {MAX_BATCH}, such as 2, 8, 32.",
        )
    return tuple(dict.fromkeys(map(int, words)))


def pairs_of(records: Sequence[Shown]) -> list[PairRecord]:
    return [record for record in records if isinstance(record, PairRecord)]


def failure_of(records: Sequence[Shown]) -> Failure | None:
    return next((record for record in records if isinstance(record, Failure)), None)


def strips(records: Sequence[Shown]) -> list[tuple[str, list[Token]]]:
    """A labelled strip for the run alone and one for each batch size, each token with its mark and note."""
    alone = {record.index: record for record in _alone(records)}
    pairs = pairs_of(records)
    flipped = {pair.index for pair in pairs if pair.flipped}
    compared = {pair.index for pair in pairs if pair.max_delta is not None}
    shown = [
        (
            t("neighbours-alone"),
            [
                Token(
                    record.text,
                    "flip" if index in flipped else "agree" if index in compared else "plain",
                    t("neighbours-margin", margin=n(record.margin, ".3g")),
                )
                for index, record in sorted(alone.items())
            ],
        )
    ]
    for batch in dict.fromkeys(pair.batch for pair in pairs):
        tokens = [_beside(pair) for pair in pairs if pair.batch == batch]
        shown.append((t("neighbours-beside", batch=batch), tokens))
    return shown


def _alone(records: Sequence[Shown]) -> list[TokenRecord]:
    live = [record for record in records if isinstance(record, TokenRecord) and record.request == SUBJECT]
    return live or list({pair.index: pair.alone for pair in pairs_of(records)}.values())


def _beside(pair: PairRecord) -> Token:
    if pair.max_delta is None:
        return Token(pair.beside.text, "plain", t("neighbours-parted"))
    note = t("neighbours-delta", delta=n(pair.max_delta, ".3g"), margin=n(pair.alone.margin, ".3g"))
    return Token(pair.beside.text, "flip" if pair.flipped else "agree", note)


def verdicts(records: Sequence[Shown]) -> list[str]:
    """One sentence for each batch size: whether, where and by how much the two runs differ."""
    return [_verdict(summary) for summary in summarise(pairs_of(records))]


def _verdict(summary: PairSummary) -> str:
    first = summary.first_difference
    found: dict[str, str | int] = {
        "batch": summary.batch,
        "compared": summary.compared,
        "epsilon": n(summary.epsilon, ".3g"),
        "margin": n(summary.smallest_margin, ".3g"),
    }
    if first is None:
        same = "neighbours-same-bits" if summary.epsilon == 0 else "neighbours-same"
        return t(same, **found)
    return t("neighbours-differ", first=first, flips=summary.flips, **found)


def figure(records: Sequence[Shown]) -> go.Figure:
    """Bars: the margin of the run alone. Lines: max |Δlogit| of each batch size. Diamonds: flips."""
    alone, pairs = _alone(records), pairs_of(records)
    fig = go.Figure()
    fig.add_bar(
        x=[record.index for record in alone],
        y=[record.margin for record in alone],
        name=t("neighbours-chart-margin"),
        marker_color=AGREE,
        opacity=0.55,
    )
    for dash, batch in zip(DASHES, dict.fromkeys(pair.batch for pair in pairs), strict=False):
        own = [pair for pair in pairs if pair.batch == batch and pair.max_delta is not None]
        fig.add_scatter(
            x=[pair.index for pair in own],
            y=[pair.max_delta for pair in own],
            name=t("neighbours-chart-delta", batch=batch),
            mode="lines",
            line={"dash": dash, "width": 2, "color": "#D55E00"},
        )
    flips = [pair for pair in pairs if pair.flipped]
    if flips:
        fig.add_scatter(
            x=[pair.index for pair in flips],
            y=[pair.alone.margin for pair in flips],
            name=t("neighbours-chart-flip"),
            mode="markers",
            marker=FLIP_MARKER,
        )
    fig.update_xaxes(title=t("neighbours-chart-step"))
    fig.update_yaxes(title=t("neighbours-chart-logits"), range=[0, MARGIN_TOP])
    return fig


def frame(records: Sequence[Shown]) -> pd.DataFrame:
    """A row a pair: what the picture shows, in numbers."""
    return pd.DataFrame(
        [
            {
                "batch": pair.batch,
                "step": pair.index,
                "sequences": pair.beside.batch,
                "alone": pair.alone.text,
                "beside": pair.beside.text,
                "flip": pair.flipped,
                "max_delta": pair.max_delta,
                "alone_margin": pair.alone.margin,
                "beside_margin": pair.beside.margin,
                "alone_id": pair.alone.choice,
                "beside_id": pair.beside.choice,
            }
            for pair in pairs_of(records)
        ]
    )
