"""How a logit may be perturbed by a change of batch: laws to choose from, with their assumptions.

A law gives the chance that the runner-up gains more than a margin on the winner, and draws
perturbations. What the perturbations of a real model look like is for measurements to say;
`MeasuredNoise` and `MeasuredDifferences` take them as they are.
"""

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sims.errors import InputError

Values = NDArray[np.float64]

_erfc = np.vectorize(math.erfc, otypes=[np.float64])


def normal_survival(z: ArrayLike) -> Values:
    r"""$P(Z > z) = \tfrac12 \operatorname{erfc}(z / \sqrt 2)$ for a standard normal Z."""
    return np.asarray(0.5 * _erfc(np.asarray(z, np.float64) / math.sqrt(2)))


class DifferenceNoise(Protocol):
    """A law of d = perturbation of the runner-up - perturbation of the winner.

    `assumptions` are keys: "independent", "gaussian", "uniform", "correlated", "measured",
    "same_law" (every logit has one law).
    """

    @property
    def assumptions(self) -> tuple[str, ...]: ...

    def exceeds(self, margin: ArrayLike) -> Values:
        """P(d > margin), for margins of any shape."""
        ...

    def draw_differences(self, rng: np.random.Generator, count: int) -> Values:
        """`count` values of d."""
        ...


class LogitNoise(DifferenceNoise, Protocol):
    """A law of each single logit's perturbation, up to a shift that all logits share."""

    def below(self, x: ArrayLike) -> Values:
        """P(e <= x) for one logit."""
        ...

    def nodes(self) -> tuple[Values, Values]:
        """Points and weights that stand for the law of e in an expectation."""
        ...

    def draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Values:
        """Perturbations of this shape, logits last."""
        ...


@dataclass(frozen=True)
class GaussianNoise:
    r"""$e_i \sim N(0, \sigma^2)$ with equal correlation $\rho$ between logits; `sd` in logit units.

    A shared shift moves no margin, so only $\sigma \sqrt{1 - \rho}$ of each logit's own matters.
    """

    sd: float
    correlation: float = 0.0

    def __post_init__(self) -> None:
        if not (self.sd > 0 and 0 <= self.correlation < 1):
            raise InputError(
                f"sd = {self.sd} and correlation = {self.correlation} were given.",
                "Use a positive sd and a correlation from 0 to below 1.",
            )

    @property
    def assumptions(self) -> tuple[str, ...]:
        return ("gaussian", "same_law", "correlated" if self.correlation else "independent")

    @property
    def own_sd(self) -> float:
        return self.sd * math.sqrt(1 - self.correlation)

    def exceeds(self, margin: ArrayLike) -> Values:
        r"""$P(d > m) = Q\!\left(\dfrac{m}{\sigma \sqrt{2 (1 - \rho)}}\right)$, Q the normal tail."""
        return normal_survival(np.asarray(margin) / (self.own_sd * math.sqrt(2)))

    def below(self, x: ArrayLike) -> Values:
        return normal_survival(-np.asarray(x) / self.own_sd)

    def nodes(self) -> tuple[Values, Values]:
        z = np.linspace(-9, 9, 1801)
        weights = np.exp(-0.5 * z * z)
        return z * self.own_sd, weights / weights.sum()

    def draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Values:
        return rng.normal(0, self.own_sd, shape)

    def draw_differences(self, rng: np.random.Generator, count: int) -> Values:
        return np.diff(self.draw(rng, (count, 2)))[:, 0]


@dataclass(frozen=True)
class UniformNoise:
    r"""$e_i$ uniform on $[-\varepsilon, \varepsilon]$, independent: a bound and nothing more."""

    eps: float

    def __post_init__(self) -> None:
        if not self.eps > 0:
            raise InputError(f"eps is {self.eps}.", "Use a positive bound.")

    @property
    def assumptions(self) -> tuple[str, ...]:
        return ("uniform", "same_law", "independent")

    def exceeds(self, margin: ArrayLike) -> Values:
        r"""$P(d > m) = (2\varepsilon - m)^2 / (8 \varepsilon^2)$ for $0 \le m \le 2\varepsilon$, 0 beyond."""
        m = np.clip(np.asarray(margin, np.float64) / self.eps, -2, 2)
        tail = (2 - np.abs(m)) ** 2 / 8
        return np.where(m >= 0, tail, 1 - tail)

    def below(self, x: ArrayLike) -> Values:
        return np.clip((np.asarray(x, np.float64) / self.eps + 1) / 2, 0, 1)

    def nodes(self) -> tuple[Values, Values]:
        count = 4_000
        return self.eps * (2 * np.arange(count) + 1 - count) / count, np.full(count, 1 / count)

    def draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Values:
        return rng.uniform(-self.eps, self.eps, shape)

    def draw_differences(self, rng: np.random.Generator, count: int) -> Values:
        return np.diff(self.draw(rng, (count, 2)))[:, 0]


@dataclass(frozen=True)
class MeasuredNoise:
    """Perturbations of single logits as measured; each logit draws one of them independently."""

    changes: tuple[float, ...]

    def __post_init__(self) -> None:
        _require_sample(self.changes)

    @property
    def assumptions(self) -> tuple[str, ...]:
        return ("measured", "same_law", "independent")

    def exceeds(self, margin: ArrayLike) -> Values:
        """P(d > m) over all pairs of measured changes, a change with itself included."""
        ordered, m = np.sort(self.changes), np.asarray(margin, np.float64)
        above = ordered.size - np.searchsorted(ordered, ordered + m[..., None], side="right")
        return above.mean(axis=-1) / ordered.size

    def below(self, x: ArrayLike) -> Values:
        ordered = np.sort(self.changes)
        return np.searchsorted(ordered, np.asarray(x, np.float64), side="right") / ordered.size

    def nodes(self) -> tuple[Values, Values]:
        return np.array(self.changes), np.full(len(self.changes), 1 / len(self.changes))

    def draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Values:
        return rng.choice(self.changes, shape)

    def draw_differences(self, rng: np.random.Generator, count: int) -> Values:
        return np.diff(self.draw(rng, (count, 2)))[:, 0]


@dataclass(frozen=True)
class MeasuredDifferences:
    """Changes of the margin itself as measured (sign: runner-up's gain): no independence is assumed.

    For two candidates only, since it says nothing about a third.
    """

    differences: tuple[float, ...]

    def __post_init__(self) -> None:
        _require_sample(self.differences)

    @property
    def assumptions(self) -> tuple[str, ...]:
        return ("measured",)

    def exceeds(self, margin: ArrayLike) -> Values:
        """P(d > m): the share of measured differences above m."""
        ordered = np.sort(self.differences)
        return 1 - np.searchsorted(ordered, np.asarray(margin, np.float64), side="right") / ordered.size

    def draw_differences(self, rng: np.random.Generator, count: int) -> Values:
        return rng.choice(self.differences, count)


def _require_sample(sample: tuple[float, ...]) -> None:
    if not sample or not np.isfinite(sample).all():
        raise InputError("The measured sample is empty or not finite.", "Give finite changes, one or more.")
