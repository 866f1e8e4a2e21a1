"""What an EAGLE head learns: which feature, which token and which law belong together."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
import torch.nn.functional as F

from lab.models.tiny import tiny_checkpoint
from lab.models.transformer import Transformer
from lab.training import some_rows
from lab.training.distil import losses
from lab.training.eagle import EagleSettings, eagle_batch, eagle_loss, start_eagle
from lab.training.features import features
from lab.training.lessons import FeatureLesson, feature_lessons
from lab.training.target_text import force
from lab.training.trainable_eagle import TrainableEagle

PROMPTS = [((1, 2, 3), (70, 71, 72, 73, 74)), ((4, 5), (80, 81, 82)), ((6, 7, 8, 9, 10), (90, 91, 92, 93))]
LEFT_OUT = 71  # a token that the head does not have


@pytest.fixture(scope="module")
def target() -> Transformer:
    return Transformer(tiny_checkpoint(2))


@pytest.fixture(scope="module")
def vocabulary() -> torch.Tensor:
    return torch.tensor([token for token in range(259) if token != LEFT_OUT])


@pytest.fixture(scope="module")
def group(target: Transformer, vocabulary: torch.Tensor) -> list[FeatureLesson]:
    texts = force(target, PROMPTS)
    return feature_lessons(texts, features(target, PROMPTS, (1, 2)), vocabulary, 259)


def _model(target: Transformer, vocabulary: torch.Tensor) -> TrainableEagle:
    torch.manual_seed(1)
    return TrainableEagle(target.config, 2, target.embedding, target.head.stored[vocabulary])


def test_a_pair_expects_the_feature_whose_logits_have_its_law(
    target: Transformer, vocabulary: torch.Tensor, group: list[FeatureLesson]
) -> None:
    batch = eagle_batch(group, 64)
    assert len(batch.where) == 5 + 3 + 4
    logits = batch.expected @ target.head.stored[vocabulary].float().T  # of features rounded to BF16
    best = torch.where(batch.top_ids[:, 0] == len(vocabulary), batch.top_ids[:, 1], batch.top_ids[:, 0])
    gap = logits.max(-1).values - logits.gather(1, best[:, None])[:, 0]
    assert gap.max() < 0.1


def test_a_pair_has_the_feature_before_and_the_token_at_what_it_expects(group: list[FeatureLesson]) -> None:
    batch = eagle_batch(group, 64)
    assert batch.since == 0  # the second prompt's first token
    texts = [[*prompt, *ids] for prompt, ids in PROMPTS]
    tokens, seen = batch.tokens.flatten(), batch.features.flatten(0, 1)
    at = 0
    for (prompt, ids), text, lesson in zip(PROMPTS, texts, group, strict=True):
        for law in range(len(ids)):
            position = len(prompt) - 1 + law  # where token `law` of the continuation was chosen
            place = batch.where[at]
            assert tokens[place] == text[position]
            assert torch.equal(seen[place], lesson.features[position - 1].float())
            assert torch.equal(batch.expected[at], lesson.features[position, -64:].float())
            assert batch.depth[at] == law
            at += 1


def test_with_every_row_of_the_head_the_loss_is_that_of_a_draft(
    target: Transformer,
    vocabulary: torch.Tensor,
    group: list[FeatureLesson],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(some_rows, "NEAR", 32)
    monkeypatch.setattr(some_rows, "STRIDE", 1)
    model = _model(target, vocabulary)
    settings = EagleSettings(unrolled=3, fading=0.5, choice=0.25, feature=2.0)
    loss = eagle_loss(model, settings)(group)
    batch = eagle_batch(group, 64)
    total = torch.zeros(())
    for step, made in enumerate(model.unroll(batch.tokens, batch.features, 3)):
        counts = batch.depth >= step
        own = made.flatten(0, 1)[batch.where[counts]]
        law, choice = losses(model.logits(own), batch.top_ids[counts], batch.top_p[counts])
        feature = F.smooth_l1_loss(own, batch.expected[counts])
        total = total + 0.5**step * (law + 0.25 * choice + 2 * feature)
    torch.testing.assert_close(loss.total, total)


@pytest.mark.parametrize("taps", [1, 2])
@torch.no_grad()
def test_the_first_weights_predict_better_than_the_mean(
    target: Transformer, vocabulary: torch.Tensor, group: list[FeatureLesson], taps: int
) -> None:
    own = [replace(lesson, features=lesson.features[:, -64 * taps :]) for lesson in group]
    model = start_eagle(target, vocabulary, taps, 32, own, seed=0)
    batch = eagle_batch(own, 64)
    (made,) = model.unroll(batch.tokens, batch.features, 1, batch.since)
    left = made.flatten(0, 1)[batch.where] - batch.expected
    # 12 pairs and 128 inputs: all but what the ridge and the norm leave
    assert left.square().mean() < 0.3 * batch.expected.var(0, correction=0).mean()
    again = start_eagle(target, vocabulary, taps, 32, own, seed=0)
    assert all(torch.equal(a, b) for a, b in zip(model.parameters(), again.parameters(), strict=True))
