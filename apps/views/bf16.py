"""What a BF16 number is: its bits, its neighbours, what rounding to it drops, and what it swallows."""

from functools import partial

import streamlit as st

from apps import bits
from apps.registry import APPS
from apps.text import t
from apps.widgets import (
    Choice,
    Controls,
    Held,
    Number,
    Text,
    Try,
    chart,
    facts,
    formula,
    notice,
    shown,
    table,
    title,
)
from sims import formats, numbers, rounding
from sims.errors import InputError
from sims.formats import BF16, FP32, Format, format_named
from sims.parse import Typed, parse_number

FORMAT_KEYS = tuple(fmt.key for fmt in bits.SMALL_FORMATS)
CONTROLS = Controls(
    "bf16",
    Text("number", "0.1", limit=500),
    Choice("format", FORMAT_KEYS, look="segments", texts="format"),
    Held("pattern"),
    Number("zoom", 3, 1, 14),
    Text("total", "256", limit=500),
    Text("addend", "1", limit=500),
    Number("times", 400, 2, 1000),
)

SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
ONE = "background: var(--field); border-color: var(--field); color: #FFF; --weight: 700"  # a bit that is 1


def put(x: numbers.Number) -> None:
    """Make x the number of the page; a NaN's own pattern is held beside its text."""
    pattern = f"{x.bits:x}" if x.kind == "nan" else ""
    st.session_state.update(CONTROLS.keyed(number=bits.typed_text(x), pattern=pattern))


def bit_buttons(x: numbers.Number) -> None:
    """One button a bit; a press turns it over."""
    fmt = x.fmt
    fields = {
        "sign": [fmt.width - 1],
        "exponent": [*range(fmt.width - 2, fmt.mantissa_bits - 1, -1)],
        "mantissa": [*range(fmt.mantissa_bits - 1, -1, -1)],
    }
    # Not by the buttons' type: Streamlit replaces a button whose type changes, and the focus would be lost.
    ones = ",".join(f".st-key-bf16-bit-{k} button" for k in range(fmt.width) if x.bits >> k & 1)
    st.html(f"<style>:is({ones or 'no-bit'}) {{ {ONE} }}</style>")
    with st.container(key="bits", horizontal=True, gap="medium"):
        for field, positions in fields.items():
            with st.container(key=f"bits-{field}", width="content", gap="small"):
                st.caption(field_text(field, x))
                with st.container(key=f"bits-row-{field}", horizontal=True, gap="xsmall"):
                    for position in positions:
                        one = x.bits >> position & 1
                        st.button(
                            f"{one}  \n:small[{weight(field, position, fmt)}]",
                            key=f"bf16-bit-{position}",
                            on_click=partial(put, x.flip(position)),
                        )


def weight(field: str, position: int, fmt: Format) -> str:
    """What a bit is worth in its field: a power of two, ± for the sign."""
    if field == "sign":
        return "±"
    if field == "exponent":
        return str(2 ** (position - fmt.mantissa_bits))
    return f"2{str(position - fmt.mantissa_bits).translate(SUPERSCRIPT)}"


def field_text(field: str, x: numbers.Number) -> str:
    """The name of a field and what it holds."""
    value = {"sign": x.sign, "exponent": x.exponent_field, "mantissa": x.mantissa_field}[field]
    return t(f"bf16-field-{field}", value=value, bias=x.fmt.bias, of=2**x.fmt.mantissa_bits)


def one_number(typed: Typed, x: numbers.Number) -> None:
    """Bits, value and facts of the number, and the steps to its neighbours."""
    st.subheader(t("bf16-bits", format=x.fmt.name), anchor=False)
    bit_buttons(x)
    st.caption(t("bf16-bits-hint"))
    with st.container(horizontal=True):
        for name, near in (("down", numbers.next_down(x)), ("up", numbers.next_up(x))):
            st.button(
                t(f"bf16-{name}"),
                key=f"bf16-{name}",
                disabled=near == x,
                on_click=partial(put, near),
            )
        st.button(t("bf16-negate"), key="bf16-negate", on_click=partial(put, x.flip(x.fmt.width - 1)))
    st.latex(bits.value_latex(x))
    step = numbers.explain_rounding(typed.exact, x.fmt) if typed.exact is not None else None
    facts(
        [
            (t("bf16-value"), bits.shown(x)),
            (t("bf16-hex"), f"0x{x.bits:0{-(-x.fmt.width // 4)}X}"),
            (t("bf16-kind"), t(f"bf16-kind-{x.kind}")),
            (t("bf16-gap"), bits.plain(bits.gap_above(x))),
            (t("bf16-error"), bits.plain(step.error if step else None)),
        ]
    )
    st.markdown(bits.rounding_text(typed, x))


