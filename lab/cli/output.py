"""How commands speak: results on standard output, progress and errors on standard error."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, TypeVar

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from lab import traces
from lab.decode.sampling import Sampling
from lab.decode.settings import SWITCHES, LaneSettings
from lab.device import DEVICES
from lab.errors import LabError
from lab.models.loaded import LoadedModel, load_model
from lab.models.zoo import DEFAULT_MODEL
from lab.numerics.lanes import LANES
from lab.traces import Record, RunInfo

R = TypeVar("R")

results = Console(soft_wrap=True, highlight=False, markup=False, emoji=False)
messages = Console(stderr=True, highlight=False, emoji=False)

Model = Annotated[str, typer.Option(help="A name of `models list`, a folder, a .gguf file, or a hub id.")]
Device = Annotated[str, typer.Option(help=f"One of: {', '.join(DEVICES)}.")]
LaneName = Annotated[str, typer.Option("--lane", help=f"One of: {', '.join(LANES)}.")]
Switches = Annotated[str, typer.Option(help="Operators whose order follows the batch, in bf16-emulated.")]
SplitKTable = Annotated[str, typer.Option("--split-k", help="Rows:splits pairs of the linears' schedule.")]
ReducedPartials = Annotated[bool, typer.Option(help="Round split-K partials to BF16.")]


def _writable(path: Path | None) -> Path | None:
    if path is not None:
        traces.check_writable(path)
    return path


Out = Annotated[Path | None, typer.Option(help="Write the trace (JSONL) here.", callback=_writable)]
MaxNewTokens = Annotated[int, typer.Option(help="Tokens for each prompt.")]
MaxBatch = Annotated[int, typer.Option(help="Sequences decoded at a time; 0 for all.")]
Temperature = Annotated[float, typer.Option(help="0 is greedy.")]
TopK = Annotated[int, typer.Option(help="Keep the k likeliest tokens; 0 for all.")]
TopP = Annotated[float, typer.Option(help="Keep the likeliest tokens up to this probability.")]
MinP = Annotated[float, typer.Option(help="Keep tokens of at least this share of the likeliest.")]
Seed = Annotated[int, typer.Option(help="Of the first prompt; each next one has the next number.")]
Stop = Annotated[list[str] | None, typer.Option(help="End at this text; may be repeated.")]
Raw = Annotated[bool, typer.Option(help="Feed the prompt as it is, without the chat template.")]
OwnPrompts = Annotated[list[str], typer.Argument(help="One prompt, or several to decode as one batch.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON lines (a trace) instead of text.")]

DEFAULT = DEFAULT_MODEL
ALL_SWITCHES = ",".join(SWITCHES)


@contextmanager
def exit_on_error() -> Iterator[None]:
    """A LabError or an interruption ends the program with its message, and no traceback."""
    try:
        yield
    except LabError as error:
        messages.print(f"[bold red]Error:[/] {escape(error.what)}\n{escape(error.remedy)}", soft_wrap=True)
        sys.exit(2)
    except KeyboardInterrupt:
        messages.print("Stopped.")
        sys.exit(130)


@contextmanager
def progress_bar() -> Iterator[Progress]:
    """A bar on standard error that leaves nothing behind."""
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=messages, transient=True, disable=not messages.is_terminal) as bar:
        yield bar


def followed(made: Iterable[R], total: int, what: str = "Decoding", counted: type = object) -> list[R]:
    """Everything that a run gives, with a bar that advances at each thing of type `counted`."""
    things: list[R] = []
    with progress_bar() as bar:
        task = bar.add_task(what, total=total)
        for thing in made:
            things.append(thing)
            if isinstance(thing, counted):
                bar.advance(task)
    return things


def sampling_of(
    temperature: float, top_k: int, top_p: float, min_p: float, repetition_penalty: float = 1.0
) -> Sampling:
    """How to draw, from the options that say it; what changes nothing is left out."""
    return Sampling(
        temperature,
        top_k or None,
        None if top_p == 1.0 else top_p,
        None if min_p == 0.0 else min_p,
        repetition_penalty,
    )


def lane_settings(lane: str, switches: str, split_k: str, reduced_partials: bool = False) -> LaneSettings:
    """An arithmetic from the options that name it."""
    return LaneSettings(lane, tuple(name for name in switches.split(",") if name), split_k, reduced_partials)


def give(info: RunInfo, records: Sequence[Record], out: Path | None, json: bool) -> None:
    """Write a run's trace where it is asked for, and print it as JSON lines if that is asked for."""
    if out is not None:
        traces.write(out, info, records)
    if json:
        for line in traces.dumps(info, records):
            results.print(line)


def load(name: str, device: str) -> LoadedModel:
    """Load a model with a progress bar."""
    with progress_bar() as bar:
        task = bar.add_task(f"Loading {name}", total=1.0)
        return load_model(
            name, device, lambda share, stage: bar.update(task, completed=share, description=stage)
        )
