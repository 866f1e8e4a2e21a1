"""What speculation buys, by formula: from acceptance and relative times to a speedup.

α: mean acceptance; γ: drafted tokens a round; c: time of a draft step ÷ time of a target step; v: time of a
target pass over γ + 1 positions ÷ over one (the paper takes v = 1). Source: Leviathan, Kalman and Matias,
"Fast inference from transformers via speculative decoding" (ICML 2023). Eq. 1 and the best γ are in `policy`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lab.decode.speculative.policy import check_alpha, expected_tokens
from lab.errors import LabError

Cost = Callable[[int, int], float]
"""Of a round, by how many tokens it may draft and how many of them are accepted."""


def speedup(tokens: float, gamma: int, c: float, v: float = 1.0) -> float:
    """E / (γc + v), for E tokens a round. With Eq. 1's E and v = 1 it is Theorem 3.8."""
    if c < 0.0 or v <= 0.0:
        raise LabError(f"c = {c}, v = {v} are no relative times.", "Give c of 0 or more and v above 0.")
    return tokens / (gamma * c + v)


def operations_factor(alpha: float, gamma: int, c_hat: float) -> float:
    """(γĉ + γ + 1) / E: operations of a token ÷ those of plain decoding. Theorem 3.11.

    ĉ: operations of a draft step ÷ those of a target step.
    """
    return (gamma * c_hat + gamma + 1) / expected_tokens(alpha, gamma)


def expected_cost(chances: Sequence[float], gamma: int, limit: int, cost: Cost) -> float:
    """Mean cost of the rounds that write a text, for any γ, without running them.

    chances[i]: min(1, q/p) of the text's token i + 1; token 0 comes with the prompt. `limit`: the most tokens
    that were asked for; the text is shorter where it ended by itself.

    For a text that the target drew, exact: let a drafted token stand for the text's own with that chance, and
    the pair (token, stands) has the law that the rule gives it, p · min(1, q/p) = min(p, q) and p − min(p, q)
    = the residual's share. At temperature 0 chances are 0 or 1, and the rounds are those of a run. Cost 1
    counts rounds.
    """
    for chance in chances:
        check_alpha(chance)
    length = len(chances) + 1
    ahead = [0.0] * (length + 2)  # ahead[start]: of the rounds that begin with `start` tokens committed
    for start in range(length - 1, 0, -1):
        window = min(gamma, limit - start - 1)
        within = min(window, length - start)
        total, reached = 0.0, 1.0
        for accepted in range(within):
            chance = chances[start - 1 + accepted]
            total += reached * (1 - chance) * (cost(window, accepted) + ahead[start + accepted + 1])
            reached *= chance
        ahead[start] = total + reached * (cost(window, within) + ahead[start + within + 1])
    return ahead[1]
