"""Adding and multiplying with a chosen format for inputs, accumulator, partial sums and output.

Values travel as float32, which holds every value of every format here. Fused multiply-add is not
modelled separately: a product of two BF16 or FP8 numbers is exact in FP32, so that fusing changes
nothing there.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sims.formats import BF16, FP32, Format
from sims.rounding import Mode, Singles, round32, round_to


@dataclass(frozen=True)
class Arithmetic:
    """Where a sum rounds: its inputs, every addition, split partials, and once at the end.

    A tensor core's GEMM is the default: BF16 in, FP32 accumulator and partials, BF16 out. Some
    tensor cores cut off instead of rounding to nearest: `mode` is the accumulator's rule
    (Fasi et al., "Numerical behavior of NVIDIA tensor cores", 2021).
    """

    inputs: Format = BF16
    accumulator: Format = FP32
    partials: Format = FP32
    output: Format = BF16
    mode: Mode = Mode.NEAREST_EVEN

    @property
    def of_products(self) -> "Arithmetic":
        """The same for addends that are products already: they are the accumulator's numbers, not inputs."""
        return replace(self, inputs=self.accumulator)

    @property
    def rounds_to_nearest(self) -> bool:
        return self.mode in (Mode.NEAREST_EVEN, Mode.NEAREST_AWAY)

    @property
    def addition_error(self) -> float:
        """The largest relative error of one addition: u of the accumulator to nearest, 2u otherwise."""
        return self.accumulator.unit_roundoff * (1 if self.rounds_to_nearest else 2)


TENSOR_CORE = Arithmetic()
REDUCED_PARTIALS = Arithmetic(partials=BF16)
ALL_BF16 = Arithmetic(accumulator=BF16, partials=BF16)
ALL_FP32 = Arithmetic(inputs=FP32, output=FP32)

ARITHMETICS: dict[str, Arithmetic] = {
    "tensor_core": TENSOR_CORE,
    "reduced_partials": REDUCED_PARTIALS,
    "all_bf16": ALL_BF16,
    "all_fp32": ALL_FP32,
}


def add(a: Singles, b: Singles, fmt: Format, mode: Mode = Mode.NEAREST_EVEN) -> Singles:
    """a + b rounded once to `fmt`; a new float32 array.

    Nearest-even goes through float32 first. That second rounding changes nothing, because 24 bits
    are at least 2p + 2 for every p up to FP16's 11 (Figueroa, "When is double rounding
    innocuous?", 1995). The other modes round an odd-rounded float64 sum instead; an exact 0 is +0
    in all of them.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        if mode is Mode.NEAREST_EVEN:
            return round32(np.asarray(a + b), fmt)
        return round_to(odd_sum(a, b), fmt, mode).astype(np.float32)


def subtract(a: Singles, b: Singles, fmt: Format, mode: Mode = Mode.NEAREST_EVEN) -> Singles:
    """a - b rounded once to `fmt`."""
    return add(a, -b, fmt, mode)


def multiply(a: Singles, b: Singles, fmt: Format, mode: Mode = Mode.NEAREST_EVEN) -> Singles:
    """a * b rounded once to `fmt`: 48 bits hold the product of two 24-bit significands exactly."""
    product = np.multiply(a, b, dtype=np.float64)
    return round_to(product, fmt, mode).astype(np.float32)


def odd_sum(a: ArrayLike, b: ArrayLike) -> NDArray[np.float64]:
    """a + b in float64, rounded to odd: fit for one more rounding, in any mode.

    Knuth's two-sum gives the error of the float64 sum; where there is one and the sum's last bit
    is 0, the neighbour on the error's side has a 1 there. See `rounding.round_to_odd`.
    """
    a, b = np.asarray(a, np.float64), np.asarray(b, np.float64)
    total = np.asarray(a + b)
    part = total - a
    error = (a - (total - part)) + (b - part)
    even = (total.view(np.int64) & 1) == 0
    toward = np.where(error > 0, np.inf, -np.inf)
    return np.where((error != 0) & np.isfinite(error) & even, np.nextafter(total, toward), total)


def as_inputs(values: ArrayLike, arithmetic: Arithmetic) -> Singles:
    """Values of any shape rounded to the input format (nearest-even), as float32."""
    return round_to(values, arithmetic.inputs).astype(np.float32)


def products(a: ArrayLike, b: ArrayLike, arithmetic: Arithmetic) -> Singles:
    """The addends of a dot product: inputs rounded, each product rounded to the accumulator.

    Exact for BF16 inputs and an FP32 accumulator, underflow aside. Sum them with
    `arithmetic.of_products`, so that they are not rounded to the input format again.
    """
    return multiply(
        as_inputs(a, arithmetic), as_inputs(b, arithmetic), arithmetic.accumulator, arithmetic.mode
    )
