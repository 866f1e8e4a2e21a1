"""Medusa heads learn the tokens further on, and what has learnt is what decodes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from lab.models.heads import save_heads
from lab.models.loaded import LoadedModel
from lab.models.medusa import MEDUSA, load_medusa
from lab.training import some_rows
from lab.training.distil import DistilSettings, losses
from lab.training.features import features, make_features
from lab.training.heads_recipe import medusa_training
from lab.training.lessons import FeatureLesson, feature_lessons, frequent_tokens
from lab.training.target_text import KEPT, TargetText, save_shard
from lab.training.trainable_medusa import TrainableMedusa, medusa_loss

SETTINGS = DistilSettings(steps=40, rows=5, rate=2e-2, warm_up=2)


@pytest.fixture
def vocabulary(texts: list[TargetText]) -> torch.Tensor:
    return frequent_tokens(texts, 12)


@pytest.fixture
def source(target: LoadedModel, texts: list[TargetText], vocabulary: torch.Tensor) -> list[FeatureLesson]:
    seen = features(target.transformer, [(text.prompt, text.ids) for text in texts], (2,))
    return feature_lessons(texts, (each.bfloat16() for each in seen), vocabulary, 259)


def heads_of(target: LoadedModel, vocabulary: torch.Tensor, count: int = 2) -> TrainableMedusa:
    return TrainableMedusa(count, target.transformer.head.stored[vocabulary])


def test_untrained_heads_repeat_the_targets_choice(
    target: LoadedModel, source: list[FeatureLesson], vocabulary: torch.Tensor
) -> None:
    model = heads_of(target, vocabulary)
    seen = source[0].chosen_at().float()
    logits = model.hidden(2, seen) @ model.rows.T
    known = source[0].top_ids[:, 0] < len(vocabulary)
    assert logits.argmax(-1)[known].equal(source[0].top_ids[known, 0].long())


def test_head_k_learns_the_law_k_tokens_further(
    target: LoadedModel,
    source: list[FeatureLesson],
    vocabulary: torch.Tensor,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The loss position by position, where no row of the head is left out."""
    monkeypatch.setattr(some_rows, "NEAR", KEPT)
    monkeypatch.setattr(some_rows, "STRIDE", 1)
    model = heads_of(target, vocabulary)
    torch.manual_seed(0)
    for parameter in model.blocks.parameters():
        torch.nn.init.normal_(parameter, std=0.1)
    each = []
    for k in (1, 2):
        rows = [
            (lesson.features[-len(lesson.top_ids) + j].float(), lesson, j + k)
            for lesson in source
            for j in range(len(lesson.top_ids) - k)
        ]
        block = model.blocks[k - 1]
        hidden = torch.stack([h + torch.nn.functional.silu(block(h)) for h, _, _ in rows])
        ids = torch.stack([lesson.top_ids[at] for _, lesson, at in rows]).long()
        p = torch.stack([lesson.top_logprobs[at] for _, lesson, at in rows]).float().exp()
        each.append(losses(hidden @ model.rows.T, ids, p))
    made = medusa_loss(model, replace(SETTINGS, choice=0.25))(source)
    law, choice = ((each[0][part] + each[1][part]) / 2 for part in (0, 1))
    torch.testing.assert_close(made.parts["law"], law)
    torch.testing.assert_close(made.parts["choice"], choice)
    torch.testing.assert_close(made.total, law + 0.25 * choice)


def test_training_teaches_and_the_file_decodes_the_same(
    target: LoadedModel, texts: list[TargetText], vocabulary: torch.Tensor, tmp_path: Path
) -> None:
    shard = tmp_path / "text.safetensors"
    save_shard(shard, texts)
    list(make_features([shard], target.transformer, (2,)))
    training, model = medusa_training(target, [shard], vocabulary, 2, SETTINGS)
    training._path = tmp_path / "checkpoint"
    records = list(training.run())
    assert records[-1].losses["choice"] < 0.7 * records[0].losses["choice"]
    path = tmp_path / "heads.safetensors"
    state = {name: weight.bfloat16().float() for name, weight in model.state_dict().items()}
    save_heads(path, MEDUSA, state, vocabulary, (2,), target, {"heads": 2})
    model.load_state_dict(state)
    heads = load_medusa(str(path), target)
    seen = training.source[1].chosen_at().float()
    with torch.no_grad():
        expected = torch.stack([model.hidden(k, seen) @ model.rows.T for k in (1, 2)], 1)
    torch.testing.assert_close(heads.logits(seen), expected, atol=1e-4, rtol=1e-5)
    assert heads.parameters == sum(parameter.numel() for parameter in model.parameters())
    assert heads.taps == (2,)
