"""What speculation buys, by formula: tokens a round, speed-up, operations, and the best γ.

α: mean acceptance; γ: drafted tokens a round; c: time of a draft step ÷ time of a target step; v: time of a
target pass over γ + 1 positions ÷ over one (the paper takes v = 1). Source: Leviathan, Kalman and Matias,
"Fast inference from transformers via speculative decoding" (ICML 2023), unless another is named. The
formulas take acceptances as independent and equal at every position; `expected_tokens_by_position` does not.
"""

from collections.abc import Callable, Sequence

import numpy as np

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


def operations_factor(alpha: float, gamma: int, c_hat: float) -> float:
    r"""$\frac{(1-\alpha)(\gamma \hat c + \gamma + 1)}{1 - \alpha^{\gamma+1}}$: operations a token, relative.

    ĉ: operations of a draft step ÷ those of a target step. Theorem 3.11.
    """
    return (gamma * c_hat + gamma + 1) / expected_tokens(alpha, gamma)


def some_gamma_helps(alpha: float, c: float) -> bool:
    r"""$\alpha > c$: then γ = 1 already gains $\frac{1 + \alpha}{1 + c}$. Corollary 3.9."""
    return alpha > c


def optimal_gamma(
    alpha: float, c: float, v: Callable[[int], float] = lambda gamma: 1.0, limit: int = MAX_GAMMA
) -> int:
    """The γ from 0 to `limit` with the largest speed-up; the smallest of equals. `v` is a function of γ."""
    return max(range(limit + 1), key=lambda gamma: speedup(alpha, gamma, c, v(gamma)))


def oracle_tokens(alpha: float) -> float:
    r"""$\frac{1}{1-\alpha}$ tokens a round where γ is always just right: up to the first rejection."""
    _check(alpha, 0)
    return float("inf") if alpha == 1 else 1 / (1 - alpha)


def oracle_speedup(alpha: float, c: float) -> float:
    r"""$\frac{1/(1-\alpha)}{1 + c\alpha/(1-\alpha)} = \frac{1}{1 - \alpha + c\alpha}$: no γ is faster."""
    _check(alpha, 0)
    free = 1 - alpha + c * alpha
    return float("inf") if free == 0 else 1 / free


def expected_experts(experts: int, per_token: int, tokens: int) -> float:
    r"""$n \big(1 - (1 - k/n)^t\big)$ distinct experts that t tokens read, k of n each, chosen evenly.

    A mixture-of-experts target reads more weights for γ + 1 positions than for one, so its v grows.
    """
    if not 1 <= per_token <= experts or tokens < 0:
        raise InputError(
            f"{per_token} of {experts} experts for {tokens} tokens make no sense.",
            "Use at least one expert a token, no more than there are.",
        )
    return experts * (1 - (1 - per_token / experts) ** tokens)


def roofline_time(
    rows: int, weight_bytes: float, flops_per_row: float, bandwidth: float, peak: float
) -> float:
    """Seconds of a pass over `rows` positions: max(weight bytes ÷ bandwidth, rows · flops ÷ peak).

    Bytes a second and flops a second; K/V reads are left out. Its ratio at γ + 1 rows and one gives v.
    """
    if min(weight_bytes, flops_per_row, bandwidth, peak) <= 0 or rows < 1:
        raise InputError("A roofline needs positive figures.", "Give bytes, flops and rates above 0.")
    return max(weight_bytes / bandwidth, rows * flops_per_row / peak)


def _check(alpha: float, gamma: int) -> None:
    if not 0 <= alpha <= 1:
        raise InputError(f"An acceptance of {alpha} is no probability.", "Give a number from 0 to 1.")
    if gamma < 0:
        raise InputError(f"γ = {gamma} is not usable.", "Draft 0 tokens a round or more.")
