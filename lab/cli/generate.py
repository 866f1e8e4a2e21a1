"""`generate`: decode one prompt, or several as one batch."""

from __future__ import annotations

from functools import cache
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
    SplitKTable,
    Switches,
    followed,
    give,
    lane_settings,
    load,
    results,
)
from lab.decode.generate import GenerateSettings, start_generate
from lab.decode.sampling import Sampling
from lab.decode.settings import LaneSettings
from lab.records import Failure, TokenRecord


def generate(
    prompts: Annotated[list[str], typer.Argument(help="One prompt, or several to decode as one batch.")],
    model: Model = DEFAULT,
    device: Device = "auto",
    lane: LaneName = "fp32",
    switches: Switches = ALL_SWITCHES,
    split_k: SplitKTable = LaneSettings.split_k,
    max_new_tokens: Annotated[int, typer.Option(help="Tokens for each prompt.")] = 64,
    max_batch: Annotated[int, typer.Option(help="Sequences decoded at a time; 0 for all.")] = 0,
    temperature: Annotated[float, typer.Option(help="0 is greedy.")] = 0.0,
    top_k: Annotated[int, typer.Option(help="Keep the k likeliest tokens; 0 for all.")] = 0,
    top_p: Annotated[float, typer.Option(help="Keep the likeliest tokens up to this probability.")] = 1.0,
    min_p: Annotated[float, typer.Option(help="Keep tokens of at least this share of the likeliest.")] = 0.0,
    seed: Annotated[int, typer.Option(help="Of the first prompt; each next one has the next number.")] = 0,
    stop: Annotated[list[str] | None, typer.Option(help="End at this text; may be repeated.")] = None,
    raw: Annotated[bool, typer.Option(help="Feed the prompt as it is, without the chat template.")] = False,
    out: Out = None,
    json: AsJson = False,
) -> None:
    """Decode prompts in a chosen arithmetic and print the text, or the record of every token."""
    settings = GenerateSettings(
        prompts=tuple(prompts),
        max_new_tokens=max_new_tokens,
        max_batch=max_batch or None,
        sampling=Sampling(
            temperature, top_k or None, None if top_p == 1.0 else top_p, None if min_p == 0.0 else min_p
        ),
        seed=seed,
        stop=tuple(stop or ()),
        raw=raw,
        arithmetic=lane_settings(lane, switches, split_k),
    )
    loaded = cache(lambda: load(model, device))
    info, made = start_generate(settings, loaded)
    records = followed(made, max_new_tokens * len(prompts))
    give(info, records, out, json)
    if json:
        return
    for at, prompt in enumerate(prompts):
        own = [record for record in records if record.request == f"prompt {at}"]
        if len(prompts) > 1:
            results.print(f"— {prompt}")
        tokens = [record.token for record in own if isinstance(record, TokenRecord)]
        results.print(_text(own, loaded().tokenizer.decode(tokens)))


def _text(records: list[TokenRecord | Failure], text: str) -> str:
    last = records[-1]
    return f"{text}\n{last.error}" if isinstance(last, Failure) else text
