"""`train`: make the drafts that come with the lab, or others like them. If interrupted, it goes on."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from lab.cli.output import DEFAULT, Device, Model, followed, load, progress_bar, results
from lab.decode.speculative.ngram import ORDERS, load_ngram, save_ngram
from lab.models.draft import load_draft, read_draft, save_draft
from lab.models.loaded import LoadedModel
from lab.training import recipe
from lab.training.card import Card, markdown, write_card
from lab.training.distil import DistilSettings, Training
from lab.training.evaluate import Figures, Proposer, draft_proposer, ngram_proposer
from lab.training.lessons import frequent_tokens
from lab.training.ngram import count_ngrams
from lab.training.recipe import Shape, TextRecipe, exams, training_jobs
from lab.training.target_text import TargetText, shard_count, shards

Prompts = Annotated[int, typer.Option(help="Prompts that the target continues greedily.")]
Stories = Annotated[int, typer.Option(help="Training stories along which its laws are taken.")]
Written = Annotated[int, typer.Option(help="Further training stories, learnt as they stand.")]
Length = Annotated[int, typer.Option(help="Tokens of a continuation, at most.")]
Vocabulary = Annotated[int, typer.Option(help="Tokens that it can propose, at most.")]
ExamPrompts = Annotated[int, typer.Option(help="Held-out prompts a domain, at most.")]

TEXT, SHAPE, DISTIL = TextRecipe(), Shape(), DistilSettings()
EXAM_PROMPTS = 96

app = typer.Typer(help="Train drafts for speculative decoding.", no_args_is_help=True)


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
    steps: Annotated[int, typer.Option(help="Training steps.")] = DISTIL.steps,
    rate: Annotated[float, typer.Option(help="The largest learning rate.")] = DISTIL.rate,
    seed: Annotated[int, typer.Option(help="Of the weights and of the order of the texts.")] = DISTIL.seed,
    start: Annotated[
        str | None, typer.Option(help="A draft to go on from: its shape and vocabulary are kept.")
    ] = None,
    exam_prompts: ExamPrompts = EXAM_PROMPTS,
) -> None:
    """Distil a small transformer from the target's laws, and measure it on held-out prompts."""
    target = load(model, device)
    text = TextRecipe(prompts, stories, written, length)
    shape = dataclasses.replace(SHAPE, vocabulary=vocabulary)
    warm_up = min(DISTIL.warm_up, steps // 10)
    settings = dataclasses.replace(DISTIL, steps=steps, rate=rate, warm_up=warm_up, seed=seed)
    texts = _target_text(target, text)
    before = None if start is None else read_draft(start, target)
    training, known = recipe.training(target, texts, shape, settings, before)
    _follow(training)
    config = training.model.config
    save_draft(out, config, training.model.state_dict(), known, target)
    figures = _examine(target, [draft_proposer(load_draft(str(out), target))], exam_prompts, length)
    asdict = dataclasses.asdict
    plain: dict[str, Any] = {"text": asdict(text), "shape": asdict(shape), "distil": asdict(settings)}
    if before is not None:
        plain["start"] = before.name
    _report(out, Card(target.name, config.parameters, len(known), *_amount(texts), plain, tuple(figures)))


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
    figures = _examine(target, proposers, exam_prompts, length)
    plain = {"text": dataclasses.asdict(text)}
    _report(out, Card(target.name, 0, len(table.vocabulary), *_amount(texts), plain, tuple(figures)))


def _target_text(target: LoadedModel, text: TextRecipe) -> list[TargetText]:
    jobs = training_jobs(text, target.tokenizer)
    paths = (path for job in jobs for path in shards(job, target.transformer, recipe.folder_of(target)))
    made = recipe.read(followed(paths, sum(map(shard_count, jobs)), "Text of the target"))
    return made + recipe.as_written(text, target.tokenizer)


def _follow(training: Training) -> None:
    with progress_bar() as bar:
        steps = training.settings.steps
        task = bar.add_task("Training", total=steps, completed=training.step)
        for record in training.run():
            said = f"Training: step {record.step} of {steps}, loss {record.law_loss:.2f}"
            bar.update(task, completed=record.step, description=said)


def _examine(target: LoadedModel, proposers: Sequence[Proposer], prompts: int, length: int) -> list[Figures]:
    papers = exams(target.tokenizer, prompts, length)
    folder = recipe.folder_of(target)
    sat = (
        recipe.sit(exam, target, proposers, list(shards(exam.job, target.transformer, folder)))
        for exam in papers
    )
    figures = [each for group in followed(sat, len(papers), "Exams") for each in group]
    return sorted(figures, key=lambda each: [proposer.name for proposer in proposers].index(each.draft))


def _amount(texts: Sequence[TargetText]) -> tuple[int, int]:
    return len(texts), sum(len(text.ids) for text in texts)


def _report(out: Path, card: Card) -> None:
    write_card(out, card)
    results.print(f"{out}: {card.parameters:,} parameters, {card.vocabulary:,} tokens, for {card.target}.")
    results.print(markdown(card.figures))
