"""Same prompt, different neighbours: a prompt decoded alone and in a batch, token by token."""

from collections.abc import Sequence
from typing import cast

import streamlit as st

from apps import machine, pairs
from apps.pairs import Shown
from apps.recordings import recording
from apps.text import t
from apps.trace_files import open_trace, save_trace
from apps.widgets import (
    Choice,
    Controls,
    Number,
    Panel,
    Text,
    Toggle,
    Try,
    chart,
    errors,
    formula,
    notice,
    shown,
    strip,
    table,
    title,
)
from apps.widgets.live import Recording
from lab.decode.prompts import PROMPTS
from lab.decode.settings import SWITCHES, NeighbourSettings, neighbour_settings, start
from lab.errors import LabError
from lab.numerics.schedule import SplitK
from lab.numerics.weight import Weight
from lab.traces import RunInfo
from sims.flips import cannot_flip

LANES = ("bf16-emulated", "fp32", "bf16-invariant", "bf16-native")
CONTROLS = Controls(
    "neighbours",
    Choice("prompt", (*PROMPTS, "own")),
    Text("own-prompt", look="paragraph"),
    Choice("company", ("others", "copies", "own")),
    Text("own-company", look="paragraph"),
    Text("batches", "8"),
    Number("length", 48, 4, 128),
    Choice("lane", LANES),
    Toggle("linears", True),
    Toggle("attention", True),
    Toggle("norm", True),
    Text("split-k", "1:4,8:2"),
    Toggle("partials"),
    Toggle("forced"),
    Number("arrive", 0, 0, 8),
)


def controls() -> None:
    """Draw the controls; those of rarer use stand folded."""
    if CONTROLS.draw("prompt") == "own":
        CONTROLS.draw("own-prompt")
    lane, *_ = CONTROLS.row("lane", "batches", "length")
    with st.expander(t("neighbours-more"), icon=":material/tune:"):
        company, *_ = CONTROLS.row("company", "arrive")
        if company == "own":
            CONTROLS.draw("own-company")
        CONTROLS.draw("forced")
        if lane == "bf16-emulated":
            st.markdown(t("neighbours-schedule"))
            CONTROLS.row(*SWITCHES)
            CONTROLS.row("split-k", "partials")


def draw(records: Sequence[Shown]) -> None:
    for label, tokens in pairs.strips(records):
        strip(tokens, label)
    for sentence in pairs.verdicts(records):
        st.markdown(sentence)
    if failure := pairs.failure_of(records):
        errors.show(LabError(failure.error, ""))
    chart(pairs.figure(records), alt=t("neighbours-chart"), key="neighbours-chart")


def told(experiment: NeighbourSettings) -> str:
    """One line that says which experiment a recorded trace is."""
    return t(
        "neighbours-recorded",
        prompt=experiment.prompt,
        batches=", ".join(map(str, experiment.batches)),
        lane=experiment.arithmetic.lane,
        length=experiment.length,
    )


def page() -> None:
    controls()
    with st.expander(t("neighbours-trace"), icon=":material/folder_open:"):
        trace = open_trace("neighbours", "neighbours")
    values = CONTROLS.values
    recorded = trace or recording(f"neighbours-{values['prompt']}") or recording("neighbours-lighthouse")
    if recorded is not None:
        st.caption(told(neighbour_settings(recorded.info.settings)))
    with shown():
        experiment = pairs.settings(values)

        panel: Panel[Shown] = Panel(
            "neighbours",
            inputs={**experiment.as_json(), "model": machine.model(), "device": machine.device()},
            start=lambda: start(experiment, machine.loaded),
            total=experiment.length * (1 + len(experiment.batches)),
            draw=draw,
            recorded=cast("Recording[Shown] | None", recorded),  # a trace of this kind holds no others
        )
        notice("neighbours-notice-first", "neighbours-notice-margin", "neighbours-notice-delta")
        CONTROLS.try_this(
            Try("neighbours-try-fp32", {"lane": "fp32"}),
            Try("neighbours-try-copies", {"lane": "bf16-emulated", "company": "copies", "batches": "2, 8"}),
            Try("neighbours-try-forced", {"lane": "bf16-emulated", "forced": True, "batches": "2, 8, 32"}),
        )
        formula(
            (
                r"m = \ell_1 - \ell_2 > 2\varepsilon \;\Rightarrow\; \text{no flip}",
                cannot_flip,
            ),
            (r"S = \text{splits}(M)", SplitK.splits),
            (
                r"y = \operatorname{bf16}\!\Big(\sum_{s=1}^{S} \sum_{k \in K_s} x_k w_k\Big)",
                Weight.product,
            ),
        )
        if pairs.pairs_of(panel.records):
            table(pairs.frame(panel.records), "neighbours", "neighbours")
            if isinstance(panel.origin, RunInfo):
                save_trace("neighbours", panel.origin, pairs.pairs_of(panel.records), "neighbours")


title("neighbours")
page()
