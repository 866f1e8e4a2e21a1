"""`family`: every method of speculative decoding on the same prompts, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from lab.cli.output import (
    DEFAULT,
    AsJson,
    Device,
    LaneName,
    MaxNewTokens,
    MinP,
    Model,
    Out,
    OwnPrompts,
    Raw,
    Seed,
    Temperature,
    TopK,
    TopP,
    followed,
    give,
    load,
    results,
    sampling_of,
)
from lab.cli.tables import narrow
from lab.decode.prompt_set import Prompt
from lab.decode.settings import LaneSettings
from lab.decode.speculative.family import METHODS, FamilySettings, start_family
from lab.records import TokenRecord
from lab.round_records import FamilyRecord


def family(
    prompts: OwnPrompts,
    methods: Annotated[
        str, typer.Option(help=f"Some of: {', '.join(METHODS)}; `serial` always runs.")
    ] = ",".join(METHODS),
    model: Model = DEFAULT,
    device: Device = "auto",
    lane: LaneName = "fp32",
    max_new_tokens: MaxNewTokens = 64,
    temperature: Temperature = 0.0,
    top_k: TopK = 0,
    top_p: TopP = 1.0,
    min_p: MinP = 0.0,
    seed: Seed = 0,
    raw: Raw = False,
    out: Out = None,
    json: AsJson = False,
) -> None:
    """Decode prompts by every method, one after the other: tokens a pass, nodes, wall time, exact or not."""
    settings = FamilySettings(
        prompts=tuple(Prompt(f"prompt {at}", "own", text) for at, text in enumerate(prompts)),
        length=max_new_tokens,
        methods=tuple(name.strip() for name in methods.split(",") if name.strip()),
        sampling=sampling_of(temperature, top_k, top_p, min_p),
        seed=seed,
        raw=raw,
        arithmetic=LaneSettings(lane),
    )
    info, made = start_family(settings, lambda: load(model, device))
    records = followed(made, settings.total, counted=TokenRecord)
    give(info, records, out, json)
    if not json:
        show_family([record for record in records if isinstance(record, FamilyRecord)])


_SHORT = {"lossless in law": "in law", "greedy-identical in FP32": "in FP32", "approximate": "no"}


def show_family(records: Sequence[FamilyRecord]) -> None:
    """Print one line a method, pooled over its prompts."""
    table = narrow("passes of the target and its seconds, without those over prompts")
    table.add_column("method", no_wrap=True)
    for heading in ("tokens\na pass", "passes", "nodes\na pass", "seconds", "serial\n÷ it", "same\ntokens"):
        table.add_column(heading, no_wrap=True, justify="right")
    table.add_column("exact", no_wrap=True)
    for method in dict.fromkeys(record.method for record in records):
        own = [record for record in records if record.method == method]
        passes, seconds = sum(r.passes for r in own), sum(r.seconds for r in own)
        tokens = sum(len(r.tokens) - 1 for r in own)
        table.add_row(
            method,
            f"{tokens / passes:.2f}" if passes else "–",
            str(passes),
            f"{sum(r.drafted for r in own) / passes:.1f}" if passes else "–",
            f"{seconds:.2f}",
            f"{sum(r.plain_seconds for r in own) / seconds:.2f}" if seconds else "–",
            f"{sum(r.same_as_plain for r in own)}/{len(own)}",
            _SHORT[own[0].exactness],
        )
    results.print(table)
