"""Where the numbers on a page come from: recorded on another day, or live on this machine."""

from html import escape
from typing import Protocol

import streamlit as st

from apps.text import t


class Origin(Protocol):
    """What the banner tells of a run; `lab.traces.RunInfo` has it all."""

    @property
    def model(self) -> str: ...
    @property
    def machine(self) -> str: ...
    @property
    def date(self) -> str: ...
    @property
    def code(self) -> str: ...


def banner(origin: Origin, live: bool) -> None:
    """One line above a picture: recorded or live, model, machine, date and code version."""
    kind = "live" if live else "recorded"
    date = origin.date[:16].replace("T", " ")  # to the minute
    facts = t("origin", model=origin.model, machine=origin.machine, date=date, code=origin.code)
    st.html(f'<p class="origin {kind}"><b>{t(f"origin-{kind}")}</b> {escape(facts)}</p>')
