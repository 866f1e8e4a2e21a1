"""The page of one number: what it shows of a number, what a press of a bit does, bad input, links."""

from fractions import Fraction
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as some

from apps import bits
from apps.text.catalogue import LANGUAGES, text
from sims.formats import BF16, FP8_E4M3, FP16, FP32
from sims.numbers import Number, dropped, number
from sims.parse import parse_number
from tests.apps.opening import facts, open_page, told

EN = LANGUAGES["en"]
page = partial(open_page, "bf16")


@pytest.mark.parametrize("fmt", bits.SMALL_FORMATS, ids=lambda f: f.key)
def test_every_pattern_is_typed_back_to_itself(fmt: object) -> None:
    """A press of a bit writes text and, for a NaN, its pattern; reading both gives the same bits."""
    for pattern in range(0, 2**fmt.width, 1 if fmt.width == 8 else 37):
        x = Number(fmt, pattern)
        held = f"{pattern:x}" if x.kind == "nan" else ""
        assert bits.chosen(parse_number(bits.typed_text(x)), fmt, held) == x


def test_a_pattern_that_is_no_nan_is_not_heard() -> None:
    one = number(1.0, BF16)
    for held in ("3f80", "7f80", "zzz", ""):
        assert bits.chosen(parse_number("nan"), BF16, held).kind == "nan"
        assert bits.chosen(parse_number("1"), BF16, held) == one
    assert bits.chosen(parse_number("1"), BF16, "7fc1") == one


@given(some.fractions())
def test_plain_values_are_exact_unless_they_say_otherwise(value: Fraction) -> None:
    written = bits.plain(value)
    if written.startswith("≈ "):
        assert float(written[2:]) == pytest.approx(float(value), rel=1e-8)
    else:
        assert Fraction(written) == value


def test_plain_values_beyond_float64() -> None:
    assert bits.plain(Fraction(1, 10**5000)) == "≈ 1e-5000"
    assert bits.plain(Fraction(3, 1) * 10**5000) == "≈ 3e+5000"
    assert bits.plain(None) == "—"
    assert bits.plain(float("inf")) == "inf"


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("0.5", "dropped-none"),
        ("1.0001", "dropped-stay"),
        ("0.1", "dropped-up"),
        ("257", "dropped-tie-stay"),
        ("259", "dropped-tie-up"),
    ],
)
def test_what_fp32_drops_is_told(typed: str, message: str) -> None:
    single = number(parse_number(typed).value, FP32)
    start = text(EN, f"bf16-{message}", bits="", count=0).split("`")[0]
    assert bits.dropped_text(dropped(single)).startswith(start)


def test_a_carry_into_the_exponent_is_told() -> None:
    carry = text(EN, "bf16-dropped-carry")
    assert carry in bits.dropped_text(dropped(number(1.998, FP32)))
    assert carry not in bits.dropped_text(dropped(number(0.1, FP32)))


def test_a_repeated_addend_stops_where_it_is_swallowed() -> None:
    for fmt, last in ((BF16, 256), (FP8_E4M3, 16)):
        figure, stop = bits.repeated_figure(1.0, 400, fmt)
        assert stop == last
        assert max(figure.data[1].y) == last
    assert bits.repeated_figure(1.0, 400, FP16)[1] is None
    assert bits.repeated_figure(0.0, 5, BF16)[1] == 1


def test_the_line_shows_the_numbers_of_the_window() -> None:
    x = number(0.1, BF16)
    figure = bits.line_figure(x, Fraction(1, 10), zoom=1)
    row = next(trace for trace in figure.data if trace.y[0] == "BF16")
    assert list(row.x) == [x.value + k * x.ulp for k in range(-2, 3)]


def test_the_default_number() -> None:
    at = page()
    assert not at.exception
    assert "0.10009765625" in facts(at)
    assert "0x3DCD" in facts(at)
    assert at.dataframe[0].value["Bits"][0] == "0011110111001101"
    assert "**Swallowed.**" in told(at)


def test_a_press_turns_a_bit_over_and_writes_the_number() -> None:
    at = page(number="256")
    at.button(key="bf16-bit-0").click().run()
    assert at.text_input(key="bf16-number").value == "258"
    at.button(key="bf16-bit-15").click().run()
    assert at.text_input(key="bf16-number").value == "-258"
    at.button(key="bf16-up").click().run()
    assert at.text_input(key="bf16-number").value == "-256"


def test_the_bits_of_a_nan_stay_as_they_were_pressed() -> None:
    at = page(number="inf")
    at.button(key="bf16-bit-2").click().run()
    assert "0x7F84" in facts(at)
    at.button(key="bf16-bit-2").click().run()
    assert at.text_input(key="bf16-number").value == "inf"


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("1e-3", "0x3A83"),
        ("٠٫١", "0x3DCD"),
        ("۰٫۱", "0x3DCD"),
        ("-0", "0x8000"),
        ("inf", "0x7F80"),
        ("nan", "0x7FC0"),
        ("1e-40", "0x0001"),
        ("1e300", "0x7F80"),
        ("0x1.8p-3", "0x3E40"),
    ],
)
def test_what_can_be_typed(typed: str, shown: str) -> None:
    at = page(number=typed)
    assert not at.exception
    assert not at.error
    assert shown in facts(at)


@pytest.mark.parametrize("typed", ["", "abc", "1,5", "1e99999", "9" * 450, "![x](http://a.b/c.png)"])
def test_bad_input_is_a_message_and_nothing_is_lost(typed: str) -> None:
    for code in LANGUAGES:
        at = page(number=typed, lang=code)
        assert not at.exception
        assert len(at.error) == 1
        assert "![" not in at.error[0].value, "what was typed is no Markdown"
        assert at.text_input(key="bf16-number").value == typed


def test_bad_input_is_told_in_the_reader_s_language() -> None:
    assert "ليس عددًا" in page(number="abc", lang="ar").error[0].value
    assert "عدد نیست" in page(number="abc", lang="fa").error[0].value


def test_bad_addends_leave_the_number_alone() -> None:
    at = page(addend="x")
    assert not at.exception
    assert len(at.error) == 1
    assert "0x3DCD" in facts(at)


def test_two_roundings_are_told_apart_from_one() -> None:
    # Just above the tie 1.00390625: FP32 rounds it onto the tie, and the tie goes down.
    assert "Two roundings" in told(page(number="1.0039062500000001"))
    assert "Two roundings" not in told(page(number="0.1"))


def test_a_link_restores_the_number_and_the_format() -> None:
    at = page(number="3.5", format="fp8_e5m2", zoom="6", total="8", addend="1", times="50")
    assert not at.exception
    assert at.text_input(key="bf16-number").value == "3.5"
    assert at.session_state["bf16-format"] == "fp8_e5m2"
    assert at.slider(key="bf16-zoom").value == 6
    assert at.slider(key="bf16-times").value == 50
    assert "0x43" in facts(at)


@pytest.mark.parametrize("idea", ["tie", "carry", "subnormal", "stop"])
def test_try_this_sets_the_page(idea: str) -> None:
    at = page()
    at.button(key=f"try-bf16-try-{idea}").click().run()
    assert not at.exception
    assert not at.error
