from fractions import Fraction

import numpy as np
import pytest

from sims.arithmetic import ALL_BF16, ALL_FP32, TENSOR_CORE, Arithmetic
from sims.compare import agreement, compare
from sims.errors import InputError
from sims.formats import BF16, FP16, FP32
from sims.numbers import number
from sims.orders import CATALOGUE, PAIRWISE, REVERSED, SEQUENTIAL, split_k, sums


def test_outcomes_say_what_the_sums_are() -> None:
    x = np.random.default_rng(0).normal(size=200)
    exact = sum(Fraction(number(v, BF16).value) for v in x.tolist())
    for outcome in compare(x, CATALOGUE, ALL_BF16):
        assert outcome.result.value == float(sums(x, outcome.order, ALL_BF16))
        assert outcome.error == float(Fraction(outcome.accumulated) - exact)
        assert abs(outcome.error) <= outcome.bound
        assert outcome.ulps_off == outcome.result.ordinal - number(exact, BF16).ordinal


def test_three_numbers_and_two_orders() -> None:
    sequential, backwards = compare([256, 1, 1], [SEQUENTIAL, REVERSED], ALL_BF16)
    assert (sequential.accumulated, sequential.error, sequential.ulps_off) == (256, -2, -1)
    assert (backwards.accumulated, backwards.error, backwards.ulps_off) == (258, 0, 0)
    assert (sequential.height, backwards.height) == (2, 2)


def test_agreement_groups_equal_bits_largest_first() -> None:
    outcomes = compare([256, 1, 1], [SEQUENTIAL, REVERSED, PAIRWISE, split_k(1)], ALL_BF16)
    groups = [[outcome.order.key for outcome in group] for group in agreement(outcomes)]
    assert groups == [["sequential", "pairwise", "split_1"], ["reversed"]]
    assert len(agreement(compare([1, 2, 3], CATALOGUE))) == 1


def test_overflow_is_an_outcome_and_nonsense_is_refused() -> None:
    (outcome,) = compare([3e38, 3e38], [SEQUENTIAL], ALL_FP32)
    assert (outcome.accumulated, outcome.error, outcome.ulps_off) == (np.inf, None, None)
    (outcome,) = compare([60000, 60000], [SEQUENTIAL], Arithmetic(FP16, FP32, FP32, FP16))
    assert (outcome.accumulated, outcome.error, outcome.ulps_off) == (120_000, 0, None)
    with pytest.raises(InputError):
        compare([np.nan], [SEQUENTIAL], TENSOR_CORE)
    with pytest.raises(InputError):
        compare([], [SEQUENTIAL], TENSOR_CORE)
