"""A row of chips that the reader puts in order, by dragging or with the arrow keys."""

from collections.abc import Callable, Sequence

import streamlit as st

from apps.registry import APPS
from apps.text import t

_STYLE = APPS / "style"
_arrange = st.components.v2.component(
    "arrange",
    html='<ol></ol><div aria-live="polite"></div>',
    css=(_STYLE / "arrange.css").read_text(),
    js=(_STYLE / "arrange.js").read_text(),
)


def arrange(
    texts: Sequence[str], order: Sequence[int], label: str, key: str, moved: Callable[[tuple[int, ...]], None]
) -> None:
    """Draw `texts` in this `order` (positions from 0); `moved` gets the new one, before the next run."""

    def tell() -> None:
        numbers = st.session_state[key].order
        if sorted(numbers or ()) == list(range(1, len(texts) + 1)):
            moved(tuple(number - 1 for number in numbers))

    data = {
        "texts": list(texts),
        "order": [position + 1 for position in order],
        "label": label,
        "hint": t("arrange-hint"),
    }
    _arrange(key=key, data=data, on_order_change=tell)
