from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest

from sims.arithmetic import (
    ALL_FP32,
    TENSOR_CORE,
    Arithmetic,
    add,
    as_inputs,
    multiply,
    odd_sum,
    products,
    subtract,
)
from sims.formats import BF16, FORMATS, FP8_E4M3, FP16, FP32, Format, decode
from sims.rounding import Mode, round_to, round_to_odd
from tests.sims.reference import nearest_even, truncate


def pairs(fmt: Format, count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Numbers of `fmt` of moderate size, with exponents apart by all amounts, small results included."""
    rng = np.random.default_rng(seed)
    exponents = rng.integers(max(fmt.min_exponent, -40), 6, (2, count))
    a, b = round_to(np.ldexp(rng.uniform(-2, 2, (2, count)), exponents), fmt).astype(np.float32)
    b[: count // 4] = -np.nextafter(a[: count // 4], np.float32(0))
    return a, round_to(b, fmt).astype(np.float32)


@pytest.mark.parametrize("fmt", list(FORMATS.values()), ids=lambda f: f.key)
def test_addition_rounds_the_exact_sum_once(fmt: Format) -> None:
    a, b = pairs(fmt, 3_000, 0)
    exact = [Fraction(float(x)) + Fraction(float(y)) for x, y in zip(a, b, strict=True)]
    for mode, reference in ((Mode.NEAREST_EVEN, nearest_even), (Mode.TOWARD_ZERO, truncate)):
        ours = add(a, b, fmt, mode).tolist()
        assert ours == [float(reference(fmt.key)(q)) for q in exact]
    down, up = add(a, b, fmt, Mode.DOWN), add(a, b, fmt, Mode.UP)
    assert all(
        Fraction(d) <= q <= Fraction(u) for d, q, u in zip(down.tolist(), exact, up.tolist(), strict=True)
    )


def test_every_sum_of_two_fp8_numbers() -> None:
    values = decode(np.arange(256), FP8_E4M3)
    values = values[np.isfinite(values)].astype(np.float32)
    a, b = (grid.ravel() for grid in np.meshgrid(values, values))
    with np.errstate(invalid="ignore"):
        expected = (a + b).astype(ml_dtypes.float8_e4m3fn).astype(np.float32)  # a + b is exact in FP32
    np.testing.assert_array_equal(add(a, b, FP8_E4M3), expected)


def test_bf16_addition_is_that_of_ml_dtypes() -> None:
    bits = np.random.default_rng(0).integers(0, 2**16, (2, 1_000_000), dtype=np.uint16)
    with np.errstate(all="ignore"):
        a, b = bits.view(ml_dtypes.bfloat16)
        ours = add(decode(bits[0], BF16).astype(np.float32), decode(bits[1], BF16).astype(np.float32), BF16)
        np.testing.assert_array_equal(ours, (a + b).astype(np.float32))


def test_the_odd_sum_is_the_exact_sum_rounded_to_odd() -> None:
    rng = np.random.default_rng(3)
    a, b = np.ldexp(rng.uniform(-2, 2, (2, 3_000)), rng.integers(-40, 40, (2, 3_000)))
    exact = [Fraction(x) + Fraction(y) for x, y in zip(a.tolist(), b.tolist(), strict=True)]
    assert odd_sum(a, b).tolist() == [round_to_odd(q) for q in exact]


def test_a_far_smaller_addend_moves_directed_rounding_only() -> None:
    one, tiny = np.float32([1.0]), np.float32([2.0**-120])
    assert add(one, tiny, FP32) == 1
    assert add(one, tiny, FP32, Mode.UP) == np.nextafter(np.float32(1), np.float32(2))
    assert subtract(one, tiny, FP32, Mode.DOWN) == np.nextafter(np.float32(1), np.float32(0))


@pytest.mark.parametrize("fmt", [BF16, FP16, FP32], ids=lambda f: f.key)
def test_multiplication_rounds_the_exact_product_once(fmt: Format) -> None:
    a, b = pairs(fmt, 2_000, 1)
    exact = [Fraction(float(x)) * Fraction(float(y)) for x, y in zip(a, b, strict=True)]
    assert multiply(a, b, fmt).tolist() == [float(nearest_even(fmt.key)(q)) for q in exact]


def test_products_of_bf16_are_exact_in_fp32() -> None:
    a, b = pairs(BF16, 2_000, 2)
    exact = [Fraction(float(x)) * Fraction(float(y)) for x, y in zip(a, b, strict=True)]
    assert [Fraction(p) for p in products(a, b, TENSOR_CORE).tolist()] == exact


def test_products_are_not_rounded_to_inputs_again() -> None:
    product = products([1.0078125], [1.0078125], TENSOR_CORE)
    assert as_inputs(product, TENSOR_CORE) != product
    assert as_inputs(product, TENSOR_CORE.of_products) == product


def test_inputs_are_rounded_to_the_input_format() -> None:
    assert as_inputs([0.1, 257], TENSOR_CORE).tolist() == [0.10009765625, 256]
    assert as_inputs(0.1, ALL_FP32) == np.float32(0.1)


def test_an_addition_that_truncates_may_err_twice_as_much() -> None:
    assert Arithmetic().addition_error == FP32.unit_roundoff
    assert Arithmetic(mode=Mode.TOWARD_ZERO).addition_error == 2 * FP32.unit_roundoff
