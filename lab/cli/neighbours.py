"""`neighbours`: one prompt alone and beside others, as the page of that name runs it."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer
from rich.table import Table

from lab.cli.output import (
    ALL_SWITCHES,
    DEFAULT,
    AsJson,
    Device,
    LaneName,
    Model,
    Out,
    ReducedPartials,
    SplitKTable,
    Switches,
    followed,
    give,
    lane_settings,
    load,
    results,
)
from lab.decode.neighbours import summarise
from lab.decode.settings import LaneSettings, NeighbourSettings, start
from lab.errors import LabError
from lab.records import Failure, PairRecord, TokenRecord


def neighbours(
    prompt: Annotated[str, typer.Argument(help="The prompt that is decoded alone and in company.")],
    neighbour: Annotated[
        list[str] | None, typer.Option(help="Another prompt of the batch; may be repeated.")
    ] = None,
    batch: Annotated[list[int] | None, typer.Option(help="A batch size; may be repeated.")] = None,
    model: Model = DEFAULT,
    device: Device = "auto",
    lane: LaneName = "bf16-emulated",
    switches: Switches = ALL_SWITCHES,
    split_k: SplitKTable = LaneSettings.split_k,
    reduced_partials: ReducedPartials = False,
    length: Annotated[int, typer.Option(help="New tokens.")] = 48,
    teacher_forced: Annotated[
        bool, typer.Option(help="The batched run follows the tokens of the run alone.")
    ] = False,
    arrive_every: Annotated[
        int, typer.Option(help="Steps between neighbours' arrivals; 0: all at the start.")
    ] = 0,
    out: Out = None,
    json: AsJson = False,
) -> None:
    """Decode a prompt alone and beside others; show whether, where and by how much the runs differ."""
    settings = NeighbourSettings(
        prompt=prompt,
        batches=tuple(batch or (8,)),
        length=length,
        teacher_forced=teacher_forced,
        arrive_every=arrive_every,
        arithmetic=lane_settings(lane, switches, split_k, reduced_partials),
    )
    if neighbour:
        settings = replace(settings, neighbours=tuple(neighbour))
    info, records = start(settings, lambda: load(model, device))
    everything = followed(records, length * (1 + len(settings.batches)))
    pairs = [record for record in everything if not isinstance(record, TokenRecord)]
    give(info, pairs, out, json)
    if json:
        return
    failures = [record.error for record in pairs if isinstance(record, Failure)]
    if failures:
        raise LabError(failures[0], "The other requests are not touched.")
    _print([pair for pair in pairs if isinstance(pair, PairRecord)])


def _print(pairs: list[PairRecord]) -> None:
    table = Table("batch", "tokens", "first different token", "flips", "max |Δlogit|", "smallest margin")
    for summary in summarise(pairs):
        table.add_row(
            str(summary.batch),
            str(summary.tokens),
            "none" if summary.first_difference is None else str(summary.first_difference),
            f"{summary.flips} of {summary.compared}",
            f"{summary.epsilon:.4g}",
            f"{summary.smallest_margin:.4g}",
        )
    results.print(table)
