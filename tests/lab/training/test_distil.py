"""Distillation: the loss is what it says, and it falls."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from lab.models.loaded import LoadedModel
from lab.training.distil import DistilSettings, draft_loss, losses, start_weights
from lab.training.lessons import Lesson, batch, frequent_tokens, lessons
from lab.training.loop import Training
from lab.training.recipe import Shape
from lab.training.target_text import TargetText
from lab.training.trainable import TrainableLlama

SETTINGS = DistilSettings(steps=60, rows=5, rate=1e-2, warm_up=3)
SHAPE = Shape(vocabulary=40, hidden=32, layers=1, heads=2, ffn=48)


@pytest.fixture
def source(target: LoadedModel, texts: list[TargetText]) -> list[Lesson]:
    return lessons(texts, frequent_tokens(texts, 40), 259)


def model(target: LoadedModel, texts: list[TargetText]) -> TrainableLlama:
    vocabulary = frequent_tokens(texts, 40)
    config = SHAPE.config(target.transformer.config, len(vocabulary))
    return start_weights(config, target.transformer.embedding[vocabulary], seed=0)


def training(
    model: TrainableLlama, source: list[Lesson], settings: DistilSettings, folder: Path
) -> Training[Lesson]:
    return Training(model, source, draft_loss(model, settings), settings, folder)


def test_the_loss_is_the_cross_entropy_of_the_kept_law() -> None:
    """One position with three known tokens, one unknown, and the rest in one bucket: by hand."""
    logits = torch.tensor([[0.5, -1.0, 2.0, 0.0, 1.0]])  # five tokens
    q = torch.softmax(logits[0], -1)
    rest = 1 - 0.4 - 0.2 - 0.15 - 0.05
    total = 0.4 + 0.2 + 0.05 + rest
    by_hand = -(0.4 * q[2].log() + 0.2 * q[0].log() + 0.05 * q[1].log() + rest * (q[3] + q[4]).log()) / total
    law, choice = losses(logits, torch.tensor([[2, 0, 5, 1]]), torch.tensor([[0.4, 0.2, 0.15, 0.05]]))
    torch.testing.assert_close(law, by_hand)
    torch.testing.assert_close(choice, -q[2].log())


def test_the_loss_is_least_at_the_target_law() -> None:
    p = torch.tensor([[0.5, 0.3, 0.15, 0.05]])
    logits = p.log().requires_grad_()
    law, _ = losses(logits, torch.tensor([[0, 1, 2, 3]]), p)
    law.backward()
    assert logits.grad is not None
    assert logits.grad.abs().max() < 1e-6


def test_the_embedding_starts_as_the_targets(target: LoadedModel, texts: list[TargetText]) -> None:
    """Full width: rotating and scaling keeps the angles between the target's centred rows."""
    rows = target.transformer.embedding[:80]
    config = replace(SHAPE, hidden=64).config(target.transformer.config, 80)
    started = start_weights(config, rows, seed=0).model.embed_tokens.weight[:80].detach()
    centred = rows - rows.mean(0)
    cosines = torch.nn.functional.cosine_similarity
    torch.testing.assert_close(
        cosines(started[1:], started[:-1]), cosines(centred[1:], centred[:-1]), atol=1e-4, rtol=1e-4
    )


def test_the_loss_falls_and_the_choice_is_learnt(
    target: LoadedModel, texts: list[TargetText], source: list[Lesson], tmp_path: Path
) -> None:
    records = list(
        training(model(target, texts), source, replace(SETTINGS, steps=60, rows=len(source)), tmp_path).run()
    )
    assert [record.step for record in records] == list(range(1, 61))
    first, last = records[0], records[-1]
    assert last.losses["choice"] < 0.4 * first.losses["choice"]
    assert sum(last.losses.values()) < 0.6 * sum(first.losses.values())


def test_the_law_alone_is_learnt(
    target: LoadedModel, texts: list[TargetText], source: list[Lesson], tmp_path: Path
) -> None:
    """Towards the entropy of the target's own coarse law, which bounds the loss from below."""
    settings = replace(SETTINGS, steps=60, rows=len(source), choice=0.0)
    records = list(training(model(target, texts), source, settings, tmp_path).run())
    whole = batch(source)
    known = whole.top_ids < 40
    kept, rest = whole.top_p * known, 1 - whole.top_p.sum(-1)
    entropy = -(torch.special.xlogy(kept, kept).sum(-1) + torch.special.xlogy(rest, rest))
    total = kept.sum(-1) + rest
    least = float((entropy / total + total.log()).mean())  # the law renormalised to what the draft has
    first, last = records[0].losses["law"], records[-1].losses["law"]
    assert least < last < least + 0.25 * (first - least)
