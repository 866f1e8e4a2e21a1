"""What the page of one number shows: its texts, tables and pictures, as plain functions of `sims.numbers`.

Nothing here draws, and nothing is computed that `sims` has not.
"""

from collections.abc import Sequence
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from html import escape

import numpy as np
import pandas as pd  # type: ignore[import-untyped]
import plotly.graph_objects as go

from apps.text import t
from apps.widgets import AGREE, FLIP, FLIP_MARKER
from sims.arithmetic import Arithmetic
from sims.errors import InputError
from sims.formats import BF16, FORMATS, FP8_E4M3, FP8_E5M2, FP16, Format
from sims.numbers import (
    Dropped,
    Number,
    RoundingStep,
    decimal_text,
    explain_rounding,
    neighbours,
    next_up,
    number,
    number_line,
)
from sims.parse import Typed
from sims.steps import running_totals

SMALL_FORMATS = (BF16, FP16, FP8_E4M3, FP8_E5M2)
GREY = "#8A9097"
LONGEST = 32  # characters of a decimal that is shown whole


def chosen(typed: Typed, fmt: Format, pattern: str = "") -> Number:
    """The number of `fmt` nearest to what was typed; of the NaNs, the one with this hexadecimal pattern."""
    rounded = number(typed.value, fmt)
    try:
        held = Number(fmt, int(pattern, 16) & (2 * fmt.sign_mask - 1))
    except ValueError:
        return rounded
    return held if rounded.kind == held.kind == "nan" else rounded


def typed_text(x: Number) -> str:
    """How a reader would type this number so that it is read exactly."""
    sign = "-" if x.sign else ""
    if x.exact is None:
        return sign + ("nan" if x.kind == "nan" else "inf")
    decimal = decimal_text(abs(x.exact))
    if len(decimal) <= LONGEST:
        return sign + decimal
    significand, exponent = abs(x.value).hex().split("p")
    return f"{sign}{significand.rstrip('0').rstrip('.')}p{exponent}"


def plain(value: Fraction | float | None) -> str:
    """A value in Latin digits: all its decimals where they are few, else nine significant ones and ≈."""
    if value is None:
        return "—"
    if isinstance(value, float) and not np.isfinite(value):
        return str(value)
    exact = Fraction(value)
    if Fraction(1, 10**LONGEST) < abs(exact) < 10**LONGEST or not exact:
        with suppress(InputError):  # a value without a finite expansion
            decimal = decimal_text(exact)
            if len(decimal) <= LONGEST:
                return decimal
    return f"≈ {(Decimal(exact.numerator) / exact.denominator).normalize():.9g}".replace("E", "e")


def shown(x: Number) -> str:
    """The value of a number for a sentence; -0 keeps its sign."""
    return "-0" if x.kind == "zero" and x.sign else plain(x.exact if x.is_finite else x.value)


def value_latex(x: Number) -> str:
    """The value of this very pattern, written out: sign, power of two, significand."""
    fmt, sign = x.fmt, rf"(-1)^{{{x.sign}}}"
    if x.kind == "infinity":
        return rf"{sign} \times \infty"
    if x.kind == "nan":
        return r"\text{NaN}"
    hidden = "1" if x.kind == "normal" else "0"
    field = f"{x.exponent_field}" if x.kind == "normal" else "1"
    fraction = rf"\left({hidden} + \tfrac{{{x.mantissa_field}}}{{{2**fmt.mantissa_bits}}}\right)"
    return rf"{sign} \times 2^{{{field} - {fmt.bias}}} \times {fraction}"


def rounding_text(typed: Typed, x: Number) -> str:
    """One sentence: whether the format has the typed number, and else what it takes instead."""
    if typed.exact is None:
        return t(f"bf16-kept-{x.kind}", format=x.fmt.name)
    step = explain_rounding(typed.exact, x.fmt)
    if step.error is None:
        return t(f"bf16-overflow-{step.result.kind}", format=x.fmt.name, largest=plain(x.fmt.max_finite))
    if step.error == 0:
        return t("bf16-exact", format=x.fmt.name)
    return t(
        "bf16-tie" if step.tie else "bf16-nearest",
        format=x.fmt.name,
        below=shown(step.below),
        above=shown(step.above),
        result=shown(step.result),
        share=f"{abs(float(step.error_ulps or 0)):.3g}",
    )


def dropped_text(drop: Dropped) -> str:
    """One sentence on the 16 bits that FP32 has and BF16 has not."""
    if drop.dropped_bits == 0:
        return t("bf16-dropped-none")
    kind = ("tie-" if drop.tie else "") + ("up" if drop.carried else "stay")
    sentence = t(f"bf16-dropped-{kind}", bits=grouped(f"{drop.dropped_bits:016b}"), count=drop.dropped_bits)
    through = drop.carried and drop.kept_bits & BF16.mantissa_mask == BF16.mantissa_mask
    return f"{sentence} {t('bf16-dropped-carry')}" if through else sentence


def grouped(pattern: str) -> str:
    """Bits in groups of four; catalogues leave them in Latin digits."""
    return " ".join(pattern[k : k + 4] for k in range(0, len(pattern), 4))


def single_html(single: Number) -> str:
    """The 32 bits of FP32, its lower half marked as what BF16 does not have."""
    parts = ["sign"] + ["exponent"] * 8 + ["mantissa"] * 7 + ["dropped"] * 16
    cells = "".join(
        f'<span class="bit {part} {"one" if bit == "1" else "zero"}">{bit}</span>'
        for part, bit in zip(parts, single.pattern, strict=True)
    )
    spoken = escape(t("bf16-single-alt", kept=single.pattern[:16], dropped=single.pattern[16:]))
    return f'<div class="bits32" role="img" aria-label="{spoken}">{cells}</div>'


