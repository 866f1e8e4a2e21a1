"""Monte Carlo of the rounds of speculative decoding: how many drafts are accepted, and how that adds up.

Only acceptance is drawn, no tokens: whether a draft is accepted depends on chance and on its position, or on
the draft before it. One uniform decides a whole round, by the inverse of its cumulative law: exact in law,
and a million rounds take hundredths of a second. `speedup.py` has the formulas that the means must meet.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from sims.errors import InputError

Chances = NDArray[np.float64]


@dataclass(frozen=True)
class Rounds:
    """Accepted drafts of each simulated round, out of `gamma`."""

    gamma: int
    accepted: NDArray[np.int64]

    @property
    def tokens(self) -> NDArray[np.int64]:
        """Emitted by each round: the accepted drafts and one more."""
        return self.accepted + 1

    @property
    def counts(self) -> NDArray[np.int64]:
        """Rounds with 0, 1, … γ accepted drafts: shape (γ + 1,)."""
        return np.bincount(self.accepted, minlength=self.gamma + 1)

    @property
    def conditional(self) -> Chances:
        """Acceptance at each position, given that it was reached; NaN where none was."""
        reached = self.counts[::-1].cumsum()[::-1]  # (γ + 1,): rounds with at least i accepted
        return np.divide(reached[1:], reached[:-1], out=np.full(self.gamma, np.nan), where=reached[:-1] > 0)

    @property
    def unconditional(self) -> Chances:
        """Share of rounds in which each position was accepted."""
        return self.counts[::-1].cumsum()[::-1][1:] / len(self.accepted)

    @property
    def accepted_per_draft(self) -> float:
        """Accepted ÷ drafted. Not α: drafts after a rejection count as drafted and never had a chance."""
        return float(self.accepted.sum() / (self.gamma * len(self.accepted))) if self.gamma else float("nan")


def simulate(conditional: Sequence[float], rounds: int, seed: int = 0) -> Rounds:
    """Rounds whose position i accepts with probability conditional[i], independently. Raises InputError."""
    survival = np.cumprod(_chances(conditional))  # (γ,): the chance that more than i are accepted
    uniforms = np.random.default_rng(seed).random(_count(rounds))
    return Rounds(len(survival), _draw(survival, uniforms))


def simulate_streaks(alpha: float, stay: float, gamma: int, rounds: int, seed: int = 0) -> Rounds:
    """Rounds whose positions are correlated: easy text and hard text come in streaks.

    Each position's outcome repeats the one before it with probability `stay`, and is drawn anew with chance α
    otherwise, also across rounds; so its long-run mean is α for every `stay`. Outcomes at the ends of rounds
    are such a chain themselves, with stay^γ; what lies between two ends is drawn given both.
    Raises InputError.
    """
    _chances([alpha, stay])
    generator = np.random.default_rng(seed)
    ends = _chain(alpha, stay**gamma, _count(rounds) + 1, generator)
    uniforms = generator.random(rounds)
    accepted = np.zeros(rounds, np.int64)
    for before, after in product((False, True), repeat=2):
        own = (ends[:-1] == before) & (ends[1:] == after)
        if own.any() and gamma:
            law = streak_law(alpha, stay, gamma, before, after)
            survival = (law[::-1].cumsum()[::-1] / law.sum())[1:]
            accepted[own] = _draw(survival, uniforms[own])
    return Rounds(gamma, accepted)


def accepted_law(conditional: Sequence[float]) -> Chances:
    r"""The chance of each number accepted: $\prod_{j \le n} a_j \cdot (1 - a_{n+1})$; shape (γ + 1,)."""
    survival = np.array([1.0, *np.cumprod(_chances(conditional)), 0.0])
    return survival[:-1] - survival[1:]


def streak_conditional(alpha: float, stay: float, gamma: int) -> list[float]:
    r"""Acceptance at each position in streaks, given all before: α first, then $s + (1 - s) \alpha$."""
    _chances([alpha, stay])
    return [alpha if i == 0 else stay + (1 - stay) * alpha for i in range(gamma)]


def streak_law(alpha: float, stay: float, gamma: int, before: bool, after: bool) -> Chances:
    """The chance of each number accepted together with `after` as the last outcome, given the one `before`.

    Shape (γ + 1,). n accepted are n successes and a failure; how the rest ends depends on the failure alone.
    """

    def go(steps: int, start: bool, end: bool) -> float:
        same = stay**steps
        return same * (start == end) + (1 - same) * (alpha if end else 1 - alpha)

    law, reached = [], 1.0  # `reached`: the chance that all so far are successes
    for n in range(gamma):
        last = before if n == 0 else True
        law.append(reached * go(1, last, False) * go(gamma - n - 1, False, after))
        reached *= go(1, last, True)
    return np.array([*law, reached * after])


def _chain(alpha: float, stay: float, size: int, generator: np.random.Generator) -> NDArray[np.bool_]:
    """Outcomes that repeat with probability `stay` and are drawn anew otherwise; the first one is new."""
    fresh = generator.random(size) < alpha
    renewed = generator.random(size) >= stay
    renewed[0] = True
    return fresh[np.maximum.accumulate(np.where(renewed, np.arange(size), 0))]


def _draw(survival: NDArray[np.floating], uniforms: Chances) -> NDArray[np.int64]:
    """For each uniform, how many of the falling `survival` chances it lies below."""
    return np.searchsorted(-survival, -uniforms, side="left")


def _chances(values: Sequence[float]) -> Chances:
    chances = np.asarray(values, np.float64)
    if chances.size and not ((chances >= 0) & (chances <= 1)).all():
        raise InputError(f"{list(values)} are no probabilities.", "Give numbers from 0 to 1.")
    return chances


def _count(rounds: int) -> int:
    if rounds < 1:
        raise InputError(f"{rounds} rounds tell nothing.", "Simulate at least one.")
    return rounds
