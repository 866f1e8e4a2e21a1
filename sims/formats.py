"""Floating-point formats: how many bits go where, and what a pattern of bits is worth.

A format is a record; a value is carried in float64, which holds every value of every format here
exactly. Turning a value into bits needs a rounding rule and lives in `rounding`. Stochastic
rounding, block scales (MX formats) and NaN payloads are not modelled: every format has one NaN
per sign.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sims.errors import InputError

Bits = NDArray[np.uint32]
Values = NDArray[np.float64]


@dataclass(frozen=True)
class Format:
    """A binary floating-point format: one sign bit, then exponent bits, then mantissa bits.

    `mantissa_bits` counts the stored bits; a normal number has one more, the hidden 1.
    Without infinity (FP8 E4M3, "fn" for "finite"), only the all-ones pattern is NaN and the rest
    of the top binade holds numbers. Source: IEEE 754-2019, section 3.4; OCP 8-bit Floating Point
    Specification (OFP8) 1.0, table 1.
    """

    key: str
    name: str
    exponent_bits: int
    mantissa_bits: int
    has_infinity: bool = True

    @property
    def width(self) -> int:
        """All bits, the sign included."""
        return 1 + self.exponent_bits + self.mantissa_bits

    @property
    def precision(self) -> int:
        """p: bits of significand, hidden bit included. BF16 has 8, FP16 11, FP32 24."""
        return self.mantissa_bits + 1

    @property
    def unit_roundoff(self) -> float:
        """u = 2^-p: the largest relative error of one rounding to nearest (no underflow)."""
        return 2.0**-self.precision

    @property
    def bias(self) -> int:
        """What is subtracted from the exponent field: 2^(exponent bits - 1) - 1."""
        return 2 ** (self.exponent_bits - 1) - 1

    @property
    def min_exponent(self) -> int:
        """Exponent of the smallest normal number, shared by all subnormals."""
        return 1 - self.bias

    @property
    def sign_mask(self) -> int:
        return 1 << (self.width - 1)

    @property
    def exponent_mask(self) -> int:
        return (2**self.exponent_bits - 1) << self.mantissa_bits

    @property
    def mantissa_mask(self) -> int:
        return 2**self.mantissa_bits - 1

    @property
    def max_finite_bits(self) -> int:
        """The pattern of the largest finite number."""
        return self.exponent_mask - 1 if self.has_infinity else self.sign_mask - 2

    @property
    def nan_bits(self) -> int:
        """The (quiet) NaN that every NaN is turned into."""
        return (
            self.exponent_mask | (1 << (self.mantissa_bits - 1)) if self.has_infinity else self.sign_mask - 1
        )

    @property
    def overflow_bits(self) -> int:
        """What a number too large becomes: infinity, or NaN in a format that has none."""
        return self.exponent_mask if self.has_infinity else self.nan_bits

    @property
    def max_finite(self) -> float:
        return float(decode(self.max_finite_bits, self))

    @property
    def min_normal(self) -> float:
        return 2.0**self.min_exponent

    @property
    def min_subnormal(self) -> float:
        """The smallest positive number, and the gap between all subnormals."""
        return 2.0 ** (self.min_exponent - self.mantissa_bits)


FP32 = Format("fp32", "FP32", 8, 23)
BF16 = Format("bf16", "BF16", 8, 7)
FP16 = Format("fp16", "FP16", 5, 10)
FP8_E4M3 = Format("fp8_e4m3", "FP8 E4M3", 4, 3, has_infinity=False)
FP8_E5M2 = Format("fp8_e5m2", "FP8 E5M2", 5, 2)

FORMATS: dict[str, Format] = {fmt.key: fmt for fmt in (BF16, FP16, FP32, FP8_E4M3, FP8_E5M2)}


def format_named(key: str) -> Format:
    """The format with this key. Raises InputError for a key that is not in FORMATS."""
    if key not in FORMATS:
        raise InputError(f"No format is called {key!r}.", f"Choose one of {', '.join(FORMATS)}.")
    return FORMATS[key]


def decode(bits: ArrayLike, fmt: Format) -> Values:
    r"""The values of bit patterns, any shape, as float64.

    Normal:    $(-1)^s \cdot 2^{e - \mathrm{bias}} \cdot (1 + f / 2^m)$, exponent field $e \ge 1$;
    subnormal: $(-1)^s \cdot 2^{1 - \mathrm{bias}} \cdot f / 2^m$, exponent field $e = 0$;
    with $f$ the mantissa field and $m$ its bits. Source: IEEE 754-2019, section 3.4.
    """
    bits = np.asarray(bits, np.int64)
    magnitude = bits & (fmt.sign_mask - 1)
    exponent = magnitude >> fmt.mantissa_bits
    significand = (magnitude & fmt.mantissa_mask) + ((exponent > 0).astype(np.int64) << fmt.mantissa_bits)
    values = np.ldexp(significand.astype(np.float64), np.maximum(exponent, 1) - fmt.bias - fmt.mantissa_bits)
    values = np.where(magnitude > fmt.max_finite_bits, np.nan, values)
    if fmt.has_infinity:
        values = np.where(magnitude == fmt.exponent_mask, np.inf, values)
    return np.where(bits & fmt.sign_mask, -values, values)
