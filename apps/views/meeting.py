"""Speculation meets the gate: one workload plain and in rounds, in FP32, in BF16, and behind the gate."""

from collections.abc import Iterator, Sequence

import streamlit as st

from apps import machine, meeting_runs, partings
from apps.meeting_runs import Made
from apps.recordings import recording
from apps.registry import APPS
from apps.text import t
from apps.trace_files import open_trace, save_trace
from apps.widgets import (
    Choice,
    Controls,
    Number,
    Panel,
    Text,
    Try,
    chart,
    errors,
    facts,
    formula,
    notice,
    shown,
    strip,
    table,
    title,
)
from lab.decode.margingate.replay import ReplayVerifier
from lab.decode.speculative.making import DRAFTERS
from lab.decode.speculative.meeting import RUNS, MeetingSettings, start_meeting
from lab.decode.speculative.partings import Compared
from lab.decode.speculative.rounds import Speculation
from lab.decode.speculative.tales import TALES
from lab.errors import LabError
from lab.numerics.schedule import SplitK
from lab.records import Failure
from lab.round_records import MeetingRecord
from lab.traces import RunInfo, Trace

LANES = ("bf16-emulated", "bf16-invariant", "bf16-native")
CONTROLS = Controls(
    "meeting",
    Choice("drafter", DRAFTERS, initial=MeetingSettings.drafter, texts="speculate-draft"),
    Number("gamma", MeetingSettings.gamma, 0, 16),
    Number("prompts", 1, 1, len(TALES)),
    Number("length", 20, 2, 96),
    Number("batch", MeetingSettings.batch, 1, 8),
    Choice("lane", LANES),
    Text("split-k", MeetingSettings.arithmetic.split_k),
    Number("tau", MeetingSettings.tau, 0, 2, 1 / 64, format="%.6g"),
    Number("window", MeetingSettings.window, 1, 128),
    Number("pass-size", MeetingSettings.pass_size, 1, 128),
)


def opened() -> Trace | None:
    """A trace that the reader has opened; one of another kind is refused with a message."""
    with st.expander(t("meeting-open-title"), icon=":material/folder_open:"):
        st.markdown(t("meeting-open-text"))
        st.code("python -m lab gate speculate --out meeting.jsonl", language="bash", wrap_lines=True)
        return open_trace("meeting", "meeting")


def run_controls() -> None:
    with st.expander(t("meeting-controls"), icon=":material/tune:"):
        CONTROLS.row("drafter", "gamma")
        CONTROLS.row("prompts", "length", "batch")
        lane, _ = CONTROLS.row("lane", "tau")
        CONTROLS.row("window", "pass-size")
        if lane == "bf16-emulated":
            CONTROLS.draw("split-k")


def draw_runs(made: Sequence[Made]) -> None:
    """What has come of the runs: verdict, prompts × runs, one prompt in full, margins."""
    records = meeting_runs.met(made)
    st.caption(meeting_runs.told(made[0].settings))
    runs = list(dict.fromkeys(record.run for record in records))
    if len(runs) < len(RUNS):
        st.caption(t("meeting-runs-done", done=len(runs), all=len(RUNS)))
    for record in meeting_runs.all_records(made):
        if isinstance(record, Failure):
            errors.show(LabError(f"{record.request}: {record.error}", ""))
    sentence = partings.verdict(records)
    if sentence:
        st.markdown(sentence)
    if len(runs) > 1:
        compared_runs(made[0].settings, records)


def compared_runs(made: MeetingSettings, records: Sequence[MeetingRecord]) -> None:
    facts(partings.equal_facts(records))
    names = tuple(partings.requests(records))
    picker = Controls("meeting", Choice("prompt", names, initial=partings.most_telling(records)))
    st.subheader(t("meeting-matrix"), anchor=False)
    st.html(partings.matrix_html(records, picker.values["prompt"]))
    st.caption(t("meeting-matrix-legend"))
    st.subheader(t("meeting-texts-title"), anchor=False)
    request = picker.draw("prompt")
    text = next((prompt.text for prompt in made.prompts if prompt.name == request), "")
    st.caption(t("meeting-prompt-told", prompt=errors.literal(text)))
    for pair in partings.pairs_of(records, request):
        a_pair(pair)
    st.caption(t("meeting-texts-legend"))
    if any(record.run == "bf16" for record in records):
        st.subheader(t("meeting-margins-title"), anchor=False)
        figure = partings.margins_figure(records, made.tau)
        chart(figure, t("meeting-margins-alt"), height=400, key="meeting-margins")
        st.caption(t("meeting-margins-text"))
    st.subheader(t("meeting-cost"), anchor=False)
    st.html(partings.cost_html(records))
    st.caption(t("meeting-cost-text"))


def a_pair(pair: Compared) -> None:
    with st.container(border=True):
        for label, tokens in partings.strips(pair):
            strip(tokens, label)
        st.markdown(partings.place_told(pair))


def page() -> None:
    trace = opened()
    run_controls()
    with shown():
        made = meeting_runs.settings(CONTROLS.values)
        kept = trace or recording("meeting")

        def start() -> tuple[RunInfo, Iterator[Made]]:
            info, records = start_meeting(made, machine.loaded)
            return info, meeting_runs.by_step(made, records)

        panel: Panel[Made] = Panel(
            "meeting",
            inputs={**made.as_json(), "model": machine.model(), "device": machine.device()},
            start=start,
            total=made.total,
            draw=draw_runs,
            recorded=meeting_runs.finished(kept) if kept else None,
        )
        frame = partings.frame(meeting_runs.met(panel.records))
        if len(frame) and isinstance(panel.origin, RunInfo):
            with st.expander(t("meeting-table"), icon=":material/table:"):
                line = meeting_runs.command(panel.records[0].settings, machine.model(), machine.device())
                st.code(line, language="bash", wrap_lines=True)
                table(frame, "meeting", "meeting")
                save_trace("meeting", panel.origin, meeting_runs.all_records(panel.records), "meeting")
    notice(
        "meeting-notice-rows",
        "meeting-notice-margin",
        "meeting-notice-fp32",
        "meeting-notice-gate",
        "meeting-notice-cost",
    )
    CONTROLS.try_this(
        Try("meeting-try-zero", {"lane": "bf16-emulated", "split-k": "1:4,8:2", "gamma": 0}),
        Try("meeting-try-split", {"lane": "bf16-emulated", "gamma": 4, "split-k": "64:4"}),
        Try("meeting-try-invariant", {"lane": "bf16-invariant", "gamma": 4}),
    )
    formula(
        (r"S = \text{splits}(M), \qquad M = B \, (\gamma + 1)", SplitK.splits),
        (r"\text{one pass over } \gamma + 1 \text{ rows a request}", Speculation._verify),
        (r"i^{*} = \min \{\, i : x_i \neq y_i \,\}", Compared.parted.fget),  # type: ignore[attr-defined]
        (r"\text{commit up to the first mismatch, in FP32}", ReplayVerifier._judge),
    )


for style in ("gate.css", "meeting.css"):
    st.html(APPS / "style" / style)
title("meeting")
page()
