"""`trace`: read the files that runs write."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from lab import traces
from lab.cli.kernels import summary_table
from lab.cli.output import AsJson, give, results
from lab.records import Failure, KernelRecord, PairRecord, TokenRecord

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
    table = Table("request", "step", "token", "margin", "batch", "beside", "max |Δlogit|", "end")
    for record in found.records:
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
                    "pair",
                    str(record.index),
                    str(record.alone.token),
                    f"{record.alone.margin:.4g}",
                    str(record.batch),
                    str(record.beside.token),
                    delta,
                    record.beside.finish or "",
                )
            case Failure() as failure:
                table.add_row(failure.request, str(failure.index), "", "", "", "", "", failure.error)
    results.print(table)


@app.command("check")
def check(file: File) -> None:
    """Check that a file is a whole trace; say how many records it has."""
    found = traces.read(file)
    results.print(f"{file}: a {found.info.kind} trace with {len(found.records)} records.")
