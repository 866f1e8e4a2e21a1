"""After every round both caches hold the bits of a fresh pass over the committed tokens."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import pytest
import torch

from lab.decode.requests import Request
from lab.decode.sampling import Sampling
from lab.decode.speculative.branching import Several
from lab.decode.speculative.drafters import ModelDrafter
from lab.decode.speculative.eagle_drafter import EagleDrafter
from lab.decode.speculative.how import Speculative
from lab.decode.speculative.policy import Adaptive, Confident, Fixed, Policy
from lab.decode.speculative.rounds import Speculation
from lab.decode.speculative.staged import StagedDrafter
from lab.models.cache import KVCache
from lab.models.eagle import Eagle
from lab.models.transformer import Transformer
from lab.numerics.kernels import Kernels
from lab.numerics.lanes import BF16_INVARIANT, FP32, Lane
from lab.round_records import RoundRecord
from tests.lab.decode.speculative.tiny_drafts import drafters

POLICIES: dict[str, Policy] = {
    "fixed 1": Fixed(1),
    "fixed 5": Fixed(5),
    "adaptive": Adaptive(2, low=1, high=7),
    "confident": Confident(6, threshold=0.05),
}


def requests(count: int, temperature: float, arrive_every: int = 0) -> list[Request]:
    numbers = random.Random(3)
    return [
        Request(
            f"r{i}",
            tuple(numbers.choices(range(256), k=numbers.randint(2, 30))),
            6 + 5 * i,
            Sampling(temperature),
            seed=i,
            ignore_eos=True,
            arrives=i * arrive_every,
        )
        for i in range(count)
    ]


def rounds_with_checked_caches(batch: Speculation) -> Iterator[RoundRecord]:
    """Step a batch to its end, as `steps` does, and compare the caches after every step and every leaving."""
    while batch.admit():
        step = batch.step()
        check(batch)
        yield from step.rounds
        batch.leave({sequence.id for sequence in batch.running if sequence.finish})
        check(batch)


def check(batch: Speculation) -> None:
    """Lengths and bits of the target's cache, with the features that it keeps, and of the drafts'."""
    for sequence in batch.running:
        if not sequence.tokens:
            continue
        committed = [*sequence.request.prompt, *sequence.tokens]
        fresh = assert_fresh(batch.model, batch.lane, batch.cache, sequence.row, committed[:-1])
        for drafter, cache in zip(keepers(batch.how.drafter), batch.drafts.caches, strict=True):
            held = cache.lengths[sequence.row]
            assert held < len(committed)
            if isinstance(drafter, EagleDrafter):
                check_pairs(drafter.eagle, cache, sequence.row, committed, fresh)
                continue
            known = committed[:held]
            if drafter.reduced is not None:
                known = drafter.reduced.encode(known)
            assert_fresh(drafter.model, drafter.lane, cache, sequence.row, known)


def keepers(drafter: object) -> list[ModelDrafter | EagleDrafter]:
    """The drafters that keep a cache, in the order of the caches."""
    if isinstance(drafter, Several):
        return [each for part in drafter.drafters for each in keepers(part)]
    if isinstance(drafter, StagedDrafter):
        return [drafter.draft]
    return [drafter] if isinstance(drafter, ModelDrafter | EagleDrafter) else []


def check_pairs(eagle: Eagle, cache: KVCache, row: int, committed: list[int], target: KVCache) -> None:
    """Position i is made of the target's own feature there and the token after it; nothing is predicted."""
    n = cache.lengths[row]
    assert n < len(committed) - 1 or committed[n:] == committed[-1:]
    if n:
        own = eagle.new_cache(1, n)
        features = target.tapped([0] * n, range(n), eagle.taps)
        eagle.forward(eagle.entering(features), [committed[1 : n + 1]], own, [0])
        assert_same(cache, row, own, n, eagle.stack.kernels)


