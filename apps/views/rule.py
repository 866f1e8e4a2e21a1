"""The rule, token by token: p against q where a run has tested, and a vocabulary small enough to check."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from apps import rule_pictures, rule_playground, rule_positions, speculative_run
from apps.registry import APPS
from apps.round_picture import meter_html
from apps.rule_positions import Position
from apps.speculative_run import Made
from apps.text import t
from apps.widgets import (
    Choice,
    Controls,
    Number,
    Try,
    chart,
    facts,
    formula,
    notice,
    shown,
    table,
    title,
)
from sims.acceptance import acceptance, overlap, residual, round_law
from sims.errors import InputError
from sims.mistakes import MISTAKES, RULES, exact

PLACES = range(1, rule_playground.LARGEST + 1)
FIRST = rule_playground.preset("near")
CONTROLS = Controls(
    "rule",
    replace(speculative_run.RECORDING, initial="sampled"),
    *speculative_run.PARAMETERS,
    Number("token", 0, 0, 10**6),  # bounds are those of the run
    Number("size", FIRST["size"], rule_playground.SMALLEST, rule_playground.LARGEST),
    *(Number(name, FIRST.get(name, 1), 0, rule_playground.HEAVIEST) for name in rule_playground.WEIGHTS),
    Choice("rule", tuple(RULES)),
    Number("gamma", 2, 0, 3),
)


def draw_run(made: Sequence[Made]) -> None:
    """The text as tokens to choose from, and the rule at the chosen one."""
    opened = speculative_run.opened("rule", made)
    if opened is None:
        return
    run, request = opened
    one = picked(rule_positions.positions(run.rounds(request)))
    st.markdown(rule_positions.told(one))
    if one.tested:
        st.html(meter_html(one.tested))
    facts(rule_positions.facts(one))
    bars = rule_positions.bars(one)
    if bars is None:
        st.info(t("rule-no-laws"))
        return
    figure = rule_pictures.laws_figure(bars)
    chart(figure, t("rule-laws-alt", index=one.index), height=rule_pictures.height(bars), key="rule-laws")


def picked(found: Sequence[Position]) -> Position:
    """The chosen token: by a press on it, or by the slider."""
    text = st.container(key="rule-text")
    (key,) = CONTROLS.keyed(token=0)
    last = len(found) - 1
    if st.session_state.get(key, 0) > last:  # of a longer text
        st.session_state[key] = last
    slider = Controls("rule", Number("token", rule_positions.most_telling(found), 0, max(last, 1)))
    at = st.session_state[f"{key}-seen"] = min(int(slider.draw("token")), last)

    def keep() -> None:
        st.session_state[key] = st.session_state[f"{key}-seen"]

    labels = rule_positions.labels(found)
    with text:
        st.pills(
            t("rule-pick"),
            range(len(found)),
            required=True,
            format_func=labels.__getitem__,
            key=f"{key}-seen",
            on_change=keep,
        )
        st.caption(t("rule-legend"))
    return found[at]


@st.fragment
def play() -> None:
    """Two laws that the reader sets, and what each rule makes of them."""
    st.header(t("rule-play-title"), anchor=False)
    st.markdown(t("rule-play-text"))
    with st.container(horizontal=True, key="rule-presets"):
        for name in rule_playground.PRESETS:
            st.button(
                t(f"rule-preset-{name}"),
                key=f"rule-preset-{name}",
                on_click=st.session_state.update,
                args=(CONTROLS.keyed(**rule_playground.preset(name)),),
            )
    CONTROLS.row("size", "rule")
    weights, picture = st.columns([2, 3], gap="large")
    with weights, st.container(key="rule-weights"):
        for at in PLACES[: CONTROLS.values["size"]]:
            CONTROLS.row(f"p{at}", f"q{at}")
    with picture, shown(InputError):
        seen = rule_playground.playground(CONTROLS.values)
        figure = rule_pictures.parts_figure(seen.p, seen.q, seen.parts)
        chart(figure, t("rule-parts-alt"), height=380, key="rule-parts")
        st.markdown(rule_playground.verdict(seen))
        facts(rule_playground.facts(seen))
    with shown(InputError):
        seen = rule_playground.playground(CONTROLS.values)
        with st.expander(t("rule-rules"), icon=":material/table:"):
            table(rule_playground.rules_frame(seen), "rule", "rules")
        gamma = CONTROLS.draw("gamma")
        st.markdown(f"**{t('rule-round-title', gamma=gamma)}**")
        facts(rule_playground.round_facts(seen))
        with st.expander(t("rule-outcomes"), icon=":material/table:"):
            table(rule_playground.outcomes_frame(seen), "rule", "outcomes")


def page() -> None:
    with shown():
        seen = speculative_run.shown_run(CONTROLS, draw_run, plain=False)
        if seen:
            found = rule_positions.positions(seen[0].rounds(seen[0].requests[0]))
            speculative_run.kept(*seen, rule_positions.frame(found), CONTROLS, "rule-tokens")
    play()
    notice("rule-notice-fill", "rule-notice-draft", "rule-notice-greedy")
    near = rule_playground.preset("near")
    CONTROLS.try_this(
        Try("rule-try-zeros", rule_playground.preset("zeros") | {"rule": "exact"}),
        Try("rule-try-softmax", near | {"rule": "softmax-residual"}),
        Try("rule-try-hidden", rule_playground.preset("equal") | {"rule": "reversed-test"}),
    )
    formula(
        (r"\beta = \sum_x \min(p(x), q(x))", overlap),
        (r"\min(1,\, p(x)/q(x))", acceptance),
        (r"p'(x) = \frac{\max(0,\, p(x) - q(x))}{1 - \beta}", residual),
        (r"\min(p, q) + (1 - \beta)\, p' = p", exact),
        (r"\text{every outcome of a round}", round_law),
        *((rf"\text{{{name}}}", rule) for name, rule in MISTAKES.items()),
    )


st.html(APPS / "style" / "speculation.css")
title("rule")
page()
