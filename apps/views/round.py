"""One round, step by step: drafts, tests, the emitted tokens and both caches, forward and back."""

from collections.abc import Sequence

import streamlit as st

from apps import round_picture, round_steps, speculative_run, stepping
from apps.registry import APPS
from apps.speculative_run import Made, Run
from apps.text import t
from apps.widgets import Controls, Try, formula, notice, shown, title
from lab.decode.speculative.drafting import Drafts
from lab.decode.speculative.rule import accepts, residual

CONTROLS = Controls(
    "round",
    speculative_run.RECORDING,
    *speculative_run.PARAMETERS,
    *stepping.PARAMETERS,
)
CONTEXT = 320  # characters of the text before a round


def draw_run(made: Sequence[Made]) -> None:
    """The chosen moment of the chosen round."""
    opened = speculative_run.opened("round", made)
    if opened is None:
        return
    run, request = opened
    rounds = run.rounds(request)
    every = [round_steps.moments(one) for one in rounds]
    place = stepping.navigation(CONTROLS, list(map(len, every)), round_steps.most_telling(rounds))
    one, moment = rounds[place.round], every[place.round][place.step]
    written = [token.text for token in run.tokens(request) if token.index < one.start]
    text = speculative_run.literal("".join(written)[-CONTEXT:])
    st.caption(t("round-context", text=f"…{text}" if len("".join(written)) > CONTEXT else text))
    st.html(round_picture.phases_html(moment))
    st.markdown(round_steps.told(moment))
    st.html(round_picture.window_html(moment))
    st.html(round_picture.caches_html(moment, written))
    st.caption(t("round-legend"))


def ideas(run: Run) -> list[Try]:
    """Rounds of this run worth a look."""
    rounds = run.rounds(run.requests[0])
    found = {
        "round-try-full": next((r for r in rounds if r.drafted and r.accepted == len(r.drafted)), None),
        "round-try-first": next((r for r in rounds if r.drafted and r.accepted == 0), None),
    }
    return [
        Try(message, {"round": rounds.index(one) + 1, "step": len(round_steps.moments(one))})
        for message, one in found.items()
        if one
    ]


def page() -> None:
    seen = None
    with shown():
        seen = speculative_run.shown_run(CONTROLS, draw_run, plain=False)
        if seen:
            frame = round_steps.frame(seen[0].rounds(seen[0].requests[0]))
            speculative_run.kept(*seen, frame, CONTROLS, "rounds")
    notice("round-notice-one", "round-notice-caches", "round-notice-judged")
    CONTROLS.try_this(*(ideas(seen[0]) if seen else ()), Try("round-try-sampled", {"run-temperature": 1.0}))
    formula(
        (r"\text{accept } x \iff u < p(x)/q(x)", accepts),
        (r"p'(x) = \frac{\max(0,\, p(x) - q(x))}{\sum_y \max(0,\, p(y) - q(y))}", residual),
        (r"\text{draft cache} \le \text{prompt} + \text{committed} - 1", Drafts.cut),
    )


st.html(APPS / "style" / "speculation.css")
title("round")
page()
