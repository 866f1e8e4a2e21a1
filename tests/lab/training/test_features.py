"""Features: those of a fresh pass, made once, and never another model's."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from lab.models.loaded import LoadedModel
from lab.models.tiny import tiny_checkpoint
from lab.models.transformer import Transformer
from lab.numerics.lanes import FP32
from lab.training import features as module
from lab.training.features import feature_paths, features, load_features, make_features
from lab.training.target_text import TargetText, load_shard, save_shard

TAPS = (1, 2)  # the residual stream after a layer; what the head reads


@pytest.fixture
def shards(texts: list[TargetText], tmp_path: Path) -> list[Path]:
    paths = [tmp_path / f"{name}.safetensors" for name in "ab"]
    save_shard(paths[0], texts[:3])
    save_shard(paths[1], texts[3:])
    return paths


def test_they_are_what_the_target_computes(target: LoadedModel, texts: list[TargetText]) -> None:
    """The last tap gives the target's logits; and a text alone has the features it has among others."""
    model = target.transformer
    pairs = [(text.prompt, text.ids) for text in texts]
    made = features(model, pairs, TAPS)
    for (prompt, ids), own in zip(pairs, made, strict=True):
        row = [*prompt, *ids[:-1]]
        cache = model.new_cache(1, len(row), FP32)
        logits = model.forward([row], cache, FP32, every_position=True)
        assert own.shape == (len(row), 2 * model.config.hidden_size)
        assert FP32.linear(own[:, model.config.hidden_size :], model.head).equal(logits)
    assert features(model, pairs[1:2], TAPS)[0].equal(made[1])


def test_files_are_read_back(target: LoadedModel, shards: list[Path]) -> None:
    model = target.transformer
    assert list(make_features(shards, model, TAPS)) == shards
    for shard in shards:
        texts = load_shard(shard)
        expected = features(model, [(text.prompt, text.ids) for text in texts], TAPS)
        for one, other in zip(load_features(shard, texts, model, TAPS), expected, strict=True):
            assert one.equal(other.to(torch.bfloat16))
        [last] = [load_features(shard, texts, model, TAPS[1:])]
        assert last[0].equal(expected[0][:, model.config.hidden_size :].to(torch.bfloat16))


def test_what_exists_is_not_made_again(
    target: LoadedModel, shards: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An interrupted run goes on at its shard; a tap that is missing is made alone."""
    asked: list[tuple[int, tuple[int, ...]]] = []

    def counted(model: Transformer, texts: list, taps: list[int]) -> list[torch.Tensor]:
        asked.append((len(texts), tuple(taps)))
        return features(model, texts, taps)

    monkeypatch.setattr(module, "features", counted)
    next(make_features(shards, target.transformer, (2,)))
    assert asked == [(3, (2,))]
    list(make_features(shards, target.transformer, TAPS))
    assert asked == [(3, (2,)), (3, (1,)), (2, (1, 2))]
    list(make_features(shards, target.transformer, TAPS))
    assert len(asked) == 3


def test_another_model_has_files_of_its_own(target: LoadedModel, shards: list[Path]) -> None:
    other = Transformer(tiny_checkpoint(4))
    same = Transformer(tiny_checkpoint(3))
    assert not {*feature_paths(shards[0], other, TAPS)} & {
        *feature_paths(shards[0], target.transformer, TAPS)
    }
    assert feature_paths(shards[0], same, TAPS) == feature_paths(shards[0], target.transformer, TAPS)
