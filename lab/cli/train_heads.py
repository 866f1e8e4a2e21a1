"""`train medusa`, `train eagle`: heads that read the target's features."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Annotated

import typer
from torch import Tensor

from lab.cli.output import DEFAULT, Device, Model, followed, load
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
from lab.models.eagle import EAGLE, load_eagle
from lab.models.heads import save_heads
from lab.models.loaded import LoadedModel
from lab.models.medusa import MEDUSA, load_medusa
from lab.training import heads_recipe, recipe
from lab.training.card import Card
from lab.training.evaluate import eagle_proposer, medusa_proposer
from lab.training.features import make_features
from lab.training.heads_recipe import eagle_training, last_tap, medusa_training
from lab.training.lessons import frequent_tokens
from lab.training.recipe import Shape, TextRecipe
from lab.training.target_text import TargetText

TEXT = TextRecipe(prompts=2208)
Written = Annotated[int, typer.Option(help="Further training stories, read for the vocabulary alone.")]


def medusa(
    out: Annotated[Path, typer.Option(help="Write the heads (.safetensors) here.")] = Path(
        "medusa.safetensors"
    ),
    model: Model = DEFAULT,
    device: Device = "cpu",
    heads: Annotated[int, typer.Option(help="How many; head k guesses k tokens further.", min=1, max=16)] = (
        heads_recipe.HEADS
    ),
    prompts: Prompts = TEXT.prompts,
    stories: Stories = TEXT.stories,
    written: Written = TEXT.written,
    length: Length = TEXT.length,
    vocabulary: Vocabulary = Shape.vocabulary,
    steps: Steps = heads_recipe.MEDUSA.steps,
    rate: Rate = heads_recipe.MEDUSA.rate,
    seed: Seed = heads_recipe.MEDUSA.seed,
    exam_prompts: ExamPrompts = EXAM_PROMPTS,
) -> None:
    """Train Medusa heads on the target's features and laws, and measure them on held-out prompts."""
    target = load(model, device)
    text = TextRecipe(prompts, stories, written, length)
    settings = adapted(heads_recipe.MEDUSA, steps, rate, seed)
    paths, texts, known = _material(target, text, vocabulary)
    training, learnt = medusa_training(target, paths, known, heads, settings)
    follow(training)
    save_heads(out, MEDUSA, learnt.state_dict(), known, last_tap(target), target, {"heads": heads})
    loaded = load_medusa(str(out), target)
    figures = examine(target, [medusa_proposer(loaded, target.transformer)], exam_prompts, length)
    asdict = dataclasses.asdict
    plain = {"text": asdict(text), "heads": heads, "distil": asdict(settings)}
    report(out, Card(target.name, loaded.parameters, len(known), *amount(texts), plain, tuple(figures)))


def eagle(
    out: Annotated[Path, typer.Option(help="Write the draft (.safetensors) here.")] = Path(
        "eagle.safetensors"
    ),
    model: Model = DEFAULT,
    device: Device = "cpu",
    ffn: Annotated[int, typer.Option(help="Width of its feed-forward layer.", min=1)] = heads_recipe.FFN,
    prompts: Prompts = TEXT.prompts,
    stories: Stories = TEXT.stories,
    written: Written = TEXT.written,
    length: Length = TEXT.length,
    vocabulary: Vocabulary = Shape.vocabulary,
    steps: Steps = heads_recipe.EAGLE.steps,
    rate: Rate = heads_recipe.EAGLE.rate,
    seed: Seed = heads_recipe.EAGLE.seed,
    exam_prompts: ExamPrompts = EXAM_PROMPTS,
) -> None:
    """Train an EAGLE draft on the target's features and laws, and measure it on held-out prompts."""
    target = load(model, device)
    text = TextRecipe(prompts, stories, written, length)
    settings = adapted(heads_recipe.EAGLE, steps, rate, seed)
    paths, texts, known = _material(target, text, vocabulary)
    training, learnt = eagle_training(target, paths, known, ffn, settings)
    follow(training)
    save_heads(out, EAGLE, learnt.state_dict(), known, last_tap(target), target, {"ffn": ffn})
    loaded = load_eagle(str(out), target)
    figures = examine(target, [eagle_proposer(str(out), target)], exam_prompts, length)
    asdict = dataclasses.asdict
    plain = {"text": asdict(text), "ffn": ffn, "distil": asdict(settings)}
    report(out, Card(target.name, loaded.parameters, len(known), *amount(texts), plain, tuple(figures)))


def _material(
    target: LoadedModel, text: TextRecipe, vocabulary: int
) -> tuple[list[Path], list[TargetText], Tensor]:
    """Shards of the target's text with its features beside them, the texts, and the tokens to propose."""
    paths = target_shards(target, text)
    made = make_features(paths, target.transformer, last_tap(target))
    followed(made, len(paths), "Features of the target")
    texts = recipe.read(paths)
    return paths, texts, frequent_tokens([*texts, *recipe.as_written(text, target.tokenizer)], vocabulary)
