"""Figures of a draft, held against enumeration by hand."""

from __future__ import annotations

import random

import pytest
import torch
from torch import Tensor

from lab.decode.sampling import GREEDY, Sampling
from lab.models.loaded import LoadedModel
from lab.numerics.lanes import FP32
from lab.training.evaluate import Proposer, accepted_by_position, evaluate
from lab.training.target_text import TargetText, write

SAMPLED = Sampling(1.0)
EVERY = torch.arange(259)


def own_logits(target: LoadedModel, prompt: tuple[int, ...], ids: tuple[int, ...]) -> Tensor:
    row = [*prompt, *ids[:-1]]
    model = target.transformer
    cache = model.new_cache(1, len(row), FP32)
    return model.forward([row], cache, FP32, every_position=True)[-len(ids) :, None]


def flat(prompt: object, ids: tuple[int, ...]) -> Tensor:
    return torch.zeros(len(ids), 1, 10)


@pytest.mark.parametrize("sampling", [GREEDY, SAMPLED], ids=["greedy", "sampled"])
def test_the_target_as_its_own_draft_is_always_right(
    target: LoadedModel, prompts: tuple[tuple[int, ...], ...], sampling: Sampling
) -> None:
    texts = write(target.transformer, prompts, sampling, 9, seed=1)
    itself = Proposer("itself", EVERY, lambda prompt, ids: own_logits(target, tuple(prompt), tuple(ids)))
    [figures] = evaluate(target.transformer, [itself], texts, "stories", sampling)
    assert figures.alpha == pytest.approx(1, abs=1e-6)
    assert (figures.prompts, figures.tokens, figures.covered) == (5, 45, 1)
    assert figures.by_position == ((1.0,) * 8 if sampling is GREEDY else ())
    told = [own_logits(target, t.prompt, t.ids)[:, 0].log_softmax(-1)[range(9), list(t.ids)] for t in texts]
    assert figures.loss == pytest.approx(-float(torch.cat(told).mean()), abs=1e-5)


def test_a_flat_draft_of_ten_tokens(target: LoadedModel, texts: list[TargetText]) -> None:
    """Greedy, equal logits choose the lowest token; sampled, β is the overlap with a tenth at each."""
    vocabulary = torch.arange(100, 110)
    ten = Proposer("ten", vocabulary, flat)
    sampled = write(target.transformer, [text.prompt for text in texts], SAMPLED, 6, seed=0)
    [figures] = evaluate(target.transformer, [ten], sampled, "code", SAMPLED)
    overlap, covered = [], []
    for text in sampled:
        p = own_logits(target, text.prompt, text.ids)[:, 0].double().softmax(-1)
        overlap += [sum(min(0.1, float(row[token])) for token in vocabulary) for row in p]
        covered += [100 <= token < 110 for token in text.ids]
    assert figures.alpha == pytest.approx(sum(overlap) / len(overlap), abs=1e-6)
    assert figures.covered == pytest.approx(sum(covered) / len(covered))
    [greedy] = evaluate(target.transformer, [ten], texts, "code", GREEDY)
    hits = [token == 100 for text in texts for token in text.ids]
    assert greedy.alpha == pytest.approx(sum(hits) / len(hits))
    assert (greedy.draft, greedy.domain, greedy.temperature) == ("ten", "code", 0.0)


@pytest.mark.parametrize("gamma", [1, 2, 3, 8])
def test_acceptance_by_position_is_that_of_rounds(gamma: int) -> None:
    """Against a decoder in miniature; the draft is right where `hits` says."""
    rng = random.Random(gamma)
    for length in range(30):
        hits = [rng.random() < 0.7 for _ in range(length)]
        counts = [[0, 0] for _ in range(gamma)]
        accepted_by_position(lambda at, place: hits[at], length, counts)  # noqa: B023 - used at once
        expected = [[0, 0] for _ in range(gamma)]
        done = 0
        while done < length:
            drafted = [hits[at] for at in range(done, min(done + gamma, length))]
            right = next((k for k, hit in enumerate(drafted) if not hit), len(drafted))
            for place in range(min(right + 1, len(drafted))):
                expected[place][0] += 1
                expected[place][1] += drafted[place]
            done += right + 1
        assert counts == expected


@pytest.mark.parametrize("depths", [1, 2, 3])
def test_heads_are_followed_round_by_round(target: LoadedModel, texts: list[TargetText], depths: int) -> None:
    """Heads that are right by chance, against a decoder in miniature and counts by hand; no first token."""
    generator = torch.Generator().manual_seed(depths)
    given: dict[tuple[int, ...], Tensor] = {}
    for text in texts:
        n = len(text.ids) - 1
        logits = torch.randn(n, depths, 259, generator=generator)
        for j in range(n):
            for d in range(min(depths, n - j)):  # the third of all that are right, another third almost
                logits[j, d, text.ids[1 + j + d]] += (0.0, 3.5, 20.0)[(7 * j + 3 * d + n) % 3]
        given[tuple(text.ids)] = logits
    heads = Proposer("heads", EVERY, lambda prompt, ids: given[tuple(ids)], first=1, gamma=depths)
    [figures] = evaluate(target.transformer, [heads], texts, "stories", GREEDY)

    counts = [[0, 0] for _ in range(depths)]
    ranks: list[list[int]] = [[] for _ in range(depths)]
    for text in texts:
        logits, done = given[tuple(text.ids)], 1
        for j in range(len(text.ids) - 1):
            for d in range(min(depths, len(text.ids) - 1 - j)):
                order = logits[j, d].sort(descending=True, stable=True).indices.tolist()
                ranks[d].append(order.index(text.ids[1 + j + d]))
        while done < len(text.ids):
            row, place = done - 1, 0
            while place < depths and done < len(text.ids):
                counts[place][0] += 1
                right = int(logits[row, place].argmax()) == text.ids[done]
                counts[place][1] += right
                done += 1
                if not right:
                    break
                place += 1
            else:
                done += 1
    assert figures.by_position == tuple(hit / all_ for all_, hit in counts)
    assert figures.tokens == sum(len(text.ids) - 1 for text in texts)
    for shares, of_depth in zip(figures.by_rank, ranks, strict=True):
        assert shares == pytest.approx([of_depth.count(rank) / len(of_depth) for rank in range(10)], abs=1e-6)
    assert figures.alpha == pytest.approx(figures.by_rank[0][0], abs=1e-6)
