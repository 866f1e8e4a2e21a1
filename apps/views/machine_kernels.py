"""What this machine does: its own kernels at M = 1 … 64, and which rows change their bits."""

from collections.abc import Iterator, Sequence

import streamlit as st

from apps import kernels, machine
from apps.recordings import recording
from apps.text import t
from apps.widgets import Choice, Controls, Number, Panel, Try, chart, facts, formula, notice, table, title
from lab.device import choose_device
from lab.numerics.kernels import PackedGemm
from lab.numerics.machine import CASES, MAX_ROWS, measure, start, ulps_apart
from lab.records import KernelRecord
from lab.traces import Record, RunInfo

CONTROLS = Controls(
    "machine-kernels",
    Number("rows", MAX_ROWS, 8, MAX_ROWS),
    Number("seed", 0, 0, 10**6, look="field"),
    Choice("case", tuple(kernels.NAMES)),
)


def begin() -> tuple[RunInfo, Iterator[Record]]:
    return start(choose_device(machine.device()), values["rows"], values["seed"])


def draw(records: Sequence[Record]) -> None:
    own = kernels.measured(records)
    st.markdown("\n".join(f"- {sentence}" for sentence in kernels.verdicts(own)))
    chart(
        kernels.overview_figure(own),
        t("machine-kernels-overview-alt"),
        height=560,
        key="kernels-overview",
    )


def the_case(records: Sequence[KernelRecord]) -> None:
    """One operator closely: rows, elements, ulps."""
    st.subheader(t("machine-kernels-closely"), anchor=False)
    case = kernels.NAMES[CONTROLS.draw("case")]
    own = kernels.of_case(records, case)
    if not own:  # a run that was stopped before its first record of this case
        st.info(t("machine-kernels-empty"))
        return
    facts(kernels.amounts(own))
    chart(
        kernels.rows_figure(own),
        t("machine-kernels-rows-alt", name=kernels.name(case)),
        height=420,
        key="kernels-rows",
    )
    if any(record.changed for record in own):
        alt = t("machine-kernels-amounts-alt", name=kernels.name(case))
        chart(kernels.amounts_figure(own), alt, height=260, key="kernels-amounts")


title("machine-kernels")
CONTROLS.row("rows", "seed")
values = CONTROLS.values
panel: Panel[Record] = Panel(
    "machine-kernels",
    inputs={"rows": values["rows"], "seed": values["seed"], "device": machine.device()},
    start=begin,
    total=values["rows"] * len(CASES),
    draw=draw,
    recorded=recording("kernels"),
)
records = kernels.measured(panel.records)
if records and isinstance(panel.origin, RunInfo):
    facts(kernels.machine_facts(panel.origin))
    the_case(records)
    st.subheader(t("machine-kernels-why-known"), anchor=False)
    st.markdown("\n".join(f"- {reason}" for reason in kernels.reasons(records, panel.origin.device)))
notice("machine-kernels-notice-ulps", "machine-kernels-notice-repeat", "machine-kernels-notice-threads")
CONTROLS.try_this(
    Try("machine-kernels-try-lab", {"case": "matmul-fp32-lab"}),
    Try("machine-kernels-try-emulated", {"case": "matmul-bf16-emulated"}),
    Try("machine-kernels-try-run", {"seed": 1, "rows": 64}),
)
formula(
    (r"\text{row } i \text{ of } f(x_{1 \dots M}) \;\overset{?}{=}\; f(x_i)", measure),
    (r"|\,\mathrm{ord}(a) - \mathrm{ord}(b)\,|", ulps_apart),
    (r"x W^{\mathsf T} \text{ in one order for every } M", PackedGemm),
)
if records:
    table(kernels.frame(records), "machine-kernels", "kernels")
