"""How many tokens a round drafts: fixed, the best by formula, adaptive, by confidence, or with hindsight.

A policy sees what earlier rounds of the request drafted and accepted, and the draft's law before a token is
drawn from it. It never sees the token: to throw away a drawn token because of what it is would change the
output law. `Oracle` alone does so, and serves greedy decoding alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from torch import Tensor

from lab.errors import LabError

MAX_GAMMA = 64

Past = Sequence[tuple[int, int]]
"""(drafted, accepted) of each earlier round of the request."""


class Policy(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def largest(self) -> int:
        """No window is longer."""

    def window(self, past: Past) -> int:
        """Tokens to draft in the next round."""

    def goes_on(self, logits: Tensor) -> bool:
        """Whether to draft a token from the draft's logits [R]; always, unless a policy says otherwise."""
        return True

    def keeps(self, request: str, index: int, token: int) -> bool:
        """Whether to offer a drawn token, the request's `index`-th, to the target; all but `Oracle` do."""
        return True


@dataclass(frozen=True)
class Fixed(Policy):
    """γ tokens a round, always."""

    gamma: int = 4

    def __post_init__(self) -> None:
        check_gamma(self.gamma)

    @property
    def name(self) -> str:
        return f"fixed {self.gamma}"

    @property
    def largest(self) -> int:
        return self.gamma

    def window(self, past: Past) -> int:
        return self.gamma


@dataclass(frozen=True)
class Adaptive(Fixed):
    """Grows by 2 after a round without a rejection and shrinks by 1 after one with it, from `gamma` on."""

    low: int = 1
    high: int = 16

    def __post_init__(self) -> None:
        super().__post_init__()
        check_gamma(self.high)
        if not 1 <= self.low <= self.gamma <= self.high:
            raise LabError(
                f"A window from {self.low} to {self.high} that begins at {self.gamma} is not usable.",
                "Begin between the least, 1 or more, and the most.",
            )

    @property
    def name(self) -> str:
        return f"adaptive {self.low}-{self.high}"

    @property
    def largest(self) -> int:
        return self.high

    def window(self, past: Past) -> int:
        window = self.gamma
        for drafted, accepted in past:
            if drafted:
                window += 2 if accepted == drafted else -1
                window = min(max(window, self.low), self.high)
        return window


@dataclass(frozen=True)
class Confident(Fixed):
    """At most γ tokens, and none once the largest probability of the draft's softmax is below `threshold`."""

    threshold: float = 0.4

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0.0 <= self.threshold <= 1.0:
            raise LabError(f"threshold = {self.threshold} is no probability.", "Give a number from 0 to 1.")

    @property
    def name(self) -> str:
        return f"confident {self.threshold:g}, at most {self.gamma}"

    def goes_on(self, logits: Tensor) -> bool:
        return float((logits.max() - logits.logsumexp(0)).exp()) >= self.threshold


@dataclass(frozen=True)
class Optimal(Policy):
    """The γ that is fastest by formula, for measured c and v, and for α as this request has shown it.

    `v[γ]` is the time of a target pass over γ + 1 positions ÷ over one. The estimate of α begins at `alpha`
    with the weight of `weight` tests, and counts every test that the rule has made since.
    """

    alpha: float
    c: float
    v: tuple[float, ...]
    weight: float = 16.0

    def __post_init__(self) -> None:
        check_alpha(self.alpha)
        if not (self.c >= 0 and self.v and all(time > 0 for time in self.v)):
            raise LabError(
                f"c = {self.c}, v = {self.v} are no relative times.", "Give c of 0 or more and v above 0."
            )
        if not self.weight > 0:
            raise LabError(f"weight = {self.weight} is no number of tests.", "Give a number above 0.")
        check_gamma(self.largest)

    @property
    def name(self) -> str:
        return f"optimal for α {self.alpha:g}, c {self.c:g}"

    @property
    def largest(self) -> int:
        return len(self.v) - 1

    def window(self, past: Past) -> int:
        accepted = sum(n for _, n in past)
        tests = accepted + sum(n < drafted for drafted, n in past)
        alpha = (self.weight * self.alpha + accepted) / (self.weight + tests)
        return optimal_gamma(alpha, self.c, self.v)


@dataclass(frozen=True)
class Oracle(Fixed):
    """Offers just the tokens that will be accepted, for it knows the target's greedy text: an upper bound."""

    texts: Mapping[str, Sequence[int]] | None = None

    @property
    def name(self) -> str:
        return f"oracle, at most {self.gamma}"

    def keeps(self, request: str, index: int, token: int) -> bool:
        text = (self.texts or {}).get(request, ())
        return index < len(text) and text[index] == token


def expected_tokens(alpha: float, gamma: int) -> float:
    """(1 − α^{γ+1}) / (1 − α) tokens a round; γ + 1 at α = 1. Leviathan et al., Eq. 1."""
    check_alpha(alpha)
    check_gamma(gamma)
    return gamma + 1.0 if alpha == 1.0 else (1.0 - alpha ** (gamma + 1)) / (1.0 - alpha)


def optimal_gamma(alpha: float, c: float, v: Sequence[float]) -> int:
    """The γ below len(v) with the largest E(α, γ) / (γc + v[γ]); the smallest of equals."""
    return max(range(len(v)), key=lambda gamma: expected_tokens(alpha, gamma) / (gamma * c + v[gamma]))


def check_gamma(gamma: int) -> None:
    """Raises LabError for a γ that cannot be drafted."""
    if not 0 <= gamma <= MAX_GAMMA:
        raise LabError(f"γ = {gamma} is not usable.", f"Draft from 0 to {MAX_GAMMA} tokens a round.")


def check_alpha(alpha: float) -> None:
    """Raises LabError for an α that is no probability."""
    if not 0.0 <= alpha <= 1.0:
        raise LabError(f"α = {alpha} is no probability.", "Give a number from 0 to 1.")
