"""`measure`: acceptance, relative times, and speedups predicted and measured."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lab.cli.measure_tables import show_measured
from lab.cli.output import (
    DEFAULT,
    AsJson,
    Device,
    LaneName,
    MaxNewTokens,
    Model,
    Out,
    Seed,
    give,
    load,
    progress_bar,
    results,
)
from lab.decode.prompt_set import read_prompts
from lab.decode.settings import LaneSettings
from lab.decode.speculative.making import DRAFTERS
from lab.decode.speculative.measure import (
    KINDS,
    MeasureSettings,
    Progress,
    prompts_of_kinds,
    start_measure,
)
from lab.round_records import MeasureRecord, PassTimeRecord

_STAGES = {"passes": "Timing passes", "texts": "The target's text", "runs": "Timing runs"}


def measure(
    drafter: Annotated[
        list[str] | None,
        typer.Option(help=f"May be repeated. {', '.join(DRAFTERS)}, a draft's file, or a model."),
    ] = None,
    kind: Annotated[
        list[str] | None, typer.Option(help="Of built-in prompts; may be repeated. " + ", ".join(KINDS))
    ] = None,
    prompts: Annotated[int, typer.Option(help="Prompts of each kind.")] = 2,
    file: Annotated[Path | None, typer.Option(help="A file of prompts of your own.")] = None,
    length: MaxNewTokens = MeasureSettings.length,
    temperature: Annotated[
        list[float] | None, typer.Option(help="May be repeated; 0 is greedy. Default: 0 and 1.")
    ] = None,
    gamma: Annotated[
        list[int] | None, typer.Option(help="Tokens a round drafts; may be repeated. Default: 2, 4, 8.")
    ] = None,
    batch: Annotated[list[int] | None, typer.Option(help="Batch size; may be repeated.")] = None,
    repeats: Annotated[int, typer.Option(help="Times that each run is timed.")] = MeasureSettings.repeats,
    passes: Annotated[int, typer.Option(help="Times that each pass is timed.")] = MeasureSettings.passes,
    context: Annotated[int, typer.Option(help="Tokens before timed passes.")] = MeasureSettings.context,
    seed: Seed = 0,
    model: Model = DEFAULT,
    device: Device = "auto",
    lane: LaneName = "fp32",
    out: Out = None,
    json: AsJson = False,
) -> None:
    """Measure α, c and v(γ) of drafters, and the speedup that they predict beside the one that is reached."""
    settings = MeasureSettings(
        prompts=read_prompts(file) if file else prompts_of_kinds(kind or KINDS, prompts),
        length=length,
        drafters=tuple(drafter or MeasureSettings.drafters),
        temperatures=tuple(temperature or MeasureSettings.temperatures),
        gammas=tuple(gamma or MeasureSettings.gammas),
        batches=tuple(batch or MeasureSettings.batches),
        repeats=repeats,
        passes=passes,
        context=context,
        seed=seed,
        arithmetic=LaneSettings(lane),
    )
    info, made = start_measure(settings, lambda: load(model, device))
    records: list[PassTimeRecord | MeasureRecord] = []
    with progress_bar() as bar:
        task = bar.add_task(_STAGES["passes"], total=None)
        for thing in made:
            if isinstance(thing, Progress):
                stage = _STAGES[thing.stage]
                bar.update(task, completed=thing.done, total=thing.total, description=stage)
            else:
                records.append(thing)
    give(info, records, out, json)
    if not json:
        results.print(f"{info.model}, lane {info.lane}, {info.machine}, {info.threads} threads")
        show_measured(records)
