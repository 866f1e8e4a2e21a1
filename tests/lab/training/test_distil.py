"""Training: the loss is what it says, it falls, and an interruption changes nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from lab.errors import LabError
from lab.models.loaded import LoadedModel
from lab.training.distil import DistilSettings, Training, learning_rate, losses, start_weights
from lab.training.lessons import Batch, Lesson, batch, frequent_tokens, lessons
from lab.training.recipe import Shape
from lab.training.target_text import TargetText
from lab.training.trainable import TrainableLlama

SETTINGS = DistilSettings(steps=12, rows=2, rate=1e-2, warm_up=3, save_every=4)
SHAPE = Shape(vocabulary=40, hidden=32, layers=1, heads=2, ffn=48)


@pytest.fixture
def source(target: LoadedModel, texts: list[TargetText]) -> list[Lesson]:
    return lessons(texts, frequent_tokens(texts, 40), 259)


def model(target: LoadedModel, texts: list[TargetText]) -> TrainableLlama:
    vocabulary = frequent_tokens(texts, 40)
    config = SHAPE.config(target.transformer.config, len(vocabulary))
    return start_weights(config, target.transformer.embedding[vocabulary], seed=0)


def test_the_loss_is_the_cross_entropy_of_the_kept_law() -> None:
    """One position with three known tokens, one unknown, and the rest in one bucket: by hand."""
    logits = torch.tensor([[0.5, -1.0, 2.0, 0.0, 1.0, 9.0]])  # five tokens and the unknown
    batch = Batch(
        torch.zeros(1, 1),
        torch.zeros(1),
        torch.tensor([[2, 0, 5, 1]]),
        torch.tensor([[0.4, 0.2, 0.15, 0.05]]),
    )
    q = torch.softmax(logits[0, :5], -1)
    rest = 1 - 0.4 - 0.2 - 0.15 - 0.05
    total = 0.4 + 0.2 + 0.05 + rest
    by_hand = -(0.4 * q[2].log() + 0.2 * q[0].log() + 0.05 * q[1].log() + rest * (q[3] + q[4]).log()) / total
    law, choice = losses(logits, batch)
    torch.testing.assert_close(law, by_hand)
    torch.testing.assert_close(choice, -q[2].log())


def test_the_loss_is_least_at_the_target_law() -> None:
    p = torch.tensor([[0.5, 0.3, 0.15, 0.05]])
    batch = Batch(torch.zeros(1, 1), torch.zeros(1), torch.tensor([[0, 1, 2, 3]]), p)
    logits = torch.cat([p.log(), torch.zeros(1, 1)], -1).requires_grad_()
    law, _ = losses(logits, batch)
    law.backward()
    assert logits.grad is not None
    assert logits.grad.abs().max() < 1e-6


def test_the_rate_rises_then_falls_to_zero() -> None:
    rates = [learning_rate(SETTINGS, step) for step in range(13)]
    assert rates[:3] == pytest.approx([1e-2 / 3, 2e-2 / 3, 1e-2])
    assert rates[3:] == sorted(rates[3:], reverse=True)
    assert rates[12] == pytest.approx(0, abs=1e-12)


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
        Training(model(target, texts), source, replace(SETTINGS, steps=60, rows=len(source)), tmp_path).run()
    )
    assert [record.step for record in records] == list(range(1, 61))
    first, last = records[0], records[-1]
    assert last.choice_loss < 0.4 * first.choice_loss
    assert last.law_loss + last.choice_loss < 0.6 * (first.law_loss + first.choice_loss)


def test_the_law_alone_is_learnt(
    target: LoadedModel, texts: list[TargetText], source: list[Lesson], tmp_path: Path
) -> None:
    """Towards the entropy of the target's own coarse law, which bounds the loss from below."""
    settings = replace(SETTINGS, steps=60, rows=len(source), choice=0.0)
    records = list(Training(model(target, texts), source, settings, tmp_path).run())
    whole = batch(source)
    known = whole.top_ids < 40
    kept, rest = whole.top_p * known, 1 - whole.top_p.sum(-1)
    entropy = -(torch.special.xlogy(kept, kept).sum(-1) + torch.special.xlogy(rest, rest))
    total = kept.sum(-1) + rest
    least = float((entropy / total + total.log()).mean())  # the law renormalised to what the draft has
    assert least < records[-1].law_loss < least + 0.25 * (records[0].law_loss - least)


def test_resumed_equals_uninterrupted(
    target: LoadedModel, texts: list[TargetText], source: list[Lesson], tmp_path: Path
) -> None:
    whole = Training(model(target, texts), source, SETTINGS, tmp_path / "whole")
    expected = list(whole.run())
    halted = Training(model(target, texts), source, SETTINGS, tmp_path / "halted")
    for record, _ in zip(halted.run(), range(6), strict=False):
        assert record == expected[record.step - 1]
    resumed = Training(model(target, texts), source, SETTINGS, tmp_path / "halted")
    assert resumed.step == 4  # the last checkpoint
    assert list(resumed.run()) == expected[4:]
    for name, tensor in whole.model.state_dict().items():
        assert torch.equal(tensor, resumed.model.state_dict()[name])
    ended = Training(model(target, texts), source, SETTINGS, tmp_path / "halted")
    assert list(ended.run()) == []


def test_other_settings_do_not_resume(
    target: LoadedModel, texts: list[TargetText], source: list[Lesson], tmp_path: Path
) -> None:
    list(Training(model(target, texts), source, SETTINGS, tmp_path).run())
    assert Training(model(target, texts), source, replace(SETTINGS, seed=1), tmp_path).step == 0
    assert Training(model(target, texts), source[1:], SETTINGS, tmp_path).step == 0


def test_no_text_is_refused(target: LoadedModel, texts: list[TargetText], tmp_path: Path) -> None:
    with pytest.raises(LabError, match="no text to learn from"):
        Training(model(target, texts), [], SETTINGS, tmp_path)