def assert_fresh(model: Transformer, lane: Lane, cache: KVCache, row: int, text: Sequence[int]) -> KVCache:
    """Bit for bit what one pass over `text`, alone in a new cache, holds."""
    n = len(text)
    assert cache.lengths[row] == n
    fresh = model.new_cache(1, max(n, 1), lane, cache.taps)
    if n:
        model.forward([text], fresh, lane)
        assert_same(cache, row, fresh, n, model.kernels)
    return fresh


def assert_same(cache: KVCache, row: int, fresh: KVCache, n: int, kernels: Kernels) -> None:
    """The same bits; nearly the same where trees cannot keep them on this machine."""
    close = 0.0 if kernels.skips_zeros else 1e-5
    for mine, own in ((cache.k, fresh.k), (cache.v, fresh.v)):
        torch.testing.assert_close(mine[:, row, :, :n], own[:, 0, :, :n], rtol=0, atol=close)
    torch.testing.assert_close(cache.features[row, :n], fresh.features[0, :n], rtol=0, atol=close)


@pytest.mark.parametrize("lane", [FP32, BF16_INVARIANT], ids=["fp32", "bf16-invariant"])
@pytest.mark.parametrize("temperature", [0.0, 0.7])
@pytest.mark.parametrize("drafter", ["model", "reduced", "lookup"])
@pytest.mark.parametrize("batch_size", [1, 4])
def test_caches_after_every_round(
    tiny: Transformer, batch_size: int, drafter: str, temperature: float, lane: Lane
) -> None:
    """Rows leave at different times, and later requests take their places."""
    how = Speculative(drafters(lane)[drafter], Fixed(4))
    asked = requests(batch_size + 1, temperature, arrive_every=2)
    batch = Speculation(tiny, asked, lane, how, max_batch=batch_size)
    rounds = list(rounds_with_checked_caches(batch))
    assert sum(len(record.emitted) for record in rounds) == sum(each.max_new_tokens - 1 for each in asked)


@pytest.mark.parametrize("policy", POLICIES)
def test_rows_that_accept_different_numbers(tiny: Transformer, policy: str) -> None:
    how = Speculative(drafters()["model"], POLICIES[policy])
    rounds = list(rounds_with_checked_caches(Speculation(tiny, requests(4, 0.5), FP32, how)))
    assert {record.batch for record in rounds} >= {1, 4}
    assert {record.accepted == len(record.drafted) for record in rounds if record.drafted} == {True, False}


def test_the_record_tells_both_caches_lengths(tiny: Transformer) -> None:
    """After full acceptance the draft lacks the last drafted token too; else it holds all but the new one."""
    (request,) = requests(1, 0.0)
    how = Speculative(drafters()["model"], Fixed(3))
    before = 0
    endings = set()
    for record in rounds_with_checked_caches(Speculation(tiny, [request], FP32, how)):
        committed = len(request.prompt) + record.start  # and the last of them is not yet fed
        drafted = len(record.drafted)
        assert (record.target_cache.before, record.target_cache.full) == (committed - 1, committed + drafted)
        assert record.target_cache.kept == committed - 1 + len(record.emitted)
        assert record.draft_cache is not None
        assert record.draft_cache.before == before
        if drafted:
            assert record.draft_cache.full == committed + drafted - 1
            assert record.draft_cache.kept == committed + min(record.accepted, drafted - 1)
        before = record.draft_cache.kept
        endings.add(record.ending)
    assert endings == {"bonus", "correction"}


def test_amending_cuts_both_caches(tiny: Transformer) -> None:
    """A verifier takes tokens back: the caches forget them, and what follows is as fresh as before."""
    (request,) = requests(1, 0.0)
    batch = Speculation(tiny, [request], FP32, Speculative(drafters()["model"], Fixed(3)))
    while batch.admit() and len(batch.running[0].tokens) < 4:
        batch.step()
    batch.amend(batch.running[0], 2, 65)
    assert batch.running[0].tokens[2:] == [65]
    check(batch)
    tokens = [record.emitted for record in rounds_with_checked_caches(batch)]
    assert sum(map(len, tokens)) == request.max_new_tokens - 3
