"""Rounding to a format, in integer arithmetic of its own (no cast does the work).

`encode` and `round_to` take float64 and know every rounding mode. `round32` is the inner loop of
every sum: float32 in, nearest-even only, a few integer operations. The tests hold all three
against ml_dtypes and numpy. Flags and signalling NaN are not modelled; a NaN stays a NaN and
keeps only its sign.
"""

from enum import StrEnum
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sims.formats import FP32, Bits, Format, Values, decode

Singles = NDArray[np.float32]

Integers = NDArray[np.int64]

_CARRIER_BITS = 52  # stored significand bits of float64


class Mode(StrEnum):
    """What happens between two representable numbers. Source: IEEE 754-2019, section 4.3."""

    NEAREST_EVEN = "nearest_even"
    NEAREST_AWAY = "nearest_away"
    TOWARD_ZERO = "toward_zero"
    UP = "up"
    DOWN = "down"


def encode(values: ArrayLike, fmt: Format, mode: Mode = Mode.NEAREST_EVEN) -> Bits:
    """The bit patterns of `values` (float64, any shape) rounded to `fmt`, as uint32.

    Drop the low bits of the significand, look at what was dropped, add one or not. A carry out of
    the significand runs into the exponent field by itself, because the two are neighbours.
    """
    carried = np.asarray(values, np.float64)
    negative = np.signbit(carried)
    kept, rest, half, exponent = _split(carried, fmt)
    magnitude = ((exponent - fmt.min_exponent) << fmt.mantissa_bits) + kept
    magnitude += _round_up(kept, rest, half, negative, mode)
    too_large = np.where(_clamps(negative, mode), fmt.max_finite_bits, fmt.overflow_bits)
    magnitude = np.where(magnitude > fmt.max_finite_bits, too_large, magnitude)
    magnitude = np.where(np.isinf(carried), fmt.overflow_bits, magnitude)
    magnitude = np.where(np.isnan(carried), fmt.nan_bits, magnitude)
    return (magnitude.astype(np.uint32) | np.where(negative, fmt.sign_mask, 0)).astype(np.uint32)


def round_to(values: ArrayLike, fmt: Format, mode: Mode = Mode.NEAREST_EVEN) -> Values:
    """`values` (float64, any shape) rounded to the numbers that `fmt` has, as float64."""
    return decode(encode(values, fmt, mode), fmt)


def _split(values: Values, fmt: Format) -> tuple[Integers, Integers, Integers, Integers]:
    """|value| as (kept + rest / (2 half)) * 2^(exponent - mantissa bits): kept, rest, half, exponent."""
    bits = values.view(np.int64)
    field = (bits >> _CARRIER_BITS) & 0x7FF
    significand = (bits & (2**_CARRIER_BITS - 1)) | np.where(field > 0, 2**_CARRIER_BITS, 0)
    exponent = np.maximum(field, 1) - 1023
    below_normal = np.maximum(fmt.min_exponent - exponent, 0)
    # 63 is enough: everything is shifted out and the half-way point lies above any 53-bit number.
    shift = np.minimum(_CARRIER_BITS - fmt.mantissa_bits + below_normal, 63)
    kept = significand >> shift
    half = np.left_shift(np.int64(1), shift - 1)
    return kept, significand - (kept << shift), half, np.maximum(exponent, fmt.min_exponent)


def _round_up(
    kept: Integers, rest: Integers, half: Integers, negative: NDArray[np.bool_], mode: Mode
) -> NDArray[np.bool_]:
    """Where the kept bits take one more unit; elsewhere the rest is simply dropped."""
    match mode:
        case Mode.NEAREST_EVEN:
            return (rest > half) | ((rest == half) & (kept & 1 == 1))
        case Mode.NEAREST_AWAY:
            return rest >= half
        case Mode.UP:
            return (rest > 0) & ~negative
        case Mode.DOWN:
            return (rest > 0) & negative
    return np.zeros_like(negative)  # toward zero


def _clamps(negative: NDArray[np.bool_], mode: Mode) -> NDArray[np.bool_]:
    """Where a finite number too large stops at the largest finite one instead of overflowing."""
    match mode:
        case Mode.TOWARD_ZERO:
            return np.ones_like(negative)
        case Mode.UP:
            return negative
        case Mode.DOWN:
            return ~negative
    return np.zeros_like(negative)


def round32(values: Singles, fmt: Format) -> Singles:
    """float32 values rounded to nearest-even in `fmt`, **in place**; returns the same array.

    Adding just under half of the last kept bit, plus that bit itself, and cutting the tail rounds
    to nearest with ties to even. Below the smallest normal number of a narrow exponent range the
    grid is fixed, and adding and subtracting a large constant lets the hardware round to it.
    NaN must be the canonical one, as numpy's own arithmetic makes it.
    """
    if fmt == FP32:
        return values
    drop = FP32.mantissa_bits - fmt.mantissa_bits
    small = _round_small(values, fmt) if fmt.exponent_bits < FP32.exponent_bits else None
    bits = values.view(np.uint32)
    last = bits >> np.uint32(drop)
    last &= np.uint32(1)
    last += np.uint32((1 << (drop - 1)) - 1)
    bits += last
    bits &= np.uint32(2**32 - (1 << drop))
    if small is not None:
        np.copyto(values, small, where=np.abs(values) < fmt.min_normal)
        limit = np.inf if fmt.has_infinity else np.nan
        np.copyto(values, np.copysign(np.float32(limit), values), where=np.abs(values) > fmt.max_finite)
    return values


def _round_small(values: Singles, fmt: Format) -> Singles:
    """Values on the grid of the subnormals of `fmt`; right where |value| is below its normals."""
    anchor = np.float32(1.5 * 2**FP32.mantissa_bits * fmt.min_subnormal)
    return np.copysign((values + anchor) - anchor, values)


def round_to_odd(exact: Fraction) -> float:
    """The float64 that stands in for `exact` in any later rounding to 51 bits or fewer.

    Where float64 cannot hold the number, take the neighbour whose last bit is 1: it lies on the
    same side of every coarser number and of every coarser tie. Source: Boldo and Melquiond,
    "Emulation of FMA and correctly rounded sums: proved algorithms using rounding to odd" (2008).
    """
    largest = float(np.finfo(np.float64).max)
    if abs(exact) > Fraction(largest):
        return largest if exact > 0 else -largest
    nearest = float(exact)
    if Fraction(nearest) == exact or int(np.float64(nearest).view(np.uint64)) & 1:
        return nearest
    return float(np.nextafter(nearest, np.inf if exact > Fraction(nearest) else -np.inf))
