"""How the lab looks beyond its theme: one style sheet, and two small components that need the document.

The components are plain functions in the page, without frames; nothing is loaded from elsewhere.
"""

from pathlib import Path

import streamlit as st

from apps.text import Language, t

_HERE = Path(__file__).parent
ICON = str(_HERE / "icon.svg")

_document = st.components.v2.component("document", js=(_HERE / "document.js").read_text())
_copy_link = st.components.v2.component(
    "copy_link",
    html='<button type="button"></button><label hidden><span></span><input readonly dir="ltr"></label>',
    css=(_HERE / "copy_link.css").read_text(),
    js=(_HERE / "copy_link.js").read_text(),
)


def apply(language: Language) -> None:
    """Set the page in `language`, in its direction."""
    st.html(_HERE / "lab.css")
    if language.direction == "rtl":
        st.html(_HERE / "rtl.css")
    with st.container(key="document"):
        _document(key="document-language", data={"lang": language.code, "dir": language.direction})


def copy_link(language: Language) -> None:
    """A button that copies the address of the page: the whole experiment, and the language."""
    texts = {"copy": t("link-copy"), "copied": t("link-copied"), "shown": t("link-shown")}
    _copy_link(key="copy-link", data={"lang": language.code, **texts})
