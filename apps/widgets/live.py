"""Run and Stop: a recorded trace at once, a live run in its place when asked for.

A decoder is a generator that yields one record a step. The panel is a Streamlit fragment: while a run goes
on, the browser asks for it again and again, and each time it draws what has come and takes steps for a
moment. So the rest of the page stays alive, Stop is heard between steps, a reader who changes the language
or looks at another page only pauses the run, and closing the tab ends it.

The panel draws what a page gives it and computes nothing; steps take turns on the machine (`apps.turn`).
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, Protocol, TypeVar

import streamlit as st

from apps.text import t
from apps.turn import turn
from apps.widgets import errors
from apps.widgets.origin import Origin, banner
from lab.errors import LabError

R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)
TICK_SECONDS = 0.8  # of work between two drawings; a picture a step would cost more than the step
FIRST_TICK_SECONDS = 0.0  # the first one stands inside the script run of the page: draw the page, then work
ASK_AGAIN = 0.1  # seconds after which the browser asks; while a tick lasts, it waits in line
_END = object()


class Recording(Protocol[R_co]):
    """A finished run with its origin; `lab.traces.Trace` is one."""

    @property
    def info(self) -> Origin: ...
    @property
    def records(self) -> Sequence[R_co]: ...


@dataclass
class Run(Generic[R]):
    """A live run of one session: what was asked, what has come so far."""

    inputs: dict[str, Any]
    status: Literal["running", "done", "stopped", "failed"] = "running"
    info: Origin | None = None
    steps: Iterator[R] | None = None
    records: list[R] = field(default_factory=list)
    error: LabError | None = None

    def advance(self, start: Callable[[], tuple[Origin, Iterator[R]]]) -> None:
        """One step, in its turn. Afterwards there is a record more, or the status says why not."""
        with turn():
            if self.status != "running":  # stopped while waiting
                return
            try:
                if self.steps is None:
                    self.info, self.steps = start()
                    return
                record: Any = next(self.steps, _END)
            except LabError as error:
                self.error, self.status = error, "failed"
                return
            except Exception:
                self.status = "failed"
                raise
            if record is _END:
                self.status, self.steps = "done", None
            else:
                self.records.append(record)

    def stop(self) -> None:
        """End the run and free what its generator holds, once the step that may be running is over."""
        if self.status == "running":
            self.status = "stopped"
            with turn():
                self.steps = None


class Panel(Generic[R]):
    """The Run button, progress, origin and picture of one experiment.

    `inputs` are the settings that define the run; `start()` returns its origin and its generator (load the
    model there: progress is already shown); `total` is the number of records expected; `draw(records)` draws
    the picture. What else the page shows of `panel.records` is drawn again when the run ends.
    """

    def __init__(
        self,
        key: str,
        *,
        inputs: Mapping[str, Any],
        start: Callable[[], tuple[Origin, Iterator[R]]],
        total: int,
        draw: Callable[[Sequence[R]], None],
        recorded: Recording[R] | None = None,
    ) -> None:
        self._key, self._start, self._total, self._draw = f"{key}-run", start, total, draw
        self._inputs, self._recorded = dict(inputs), recorded
        self.run: Run[R] | None = st.session_state.get(self._key)
        if self.run and self.stale:
            self.run.stop()
        if st.session_state.pop(f"{self._key}-asked", False):
            self.run = st.session_state[self._key] = Run(self._inputs)
        self._was_running = self.running
        self._tick_seconds = FIRST_TICK_SECONDS
        st.fragment(self._tick, run_every=ASK_AGAIN if self.running else None)()
        self._tick_seconds = TICK_SECONDS

    @property
    def running(self) -> bool:
        return self.run is not None and self.run.status == "running"

    @property
    def stale(self) -> bool:
        """Whether the settings have changed since the run was started."""
        return self.run is not None and self.run.inputs != self._inputs

    @property
    def live(self) -> bool:
        """Whether a live run has given records; until then the recording stays."""
        return self.run is not None and bool(self.run.records)

    @property
    def records(self) -> Sequence[R]:
        """What the page shows now: of the live run, or of the recording."""
        if self.run and self.live:
            return self.run.records
        return self._recorded.records if self._recorded else ()

    @property
    def origin(self) -> Origin | None:
        if self.run and self.live:
            return self.run.info
        return self._recorded.info if self._recorded else None

    def _tick(self) -> None:
        # Always the same three parts, so that a new state replaces the old one in place.
        buttons, told, picture = st.container(horizontal=True), st.container(), st.container()
        with buttons:
            self._buttons()
        with told:
            self._messages()
        with picture:
            if self.records and self.origin:
                banner(self.origin, live=self.live)
                self._draw(self.records)
        if self.run and self.running:
            until = time.monotonic() + self._tick_seconds
            while self.running and time.monotonic() < until:
                self.run.advance(self._start)
            if not self.running:
                st.rerun()

    def _messages(self) -> None:
        if not self.run:
            return
        done = len(self.run.records)
        if self.running:
            told = t("run-progress", done=done, total=self._total) if self.run.steps else t("run-loading")
            st.progress(min(done / self._total, 1.0), told)
        elif self.run.error:
            errors.show(self.run.error)
        elif self.stale:
            st.info(t("run-stale"))
        elif self.run.status == "stopped":
            st.info(t("run-stopped", done=done, total=self._total))

    def _buttons(self) -> None:
        def ask() -> None:  # the run takes the settings of the next script run, which may be newer
            st.session_state[f"{self._key}-asked"] = True

        def forget() -> None:
            del st.session_state[self._key]

        if self.run and self.running:
            st.button(t("stop"), key=f"{self._key}-stop", icon=":material/stop:", on_click=self.run.stop)
            return
        icon = ":material/play_arrow:"
        begun = st.button(t("run"), key=f"{self._key}-begin", type="primary", icon=icon, on_click=ask)
        forgotten = (
            self.run is not None
            and self._recorded is not None
            and st.button(t("run-forget"), key=f"{self._key}-forget", type="tertiary", on_click=forget)
        )
        if begun or forgotten or self._was_running:
            st.rerun()  # the whole page, not only this fragment
