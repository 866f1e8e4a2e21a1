"""A row of facts under a picture: what is told, and its value."""

from collections.abc import Sequence
from html import escape

import streamlit as st


def facts(pairs: Sequence[tuple[str, str]]) -> None:
    """Each label (in the reader's language) with its value (left to right), wrapping on narrow screens."""
    items = "".join(
        f"<div><dt>{escape(label)}</dt><dd><bdi dir='ltr'>{escape(value)}</bdi></dd></div>"
        for label, value in pairs
    )
    st.html(f'<dl class="facts">{items}</dl>')
