"""Stepping through rounds: where a reader stands, and the buttons and sliders that go on and back.

A page says how many steps each round has; what a step shows is its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from apps.text import t
from apps.widgets import Controls, Number

PARAMETERS = (
    Number("round", 1, 1, 10**6),  # counted from 1; bounds are those of the run
    Number("step", 1, 1, 10**6),
)


@dataclass(frozen=True)
class Place:
    """Where a reader stands: a round of a request, and a step of it."""

    round: int
    step: int


def moved(counts: Sequence[int], place: Place, by: int) -> Place:
    """One step forward or back, across the border of rounds; the place itself where there is none.

    `counts`: the steps of each round.
    """
    step = place.step + by
    if step < 0:
        return Place(place.round - 1, counts[place.round - 1] - 1) if place.round else place
    if step < counts[place.round]:
        return Place(place.round, step)
    return Place(place.round + 1, 0) if place.round + 1 < len(counts) else place


def navigation(controls: Controls, counts: Sequence[int], first: int) -> Place:
    """Buttons and sliders for the round and the step; where the reader stands, at first at the end of the
    round `first`."""
    buttons = st.container(horizontal=True, key=f"{controls.page_id}-buttons")
    number = bounded(controls, "round", first + 1, len(counts))
    steps = counts[number - 1]
    opening = steps if number == first + 1 else 1  # at first all of it, to be stepped back through
    here = Place(number - 1, bounded(controls, "step", opening, steps) - 1)
    targets = {
        "previous": Place(max(here.round - 1, 0), 0),
        "back": moved(counts, here, -1),
        "forward": moved(counts, here, 1),
        "next": Place(min(here.round + 1, len(counts) - 1), 0),
    }
    for name, target in targets.items():
        buttons.button(
            t(f"round-{name}"),
            key=f"{controls.page_id}-go-{name}",
            type="primary" if name == "forward" else "secondary",
            disabled=target == here,
            on_click=st.session_state.update,
            args=(controls.keyed(round=target.round + 1, step=target.step + 1),),
        )
    return here


def bounded(controls: Controls, name: str, first: int, last: int) -> int:
    """The slider of a number from 1 to `last`, which a round or a trace before may have had larger."""
    (key,) = controls.keyed(**{name: first})
    if key in st.session_state:
        # With another end it is another slider to Streamlit, which would begin anew or take an older place.
        st.session_state[key] = min(st.session_state[key], last)
    # A slider has two ends; where there is one value alone, its other end is not reached.
    slider = Controls(controls.page_id, Number(name, first, 1, max(last, 2)))
    return min(int(slider.draw(name)), last)
