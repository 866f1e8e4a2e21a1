"""The paper's policy: what a repair changes, and what it does not promise."""

from __future__ import annotations

import pytest
import torch

from lab.decode.batching import Batch
from lab.decode.margingate.repair import RepairVerifier
from lab.decode.margingate.run import committed, run
from lab.decode.margingate.strategies import FP32_REFERENCE, Gate, Repair, RepairWhat, Strategy
from lab.models.transformer import Transformer
from lab.numerics.lanes import FP32, bf16_emulated
from lab.numerics.rounding import round_bf16
from lab.records import TokenRecord, VerdictRecord, VisitRecord
from tests.lab.decode.margingate.conftest import plain, requests

FAST = bf16_emulated()


def stepped(batch: Batch, verifier: RepairVerifier) -> list[TokenRecord]:
    step = batch.step()
    by_id = {sequence.id: sequence for sequence in batch.running}
    made = [record for record in step.records if isinstance(record, TokenRecord)]
    for record in made:
        verifier.note(by_id[record.request], record)
    return made


@pytest.mark.parametrize("what", ["mismatch", "flagged", "step"])
def test_a_repair_replaces_one_column_with_the_verifiers_and_touches_nothing_else(
    flippy: Transformer, what: RepairWhat
) -> None:
    batch = Batch(flippy, requests(4, 24), FAST)
    verifier = RepairVerifier(batch, Repair(Gate(0.02), what), FP32_REFERENCE, 2)
    repaired = 0
    while batch.admit():
        stepped(batch, verifier)
        if verifier.wanted():
            before_k, before_v = batch.cache.k.clone(), batch.cache.v.clone()
            rows = {sequence.id: sequence.row for sequence in batch.running}
            texts = {s.id: [*s.request.prompt, *s.tokens] for s in batch.running}
            verdicts = [v for v in verifier.visit(0) if isinstance(v, VerdictRecord)]
            expected_k, expected_v = before_k.clone(), before_v.clone()
            for verdict in verdicts:
                if not verdict.corrected and what == "mismatch":
                    assert verdict.kv_change is None
                    continue
                row, text = rows[verdict.request], texts[verdict.request]
                at = len(text) - 2  # of the token that the last step was fed
                own = flippy.new_cache(1, len(text), FP32)
                own.k[:, 0, :, :at], own.v[:, 0, :, :at] = before_k[:, row, :, :at], before_v[:, row, :, :at]
                own.lengths[0] = at
                flippy.forward([[text[at]]], own, FP32)
                expected_k[:, row, :, at] = round_bf16(own.k[:, 0, :, at])
                expected_v[:, row, :, at] = round_bf16(own.v[:, 0, :, at])
                change = torch.stack([expected_k - before_k, expected_v - before_v])[:, :, row, :, at].norm()
                old = torch.stack([before_k, before_v])[:, :, row, :, at].norm()
                assert verdict.kv_change == pytest.approx(float(change / old), rel=1e-4)
                repaired += 1
            assert torch.equal(batch.cache.k, expected_k)
            assert torch.equal(batch.cache.v, expected_v)
        batch.leave({s.id for s in batch.running if s.finish and verifier.settled(s)})
    assert repaired >= 3


def test_after_a_repair_the_run_goes_on_as_one_that_never_flipped(flippy: Transformer) -> None:
    """From a repaired cache and the verifier's token, decoding equals decoding from the same state fresh."""
    batch = Batch(flippy, requests(1, 24), FAST)
    verifier = RepairVerifier(batch, Repair(Gate(1.0)), FP32_REFERENCE, 2)
    while batch.admit():
        stepped(batch, verifier)
        verdicts = [v for v in verifier.visit(0) if isinstance(v, VerdictRecord)]
        if any(verdict.corrected for verdict in verdicts):
            break
    (sequence,) = batch.running
    never = Batch(flippy, requests(1, 24), FAST)  # told the right token, with the same cache
    never.admit()
    never.step()
    for index, token in enumerate(sequence.tokens):
        never.amend(never.running[0], 0, sequence.tokens[0]) if index == 0 else None
        never.running[0].tokens = list(sequence.tokens[: index + 1])
        never.running[0].to_feed = [token]
    never.cache.k.copy_(batch.cache.k)
    never.cache.v.copy_(batch.cache.v)
    never.cache.lengths[:] = batch.cache.lengths
    for _ in range(24 - len(sequence.tokens)):
        batch.step()
        never.step()
    assert batch.running[0].tokens == never.running[0].tokens


def test_without_flags_nothing_is_verified(flippy: Transformer) -> None:
    steps = list(run(flippy, requests(3, 10), Strategy("gate", FAST, Repair(Gate(None)))))
    records = [record for step in steps for record in step.records]
    assert not any(isinstance(record, VerdictRecord | VisitRecord) for record in records)
    fast = plain(flippy, requests(3, 10), FAST.pinned(3))
    assert committed(records) == fast


def test_an_fp32_fast_lane_is_always_confirmed(flippy: Transformer) -> None:
    for what in ("mismatch", "flagged", "step"):
        strategy = Strategy("gate", FP32, Repair(Gate(0.05, pass_size=3), what))
        steps = list(run(flippy, requests(5, 16), strategy, max_batch=3))
        records = [record for step in steps for record in step.records]
        verdicts = [record for record in records if isinstance(record, VerdictRecord)]
        assert verdicts
        assert not any(verdict.corrected for verdict in verdicts)
        assert committed(records) == plain(flippy, requests(5, 16), FP32)


@pytest.mark.parametrize("prompt", ["fast", "reference"])
@pytest.mark.parametrize("pass_size", [1, 4])
def test_flagged_rows_of_a_step_are_verified_together(
    flippy: Transformer, prompt: str, pass_size: int
) -> None:
    strategy = Strategy("gate", FAST, Repair(Gate(0.05, window=6, pass_size=pass_size), prompt=prompt))  # type: ignore[arg-type]
    steps = list(run(flippy, requests(6, 24), strategy))
    flagged = 0
    for step in steps:
        visits = [r for r in step.records if isinstance(r, VisitRecord) and not r.prompt]
        assert len(visits) <= 2
        if pass_size == 1:
            assert len(visits) == bool(step.asked)
            assert sum(visit.positions for visit in visits) == len(step.asked)
        flagged += len(step.asked)
    made = [r for step in steps for r in step.records if isinstance(r, TokenRecord)]
    ignored = 6 if prompt == "reference" else 0  # first tokens come from the reference lane
    assert flagged == sum(r.margin <= 0.05 for r in made if r.index or not ignored)
