from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from sims.errors import InputError
from sims.formats import BF16, FORMATS, FP8_E4M3, FP16, FP32, Format, decode
from sims.numbers import (
    Number,
    decimal_text,
    dropped,
    explain_rounding,
    from_ordinal,
    neighbours,
    next_down,
    next_up,
    number,
    number_line,
    ordinals,
    swallowed_below,
    swallows,
    ulps_between,
)
from sims.rounding import Mode, encode


@pytest.mark.parametrize("fmt", [fmt for fmt in FORMATS.values() if fmt.width <= 16], ids=lambda f: f.key)
def test_a_number_says_what_its_bits_say(fmt: Format) -> None:
    values = decode(np.arange(2**fmt.width), fmt)
    for bits in range(0, 2**fmt.width, 1 if fmt.width == 8 else 7):
        x = Number(fmt, bits)
        fields = (x.sign << (fmt.width - 1)) | (x.exponent_field << fmt.mantissa_bits) | x.mantissa_field
        assert fields == bits == int(x.pattern, 2)
        np.testing.assert_array_equal(x.value, values[bits])
        assert np.signbit(x.value) == x.sign or x.kind == "nan"
        if x.is_finite:
            hidden = x.kind == "normal"
            significand = hidden + Fraction(x.mantissa_field, 2**fmt.mantissa_bits)
            assert x.exact == (-1) ** x.sign * significand * Fraction(2) ** x.exponent
            assert Fraction(x.ulp) == Fraction(2) ** (x.exponent - fmt.mantissa_bits)


@pytest.mark.parametrize("fmt", [BF16, FP16, FP8_E4M3], ids=lambda f: f.key)
def test_ordinals_walk_through_all_numbers_in_order(fmt: Format) -> None:
    last = fmt.exponent_mask if fmt.has_infinity else fmt.max_finite_bits
    values = [from_ordinal(k, fmt).value for k in range(-last, last + 1)]
    assert all(a < b for a, b in pairwise(values))
    assert len(values) == len({v for v in decode(np.arange(2**fmt.width), fmt).tolist() if v == v})
    with pytest.raises(InputError):
        from_ordinal(last + 1, fmt)


def test_neighbours_are_numpys_nextafter() -> None:
    for value in (0.0, 1.0, -1.0, 1e-45, 3.4028234663852886e38, 0.1, 16.0):
        x = number(value, FP32)
        single = np.float32(value)
        with np.errstate(over="ignore"):
            assert next_up(x).value == np.nextafter(single, np.float32(np.inf))
            assert next_down(x).value == np.nextafter(single, np.float32(-np.inf))
    assert [n.value for n in neighbours(number(256, BF16), 2)] == [254, 255, 256, 258, 260]
    assert next_up(number(448, FP8_E4M3)).value == 448  # there is no infinity to go to
    nan = number(float("nan"), BF16)
    assert neighbours(nan, 3) == (nan,)
    assert neighbours(number(-0.0, BF16))[1].sign == 1


def test_flipping_a_bit_twice_changes_nothing() -> None:
    x = number(0.1, BF16)
    assert all(x.flip(i).flip(i) == x != x.flip(i) for i in range(16))
    assert x.flip(15).value == -x.value


def test_kinds() -> None:
    kinds = {v: number(v, FP16).kind for v in (0.0, 2.0**-24, 2.0**-14, 1.0, 65504.0, 1e9)}
    assert list(kinds.values()) == ["zero", "subnormal", "normal", "normal", "normal", "infinity"]
    assert number(1e9, FP8_E4M3).kind == "nan"


def test_ulp_of_logits() -> None:
    assert number(16.0, BF16).ulp == number(31.75, BF16).ulp == 0.125
    assert number(32.0, BF16).ulp == 0.25
    assert ulps_between(16, 17, BF16) == 8
    assert ulps_between(1, -1, BF16) == -2 * number(1, BF16).ordinal


def test_ordinals_count_ulps_element_by_element() -> None:
    values = np.array([[1.0, -1.0, 0.0], [-0.0, 256.0, np.inf]])
    expected = [[number(v, BF16).ordinal for v in row] for row in values.tolist()]
    assert ordinals(values, BF16).tolist() == expected
    assert (ordinals([1.0078125, 258], BF16) - ordinals([1, 256], BF16)).tolist() == [1, 1]


