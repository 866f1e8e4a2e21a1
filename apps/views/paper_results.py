"""The paper's results: its tables beside what its theorem gives, and beside this machine's measurements."""

from collections.abc import Sequence

import streamlit as st

from apps import paper_tables as tables
from apps.measured import RECORD, recorded
from apps.paper_tables import ALL, Filter
from apps.registry import PAGES
from apps.text import n, t
from apps.widgets import Choice, Controls, Try, banner, chart, formula, link_to, notice, table, title
from lab.round_records import MeasureRecord
from sims.acceptance import lenient_overlap, overlap
from sims.leviathan import SOURCE
from sims.speedup import operations_factor, speedup

measured = recorded()
RUNS = [run for series in measured.series.values() for run in series.runs] if measured else []
CONTROLS = Controls(
    "paper-results",
    Choice("task", (ALL, *tables.TASKS)),
    Choice("draft", (ALL, *tables.DRAFTS)),
    Choice("temperature", (ALL, *tables.TEMPERATURES), look="segments"),
    Choice("own-kind", (ALL, *dict.fromkeys(run.kind for run in RUNS))),
    Choice("own-draft", (ALL, *dict.fromkeys(run.draft for run in RUNS))),
    Choice("own-temperature", (ALL, *dict.fromkeys(f"{run.temperature:g}" for run in RUNS)), look="segments"),
)


def the_speedups(shown: Filter) -> None:
    """Tables 2 and 4."""
    st.subheader(t("paper-results-speedups"), anchor=False)
    rows = shown.speedups()
    if not rows:
        st.info(t("paper-results-none"))
        return
    above = sum(row.measured > tables.expected(row) for row in rows)
    st.markdown(t("paper-results-speedups-told", above=n(above, "d"), rows=n(len(rows), "d")))
    figure = tables.speedups_figure(rows)
    chart(figure, t("paper-results-speedups-alt"), height=440, key="paper-results-speedups")
    table(tables.speedups_frame(rows), "paper-results", "leviathan-tables-2-4")
    st.caption(t("paper-results-rounded"))


def the_acceptances(shown: Filter) -> None:
    """Table 3."""
    st.subheader(t("paper-results-alphas"), anchor=False)
    rows = shown.acceptances()
    if not rows:
        st.info(t("paper-results-none"))
        return
    st.markdown(t("paper-results-alphas-told"))
    height = 110 + 24 * len(rows)
    chart(tables.acceptances_figure(shown), t("paper-results-alphas-alt"), height=height, key="paper-alphas")
    with st.expander(t("paper-results-alphas-table"), icon=":material/table:"):
        table(tables.acceptances_frame(shown), "paper-results", "leviathan-table-3")


def own_runs() -> list[MeasureRecord]:
    """This machine's runs as the filters want them."""
    kind, draft = CONTROLS.row("own-kind", "own-draft")
    temperature = CONTROLS.draw("own-temperature")
    return [
        run
        for run in RUNS
        if kind in (ALL, run.kind)
        and draft in (ALL, run.draft)
        and temperature in (ALL, f"{run.temperature:g}")
    ]


@st.fragment
def this_machine() -> None:
    """The same table from the recording."""
    st.subheader(t("paper-results-own"), anchor=False)
    if not measured or not RUNS:
        st.info(t("paper-results-no-recording"))
        st.code(RECORD, language="bash", wrap_lines=True)
        return
    runs = own_runs()
    if not runs:
        st.info(t("paper-results-none"))
        return
    banner(measured.info, live=False)
    st.markdown(own_told(runs))
    chart(tables.own_figure(runs), t("paper-results-own-alt"), height=440, key="paper-results-own")
    table(tables.own_frame(runs), "paper-results", "measured")


def own_told(runs: Sequence[MeasureRecord]) -> str:
    """How far each prediction is off, on average."""

    def off(predictions: Sequence[float]) -> str:
        errors = [abs(p / run.speedup - 1) for p, run in zip(predictions, runs, strict=True)]
        return n(100 * sum(errors) / len(errors), ".0f")

    return t(
        "paper-results-own-told",
        runs=n(len(runs), "d"),
        theorem=off([run.predicted for run in runs]),
        with_v=off([run.predicted_v for run in runs]),
        by_position=off([run.predicted_by_position for run in runs]),
    )


@st.fragment
def the_paper() -> None:
    """Tables 2 to 4 as the filters want them."""
    task, draft = CONTROLS.row("task", "draft")
    shown = Filter(task, draft, CONTROLS.draw("temperature"))
    the_speedups(shown)
    the_acceptances(shown)


title("paper-results")
st.caption(t("paper-results-conditions", paper=f"[Leviathan et al.]({SOURCE})"))
the_paper()
this_machine()
st.subheader(t("paper-results-operations"), anchor=False)
st.caption(t("paper-results-operations-note"))
table(tables.operations_frame(), "paper-results", "leviathan-table-1")
st.subheader(t("paper-results-lenience"), anchor=False)
st.caption(t("paper-results-lenience-note"))
table(tables.lenience_frame(), "paper-results", "leviathan-lenience")
st.caption(t("paper-results-lenience-greedy"))
table(tables.lenient_speedups_frame(), "paper-results", "leviathan-lenient-speedups")
notice(
    "paper-results-notice-above",
    "paper-results-notice-large",
    "paper-results-notice-c",
    "paper-results-notice-sharp",
)
CONTROLS.try_this(
    Try("paper-results-try-large", {"task": ALL, "draft": "T5-large", "temperature": ALL}),
    Try("paper-results-try-summaries", {"task": "CNNDM", "draft": ALL, "temperature": "0"}),
    Try("paper-results-try-bigram", {"task": ALL, "draft": "bigram", "temperature": ALL}),
)
SPEEDUP = next(page for page in PAGES if page.id == "speedup")
link_to(SPEEDUP, **{"speedup-alpha": 0.2, "speedup-gamma": 3, "speedup-c": 0.0})
formula(
    (r"\text{expected} = \frac{1 - \alpha^{\gamma+1}}{(1 - \alpha)(\gamma c + 1)}", speedup),
    (r"\alpha = \mathbb{E}\Big[\sum_x \min\big(p(x), q(x)\big)\Big]", overlap),
    (r"\frac{(1-\alpha)(\gamma \hat c + \gamma + 1)}{1 - \alpha^{\gamma+1}}", operations_factor),
    (r"\alpha(l) = \sum_x \min\big(p(x)/l,\ q(x)\big)", lenient_overlap),
)
