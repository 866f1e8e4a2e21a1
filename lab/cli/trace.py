"""`trace`: read the files that runs write."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from lab import traces
from lab.cli.family import show_family
from lab.cli.kernels import summary_table
from lab.cli.measure_tables import show_measured
from lab.cli.meeting import show_meeting
from lab.cli.output import AsJson, give, results
from lab.cli.round_tables import round_table
from lab.cli.tables import narrow, outcome_table, show_failures, show_flips, show_strategies
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
from lab.traces import Record

app = typer.Typer(help="Read the traces that runs write.", no_args_is_help=True)

File = Annotated[Path, typer.Argument(help="A trace (JSONL).")]


@app.command("show")
def show(file: File, json: AsJson = False) -> None:
    """Show where a trace comes from and its steps."""
    found = traces.read(file)
    if json:
        give(found.info, found.records, None, json)
        return
    info = found.info
    results.print(
        f"{info.kind}: {info.model}, lane {info.lane}, "
        f"on {info.device} ({info.machine}, {info.threads} threads)"
    )
    results.print(f"{info.date}, torch {info.torch}, lab {info.code}")
    kernels = [record for record in found.records if isinstance(record, KernelRecord)]
    if kernels:
        results.print(summary_table(kernels))
        return
    studied = [record for record in found.records if isinstance(record, FlipRecord)]
    if studied:
        show_flips([record for record in found.records if isinstance(record, FlipRecord | Failure)])
        return
    compared = [record for record in found.records if isinstance(record, StrategyRecord)]
    if compared:
        show_strategies(compared)
        show_failures(found.records)
        return
    if any(isinstance(record, MeasureRecord | PassTimeRecord) for record in found.records):
        show_measured(found.records)
        return
    family = [record for record in found.records if isinstance(record, FamilyRecord)]
    if family:
        show_family(family)
        show_failures(found.records)
        return
    met = [record for record in found.records if isinstance(record, MeetingRecord)]
    if met:
        show_meeting(met)
        show_failures(found.records)
        return
    gated = [
        r
        for r in found.records
        if isinstance(r, SequenceRecord | TokenRecord | VerdictRecord | VisitRecord | Failure)
    ]
    if any(isinstance(record, SequenceRecord) for record in gated):
        results.print(outcome_table(gated))
    results.print(_steps(found.records))
    if any(isinstance(record, RoundRecord) for record in found.records):
        results.print(round_table(found.records))


def _verdict(record: VerdictRecord) -> str:
    if record.bonus:
        return "bonus"
    if not record.corrected:
        return "confirmed"
    return f"corrected, -{record.dropped}" if record.dropped else "corrected"


def _steps(records: Sequence[Record]) -> Table:
    table = narrow("beside: the other run's token; -n: tokens rolled back after a correction")
    for heading in ("request", "step", "token", "margin", "batch", "beside", "|Δlogit|", "end"):
        table.add_column(heading, no_wrap=True)
    for record in records:
        match record:
            case TokenRecord():
                table.add_row(
                    record.request,
                    str(record.index),
                    str(record.token),
                    f"{record.margin:.4g}",
                    str(record.batch),
                    "",
                    "",
                    record.finish or "",
                )
            case PairRecord():
                delta = "" if record.max_delta is None else f"{record.max_delta:.4g}"
                table.add_row(
                    record.alone.request,
                    str(record.index),
                    str(record.alone.token),
                    f"{record.alone.margin:.4g}",
                    str(record.batch),
                    str(record.beside.token),
                    delta,
                    record.beside.finish or "",
                )
            case VerdictRecord():
                table.add_row(
                    record.request,
                    str(record.index),
                    str(record.token),
                    f"{record.margin:.4g}",
                    "",
                    str(record.fast),
                    "",
                    _verdict(record) + (f", {record.finish}" if record.finish else ""),
                )
            case VisitRecord():
                count = len(record.requests)
                who = record.requests[0] if count == 1 else f"{count} requests"
                over = "prompt" if record.prompt else str(record.positions)
                table.add_row(who, str(record.step), "", "", "", "", "", f"pass over {over}")
            case Failure() as failure:
                table.add_row(failure.request, str(failure.index), "", "", "", "", "", failure.error)
    return table


@app.command("check")
def check(file: File) -> None:
    """Check that a file is a whole trace; say how many records it has."""
    found = traces.read(file)
    results.print(f"{file}: a {found.info.kind} trace with {len(found.records)} records.")
