"""Traces that a reader opens and keeps: the same two things on every page that shows a run.

Texts are the page's own: `<page>-open` and `<page>-save`.
"""

from collections.abc import Iterable

import streamlit as st

from apps.text import t
from apps.widgets import shown
from lab import traces
from lab.errors import LabError
from lab.traces import Record, RunInfo, Trace

MAX_MEGABYTES = 20


def open_trace(page: str, *kinds: str) -> Trace | None:
    """The trace file that the reader has opened, or None; one of another kind is refused with a message."""
    file = st.file_uploader(
        t(f"{page}-open"), type=["jsonl"], max_upload_size=MAX_MEGABYTES, key=f"{page}-file"
    )
    if file is None:
        return None
    with shown():
        trace = traces.loads(file.getvalue().decode("utf-8", errors="replace"), file.name)
        if trace.info.kind not in kinds:
            raise LabError(
                f"{file.name} is a {trace.info.kind} trace.", f"Open a {' or '.join(kinds)} trace."
            )
        return trace
    return None


def save_trace(page: str, info: RunInfo, records: Iterable[Record], name: str) -> None:
    """A button that gives the records as the file `<name>-trace.jsonl`."""
    lines = "\n".join(traces.dumps(info, records)) + "\n"
    st.download_button(
        t(f"{page}-save"),
        lines,
        f"{name}-trace.jsonl",
        "application/jsonl",
        key=f"save-{name}",
        on_click="ignore",
    )
