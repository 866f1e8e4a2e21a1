"""Lessons are the target's text in the draft's own ids, each once an epoch."""

from __future__ import annotations

import torch

from lab.models.loaded import LoadedModel
from lab.training.lessons import batch, feature_lessons, frequent_tokens, groups, lessons
from lab.training.target_text import TargetText


def test_ids_map_into_the_vocabulary(target: LoadedModel, texts: list[TargetText]) -> None:
    vocabulary = frequent_tokens(texts, 9)
    assert len(vocabulary) == 9
    assert (vocabulary[1:] > vocabulary[:-1]).all()
    made = lessons(texts, vocabulary, target.transformer.config.vocab_size)
    for text, lesson in zip(texts, made, strict=True):
        for token, inner in zip([*text.prompt, *text.ids[:-1]], lesson.tokens.tolist(), strict=True):
            assert inner == (vocabulary.tolist().index(token) if token in vocabulary else 9)
        assert (
            vocabulary[lesson.top_ids[lesson.top_ids < 9].long()] == text.top_ids[lesson.top_ids < 9]
        ).all()


def test_the_vocabulary_is_the_most_used() -> None:
    empty = torch.zeros(0, 1)
    text = TargetText((7, 7, 5), (7, 5, 3, 9), empty, empty)
    assert frequent_tokens([text], 2).tolist() == [5, 7]
    assert frequent_tokens([text], 3).tolist() == [3, 5, 7]  # of 3 and 9, once each, the lower


def test_a_batch_looks_at_the_position_before_each_token(
    target: LoadedModel, texts: list[TargetText]
) -> None:
    vocabulary = torch.arange(target.transformer.config.vocab_size)
    made = batch(lessons(texts, vocabulary, len(vocabulary)))
    flat = made.tokens.flatten()
    expected = [token for text in texts for token in (text.prompt[-1], *text.ids[:-1])]
    assert flat[made.where].tolist() == expected
    assert made.top_ids[:, 0].tolist() == [token for text in texts for token in text.ids]  # greedy text
    assert (made.top_p.sum(-1) <= 1.001).all()


def test_a_lesson_of_features_keeps_the_targets_ids(target: LoadedModel, texts: list[TargetText]) -> None:
    """Tokens are the target's, laws in the heads' own ids; the positions that choose are the last ones."""
    vocabulary = frequent_tokens(texts, 9)
    seen = [torch.arange(len(text.prompt) + len(text.ids) - 1)[:, None] for text in texts]
    made = feature_lessons(texts, seen, vocabulary, 259)
    plain = lessons(texts, vocabulary, 259)
    for text, lesson, other in zip(texts, made, plain, strict=True):
        assert lesson.tokens.tolist() == [*text.prompt, *text.ids[:-1]]
        assert lesson.top_ids.equal(other.top_ids)
        places = lesson.chosen_at()[:, 0].tolist()
        assert places == list(range(len(text.prompt) - 1, len(text.prompt) + len(text.ids) - 1))


def test_every_epoch_has_every_lesson_once(target: LoadedModel, texts: list[TargetText]) -> None:
    source = lessons(texts, torch.arange(259), 259)

    def rows(seed: int, epoch: int) -> list[tuple[int, ...]]:
        made = (batch(group) for group in groups(source, 2, seed, epoch))
        return [tuple(row.tolist()) for each in made for row in each.tokens]

    assert len(rows(0, 0)) == len(texts)
    assert rows(0, 0) == rows(0, 0)
    orders = {tuple(row[:12] for row in rows(seed, epoch)) for seed in (0, 1) for epoch in range(4)}
    assert len(orders) > 1
    assert len({tuple(sorted(row[:12] for row in order)) for order in orders}) == 1
