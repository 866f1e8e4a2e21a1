"""A sum taken one addition at a time: what went in, what it should be, what came out.

Exact and scalar, for a page that shows each rounding; `orders.sums` does the same to many rows.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import isfinite

import numpy as np
from numpy.typing import ArrayLike

from sims.arithmetic import TENSOR_CORE, Arithmetic, as_inputs
from sims.compensated import Kahan, Neumaier
from sims.errors import InputError
from sims.exact import exact_sum
from sims.numbers import Number, RoundingStep, explain_roundings, number
from sims.orders import Order, evaluate
from sims.rounding import Singles
from sims.trees import Chain, tree_of

MAX_STEPS = 4_096


@dataclass(frozen=True)
class Step:
    """One addition. `node`, `left`, `right` are nodes of the order's tree; a leaf's node is its place.

    `rounding` holds left + right exactly, the accumulator's result and its error. `swallowed`: the
    result is one of the two as it was, although the other is not 0. `stored` is what later additions
    see: the result, or a partial sum once more rounded (`partial`).
    """

    node: int
    left: int
    right: int
    left_value: float
    right_value: float
    rounding: RoundingStep
    swallowed: bool
    partial: bool
    stored: Number


@dataclass(frozen=True)
class Walk:
    """A whole sum. `positions`: which addend stands at each leaf; `leaves`: their (rounded) values.

    `total` is the accumulator's last value, `result` that rounded to the output, `exact` the exact
    sum of the leaves.
    """

    order: Order
    positions: tuple[int, ...]
    leaves: tuple[float, ...]
    steps: tuple[Step, ...]
    total: float
    result: Number
    exact: Fraction


@dataclass(frozen=True)
class CompensatedStep:
    """After one addend of Kahan's or Neumaier's sum: the total and the correction carried beside it."""

    addend: float
    total: Number
    correction: Number


def walk(addends: ArrayLike, order: Order, arithmetic: Arithmetic = TENSOR_CORE) -> Walk:
    """Every addition of addends (n,) in this order, in the order of execution.

    A compensated order is refused here (see `compensated_walk`), as are infinity, NaN, overflow on
    the way, no addends and more than MAX_STEPS of them: InputError.
    """
    if isinstance(order.shape, Kahan | Neumaier):
        raise InputError("A compensated sum is more than a chain of additions.", "Use compensated_walk.")
    inputs = _inputs(addends, arithmetic)
    positions = order.arrangement.indices(inputs.reshape(1, -1))[0]
    leaves = inputs[positions]
    tree = order.tree(inputs.size)
    nodes = evaluate(tree, leaves.reshape(-1, 1), arithmetic)[:, 0].tolist()
    if not all(map(isfinite, nodes)):
        raise InputError(
            f"The sum overflows {arithmetic.accumulator.name} on the way.",
            "Use smaller addends or a wider format.",
            "overflow",
            format=arithmetic.accumulator.name,
        )
    pairs = list(zip(tree.left.tolist(), tree.right.tolist(), strict=True))
    exacts = [Fraction(nodes[left]) + Fraction(nodes[right]) for left, right in pairs]
    roundings = explain_roundings(exacts, arithmetic.accumulator, arithmetic.mode)
    steps = tuple(
        _step(node, pair, nodes, rounding, bool(tree.partial[node]), arithmetic)
        for node, pair, rounding in zip(
            range(tree.leaves, 2 * tree.leaves - 1), pairs, roundings, strict=True
        )
    )
    result = number(nodes[-1], arithmetic.output)
    return Walk(
        order, tuple(positions.tolist()), tuple(leaves.tolist()), steps, nodes[-1], result, exact_sum(leaves)
    )


def _step(
    node: int,
    pair: tuple[int, int],
    nodes: list[float],
    rounding: RoundingStep,
    partial: bool,
    arithmetic: Arithmetic,
) -> Step:
    """The record of one addition, from its rounding worked out with fractions."""
    a, b = nodes[pair[0]], nodes[pair[1]]
    kept = rounding.result.value
    swallowed = (kept == a and b != 0) or (kept == b and a != 0)
    stored = number(nodes[node], arithmetic.partials) if partial else rounding.result
    return Step(node, *pair, a, b, rounding, swallowed, partial, stored)


def running_totals(addends: ArrayLike, arithmetic: Arithmetic = TENSOR_CORE) -> Singles:
    """One accumulator after each of the addends (n,), as they stand: float32, shape (n,).

    After an overflow the totals are infinite or NaN. Raises InputError for bad or too many addends.
    """
    inputs = _inputs(addends, arithmetic)
    nodes = evaluate(tree_of(Chain(), inputs.size), inputs.reshape(-1, 1), arithmetic)
    return np.concatenate([inputs[:1], nodes[inputs.size :, 0]])


def compensated_walk(
    addends: ArrayLike, order: Order, arithmetic: Arithmetic = TENSOR_CORE
) -> tuple[CompensatedStep, ...]:
    """Total and correction after every addend (n,) of a Kahan or Neumaier sum; InputError for others."""
    if not isinstance(order.shape, Kahan | Neumaier):
        raise InputError(f"{order.key} is no compensated sum.", "Use walk.")
    inputs = _inputs(addends, arithmetic)
    leaves = inputs[order.arrangement.indices(inputs.reshape(1, -1))[0]]
    totals, lost = order.shape.running(leaves.reshape(-1, 1), arithmetic)
    fmt = arithmetic.accumulator
    return tuple(
        CompensatedStep(float(x), number(float(s), fmt), number(float(c), fmt))
        for x, s, c in zip(leaves, totals[:, 0], lost[:, 0], strict=True)
    )


def _inputs(addends: ArrayLike, arithmetic: Arithmetic) -> Singles:
    inputs = as_inputs(addends, arithmetic).reshape(-1)
    if not 1 <= inputs.size <= MAX_STEPS:
        raise InputError(
            f"{inputs.size:,} addends cannot be shown step by step.", f"Give 1 to {MAX_STEPS:,}."
        )
    exact_sum(inputs)  # refuses infinity and NaN
    return inputs
