"""Rounding against ml_dtypes and numpy on 10^6 inputs, and against a search of all numbers in every mode."""

from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sims.formats import BF16, FP8_E4M3, FP8_E5M2, FP16, FP32, Format, decode
from sims.rounding import Mode, encode, round32, round_to, round_to_odd
from tests.sims.reference import nearest_even, truncate

DTYPES = {
    BF16: (ml_dtypes.bfloat16, np.uint16),
    FP16: (np.float16, np.uint16),
    FP8_E4M3: (ml_dtypes.float8_e4m3fn, np.uint8),
    FP8_E5M2: (ml_dtypes.float8_e5m2, np.uint8),
}
SMALL = list(DTYPES)


def every_kind_of_single() -> np.ndarray:
    """10^6 random FP32 patterns (subnormals, infinities and NaN among them) and all ties of all formats."""
    random = np.random.default_rng(1).integers(0, 2**32, 1_000_000, dtype=np.uint32)
    middles = []
    for fmt in SMALL:
        magnitudes = np.arange(fmt.max_finite_bits + 1)
        values = decode(magnitudes, fmt)
        tie = ((values[:-1] + values[1:]) / 2).astype(np.float32)
        beyond = np.float32(values[-1] + (values[-1] - values[-2]) / 2)  # where overflow begins
        middles += [tie, np.nextafter(tie, np.float32(0)), np.nextafter(tie, np.float32(np.inf))]
        middles += [np.array([beyond, np.nextafter(beyond, np.float32(0))])]
    special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, -np.nan, 1e-45, 3.4e38], np.float32)
    with np.errstate(over="ignore"):
        together = np.concatenate([random.view(np.float32), special, *middles, *(-m for m in middles)])
    # Signalling NaNs and payloads are not modelled.
    return np.where(np.isnan(together), np.copysign(np.float32(np.nan), together), together)


SINGLES = every_kind_of_single()


def theirs(fmt: Format) -> np.ndarray:
    dtype, carrier = DTYPES[fmt]
    with np.errstate(over="ignore", invalid="ignore"):
        return SINGLES.astype(dtype).view(carrier).astype(np.uint32)


@pytest.mark.parametrize("fmt", SMALL, ids=lambda fmt: fmt.key)
def test_encode_agrees_bit_for_bit(fmt: Format) -> None:
    np.testing.assert_array_equal(encode(SINGLES.astype(np.float64), fmt), theirs(fmt))


@pytest.mark.parametrize("fmt", SMALL, ids=lambda fmt: fmt.key)
def test_the_inner_loop_agrees_with_them_too(fmt: Format) -> None:
    with np.errstate(invalid="ignore"):
        ours, expected = round32(SINGLES.copy(), fmt), decode(theirs(fmt), fmt)
    np.testing.assert_array_equal(ours, expected)
    numbers = ~np.isnan(expected)
    np.testing.assert_array_equal(np.signbit(ours[numbers]), np.signbit(expected[numbers]))


def test_fp32_agrees_with_numpys_cast_of_doubles() -> None:
    rng = np.random.default_rng(2)
    patterns = rng.integers(0, 2**63, 500_000) | (rng.integers(0, 2, 500_000) << 63)
    near = np.ldexp(rng.uniform(1, 2, 500_000), rng.integers(-160, 130, 500_000))
    ties = np.ldexp(2 * rng.integers(0, 2**24, 1000) + 1.0, rng.integers(-150, 100, 1000))
    doubles = np.concatenate([patterns.view(np.float64), near, -near, ties])
    doubles = doubles[~np.isnan(doubles)]
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(encode(doubles, FP32), doubles.astype(np.float32).view(np.uint32))


@pytest.mark.parametrize("fmt", [BF16, FP16, FP8_E4M3, FP8_E5M2, FP32], ids=lambda fmt: fmt.key)
def test_every_number_is_its_own_rounding_in_every_mode(fmt: Format) -> None:
    bits = np.arange(2**fmt.width) if fmt != FP32 else np.random.default_rng(3).integers(0, 2**32, 200_000)
    values = decode(bits, fmt)
    kept = ~np.isnan(values)
    for mode in Mode:
        np.testing.assert_array_equal(encode(values[kept], fmt, mode), bits[kept])


@pytest.mark.parametrize("fmt", SMALL, ids=lambda fmt: fmt.key)
@pytest.mark.parametrize("mode", list(Mode))
def test_every_mode_picks_the_neighbour_that_a_search_finds(fmt: Format, mode: Mode) -> None:
    table = decode(np.arange(fmt.max_finite_bits + 1), fmt)
    table = np.concatenate([-table[:0:-1], table])
    x = SINGLES[np.isfinite(SINGLES) & (np.abs(SINGLES) <= table[-1])].astype(np.float64)[-400_000:]
    below = table[np.searchsorted(table, x, side="right") - 1]
    above = table[np.searchsorted(table, x, side="left")]
    down, up = x - below, above - x  # exact: both are multiples of FP32's last bit at x, or tiny
    inward, outward = np.where(x > 0, below, above), np.where(x > 0, above, below)
    nearer = np.where(down < up, below, above)
    even = np.where(encode(below, fmt) & 1 == 0, below, above)
    expected = {
        Mode.DOWN: below,
        Mode.UP: above,
        Mode.TOWARD_ZERO: inward,
        Mode.NEAREST_AWAY: np.where(down == up, outward, nearer),
        Mode.NEAREST_EVEN: np.where(down == up, even, nearer),
    }[mode]
    np.testing.assert_array_equal(round_to(x, fmt, mode), expected)


def test_overflow_stops_or_overflows_by_mode() -> None:
    huge = [1e39, -1e39]
    top = BF16.max_finite
    assert round_to(huge, BF16, Mode.TOWARD_ZERO).tolist() == [top, -top]
    assert round_to(huge, BF16, Mode.UP).tolist() == [np.inf, -top]
    assert round_to(huge, BF16, Mode.DOWN).tolist() == [top, -np.inf]
    assert round_to(huge, BF16).tolist() == [np.inf, -np.inf]
    assert np.isnan(round_to(huge, FP8_E4M3)).all()
    assert round_to(464.0, FP8_E4M3) == 448  # the tie goes to the even, finite neighbour


@given(st.fractions(), st.integers(-60, 60), st.sampled_from([BF16, FP16, FP32]))
def test_a_fraction_rounds_once(q: Fraction, power: int, fmt: Format) -> None:
    q = q * Fraction(2) ** power
    if abs(q) <= 60_000:
        carried = round_to_odd(q)
        assert Fraction(float(round_to(carried, fmt))) == nearest_even(fmt.key)(q)
        assert Fraction(float(round_to(carried, fmt, Mode.TOWARD_ZERO))) == truncate(fmt.key)(q)


def test_rounding_twice_would_be_wrong_and_odd_is_right() -> None:
    q = Fraction(257) + Fraction(1, 10**30)  # just above a tie of BF16; a double cannot tell
    assert round_to(float(q), BF16) == 256
    assert round_to(round_to_odd(q), BF16) == 258


def test_odd_rounding_keeps_what_double_holds_and_survives_the_extremes() -> None:
    assert round_to_odd(Fraction(3, 8)) == 0.375
    assert round_to_odd(Fraction(10) ** 400) == np.finfo(np.float64).max
    assert encode(round_to_odd(-(Fraction(10) ** 400)), FP32) == 0xFF800000
    assert encode(round_to_odd(Fraction(1, 10**400)), FP32, Mode.UP) == 1
