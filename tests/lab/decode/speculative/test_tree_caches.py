"""After every round with trees all caches hold the bits of a fresh pass: target, features, every draft."""

from __future__ import annotations

import random
from functools import partial

import pytest
import torch

from lab.decode.batching import decode
from lab.decode.margingate.run import committed, run
from lab.decode.margingate.strategies import Gate, Replay, Strategy
from lab.decode.requests import Request
from lab.decode.sampling import GREEDY, Sampling
from lab.decode.speculative.drafters import LookupDrafter, ModelDrafter
from lab.decode.speculative.how import AnySpeculative, Speculative, SpeculativeTree
from lab.decode.speculative.policy import Fixed
from lab.decode.speculative.rounds import Speculation
from lab.decode.speculative.shapes import Dynamic, Shape, k_ary, parse_ranks
from lab.decode.speculative.staged import StagedDrafter
from lab.decode.speculative.walks import Match, Typical
from lab.models.transformer import Transformer
from lab.numerics.lanes import BF16_INVARIANT, FP32
from lab.records import TokenRecord
from tests.lab.decode.speculative.test_caches import check, rounds_with_checked_caches
from tests.lab.decode.speculative.tiny_drafts import noisy
from tests.lab.decode.speculative.tiny_heads import CHECKPOINT, MODEL, VOCABULARY, tree_drafters

DRAFTERS = tree_drafters()
SHAPES: dict[str, Shape] = {
    "k-ary": k_ary((3, 2, 2)),
    "ranks": parse_ranks("0 1 2 0,0 2,0 2,0,0 2,0,1 2,0,0,0"),
    "dynamic": Dynamic(3, 4, 8),
}
WARM = Sampling(0.9)


def requests(count: int, sampling: Sampling, length: int = 5) -> list[Request]:
    """Prompts that end on both sides of a border of attention's blocks, and texts that cross it."""
    numbers = random.Random(5)
    lengths = (59, 2, 64, 61)
    return [
        Request(
            f"r{i}",
            tuple(numbers.choices(range(VOCABULARY), k=lengths[i])),
            length + 4 * i,
            sampling,
            seed=i,
            arrives=2 * (i == 3),
        )
        for i in range(count)
    ]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("drafter", DRAFTERS)
def test_caches_after_every_round(drafter: str, shape: str) -> None:
    """Three rows at a time, which leave at different times; a fourth takes a place that is free."""
    how = SpeculativeTree(DRAFTERS[drafter], SHAPES[shape])
    asked = requests(4, WARM)
    batch = Speculation(MODEL, asked, FP32, how, max_batch=3)
    rounds = list(rounds_with_checked_caches(batch))
    assert sum(len(record.emitted) for record in rounds) == sum(each.max_new_tokens - 1 for each in asked)
    assert {record.batch for record in rounds} >= {2, 3}
    moved = [
        r for r in rounds if any(each.accepted for each in r.drafted[1:]) and r.drafted[0].accepted is False
    ]
    assert moved, "no path was taken that had to be moved"


ALONE: dict[str, AnySpeculative] = {
    "drawn": SpeculativeTree(DRAFTERS["model"], SHAPES["k-ary"], siblings="drawn"),
    "drawn-without": SpeculativeTree(DRAFTERS["eagle"], SHAPES["k-ary"], siblings="drawn-without"),
    "match": SpeculativeTree(DRAFTERS["reduced"], SHAPES["k-ary"], Match()),
    "typical": SpeculativeTree(DRAFTERS["medusa"], SHAPES["k-ary"], Typical()),
    "staged": Speculative(
        StagedDrafter(ModelDrafter("noisy", Transformer(noisy(CHECKPOINT, 0.1))), LookupDrafter()), Fixed(5)
    ),
}


@pytest.mark.parametrize("sampling", [WARM, GREEDY], ids=["warm", "greedy"])
@pytest.mark.parametrize("how", ALONE)
def test_one_row(how: str, sampling: Sampling) -> None:
    (request,) = requests(1, sampling, 24)
    rounds = list(rounds_with_checked_caches(Speculation(MODEL, [request], FP32, ALONE[how])))
    assert sum(len(record.emitted) for record in rounds) == 23
    assert any(record.accepted for record in rounds)


@pytest.mark.parametrize("drafter", DRAFTERS)
def test_amending_cuts_every_cache(drafter: str) -> None:
    """A verifier takes tokens back: all caches forget them, and what follows is as fresh as before."""
    (request,) = requests(1, WARM, 14)
    batch = Speculation(MODEL, [request], FP32, SpeculativeTree(DRAFTERS[drafter], SHAPES["k-ary"]))
    while batch.admit() and len(batch.running[0].tokens) < 6:
        batch.step()
    sequence = batch.running[0]
    for index in (len(sequence.tokens) - 1, 3, 1):
        other = (sequence.tokens[index] + 1) % VOCABULARY
        batch.amend(sequence, index, other)
        assert sequence.tokens[index:] == [other]
        check(batch)
    rounds = list(rounds_with_checked_caches(batch))
    assert sum(len(record.emitted) for record in rounds) == request.max_new_tokens - 2


@pytest.mark.parametrize("refresh", [False, True])
@pytest.mark.parametrize("drafter", ["model", "medusa", "eagle, two taps", "model + eagle + medusa"])
def test_behind_the_gate(drafter: str, refresh: bool) -> None:
    """BF16 rounds of trees give the FP32 run's tokens; the features that heads read are never missing."""
    asked = requests(3, GREEDY)
    how = SpeculativeTree(DRAFTERS[drafter], SHAPES["k-ary"])
    missing: list[str] = []

    class Watched(Speculation):
        def step(self):  # type: ignore[no-untyped-def]
            for each in self.running:
                own = self.cache.features[each.row, : self.cache.lengths[each.row]]
                if own.numel() and bool((own == 0).all(-1).any()):
                    missing.append(each.id)
            return super().step()

    strategy = Strategy("replay", BF16_INVARIANT, Replay(Gate(0.3, window=5, pass_size=9), refresh))
    steps = list(run(MODEL, asked, strategy, max_batch=2, make_batch=partial(Watched, how=how)))
    got = committed([record for step in steps for record in step.records])
    right: dict[str, list[int]] = {}
    for request in asked:
        for step in decode(MODEL, [request], FP32):
            for record in step.records:
                assert isinstance(record, TokenRecord)
                right.setdefault(record.request, []).append(record.token)
    assert got == right
    assert not missing


def test_taps_of_several_drafts_are_kept_once() -> None:
    how = SpeculativeTree(DRAFTERS["model + eagle + medusa"], SHAPES["k-ary"])
    batch = Speculation(MODEL, requests(1, GREEDY), FP32, how)
    assert batch.cache.taps == (1, 2)
    assert batch.cache.features.shape[-1] == 2 * MODEL.config.hidden_size
    assert torch.equal(batch.cache.features, torch.zeros_like(batch.cache.features))
