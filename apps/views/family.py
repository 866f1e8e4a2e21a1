"""The family, side by side: one prompt through every method, beside the papers' figures and Spec-Bench's."""

from collections.abc import Iterator, Sequence

import streamlit as st

from apps import family_boards, family_charts, family_papers, family_run, family_table, family_texts, machine
from apps.family_run import DRAFTING, Made
from apps.recordings import recording
from apps.registry import APPS
from apps.speculative_run import PROMPTS, shortened
from apps.text import t
from apps.trace_files import open_trace, save_trace
from apps.widgets import (
    Choice,
    Controls,
    Number,
    Panel,
    Several,
    Text,
    Try,
    chart,
    formula,
    notice,
    shown,
    strip,
    table,
    title,
)
from lab.decode.speculative.family import FamilySettings, start_family
from lab.decode.speculative.tales import TALES
from lab.decode.speculative.walks import MultiStep
from lab.round_records import FamilyRecord
from lab.traces import RunInfo, Trace
from sims import spec_bench
from sims.spec_bench import BOARDS, TASKS
from sims.speedup import speedup

BOARD_KEYS = tuple(board.key for board in BOARDS)
BESIDE_BOARD = BOARDS[0]
REPEAT = (
    "Repeat this sentence, word for word: The lighthouse keeper counted the ships that passed in the fog "
    "and wrote their names in a blue book."
)
CONTROLS = Controls(
    "family",
    Choice("run-prompt", tuple(PROMPTS), initial=TALES[0].name),
    Text("run-own"),
    Several("run-methods", DRAFTING, initial=DRAFTING, texts="family-method"),
    Number("run-temperature", 0.0, 0, 2, 0.1),
    Number("run-length", FamilySettings.length, 8, 128),
    Number("run-seed", 0, 0, 10**6, look="field"),
    Choice("board-a", BOARD_KEYS, initial="3090-7b", texts="family-board-option"),
    Choice("board-b", BOARD_KEYS, initial="a100-7b", texts="family-board-option"),
    Choice("task", (family_boards.ALL, *TASKS)),
)


def opened() -> Trace | None:
    """A trace that the reader has opened; one of another kind is refused with a message."""
    with st.expander(t("family-open-title"), icon=":material/folder_open:"):
        st.markdown(t("family-open-text"))
        st.code(
            "python -m lab family 'Tell me a story.' --out family.jsonl", language="bash", wrap_lines=True
        )
        return open_trace("family", "family")


def run_controls() -> None:
    with st.expander(t("family-controls"), icon=":material/tune:"):
        CONTROLS.row("run-prompt", "run-temperature")
        CONTROLS.draw("run-own")
        CONTROLS.draw("run-methods")
        CONTROLS.row("run-length", "run-seed")


def draw_run(made: Sequence[Made]) -> None:
    """What has come: verdict, picture, table, and the text of one method."""
    asked, records = made[0].settings, family_run.compared(made)
    st.caption(family_run.told(asked))
    st.caption(t("speculate-prompt-told", prompt=shortened(asked.prompts[0].text)))
    if not records:
        st.caption(t("family-waiting"))
        return
    if len(records) < len(asked.wanted):
        st.caption(t("family-done", done=len(records), all=len(asked.wanted)))
    told = family_table.verdict(records, BESIDE_BOARD)
    if told:
        st.markdown(told)
        figure = family_charts.run_figure(records, BESIDE_BOARD)
        chart(figure, t("family-run-alt"), height=150 + 34 * len(records), key="family-run-chart")
        st.caption(t("family-run-legend"))
    st.html(family_table.table_html(records, BESIDE_BOARD))
    st.caption(t("family-table-note"))
    a_text(made, records)


def a_text(made: Sequence[Made], records: Sequence[FamilyRecord]) -> None:
    """The text of a method that the reader picks, the fastest at first."""
    best = family_table.fastest(records) or records[0]
    st.subheader(t("family-text-title"), anchor=False)
    methods = tuple(record.method for record in records)
    picker = Controls("family", Choice("text-of", methods, initial=best.method, texts="family-method"))
    chosen = picker.draw("text-of")
    record = next(record for record in records if record.method == chosen)
    tokens = family_texts.strip_of(record, family_run.rounds_of(made, record), records[0])
    strip(tokens, family_table.method_name(chosen))
    st.caption(t("family-strip-legend"))


