"""What the training commands have in common: the target's text, a training's progress, exams, the report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from lab.cli.output import followed, progress_bar, results
from lab.models.loaded import LoadedModel
from lab.training import recipe
from lab.training.card import Card, markdown, rank_table, write_card
from lab.training.evaluate import Figures, Proposer
from lab.training.loop import Training, TrainingSettings
from lab.training.recipe import TextRecipe, exams, training_jobs
from lab.training.target_text import TargetText, shard_count, shards

Prompts = Annotated[int, typer.Option(help="Prompts that the target continues greedily.")]
Stories = Annotated[int, typer.Option(help="Training stories along which its laws are taken.")]
Length = Annotated[int, typer.Option(help="Tokens of a continuation, at most.")]
Vocabulary = Annotated[int, typer.Option(help="Tokens that it can propose, at most.")]
Steps = Annotated[int, typer.Option(help="Training steps.")]
Rate = Annotated[float, typer.Option(help="The largest learning rate.")]
Seed = Annotated[int, typer.Option(help="Of the weights and of the order of the texts.")]
ExamPrompts = Annotated[int, typer.Option(help="Held-out prompts a domain, at most.")]

EXAM_PROMPTS = 96

S = TypeVar("S", bound=TrainingSettings)


def target_shards(target: LoadedModel, text: TextRecipe) -> list[Path]:
    """The target's text with its laws, made where it is missing."""
    jobs = training_jobs(text, target.tokenizer)
    paths = (path for job in jobs for path in shards(job, target.transformer, recipe.folder_of(target)))
    return followed(paths, sum(map(shard_count, jobs)), "Text of the target")


def adapted(settings: S, steps: int, rate: float, seed: int) -> S:
    """The shipped settings for so many steps; few of them warm up for less."""
    warm_up = min(settings.warm_up, steps // 10)
    return replace(settings, steps=steps, rate=rate, warm_up=warm_up, seed=seed)


def follow(training: Training[Any]) -> None:
    """Train to the end."""
    with progress_bar() as bar:
        steps = training.settings.steps
        task = bar.add_task("Training", total=steps, completed=training.step)
        for record in training.run():
            said = f"Training: step {record.step} of {steps}, loss {record.losses['law']:.2f}"
            bar.update(task, completed=record.step, description=said)


def examine(target: LoadedModel, proposers: Sequence[Proposer], prompts: int, length: int) -> list[Figures]:
    """The proposers' figures on every exam, whose text is made where it is missing."""
    papers = exams(target.tokenizer, prompts, length)
    folder = recipe.folder_of(target)
    sat = (
        recipe.sit(exam, target, proposers, list(shards(exam.job, target.transformer, folder)))
        for exam in papers
    )
    figures = [each for group in followed(sat, len(papers), "Exams") for each in group]
    return sorted(figures, key=lambda each: [proposer.name for proposer in proposers].index(each.draft))


def amount(texts: Sequence[TargetText]) -> tuple[int, int]:
    """Texts, and tokens of their continuations."""
    return len(texts), sum(len(text.ids) for text in texts)


def report(out: Path, card: Card) -> None:
    """Write the card and say it."""
    write_card(out, card)
    results.print(f"{out}: {card.parameters:,} parameters, {card.vocabulary:,} tokens, for {card.target}.")
    results.print(markdown(card.figures))
    if len(card.figures[0].by_rank) > 1:
        results.print(rank_table(card.figures))
