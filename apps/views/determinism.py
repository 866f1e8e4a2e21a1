"""What does determinism cost? Every strategy on one workload: what is equal, and what it adds to a token."""

from collections.abc import Sequence
from typing import Any, cast

import streamlit as st

from apps import machine, papers, strategy_charts, strategy_table
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
    facts,
    formula,
    notice,
    shown,
    table,
    title,
)
from apps.widgets.live import Recording
from lab.decode.margingate.compare import increment, ratio
from lab.decode.margingate.settings import REFERENCES, start_compare
from lab.records import StrategyRecord
from lab.traces import RunInfo, Trace
from sims.waste import expected_waste

CONTROLS = Controls(
    "determinism",
    Several("strategies", strategy_table.NAMES, ("bf16", "every-step", "replay")),
    Several("batches", tuple(map(str, strategy_table.BATCHES)), ("8",)),
    Number("prompts", 8, 2, 128),
    Number("length", 16, 4, 128),
    Number("tau", 0.25, 0.0, 2.0, 0.0625),
    Number("window", 16, 1, 64),
    Number("pass", 32, 1, 256),
    Number("queue", 8, 1, 32),
    Number("rounds", 1, 1, 5),
    Toggle("grid-run"),
    Choice("reference", REFERENCES),
    Choice("lane", ("bf16-emulated", "bf16-native")),
    Text("split-k", "1:4,8:2"),
)


def controls() -> None:
    """Draw the controls; those of rarer use stand folded."""
    CONTROLS.draw("strategies")
    CONTROLS.row("batches", "prompts", "length")
    CONTROLS.row("tau", "window", "pass")
    with st.expander(t("determinism-more"), icon=":material/tune:"):
        CONTROLS.row("queue", "rounds")
        _, lane = CONTROLS.row("reference", "lane")
        if lane == "bf16-emulated":
            CONTROLS.draw("split-k")
        CONTROLS.draw("grid-run")


def opened() -> Trace | None:
    """A trace file that the reader has opened, or None; what is no such trace is refused with a message."""
    with st.expander(t("determinism-trace"), icon=":material/folder_open:"):
        trace = open_trace("determinism", "strategies")
        with shown():
            if trace is not None:
                strategy_table.checked(strategy_table.records_of(trace.records), t("determinism-open"))
            return trace
    return None


def draw(records: Sequence[Any]) -> None:
    # Always the same two parts, so that a chart replaces the one before it in place.
    words, picture = st.container(), st.container()
    own = strategy_table.records_of(records)
    sizes = strategy_table.timed_sizes(own)
    with words:
        if not own:
            st.info(t("determinism-empty"))
            return
        st.markdown("\n".join(f"- {sentence}" for sentence in strategy_table.verdicts(own)))
        if len(strategy_table.sizes(own)) == 1:
            st.caption(t("determinism-one-size"))
        if not sizes:
            st.info(t("determinism-no-times"))
            return
        at = Choice("at", tuple(map(str, sizes)), "8" if 8 in sizes else "", look="segments")
        batch = Controls("determinism", at).draw("at")
    with picture:
        chart(
            strategy_charts.cost_figure(own, int(batch)),
            t("determinism-cost-alt", batch=batch),
            height=440,
            key="determinism-cost",
        )


