"""From a perturbed logit to a flipped token: P(flip | margin, noise), by formula and by Monte Carlo.

The margin is top-1 minus top-2 logit before the perturbation; a flip is another argmax after it.
On a grid (logits rounded to BF16) the phase of the grid against the logits is taken as uniform,
and a tie goes to the lowest token id, so half a story is told by the swap and the tie apart.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sims.errors import InputError
from sims.formats import Format
from sims.noise import DifferenceNoise, LogitNoise
from sims.rounding import round_to

Values = NDArray[np.float64]

_MIDPOINTS = (np.arange(4_096) + 0.5) / 4_096


def cannot_flip(margin: ArrayLike, eps: float) -> NDArray[np.bool_]:
    r"""Where $m > 2\varepsilon$: if no logit moves by more than ε, the argmax stays.

    $\ell_1 - \varepsilon > \ell_j + \varepsilon$ for every other j. At $m \le 2\varepsilon$ a flip is
    possible, not certain.
    """
    return np.asarray(margin, np.float64) > 2 * eps


def flip_probability(margin: ArrayLike, noise: DifferenceNoise) -> Values:
    r"""$P(\text{flip} \mid m) = P(e_2 - e_1 > m)$ for two candidates, margins of any shape."""
    return noise.exceeds(margin)


def union_bound(margins: ArrayLike, noise: DifferenceNoise) -> float:
    r"""$P(\text{flip}) \le \min(1, \sum_j P(e_j - e_1 > m_j))$: needs no independence between candidates."""
    return min(1.0, float(noise.exceeds(margins).sum()))


def flip_probability_many(margins: ArrayLike, noise: LogitNoise) -> float:
    r"""$P(\text{flip}) = 1 - \mathbb{E}_{e_1} \prod_j F(m_j + e_1)$ for margins (N-1,) to the winner.

    F is the law of one logit's perturbation; given $e_1$ the others are independent.
    """
    margins = np.asarray(margins, np.float64)
    winner, weights = noise.nodes()
    stays = noise.below(margins[:, None] + winner).prod(axis=0)
    return float(1 - weights @ stays)


def independent_events(margins: ArrayLike, noise: DifferenceNoise) -> float:
    r"""$1 - \prod_j (1 - P(e_j - e_1 > m_j))$: as if the candidates' overtakings were independent.

    They are not, since all of them face the same $e_1$; shown beside the exact value for that reason.
    """
    return float(1 - np.prod(1 - noise.exceeds(margins)))


def tie_probability(margin: ArrayLike, spacing: float) -> Values:
    r"""$P(\text{tie}) = \max(0, 1 - |m| / \Delta)$: two logits m apart round to one grid point.

    Δ is the grid's spacing (0.125 for BF16 logits from 16 to 32). Averaged over measured margins it
    predicts the share of steps that tie. Assumes a uniform phase.
    """
    return np.maximum(0.0, 1 - np.abs(np.asarray(margin, np.float64)) / spacing)


@dataclass(frozen=True)
class GridFlip:
    """Two logits after perturbation and rounding: the runner-up is strictly ahead, or level."""

    swap: float
    tie: float

    def flip(self, runner_up_has_lower_id: bool) -> float:
        """P(flip) under the lowest-id rule: a tie flips only towards the lower id."""
        return self.swap + self.tie * runner_up_has_lower_id


def grid_flip(margin: float, noise: DifferenceNoise, spacing: float) -> GridFlip:
    r"""Swap and tie on a grid of spacing Δ, the averages over $t \in (0, \Delta)$ of
    $P(d > m + t)$ and of $P(d > m - t) - P(d > m + t)$.

    A difference y rounds to a tie with probability $1 - |y|/\Delta$ and keeps its sign otherwise.
    Averaged over 4,096 midpoints, exact to about 1/4096 for a measured law and far better for a smooth one.
    """
    t = spacing * _MIDPOINTS
    beyond, before = noise.exceeds(margin + t), noise.exceeds(margin - t)
    return GridFlip(float(beyond.mean()), float((before - beyond).mean()))


@dataclass(frozen=True)
class FlipCount:
    """A Monte Carlo count: strict swaps and ties among `samples`."""

    swaps: int
    ties: int
    samples: int

    @property
    def swap(self) -> float:
        return self.swaps / self.samples

    @property
    def tie(self) -> float:
        return self.ties / self.samples


def wilson_interval(hits: int, samples: int, z: float = 1.96) -> tuple[float, float]:
    r"""The interval of probabilities that z standard errors do not exclude; z = 1.96 for 95 %.

    $\dfrac{\hat p + z^2/2n \pm z \sqrt{\hat p (1 - \hat p)/n + z^2/4n^2}}{1 + z^2/n}$.
    Source: Wilson (1927).
    """
    if samples < 1:
        raise InputError(f"{samples} samples were drawn.", "Draw at least one.")
    p, shrink = hits / samples, 1 + z * z / samples
    half = z * math.sqrt(p * (1 - p) / samples + (z / (2 * samples)) ** 2)
    centre = p + z * z / (2 * samples)
    return max(0.0, (centre - half) / shrink), min(1.0, (centre + half) / shrink)


def simulate_margin(
    margin: float, noise: DifferenceNoise, samples: int, seed: int, spacing: float | None = None
) -> FlipCount:
    """Two logits `margin` apart, perturbed `samples` times; rounded to a grid of random phase if given."""
    rng = np.random.default_rng(seed)
    gap = margin - noise.draw_differences(rng, samples)
    if spacing is not None:
        runner_up = rng.uniform(0, spacing, samples)
        gap = np.rint((runner_up + gap) / spacing) - np.rint(runner_up / spacing)
    return FlipCount(int((gap < 0).sum()), int((gap == 0).sum()), samples)


def simulate_logits(
    logits: ArrayLike, noise: LogitNoise, samples: int, seed: int, fmt: Format | None = None
) -> NDArray[np.int64]:
    """How often each of the logits (N,) ends up on top, shape (N,): perturbed, rounded to `fmt` if
    given, the lowest index at a tie.

    Unlike the formulas it uses the grid as it is, at the logits' true place on it.
    """
    logits = np.asarray(logits, np.float64)
    noisy = logits + noise.draw(np.random.default_rng(seed), (samples, logits.size))
    rounded = noisy if fmt is None else round_to(noisy, fmt)
    return np.bincount(rounded.argmax(axis=1), minlength=logits.size)
