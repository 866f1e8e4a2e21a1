"""What heads are measured on is what they would propose: against a fresh pass for every guess."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from lab.models.eagle import EAGLE, load_eagle
from lab.models.heads import save_heads
from lab.models.loaded import LoadedModel
from lab.models.medusa import MEDUSA, load_medusa
from lab.numerics.lanes import FP32
from lab.training.eagle import start_eagle
from lab.training.evaluate import GAMMA, eagle_proposer, medusa_proposer
from lab.training.features import features
from lab.training.lessons import feature_lessons, frequent_tokens
from lab.training.target_text import TargetText
from lab.training.trainable_medusa import TrainableMedusa

TAPS = (2,)


@pytest.fixture
def vocabulary(texts: list[TargetText]) -> torch.Tensor:
    return frequent_tokens(texts, 40)


def feature(target: LoadedModel, tokens: tuple[int, ...]) -> torch.Tensor:
    """[positions, hidden] of a fresh pass."""
    cache = target.transformer.new_cache(1, len(tokens), FP32, TAPS)
    target.transformer.forward([tokens], cache, FP32)
    return cache.features[0, : len(tokens)]


def test_medusa(
    target: LoadedModel, texts: list[TargetText], vocabulary: torch.Tensor, tmp_path: Path
) -> None:
    learning = TrainableMedusa(3, target.transformer.head.stored[vocabulary])
    torch.manual_seed(0)
    for weight in learning.parameters():
        torch.nn.init.normal_(weight, std=0.2)
    path = tmp_path / "heads.safetensors"
    save_heads(path, MEDUSA, learning.state_dict(), vocabulary, TAPS, target, {"heads": 3})
    heads = load_medusa(str(path), target)
    proposer = medusa_proposer(heads, target.transformer)
    text = texts[0]
    made = proposer.along(text.prompt, text.ids)
    assert (proposer.first, proposer.gamma, made.shape) == (1, 3, (len(text.ids) - 1, 3, len(vocabulary)))
    for j in range(len(text.ids) - 1):
        last = feature(target, (*text.prompt, *text.ids[:j]))[-1:]
        assert made[j].equal(heads.logits(last)[0])


def test_eagle(
    target: LoadedModel, texts: list[TargetText], vocabulary: torch.Tensor, tmp_path: Path
) -> None:
    """A chain of guesses with the true tokens in it, through the draft that decodes."""
    seen = features(target.transformer, [(text.prompt, text.ids) for text in texts], TAPS)
    source = feature_lessons(texts, (each.bfloat16() for each in seen), vocabulary, 259)
    learning = start_eagle(target.transformer, vocabulary, 1, 48, source, seed=0)
    path = tmp_path / "eagle.safetensors"
    save_heads(path, EAGLE, learning.state_dict(), vocabulary, TAPS, target, {"ffn": 48})
    draft = load_eagle(str(path), target)
    proposer = eagle_proposer(str(path), target)
    text = texts[0]
    made = proposer.along(text.prompt, text.ids)
    assert (proposer.first, made.shape) == (1, (len(text.ids) - 1, GAMMA, len(vocabulary)))
    for j in range(len(text.ids) - 1):
        tokens = (*text.prompt, *text.ids[:j])
        cache = draft.new_cache(1, 64)
        following = [*tokens[1:], text.ids[j]]
        predicted = draft.forward(draft.entering(feature(target, tokens)), [following], cache, [0])[-1:]
        for depth in range(min(GAMMA, len(text.ids) - 1 - j)):
            torch.testing.assert_close(made[j, depth], draft.logits(predicted)[0], atol=1e-4, rtol=1e-4)
            predicted = draft.forward(predicted, [[text.ids[j + depth + 1]]], cache, [0])
