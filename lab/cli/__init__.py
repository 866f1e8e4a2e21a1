"""The command line. Each file is one command; they parse and print, and compute nothing."""

from __future__ import annotations

import typer

from lab.cli import (
    family,
    flips,
    gate,
    generate,
    kernels,
    measure,
    meeting,
    models,
    neighbours,
    record,
    speculate,
    trace,
    train,
)
from lab.cli.output import exit_on_error

app = typer.Typer(
    name="python -m lab",
    help="Decode a real model in a chosen arithmetic, and see what the batch does to it.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command("generate")(generate.generate)
app.command("neighbours")(neighbours.neighbours)
app.command("flips")(flips.flips)
app.command("speculate")(speculate.speculate)
app.command("family")(family.family)
app.command("measure")(measure.measure)
app.command("kernels")(kernels.kernels)
gate.app.command("speculate")(meeting.speculate)
app.add_typer(gate.app, name="gate")
app.add_typer(models.app, name="models")
app.add_typer(record.app, name="record")
app.add_typer(trace.app, name="trace")
app.add_typer(train.app, name="train")


def main() -> None:
    with exit_on_error():
        app()
