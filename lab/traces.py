"""Trace files: the records that a decoder yielded, as JSONL.

A trace file is one header line (`RunInfo`: which model, arithmetic, machine and code made
it) and one line a record. Floats are written with all their digits, so reading a file
gives back equal records.
"""

from __future__ import annotations

import os
import platform
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import torch
from pydantic import Field, TypeAdapter, ValidationError

import lab
from lab.errors import LabError
from lab.records import (
    Failure,
    FlipRecord,
    KernelRecord,
    PairRecord,
    SequenceRecord,
    StrategyRecord,
    TokenRecord,
    VerdictRecord,
    VisitRecord,
)
from lab.round_records import FamilyRecord, MeasureRecord, MeetingRecord, PassTimeRecord, RoundRecord

FORMAT = "decoding-lab-trace"
VERSION = 1


@dataclass(frozen=True)
class RunInfo:
    """What a reader must know to trust or repeat a run."""

    kind: str
    """What the records are: `decode`, `neighbours`, `kernels`, `flips`, `watch`, `gate`, `strategies`,
    `speculate`, `meeting`, `measure`, `family` or `tree-sizes`."""
    model: str
    lane: str
    device: str
    machine: str
    threads: int
    torch: str
    code: str
    date: str
    settings: dict[str, Any] = field(default_factory=dict)
    """The experiment as plain JSON: enough to run it again."""


Record = (
    TokenRecord
    | Failure
    | PairRecord
    | KernelRecord
    | VerdictRecord
    | VisitRecord
    | SequenceRecord
    | FlipRecord
    | StrategyRecord
    | RoundRecord
    | MeetingRecord
    | PassTimeRecord
    | MeasureRecord
    | FamilyRecord
)


@dataclass(frozen=True)
class Trace:
    info: RunInfo
    records: tuple[Record, ...]


def run_info(kind: str, model: str, lane: str, device: str, settings: dict[str, Any]) -> RunInfo:
    """The header of a run that happens here and now."""
    return RunInfo(
        kind=kind,
        model=model,
        lane=lane,
        device=device,
        machine=machine(),
        threads=torch.get_num_threads(),
        torch=torch.__version__,
        code=code_version(),
        date=datetime.now(UTC).isoformat(timespec="seconds"),
        settings=settings,
    )


@cache
def machine() -> str:
    """This computer's processor and system, in words."""
    name = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        name = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), name)
    except OSError:
        pass
    features = torch.backends.cpu.get_cpu_capability()
    return f"{name}, {features}, {platform.system()} {platform.machine()}"


@cache
def code_version() -> str:
    """The lab's version and, in a git checkout, its commit."""
    root = Path(__file__).parent.parent
    try:
        commit = subprocess.run(
            ["git", "-C", str(root), "rev-parse", "--short=12", "HEAD"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return lab.__version__
    return f"{lab.__version__}+{commit}"


def dumps(info: RunInfo, records: Iterable[Record]) -> Iterator[str]:
    """The lines of a trace file, without their newlines."""
    yield _HEADER.dump_json(_Header(FORMAT, VERSION, info)).decode()
    for record in records:
        yield _RECORD.dump_json(record).decode()


def write(path: Path, info: RunInfo, records: Iterable[Record]) -> None:
    """Write a trace file; an existing file is replaced only when the new one is complete.

    Raises LabError where there can be no such file.
    """
    check_writable(path)
    partial = path.with_name(path.name + ".partial")
    with partial.open("w", encoding="utf-8") as file:
        file.writelines(line + "\n" for line in dumps(info, records))
    partial.replace(path)


def check_writable(path: Path) -> None:
    """Raises LabError where no file can be written: better before a long run than after it."""
    if path.is_dir() or not path.name:
        raise LabError(f"{str(path)!r} is a folder.", "Give the name of a file to write.")
    if not path.parent.is_dir() or not os.access(path.parent, os.W_OK):
        raise LabError(f"Nothing can be written in {path.parent}.", "Name a file in a folder of yours.")


def read(path: Path) -> Trace:
    """Read a trace file. Raises LabError naming the file and line that is wrong."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise LabError(f"{path} cannot be read: {error.strerror}.", "Check the file's name.") from None
    except UnicodeDecodeError:
        raise LabError(
            f"{path} is not a text file.", "Open a JSONL trace that the lab has written."
        ) from None
    return loads(text, str(path))


def loads(text: str, name: str = "The text") -> Trace:
    """Parse the text of a trace file; `name` is used in errors. Raises LabError."""
    first, *lines = text.split("\n")
    try:
        header = _HEADER.validate_json(first)
    except ValidationError:
        raise LabError(
            f"{name} is not a trace of this lab.", "Open a JSONL trace that the lab has written."
        ) from None
    if (header.format, header.version) != (FORMAT, VERSION):
        raise LabError(
            f"{name} is of format {header.format!r}, version {header.version}.",
            f"This lab reads {FORMAT!r}, version {VERSION}; record the run again.",
        )
    return Trace(
        header.run, tuple(_record(line, name, at) for at, line in enumerate(lines, start=2) if line.strip())
    )


def _record(line: str, name: str, at: int) -> Record:
    try:
        return _RECORD.validate_json(line)
    except ValidationError as error:
        first = error.errors()[0]
        field_name = ".".join(map(str, first["loc"]))
        raise LabError(
            f"{name}, line {at} is not a record of a trace ({field_name or 'line'}: {first['msg']}).",
            "Record the run again, or repair that line.",
        ) from None


@dataclass(frozen=True)
class _Header:
    format: str
    version: int
    run: RunInfo


_HEADER = TypeAdapter(_Header)
_RECORD: TypeAdapter[Record] = TypeAdapter(Annotated[Record, Field(discriminator="record")])
