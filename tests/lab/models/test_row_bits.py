"""A row's logits are the same bits whatever stands beside it: the promise of the invariant lanes."""

from __future__ import annotations

import random

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from lab.models.tiny import tiny_checkpoint
from lab.models.transformer import Transformer
from lab.numerics.lanes import BF16_INVARIANT, FP32, BlockLane, Lane, bf16_emulated
from lab.numerics.rounding import keep_fp32
from lab.numerics.schedule import INVARIANT, NormBlock, Schedule, SplitK, SplitKV

BATCHES = (1, 2, 3, 4, 7, 8, 16, 32)
MODELS = {
    "llama": Transformer(tiny_checkpoint(0, dtype=torch.bfloat16)),
    "nine-heads": Transformer(tiny_checkpoint(1, heads=9, kv_heads=3, head_dim=8, hidden_size=72)),
    "qwen3": Transformer(tiny_checkpoint(2, "qwen3", kv_heads=1)),
    "window": Transformer(tiny_checkpoint(3, "mistral", sliding_window=30)),
}
INVARIANT_LANES = [FP32, BF16_INVARIANT, bf16_emulated(INVARIANT)]


def tokens_of(seed: int, n: int) -> list[int]:
    return random.Random(seed).choices(range(256), k=n)


def alone(model: Transformer, lane: Lane, tokens: list[int]) -> torch.Tensor:
    """Logits of every position from one pass over the whole row: [n, vocab]."""
    return model.forward([tokens], model.new_cache(1, 400, lane), lane, every_position=True)


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
@pytest.mark.parametrize("lane", INVARIANT_LANES, ids=["fp32", "bf16-invariant", "emulated, all off"])
@pytest.mark.parametrize("batch", BATCHES)
def test_any_batch_any_row(model: Transformer, lane: Lane, batch: int) -> None:
    subject = tokens_of(1, 75)
    expected = alone(model, lane, subject)
    for row in {0, batch // 2, batch - 1}:
        rows = [tokens_of(100 + i, 5 + 13 * i % 140) for i in range(batch)]
        rows[row] = subject
        cache = model.new_cache(batch, 400, lane)
        prefill = [tokens[:-3] for tokens in rows]
        out = model.forward(prefill, cache, lane)
        assert torch.equal(out[row], expected[len(subject) - 4])
        for back in (3, 2, 1):
            out = model.forward([[tokens[-back]] for tokens in rows], cache, lane)
            assert torch.equal(out[row], expected[len(subject) - back])


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_any_split_of_any_rows(model: Transformer, data: st.DataObject) -> None:
    """Cached = uncached in fp32: rows of mixed lengths, cut at random places, fed in random company."""
    lane = FP32
    rows = [tokens_of(seed, data.draw(st.integers(1, 150))) for seed in range(data.draw(st.integers(1, 4)))]
    expected = [alone(model, lane, tokens) for tokens in rows]
    cache = model.new_cache(len(rows), 400, lane)
    done = [0] * len(rows)
    while any(at < len(tokens) for at, tokens in zip(done, rows, strict=True)):
        open_rows = [i for i, tokens in enumerate(rows) if done[i] < len(tokens)]
        chosen = data.draw(st.lists(st.sampled_from(open_rows), min_size=1, unique=True))
        counts = [data.draw(st.integers(1, len(rows[i]) - done[i])) for i in chosen]
        chunks = [rows[i][done[i] : done[i] + count] for i, count in zip(chosen, counts, strict=True)]
        out = model.forward(chunks, cache, lane, chosen, every_position=True)
        wanted = torch.cat(
            [expected[i][done[i] : done[i] + count] for i, count in zip(chosen, counts, strict=True)]
        )
        assert torch.equal(out, wanted)
        for i, count in zip(chosen, counts, strict=True):
            done[i] += count


@pytest.mark.parametrize("lane", [*INVARIANT_LANES, bf16_emulated()])
def test_two_runs_are_the_same_bits(lane: Lane) -> None:
    model = MODELS["llama"]
    rows = [tokens_of(i, 20 + i) for i in range(8)]
    first, second = (model.forward(rows, model.new_cache(8, 100, lane), lane) for _ in "ab")
    assert torch.equal(first, second)


@pytest.mark.parametrize(
    ("operator", "schedule"),
    [
        ("linears", Schedule(linears=SplitK(((1, 4),)))),
        ("attention", Schedule(attention=SplitKV(sms=16))),
        ("norm", Schedule(norm=NormBlock(rows_below=2, few=1024, many=32))),
    ],
)
def test_differences_come_from_the_switch_that_is_on(operator: str, schedule: Schedule) -> None:
    """Attribution, without rounding so that a change of one FP32 bit shows: each switch alone
    changes the logits with the batch, and with all of them off nothing does."""
    assert schedule.switches == (operator,)
    assert _batch_changes(BlockLane("fp32 in scheduled order", keep_fp32, schedule))
    assert not _batch_changes(BlockLane("fp32 in one order", keep_fp32, INVARIANT))


def _batch_changes(lane: Lane) -> bool:
    """Whether eight decode steps of a row differ alone and beside fifteen others, its prompt fed alone."""
    model, prompt, rest = MODELS["llama"], tokens_of(0, 150), tokens_of(50, 8)
    one, many = model.new_cache(1, 200, lane), model.new_cache(16, 200, lane)
    model.forward([prompt], one, lane)
    for row in range(16):
        model.forward([prompt if row == 0 else tokens_of(row, 150)], many, lane, [row])
    return any(
        not torch.equal(model.forward([[t]], one, lane)[0], model.forward([[t]] * 16, many, lane)[0])
        for t in rest
    )


def test_deterministic_algorithms_have_nothing_to_say() -> None:
    torch.use_deterministic_algorithms(True)
    try:
        model = MODELS["qwen3"]
        for lane in (*INVARIANT_LANES, bf16_emulated()):
            cache = model.new_cache(2, 50, lane)
            model.forward([[1, 2, 3], [4]], cache, lane)
            model.forward([[1], [4]], cache, lane)
    finally:
        torch.use_deterministic_algorithms(False)
