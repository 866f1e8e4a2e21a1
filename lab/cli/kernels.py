"""`kernels`: what the kernels of this machine do with a row when the batch grows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer
from rich.table import Table

from lab.cli.output import AsJson, Device, Out, followed, give, results
from lab.device import choose_device
from lab.numerics.machine import CASES, MAX_ROWS, start, summarise
from lab.records import KernelRecord


def kernels(
    device: Device = "auto",
    rows: Annotated[int, typer.Option(help="The largest M: 1 to 64.")] = MAX_ROWS,
    seed: Annotated[int, typer.Option(help="Of the inputs.")] = 0,
    out: Out = None,
    json: AsJson = False,
) -> None:
    """Run matmul, RMSNorm, attention and softmax at M = 1 … rows; show which rows change, and by how much."""
    info, measured = start(choose_device(device), rows, seed)
    records = followed(measured, rows * len(CASES), "Measuring")
    give(info, records, out, json)
    if json:
        return
    results.print(f"{info.machine}, {info.device}, {info.threads} threads; {info.model}")
    results.print(summary_table(records))


def summary_table(records: Sequence[KernelRecord]) -> Table:
    """A row for each operator, dtype and kernel; narrow enough for 80 columns."""
    table = Table()
    for heading in ("kernel", "changed M", "from M", "elements", "median", "max ulp", "repeats"):
        table.add_column(heading, no_wrap=True, justify="left" if heading == "kernel" else "right")
    for summary in summarise(records):
        case = summary.case
        table.add_row(
            f"{case.operator} {case.dtype}" + ("" if case.kernel == "library" else f" {case.kernel}"),
            f"{summary.changed_sizes}/{summary.sizes}",
            "" if summary.first is None else str(summary.first),
            f"{summary.changed_share:.2%}",
            f"{summary.median_ulps:g}",
            str(summary.max_ulps),
            "yes" if summary.repeats else "no",
        )
    return table
