"""What the page where speculation meets the gate runs: settings from its controls, records, command.

Records are those of `lab.decode.speculative.meeting.start_meeting`. Nothing here draws.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from apps.text import n, t
from lab.decode.margingate.compare import Progress
from lab.decode.settings import LaneSettings, settings_from
from lab.decode.speculative.meeting import MeetingSettings, Met
from lab.decode.speculative.policy import Fixed
from lab.decode.speculative.tales import TALES
from lab.device import DEVICES
from lab.errors import LabError
from lab.models.zoo import DEFAULT_MODEL
from lab.records import Failure
from lab.round_records import MeetingRecord
from lab.traces import RunInfo, Trace

Kept = MeetingRecord | Failure


@dataclass(frozen=True)
class Made:
    """What one step of the runs made, mostly nothing yet; or a whole trace. With the settings of both."""

    settings: MeetingSettings
    records: tuple[Kept, ...]


@dataclass(frozen=True)
class Finished:
    """A recorded meeting, as a panel wants it."""

    info: RunInfo
    records: tuple[Made, ...]


def settings(values: Mapping[str, Any]) -> MeetingSettings:
    """The runs that the controls describe. Raises LabError for values that do not fit."""
    made = MeetingSettings(
        prompts=TALES[: values["prompts"]],
        length=values["length"],
        drafter=values["drafter"],
        gamma=values["gamma"],
        batch=values["batch"],
        tau=values["tau"],
        window=values["window"],
        pass_size=values["pass-size"],
        arithmetic=LaneSettings(values["lane"], split_k=values["split-k"]),
    )
    made.strategies()  # refuses what does not fit
    Fixed(made.gamma)
    return made


def by_step(made: MeetingSettings, records: Iterable[Met]) -> Iterator[Made]:
    """One value a step of any run; what a run committed stands with the first step of the next."""
    step: list[Kept] = []
    for record in records:
        if isinstance(record, Progress):
            yield Made(made, tuple(step))
            step = []
        else:
            step.append(record)
    yield Made(made, tuple(step))


def finished(trace: Trace) -> Finished:
    """A meeting trace with its settings. Raises LabError where it has none, or no records."""
    records = tuple(record for record in trace.records if isinstance(record, Kept))
    if not any(isinstance(record, MeetingRecord) for record in records):
        raise LabError(
            "The trace has no runs.", "Record it again with `python -m lab gate speculate --out FILE`."
        )
    return Finished(trace.info, (Made(settings_from(MeetingSettings, trace.info.settings), records),))


def all_records(made: Sequence[Made]) -> list[Kept]:
    return [record for one in made for record in one.records]


def met(made: Sequence[Made]) -> list[MeetingRecord]:
    return [record for record in all_records(made) if isinstance(record, MeetingRecord)]


def told(made: MeetingSettings) -> str:
    """The settings of the runs, in a line."""
    return t(
        "meeting-told",
        prompts=len(made.prompts),
        length=made.length,
        drafter=made.drafter,
        gamma=made.gamma,
        batch=made.batch,
        lane=made.arithmetic.lane,
        tau=n(made.tau, ".6g"),
        window=made.window,
        pass_size=made.pass_size,
    )


def command(made: MeetingSettings, model: str, device: str) -> str:
    """The command line of the same runs."""
    plain = MeetingSettings()
    given = {
        "--prompts": (len(made.prompts), len(plain.prompts)),
        "--length": (made.length, plain.length),
        "--drafter": (made.drafter, plain.drafter),
        "--gamma": (made.gamma, plain.gamma),
        "--batch": (made.batch, plain.batch),
        "--tau": (f"{made.tau:g}", f"{plain.tau:g}"),
        "--window": (made.window, plain.window),
        "--pass-size": (made.pass_size, plain.pass_size),
        "--lane": (made.arithmetic.lane, plain.arithmetic.lane),
        "--split-k": (made.arithmetic.split_k, plain.arithmetic.split_k),
        "--model": (model, DEFAULT_MODEL),
        "--device": (device, DEVICES[0]),
    }
    changed = [
        f"{name} {shlex.quote(str(value))}" for name, (value, usual) in given.items() if value != usual
    ]
    return " ".join(["python -m lab gate speculate", *changed, "--out meeting.jsonl"])
