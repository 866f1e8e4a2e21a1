"""Serial against speculative: both lanes on one time axis, from a run and from four numbers."""

from collections.abc import Sequence

import streamlit as st

from apps import lanes, race_told, speculative_run
from apps.lanes import Race
from apps.race_player import MILLISECONDS, STEPS, player
from apps.registry import APPS
from apps.speculative_run import Made
from apps.text import n, t
from apps.widgets import (
    Controls,
    Number,
    Try,
    errors,
    facts,
    formula,
    notice,
    shown,
    table,
    title,
)
from lab.errors import LabError
from lab.records import Failure
from sims.errors import InputError
from sims.rounds import simulate
from sims.speedup import expected_tokens, speedup

CONTROLS = Controls(
    "serial",
    speculative_run.RECORDING,
    *speculative_run.PARAMETERS,
    Number("alpha", 0.7, 0, 1, 0.01),
    Number("gamma", 4, 1, 16),
    Number("c", 0.1, 0, 1, 0.01),
    Number("v", 1.2, 0.5, 4, 0.05),
    Number("tokens", 48, 8, 128),
    Number("seed", 0, 0, 10**6, look="field"),
)


def draw_run(made: Sequence[Made]) -> None:
    """The race of one prompt as far as it has come, and what it tells."""
    opened = speculative_run.opened("serial", made, "serial-plain-first")
    if opened is None:
        return
    run, request = opened
    race = lanes.race(run, request)
    player(race, MILLISECONDS, key="serial-real")
    st.markdown("\n\n".join(race_told.verdicts(run, request)))
    facts(race_told.run_facts(run, request))
    for record in run.records:
        if isinstance(record, Failure):
            errors.show(LabError(f"{record.request}: {record.error}", ""))


@st.fragment
def sliders() -> None:
    """The same race from α, γ, c and v."""
    st.header(t("serial-sliders-title"), anchor=False)
    st.markdown(t("serial-sliders-text"))
    CONTROLS.row("alpha", "gamma")
    CONTROLS.row("c", "v")
    CONTROLS.row("tokens", "seed")
    now = CONTROLS.values
    alpha, gamma, c, v = (now[name] for name in ("alpha", "gamma", "c", "v"))
    with shown(InputError):
        race: Race = lanes.simulated(alpha, gamma, c, v, now["tokens"], now["seed"])
        player(race, STEPS, key="serial-simulated")
        formula_gives, tokens = speedup(alpha, gamma, c, v), expected_tokens(alpha, gamma)
        told = {"drawn": race.plain.end / race.speculative.end, "formula": formula_gives, "expected": tokens}
        st.markdown(t("serial-sliders-told", **{name: n(value, ".2f") for name, value in told.items()}))
        if formula_gives < 1:
            cost = {"cost": n(gamma * c + v, ".2f"), "expected": n(tokens, ".2f")}
            st.markdown(t("serial-sliders-loss", **cost))
        with st.expander(t("serial-sliders-table"), icon=":material/table:"):
            table(lanes.frame(race, "steps"), "serial", "serial-simulated")


def page() -> None:
    st.header(t("serial-real-title"), anchor=False)
    st.markdown(t("serial-real-text"))
    measured = []
    with shown():
        seen = speculative_run.shown_run(CONTROLS, draw_run, plain=True)
        if seen:
            run, request = seen[0], seen[0].requests[0]
            frame = lanes.frame(lanes.race(run, request), "seconds")
            speculative_run.kept(*seen, frame, CONTROLS, "serial-run")
            measured = [Try("serial-try-run", race_told.as_sliders(run, request))]
    sliders()
    notice("serial-notice-pass", "serial-notice-burst", "serial-notice-reject")
    CONTROLS.try_this(
        *measured,
        Try("serial-try-good", {"alpha": 0.9, "gamma": 6, "c": 0.02, "v": 1.2}),
        Try("serial-try-poor", {"alpha": 0.2, "gamma": 6, "c": 0.1, "v": 1.3}),
        Try("serial-try-wide", {"alpha": 0.7, "gamma": 4, "c": 0.1, "v": 3.0}),
    )
    formula(
        (r"E = \frac{1 - \alpha^{\gamma+1}}{1 - \alpha}", expected_tokens),
        (r"\text{speed-up} = \frac{E}{\gamma c + v}", speedup),
        (r"\text{rounds of accepted drafts}", simulate),
    )


st.html(APPS / "style" / "speculation.css")
title("serial")
page()
