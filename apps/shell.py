"""What stands around every page: language, navigation, the machine in the sidebar, and the link."""

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

import streamlit as st

from apps import fonts, machine, style
from apps.registry import Page
from apps.settled import settle
from apps.text import LANGUAGES, language, preferred, t
from apps.widgets.controls import Choice
from apps.widgets.errors import shown


def run(pages: Sequence[Page], folder: Path) -> None:
    """Draw the shell and the page that the address asks for; `folder` holds the entry file and its views."""
    fonts.install(folder / "static")
    # A material or emoji icon would be fetched from outside.
    st.set_page_config(layout="wide", page_icon=style.ICON)
    with st.container(key="top", horizontal=True, vertical_alignment="center"):
        name = st.empty()
        codes, first = tuple(LANGUAGES), preferred(st.context.locale).code
        Choice("lang", codes, initial=first, look="segments").draw("lang")
    style.apply(language())
    script = st.navigation(navigation(pages), expanded=True)
    name.page_link(pages[0].script, label=f"**{t('shell-name')}**", query_params={"lang": language().code})
    with st.sidebar:
        st.subheader(t("machine-title"), anchor=False)
        machine.choose()
        style.copy_link(language())
    with shown():
        script.run()
    settle(script.url_path)


def navigation(pages: Sequence[Page]) -> dict[str, list[st.Page]]:
    """The pages by section, titled in the session's language; the one without a slug is where it opens."""
    return {
        t(f"section-{section}"): [
            st.Page(page.script, title=t(f"{page.id}-title.nav"), url_path=page.slug, default=not page.slug)
            for page in group
        ]
        for section, group in groupby(pages, key=lambda page: page.section)
    }
