"""The order of a sum: step by step, order beside order, and over random orders."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import streamlit as st

from apps import sum_pictures as pictures
from apps import sums
from apps.bits import plain, shown
from apps.registry import APPS
from apps.sums import Addends
from apps.text import n, t
from apps.widgets import (
    Choice,
    Controls,
    LongText,
    Number,
    Several,
    Text,
    Toggle,
    Try,
    arrange,
    chart,
    errors,
    facts,
    formula,
    notice,
    table,
    title,
)
from sims import bounds, orders, rounding
from sims.arithmetic import Arithmetic
from sims.compare import compare
from sims.errors import InputError
from sims.exact import exact_sum
from sims.numbers import number
from sims.steps import Walk
from sims.trees import Chain


def preset(story: str, **changes: Any) -> dict[str, Any]:
    """All parameters of a story, and what is different this time."""
    return {"story": story} | sums.PRESETS[story].values | changes


def take_preset() -> None:
    """Set the rest of the page by the story that was just picked."""
    st.session_state.update(CONTROLS.keyed(**preset(CONTROLS.values["story"])))


CONTROLS = Controls(
    "sum-order",
    Choice("story", tuple(sums.PRESETS), picked=take_preset),
    LongText("addends"),
    Choice("format", tuple(sums.FORMATS), texts="format"),
    Choice("accumulator", ("fp32", "bf16", "fp16"), initial="bf16", look="segments", texts="format"),
    Toggle("partials"),
    Toggle("products"),
    Choice("walk", (*sums.ORDERS, sums.BY_HAND), texts="order"),
    Text("positions", limit=8_000),
    Number("step", 1, 1, sums.MOST_ADDENDS - 1),
    Several("orders", tuple(sums.ORDERS), initial=("sequential", "reversed"), texts="order"),
    Number("samples", 1_000, 1_000, 100_000, 1_000),
    Number("seed", 0, 0, 10**6, look="field"),
    Choice("view", ("results", "sums"), look="segments"),
)


def addend_controls() -> Mapping[str, Any]:
    """What is added, and where it is rounded."""
    story = CONTROLS.draw("story")
    CONTROLS.draw("addends")
    if not CONTROLS.values["addends"]:
        text = sums.PRESETS[story].text
        st.button(
            t("sum-order-edit"),
            key="sum-order-edit",
            icon=":material/edit:",
            on_click=st.session_state.update,
            args=(CONTROLS.keyed(addends=text),),
        )
    CONTROLS.row("format", "accumulator")
    CONTROLS.row("partials", "products")
    return CONTROLS.values


def by_hand(addends: Addends, seen: bool) -> tuple[int, ...]:
    """The reader's own order; where the text names none for these addends, they stand as given."""
    # Drawn unseen where it is not needed: Streamlit forgets a widget that a run does not draw.
    with st.container(key="positions" if seen else "address-positions"):
        text = CONTROLS.draw("positions")
    try:
        return sums.read_positions(text, len(addends))
    except InputError as error:
        if seen:
            errors.show(error)
        return tuple(range(len(addends)))


def chips(addends: Addends, order: orders.Order) -> None:
    """The addends in the order of the walk; moving one makes it the reader's own order."""

    def keep(positions: tuple[int, ...]) -> None:
        text = sums.positions_text(positions)
        st.session_state.update(CONTROLS.keyed(positions=text, walk=sums.BY_HAND, step=1))

    if len(addends) <= sums.MOST_CHIPS:
        texts = [f"{addend:.7g}" for addend in addends]
        arrange(texts, sums.arranged(addends, order), t("sum-order-arrange"), "sum-order-chips", keep)
        st.caption(t("arrange-hint"))


