"""The rule of speculative decoding for one token: accept, or draw from the residual; and its exact law.

p is the target's law and q the draft's, both after the sampling transform, over the same vocabulary; letters
as in Leviathan, Kalman and Matias (ICML 2023), which Chen et al. use the other way round.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sims.errors import InputError

Law = NDArray[np.float64]


def law(values: ArrayLike) -> Law:
    """A law from numbers of 0 or more with a positive sum, normalised. Raises InputError."""
    x = np.asarray(values, np.float64)
    if x.ndim != 1 or x.size == 0 or not np.isfinite(x).all() or (x < 0).any() or x.sum() <= 0:
        raise InputError(f"{values!r} is no law.", "Give numbers of 0 or more that are not all 0.")
    return x / x.sum()


def overlap(p: Law, q: Law) -> float:
    r"""$\beta = \sum_x \min(p(x), q(x)) = 1 - D_{LK}(p, q)$: the chance that a drafted token is accepted.

    Leviathan et al., Definition 3.2 and Theorem 3.5.
    """
    return float(np.minimum(p, q).sum())


def acceptance(p: Law, q: Law) -> Law:
    r"""$\min(1, p(x)/q(x))$ for each token; 1 where q(x) = 0, which is never drafted."""
    return np.divide(np.minimum(p, q), q, out=np.ones_like(p), where=q > 0)


def residual(p: Law, q: Law) -> Law:
    r"""$p'(x) = \max(0, p(x) - q(x)) / (1 - \beta)$: the law of the token after a rejection.

    Where nothing is left (p = q), no draft is ever rejected, and p itself stands in.
    """
    left = np.maximum(0.0, p - q)
    return left / left.sum() if left.sum() > 0 else p


def emitted(p: Law, q: Law) -> Law:
    r"""The law of the token that comes out: $q(x) \min(1, p(x)/q(x)) + (1 - \beta) p'(x)$. It is p."""
    return q * acceptance(p, q) + (1 - overlap(p, q)) * residual(p, q)


def lenient_overlap(p: Law, q: Law, lenience: float) -> float:
    r"""$\alpha(l) = \sum_x \min(p(x)/l, q(x))$: acceptance with lenience l from 0 to 1.

    Below 1 the output law is no longer p, but no token exceeds p(x)/l. Leviathan et al., Appendix A.5.
    """
    if not 0 < lenience <= 1:
        raise InputError(f"A lenience of {lenience} is not usable.", "Give a number above 0 and up to 1.")
    return float(np.minimum(p / lenience, q).sum())


def lenient_law(p: Law, q: Law, lenience: float) -> Law:
    r"""The law that comes out with p/l in place of p everywhere in the rule; approximate below l = 1.

    Its total variation distance from p is at least what acceptance gains, $\alpha(l) - \beta$.
    """
    missed = 1 - lenient_overlap(p, q, lenience)
    return np.minimum(p / lenience, q) + missed * residual(p / lenience, q)


def round_law(p: Sequence[Law], q: Sequence[Law]) -> dict[tuple[int, ...], float]:
    """The law of what one round emits, by enumeration: the draft proposes len(q) tokens, p has one law more.

    Position i has the same laws whatever the tokens before it. A round emits the accepted tokens and then
    the correction, or the bonus where all were accepted. Raises InputError for laws that do not fit.
    """
    if len(p) != len(q) + 1 or len({len(each) for each in (*p, *q)}) != 1:
        raise InputError(
            f"{len(q)} draft laws and {len(p)} target laws do not fit.",
            "Give one target law more than draft laws, all over one vocabulary.",
        )
    out: dict[tuple[int, ...], float] = {}

    def go(at: int, tokens: tuple[int, ...], chance: float) -> None:
        if at == len(q):
            for token, bonus in enumerate(p[at]):
                out[(*tokens, token)] = out.get((*tokens, token), 0.0) + chance * bonus
            return
        accept = acceptance(p[at], q[at])
        correction = residual(p[at], q[at])
        for token, drafted in enumerate(q[at]):
            go(at + 1, (*tokens, token), chance * drafted * accept[token])
        rejected = chance * (1 - overlap(p[at], q[at]))
        for token, share in enumerate(correction):
            out[(*tokens, token)] = out.get((*tokens, token), 0.0) + rejected * share

    go(0, (), 1.0)
    return {tokens: chance for tokens, chance in out.items() if chance > 0}
