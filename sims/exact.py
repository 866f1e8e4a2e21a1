"""The exact sum, and what an inexact one is compared with it.

Exact means rational arithmetic; `fsum` (math.fsum's correctly rounded double) serves where many
sums are compared at once.
"""

import math
from fractions import Fraction
from itertools import accumulate

import numpy as np
from numpy.typing import ArrayLike

from sims.errors import InputError


def exact_sum(addends: ArrayLike) -> Fraction:
    """The rational sum of finite addends of any shape. Raises InputError for infinity or NaN."""
    flat = _finite(addends)
    return sum(map(Fraction, flat.tolist()), Fraction(0))


def fsum(addends: ArrayLike) -> float:
    """The exact sum rounded once to float64. Raises InputError for infinity or NaN."""
    return math.fsum(_finite(addends).tolist())


def condition(addends: ArrayLike) -> float:
    r"""$\kappa = \sum |x_i| / |\sum x_i|$, no unit: how much cancellation there is.

    1 where all signs agree; infinite where the sum is 0. A relative error of u in the addends may
    grow to $\kappa u$ in the sum. Source: Higham, Accuracy and Stability (2002), section 4.1.
    """
    total, magnitude = exact_sum(addends), exact_sum(np.abs(_finite(addends)))
    if not magnitude:
        return 1.0
    return float(magnitude / abs(total)) if total else math.inf


def _finite(addends: ArrayLike) -> np.ndarray:
    flat = np.asarray(addends, np.float64).reshape(-1)
    if not np.isfinite(flat).all():
        bad = flat[~np.isfinite(flat)][0]
        raise InputError(
            f"{bad} has no exact sum with other numbers.",
            "Give finite addends.",
            "not_finite",
            piece=str(bad),
        )
    return flat


def running_sums(addends: ArrayLike) -> np.ndarray:
    """The exact sums of the first 1, 2, …, n addends (n,), each rounded once to float64.

    Raises InputError for infinity or NaN.
    """
    return np.array(list(map(float, accumulate(map(Fraction, _finite(addends).tolist())))), np.float64)