def formats_table(typed: Typed) -> pd.DataFrame:
    """What every format makes of the typed number, one row a format."""
    return pd.DataFrame([_in_format(typed, fmt) for fmt in FORMATS.values()])


def _in_format(typed: Typed, fmt: Format) -> dict[str, object]:
    x = number(typed.value, fmt)
    step = explain_rounding(typed.exact, fmt) if typed.exact is not None else None
    off = step.error_ulps if step else None
    return {
        "format": fmt.name,
        "value": decimal_value(x),
        "bits": x.pattern,
        "hex": f"0x{x.bits:0{-(-fmt.width // 4)}X}",
        "error": float(step.error) if step and step.error is not None else None,
        "error_gaps": float(off) if off is not None else None,
        "gap": x.ulp if x.is_finite else None,
        "largest": fmt.max_finite,
    }


def decimal_value(x: Number) -> str:
    """All decimals of a number; inf, -inf or nan for what has none."""
    return decimal_text(x.exact) if x.exact is not None else str(x.value)


def neighbours_table(x: Number, count: int = 4) -> pd.DataFrame:
    """The numbers around x, ascending, and the gap from each to the next."""
    around = neighbours(x, count)
    return pd.DataFrame(
        {
            "chosen": ["◆" if near == x else "" for near in around],
            "value": [decimal_value(near) for near in around],
            "bits": [near.pattern for near in around],
            "gap": [gap_above(near) for near in around],
        }
    )


def gap_above(x: Number) -> float | None:
    """From x to the next number; None where there is none, or it is infinite."""
    above = next_up(x)
    if x.exact is None or above.exact is None or above.exact == x.exact:
        return None
    return float(above.exact - x.exact)


def line_figure(x: Number, exact: Fraction, zoom: int) -> go.Figure:
    """The numbers of four formats in a window of 2^zoom gaps on either side of x, and what was typed."""
    half = x.ulp * 2.0**zoom
    low, high = x.value - half, x.value + half
    figure = go.Figure()
    for fmt in reversed(SMALL_FORMATS):
        line = number_line(low, high, fmt)
        mine = fmt == x.fmt
        name = fmt.name if line.stride == 1 else t("bf16-line-thinned", format=fmt.name, stride=line.stride)
        figure.add_scatter(
            x=line.values.tolist() or [None],
            y=[name] * max(len(line.values), 1),
            mode="markers",
            marker={
                "symbol": "line-ns",
                "size": 22 if mine else 14,
                "line": {"color": AGREE if mine else GREY, "width": 2.5 if mine else 1.5},
            },
            hovertemplate="%{x:.10g}<extra>" + fmt.name + "</extra>",
            showlegend=False,
        )
        if mine:
            row = name
    figure.add_vline(x=float(exact), line={"color": FLIP, "width": 1.5, "dash": "dash"})
    for value, marker, label in (
        (x.value, {"color": AGREE, "symbol": "circle", "size": 11}, "bf16-line-stored"),
        (float(exact), FLIP_MARKER, "bf16-line-typed"),
    ):
        figure.add_scatter(
            x=[value],
            y=[row],
            mode="markers",
            marker=marker,
            name=t(label),
            hovertemplate="%{x:.17g}<extra></extra>",
        )
    figure.update_xaxes(range=[low, high], nticks=6)
    figure.update_yaxes(type="category", showgrid=False)
    return figure


def repeated_figure(addend: float, times: int, fmt: Format) -> tuple[go.Figure, int | None]:
    """The running total of the same addend again and again, and after how many it stops growing."""
    totals = running_totals(np.full(times, addend), Arithmetic(fmt, fmt, fmt, fmt)).astype(np.float64)
    count = np.arange(1, times + 1)
    stop = first_stop(totals)
    figure = go.Figure()
    figure.add_scatter(
        x=count,
        y=count * totals[0],
        mode="lines",
        name=t("bf16-repeat-exact"),
        line={"color": GREY, "dash": "dash"},
    )
    figure.add_scatter(x=count, y=totals, mode="lines", name=fmt.name, line={"color": AGREE, "width": 3})
    if stop is not None:
        figure.add_scatter(
            x=[stop], y=[totals[stop - 1]], mode="markers", marker=FLIP_MARKER, name=t("bf16-repeat-stop")
        )
    figure.update_xaxes(title=t("bf16-repeat-count")).update_yaxes(title=t("bf16-repeat-total"))
    return figure, stop


def first_stop(totals: Sequence[float] | np.ndarray) -> int | None:
    """After how many addends a running total no longer changes; None if it changes to the end."""
    stays = np.flatnonzero(np.diff(np.asarray(totals)) == 0)
    return int(stays[0]) + 1 if len(stays) else None


def addition_text(step: RoundingStep, total: Number, swallowed: bool) -> str:
    """One sentence on total + addend: where the exact sum lies, and what comes out."""
    if step.error is None:
        return t("bf16-add-overflow", format=total.fmt.name)
    if step.error == 0:
        return t("bf16-add-exact", sum=shown(step.result), format=total.fmt.name)
    return t(
        f"bf16-add-{'swallowed' if swallowed else 'rounded'}",
        sum=plain(step.exact),
        below=shown(step.below),
        above=shown(step.above),
        result=shown(step.result),
        format=total.fmt.name,
    )
