"""One number of a format, looked at closely: its bits, its exact value, its neighbours.

Scalar and exact (fractions), for pages and lessons; arrays are the business of `rounding`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from math import ldexp
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sims.errors import InputError
from sims.formats import BF16, FP32, Format, decode
from sims.rounding import Mode, encode, round_to_odd

Kind = Literal["zero", "subnormal", "normal", "infinity", "nan"]


@dataclass(frozen=True)
class Number:
    """A bit pattern of a format and everything that it says."""

    fmt: Format
    bits: int

    @property
    def sign(self) -> int:
        """The sign bit: 1 for negative numbers and for -0."""
        return self.bits >> (self.fmt.width - 1)

    @property
    def exponent_field(self) -> int:
        return (self.bits & self.fmt.exponent_mask) >> self.fmt.mantissa_bits

    @property
    def mantissa_field(self) -> int:
        return self.bits & self.fmt.mantissa_mask

    @property
    def pattern(self) -> str:
        """The bits as text, sign first: '0100001110000000' is BF16 256."""
        return f"{self.bits:0{self.fmt.width}b}"

    @property
    def kind(self) -> Kind:
        magnitude = self.bits & (self.fmt.sign_mask - 1)
        if magnitude > self.fmt.max_finite_bits:
            return "infinity" if self.fmt.has_infinity and not self.mantissa_field else "nan"
        if self.exponent_field:
            return "normal"
        return "subnormal" if magnitude else "zero"

    @property
    def is_finite(self) -> bool:
        return self.kind not in ("infinity", "nan")

    @property
    def value(self) -> float:
        """(-1)^sign * significand * 2^(exponent - mantissa bits), or infinity, or NaN."""
        if not self.is_finite:
            return float("nan") if self.kind == "nan" else float("-inf" if self.sign else "inf")
        hidden = 1 << self.fmt.mantissa_bits if self.exponent_field else 0
        magnitude = ldexp(self.mantissa_field + hidden, self.exponent - self.fmt.mantissa_bits)
        return -magnitude if self.sign else magnitude

    @property
    def exact(self) -> Fraction | None:
        """The exact rational value; None for infinity and NaN. -0 is 0 here, its sign is `sign`."""
        return Fraction(self.value) if self.is_finite else None

    @property
    def exponent(self) -> int:
        """The power of two that the significand is multiplied by, bias removed."""
        return max(self.exponent_field, 1) - self.fmt.bias

    @property
    def ulp(self) -> float:
        """2^(exponent - mantissa bits): what the last mantissa bit is worth; NaN if not finite."""
        return 2.0 ** (self.exponent - self.fmt.mantissa_bits) if self.is_finite else float("nan")

    @property
    def ordinal(self) -> int:
        """Position among all numbers in order: neighbours differ by one, both zeros are 0."""
        magnitude = self.bits & (self.fmt.sign_mask - 1)
        return -magnitude if self.sign else magnitude

    def flip(self, position: int) -> "Number":
        """The number with one bit turned over; position 0 is the last mantissa bit."""
        return Number(self.fmt, self.bits ^ (1 << position))


def number(value: float | Fraction, fmt: Format, mode: Mode = Mode.NEAREST_EVEN) -> Number:
    """The number of `fmt` that `value` rounds to, with one rounding even from a fraction."""
    carried = round_to_odd(value) if isinstance(value, Fraction) else value
    return Number(fmt, int(encode(carried, fmt, mode)))


def from_ordinal(ordinal: int, fmt: Format) -> Number:
    """The number at this position, from -infinity to infinity (or between the largest finite ones).

    Raises InputError beyond that range.
    """
    last = fmt.exponent_mask if fmt.has_infinity else fmt.max_finite_bits
    if abs(ordinal) > last:
        raise InputError(f"{fmt.name} has no number at position {ordinal}.", f"Stay within ±{last}.")
    return Number(fmt, abs(ordinal) | (fmt.sign_mask if ordinal < 0 else 0))


def neighbours(centre: Number, count: int = 1) -> tuple[Number, ...]:
    """Up to `count` numbers on either side of `centre` and itself, ascending; one zero only.

    A NaN has no neighbours and stands alone.
    """
    if centre.kind == "nan":
        return (centre,)
    last = centre.fmt.exponent_mask if centre.fmt.has_infinity else centre.fmt.max_finite_bits
    low, high = max(centre.ordinal - count, -last), min(centre.ordinal + count, last)
    around = (from_ordinal(k, centre.fmt) for k in range(low, high + 1))
    return tuple(centre if near.ordinal == centre.ordinal else near for near in around)


def next_up(x: Number) -> Number:
    """The smallest number above x (x itself at the top of the format)."""
    return neighbours(x)[-1]


def next_down(x: Number) -> Number:
    """The largest number below x (x itself at the bottom of the format)."""
    return neighbours(x)[0]


def ulps_between(a: float | Fraction, b: float | Fraction, fmt: Format) -> int:
    """How many steps from number to number lead from a to b, both rounded to `fmt`; negative downwards."""
    return number(b, fmt).ordinal - number(a, fmt).ordinal


def ordinals(values: ArrayLike, fmt: Format) -> NDArray[np.int64]:
    """`Number.ordinal` for values of any shape, rounded to `fmt`: differences count ulps, element by element.

    Infinity is one step beyond the largest number, NaN further out.
    """
    bits = encode(values, fmt).astype(np.int64)
    magnitude = bits & (fmt.sign_mask - 1)
    return np.where(bits & fmt.sign_mask, -magnitude, magnitude)


@dataclass(frozen=True)
class NumberLine:
    """The numbers of a format inside a window: values ascending, shape (points,).

    `total` counts all of them; where it exceeds the points drawn, only every `stride`-th is there.
    """

    fmt: Format
    values: NDArray[np.float64]
    total: int
    stride: int


def number_line(low: float, high: float, fmt: Format, max_points: int = 400) -> NumberLine:
    """All numbers of `fmt` in [low, high], thinned evenly to at most `max_points`.

    Raises InputError when the ends are not finite numbers in ascending order.
    """
    if not (np.isfinite(low) and np.isfinite(high) and low < high):
        raise InputError(f"[{low}, {high}] is no window.", "Give two finite ends, the smaller first.")
    first, last = number(low, fmt, Mode.UP).ordinal, number(high, fmt, Mode.DOWN).ordinal
    total = max(last - first + 1, 0)
    stride = max(1, -(-total // max_points))
    ordinals = np.arange(first, last + 1, stride, dtype=np.int64)
    bits = np.abs(ordinals) | np.where(ordinals < 0, fmt.sign_mask, 0)
    return NumberLine(fmt, decode(bits, fmt), total, stride)


@dataclass(frozen=True)
class RoundingStep:
    """One rounding, explained. `below` and `above` enclose the exact value (equal if it is a number).

    `error` is result - exact; `error_ulps` is in units of the gap between the two candidates. Both
    are None where the result is not finite.
    """

    exact: Fraction
    below: Number
    above: Number
    result: Number
    mode: Mode
    tie: bool
    error: Fraction | None
    error_ulps: Fraction | None


def explain_roundings(
    exacts: Sequence[Fraction], fmt: Format, mode: Mode = Mode.NEAREST_EVEN
) -> tuple[RoundingStep, ...]:
    """For each exact value: which two numbers enclose it, which one `mode` takes, how far off that is."""
    carried = [round_to_odd(exact) for exact in exacts]
    low, high, taken = (_numbers(carried, fmt, how) for how in (Mode.DOWN, Mode.UP, mode))
    return tuple(_explained(*each, mode) for each in zip(exacts, low, high, taken, strict=True))


def _numbers(values: Sequence[float], fmt: Format, mode: Mode) -> list[Number]:
    return [Number(fmt, bits) for bits in encode(values, fmt, mode).tolist()]


def explain_rounding(exact: Fraction, fmt: Format, mode: Mode = Mode.NEAREST_EVEN) -> RoundingStep:
    """The same for one value."""
    return explain_roundings([exact], fmt, mode)[0]


def _explained(exact: Fraction, below: Number, above: Number, result: Number, mode: Mode) -> RoundingStep:
    low, high, taken = below.exact, above.exact, result.exact
    if low is None or high is None or taken is None:
        return RoundingStep(exact, below, above, result, mode, False, None, None)
    gap, error = high - low, taken - exact
    tie = gap > 0 and exact - low == high - exact
    return RoundingStep(exact, below, above, result, mode, tie, error, error / gap if gap else Fraction(0))


@dataclass(frozen=True)
class Dropped:
    """What FP32 loses on its way to BF16: the two share sign and exponent bits, so the lower 16 go."""

    kept_bits: int
    dropped_bits: int
    carried: bool
    step: RoundingStep | None

    @property
    def tie(self) -> bool:
        """Exactly half of the last kept bit was dropped: a one and fifteen zeros."""
        return self.dropped_bits == 1 << 15


def dropped(single: Number, mode: Mode = Mode.NEAREST_EVEN) -> Dropped:
    """The upper half kept, the lower half dropped, and whether rounding added one to the upper half.

    `step` is None for infinity and NaN. Raises InputError if `single` is not an FP32 number.
    """
    if single.fmt != FP32:
        raise InputError(f"{single.fmt.name} bits were given.", "Give a number of FP32.")
    kept, low = single.bits >> 16, single.bits & 0xFFFF
    step = explain_rounding(single.exact, BF16, mode) if single.exact is not None else None
    return Dropped(kept, low, bool(step) and number(single.value, BF16, mode).bits != kept, step)


def swallows(total: float, addend: float, fmt: Format, mode: Mode = Mode.NEAREST_EVEN) -> bool:
    """Whether adding a nonzero addend leaves the running total as it was: 256 + 1 in BF16."""
    a, b = number(total, fmt), number(addend, fmt)
    if a.exact is None or b.exact is None or b.exact == 0:
        return False
    return number(a.exact + b.exact, fmt, mode).exact == a.exact


def swallowed_below(total: float, fmt: Format) -> Fraction | None:
    """Half the gap above |total|: to nearest, an addend of smaller size and the total's sign is swallowed.

    At exactly half, the tie goes to the even neighbour. None where there is no finite number above.
    """
    here = number(abs(total), fmt)
    low, high = here.exact, next_up(here).exact
    return None if low is None or high is None or low == high else (high - low) / 2


def decimal_text(exact: Fraction) -> str:
    """All decimal digits of a binary or decimal fraction: BF16 0.1 is 0.10009765625.

    Raises InputError for a value with no finite decimal expansion (a third).
    """
    rest = exact.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    if rest != 1:
        raise InputError(f"{exact} has no finite decimal expansion.", "Show it as a fraction.")
    context = Context(prec=20_000, Emax=999_999, Emin=-999_999)
    return format(
        context.divide(Decimal(exact.numerator), Decimal(exact.denominator)).normalize(context), "f"
    )
