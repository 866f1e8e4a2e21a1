"""Numbers as people type and paste them, read exactly.

Decimal and hexadecimal notation, inf and nan, Western, Arabic-Indic and Persian digits, mixed
separators. Values stay exact: rounding to a format is the next step, not this one. A comma always
separates numbers; it is never a decimal comma (the Arabic ٫ is).
"""

import re
from dataclasses import dataclass
from fractions import Fraction

from sims.errors import InputError
from sims.rounding import round_to_odd

MAX_LENGTH = 400  # characters of one number
MAX_EXPONENT = 5_000  # of ten; every format here ends near 10^38
MAX_COUNT = 16_384  # numbers in one list

_DIGITS = str.maketrans(
    {code: str(i) for i, code in enumerate("٠١٢٣٤٥٦٧٨٩")}
    | {code: str(i) for i, code in enumerate("۰۱۲۳۴۵۶۷۸۹")}
    | {"٫": ".", "−": "-", "∞": "inf"}
)
_THOUSANDS = re.compile(r"(?<=\d)٬(?=\d{3})")
_INVISIBLE = re.compile("[\u200b-\u200f\u061c\u202a-\u202e\u2066-\u2069\ufeff]")  # marks of writing direction
_SEPARATORS = re.compile(r"[\s,;،؛\[\](){}]+")
_DECIMAL = re.compile(r"([+-]?)(\d+\.?\d*|\.\d+)(?:e([+-]?\d+))?", re.ASCII)
_HEXADECIMAL = re.compile(r"([+-]?)0x([0-9a-f]+)\.?([0-9a-f]*)(?:p([+-]?\d+))?", re.ASCII)
_SPECIAL = re.compile(r"([+-]?)(inf|infinity|nan)")


@dataclass(frozen=True)
class Typed:
    """A typed number. `exact` is its rational value, None for inf and nan.

    `value` is a float64 that rounds to any format here exactly as the typed number would; it
    carries the sign of -0 and is not always the float64 nearest to what was typed.
    """

    text: str
    exact: Fraction | None
    value: float


def parse_number(text: str) -> Typed:
    """One number, such as 1e-3, ۰٫۱, -0, 0x1.8p3, inf or nan. Raises InputError, naming the text."""
    plain = _THOUSANDS.sub("", _INVISIBLE.sub("", text).translate(_DIGITS)).strip().lower()
    if len(plain) > MAX_LENGTH:
        raise InputError(
            f"A number has {len(plain):,} characters.",
            f"Use at most {MAX_LENGTH}.",
            "number_too_long",
            length=len(plain),
            limit=MAX_LENGTH,
        )
    if not plain:
        raise InputError(f"{text[:40]!r} holds no number.", "Type a number.", "no_number")
    if special := _SPECIAL.fullmatch(plain):
        return Typed(text, None, float(special[1] + special[2]))
    if match := _DECIMAL.fullmatch(plain):
        exact = _scaled(text, Fraction(match[2]), 10, match[3])
    elif match := _HEXADECIMAL.fullmatch(plain):
        exact = _scaled(text, Fraction(int(match[2] + match[3], 16), 16 ** len(match[3])), 2, match[4])
    else:
        raise InputError(
            f"{text[:40]!r} is not a number.",
            "Write numbers like 0.1, 1e-3, -0, inf or nan.",
            "not_a_number",
            piece=text[:40],
        )
    value = round_to_odd(exact)
    return Typed(text, -exact if match[1] == "-" else exact, -value if match[1] == "-" else value)


def _scaled(text: str, digits: Fraction, base: int, exponent: str | None) -> Fraction:
    """digits * base^exponent, refused before it is computed when the exponent is absurd."""
    power = int(exponent or 0)
    if abs(power) > MAX_EXPONENT:
        raise InputError(
            f"The exponent of {text[:40]!r} is too large.",
            f"Use an exponent between -{MAX_EXPONENT} and {MAX_EXPONENT}, or 0 or inf.",
            "exponent_too_large",
            piece=text[:40],
            limit=MAX_EXPONENT,
        )
    return digits * Fraction(base) ** power


def parse_list(text: str, max_count: int = MAX_COUNT) -> tuple[Typed, ...]:
    """Numbers separated by spaces, line breaks, commas, semicolons or their Arabic forms, in any mixture.

    Brackets are ignored, so that a Python list can be pasted. Raises InputError for an empty list,
    for more than `max_count` numbers (before reading them) and for the first piece that is no number.
    """
    # A list within the limit is rarely longer than this, and a text beyond it is refused unread.
    if len(text) > 64 * max_count:
        count = len(text) // 2
        raise InputError(
            f"The list has about {count:,} numbers.",
            f"Use at most {max_count:,}.",
            "far_too_many",
            count=count,
            limit=max_count,
        )
    pieces = [piece for piece in _SEPARATORS.split(_INVISIBLE.sub("", text)) if piece]
    if not pieces:
        raise InputError("The list is empty.", "Type at least one number.", "empty_list")
    if len(pieces) > max_count:
        raise InputError(
            f"The list has {len(pieces):,} numbers.",
            f"Use at most {max_count:,}.",
            "too_many",
            count=len(pieces),
            limit=max_count,
        )
    return tuple(parse_number(piece) for piece in pieces)


def finite_values(numbers: tuple[Typed, ...]) -> tuple[float, ...]:
    """The values of a list to be summed. Raises InputError at the first infinity or NaN."""
    for typed in numbers:
        if typed.exact is None:
            raise InputError(
                f"{typed.text!r} has no exact sum with other numbers.",
                "Remove it or give a finite number.",
                "not_finite",
                piece=typed.text,
            )
    return tuple(typed.value for typed in numbers)
