from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sims.arithmetic import ALL_BF16, ALL_FP32, REDUCED_PARTIALS, TENSOR_CORE, Arithmetic, as_inputs
from sims.errors import InputError
from sims.formats import FP32
from sims.numbers import next_down, next_up, number
from sims.orders import CATALOGUE, KAHAN, NEUMAIER, SEQUENTIAL, Order, accumulated, split_k
from sims.steps import MAX_STEPS, compensated_walk, running_totals, walk

TREES = [order for order in CATALOGUE if order not in (KAHAN, NEUMAIER)]


@given(st.lists(st.floats(-1e4, 1e4, width=16), min_size=1, max_size=25), st.sampled_from(TREES))
def test_a_walk_ends_where_the_sum_does_and_its_errors_add_up(x: list[float], order: Order) -> None:
    for arithmetic in (ALL_BF16, TENSOR_CORE, REDUCED_PARTIALS):
        inputs = as_inputs(x, arithmetic).reshape(1, -1)
        path = walk(x, order, arithmetic)
        assert path.total == accumulated(inputs, order, arithmetic)[0]
        assert sorted(path.positions) == list(range(len(x)))
        assert path.leaves == tuple(inputs[0][list(path.positions)].tolist())
        values = [*path.leaves, *(step.stored.value for step in path.steps)]
        for step in path.steps:
            assert step.rounding.exact == Fraction(step.left_value) + Fraction(step.right_value)
            assert step.partial or (step.left_value, step.right_value) == (
                values[step.left],
                values[step.right],
            )
            assert abs(step.rounding.error_ulps) <= Fraction(1, 2)
        if arithmetic is ALL_BF16:  # no other rounding happens on the way
            assert sum((s.rounding.error for s in path.steps), path.exact) == Fraction(path.total)


def test_the_running_total_of_a_swallowed_sum() -> None:
    path = walk([254, 1, 1, 1], SEQUENTIAL, ALL_BF16)
    assert [s.rounding.result.value for s in path.steps] == [255, 256, 256]
    assert [s.swallowed for s in path.steps] == [False, False, True]
    assert [s.rounding.tie for s in path.steps] == [False, False, True]
    assert [s.rounding.error for s in path.steps] == [0, 0, -1]
    assert not any(s.swallowed for s in walk([0, 5, 0], SEQUENTIAL, ALL_BF16).steps)


@given(st.lists(st.floats(-1e4, 1e4, width=16), min_size=1, max_size=25))
def test_running_totals_are_the_walk_of_one_accumulator(x: list[float]) -> None:
    for arithmetic in (ALL_BF16, TENSOR_CORE):
        path = walk(x, SEQUENTIAL, arithmetic)
        totals = [path.leaves[0], *(step.rounding.result.value for step in path.steps)]
        assert running_totals(x, arithmetic).tolist() == totals


def test_running_totals_go_on_after_an_overflow() -> None:
    assert running_totals([3e38, 3e38, 1.0], ALL_FP32).tolist()[1:] == [np.inf, np.inf]


def test_partials_are_stored_rounded() -> None:
    path = walk([256, 1, 256, 1.5], split_k(2), REDUCED_PARTIALS)
    assert [s.partial for s in path.steps] == [True, True, False]
    assert [s.rounding.result.value for s in path.steps] == [257, 257.5, 514]
    assert [s.stored.value for s in path.steps] == [256, 258, 514]
    assert (path.steps[-1].left_value, path.steps[-1].right_value) == (256, 258)
    assert (path.total, path.result.value, path.exact) == (514, 512, Fraction(1029, 2))


@pytest.mark.parametrize("order", [KAHAN, NEUMAIER], ids=lambda o: o.key)
def test_a_compensated_walk_shows_total_and_correction(order: Order) -> None:
    x = np.random.default_rng(0).normal(size=30)
    steps = compensated_walk(x, order, ALL_BF16)
    total, lost = steps[-1].total, steps[-1].correction
    sum_ = accumulated(as_inputs(x, ALL_BF16).reshape(1, -1), order, ALL_BF16)[0]
    assert len(steps) == 30
    if order is KAHAN:
        assert total.value == sum_
    else:
        assert number(total.exact + lost.exact, total.fmt).value == sum_
    assert [s.addend for s in steps] == as_inputs(x, ALL_BF16).tolist()


def test_the_first_correction_is_what_was_swallowed() -> None:
    assert compensated_walk([256, 1], KAHAN, ALL_BF16)[-1].correction.value == -1
    assert compensated_walk([256, 1], NEUMAIER, ALL_BF16)[-1].correction.value == 1


def test_what_cannot_be_walked_is_refused() -> None:
    for addends, order in (([], SEQUENTIAL), ([np.inf], SEQUENTIAL), ([1.0] * (MAX_STEPS + 1), SEQUENTIAL)):
        with pytest.raises(InputError):
            walk(addends, order)
    with pytest.raises(InputError, match="overflows FP32"):
        walk([3e38, 3e38, -3e38], SEQUENTIAL, Arithmetic(FP32, FP32, FP32, FP32))
    with pytest.raises(InputError, match="compensated_walk"):
        walk([1, 2], KAHAN)
    with pytest.raises(InputError, match="sequential"):
        compensated_walk([1, 2], SEQUENTIAL)


def test_a_result_lies_between_its_neighbours() -> None:
    for step in walk(np.random.default_rng(1).normal(size=40), SEQUENTIAL, ALL_FP32).steps:
        result = step.rounding.result
        assert next_down(result).exact < step.rounding.exact < next_up(result).exact
