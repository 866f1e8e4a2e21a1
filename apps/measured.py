"""What `python -m lab measure` has recorded, as the pages of speedups read it: runs in series, v as a curve.

Nothing here draws.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from apps.recordings import recording
from lab.round_records import MeasureRecord, PassTimeRecord
from lab.traces import RunInfo

RECORD = "python -m lab measure --out apps/recordings/measure.jsonl"


@dataclass(frozen=True)
class Series:
    """Runs of one draft on one kind of prompt at one temperature and batch size: γ rising."""

    name: str
    runs: tuple[MeasureRecord, ...]

    @property
    def fastest(self) -> MeasureRecord:
        return max(self.runs, key=lambda run: run.speedup)


@dataclass(frozen=True)
class Measured:
    """A recording: its origin, its series by name, and v(γ) for γ = 0, 1, … by batch size."""

    info: RunInfo
    series: dict[str, Series]
    curves: dict[int, tuple[float, ...]]


@cache
def recorded() -> Measured | None:
    """The shipped recording; None where there is none."""
    trace = recording("measure")
    return read(trace.info, trace.records) if trace else None


def read(info: RunInfo, records: Sequence[Any]) -> Measured:
    """Sort the records of a `measure` trace; a run without drafts belongs to no series."""
    runs = [record for record in records if isinstance(record, MeasureRecord) and record.gamma > 0]
    passes = [r for r in records if isinstance(r, PassTimeRecord) and r.role == "target"]
    names: dict[str, list[MeasureRecord]] = {}
    for run in runs:
        names.setdefault(_name(run, several={run.batch for run in runs} != {run.batch}), []).append(run)
    series = {
        name: Series(name, tuple(sorted(own, key=lambda run: run.gamma))) for name, own in names.items()
    }
    curves = {batch: curve([r for r in passes if r.batch == batch]) for batch in {r.batch for r in passes}}
    return Measured(info, series, {batch: v for batch, v in sorted(curves.items()) if v})


def curve(passes: Sequence[PassTimeRecord]) -> tuple[float, ...]:
    """v(γ) = T(γ + 1) ÷ T(1) at the context with most passes; straight lines where a width is missing.

    Empty where a pass over one position is missing.
    """
    contexts: dict[int, dict[int, float]] = {}
    for each in passes:
        contexts.setdefault(each.context, {})[each.positions] = each.seconds
    seconds = max(contexts.values(), key=len, default={})
    if 1 not in seconds:
        return ()
    widths = sorted(seconds)
    times = np.interp(np.arange(1, widths[-1] + 1), widths, [seconds[width] for width in widths])
    return tuple(float(time / seconds[1]) for time in times)


def _name(run: MeasureRecord, several: bool) -> str:
    name = f"{run.draft} · {run.kind} · T={run.temperature:g}"
    return f"{name} · B={run.batch}" if several else name
