"""The catalogues as plain functions of a language: no session, no Streamlit.

Inserted arguments are wrapped in Unicode isolates by Fluent, so that a Latin name inside an Arabic sentence
keeps its own order; numbers among them are written in the digits of the language. Formulas and identifiers
in a message are set as `$…$` and `` `…` `` and keep their Latin digits.
"""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from fluent.runtime import FluentBundle, FluentResource

FOLDER = Path(__file__).parent
Argument = str | int | float


@dataclass(frozen=True)
class Language:
    """A language of the lab: its code, its own name, its direction, and its digits 0–9 with , and ."""

    code: str
    name: str
    direction: Literal["ltr", "rtl"]
    numerals: str


LANGUAGES = {
    language.code: language
    for language in (
        Language("en", "English", "ltr", "0123456789,."),
        Language("ar", "العربية", "rtl", "٠١٢٣٤٥٦٧٨٩٬٫"),
        Language("fa", "فارسی", "rtl", "۰۱۲۳۴۵۶۷۸۹٬٫"),
    )
}
DEFAULT = LANGUAGES["en"]

FIRST_STRONG, LEFT_TO_RIGHT, POP = "\u2068", "\u2066", "\u2069"  # Unicode isolates
_NUMBER = re.compile(rf"(^|{FIRST_STRONG})(\u200e?[-−+]?[0-9][0-9,]*(?:\.[0-9]+)?[%٪]?)(?=$|{POP})")


@cache
def bundle(code: str) -> FluentBundle:
    """All messages of one language, read once from its .ftl files."""
    messages = FluentBundle([code], use_isolating=True)
    for path in sorted((FOLDER / code).glob("*.ftl")):
        messages.add_resource(FluentResource(path.read_text(encoding="utf-8")))
    return messages


def has_text(message_id: str) -> bool:
    """Whether the catalogues know this message or attribute."""
    name, _, attribute = message_id.partition(".")
    messages = bundle(DEFAULT.code)
    return messages.has_message(name) and (
        not attribute or attribute in messages.get_message(name).attributes
    )


def text(language: Language, message_id: str, **arguments: Argument) -> str:
    """The message in `language`; raises KeyError for an unknown id, ValueError for a missing argument."""
    name, _, attribute = message_id.partition(".")
    messages = bundle(language.code)
    if not messages.has_message(name):
        raise KeyError(f"No text {message_id!r} in apps/text/{language.code}.")
    message = messages.get_message(name)
    pattern = message.attributes.get(attribute) if attribute else message.value
    if pattern is None:
        raise KeyError(f"No text {message_id!r} in apps/text/{language.code}.")
    sentence, errors = messages.format_pattern(pattern, dict(arguments))
    if errors:
        raise ValueError(f"Text {message_id!r} in apps/text/{language.code}: {errors[0]}.")
    return _NUMBER.sub(lambda found: found[1] + written(found[2], language), str(sentence))


def written(number: str, language: Language) -> str:
    """A number in Latin digits, such as -1,234.5, in the digits and separators of `language`."""
    return number.translate(str.maketrans("0123456789,.", language.numerals))


def isolated(text: str) -> str:
    """The text as one unit of its own direction, whatever it stands in; isolating twice changes nothing."""
    return text if text.startswith(FIRST_STRONG) and text.endswith(POP) else f"{FIRST_STRONG}{text}{POP}"
