"""What speculation buys, by formula: tokens a round, speed-up, operations, reads, and the best γ.

α: mean acceptance; γ: drafted tokens a round; c: time of a draft step ÷ time of a target step; v: time of a
target pass over γ + 1 positions ÷ over one (the paper takes v = 1). Source: Leviathan, Kalman and Matias,
"Fast inference from transformers via speculative decoding" (ICML 2023), unless another is named. The
formulas take acceptances as independent and equal at every position; `expected_tokens_by_position` does not.
`roofline.py` has a v, `rounds.py` simulates what is a mean here.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sims.errors import InputError

MAX_GAMMA = 256


def expected_tokens(alpha: float, gamma: int) -> float:
    r"""$E = \frac{1 - \alpha^{\gamma+1}}{1 - \alpha}$ tokens a round (Eq. 1); γ + 1 at α = 1."""
    _check(alpha, gamma)
    return gamma + 1.0 if alpha == 1 else (1 - alpha ** (gamma + 1)) / (1 - alpha)


def expected_tokens_by_position(conditional: Sequence[float]) -> float:
    r"""$1 + \sum_{i=1}^{\gamma} \prod_{j \le i} a_j$: a_j is the acceptance at position j, given all before.

    Equal to `expected_tokens` where all a_j are α.
    """
    for each in conditional:
        _check(each, 0)
    return 1.0 + float(np.cumprod(np.asarray(conditional, np.float64)).sum())


def speedup(alpha: float, gamma: int, c: float, v: float = 1.0) -> float:
    r"""$\frac{E}{\gamma c + v}$: Theorem 3.8 for v = 1; with v measured, what a real machine can give."""
    if c < 0 or v <= 0:
        raise InputError(f"c = {c}, v = {v} are no relative times.", "Give c of 0 or more and v above 0.")
    return expected_tokens(alpha, gamma) / (gamma * c + v)


def speedups(alphas: ArrayLike, cs: ArrayLike, v: Sequence[float]) -> NDArray[np.float64]:
    """`speedup` for every α (n,), c (m,) and γ from 0 to len(v) - 1 at once: shape (n, m, len(v))."""
    alpha, c = np.asarray(alphas, np.float64), np.asarray(cs, np.float64)
    for each in (alpha.min(), alpha.max()):
        _check(float(each), 0)
    if c.min() < 0 or min(v) <= 0:
        raise InputError("These are no relative times.", "Give each c as 0 or more and each v above 0.")
    gammas = np.arange(len(v))
    tokens = np.cumsum(alpha[:, None] ** gammas, axis=1)  # (n, γ + 1): Eq. 1 as a sum, good at α = 1 too
    return tokens[:, None, :] / (c[:, None] * gammas + np.asarray(v))


def some_gamma_helps(alpha: float, c: float) -> bool:
    r"""$\alpha > c$: then γ = 1 already gains $\frac{1 + \alpha}{1 + c}$. Corollary 3.9."""
    return alpha > c


def optimal_gamma(
    alpha: float, c: float, v: Callable[[int], float] = lambda gamma: 1.0, limit: int = MAX_GAMMA
) -> int:
    """The γ from 0 to `limit` with the largest speed-up; the smallest of equals. `v` is a function of γ."""
    return max(range(limit + 1), key=lambda gamma: speedup(alpha, gamma, c, v(gamma)))


def operations_factor(alpha: float, gamma: int, c_hat: float) -> float:
    r"""$\frac{(1-\alpha)(\gamma \hat c + \gamma + 1)}{1 - \alpha^{\gamma+1}}$: operations a token, relative.

    ĉ: operations of a draft step ÷ those of a target step. Theorem 3.11.
    """
    return (gamma * c_hat + gamma + 1) / expected_tokens(alpha, gamma)


def wasted_share(alpha: float, gamma: int) -> float:
    r"""$1 - \frac{E}{\gamma + 1}$: of the positions that the target verifies, those that give no token."""
    return 1 - expected_tokens(alpha, gamma) / (gamma + 1)


def weight_bytes_per_token(alpha: float, gamma: int, target_bytes: float, draft_bytes: float = 0.0) -> float:
    r"""$\frac{W_p + \gamma W_q}{E}$ bytes of weights read for an emitted token, each pass reading all once.

    Plain decoding reads $W_p$. The target's part shrinks by Eq. 1 (section 3.4).
    """
    if target_bytes <= 0 or draft_bytes < 0:
        raise InputError(
            f"Weights of {target_bytes} and {draft_bytes} bytes make no sense.",
            "Give the target's above 0, the draft's as 0 or more.",
        )
    return (target_bytes + gamma * draft_bytes) / expected_tokens(alpha, gamma)


def oracle_tokens(alpha: float) -> float:
    r"""$\frac{1}{1-\alpha}$ tokens a round where γ is always just right: up to the first rejection."""
    _check(alpha, 0)
    return float("inf") if alpha == 1 else 1 / (1 - alpha)


def oracle_speedup(alpha: float, c: float) -> float:
    r"""$\frac{1/(1-\alpha)}{1 + c\alpha/(1-\alpha)} = \frac{1}{1 - \alpha + c\alpha}$: no γ is faster."""
    _check(alpha, 0)
    free = 1 - alpha + c * alpha
    return float("inf") if free == 0 else 1 / free


def oracle_speedup_with(alpha: float, c: float, v: Sequence[float]) -> float:
    r"""$\frac{E}{\sum_n P(n) (n c + v_n)}$: the oracle where a pass over n + 1 positions costs v_n.

    It drafts the n ≤ γ tokens that will be accepted: $P(n) = \alpha^n (1 - \alpha)$, and the rest at
    γ = len(v) - 1. With v = 1 and γ without end it is `oracle_speedup`.
    """
    last = len(v) - 1
    _check(alpha, last)
    n = np.arange(last + 1)
    chances = alpha**n * np.where(n < last, 1 - alpha, 1.0)
    return expected_tokens(alpha, last) / float(chances @ (n * c + np.asarray(v)))


def _check(alpha: float, gamma: int) -> None:
    if not 0 <= alpha <= 1:
        raise InputError(f"An acceptance of {alpha} is no probability.", "Give a number from 0 to 1.")
    if gamma < 0:
        raise InputError(f"γ = {gamma} is not usable.", "Draft 0 tokens a round or more.")
