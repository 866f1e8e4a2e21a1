"""Every pattern of every small format against ml_dtypes and numpy, which share no code with sims."""

import ml_dtypes
import numpy as np
import pytest

from sims.errors import InputError
from sims.formats import BF16, FORMATS, FP8_E4M3, FP8_E5M2, FP16, FP32, Format, decode, format_named

OTHERS = [
    (BF16, ml_dtypes.bfloat16, np.uint16),
    (FP16, np.float16, np.uint16),
    (FP8_E4M3, ml_dtypes.float8_e4m3fn, np.uint8),
    (FP8_E5M2, ml_dtypes.float8_e5m2, np.uint8),
]


@pytest.mark.parametrize(("fmt", "dtype", "carrier"), OTHERS)
def test_every_pattern_has_the_value_that_the_other_library_gives_it(fmt: Format, dtype, carrier) -> None:
    bits = np.arange(2**fmt.width, dtype=carrier)
    with np.errstate(invalid="ignore"):
        theirs, ours = bits.view(dtype).astype(np.float64), decode(bits, fmt)
    np.testing.assert_array_equal(ours, theirs)
    numbers = ~np.isnan(theirs)
    np.testing.assert_array_equal(np.signbit(ours[numbers]), np.signbit(theirs[numbers]))  # both zeros


def test_fp32_patterns_have_numpys_values() -> None:
    edges = np.array([0, 1, 0x007FFFFF, 0x00800000, 0x7F7FFFFF, 0x7F800000, 0x7FC00000], np.uint32)
    random = np.random.default_rng(0).integers(0, 2**32, 1_000_000, dtype=np.uint32)
    bits = np.concatenate([edges, edges | np.uint32(1 << 31), random])
    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(decode(bits, FP32), bits.view(np.float32).astype(np.float64))


@pytest.mark.parametrize(("fmt", "dtype"), [(fmt, dtype) for fmt, dtype, _ in OTHERS] + [(FP32, np.float32)])
def test_limits_are_those_of_finfo(fmt: Format, dtype) -> None:
    info = ml_dtypes.finfo(dtype)
    assert fmt.width == info.bits
    assert fmt.precision == info.nmant + 1
    assert fmt.max_finite == float(info.max)
    assert fmt.min_normal == float(info.smallest_normal)
    assert fmt.min_subnormal == float(info.smallest_subnormal)
    assert 2 * fmt.unit_roundoff == float(info.eps)


def test_e4m3_has_no_infinity_and_one_nan_a_sign() -> None:
    values = decode(np.arange(256), FP8_E4M3)
    assert not np.isinf(values).any()
    assert np.flatnonzero(np.isnan(values)).tolist() == [0x7F, 0xFF]


def test_formats_are_found_by_key() -> None:
    assert all(format_named(key) is fmt for key, fmt in FORMATS.items())
    with pytest.raises(InputError, match="fp64"):
        format_named("fp64")
