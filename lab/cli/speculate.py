"""`speculate`: decode with a drafter, in rounds; show what was accepted and what it bought."""

from __future__ import annotations

from functools import cache
from typing import Annotated

import typer
from rich.text import Text

from lab.cli.output import DEFAULT, AsJson, Device, LaneName, Model, Out, followed, give, load, results
from lab.cli.round_tables import round_table
from lab.decode.prompt_set import Prompt
from lab.decode.sampling import Sampling
from lab.decode.settings import LaneSettings
from lab.decode.speculative.settings import DRAFTERS, POLICIES, SpeculateSettings, start_speculate
from lab.records import Failure, TokenRecord
from lab.round_records import RoundRecord


def speculate(
    prompts: Annotated[list[str], typer.Argument(help="One prompt, or several to decode as one batch.")],
    model: Model = DEFAULT,
    device: Device = "auto",
    lane: LaneName = "fp32",
    drafter: Annotated[
        str, typer.Option(help=f"{', '.join(DRAFTERS)}, a draft's .safetensors file, or a model.")
    ] = SpeculateSettings.drafter,
    policy: Annotated[str, typer.Option(help=f"How many to draft: {', '.join(POLICIES)}.")] = "fixed",
    gamma: Annotated[
        int, typer.Option(help="Tokens a round, at most; of `adaptive`, its first window.")
    ] = SpeculateSettings.gamma,
    threshold: Annotated[
        float, typer.Option(help="`confident` drafts while its draft is at least this sure.")
    ] = SpeculateSettings.threshold,
    alpha: Annotated[float, typer.Option(help="Of `optimal`: its first guess.")] = SpeculateSettings.alpha,
    c: Annotated[float, typer.Option(help="Of `optimal`: draft step ÷ target step.")] = SpeculateSettings.c,
    max_new_tokens: Annotated[int, typer.Option(help="Tokens for each prompt.")] = 64,
    max_batch: Annotated[int, typer.Option(help="Sequences decoded at a time; 0 for all.")] = 0,
    temperature: Annotated[float, typer.Option(help="0 is greedy.")] = 0.0,
    top_k: Annotated[int, typer.Option(help="Keep the k likeliest tokens; 0 for all.")] = 0,
    top_p: Annotated[float, typer.Option(help="Keep the likeliest tokens up to this probability.")] = 1.0,
    min_p: Annotated[float, typer.Option(help="Keep tokens of at least this share of the likeliest.")] = 0.0,
    repetition_penalty: Annotated[float, typer.Option(help="1 changes nothing.")] = 1.0,
    lenience: Annotated[float, typer.Option(help="1 is exact; below 1 the law changes.")] = 1.0,
    seed: Annotated[int, typer.Option(help="Of the first prompt; each next one has the next number.")] = 0,
    stop: Annotated[list[str] | None, typer.Option(help="End at this text; may be repeated.")] = None,
    raw: Annotated[bool, typer.Option(help="Feed the prompt as it is, without the chat template.")] = False,
    plain: Annotated[bool, typer.Option(help="Decode plainly first, to compare with.")] = True,
    out: Out = None,
    json: AsJson = False,
) -> None:
    """Decode prompts speculatively: rejected tokens are struck out, a correction or bonus follows in bold."""
    settings = SpeculateSettings(
        prompts=tuple(Prompt(f"prompt {at}", "own", text) for at, text in enumerate(prompts)),
        length=max_new_tokens,
        drafter=drafter,
        policy=policy,
        gamma=gamma,
        threshold=threshold,
        alpha=alpha,
        c=c,
        sampling=Sampling(
            temperature,
            top_k or None,
            None if top_p == 1.0 else top_p,
            None if min_p == 0.0 else min_p,
            repetition_penalty,
        ),
        seed=seed,
        stop=tuple(stop or ()),
        raw=raw,
        batch=max_batch or None,
        lenience=lenience,
        plain=plain,
        arithmetic=LaneSettings(lane),
    )
    loaded = cache(lambda: load(model, device))
    info, made = start_speculate(settings, loaded)
    records = followed(made, settings.total, counted=TokenRecord)
    give(info, records, out, json)
    if json:
        return
    for prompt in settings.prompts:
        if len(prompts) > 1:
            results.print(f"— {prompt.text}")
        own = [record for record in records if record.request == prompt.name]
        first = next((record.text for record in own if isinstance(record, TokenRecord)), "")
        rounds = [record for record in own if isinstance(record, RoundRecord)]
        results.print(Text(first) + _shown(rounds))
        for record in own:
            if isinstance(record, Failure):
                results.print(record.error)
    results.print(round_table(records))


def _shown(rounds: list[RoundRecord]) -> Text:
    """The emitted text; drafted tokens that did not stand are struck out before what replaced them."""
    text = Text()
    for record in rounds:
        for drafted in record.drafted:
            text.append(drafted.text, "green" if drafted.accepted else "red strike")
        if record.ending != "cut":
            text.append(record.texts[-1], "bold")
    return text
