"""When does a neighbour change my answer? The flip study as a map of prompts and batch sizes."""

from collections.abc import Sequence
from typing import cast

import streamlit as st

from apps import flip_pictures, flip_study, machine
from apps.flip_study import Shown
from apps.recordings import recording
from apps.text import n, t
from apps.trace_files import open_trace, save_trace
from apps.widgets import (
    Choice,
    Controls,
    Number,
    Panel,
    Several,
    Text,
    Toggle,
    Try,
    chart,
    errors,
    facts,
    formula,
    notice,
    shown,
    table,
    title,
)
from apps.widgets.live import Recording
from lab.decode.margingate.settings import REFERENCES, FlipSettings, start_flips
from lab.decode.prompt_set import KINDS, built_in
from lab.errors import LabError
from lab.numerics.schedule import Schedule
from lab.records import FlipRecord
from lab.traces import RunInfo
from sims.flips import cannot_flip

LANES = ("bf16-emulated", "fp32", "bf16-invariant", "bf16-native")
MAP = "flips-map"
CONTROLS = Controls(
    "flips",
    Choice("set", ("built-in", "own")),
    Text("own", look="paragraph", limit=8000),
    Number("prompts", 8, 4, flip_study.MAX_PROMPTS, step=4),
    Several("kinds", KINDS, KINDS),
    Text("batches", "2, 8, 32"),
    Number("length", 16, 4, 64),
    Choice("base", REFERENCES[::-1]),
    Toggle("attribute"),
    Text("split-k", "1:4,8:2"),
    Choice("lane", LANES),
    Choice("count", ("forced", "first"), look="segments"),
)


def controls() -> None:
    """Draw the controls; those of rarer use stand folded."""
    CONTROLS.row("prompts", "length", "batches")
    with st.expander(t("flips-more"), icon=":material/tune:"):
        chosen, _ = CONTROLS.row("set", "base")
        if chosen == "own":
            CONTROLS.draw("own")
        else:
            CONTROLS.draw("kinds")
        lane, *_ = CONTROLS.row("lane", "split-k") if _emulated() else [CONTROLS.draw("lane")]
        if lane == "bf16-emulated":
            CONTROLS.draw("attribute")


def _emulated() -> bool:
    return bool(CONTROLS.values["lane"] == "bf16-emulated")


def draw(records: Sequence[Shown]) -> None:
    """The verdict; during a run, what comes. The rest of the page waits for the end."""
    st.markdown(flip_study.verdict(records))
    for failure in flip_study.failures_of(records):
        errors.show(LabError(f"{failure.request}: {failure.error}", ""))


def the_cell(cells: Sequence[FlipRecord]) -> FlipRecord:
    """The prompt and the batch size that are looked at: chosen here, or by a click on the map above."""
    rows, columns = flip_study.names(cells), tuple(map(str, flip_study.batches(cells)))
    first = flip_study.telling(cells)
    cell = Controls(
        "flips", Choice("at-prompt", rows, first.prompt), Choice("at-batch", columns, str(first.batch))
    )
    _take_click(cell)
    st.caption(t(f"flips-map-key-{_counting()}"))
    place = st.container()
    prompt, batch = cell.row("at-prompt", "at-batch")
    chosen = next((c for c in cells if (c.prompt, str(c.batch)) == (prompt, batch)), first)
    with place:
        chart(
            flip_pictures.heat_map(cells, _counting(), chosen),
            t("flips-map-alt"),
            height=flip_pictures.map_height(cells),
            key=MAP,
            on_select="rerun",
        )
    return chosen


def _take_click(cell: Controls) -> None:
    """Put a cell that was clicked since the last run into the address, before its controls are drawn."""
    points = st.session_state.get(MAP, {}).get("selection", {}).get("points", [])
    clicked = tuple(points[0]["customdata"]) if points else None
    if clicked and clicked != st.session_state.get(f"{MAP}-seen"):
        prompt, batch = clicked
        st.session_state.update(cell.keyed(**{"at-prompt": prompt, "at-batch": str(batch)}))
    st.session_state[f"{MAP}-seen"] = clicked


def _counting() -> flip_study.Counting:
    return cast("flip_study.Counting", CONTROLS.values["count"])


