"""Random orders: the right sums, and orders that are as random as they claim."""

from collections import Counter
from itertools import permutations, product
from math import factorial

import numpy as np
import pytest

from sims.arithmetic import ALL_BF16, ALL_FP32, TENSOR_CORE, Arithmetic, as_inputs
from sims.errors import InputError
from sims.orders import accumulated, in_order
from sims.rounding import Mode
from sims.spread import chain_sums, random_orders, spread

ARITHMETICS = [TENSOR_CORE, ALL_BF16, ALL_FP32, Arithmetic(mode=Mode.TOWARD_ZERO)]


@pytest.mark.parametrize("arithmetic", ARITHMETICS)
def test_each_sum_is_the_sum_in_its_own_order(arithmetic: Arithmetic) -> None:
    x = np.random.default_rng(0).normal(size=37).astype(np.float32)
    orders = random_orders(37, 3_000, seed=1)
    sums = chain_sums(x, orders, arithmetic)
    assert sums.shape == (3_000,)
    inputs = as_inputs(x, arithmetic).reshape(1, -1)
    for k in (0, 1, 1023, 1024, 2_047, 2_999):
        positions = orders.positions(k)
        assert sorted(positions) == list(range(37))
        assert sums[k] == accumulated(inputs, in_order(positions), arithmetic)[0]


def test_an_order_is_a_product_of_an_outer_and_an_inner_one() -> None:
    orders = random_orders(9, 2_500, seed=3)
    assert (len(orders.outer), len(orders.inner)) == (1024, 3)
    assert orders.positions(2_100) == tuple(orders.outer[52][orders.inner[2]].tolist())
    assert len(random_orders(9, 1024, seed=3).inner) == 1


def test_two_products_that_share_a_factor_are_independent_and_uniform() -> None:
    """All 216 ways to draw three orders of 3 addends: each pair of products comes equally often."""
    orders = [np.array(p) for p in permutations(range(3))]
    shared_inner = Counter((tuple(p[r]), tuple(q[r])) for p, q, r in product(orders, repeat=3))
    shared_outer = Counter((tuple(p[q]), tuple(p[r])) for p, q, r in product(orders, repeat=3))
    assert len(shared_inner) == len(shared_outer) == factorial(3) ** 2
    assert set(shared_inner.values()) == set(shared_outer.values()) == {factorial(3)}


def test_every_addend_comes_everywhere_equally_often() -> None:
    """1,000 independent orders of 8: 64 binomial counts within 5 sd, false alarms below 64 * 6e-7 = 4e-5."""
    orders = random_orders(8, 1_000, seed=4)
    where = np.array([orders.positions(k) for k in range(1_000)])
    counts = np.array([np.bincount(where[:, place], minlength=8) for place in range(8)])
    assert (np.abs(counts - 125) <= 5 * np.sqrt(1_000 * 1 / 8 * 7 / 8)).all()


def test_frequencies_of_products_are_right() -> None:
    """A list of three: 256 + 1 + 1 in BF16 is 256 unless 256 comes last, a chance of 1/3.

    Over 10^5 pairwise independent orders of sd 0.0015 each, 10 sd bound the error with odds of at
    most 1/100 (Chebyshev), whatever the dependence of three or more; the seed is fixed.
    """
    result = spread([256, 1, 1], 100_000, seed=5, arithmetic=ALL_BF16)
    assert result.results.tolist() == [256, 258]
    assert abs(result.counts[1] / 100_000 - 1 / 3) <= 10 * np.sqrt(1 / 3 * 2 / 3 / 100_000)


def test_a_spread_says_what_came_out() -> None:
    x = np.random.default_rng(6).normal(size=256)
    result = spread(x, 2_000, seed=7, arithmetic=ALL_BF16)
    assert result.counts.sum() == 2_000
    assert (np.diff(result.results) > 0).all()
    assert result.counts[result.results == result.commonest] == result.counts.max()
    np.testing.assert_array_equal(result.errors, result.sums.astype(np.float64) - result.exact)
    rare = float(result.results[np.argmin(result.counts)])
    inputs = as_inputs(x, ALL_BF16).reshape(1, -1)
    assert accumulated(inputs, in_order(result.example(rare)), ALL_BF16)[0] == rare
    again = spread(x, 2_000, seed=7, arithmetic=ALL_BF16)
    np.testing.assert_array_equal(again.sums, result.sums)


def test_exact_sums_have_no_spread() -> None:
    result = spread(np.arange(-10, 15), 5_000, seed=0, arithmetic=ALL_BF16)
    assert (result.results.tolist(), result.counts.tolist()) == ([50], [5_000])
    assert (result.errors == 0).all()


def test_what_cannot_be_spread_is_refused() -> None:
    for bad in ([], [np.inf, 1]):
        with pytest.raises(InputError):
            spread(bad, 10, 0)
    with pytest.raises(InputError):
        spread([1, 2], 0, 0)
