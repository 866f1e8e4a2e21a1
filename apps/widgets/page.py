"""The frame of a page: its question, what to notice, the formula and its code, links to other pages."""

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

from apps.registry import APPS, Page
from apps.text import language, t


def title(page_id: str) -> None:
    """The page's question, and one sentence that says why it matters."""
    st.title(t(f"{page_id}-title"), anchor=False)
    with st.container(key="why"):
        st.markdown(t(f"{page_id}-why"))


def notice(*message_ids: str) -> None:
    """What to look at in the picture above, a short list."""
    st.subheader(t("notice"), anchor=False)
    st.markdown("\n".join(f"- {t(message_id)}" for message_id in message_ids))


def formula(*pairs: tuple[str, Callable[..., Any]]) -> None:
    """Each formula (LaTeX) with the source of the function that the page computes it with."""
    with st.expander(t("formula"), icon=":material/function:"):
        for latex, function in pairs:
            st.latex(latex)
            st.caption(f"`{_place(function)}`")
            st.code(inspect.getsource(function), language="python")


def link_to(page: Page, **parameters: Any) -> None:
    """A link to another page of the lab, with parameters of its experiment where given."""
    query = {"lang": language().code} | {name: str(value) for name, value in parameters.items()}
    st.page_link(page.script, label=t(f"{page.id}-title"), query_params=query)


def _place(function: Callable[..., Any]) -> str:
    path = Path(inspect.getsourcefile(function) or "").resolve()
    root = APPS.parent
    return f"{path.relative_to(root) if path.is_relative_to(root) else path.name}: {function.__name__}"
