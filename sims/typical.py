r"""Typical acceptance: Medusa's rule, which keeps a guess that the target finds likely enough. Approximate.

The law that comes out is not p, and here it is computed how far from it: a number between 0 and 1, not a
promise. Source: Cai et al., "Medusa" (ICML 2024, arXiv 2401.10774), section 2.3.1; siblings as in
`siblings.py`. The first token of a round, which Medusa always keeps, has nothing to do with this rule.
"""

import numpy as np
from numpy.typing import NDArray

from sims.acceptance import Law
from sims.errors import InputError
from sims.mistakes import Parts
from sims.siblings import Siblings

EPSILON, DELTA = 0.09, 0.3  # Medusa's own


def entropy(p: Law) -> float:
    r"""$H(p) = -\sum_x p(x) \ln p(x)$, in nats."""
    inside = p[p > 0]
    return float(-(inside @ np.log(inside)))


def threshold(p: Law, epsilon: float = EPSILON, delta: float = DELTA) -> float:
    r"""$\min(\epsilon, \delta e^{-H(p)})$: low where the target itself is unsure. Raises InputError."""
    for name, value in (("ε", epsilon), ("δ", delta)):
        if not 0 < value <= 1:
            raise InputError(f"{name} = {value} is not usable.", "Give a number above 0 and up to 1.")
    return min(epsilon, delta * float(np.exp(-entropy(p))))


def typical_set(p: Law, epsilon: float = EPSILON, delta: float = DELTA) -> NDArray[np.bool_]:
    r"""The tokens that pass, $p(x) > \min(\epsilon, \delta e^{-H(p)})$; shape of p. Raises InputError.

    Never empty for δ < 1: the likeliest token has $p(x) \ge e^{-H(p)}$.
    """
    return p > threshold(p, epsilon, delta)


def typical(p: Law, siblings: Siblings, epsilon: float = EPSILON, delta: float = DELTA) -> Parts:
    """Of the guesses that pass, the one likeliest to the target; where none passes, a draw from p.

    A guess that passes is kept for certain, so wherever one does, its token gets all the chance there is.
    """
    passing = np.isin(np.arange(len(p)), siblings.tokens) & typical_set(p, epsilon, delta)
    if not passing.any():
        return Parts(np.zeros_like(p), p)
    accepted = np.zeros_like(p)
    accepted[np.where(passing, p, -1.0).argmax()] = 1.0
    return Parts(accepted, np.zeros_like(p))
