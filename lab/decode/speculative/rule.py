"""The rule of speculative decoding for one drafted token: accept it, or draw from the residual.

p_target and p_draft are laws over one vocabulary, both after the sampling transform. Leviathan, Kalman and
Matias (ICML 2023), Algorithm 1; Chen et al. (2023), Algorithm 2. Exact for any two laws, temperature 0
included: there both are one-hot, and the rule asks whether they name the same token.
"""

from __future__ import annotations

import torch
from torch import Tensor

from lab.errors import LabError

SUM_TOLERANCE = 1e-9
"""How far from 1 the sum of a law may lie: rounding of FP64 sums over a vocabulary stays far below."""


def accepts(p_target: float, p_draft: float, uniform: float) -> bool:
    """Whether a drafted token stands: u < p/q, for u uniform in [0, 1).

    Strict, so that a token which the target never draws is never accepted, not even at u = 0. Raises
    LabError where p_draft is 0: such a token cannot have been drafted, so the law is not the draft's own.
    """
    if p_draft <= 0.0:
        raise LabError(
            f"A drafted token has probability {p_draft} in its draft's law.",
            "Give the law that the token was drawn from, after the sampling transform.",
        )
    return uniform < p_target / p_draft


def residual(p_target: Tensor, p_draft: Tensor) -> Tensor:
    """p′ = max(0, p − q) ÷ its sum [vocab]: the law of the token after a rejection.

    Where nothing is left (p = q up to rounding), a rejection has probability 0 and p stands in.
    """
    left = (p_target - p_draft).clamp_(min=0.0)
    total = float(left.sum())
    return left / total if total > 0.0 else p_target


def beta(p_target: Tensor, p_draft: Tensor) -> float:
    """β = Σ min(p, q): the chance that a token drawn from q is accepted. Leviathan et al., Theorem 3.5."""
    return float(torch.minimum(p_target, p_draft).sum())


def check_law(p: Tensor, whose: str) -> None:
    """Raises LabError for a law that is negative somewhere or does not sum to 1."""
    total = float(p.sum())
    if not abs(total - 1.0) <= SUM_TOLERANCE or float(p.amin()) < 0.0:
        raise LabError(
            f"The law of {whose} sums to {total:.12g}, its least probability is {float(p.amin()):.3g}.",
            "Give probabilities of 0 or more that sum to 1.",
        )