def the_run() -> None:
    """One prompt through every method: the recording at once, a live run on demand."""
    st.header(t("family-run-title"), anchor=False)
    st.markdown(t("family-run-text"))
    trace = opened()
    run_controls()
    with shown():
        made = family_run.settings(CONTROLS.values)
        kept = trace or recording("family")

        def start() -> tuple[RunInfo, Iterator[Made]]:
            info, records = start_family(made, machine.loaded)
            return info, family_run.by_token(made, records)

        panel: Panel[Made] = Panel(
            "family",
            inputs={**made.as_json(), "model": machine.model(), "device": machine.device()},
            start=start,
            total=made.total,
            draw=draw_run,
            recorded=family_run.finished(kept) if kept else None,
        )
        records = family_run.compared(panel.records)
        if records and isinstance(panel.origin, RunInfo):
            with st.expander(t("family-table-run"), icon=":material/table:"):
                line = family_run.command(panel.records[0].settings, machine.model(), machine.device())
                st.code(line, language="bash", wrap_lines=True)
                table(family_table.frame(records, BESIDE_BOARD), "family", "family")
                save_trace("family", panel.origin, family_run.all_records(panel.records), "family")


def the_papers() -> None:
    """The timeline, as a picture, as a list of links, and as a table."""
    board = BESIDE_BOARD
    st.header(t("family-papers-title"), anchor=False)
    st.markdown(t("family-papers-text", machine=board.machine, model=board.model))
    alt = t("family-papers-alt", **family_papers.span())
    chart(family_papers.timeline_figure(board), alt, height=560, key="family-papers")
    st.markdown(family_papers.listed())
    with st.expander(t("family-papers-table"), icon=":material/table:"):
        table(family_papers.claims_frame(), "family", "family-papers")
        st.caption(t("family-papers-gaps"))


@st.fragment
def the_boards() -> None:
    """One harness, two machines."""
    st.header(t("family-boards-title"), anchor=False)
    st.markdown(t("family-boards-text"))
    first, second, task = CONTROLS.row("board-a", "board-b", "task")
    if first == second:
        st.info(t("family-boards-same"))
        return
    both = family_boards.compared(first, second, task)
    st.markdown(both.told())
    height = 150 + 30 * len(both.shared)
    chart(family_boards.boards_figure(both), t("family-boards-alt"), height=height, key="family-boards")
    st.caption(t("family-boards-source", leaderboard=f"[Leaderboard.md]({spec_bench.SOURCE})"))
    with st.expander(t("family-boards-table"), icon=":material/table:"):
        table(family_boards.boards_frame(both), "family", "spec-bench")


def the_ideas() -> None:
    """What to notice, what to try, and what is computed."""
    notice(
        "family-notice-run",
        "family-notice-exact",
        "family-notice-machine",
        "family-notice-third-party",
        "family-notice-tokens",
        "family-notice-task",
    )
    machines = {"board-a": "3090-7b", "board-b": "a100-7b"}
    CONTROLS.try_this(
        Try("family-try-repeat", {"run-own": REPEAT, "run-temperature": 0.0}),
        Try("family-try-sampled", {"run-temperature": 1.0}),
        Try("family-try-machines", {**machines, "task": family_boards.ALL}),
        Try("family-try-summary", {**machines, "task": "summary"}),
        Try("family-try-size", {"board-a": "a100-7b", "board-b": "a100-33b", "task": family_boards.ALL}),
    )
    formula(
        (r"E = \frac{\text{new tokens} - 1}{\text{passes}}", FamilyRecord.tokens_per_pass.fget),  # type: ignore[attr-defined]
        (r"\text{speed-up} = \frac{E}{\gamma c + v}", speedup),
        (r"p \leftarrow \mathrm{norm}(\max(0, p - q)) \text{ after a rejected child}", MultiStep._judge),
        (r"\#\,\text{pairs in another order}", family_boards.Compared.swapped.fget),  # type: ignore[attr-defined]
    )


for style in ("gate.css", "speculation.css", "meeting.css", "family.css"):
    st.html(APPS / "style" / style)
title("family")
the_run()
the_papers()
the_boards()
the_ideas()
