"""Whose turn it is: one fair lock for the machine, shared by all sessions of the process.

A live run holds it for one step at a time, so the steps of two readers' runs alternate, and no step is timed
while another one runs. `threading.Lock` is not fair: the run that has just let go would take it again.
"""

import threading
from collections import deque

import streamlit as st


class FairLock:
    """A lock that is handed on in the order of asking."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._queue: deque[object] = deque()

    def __enter__(self) -> None:
        ticket = object()
        with self._changed:
            self._queue.append(ticket)
            try:
                self._changed.wait_for(lambda: self._queue[0] is ticket)
            except BaseException:  # an interrupted wait must not block those behind it
                self._queue.remove(ticket)
                self._changed.notify_all()
                raise

    def __exit__(self, *_error: object) -> None:
        with self._changed:
            self._queue.popleft()
            self._changed.notify_all()


@st.cache_resource
def turn() -> FairLock:
    """The lock of this process: `with turn(): …` around one step of work."""
    return FairLock()
