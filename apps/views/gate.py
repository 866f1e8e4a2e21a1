"""The gate: what a threshold would have caught in a recorded run, and what a run behind a gate keeps."""

from collections.abc import Iterator, Sequence
from functools import cache

import streamlit as st

from apps import gate_pictures, gated_run, gating, machine
from apps.gated_run import Made
from apps.papers import MARGINGATE, MARGINGATE_FIGURES
from apps.recordings import recording
from apps.registry import APPS
from apps.text import n, t
from apps.trace_files import open_trace, save_trace
from apps.widgets import (
    Choice,
    Controls,
    Number,
    Panel,
    Text,
    Try,
    banner,
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
from lab.decode.margingate.calibrate import Caught, clopper_pearson_upper
from lab.decode.margingate.settings import POLICIES, PROMPT_LANES, REFERENCES, REPAIRS, start_gate
from lab.decode.margingate.strategies import Gate
from lab.errors import LabError
from lab.records import Failure, PairRecord, StrategyRecord
from lab.traces import RunInfo, Trace
from sims.flips import cannot_flip

CONTROLS = Controls(
    "gate",
    Number("tau", 0.25, 0, 1, 1 / 64, format="%.6g"),
    Choice("prompt", ("",)),  # its options and the step's bounds are those of the trace
    Number("step", 0, 0, 10**6),
    Choice("policy", POLICIES, look="segments"),
    Number("live-tau", 0.25, 0, 4, 1 / 64, look="field", format="%.6g"),
    Choice("repair", REPAIRS),
    Choice("prompt-lane", PROMPT_LANES),
    Number("window", 0, 0, 128),
    Number("pass-size", 1, 1, 128),
    Number("length", 32, 4, 128),
    Number("prompts", 8, 1, 32),
    Choice("reference", REFERENCES),
    Text("split-k", "1:4,8:2"),
)


def opened() -> Trace | None:
    """A trace that the reader has opened, of either kind; another one is refused with a message."""
    with st.expander(t("gate-open-title"), icon=":material/folder_open:"):
        st.markdown(t("gate-open-text"))
        st.code(
            "python -m lab gate watch --prompts 8 --length 48 --out watch.jsonl",
            language="bash",
            wrap_lines=True,
        )
        return open_trace("gate", "watch", "gate")


@cache
def recorded_pairs() -> tuple[PairRecord, ...]:
    trace = recording("gate")
    return gating.pairs_of(trace) if trace else ()


@st.fragment
def watched(trace: Trace, pairs: tuple[PairRecord, ...], curve: list[Caught]) -> None:
    """The part that follows τ: lanes, meter, chart, and the step that the reader has chosen."""
    tau = CONTROLS.draw("tau")
    seen, steps = gating.caught(pairs, tau), gating.steps_at(pairs, tau)
    st.markdown(gating.verdict(seen))
    names = tuple(dict.fromkeys(step.request for step in steps))
    telling = gating.most_telling(pairs)
    last = max(pair.index for pair in pairs)
    picker = Controls(
        "gate",
        Choice("prompt", names, initial=telling.alone.request),
        Number("step", telling.index, 0, last),
    )
    if CONTROLS.values["step"] > last:  # of a longer trace
        st.session_state.update(dict(picker.keyed(step=last)))
    place, meter = st.container(), st.container()
    take_click(picker)
    with meter:
        facts(gating.meter(steps, seen))
    at = picker.values
    pair = gating.chosen(pairs, at["prompt"], at["step"])
    with place:
        figure = gate_pictures.lanes_figure(steps, pair)
        told = t("gate-lanes-alt", prompts=len(gate_pictures.requests(steps)), tau=n(tau, ".6g"))
        chart(figure, told, height=gate_pictures.height(steps), key="gate-lanes", on_select="rerun")
        if len(names) > gate_pictures.MOST_ROWS:
            st.caption(t("gate-lanes-cut", shown=gate_pictures.MOST_ROWS, prompts=len(names)))
    st.caption(paper())
    st.subheader(t("gate-step-title"), anchor=False)
    picker.row("prompt", "step")
    the_step(trace, next(step for step in steps if step.pair is pair))
    st.subheader(t("gate-curve-title"), anchor=False)
    figure = gate_pictures.rates_figure(curve, gating.observed(pairs), tau)
    chart(figure, t("gate-curve-alt"), height=380, key="gate-curve")
    st.markdown(gating.epsilon_told(pairs))


def take_click(picker: Controls) -> None:
    """A mark that was clicked since the last run sets the prompt and the step."""
    event = st.session_state.get("gate-lanes")
    found = gate_pictures.clicked(event)
    if found and found != st.session_state.get("gate-clicked"):
        st.session_state.update(dict(picker.keyed(prompt=found[0], step=found[1])))
    st.session_state["gate-clicked"] = found


def the_step(trace: Trace, step: gating.Step) -> None:
    text = gating.prompt_text(trace, step.request)
    if text:
        st.caption(t("gate-step-prompt", prompt=errors.literal(text)))
    st.markdown(gating.step_told(step))
    facts(gating.step_facts(step.pair))
    top = gating.top_frame(step.pair)
    headings = {column: t(f"gate-top-{column.replace('_', '-')}") for column in top.columns}
    digits = {
        headings[column]: st.column_config.NumberColumn(format="%.6g")
        for column in ("fast_logit", "reference_logit")
    }
    st.dataframe(top.rename(columns=headings), hide_index=True, column_config=digits, key="gate-top")


def paper() -> str:
    """The paper's trigger rate with its conditions, beside ours."""
    figure = MARGINGATE_FIGURES[0]
    return t("gate-paper", trigger=n(figure.trigger_percent, ".2f"), model=figure.model, url=MARGINGATE)


def run_controls() -> None:
    policy = CONTROLS.draw("policy")
    CONTROLS.row("live-tau", "prompts", "length")
    with st.expander(t("gate-more"), icon=":material/tune:"):
        if policy == "margingate":
            CONTROLS.row("repair", "prompt-lane")
        CONTROLS.row("window", "pass-size")
        CONTROLS.row("reference", "split-k")


def draw_run(made: Sequence[Made]) -> None:
    """The committed tokens of every request so far."""
    drawn = gated_run.strips(made)
    if not drawn:
        st.caption(t("gate-run-reference"))
        return
    facts(gated_run.run_facts(made))
    st.caption(t("gate-run-legend"))
    for label, tokens in drawn:
        strip(tokens, label)
    for sentence in gated_run.reasons(made):
        st.markdown(f"- {sentence}")
    for record in gated_run.all_records(made):
        if isinstance(record, Failure):
            errors.show(LabError(f"{record.request}: {record.error}", ""))


def gated(trace: Trace | None) -> None:
    """A run behind a gate: recorded at once, live on demand."""
    st.header(t("gate-run-title"), anchor=False)
    st.markdown(t("gate-run-text"))
    run_controls()
    with shown():
        made = gated_run.settings(CONTROLS.values)
        st.code(gated_run.command(made, machine.model(), machine.device()), language="bash", wrap_lines=True)
        kept = trace or recording(f"gate-run-{made.policy}")
        recorded = gated_run.finished(kept) if kept else None
        if recorded:
            st.caption(told(recorded))

        def start() -> tuple[RunInfo, Iterator[Made]]:
            info, records = start_gate(made, machine.loaded)
            return info, gated_run.by_step(made, records)

        panel: Panel[Made] = Panel(
            "gate",
            inputs={**made.as_json(), "model": machine.model(), "device": machine.device()},
            start=start,
            total=made.total,
            draw=draw_run,
            recorded=recorded,
        )
        if panel.records:
            frame = gated_run.frame(panel.records)
            if len(frame) and isinstance(panel.origin, RunInfo):
                with st.expander(t("gate-run-table"), icon=":material/table:"):
                    table(frame, "gate", "gate-run")
                    save_trace("gate", panel.origin, gated_run.all_records(panel.records), "gate-run")


def told(recorded: gated_run.Finished) -> str:
    made = recorded.records[0].settings
    return t(
        "gate-run-recorded",
        policy=made.policy,
        tau=n(made.tau, ".6g"),
        prompts=len(made.prompts),
        length=made.length,
        reference=made.reference,
    )


def policies() -> None:
    """Why a larger τ does not make the paper's repair exact, measured."""
    st.header(t("gate-why-title"), anchor=False)
    st.markdown(t("gate-why-text"))
    trace = recording("gate-taus")
    if trace:
        records = [r for r in trace.records if isinstance(r, StrategyRecord)]
        banner(trace.info, live=False)
        figure = gate_pictures.policies_figure(records)
        chart(figure, t("gate-why-alt"), height=440, key="gate-why")
        st.caption(t("gate-why-conditions", sequences=len(records[0].equal), batch=records[0].batch))


def page() -> None:
    trace = opened()
    with shown():
        seen = trace if trace and trace.info.kind == "watch" else recording("gate")
        if seen:
            pairs = gating.pairs_of(seen) if seen is trace else recorded_pairs()
            banner(seen.info, live=False)
            lanes = (pairs[0].beside.lane, pairs[0].alone.lane)
            st.caption(t("gate-recorded", fast=lanes[0], reference=lanes[1], batch=pairs[0].batch))
            watched(seen, pairs, gating.curve(pairs))
            with st.expander(t("gate-table"), icon=":material/table:"):
                table(gating.frame(pairs), "gate", "gate-watch")
                save_trace("gate", seen.info, pairs, "gate-watch")
    gated(trace if trace and trace.info.kind == "gate" else None)
    policies()
    notice("gate-notice-margins", "gate-notice-step", "gate-notice-drift")
    CONTROLS.try_this(
        Try("gate-try-small", {"tau": 1 / 64}),
        Try("gate-try-replay", {"policy": "replay", "live-tau": 0.25, "window": 32, "pass-size": 32}),
        Try("gate-try-flagged", {"policy": "margingate", "live-tau": 0.5, "repair": "flagged"}),
    )
    formula(
        (r"m = \ell_1 - \ell_2 > 2\varepsilon \;\Rightarrow\; \text{no flip}", cannot_flip),
        (r"\text{flagged} \iff m \le \tau", Gate.flags),
        (r"p_{0.95}:\; P(X \le k \mid N, p_{0.95}) = 0.05", clopper_pearson_upper),
    )


st.html(APPS / "style" / "gate.css")
title("gate")
page()