def beside_fp32(typed: Typed, x: numbers.Number) -> None:
    """The same number in FP32, and what BF16 does not keep of it."""
    st.subheader(t("bf16-single"), anchor=False)
    single = numbers.number(typed.value, FP32)
    st.html(bits.single_html(single))
    st.markdown(bits.dropped_text(numbers.dropped(single)) if single.is_finite else t("bf16-single-special"))
    if x.fmt == BF16 and numbers.number(single.value, BF16).ordinal != x.ordinal:
        st.markdown(t("bf16-double", result=bits.shown(numbers.number(single.value, BF16))))
    table(bits.formats_table(typed), "bf16", "number-in-every-format")


@st.fragment
def line(typed: Typed, x: numbers.Number) -> None:
    """The number line around the number, as far out as the reader zooms."""
    st.subheader(t("bf16-line"), anchor=False)
    zoom = CONTROLS.draw("zoom")
    if typed.exact is None or not x.is_finite:
        st.info(t("bf16-line-none", value=bits.shown(x)))
        return
    chart(
        bits.line_figure(x, typed.exact, zoom),
        t("bf16-line-alt", value=bits.shown(x), gap=bits.plain(x.ulp)),
        height=280,
        key="bf16-line",
    )
    table(bits.neighbours_table(x), "bf16", "neighbours")


@st.fragment
def swallowed(fmt: Format) -> None:
    """Adding to a total that is too large for the addend."""
    st.subheader(t("bf16-swallow"), anchor=False)
    texts = CONTROLS.row("total", "addend")
    times = CONTROLS.draw("times")
    with shown(InputError):
        total, addend = (numbers.number(parse_number(text).value, fmt) for text in texts)
        if total.exact is None or addend.exact is None:
            st.info(t("bf16-add-special"))
            return
        step = numbers.explain_rounding(total.exact + addend.exact, fmt)
        lost = numbers.swallows(total.value, addend.value, fmt)
        st.markdown(bits.addition_text(step, total, lost))
        limit = numbers.swallowed_below(total.value, fmt)
        if limit is not None:
            st.markdown(t("bf16-add-limit", total=bits.shown(total), half=bits.plain(limit)))
        figure, stop = bits.repeated_figure(addend.value, times, fmt)
        alt = t("bf16-repeat-alt", addend=bits.shown(addend), times=times, format=fmt.name)
        chart(figure, alt, height=280, key="bf16-repeated")
        if stop is not None:
            st.markdown(t("bf16-repeat-stopped", addend=bits.shown(addend), count=stop))


st.html(APPS / "style" / "numbers.css")
title("bf16")
_, key = CONTROLS.row("number", "format")
CONTROLS.draw("pattern")
values = CONTROLS.values
with shown(InputError):
    typed = parse_number(values["number"])
    fmt = format_named(key)
    x = bits.chosen(typed, fmt, values["pattern"])
    one_number(typed, x)
    beside_fp32(typed, x)
    line(typed, x)
    swallowed(fmt)
notice("bf16-notice-exponent", "bf16-notice-gap", "bf16-notice-swallow")
CONTROLS.try_this(
    Try("bf16-try-tie", {"number": "257", "format": "bf16", "zoom": 3}),
    Try("bf16-try-carry", {"number": "1.998", "format": "bf16", "zoom": 3}),
    Try("bf16-try-subnormal", {"number": "1e-40", "format": "bf16", "zoom": 4}),
    Try("bf16-try-stop", {"format": "fp8_e4m3", "addend": "1", "total": "16", "times": 60}),
)
formula(
    (r"x = (-1)^s \cdot 2^{e - \mathrm{bias}} \cdot \left(1 + \frac{f}{2^m}\right)", formats.decode),
    (r"\mathrm{round}(x) = \text{nearest of } \ldots, \text{ ties to even}", rounding.encode),
    (r"x + a \to x \iff |a| < \tfrac12\,\mathrm{gap}(x)", numbers.swallows),
)
