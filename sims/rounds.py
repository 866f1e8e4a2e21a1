"""Monte Carlo of the rounds of speculative decoding: how many drafts are accepted, and how that adds up.

Only acceptance is drawn, no tokens: whether a draft is accepted depends on chance and on its position, or on
the draft before it. `speedup.py` has the formulas that the first two cases must meet.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sims.errors import InputError


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
    def conditional(self) -> NDArray[np.float64]:
        """Acceptance at each position, given that it was reached; NaN where none was."""
        reached = np.array([(self.accepted >= i).sum() for i in range(self.gamma)])
        passed = np.array([(self.accepted > i).sum() for i in range(self.gamma)])
        return np.divide(passed, reached, out=np.full(self.gamma, np.nan), where=reached > 0)

    @property
    def unconditional(self) -> NDArray[np.float64]:
        """Share of rounds in which each position was accepted."""
        return np.array([(self.accepted > i).mean() for i in range(self.gamma)])

    @property
    def accepted_per_draft(self) -> float:
        """Accepted ÷ drafted. Not α: drafts after a rejection count as drafted and never had a chance."""
        return float(self.accepted.sum() / (self.gamma * len(self.accepted))) if self.gamma else float("nan")


def simulate(conditional: Sequence[float], rounds: int, seed: int = 0) -> Rounds:
    """Rounds whose position i accepts with probability conditional[i], independently. Raises InputError."""
    chances = _chances(conditional)
    uniforms = np.random.default_rng(seed).random((_count(rounds), len(chances)))
    return Rounds(len(chances), _leading(uniforms < chances))


def simulate_streaks(alpha: float, stay: float, gamma: int, rounds: int, seed: int = 0) -> Rounds:
    """Rounds whose positions are correlated: easy text and hard text come in streaks.

    Each position's outcome repeats the one before it with probability `stay`, and is drawn anew with chance α
    otherwise, also across rounds; so its long-run mean is α for every `stay`.
    """
    _chances([alpha, stay])
    generator = np.random.default_rng(seed)
    size = _count(rounds) * max(gamma, 1)
    fresh = generator.random(size) < alpha
    renewed = generator.random(size) >= stay
    renewed[0] = True
    source = np.maximum.accumulate(np.where(renewed, np.arange(size), 0))
    outcomes = fresh[source].reshape(rounds, -1)[:, :gamma]
    return Rounds(gamma, _leading(outcomes))


def _leading(outcomes: NDArray[np.bool_]) -> NDArray[np.int64]:
    """How many of each row are true before the first that is not."""
    return np.cumprod(outcomes, axis=1, dtype=np.int64).sum(axis=1)


def _chances(values: Sequence[float]) -> NDArray[np.float64]:
    chances = np.asarray(values, np.float64)
    if chances.size and not ((chances >= 0) & (chances <= 1)).all():
        raise InputError(f"{list(values)} are no probabilities.", "Give numbers from 0 to 1.")
    return chances


def _count(rounds: int) -> int:
    if rounds < 1:
        raise InputError(f"{rounds} rounds tell nothing.", "Simulate at least one.")
    return rounds