def test_a_number_line_holds_all_numbers_of_its_window() -> None:
    everything = decode(np.arange(2**16), BF16)
    line = number_line(-0.01, 300.3, BF16, max_points=10**6)
    inside = np.unique(everything[(everything >= -0.01) & (everything <= 300.3)])
    np.testing.assert_array_equal(line.values, inside)
    assert (line.total, line.stride) == (inside.size, 1)
    thin = number_line(-0.01, 300.3, BF16, max_points=100)
    assert thin.values.size <= 100
    assert thin.total == inside.size
    np.testing.assert_array_equal(thin.values, inside[:: thin.stride])
    assert number_line(1.001, 1.002, BF16).values.size == 0
    with pytest.raises(InputError, match="window"):
        number_line(2, 1, BF16)


def test_a_rounding_is_explained() -> None:
    step = explain_rounding(Fraction(257), BF16)
    assert (step.below.value, step.above.value, step.result.value) == (256, 258, 256)
    assert step.tie
    assert (step.error, step.error_ulps) == (-1, Fraction(-1, 2))
    exact = explain_rounding(Fraction(3), BF16, Mode.UP)
    assert exact.below == exact.above == exact.result
    assert not exact.tie
    assert exact.error == exact.error_ulps == 0
    assert explain_rounding(Fraction(10) ** 40, BF16).error is None


def test_what_was_dropped_is_the_lower_half() -> None:
    tenth = dropped(number(0.1, FP32))
    assert (tenth.kept_bits, tenth.dropped_bits, tenth.carried, tenth.tie) == (0x3DCC, 0xCCCD, True, False)
    assert tenth.step is not None
    assert tenth.step.result.value == 0.10009765625
    tie = dropped(number(257.0, FP32))
    assert (tie.tie, tie.carried) == (True, False)
    assert dropped(number(257.0, FP32), Mode.NEAREST_AWAY).carried
    assert dropped(number(float("inf"), FP32)).step is None
    with pytest.raises(InputError, match="BF16"):
        dropped(number(1.0, BF16))


def test_carrying_is_what_encode_does_to_the_upper_half() -> None:
    for bits in np.random.default_rng(0).integers(0, 0x7F800000, 300).tolist():
        x = Number(FP32, bits)
        assert dropped(x).kept_bits + dropped(x).carried == int(encode(x.value, BF16))


def test_256_swallows_1() -> None:
    assert swallows(256, 1, BF16)
    assert not swallows(256, 1.5, BF16)
    assert not swallows(256, 1, FP32)
    assert not swallows(256, 0, BF16)
    assert not swallows(256, 1, BF16, Mode.UP)
    assert swallows(float(2**24), 1, FP32)


@pytest.mark.parametrize("fmt", [BF16, FP16, FP8_E4M3], ids=lambda f: f.key)
@pytest.mark.parametrize("total", [256.0, 1.0, -96.0, 0.0, 0.1])
def test_what_is_swallowed_ends_at_half_the_gap(total: float, fmt: Format) -> None:
    limit = swallowed_below(total, fmt)
    assert limit is not None
    here = number(total, fmt)
    exact, sign = here.exact, -1 if total < 0 else 1
    assert exact is not None
    assert number(exact + sign * limit * Fraction(999, 1000), fmt).exact == exact
    assert number(exact + sign * limit * Fraction(1001, 1000), fmt).exact != exact
    assert (number(exact + sign * limit, fmt).exact == exact) == (here.bits % 2 == 0)


def test_nothing_is_swallowed_for_certain_at_the_end_of_a_format() -> None:
    assert swallowed_below(65504, FP16) is None
    assert swallowed_below(448, FP8_E4M3) is None
    assert swallowed_below(float("inf"), BF16) is None
    assert swallowed_below(float("nan"), BF16) is None


def test_all_decimal_digits() -> None:
    assert decimal_text(Fraction(10009765625, 10**11)) == "0.10009765625"
    assert decimal_text(Fraction(258)) == "258"
    assert decimal_text(Fraction(-1, 2**20)) == f"{-(2.0**-20):.20f}"
    assert Fraction(decimal_text(number(1e-40, FP32).exact or Fraction(0))) == number(1e-40, FP32).exact
    with pytest.raises(InputError):
        decimal_text(Fraction(1, 3))
