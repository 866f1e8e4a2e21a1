"""No sum of any order may leave its bound; and the bounds are what the books say."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sims.arithmetic import ALL_BF16, ALL_FP32, REDUCED_PARTIALS, TENSOR_CORE, Arithmetic, as_inputs
from sims.bounds import (
    gamma,
    kahan_bound,
    neumaier_bound,
    pairwise_bound,
    probable_bound,
    sequential_bound,
    tree_bound,
)
from sims.compare import bound_of
from sims.exact import exact_sum
from sims.formats import BF16
from sims.orders import CATALOGUE, KAHAN, NEUMAIER, PAIRWISE, SEQUENTIAL, Order, accumulated
from sims.rounding import Mode
from sims.spread import spread
from sims.trees import Chain, Pairwise, SplitK, tree_of

U = BF16.unit_roundoff
TRUNCATING = Arithmetic(accumulator=BF16, mode=Mode.TOWARD_ZERO)
# No underflow: multiples of 2^-10 below 2^10.
moderate = st.lists(st.integers(-(2**20), 2**20).map(lambda k: k / 2**10), min_size=1, max_size=60)


def error_of(x: list[float], order: Order, arithmetic: Arithmetic) -> Fraction:
    inputs = as_inputs(x, arithmetic).reshape(1, -1)
    return abs(Fraction(float(accumulated(inputs, order, arithmetic)[0])) - exact_sum(inputs))


@given(moderate, st.sampled_from([o for o in CATALOGUE if o is not KAHAN]))
def test_no_order_leaves_its_bound(x: list[float], order: Order) -> None:
    for arithmetic in (ALL_BF16, TENSOR_CORE, REDUCED_PARTIALS, ALL_FP32, TRUNCATING):
        bound = bound_of(as_inputs(x, arithmetic), order, arithmetic)
        assert error_of(x, order, arithmetic) <= bound * (1 + 1e-9)


@given(moderate)
def test_kahan_stays_within_2u_and_the_terms_left_out(x: list[float]) -> None:
    inputs = as_inputs(x, ALL_BF16)
    left_out = 8 * len(x) * U * U * math.fsum(np.abs(inputs))  # "order n u^2"
    assert error_of(x, KAHAN, ALL_BF16) <= kahan_bound(inputs, U) + left_out


def test_kahan_beats_the_chain_where_n_is_large() -> None:
    x = np.random.default_rng(0).uniform(0, 1, 1000)
    assert error_of(x, KAHAN, ALL_BF16) <= kahan_bound(as_inputs(x, ALL_BF16), U) * 1.1
    assert error_of(x, SEQUENTIAL, ALL_BF16) > 10 * kahan_bound(as_inputs(x, ALL_BF16), U)


def test_gamma() -> None:
    assert gamma(0, U) == 0
    assert gamma(1, 0.25) == pytest.approx(1 / 3)
    assert gamma(256, U) == math.inf  # 256 roundings of BF16 promise nothing


@given(moderate)
def test_the_tree_bound_is_never_looser_than_the_books(x: list[float]) -> None:
    n, slack = len(x), 1 + 1e-9
    assert tree_bound(x, tree_of(Chain(), n), ALL_BF16) <= sequential_bound(x, U) * slack
    assert tree_bound(x, tree_of(Pairwise(), n), ALL_BF16) <= pairwise_bound(x, U) * slack


def test_the_tree_bound_counts_partials_that_are_rounded() -> None:
    tree, x = tree_of(SplitK(2), 4), [1.0, 1.0, 1.0, 1.0]
    u = ALL_FP32.accumulator.unit_roundoff
    assert tree_bound(x, tree, TENSOR_CORE) == pytest.approx(4 * ((1 + u) ** 2 - 1))
    assert tree_bound(x, tree, REDUCED_PARTIALS) == pytest.approx(4 * ((1 + u) ** 2 * (1 + U) - 1))
    first = tree_bound([1.0, 0, 0, 0], tree_of(Chain(), 4), ALL_BF16)
    last = tree_bound([0, 0, 0, 1.0], tree_of(Chain(), 4), ALL_BF16)
    assert first == pytest.approx((1 + U) ** 3 - 1)
    assert last == pytest.approx(U)


def test_one_addend_has_no_error() -> None:
    for bound in (sequential_bound, pairwise_bound, probable_bound):
        assert bound([3.0], U) == 0
    assert neumaier_bound([3.0], U) == 3 * U


def test_a_sum_that_reaches_most_of_its_bound() -> None:
    """1 + u + … + u in BF16 loses every addend: the bound is not empty talk."""
    x = [1.0] + [U] * 20
    assert error_of(x, SEQUENTIAL, ALL_BF16) == 20 * U
    assert 0.8 * tree_bound(x, tree_of(Chain(), 21), ALL_BF16) < 20 * U


def test_the_probable_bound_holds_as_often_as_it_says() -> None:
    """99 % of random orders; the order statistic is so far inside that no seed comes near failing."""
    x = np.random.default_rng(1).normal(size=500)
    sums = spread(x, 5_000, seed=2, arithmetic=ALL_FP32)
    u = ALL_FP32.accumulator.unit_roundoff
    bound = probable_bound(as_inputs(x, ALL_FP32), u)
    assert (np.abs(sums.errors) <= bound).mean() >= 0.99
    assert bound < sequential_bound(x, u) / 3


def test_compensated_bounds_need_rounding_to_nearest() -> None:
    x = np.ones(4, np.float32)
    assert bound_of(x, KAHAN, TRUNCATING) == bound_of(x, NEUMAIER, TRUNCATING) == math.inf
    assert bound_of(x, PAIRWISE, TRUNCATING) == pytest.approx(4 * ((1 + 2 * U) ** 2 - 1))
