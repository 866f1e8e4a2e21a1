"""What the page of the family runs: settings from its controls, records, the command of the same run.

Records are those of `lab.decode.speculative.family.start_family`. Nothing here draws.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from apps.speculative_run import chosen_prompt
from apps.text import n, t
from lab.decode.sampling import Sampling
from lab.decode.settings import settings_from
from lab.decode.speculative.family import METHODS, SERIAL, FamilySettings, Spoken
from lab.device import DEVICES
from lab.errors import LabError
from lab.models.zoo import DEFAULT_MODEL
from lab.records import Failure, TokenRecord
from lab.round_records import FamilyRecord, RoundRecord
from lab.traces import RunInfo, Trace

Kept = Spoken | Failure
DRAFTING = tuple(method for method in METHODS if method != SERIAL)


@dataclass(frozen=True)
class Made:
    """What came with one token of a run, or a whole trace, with the settings of both."""

    settings: FamilySettings
    records: tuple[Kept, ...]


@dataclass(frozen=True)
class Finished:
    """A recorded run, as a panel wants it."""

    info: RunInfo
    records: tuple[Made, ...]


def settings(values: Mapping[str, Any]) -> FamilySettings:
    """The run that the controls describe. Raises LabError for values that do not fit together."""
    if not values["run-methods"]:
        raise LabError("No method is chosen.", f"Choose any of: {', '.join(DRAFTING)}.")
    made = FamilySettings(
        prompts=(chosen_prompt(values),),
        length=values["run-length"],
        methods=tuple(method for method in DRAFTING if method in values["run-methods"]),
        sampling=Sampling(temperature=values["run-temperature"]),
        seed=values["run-seed"],
    )
    for method in made.wanted:
        made.of(method).check()
    return made


def by_token(made: FamilySettings, records: Iterable[Kept]) -> Iterator[Made]:
    """One value a token, with what belongs to it, for a panel that counts tokens."""
    here: list[Kept] = []
    for record in records:
        if isinstance(record, TokenRecord) and here:
            yield Made(made, tuple(here))
            here = []
        here.append(record)
    if here:
        yield Made(made, tuple(here))


def finished(trace: Trace) -> Finished:
    """A trace of the kind `family` with its settings. Raises LabError where it has none, or no methods."""
    records = tuple(record for record in trace.records if isinstance(record, Kept))
    made = Made(settings_from(FamilySettings, trace.info.settings), records)
    if not compared([made]):
        raise LabError("The trace compares no methods.", "Record it again with `python -m lab family`.")
    return Finished(trace.info, (made,))


def all_records(made: Sequence[Made]) -> list[Kept]:
    return [record for one in made for record in one.records]


def compared(made: Sequence[Made]) -> list[FamilyRecord]:
    """The methods that are done, on the first prompt; a trace may hold several."""
    done = [record for record in all_records(made) if isinstance(record, FamilyRecord)]
    return [record for record in done if record.request == done[0].request]


def rounds_of(made: Sequence[Made], record: FamilyRecord) -> list[RoundRecord]:
    """Those in which this text came."""
    name = f"{record.method} {record.request}"
    return [one for one in all_records(made) if isinstance(one, RoundRecord) and one.request == name]


def told(made: FamilySettings) -> str:
    """The settings of the run, in a line."""
    return t(
        "family-told",
        temperature=n(made.sampling.temperature, "g"),
        length=made.length,
        seed=made.seed,
        lane=made.arithmetic.lane,
    )


def command(made: FamilySettings, model: str, device: str) -> str:
    """The command line of the same run."""
    plain = FamilySettings()
    given = {
        "--max-new-tokens": (made.length, plain.length),
        "--temperature": (f"{made.sampling.temperature:g}", "0"),
        "--seed": (made.seed, plain.seed),
        "--lane": (made.arithmetic.lane, plain.arithmetic.lane),
        "--model": (model, DEFAULT_MODEL),
        "--device": (device, DEVICES[0]),
    }
    changed = [
        f"{name} {shlex.quote(str(value))}" for name, (value, usual) in given.items() if value != usual
    ]
    if set(made.wanted) != set(plain.wanted):
        changed.append(f"--methods {','.join(made.methods)}")
    texts = [shlex.quote(prompt.text) for prompt in made.prompts]
    # After `--` a prompt may begin with a dash.
    dashed = ["--"] if any(prompt.text.startswith("-") for prompt in made.prompts) else []
    return " ".join(["python -m lab family --out family.jsonl", *changed, *dashed, *texts])
