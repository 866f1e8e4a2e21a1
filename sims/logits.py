"""From a sum to a token: the same dot products under every batch size's reduction.

One hidden state against a few rows of an output matrix. Only this last product changes its order
here; what a batch does to the hidden state itself is the business of `noise` and `flips`, or of a
real model.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sims.arithmetic import TENSOR_CORE, Arithmetic, products
from sims.errors import InputError
from sims.formats import Format
from sims.numbers import number
from sims.orders import Order, accumulated
from sims.rounding import round_to
from sims.trees import Shape


@dataclass(frozen=True, eq=False)
class LogitStep:
    """The logits of V candidates at one batch size.

    `accumulated`: (V,) before, `logits`: (V,) after rounding to the output format. `first` and
    `second` are candidates by logit, the lower index first at a tie; `margin` is their difference.
    """

    batch: int
    shape: Shape
    accumulated: NDArray[np.float64]
    logits: NDArray[np.float64]
    first: int
    second: int
    margin: float

    @property
    def tied(self) -> bool:
        return self.margin == 0


def logits_by_batch(
    hidden: ArrayLike,
    rows: ArrayLike,
    batches: Sequence[int],
    rule: Callable[[int], Shape],
    arithmetic: Arithmetic = TENSOR_CORE,
) -> tuple[LogitStep, ...]:
    """One LogitStep a batch size: hidden (K,) times rows (V, K), reduced in the shape rule(batch).

    Raises InputError unless there are two rows or more, as long as the hidden state.
    """
    weights, state = np.asarray(rows, np.float64), np.asarray(hidden, np.float64)
    if weights.ndim != 2 or len(weights) < 2 or weights.shape[1:] != state.shape:
        raise InputError(
            f"Rows of shape {weights.shape} do not fit a hidden state of shape {state.shape}.",
            "Give two rows or more, each as long as the hidden state.",
        )
    addends = products(weights, state, arithmetic)  # (V, K)
    shapes = {batch: rule(batch) for batch in batches}
    totals = {
        shape: accumulated(addends, Order("rule", shape=shape), arithmetic) for shape in set(shapes.values())
    }
    return tuple(_step(batch, shapes[batch], totals[shapes[batch]], arithmetic) for batch in batches)


def _step(batch: int, shape: Shape, total: NDArray[np.float32], arithmetic: Arithmetic) -> LogitStep:
    logits = round_to(total, arithmetic.output)
    first, second = np.argsort(-logits, kind="stable")[:2].tolist()
    margin = float(logits[first] - logits[second])
    return LogitStep(batch, shape, total.astype(np.float64), logits, first, second, margin)


def logit_spacing(logit: float, fmt: Format) -> float:
    """The gap between neighbouring values of `fmt` at a logit: 0.125 for BF16 from 16 to 32."""
    return number(logit, fmt).ulp
