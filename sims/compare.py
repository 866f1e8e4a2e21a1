"""One list of addends, many orders: what each gives, how far off, and which agree."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf, isfinite

from numpy.typing import ArrayLike

from sims.arithmetic import TENSOR_CORE, Arithmetic, as_inputs
from sims.bounds import kahan_bound, neumaier_bound, tree_bound
from sims.compensated import Kahan, Neumaier
from sims.exact import exact_sum
from sims.numbers import Number, number, ulps_between
from sims.orders import Order, accumulated
from sims.rounding import Singles


@dataclass(frozen=True)
class Outcome:
    """What one order makes of a list.

    `accumulated`: the sum in the accumulator's format; `result`: that, rounded to the output format.
    `error`: accumulated - exact sum of the (rounded) inputs, and `bound` limits its size.
    `ulps_off`: steps of the output format from the exact sum's own rounding to `result`. Both are
    None after an overflow.
    `height`: additions on the longest way from an addend to the sum.
    """

    order: Order
    accumulated: float
    result: Number
    error: float | None
    bound: float
    ulps_off: int | None
    height: int


def compare(
    addends: ArrayLike, orders: Sequence[Order], arithmetic: Arithmetic = TENSOR_CORE
) -> tuple[Outcome, ...]:
    """The outcome of every order for one list (n,). Raises InputError for infinity, NaN or no addends."""
    inputs = as_inputs(addends, arithmetic).reshape(1, -1)
    exact = exact_sum(inputs)
    return tuple(_outcome(inputs, order, arithmetic, exact) for order in orders)


def _outcome(inputs: Singles, order: Order, arithmetic: Arithmetic, exact: Fraction) -> Outcome:
    total = float(accumulated(inputs, order, arithmetic)[0])
    result = number(total, arithmetic.output)
    return Outcome(
        order,
        total,
        result,
        float(Fraction(total) - exact) if isfinite(total) else None,
        bound_of(inputs[0], order, arithmetic),
        ulps_between(exact, total, arithmetic.output) if result.is_finite else None,
        order.tree(inputs.shape[1]).height,
    )


def bound_of(inputs: Singles, order: Order, arithmetic: Arithmetic = TENSOR_CORE) -> float:
    """The error bound (see `bounds`) that fits this order, for inputs (n,); infinite where none does."""
    if isinstance(order.shape, Kahan | Neumaier):
        bound = kahan_bound if isinstance(order.shape, Kahan) else neumaier_bound
        return bound(inputs, arithmetic.addition_error) if arithmetic.rounds_to_nearest else inf
    leaves = inputs[order.arrangement.indices(inputs.reshape(1, -1))[0]]
    return tree_bound(leaves, order.tree(inputs.size), arithmetic)


def agreement(outcomes: Sequence[Outcome]) -> tuple[tuple[Outcome, ...], ...]:
    """The orders grouped by the bits of their result, largest group first, then by value."""
    groups: dict[int, list[Outcome]] = {}
    for outcome in outcomes:
        groups.setdefault(outcome.result.bits, []).append(outcome)
    ranked = sorted(groups.values(), key=lambda group: (-len(group), group[0].result.ordinal))
    return tuple(map(tuple, ranked))
