"""Every sentence that a reader sees, in English, Arabic and Persian, looked up by id.

`t("home-title")` gives the sentence in the language of the session that runs the page. The sentences are
Project Fluent files, `apps/text/<language>/<page>.ftl`; tests hold the three languages to the same ids.
"""

import streamlit as st

from apps.text.catalogue import DEFAULT, LANGUAGES, Argument, Language, has_text, text, written

__all__ = ["LANGUAGES", "Language", "has_text", "language", "n", "preferred", "t"]


def language() -> Language:
    """The language of this session: the one that was chosen, else the browser's, else English."""
    return LANGUAGES.get(st.session_state.get("lang", ""), preferred(st.context.locale))


def preferred(locale: str | None) -> Language:
    """The language of a browser's locale such as `ar-EG`, where the lab speaks it."""
    return LANGUAGES.get((locale or "").split("-")[0].lower(), DEFAULT)


def t(message_id: str, **arguments: Argument) -> str:
    """The message in the session's language; `id.attribute` names an attribute of a message.

    Raises KeyError for an unknown id and ValueError where an argument is missing.
    """
    return text(language(), message_id, **arguments)


def n(value: float, spec: str = ",") -> str:
    """A number for running text, by a Python format spec, in the digits of the session's language."""
    return written(format(value, spec), language())
