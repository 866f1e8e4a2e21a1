"""A race of two lanes that can be played, stopped, stepped through and dragged: `apps.lanes` makes it.

The whole picture is drawn at once, at its end; Play starts again from the beginning. Every control is one of
the browser's own, so the keyboard reaches it.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

import streamlit as st

from apps.lanes import Block, Lane, Race
from apps.registry import APPS
from apps.text import language, n, t
from apps.widgets.tokens import VISIBLE

_STYLE = APPS / "style"
ROUND_PIXELS = 22  # of the narrowest picture; a narrower screen scrolls
MOST_TICKS = 8

_player = st.components.v2.component(
    "player",
    html=(_STYLE / "player.html").read_text(),
    js=(_STYLE / "player.js").read_text(),
    isolate_styles=False,
)


@dataclass(frozen=True)
class Unit:
    """How times of a race are shown: times `scale`, with so many decimals, under the name of message `name`.

    `seconds`: how long one unit of the race takes at speed 1.
    """

    name: str
    scale: float
    digits: int
    seconds: float


MILLISECONDS = Unit("serial-unit-ms", 1000, 0, 1.0)
STEPS = Unit("serial-unit-steps", 1, 1, 0.1)
BUTTONS = ("play", "pause", "back", "next", "time", "speed", "lanes")
FACTS = ("elapsed", "plain", "speculative", "speedup")
LEGEND = ("draft", "verify")


def player(race: Race, unit: Unit, key: str) -> None:
    """Draw the race. Two races on one page have two keys."""
    texts: dict[str, Any] = {name: t(f"serial-player-{name}") for name in (*BUTTONS, *FACTS)}
    texts["unit"] = t(unit.name)
    texts["legend"] = [(kind, t(f"serial-legend-{kind}")) for kind in LEGEND]
    rounds = len({block.round for block in race.speculative.blocks})
    data = {
        "end": race.end,
        "scale": unit.scale,
        "digits": unit.digits,
        "seconds": unit.seconds,
        "numerals": language().numerals,
        "width": ROUND_PIXELS * max(rounds, 1),
        "ticks": ticks(race.end),
        "lanes": [_lane("plain", race.plain, unit), _lane("speculative", race.speculative, unit)],
        "readings": [asdict(reading) for reading in race.readings],
        "texts": texts,
    }
    _player(key=key, data=data)


def ticks(end: float) -> list[float]:
    """Round times from 0, at most MOST_TICKS of them, the last one well before the end of the axis."""
    if end <= 0:
        return [0.0]
    step = 10 ** math.floor(math.log10(end))
    step = next(step * part for part in (0.1, 0.2, 0.5, 1, 2) if end / (step * part) <= MOST_TICKS)
    return [step * i for i in range(math.floor(end / step) + 1) if step * i <= 0.92 * end]


def _lane(name: str, lane: Lane, unit: Unit) -> dict[str, Any]:
    return {
        "id": name,
        "name": t(f"serial-lane-{name}"),
        "blocks": [(block.kind, block.start, block.end, _told(block, unit)) for block in lane.blocks],
        "tokens": [
            {
                "at": token.at,
                "text": token.text.translate(VISIBLE),
                "mark": token.mark,
                "told": t(f"token-{token.mark}", position=at),
            }
            for at, token in enumerate(lane.tokens)
        ],
    }


def _told(block: Block, unit: Unit) -> str:
    """What a block says of itself on hover."""
    length = n((block.end - block.start) * unit.scale, f".{max(unit.digits, 1)}f")
    return t(
        "serial-hover",
        kind=t(f"serial-kind-{block.kind}"),
        round=block.round,
        length=f"{length} {t(unit.name)}",
    )
