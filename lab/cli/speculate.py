"""`speculate`: decode with a drafter, in rounds; show what was accepted and what it bought."""

from __future__ import annotations

from functools import cache
from typing import Annotated, cast

import typer
from rich.text import Text

from lab.cli.output import (
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
    Stop,
    Temperature,
    TopK,
    TopP,
    followed,
    give,
    load,
    results,
    sampling_of,
)
from lab.cli.round_tables import round_table
from lab.decode.prompt_set import Prompt
from lab.decode.settings import LaneSettings
from lab.decode.speculative.making import DRAFTERS, TREE_DRAFTERS
from lab.decode.speculative.settings import POLICIES, RULES, SHAPES, SpeculateSettings, start_speculate
from lab.decode.speculative.shapes import parse_widths
from lab.decode.speculative.siblings import SIBLINGS, How
from lab.records import Failure, TokenRecord
from lab.round_records import RoundRecord


def speculate(
    prompts: OwnPrompts,
    model: Model = DEFAULT,
    device: Device = "auto",
    lane: LaneName = "fp32",
    drafter: Annotated[
        str,
        typer.Option(
            help=f"{', '.join(DRAFTERS)}, a draft's .safetensors file, or a model. "
            f"Of trees: {', '.join(TREE_DRAFTERS)}."
        ),
    ] = SpeculateSettings.drafter,
    policy: Annotated[str, typer.Option(help=f"How many to draft: {', '.join(POLICIES)}.")] = "fixed",
    gamma: Annotated[
        int, typer.Option(help="Tokens a round, levels of a dynamic tree; of `adaptive`, its first window.")
    ] = SpeculateSettings.gamma,
    shape: Annotated[str, typer.Option(help=f"What is drafted: {', '.join(SHAPES)}.")] = "chain",
    widths: Annotated[
        str, typer.Option(help="Of `k-ary`: children of every node, level by level.")
    ] = ",".join(map(str, SpeculateSettings.widths)),
    ranks: Annotated[
        str, typer.Option(help="Of `ranks`: every node by its ranks.")
    ] = SpeculateSettings.ranks,
    width: Annotated[
        int, typer.Option(help="Of `dynamic`: nodes of a level that grow on, and their children.")
    ] = SpeculateSettings.width,
    nodes: Annotated[
        int, typer.Option(help="Of `dynamic`: nodes that are verified.")
    ] = SpeculateSettings.nodes,
    siblings: Annotated[
        str, typer.Option(help=f"How children are chosen: {', '.join(SIBLINGS)}.")
    ] = SpeculateSettings.siblings,
    rule: Annotated[
        str, typer.Option(help=f"What stands: {', '.join(RULES)}; `typical` is approximate.")
    ] = SpeculateSettings.rule,
    threshold: Annotated[
        float, typer.Option(help="`confident` drafts while its draft is at least this sure.")
    ] = SpeculateSettings.threshold,
    alpha: Annotated[float, typer.Option(help="Of `optimal`: its first guess.")] = SpeculateSettings.alpha,
    c: Annotated[float, typer.Option(help="Of `optimal`: draft step ÷ target step.")] = SpeculateSettings.c,
    max_new_tokens: MaxNewTokens = 64,
    max_batch: MaxBatch = 0,
    temperature: Temperature = 0.0,
    top_k: TopK = 0,
    top_p: TopP = 1.0,
    min_p: MinP = 0.0,
    repetition_penalty: Annotated[float, typer.Option(help="1 changes nothing.")] = 1.0,
    lenience: Annotated[float, typer.Option(help="1 is exact; below 1 the law changes.")] = 1.0,
    seed: Seed = 0,
    stop: Stop = None,
    raw: Raw = False,
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
        shape=shape,
        widths=parse_widths(widths),
        ranks=ranks,
        width=width,
        nodes=nodes,
        siblings=cast(How, siblings),
        rule=rule,
        threshold=threshold,
        alpha=alpha,
        c=c,
        sampling=sampling_of(temperature, top_k, top_p, min_p, repetition_penalty),
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
    """The emitted text; what did not stand of a chain is struck out before what replaced it, and of a tree
    left out."""
    text = Text()
    for record in rounds:
        for drafted in record.drafted:
            if record.parents is not None and not drafted.accepted:
                continue
            text.append(drafted.text, "green" if drafted.accepted else "red strike")
        if record.ending != "cut":
            text.append(record.texts[-1], "bold")
    return text
