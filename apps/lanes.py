"""Plain and speculative decoding on one time axis: what each lane does when, and when its tokens appear.

Lanes are read out of a trace, or simulated from α, γ, c and v. Times are in seconds for a trace and in target
steps for a simulation. Only passes count, of the draft and of the target: a trace does not tell what plain
decoding does between them. Passes over the prompt are left out of both lanes; the token that they give stands
at time 0. `apps.race_player` draws a race.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import pandas as pd  # type: ignore[import-untyped]

from apps.speculative_run import Run
from apps.widgets.tokens import Mark
from lab.records import TokenRecord
from lab.round_records import RoundRecord
from sims.rounds import simulate

Kind = Literal["token", "draft", "verify"]
LAST: dict[str, Mark] = {"correction": "corrected", "bonus": "bonus", "cut": "accepted"}


@dataclass(frozen=True)
class Block:
    """One piece of work of a lane."""

    kind: Kind
    start: float
    end: float
    round: int
    """Of the speculative lane; in the plain one, the token's index."""


@dataclass(frozen=True)
class Written:
    """A token, and when a reader may see it: at the end of its step, or of its round."""

    at: float
    text: str
    mark: Mark


@dataclass(frozen=True)
class Lane:
    blocks: tuple[Block, ...]
    tokens: tuple[Written, ...]

    @property
    def end(self) -> float:
        return self.blocks[-1].end if self.blocks else 0.0

    def count(self, time: float) -> int:
        """Tokens that have appeared by then."""
        return bisect_right([token.at for token in self.tokens], time)


@dataclass(frozen=True)
class Reading:
    """Both lanes at one moment."""

    at: float
    plain: int
    speculative: int
    speedup: float | None
    """Plain decoding's time for as many tokens ÷ speculation's; None while that takes no time."""


@dataclass(frozen=True)
class Race:
    plain: Lane
    speculative: Lane

    @property
    def end(self) -> float:
        return max(self.plain.end, self.speculative.end)

    def at(self, time: float) -> Reading:
        """What has appeared by then."""
        plain, ours = self.plain.count(time), self.speculative.count(time)
        both = min(ours, len(self.plain.tokens))
        taken = self.speculative.tokens[both - 1].at if both else 0.0
        speedup = self.plain.tokens[both - 1].at / taken if taken else None
        return Reading(time, plain, ours, speedup)

    @property
    def readings(self) -> tuple[Reading, ...]:
        """At the start and whenever a token appears."""
        times = {token.at for lane in (self.plain, self.speculative) for token in lane.tokens}
        return tuple(self.at(time) for time in sorted(times | {0.0}))


def plain_lane(tokens: Sequence[TokenRecord]) -> Lane:
    """One block a token, from the second on."""
    blocks: list[Block] = []
    written = [Written(0.0, token.text, "plain") for token in tokens[:1]]
    now = 0.0
    for token in tokens[1:]:
        now = _append(blocks, [("token", token.seconds)], now, token.index)
        written.append(Written(now, token.text, "plain"))
    return Lane(tuple(blocks), tuple(written))


def speculative_lane(first: Sequence[TokenRecord], rounds: Iterable[RoundRecord]) -> Lane:
    """Draft steps and the target's pass of each round, whose tokens appear together at its end.

    `first`: the tokens that the prompt's pass gave.
    """
    blocks: list[Block] = []
    written = [Written(0.0, token.text, "plain") for token in first]
    now = 0.0
    for one in rounds:
        work: list[tuple[Kind, float]] = [("draft", each.seconds) for each in one.drafted]
        now = _append(blocks, [*work, ("verify", one.verify_seconds)], now, one.round)
        written += [Written(now, text, mark) for text, mark in zip(one.texts, marks(one), strict=True)]
    return Lane(tuple(blocks), tuple(written))


def marks(one: RoundRecord) -> list[Mark]:
    """Of the tokens that a round emits."""
    made: list[Mark] = ["accepted"] * len(one.emitted)
    if made:
        made[-1] = LAST[one.ending]
    return made


def race(run: Run, request: str) -> Race:
    """Both lanes of one prompt of a run."""
    rounds = run.rounds(request)
    first = [token for token in run.tokens(request) if not rounds or token.index < rounds[0].start]
    return Race(plain_lane(run.plain(request)), speculative_lane(first, rounds))


def simulated(alpha: float, gamma: int, c: float, v: float, tokens: int, seed: int) -> Race:
    """A race of so many tokens in which every draft is accepted with chance α, whatever came before.

    Times are in steps of the target: a draft step takes c, a pass over γ + 1 positions v. Raises InputError.
    """
    plain = Lane(
        tuple(Block("token", i, i + 1, i) for i in range(tokens)),
        tuple(Written(i + 1.0, str(i + 1), "plain") for i in range(tokens)),
    )
    blocks: list[Block] = []
    written: list[Written] = []
    now = 0.0
    for at, accepted in enumerate(simulate([alpha] * gamma, max(tokens, 1), seed).accepted.tolist()):
        if len(written) >= tokens:
            break
        work: list[tuple[Kind, float]] = [("draft", c)] * gamma
        now = _append(blocks, [*work, ("verify", v)], now, at)
        last: Mark = "bonus" if accepted == gamma else "corrected"
        first = len(written) + 1
        written += [Written(now, str(first + i), "accepted") for i in range(accepted)]
        written.append(Written(now, str(first + accepted), last))
    return Race(plain, Lane(tuple(blocks), tuple(written[:tokens])))


def _append(blocks: list[Block], work: Iterable[tuple[Kind, float]], now: float, at: int) -> float:
    """Put the work behind one another, from `now`; what takes no time is left out. Returns the end."""
    for kind, length in work:
        if length > 0:
            blocks.append(Block(kind, now, now + length, at))
            now += length
    return now


def frame(race: Race, unit: str) -> pd.DataFrame:
    """A row a block, with the tokens that the lane has written by its end."""
    lanes = {"plain": race.plain, "speculative": race.speculative}
    return pd.DataFrame(
        [
            {
                "lane": name,
                "round": block.round,
                "kind": block.kind,
                f"start_{unit}": block.start,
                f"end_{unit}": block.end,
                "tokens": lane.count(block.end),
            }
            for name, lane in lanes.items()
            for block in lane.blocks
        ]
    )
