"""Margin-gated replay: whatever the gate and the batch, the tokens are the reference run's own."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from lab.decode.batching import Batch
from lab.decode.margingate.replay import ReplayVerifier
from lab.decode.margingate.run import committed, run
from lab.decode.margingate.strategies import FP32_REFERENCE, Gate, Replay, Strategy, solo
from lab.models.tiny import byte_tokenizer
from lab.models.transformer import Transformer
from lab.numerics.lanes import FP32, bf16_emulated
from lab.records import TokenRecord, VerdictRecord, VisitRecord
from tests.lab.decode.margingate.conftest import plain, requests

FAST = bf16_emulated()
GATES = st.builds(
    Gate,
    tau=st.none() | st.floats(0, 2),
    window=st.none() | st.integers(1, 20),
    pass_size=st.integers(1, 40),
)


def decoded(model: Transformer, strategy: Strategy, batch: int | None, arrive_every: int = 0) -> tuple:
    steps = list(run(model, requests(6, 24, arrive_every), strategy, max_batch=batch))
    records = [record for step in steps for record in step.records]
    return committed(records), records


def test_the_fast_lane_does_flip(flippy: Transformer) -> None:
    """Otherwise the tests below would prove nothing."""
    alone = plain(flippy, requests(6, 24), FP32)
    fast, _ = decoded(flippy, Strategy("bf16", FAST), None)
    assert sum(fast[name] != tokens for name, tokens in alone.items()) >= 3


@settings(max_examples=25)
@given(GATES, st.sampled_from([1, 2, 3, 6]), st.sampled_from([0, 1, 5]), st.booleans(), st.booleans())
def test_tokens_are_the_reference_runs_own(
    flippy: Transformer, gate: Gate, batch: int, arrive_every: int, refresh: bool, bonus: bool
) -> None:
    strategy = Strategy("replay", FAST, Replay(gate, refresh, bonus))
    tokens, _ = decoded(flippy, strategy, batch, arrive_every)
    assert tokens == plain(flippy, requests(6, 24), FP32)


@pytest.mark.parametrize("batch", [1, 3, 6])
def test_solo_reference_is_the_fast_lane_alone(flippy: Transformer, batch: int) -> None:
    strategy = Strategy("replay", FAST, Replay(Gate(0.05, window=9, pass_size=7)), solo(FAST))
    tokens, _ = decoded(flippy, strategy, batch)
    assert tokens == plain(flippy, requests(6, 24), FAST)


@pytest.mark.parametrize("bonus", [False, True])
def test_every_token_is_verified_once_and_corrections_are_what_rolls_back(
    flippy: Transformer, bonus: bool
) -> None:
    strategy = Strategy("replay", FAST, Replay(Gate(0.02, window=8, pass_size=10), bonus=bonus))
    tokens, records = decoded(flippy, strategy, 3)
    verdicts = [record for record in records if isinstance(record, VerdictRecord)]
    assert any(verdict.corrected for verdict in verdicts)
    assert {(v.request, v.index): v.token for v in verdicts} == {
        (name, index): token for name, own in tokens.items() for index, token in enumerate(own) if index
    }
    assert len(verdicts) == len({(v.request, v.index) for v in verdicts})
    made = sum(isinstance(record, TokenRecord) for record in records)
    dropped = sum(verdict.dropped for verdict in verdicts)
    bonuses = sum(verdict.bonus for verdict in verdicts)
    assert bool(bonuses) == bonus
    assert made == 6 * 24 + dropped - bonuses
    visits = [record for record in records if isinstance(record, VisitRecord)]
    # A row that does not agree was fed its newest token in vain.
    vain = sum(v.corrected for v in verdicts) if bonus else 0
    fed = sum(visit.positions for visit in visits if not visit.prompt)
    assert len(verdicts) + dropped <= fed <= len(verdicts) + dropped + vain
    assert sum(visit.positions for visit in visits if visit.prompt) == sum(
        len(request.prompt) for request in requests(6, 24)
    )


def test_windows_bound_what_is_unverified(flippy: Transformer) -> None:
    strategy = Strategy("window", FAST, Replay(Gate(None, window=5)))
    _, records = decoded(flippy, strategy, 4)
    assert max(v.dropped for v in records if isinstance(v, VerdictRecord)) <= 4


@pytest.mark.parametrize("refresh", [True, False])
def test_after_a_visit_the_caches_hold_what_the_policy_says(flippy: Transformer, refresh: bool) -> None:
    batch = Batch(flippy, requests(3, 20), FAST, feed_prompt=lambda s, chunk: verifier.feed_prompt(s, chunk))
    verifier = ReplayVerifier(batch, Replay(Gate(None, window=6), refresh), FP32_REFERENCE, 2)
    while batch.admit():
        step = batch.step()
        by_id = {sequence.id: sequence for sequence in batch.running}
        for record in step.records:
            assert isinstance(record, TokenRecord)
            verifier.note(by_id[record.request], record)
        if verifier.wanted():
            before, lengths = batch.cache.k.clone(), list(batch.cache.lengths)
            verifier.visit(step.index)
            for sequence in filter(verifier.settled, batch.running):
                length, made = batch.cache.lengths[sequence.row], lengths[sequence.row]
                text = [*sequence.request.prompt, *sequence.tokens][:-1]
                assert length == len(text)
                fresh = flippy.new_cache(1, length, FP32)
                flippy.forward([text], fresh, FP32)
                own = verifier.cache.k[:, sequence.row, :, :length]
                assert verifier.cache.lengths[sequence.row] == length
                assert torch.equal(own, fresh.k[:, 0, :, :length])
                fast, rounded = batch.cache.k[:, sequence.row, :, :length], FAST.round(own)
                assert torch.equal(fast[:, :, made:], rounded[:, :, made:])  # of a bonus
                kept = before[:, sequence.row, :, : min(made, length)]
                old = fast[:, :, : kept.shape[2]]
                assert torch.equal(old, rounded[:, :, : kept.shape[2]] if refresh else kept)
        batch.leave({s.id for s in batch.running if s.finish and verifier.settled(s)})


def test_stop_strings_and_eos_are_the_reference_runs(flippy: Transformer) -> None:
    tokenizer = byte_tokenizer()
    alone = plain(flippy, requests(6, 24), FP32)
    stops = tuple(tokenizer.decode(own[9:11]) for own in alone.values())
    asked = [replace(request, stop=stops, ignore_eos=False) for request in requests(6, 24)]
    expected = {
        request.id: [
            record.token
            for step in run(flippy, [request], Strategy("fp32", FP32), tokenizer)
            for record in step.records
            if isinstance(record, TokenRecord)
        ]
        for request in asked
    }
    strategy = Strategy("replay", FAST, Replay(Gate(0.05, window=7, pass_size=9)))
    steps = list(run(flippy, asked, strategy, tokenizer, max_batch=4))
    got = committed([record for step in steps for record in step.records])
    assert got == expected
    assert min(map(len, got.values())) < 24