@st.fragment
def steps(addends: Addends, order: orders.Order, kind: Arithmetic) -> None:
    """The pictures that follow the step slider; the walk itself is worked out once."""
    step, last = 1, len(addends) - 1
    if last > 1:
        held = Controls("sum-order", Number("step", 1, 1, last))
        if CONTROLS.values["step"] > last:
            st.session_state.update(held.keyed(step=last))
        step = held.draw("step")
    if sums.is_compensated(order):
        path = sums.compensated(addends, order, kind)
        st.markdown(sums.compensated_text(path[step - 1], path[step]))
        leaves = [one.addend for one in path]
        figure = pictures.running_figure(leaves, pictures.compensated_totals(path), [False] * len(path), step)
        chart(figure, t("sum-order-running-alt"), height=300, key="sum-order-running")
        return
    walk = sums.walked(addends, order, kind)
    st.markdown(sums.step_text(walk.steps[step - 1], kind.accumulator.name))
    if isinstance(order.shape, Chain):
        totals = [walk.leaves[0], *(one.stored.value for one in walk.steps)]
        swallowed = [False, *(one.swallowed for one in walk.steps)]
        figure = pictures.running_figure(walk.leaves, totals, swallowed, step)
        chart(figure, t("sum-order-running-alt"), height=300, key="sum-order-running")
    elif len(addends) <= sums.MOST_LEAVES:
        draw_tree(walk, step)
    else:
        figure = pictures.errors_figure(walk.steps, step)
        chart(figure, t("sum-order-errors-alt"), height=260, key="sum-order-lost")


def draw_tree(walk: Walk, step: int | None = None) -> None:
    """The tree of the reduction, as far as this step or whole."""
    tree = walk.order.tree(len(walk.leaves))
    st.markdown(f"**{t('sum-order-tree')}**")
    height = max(200, min(90 + 45 * tree.height, 460))
    alt = t("sum-order-tree-alt", leaves=tree.leaves, height=tree.height)
    chart(pictures.tree_figure(tree, walk, step), alt, height=height, key="sum-order-tree")


def rest_of_the_walk(addends: Addends, order: orders.Order, kind: Arithmetic) -> None:
    """What does not follow the slider: the tree of a chain (its steps are the running total's), the table."""
    if sums.is_compensated(order):
        table(sums.compensated_table(sums.compensated(addends, order, kind)), "sum-order", "steps")
        return
    walk = sums.walked(addends, order, kind)
    if len(addends) > sums.MOST_LEAVES:
        height = order.tree(len(addends)).height
        st.info(t("sum-order-tree-large", leaves=len(addends), height=height, limit=sums.MOST_LEAVES))
    elif isinstance(order.shape, Chain):
        draw_tree(walk)
    table(sums.steps_table(walk), "sum-order", "steps")


def step_by_step(addends: Addends, kind: Arithmetic) -> tuple[int, ...]:
    """One order, addition by addition; returns the positions of the order by hand."""
    st.subheader(t("sum-order-walk-title"), anchor=False)
    walk = CONTROLS.draw("walk")
    row = st.container()
    positions = by_hand(addends, seen=walk == sums.BY_HAND)
    order = sums.named(walk, positions)
    with row:
        chips(addends, order)
    if len(addends) < 2:
        st.info(t("sum-order-one-addend"))
        return positions
    with errors.shown(InputError):
        # An overflow on the way is refused here, before the part that follows the slider.
        path = sums.compensated if sums.is_compensated(order) else sums.walked
        path(addends, order, kind)
        outcome = sums.compared(addends, (order,), kind)[0]
        facts(
            [
                (t("sum-order-result"), shown(outcome.result)),
                (t("sum-order-accumulated"), plain(outcome.accumulated)),
                (t("sum-order-exact"), plain(exact_sum(addends))),
                (t("sum-order-off"), "—" if outcome.ulps_off is None else str(outcome.ulps_off)),
            ]
        )
        steps(addends, order, kind)
        rest_of_the_walk(addends, order, kind)
    return positions


