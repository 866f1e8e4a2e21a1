"""`generate`: decode one prompt, or several as one batch."""

from __future__ import annotations

from functools import cache

from lab.cli.output import (
    ALL_SWITCHES,
    DEFAULT,
    AsJson,
    Device,
    LaneName,
    MaxBatch,
    MaxNewTokens,
    MinP,
    Model,
    Out,
    OwnPrompts,
    Raw,
    Seed,
    SplitKTable,
    Stop,
    Switches,
    Temperature,
    TopK,
    TopP,
    followed,
    give,
    lane_settings,
    load,
    results,
    sampling_of,
)
from lab.decode.generate import GenerateSettings, start_generate
from lab.decode.settings import LaneSettings
from lab.records import Failure, TokenRecord


def generate(
    prompts: OwnPrompts,
    model: Model = DEFAULT,
    device: Device = "auto",
    lane: LaneName = "fp32",
    switches: Switches = ALL_SWITCHES,
    split_k: SplitKTable = LaneSettings.split_k,
    max_new_tokens: MaxNewTokens = 64,
    max_batch: MaxBatch = 0,
    temperature: Temperature = 0.0,
    top_k: TopK = 0,
    top_p: TopP = 1.0,
    min_p: MinP = 0.0,
    seed: Seed = 0,
    stop: Stop = None,
    raw: Raw = False,
    out: Out = None,
    json: AsJson = False,
) -> None:
    """Decode prompts in a chosen arithmetic and print the text, or the record of every token."""
    settings = GenerateSettings(
        prompts=tuple(prompts),
        max_new_tokens=max_new_tokens,
        max_batch=max_batch or None,
        sampling=sampling_of(temperature, top_k, top_p, min_p),
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
