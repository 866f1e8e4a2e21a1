"""The records that every decoder yields, and their JSONL file.

A trace file is one header line (`RunInfo`: which model, arithmetic, machine and code made
it) and one line a record. Floats are written with all their digits, so reading a file
gives back equal records. Pages, notebooks, the command line and tests read the same records.
"""

from __future__ import annotations

import platform
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

import torch
from pydantic import Field, FiniteFloat, TypeAdapter, ValidationError

import lab
from lab.errors import LabError

FORMAT = "decoding-lab-trace"
VERSION = 1


@dataclass(frozen=True)
class RunInfo:
    """What a reader must know to trust or repeat a run."""

    kind: str
    """What the records are: `decode`, `neighbours` or `kernels`."""
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


@dataclass(frozen=True)
class Candidate:
    """A token that might have been chosen, and its logit. `text` is what a reader sees of it."""

    token: int
    logit: FiniteFloat
    text: str = ""


@dataclass(frozen=True)
class TokenRecord:
    """One token of one request."""

    request: str
    index: int
    """0 for the first new token."""
    token: int
    """The token that was committed."""
    choice: int
    """The token that this run's own logits pick; differs from `token` only under teacher forcing."""
    logit: FiniteFloat
    """Of `choice`."""
    margin: FiniteFloat
    """Largest minus second largest logit; 0 is a tie."""
    top: tuple[Candidate, ...]
    """The largest logits, falling; equals by id."""
    batch: int
    """Sequences in the pass that made these logits."""
    rows: int
    """Positions in that pass: M of its matrix products."""
    lane: str
    seconds: FiniteFloat
    """Of that pass, shared by all its rows."""
    text: str = ""
    """What a reader sees of `choice`; empty in a run without a tokenizer."""
    finish: str | None = None
    """Why the request ended with this token: `eos`, `stop` or `length`; else None."""
    record: Literal["token"] = "token"


@dataclass(frozen=True)
class Failure:
    """A request that was stopped by an error of its own; the others went on."""

    request: str
    index: int
    error: str
    record: Literal["failure"] = "failure"


@dataclass(frozen=True)
class PairRecord:
    """One step of a prompt decoded alone and beside others."""

    batch: int
    """Sequences in the batch that it is compared with."""
    index: int
    alone: TokenRecord
    beside: TokenRecord
    max_delta: FiniteFloat | None
    """max over the vocabulary of |logit alone - logit beside|; None once the two contexts differ."""
    record: Literal["pair"] = "pair"

    @property
    def flipped(self) -> bool | None:
        """Whether the same context gave another choice; None where the contexts differ."""
        return None if self.max_delta is None else self.alone.choice != self.beside.choice


@dataclass(frozen=True)
class KernelRecord:
    """One operator at one number of rows M, against the same rows run alone."""

    operator: str
    """`matmul`, `rms_norm`, `attention` or `softmax`."""
    dtype: str
    kernel: str
    """`library`: torch's own; `lab`: the row-invariant product; `emulated`: split-K by the lab's rule."""
    rows: int
    row_elements: int
    """Elements of one row of the result."""
    changed: tuple[int, ...]
    """For each row, how many of its elements have other bits than alone; empty if no row has any."""
    median_ulps: FiniteFloat
    """Of the changed elements: how many numbers of the dtype apart."""
    max_ulps: int
    max_delta: FiniteFloat
    """Largest absolute change of an element."""
    repeats: bool
    """Whether a second run at the same M gave the same bits."""
    seconds: FiniteFloat
    record: Literal["kernel"] = "kernel"

    @property
    def changed_rows(self) -> int:
        return sum(count > 0 for count in self.changed)

    @property
    def changed_share(self) -> float:
        """Changed elements ÷ elements."""
        return sum(self.changed) / (self.rows * self.row_elements)


Record = TokenRecord | Failure | PairRecord | KernelRecord


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
    """Write a trace file; an existing file is replaced only when the new one is complete."""
    partial = path.with_name(path.name + ".partial")
    with partial.open("w", encoding="utf-8") as file:
        file.writelines(line + "\n" for line in dumps(info, records))
    partial.replace(path)


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
