"""`train`: make the drafts that come with the lab, or others like them. If interrupted, it goes on."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Annotated, Any

import typer

from lab.cli import train_heads
from lab.cli.output import DEFAULT, Device, Model, load
from lab.cli.train_steps import (
    EXAM_PROMPTS,
    ExamPrompts,
    Length,
    Prompts,
    Rate,
    Seed,
    Steps,
    Stories,
    Vocabulary,
    adapted,
    amount,
    examine,
    follow,
    report,
    target_shards,
)
from lab.decode.speculative.ngram import ORDERS, load_ngram, save_ngram
from lab.models.draft import load_draft, read_draft, save_draft
from lab.models.loaded import LoadedModel
from lab.training import recipe
from lab.training.card import Card
from lab.training.distil import DistilSettings
from lab.training.evaluate import draft_proposer, ngram_proposer
from lab.training.lessons import frequent_tokens
from lab.training.ngram import count_ngrams
from lab.training.recipe import Shape, TextRecipe
from lab.training.target_text import TargetText

Written = Annotated[int, typer.Option(help="Further training stories, learnt as they stand.")]

TEXT, SHAPE, DISTIL = TextRecipe(), Shape(), DistilSettings()

app = typer.Typer(help="Train drafts and heads for speculative decoding.", no_args_is_help=True)
app.command("medusa")(train_heads.medusa)
app.command("eagle")(train_heads.eagle)


@app.command("draft")
def draft(
    out: Annotated[Path, typer.Option(help="Write the draft (.safetensors) here.")] = Path(
        "stories.safetensors"
    ),
    model: Model = DEFAULT,
    device: Device = "cpu",
    prompts: Prompts = TEXT.prompts,
    stories: Stories = TEXT.stories,
    written: Written = TEXT.written,
    length: Length = TEXT.length,
    vocabulary: Vocabulary = SHAPE.vocabulary,
    steps: Steps = DISTIL.steps,
    rate: Rate = DISTIL.rate,
    seed: Seed = DISTIL.seed,
    start: Annotated[
        str | None, typer.Option(help="A draft to go on from: its shape and vocabulary are kept.")
    ] = None,
    exam_prompts: ExamPrompts = EXAM_PROMPTS,
) -> None:
    """Distil a small transformer from the target's laws, and measure it on held-out prompts."""
    target = load(model, device)
    text = TextRecipe(prompts, stories, written, length)
    shape = dataclasses.replace(SHAPE, vocabulary=vocabulary)
    settings = adapted(DISTIL, steps, rate, seed)
    texts = _target_text(target, text)
    before = None if start is None else read_draft(start, target)
    training, trained, known = recipe.training(target, texts, shape, settings, before)
    follow(training)
    config = trained.config
    save_draft(out, config, trained.state_dict(), known, target)
    figures = examine(target, [draft_proposer(load_draft(str(out), target))], exam_prompts, length)
    asdict = dataclasses.asdict
    plain: dict[str, Any] = {"text": asdict(text), "shape": asdict(shape), "distil": asdict(settings)}
    if before is not None:
        plain["start"] = before.name
    report(out, Card(target.name, config.parameters, len(known), *amount(texts), plain, tuple(figures)))


@app.command("ngram")
def ngram(
    out: Annotated[Path, typer.Option(help="Write the table (.npz) here.")] = Path("ngram.npz"),
    model: Model = DEFAULT,
    device: Device = "cpu",
    prompts: Prompts = TEXT.prompts,
    stories: Stories = TEXT.stories,
    written: Written = TEXT.written,
    length: Length = TEXT.length,
    vocabulary: Vocabulary = SHAPE.vocabulary,
    exam_prompts: ExamPrompts = EXAM_PROMPTS,
) -> None:
    """Count unigrams, bigrams and trigrams of the target's text, and measure them on held-out prompts."""
    target = load(model, device)
    text = TextRecipe(prompts, stories, written, length)
    texts = _target_text(target, text)
    table = count_ngrams(((each.prompt, each.ids) for each in texts), frequent_tokens(texts, vocabulary))
    save_ngram(out, table, target)
    proposers = [ngram_proposer(load_ngram(out, target, order)) for order in ORDERS]
    figures = examine(target, proposers, exam_prompts, length)
    plain = {"text": dataclasses.asdict(text)}
    report(out, Card(target.name, 0, len(table.vocabulary), *amount(texts), plain, tuple(figures)))


def _target_text(target: LoadedModel, text: TextRecipe) -> list[TargetText]:
    return recipe.read(target_shards(target, text)) + recipe.as_written(text, target.tokenizer)
