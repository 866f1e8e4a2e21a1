"""A strip of tokens: each in its box, a flip marked by colour, by shape and in words.

Tokens are text of the model, mostly English: a strip runs left to right on every page, unless told otherwise.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Literal

import streamlit as st

from apps.text import n, t

Mark = Literal[
    "plain",
    "agree",
    "flip",
    "prompt",
    "confirmed",
    "repaired",
    "missed",
    "after",
    "accepted",
    "rejected",
    "corrected",
    "bonus",
    "unjudged",
]
VISIBLE = str.maketrans({"\n": "⏎", "\t": "⇥"})


@dataclass(frozen=True)
class Token:
    """A token as it is drawn: its text, how it compares, and a note shown on hover and focus."""

    text: str
    mark: Mark = "plain"
    note: str = ""


def strip(tokens: Sequence[Token], label: str, direction: Literal["ltr", "rtl"] = "ltr") -> None:
    """Draw the tokens as a list named `label`."""
    st.html(strip_html(tokens, label, direction))


def strip_html(tokens: Sequence[Token], label: str, direction: Literal["ltr", "rtl"] = "ltr") -> str:
    """The strip as HTML; every text in it is escaped."""
    boxes = "".join(_box(token, position) for position, token in enumerate(tokens))
    return (
        f'<div class="strip-label">{escape(label)}</div>'
        f'<div class="strip" role="list" dir="{direction}" aria-label="{escape(label)}">{boxes}</div>'
    )


def _box(token: Token, position: int) -> str:
    text = escape(token.text.translate(VISIBLE)) or "∅"
    if token.text[:1] == " ":  # a token's leading space is part of it
        text = f'<i aria-hidden="true">·</i>{text[1:]}'
    spoken = t(f"token-{token.mark}", position=position)
    note = f"{n(position, 'd')}: {token.note}" if token.note else ""
    focus = ' tabindex="0"' if note else ""
    tip = f'<span class="note" dir="auto">{escape(note)}</span>' if note else ""
    return (
        f'<span class="strip-token {token.mark}" role="listitem"{focus}>'
        f'<bdi>{text}</bdi><span class="unseen">{escape(spoken)}</span>{tip}</span>'
    )
