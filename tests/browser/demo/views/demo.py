"""Every block of apps/widgets on one page."""

import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import SimpleNamespace

import pandas as pd
import plotly.graph_objects as go

from apps.text import t
from apps.widgets import (
    AGREE_MARKER,
    FLIP_MARKER,
    Choice,
    Controls,
    Number,
    Panel,
    Text,
    Toggle,
    Token,
    Try,
    chart,
    formula,
    notice,
    shown,
    strip,
    table,
    title,
)
from lab.errors import LabError

STORY = "Once upon a time , a small robot looked at the moon and <asked> why it was so far away .\n"


@dataclass(frozen=True)
class Record:
    token: str
    margin: float
    flip: bool


def geometric(ratio: float, terms: int) -> float:
    """1 + r + … + r^(n-1), the expected tokens of a round for r = α, n = γ + 1."""
    return sum(ratio**power for power in range(terms))


def records(count: int, seed: int, lane: str) -> Iterator[Record]:
    dice, words = random.Random(seed), STORY.split(" ")
    for index in range(count):
        margin = dice.expovariate(2)
        yield Record(f" {words[index % len(words)]}", margin, margin < 0.1 and lane != "fp32")


def origin(machine: str) -> SimpleNamespace:
    return SimpleNamespace(model="demo", machine=machine, date="2026-11-29T10:00:00+00:00", code="0.1.0")


def draw(shown_records: Sequence[Record]) -> None:
    for beside, label in ((False, t("demo-alone")), (True, t("demo-beside", count=7))):
        tokens = [
            Token(r.token, "flip" if r.flip and beside else "agree", f"Δ = {r.margin:.3f}")
            for r in shown_records
        ]
        strip(tokens, label)
    figure = go.Figure()
    for flip, marker, name in ((False, AGREE_MARKER, "agree"), (True, FLIP_MARKER, "flip")):
        steps = [i for i, r in enumerate(shown_records) if r.flip is flip]
        margins = [shown_records[i].margin for i in steps]
        figure.add_scatter(x=steps, y=margins, mode="markers", marker=marker, name=name)
    figure.update_xaxes(title="step").update_yaxes(title="margin")
    chart(figure, alt="Margin of every step; flips stand at small margins", key="demo-margins")


title("demo")
CONTROLS = Controls(
    "demo",
    Number("tokens", 24, 1, 96),
    Number("seed", 7, 0, 10**6, look="field"),
    Toggle("identical"),
    Text("prompt", "Tell me a story", look="paragraph"),
    Choice("story", ("moon", "sum")),
    Choice("lane", ("bf16-emulated", "fp32", "broken"), look="segments"),
)
CONTROLS.draw("prompt")
CONTROLS.row("tokens", "seed")
CONTROLS.row("story", "lane", "identical")
values = CONTROLS.values


def start() -> tuple[SimpleNamespace, Iterator[Record]]:
    if values["lane"] == "broken":
        raise LabError("The lane 'broken' does not exist.", "Choose fp32 or bf16-emulated.")

    def slowly() -> Iterator[Record]:
        for record in records(values["tokens"], values["seed"], values["lane"]):
            time.sleep(0.2)
            yield record

    return origin("this machine"), slowly()


panel = Panel(
    "demo",
    inputs=values,
    start=start,
    total=values["tokens"],
    draw=draw,
    recorded=SimpleNamespace(info=origin("another machine"), records=list(records(24, 7, "bf16-emulated"))),
)
notice("demo-notice-first", "demo-notice-second")
CONTROLS.try_this(Try("demo-try-long", {"tokens": 60}), Try("demo-try-fp32", {"lane": "fp32"}))
formula((r"1 + \alpha + \dots + \alpha^{\gamma} = \frac{1 - \alpha^{\gamma + 1}}{1 - \alpha}", geometric))
table(pd.DataFrame([vars(record) for record in panel.records]), "demo", "demo")
with shown(ValueError):
    if values["prompt"] == "bad":
        raise ValueError("'bad' is not a prompt. Type another one.")
