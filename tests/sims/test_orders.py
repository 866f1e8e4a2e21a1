"""Every order against plain loops over fractions, and what orders must not change."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sims.arithmetic import ALL_BF16, ALL_FP32, REDUCED_PARTIALS, TENSOR_CORE, Arithmetic
from sims.errors import InputError
from sims.formats import BF16, FP8_E4M3, FP16, FP32
from sims.orders import (
    ASCENDING,
    CATALOGUE,
    DESCENDING,
    KAHAN,
    NEUMAIER,
    PAIRWISE,
    REVERSED,
    SEQUENTIAL,
    Order,
    Permutation,
    atomics,
    in_order,
    lanes,
    shuffled,
    split_k,
    sums,
)
from sims.rounding import Mode, round_to
from sims.trees import SplitK
from tests.sims import reference

ALL_FP16 = Arithmetic(FP16, FP16, FP16, FP16)
NARROW = Arithmetic(FP8_E4M3, FP16, FP8_E4M3, BF16)
TRUNCATING = Arithmetic(mode=Mode.TOWARD_ZERO)
ARITHMETICS = [TENSOR_CORE, REDUCED_PARTIALS, ALL_BF16, ALL_FP32, ALL_FP16, NARROW, TRUNCATING]


def slow(order: Order, x: list[Fraction], arithmetic: Arithmetic) -> float:
    """The sum of inputs in this order, by the reference."""
    rule = reference.truncate if arithmetic.mode is Mode.TOWARD_ZERO else reference.nearest_even
    rnd = rule(arithmetic.accumulator.key)
    partial, output = (reference.nearest_even(f.key) for f in (arithmetic.partials, arithmetic.output))
    by_size = sorted(range(len(x)), key=lambda i: abs(x[i]))  # stable, as the arrangements are
    backwards = sorted(range(len(x)), key=lambda i: -abs(x[i]))
    total = {
        "sequential": lambda: reference.chain(x, rnd),
        "reversed": lambda: reference.chain(x[::-1], rnd),
        "ascending": lambda: reference.chain([x[i] for i in by_size], rnd),
        "descending": lambda: reference.chain([x[i] for i in backwards], rnd),
        "pairwise": lambda: reference.pairwise(x, rnd),
        "split_3": lambda: reference.split_k(x, 3, rnd, partial),
        "split_8": lambda: reference.split_k(x, 8, rnd, partial),
        "lanes_4": lambda: reference.lanes(x, 4, rnd),
        "lanes_8": lambda: reference.lanes(x, 8, rnd),
        "kahan": lambda: reference.kahan(x, rnd),
        "neumaier": lambda: reference.neumaier(x, rnd),
    }[order.key]()
    return float(output(total))


REFERENCED = [
    SEQUENTIAL,
    REVERSED,
    ASCENDING,
    DESCENDING,
    PAIRWISE,
    split_k(3),
    split_k(8),
    lanes(4),
    lanes(8),
    KAHAN,
    NEUMAIER,
]


@pytest.mark.parametrize(
    "arithmetic", ARITHMETICS, ids=lambda a: f"{a.inputs.key}-{a.accumulator.key}-{a.mode}"
)
@pytest.mark.parametrize("order", REFERENCED, ids=lambda o: o.key)
def test_an_order_is_what_the_slow_reference_says(order: Order, arithmetic: Arithmetic) -> None:
    rng = np.random.default_rng(0)
    for n in (1, 2, 3, 7, 16, 33):
        rows = rng.normal(size=(6, n)) * 2.0 ** rng.integers(-4, 5, (6, n))
        inputs = round_to(rows, arithmetic.inputs)
        expected = [slow(order, [Fraction(v) for v in row], arithmetic) for row in inputs.tolist()]
        assert sums(rows, order, arithmetic).tolist() == expected


@pytest.mark.parametrize("order", CATALOGUE, ids=lambda o: o.key)
def test_many_rows_are_summed_as_each_alone(order: Order) -> None:
    rows = np.random.default_rng(1).normal(size=(5, 50))
    together = sums(rows, order, ALL_BF16)
    assert together.tolist() == [float(sums(row, order, ALL_BF16)) for row in rows]
    assert sums(rows.reshape(5, 1, 50), order).shape == (5, 1)


small_integers = st.lists(st.integers(-8, 8), min_size=1, max_size=30)
floats = st.lists(st.floats(-1e6, 1e6, width=32), min_size=1, max_size=40)


@given(small_integers)
def test_sums_that_are_exact_do_not_depend_on_the_order(x: list[int]) -> None:
    for order in CATALOGUE:  # |sum| of any part <= 240 < 256: every partial sum is a BF16 number
        assert float(sums(x, order, ALL_BF16)) == sum(x)


@given(floats)
def test_split_k_of_one_is_sequential(x: list[float]) -> None:
    for arithmetic in (ALL_FP32, ALL_BF16, REDUCED_PARTIALS):
        one, plain = sums(x, split_k(1), arithmetic), sums(x, SEQUENTIAL, arithmetic)
        assert one.tobytes() == plain.tobytes()


@given(floats)
def test_as_many_splits_as_addends_is_sequential_too(x: list[float]) -> None:
    assert sums(x, split_k(len(x)), ALL_FP32).tobytes() == sums(x, SEQUENTIAL, ALL_FP32).tobytes()


@given(floats)
def test_addition_commutes_so_the_first_two_may_swap(x: list[float]) -> None:
    if len(x) > 1:
        swapped = in_order((1, 0, *range(2, len(x))))
        assert sums(x, swapped, ALL_BF16) == sums(x, SEQUENTIAL, ALL_BF16)


@given(st.data(), st.integers(2, 4), st.integers(2, 6))
def test_permuting_inside_exact_partials_changes_nothing(data: st.DataObject, parts: int, size: int) -> None:
    """Chunks whose own sums are exact, joined with rounding: only the order of the chunks can matter."""
    chunks = [
        [data.draw(st.integers(-4, 4)) * 16.0**p for _ in range(size)] for p in range(parts)
    ]  # a chunk's sum has at most 5 bits, chunks are 4 bits apart: joining them must round
    shuffled_chunks = [data.draw(st.permutations(chunk)) for chunk in chunks]
    plain, other = np.ravel(chunks), np.ravel(shuffled_chunks)
    assert sums(plain, split_k(parts), ALL_BF16) == sums(other, split_k(parts), ALL_BF16)


@given(floats, st.randoms())
def test_sorted_and_exact_orders_do_not_see_a_permutation(x: list[float], random) -> None:
    y = x.copy()
    random.shuffle(y)
    distinct = len({abs(v) for v in x}) == len(x)
    for order in (ASCENDING, DESCENDING):
        assert not distinct or sums(x, order, ALL_BF16) == sums(y, order, ALL_BF16)


def test_a_shuffled_sum_is_the_sum_of_the_shuffled_list() -> None:
    x = np.random.default_rng(2).normal(size=100)
    order = shuffled(5)
    positions = order.arrangement.indices(x.reshape(1, -1).astype(np.float32))[0]
    assert sorted(positions.tolist()) == list(range(100))
    assert sums(x, order, ALL_BF16) == sums(x[positions], SEQUENTIAL, ALL_BF16)
    assert sums(x, in_order(tuple(positions.tolist())), ALL_BF16) == sums(x, order, ALL_BF16)


def test_atomics_differ_by_arrival_and_are_repeatable_by_seed() -> None:
    x = np.random.default_rng(3).normal(size=256)
    results = {float(sums(x, atomics(16, seed), ALL_BF16)) for seed in range(40)}
    assert len(results) > 1
    assert sums(x, atomics(16, 3), ALL_BF16) == sums(x, atomics(16, 3), ALL_BF16)


def test_rounded_partials_are_another_sum() -> None:
    x = [256, 1, 256, 1.5]  # partials 257 and 257.5; BF16 turns them into 256 and 258
    assert sums(x, split_k(2), TENSOR_CORE) == 516  # 514.5, rounded once
    assert sums(x, split_k(2), REDUCED_PARTIALS) == 512  # 514 is a tie


def test_arrangements_and_shapes_combine() -> None:
    x = np.random.default_rng(4).normal(size=20)
    order = Order("mine", Permutation(tuple(range(20))[::-1]), SplitK(4))
    assert sums(x, order, ALL_BF16) == sums(x[::-1], split_k(4), ALL_BF16)


def test_what_cannot_be_summed_is_refused() -> None:
    for nothing in ([], np.zeros((3, 0)), np.float64(3)):
        with pytest.raises(InputError, match="no addends"):
            sums(nothing, SEQUENTIAL)
    with pytest.raises(InputError, match="position"):
        sums([1, 2, 3], in_order((0, 0, 1)))


def test_infinity_and_nan_pass_through() -> None:
    assert sums([1, np.inf, 1], PAIRWISE) == np.inf
    assert np.isnan(sums([np.inf, -np.inf], SEQUENTIAL, Arithmetic(FP32, FP32, FP32, FP32)))
    assert sums([3e38, 3e38, -3e38], SEQUENTIAL, ALL_FP32) == np.inf
