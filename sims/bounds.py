"""How wrong a sum can be: bounds on |computed - exact| before anything is added.

Every bound holds without overflow or underflow and counts the additions only (not the rounding of
the inputs, nor of the output); u is the largest relative error of one addition. `tree_bound`
follows each addend through its own additions and takes any format at any node; the others are the
formulas of the textbooks, which need only n, and those for compensated sums want rounding to
nearest.
"""

import math

import numpy as np
from numpy.typing import ArrayLike

from sims.arithmetic import Arithmetic
from sims.trees import Tree


def gamma(k: int, u: float) -> float:
    r"""$\gamma_k = \dfrac{k u}{1 - k u}$: relative error after k roundings; infinite once $k u \ge 1$.

    Source: Higham, Accuracy and Stability of Numerical Algorithms (2002), lemma 3.1.
    """
    return k * u / (1 - k * u) if k * u < 1 else math.inf


def sequential_bound(addends: ArrayLike, u: float) -> float:
    r"""$|E| \le \gamma_{n-1} \sum |x_i|$, for one accumulator in any order.

    Source: Higham (2002), eq. 4.6 with the sum's own n - 1 additions.
    """
    x = np.abs(np.asarray(addends, np.float64))
    return gamma(x.size - 1, u) * math.fsum(x) if x.size > 1 else 0.0


def pairwise_bound(addends: ArrayLike, u: float) -> float:
    r"""$|E| \le \gamma_{\lceil \log_2 n \rceil} \sum |x_i|$. Source: Higham (2002), section 4.2."""
    x = np.abs(np.asarray(addends, np.float64))
    return gamma(math.ceil(math.log2(x.size)), u) * math.fsum(x) if x.size > 1 else 0.0


def kahan_bound(addends: ArrayLike, u: float) -> float:
    r"""$|E| \lesssim 2u \sum |x_i|$, whatever n. Terms of order $n u^2$ are left out.

    Source: Higham (2002), eq. 4.8.
    """
    return 2 * u * math.fsum(np.abs(np.asarray(addends, np.float64)))


def neumaier_bound(addends: ArrayLike, u: float) -> float:
    r"""$|E| \le u \left|\sum x_i\right| + \gamma_{n-1}^2 \sum |x_i|$: nearly that of twice the precision.

    Source: Ogita, Rump, Oishi, "Accurate sum and dot product" (2005), proposition 4.5 (Sum2, which
    loses and adds back the same errors).
    """
    x = np.asarray(addends, np.float64)
    return u * abs(math.fsum(x)) + gamma(max(x.size - 1, 0), u) ** 2 * math.fsum(np.abs(x))


def probable_bound(addends: ArrayLike, u: float, confidence: float = 0.99) -> float:
    r"""$|E| \le \tilde\gamma_{n-1}(\lambda) \sum |x_i|$ with at least this probability, for one accumulator.

    $\tilde\gamma_k(\lambda) = \exp\!\left(\lambda \sqrt{k}\,u + \dfrac{k u^2}{1-u}\right) - 1$ and
    failure at most $2 k \exp(-\lambda^2 (1-u)^2 / 2)$: errors grow like $\sqrt n$, if roundings are
    independent with mean zero (an assumption; repeated equal addends break it).
    Source: Higham and Mary, "A new approach to probabilistic rounding error analysis" (2019), theorem 3.1.
    """
    x = np.abs(np.asarray(addends, np.float64))
    k = x.size - 1
    if k < 1:
        return 0.0
    lam = math.sqrt(2 * math.log(2 * k / (1 - confidence))) / (1 - u)
    return math.expm1(lam * math.sqrt(k) * u + k * u * u / (1 - u)) * math.fsum(x)


def tree_bound(leaves: ArrayLike, tree: Tree, arithmetic: Arithmetic) -> float:
    r"""$|E| \le \sum_i |x_i| \left(\prod_{v \ni i} (1 + u_v) - 1\right)$ over the roundings on leaf i's way.

    `leaves`: shape (n,), arranged. An addition rounds with the accumulator's u, a partial sum once
    more with its own. Never looser than $\gamma_h \sum |x_i|$ for height h, and finite for any h.
    Source: Higham (2002), section 4.2, kept in product form.
    """
    accumulator, partials = arithmetic.addition_error, arithmetic.partials.unit_roundoff
    growth = np.zeros(2 * tree.leaves - 1)
    growth[tree.leaves :] = math.log1p(accumulator)
    if arithmetic.partials.precision < arithmetic.accumulator.precision:
        growth[tree.partial] += math.log1p(partials)
    for k in reversed(range(tree.leaves - 1)):
        growth[tree.left[k]] += growth[tree.leaves + k]
        growth[tree.right[k]] += growth[tree.leaves + k]
    return math.fsum(np.abs(np.asarray(leaves, np.float64)) * np.expm1(growth[: tree.leaves]))
