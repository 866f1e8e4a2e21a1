"""`flips`: how often a batch shape changes a token, where, and by how much."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

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
)
from lab.cli.tables import show_flips
from lab.decode.margingate.flips import StudyStep
from lab.decode.margingate.settings import REFERENCES, FlipSettings, start_flips
from lab.decode.prompt_set import Prompt, built_in, read_prompts
from lab.decode.settings import LaneSettings
from lab.errors import LabError
from lab.records import Failure, FlipRecord

Prompts = Annotated[int, typer.Option("--prompts", help="The first N of the built-in 128.")]
PromptFile = Annotated[
    Path | None, typer.Option("--file", help="Your prompts: one a line, or JSONL with `text`.")
]
Length = Annotated[int, typer.Option(help="New tokens of each prompt.")]
Batch = Annotated[list[int] | None, typer.Option(help="A batch size; may be repeated.")]
Attribute = Annotated[
    bool, typer.Option("--attribute/--no-attribute", help="Also each operator's order alone.")
]
AttributeAt = Annotated[int, typer.Option(help="Batch size of the attribution.")]
Base = Annotated[str, typer.Option(help=f"What every shape is compared with: {' or '.join(REFERENCES)}.")]


def flips(
    prompts: Prompts = 8,
    file: PromptFile = None,
    batch: Batch = None,
    length: Length = FlipSettings.length,
    base: Base = FlipSettings.base,
    attribute: Attribute = True,
    attribute_at: AttributeAt = FlipSettings.attribute_at,
    model: Model = DEFAULT,
    device: Device = "auto",
    lane: LaneName = "bf16-emulated",
    switches: Switches = ALL_SWITCHES,
    split_k: SplitKTable = LaneSettings.split_k,
    reduced_partials: ReducedPartials = False,
    out: Out = None,
    json: AsJson = False,
) -> None:
    """Decode prompts at several batch shapes on the same tokens; count the steps whose token changes."""
    arithmetic = lane_settings(lane, switches, split_k, reduced_partials)
    settings = FlipSettings(
        prompts=prompts_of(prompts, file),
        batches=tuple(batch or FlipSettings.batches),
        length=length,
        base=base,
        attribute=attributed(arithmetic) if attribute else (),
        attribute_at=attribute_at,
        arithmetic=arithmetic,
    )
    info, made = start_flips(settings, lambda: load(model, device))
    records = studied(followed(made, settings.total))
    give(info, records, out, json)
    if not json:
        show_flips(records)


def prompts_of(
    count: int, file: Path | None, known: Sequence[Prompt] = built_in(), what: str = "a set of {}"
) -> tuple[Prompt, ...]:
    """The prompts of a file, or the first of the `known` ones. Raises LabError, which calls them `what`."""
    if file is not None:
        return read_prompts(file)
    if not 1 <= count <= len(known):
        raise LabError(
            f"{count} prompts cannot be taken from {what.format(len(known))}.",
            f"Ask for 1 to {len(known)}, or give a --file.",
        )
    return tuple(known[:count])


def attributed(arithmetic: LaneSettings) -> tuple[str, ...]:
    """The operators that can be told apart: those switched on, if there are several."""
    on = arithmetic.switches if arithmetic.lane == "bf16-emulated" else ()
    return on if len(on) > 1 else ()


def studied(made: Sequence[FlipRecord | Failure | StudyStep]) -> list[FlipRecord | Failure]:
    """What a trace keeps of a study: its records, without the marks of progress."""
    return [record for record in made if not isinstance(record, StudyStep)]
