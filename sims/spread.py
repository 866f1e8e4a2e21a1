"""How far apart random orders of the same addends end up.

`random_orders` draws the orders, `chain_sums` adds the addends up in all of them at once (one
accumulator, one addition at a time, every one rounded), `spread` says what came out. 10^5 orders
of 1,024 addends take a fraction of a second.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sims.arithmetic import TENSOR_CORE, Arithmetic, add, as_inputs
from sims.errors import InputError
from sims.exact import fsum
from sims.rounding import Singles, round_to

_WIDTH = 1024  # outer orders at most: a row of them is what one copy moves
_BLOCK = 1 << 17  # running sums at once: they stay in the processor's cache


@dataclass(frozen=True, eq=False)
class RandomOrders:
    """`count` random orders of n addends, written as products of fewer: `outer` (A, n), `inner` (B, n).

    Order k is outer[k % A][inner[k // A]]. Each is uniform over all n! orders. Any two are
    independent, so a frequency among them has the mean and the variance of independent draws; three
    or more are not (they share factors). With count <= 1,024 all of them are independent.
    """

    outer: NDArray[np.int64]
    inner: NDArray[np.int64]
    count: int

    def positions(self, k: int) -> tuple[int, ...]:
        """The k-th order as positions of addends, ready for `orders.in_order`."""
        inner, outer = divmod(k, len(self.outer))
        return tuple(self.outer[outer][self.inner[inner]].tolist())


def random_orders(n: int, count: int, seed: int) -> RandomOrders:
    """Draw `count` orders of n addends. Raises InputError unless both are at least 1."""
    if n < 1 or count < 1:
        raise InputError(f"{count} orders of {n} addends were asked for.", "Use 1 or more of each.")
    rng = np.random.default_rng(seed)
    width = min(count, _WIDTH)
    inner_count = -(-count // width)
    outer = rng.permuted(np.tile(np.arange(n), (width, 1)), axis=1)
    inner = rng.permuted(np.tile(np.arange(n), (inner_count, 1)), axis=1)
    return RandomOrders(outer, inner, count)


def chain_sums(addends: ArrayLike, orders: RandomOrders, arithmetic: Arithmetic = TENSOR_CORE) -> Singles:
    """The sum of addends (n,) in each order, one accumulator, before the output rounding: (count,)."""
    table = np.ascontiguousarray(as_inputs(addends, arithmetic)[orders.outer].T)  # (n, A)
    step = max(1, _BLOCK // table.shape[1])
    blocks = [orders.inner[i : i + step].T for i in range(0, len(orders.inner), step)]
    sums = [_chain(table, block, arithmetic) for block in blocks]
    return np.concatenate(sums)[: orders.count]


def _chain(table: Singles, inner: NDArray[np.int64], arithmetic: Arithmetic) -> Singles:
    """Running sums of table (n, A) rows in inner (n, B) orders, all B * A of them together."""
    total = table[inner[0]]  # (B, A)
    addend = np.empty_like(total)
    for rows in inner[1:]:
        np.take(table, rows, axis=0, out=addend, mode="clip")  # "clip" skips numpy's bounds buffer
        total = add(total, addend, arithmetic.accumulator, arithmetic.mode)
    return total.reshape(-1)


@dataclass(frozen=True, eq=False)
class Spread:
    """The sums of one list over random orders, in the accumulator's format and in the output's.

    `sums`: (count,) accumulator; `results`, `counts`: the distinct outputs, ascending, and how often
    each came. `exact`: the exact sum of the inputs, as float64. Errors are sums - exact.
    """

    orders: RandomOrders
    sums: Singles
    results: NDArray[np.float64]
    counts: NDArray[np.int64]
    exact: float

    @property
    def errors(self) -> NDArray[np.float64]:
        return self.sums.astype(np.float64) - self.exact

    @property
    def distinct_sums(self) -> int:
        """How many different sums the accumulator came to; rounding to the output may merge them."""
        return len(np.unique(self.sums))

    @property
    def commonest(self) -> float:
        """The output value that most orders give."""
        return float(self.results[np.argmax(self.counts)])

    def example(self, result: float) -> tuple[int, ...]:
        """Positions of the first order whose sum is nearest `result`: click a bar, see an order."""
        return self.orders.positions(int(np.argmin(np.abs(self.sums.astype(np.float64) - result))))


def spread(addends: ArrayLike, count: int, seed: int, arithmetic: Arithmetic = TENSOR_CORE) -> Spread:
    """Sum addends (n,) in `count` random orders. Raises InputError for infinity, NaN or no addends."""
    inputs = as_inputs(addends, arithmetic)
    exact = fsum(inputs)
    orders = random_orders(inputs.size, count, seed)
    sums = chain_sums(inputs, orders, arithmetic)
    results, counts = np.unique(round_to(sums, arithmetic.output), return_counts=True)
    return Spread(orders, sums, results, counts, exact)
