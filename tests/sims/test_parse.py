import time
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sims.errors import InputError
from sims.formats import BF16, FP32
from sims.parse import MAX_COUNT, finite_values, parse_list, parse_number
from sims.rounding import encode


@pytest.mark.parametrize(
    ("text", "exact"),
    [
        ("1e-3", Fraction(1, 1000)),
        ("0.1", Fraction(1, 10)),
        (" +.5 ", Fraction(1, 2)),
        ("3.", Fraction(3)),
        ("−2", Fraction(-2)),
        ("-1E+2", Fraction(-100)),
        ("٠٫١", Fraction(1, 10)),
        ("۰٫۱", Fraction(1, 10)),
        ("٣", Fraction(3)),
        ("۱٬۲۳۴٫۵", Fraction(2469, 2)),
        ("\u200f-۵\u200e", Fraction(-5)),
        ("۱e-۳", Fraction(1, 1000)),
        ("0x1.8p3", Fraction(12)),
        ("-0x1p-149", Fraction(-1, 2**149)),
        ("0xff", Fraction(255)),
        ("1e-46", Fraction(1, 10**46)),
        ("1e400", Fraction(10) ** 400),
    ],
)
def test_numbers_are_read_exactly(text: str, exact: Fraction) -> None:
    assert parse_number(text).exact == exact


@given(st.floats(allow_nan=False, allow_infinity=False, width=32))
def test_what_python_prints_comes_back(x: float) -> None:
    assert encode(parse_number(repr(x)).value, FP32) == np.float32(x).view(np.uint32)
    if "inf" not in x.hex():
        assert parse_number(x.hex()).exact == Fraction(x)


def test_specials_and_the_sign_of_zero() -> None:
    assert parse_number("inf").value == parse_number("∞").value == parse_number("+Infinity").value == np.inf
    assert parse_number("-INF").value == -np.inf
    assert np.isnan(parse_number("NaN").value)
    assert parse_number("nan").exact is None
    assert encode(parse_number("-0").value, BF16) == 0x8000
    assert encode(parse_number("0").value, BF16) == 0


@pytest.mark.parametrize(
    "text", ["", "abc", "1.2.3", "1e", "--1", "0x", "0xg", "1_000", "٫", ".", "1e5000000000"]
)
def test_what_is_no_number_is_named(text: str) -> None:
    with pytest.raises(InputError) as error:
        parse_number(text)
    assert repr(text) in error.value.what
    assert error.value.remedy
    assert error.value.key in ("not_a_number", "exponent_too_large", "no_number")


def test_lists_take_any_mixture_of_separators() -> None:
    text = "[1, 2;3\n٤، ٥؛ ۶\t7.5\u00a08e0]\r\n"
    assert finite_values(parse_list(text)) == (1, 2, 3, 4, 5, 6, 7.5, 8)


@pytest.mark.parametrize("text", ["", "  \n", ",;، []"])
def test_an_empty_list_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="empty") as error:
        parse_list(text)
    assert error.value.key == "empty_list"


def test_the_bad_piece_of_a_list_is_named() -> None:
    with pytest.raises(InputError, match="'two'") as error:
        parse_list("1, two, three")
    assert error.value.values == {"piece": "two"}


def test_too_many_numbers_are_refused_before_they_are_read() -> None:
    start = time.perf_counter()
    with pytest.raises(InputError, match="10,000,000") as error:
        parse_list("1 " * 10**7)
    assert time.perf_counter() - start < 1
    assert error.value.key == "far_too_many"
    with pytest.raises(InputError, match=f"{MAX_COUNT + 1:,}") as error:
        parse_list("1 " * (MAX_COUNT + 1))
    assert (error.value.key, error.value.values["count"]) == ("too_many", MAX_COUNT + 1)
    assert len(parse_list("1 " * 50, max_count=50)) == 50


def test_a_number_with_a_million_digits_is_refused() -> None:
    with pytest.raises(InputError, match="1,000,000 characters"):
        parse_number("9" * 1_000_000)


def test_a_sum_wants_finite_numbers() -> None:
    with pytest.raises(InputError, match="'inf'"):
        finite_values(parse_list("1 inf"))