@st.fragment
def gate_grid(records: Sequence[StrategyRecord]) -> None:
    """Replay's gate: τ × window, one pass size at a time."""
    grid = strategy_charts.grid_of(records)
    if not grid:
        st.info(t("determinism-no-grid"))
        return
    sizes = tuple(map(str, strategy_charts.pass_sizes(grid)))
    views = Controls(
        "determinism",
        Choice("measure", strategy_charts.MEASURES, look="segments"),
        Choice("grid-pass", sizes, look="segments"),
    )
    measure, size = views.row("measure", "grid-pass")
    plain = strategy_charts.plain_beside(grid, records)
    best = strategy_charts.cheapest(grid, plain)
    if measure == "increment" and best is None:
        st.info(t("determinism-no-times"))
        return
    st.caption(t(f"determinism-grid-{measure}", batch=grid[0].batch))
    chart(
        strategy_charts.grid_figure(grid, int(size), measure, plain),
        t("determinism-grid-alt", size=size, measure=t(f"determinism-measure-{measure}")),
        height=320,
        key="determinism-grid",
    )
    if best is not None:
        gate = strategy_table.gate_name(strategy_table.gate_of(best[0]))
        st.caption(t("determinism-grid-best", gate=gate, ms=n(best[1], ".2f"), batch=best[0].batch))


def below(records: Sequence[StrategyRecord], info: RunInfo, shipped: Trace | None) -> None:
    """What stands under the picture: the table, replay's gate, rollbacks, the papers."""
    reference = str(info.settings.get("reference", "fp32"))
    st.subheader(t("determinism-table"), anchor=False)
    st.caption(strategy_table.workload(records, info.settings))
    if any(record.emulated for record in records):
        st.caption(t("determinism-emulated"))
    table(strategy_table.frame(records, reference), "determinism", "strategies")
    save_trace("determinism", info, records, "strategies")

    st.subheader(t("determinism-grid"), anchor=False)
    st.markdown(t("determinism-grid-why"))
    own_grid = strategy_charts.grid_of(records)
    if not own_grid and shipped is not None:
        st.caption(t("determinism-grid-recorded"))
    fallback = strategy_table.records_of(shipped.records) if shipped else records
    gate_grid(records if own_grid else fallback)
    if lost := strategy_table.waste(records):
        st.markdown(t("determinism-waste"))
        facts(lost)

    st.subheader(t("determinism-papers"), anchor=False)
    st.markdown(t("determinism-papers-how", link=f"[MarginGate]({papers.MARGINGATE})"))
    table(papers.frame(records, info.model), "determinism-paper", "papers")
    st.markdown("\n".join(f"- {sentence}" for sentence in papers.reported()))


def page() -> None:
    controls()
    trace = opened()
    shipped = recording("strategies")
    with shown():
        experiment = strategy_table.settings(CONTROLS.values)
        panel: Panel[Any] = Panel(
            "determinism",
            inputs={**experiment.as_json(), "model": machine.model(), "device": machine.device()},
            start=lambda: start_compare(experiment, machine.loaded),
            total=strategy_table.total(experiment),
            draw=draw,
            recorded=cast("Recording[Any] | None", trace or shipped),
        )
        records, info = strategy_table.records_of(panel.records), panel.origin
        st.caption(t("determinism-cpu"))
        if records and isinstance(info, RunInfo):
            below(records, info, shipped)
        notice(
            "determinism-notice-measured",
            "determinism-notice-construction",
            "determinism-notice-batch",
            "determinism-notice-plain",
        )
        CONTROLS.try_this(
            Try("determinism-try-tau", {"strategies": "bf16,margingate,replay", "tau": 1.0}),
            Try("determinism-try-early", {"strategies": "bf16,every-step,replay", "pass": 1, "tau": 0.25}),
            Try(
                "determinism-try-windows",
                {"strategies": "bf16,every-step,window-16,window-64", "length": 64},
            ),
        )
        formula(
            (
                r"\Delta_s = \frac{T_s}{N_s} - \frac{T_{\mathrm{bf16}}}{N_{\mathrm{bf16}}}",
                increment,
            ),
            (r"\rho_s = \frac{\Delta_{\mathrm{every\text{-}step}}}{\Delta_s}", ratio),
            (r"\mathbb{E}[\text{wasted}] = w - \frac{1 - (1 - p)^w}{p}", expected_waste),
        )
        st.markdown(t("determinism-command"))
        st.code(strategy_table.command(experiment), language="bash", wrap_lines=True)


title("determinism")
page()
