"""Home: the two facts that the lab is about, where to start, and the map of its pages."""

from itertools import groupby

import streamlit as st

from apps.registry import PAGES, READERS
from apps.text import t
from apps.widgets import link_to, title

title("home")

for column, fact in zip(st.columns(2), ("arithmetic", "checking"), strict=True):
    with column, st.container(key=f"fact-{fact}", border=True, height="stretch"):
        st.subheader(t(f"home-{fact}"), anchor=False)
        st.markdown(t(f"home-{fact}-text"))
with st.container(key="fact-meeting", border=True):
    st.subheader(t("home-meeting"), anchor=False)
    st.markdown(t("home-meeting-text"))

st.header(t("home-readers"), anchor=False)
for column, reader in zip(st.columns(len(READERS)), READERS, strict=True):
    with column:
        st.subheader(t(f"home-{reader}"), anchor=False)
        st.markdown(t(f"home-{reader}-text"))
        for page in PAGES:
            if page.first_for == reader:
                link_to(page)

others = PAGES[1:]
if others:
    st.header(t("home-pages"), anchor=False)
for section, pages in groupby(others, key=lambda page: page.section):
    st.subheader(t(f"section-{section}"), anchor=False)
    for page in pages:
        link_to(page)
        st.caption(t(f"{page.id}-why"))