def closely(cell: FlipRecord) -> None:
    """Both texts of one cell, and every step of it."""
    st.subheader(t("flips-cell", prompt=cell.prompt, batch=cell.batch), anchor=False)
    asked = {prompt.name: prompt.text for prompt in built_in()}.get(cell.prompt)
    if asked:
        st.caption(t("flips-cell-prompt", text=errors.literal(asked)))
    if cell.first is None:
        st.markdown(t("flips-cell-same", steps=len(cell.tokens)))
    else:
        margin = n(cell.base_margins[cell.first], ".3g")
        st.markdown(t("flips-cell-parts", step=cell.first, margin=margin))
    spoken = t("flips-cell-word")
    texts = (
        (t("flips-cell-base"), flip_study.part(cell.base_text, cell.text)),
        (t("flips-cell-beside", batch=cell.batch), flip_study.part(cell.text, cell.base_text)),
    )
    for column, (label, text) in zip(st.columns(2), texts, strict=True):
        column.html(flip_pictures.text_html(label, text, spoken))
    chart(
        flip_pictures.steps_figure(cell, _counting()),
        t("flips-steps-alt", prompt=cell.prompt, batch=cell.batch),
        height=260,
        key="flips-steps",
    )


def findings(records: Sequence[Shown], cells: Sequence[FlipRecord]) -> None:
    """What the whole study says: N(Δ), K and V, operators."""
    counting = _counting()
    st.subheader(t("flips-near"), anchor=False)
    st.markdown(t("flips-near-told"))
    chart(flip_pictures.near_figure(cells, counting), t("flips-near-alt"), height=280, key="flips-near")
    st.subheader(t("flips-layers"), anchor=False)
    st.markdown(f"{t('flips-layers-told')} {flip_study.slope_told(cells)} {t('flips-slope-paper')}")
    chart(flip_pictures.layers_figure(cells), t("flips-layers-alt"), height=280, key="flips-layers")
    found = flip_study.by_operator(records, counting)
    if found:
        st.subheader(t("flips-operators"), anchor=False)
        batch = flip_study.attribution_of(records)[0].batch
        st.markdown(t("flips-operators-told", batch=batch))
        chart(
            flip_pictures.operators_figure(found),
            t("flips-operators-alt", batch=batch),
            height=240,
            key="flips-operators",
        )
        if "norm" in found and found["norm"].flips == 0:
            st.markdown(t("flips-operators-norm", batch=batch))
        if "attention" in found and found["attention"].epsilon == 0:
            st.markdown(t("flips-operators-attention", batch=batch))


def offer(panel: Panel[Shown], study: FlipSettings) -> None:
    """The trace to keep, and the command line that makes the same study."""
    if isinstance(panel.origin, RunInfo):
        kept = [record for record in panel.records if isinstance(record, FlipRecord)]
        save_trace("flips", panel.origin, kept, "flips")
    st.markdown(t("flips-command"))
    line = flip_study.command(study, machine.model())
    st.code(line, language="bash", wrap_lines=True)
    if "--file" in line:
        st.download_button(
            t("flips-prompts-file"),
            flip_study.prompt_file(study),
            "prompts.jsonl",
            "application/jsonl",
            on_click="ignore",
        )


def page() -> None:
    controls()
    with st.expander(t("flips-trace"), icon=":material/folder_open:"):
        trace = open_trace("flips", "flips")
    recorded = trace or recording("flips")
    if recorded is not None:
        st.caption(flip_study.told(recorded.info, cast("Sequence[Shown]", recorded.records)))
    with shown():
        study = flip_study.settings(CONTROLS.values)
        panel: Panel[Shown] = Panel(
            "flips",
            inputs={**study.as_json(), "model": machine.model(), "device": machine.device()},
            start=lambda: start_flips(study, machine.loaded),
            total=study.total,
            draw=draw,
            recorded=cast("Recording[Shown] | None", recorded),  # a trace of this kind holds no others
        )
        cells = flip_study.cells_of(panel.records)
        if cells and not panel.running:
            CONTROLS.draw("count")
            facts(flip_study.facts(cells, _counting()))
            closely(the_cell(cells))
            findings(panel.records, cells)
        notice("flips-notice-margin", "flips-notice-first", "flips-notice-batch")
        CONTROLS.try_this(
            Try("flips-try-first", {"count": "first"}),
            Try("flips-try-invariant", {"lane": "bf16-invariant"}),
            Try("flips-try-split", {"lane": "bf16-emulated", "split-k": "64:4"}),
        )
        formula(
            (r"\frac{\text{flips}}{\text{steps}}", flip_study.count),
            (r"m = \ell_1 - \ell_2 > 2\varepsilon \;\Rightarrow\; \text{no flip}", cannot_flip),
            (
                r"N(\Delta) = \#\{\,j : \ell_1 - \ell_j \le \Delta\,\}",
                flip_study.near_means,
            ),
            (r"\lVert k' - k \rVert / \lVert k \rVert \approx a + b\,t", flip_study.slope),
            (r"\text{one operator at batch } M \text{, the others at } 1", Schedule.pinned_for),
        )
        if cells and not panel.running:
            table(flip_study.frame(panel.records), "flips", "flips")
        offer(panel, study)


title("flips")
page()