@st.fragment
def side_by_side(addends: Addends, positions: tuple[int, ...], kind: Arithmetic) -> None:
    """The chosen orders: results, agreement, errors and bounds."""
    st.subheader(t("sum-order-compare-title"), anchor=False)
    chosen = CONTROLS.draw("orders")
    if positions != tuple(range(len(addends))):
        chosen = (*chosen, sums.BY_HAND)
    if not chosen:
        st.info(t("sum-order-no-orders"))
        return
    picked = tuple(sums.named(name, positions) for name in chosen)
    names = {order.key: t(f"order-{name}") for name, order in zip(chosen, picked, strict=True)}
    outcomes = sums.compared(addends, picked, kind)
    st.markdown(sums.groups_text(names, outcomes))
    labels, height = pictures.isolated(list(names.values())), 130 + 26 * len(outcomes)
    left, right = st.columns(2)
    with left:
        st.markdown(f"**{t('sum-order-outcomes-title')}**")
        figure = pictures.outcomes_figure(labels, outcomes, float(exact_sum(addends)))
        chart(figure, t("sum-order-outcomes-alt"), height=height, key="sum-order-outcomes")
    limits = pictures.bounds_figure(labels, outcomes)
    if limits:
        with right:
            st.markdown(f"**{t('sum-order-bounds-title')}**")
            chart(limits, t("sum-order-bounds-alt"), height=height, key="sum-order-bounds")
    st.caption(t("sum-order-bounds-note"))
    table(sums.outcomes_table(list(names.values()), outcomes), "sum-order", "orders")


@st.fragment
def at_random(addends: Addends, kind: Arithmetic) -> None:
    """The distribution over random orders of one accumulator."""
    st.subheader(t("sum-order-random-title"), anchor=False)
    samples, seed = CONTROLS.row("samples", "seed")
    view = CONTROLS.draw("view")
    result = sums.spread_over(addends, samples, seed, kind)
    st.markdown(sums.spread_text(result))
    correct = number(exact_sum(addends), kind.accumulator if view == "sums" else kind.output).value
    figure = pictures.spread_figure(result, correct, view == "sums")
    chart(figure, t("sum-order-spread-alt", count=n(samples)), height=280, key="sum-order-spread")
    st.caption(t("sum-order-sampling"))
    finite = result.results[np.isfinite(result.results)]
    if len(addends) <= sums.MOST_CHIPS and len(finite):
        with st.container(horizontal=True):
            for name, value in (("low", finite[0]), ("high", finite[-1])):
                positions = sums.positions_text(result.example(float(value)))
                st.button(
                    t(f"sum-order-example-{name}", value=plain(float(value))),
                    key=f"sum-order-example-{name}",
                    on_click=st.session_state.update,
                    args=(CONTROLS.keyed(positions=positions, walk=sums.BY_HAND, step=1),),
                )


st.html(APPS / "style" / "numbers.css")
title("sum-order")
values = addend_controls()
with errors.shown(InputError):
    kind = sums.arithmetic(values)
    text = values["addends"] or sums.PRESETS[values["story"]].text
    typed, addends = sums.read_addends(text, kind)
    st.caption(sums.read_text(typed, addends, kind))
    positions = step_by_step(addends, kind)
    side_by_side(addends, positions, kind)
    at_random(addends, kind)
notice("sum-order-notice-order", "sum-order-notice-output", "sum-order-notice-bound")
CONTROLS.try_this(
    Try("sum-order-try-swallowed", {"story": "swallowed", **sums.PRESETS["swallowed"].values}),
    Try("sum-order-try-layer", {"story": "layer", **sums.PRESETS["layer"].values, "partials": True}),
    Try(
        "sum-order-try-kahan", {"story": "kahan-fails", **sums.PRESETS["kahan-fails"].values, "walk": "kahan"}
    ),
)
formula(
    (r"\hat s_k = \mathrm{round}(\hat s_{k-1} + x_k)", orders.evaluate),
    (r"|\hat s - s| \le \sum_i |x_i| \Big(\prod_{v \ni i} (1 + u_v) - 1\Big)", bounds.tree_bound),
    (r"\text{every order, one list}", compare),
    (r"\text{nearest, ties to even}", rounding.round32),
)
