"""What counts as a run's time, and that a record's figures are those of its runs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from lab.decode.batching import Step, decode
from lab.decode.requests import Request
from lab.decode.sampling import GREEDY
from lab.decode.speculative import timed_runs
from lab.decode.speculative.agreement import Overlaps
from lab.decode.speculative.drafters import ModelDrafter
from lab.decode.speculative.how import Speculative
from lab.decode.speculative.policy import Fixed
from lab.decode.speculative.rounds import speculate
from lab.decode.speculative.timed_runs import Case, Run, Times, measure_record, timed
from lab.errors import LabError
from lab.models.tiny import tiny_checkpoint
from lab.models.transformer import Transformer
from lab.numerics.lanes import BF16_NATIVE, FP32
from lab.records import Failure

CASE = Case("story", 0.0, 3, 1, 12)
TIMES = Times(0.25, (1.0, 1.1, 1.2, 1.4, 1.5))


def finished(*runs: Iterator[Step]) -> tuple[Run, list[int]]:
    work, marks = timed(runs), []
    while True:
        try:
            marks.append(next(work))
        except StopIteration as end:
            return end.value, marks


def requests(count: int = 3) -> list[Request]:
    return [Request(f"r{at}", (80 + at, 1, 2), 12, GREEDY, ignore_eos=True) for at in range(count)]


@pytest.fixture(scope="module")
def other() -> ModelDrafter:
    return ModelDrafter("other", Transformer(tiny_checkpoint(8, tied_head=False)))


def test_prompts_and_the_callers_own_time_are_left_out(
    tiny: Transformer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a clock that stands but where it is moved."""
    now = [0.0]
    monkeypatch.setattr(timed_runs.time, "perf_counter", lambda: now[0])

    def slow(steps: Iterator[Step]) -> Iterator[Step]:
        for step in steps:
            now[0] += 100.0 if step.index == 0 else 1.0
            yield step

    work, tokens = timed([slow(decode(tiny, requests(), FP32)), slow(decode(tiny, requests(1), FP32))]), 0
    while True:
        try:
            tokens += next(work)
            now[0] += 1000.0
        except StopIteration as end:
            run = end.value
            break
    assert run == Run(22.0, 33 + 11, 22, ())
    assert tokens == 36 + 12


def test_groups_run_one_after_the_other(tiny: Transformer, other: ModelDrafter) -> None:
    how = Speculative(other, Fixed(3))
    run, marks = finished(*(speculate(tiny, [request], FP32, how) for request in requests()))
    assert sum(marks) == 36
    assert run.tokens == 33 == sum(len(record.emitted) for record in run.rounds)
    assert run.passes == len(run.rounds)


def test_a_failure_is_one_message() -> None:
    broken = Step(0, (Failure("r0", 4, "NaN"),), {})
    with pytest.raises(LabError, match="'r0', token 4"):
        finished(iter([broken]))
    with pytest.raises(LabError, match="ended with its first token"):
        finished(iter([]))


def test_the_figures_of_a_record(tiny: Transformer, other: ModelDrafter) -> None:
    plain, _ = finished(*(decode(tiny, [request], FP32) for request in requests()))
    how = Speculative(other, Fixed(3))
    own, _ = finished(*(speculate(tiny, [request], FP32, how) for request in requests()))
    along = [Overlaps([1.0, 0.5] * 5 + [0.0], [1.0, 0.0] * 5 + [0.0])] * 3
    runs = [
        (replace(plain, seconds=a), replace(own, seconds=b)) for a, b in ((3.0, 2.0), (4.0, 1.0), (6.0, 3.0))
    ]
    record = measure_record(CASE, tiny, FP32, other, along, TIMES, runs)
    alpha = 7.5 / 11
    assert (record.draft, record.kind, record.gamma, record.prompts) == ("other", "story", 3, 3)
    assert (record.alpha, record.alpha_tokens) == (pytest.approx(alpha), 33)
    tokens = 1 + alpha + alpha**2 + alpha**3
    assert record.predicted == pytest.approx(tokens / 1.75)
    assert record.predicted_v == pytest.approx(tokens / 2.15)
    assert (record.c, record.v) == (0.25, 1.4)
    assert record.predicted_by_position == pytest.approx((1 + sum(record.unconditional)) / 2.15)
    assert len(record.conditional) == len(record.unconditional) == 3
    assert sum(record.unconditional) * record.rounds == pytest.approx(record.accepted)
    # Two tokens a round, five rounds; the last may draft none, for its token is the last.
    costs = [3 * 0.25 + 1.4] * 4 + [2 * 0.25 + 1.2, 1.0]
    assert record.predicted_by_text == pytest.approx(11 / sum(costs))
    assert record.oracle == pytest.approx(11 / (5 * (0.25 + 1.1) + 1.0))
    assert (record.speedup_low, record.speedup, record.speedup_high) == pytest.approx((1.75, 2.0, 3.0))
    assert (record.plain_seconds, record.seconds) == (4.0, 2.0)
    size, draft = tiny.config.parameters, other.parameters
    head = tiny.config.vocab_size * tiny.config.hidden_size
    assert draft == size + head
    assert record.c_hat == pytest.approx(draft / size)
    assert record.operations_factor == pytest.approx((3 * draft / size + 4) / tokens)
    assert record.plain_bytes_per_token == 4 * size
    assert record.bytes_per_token == pytest.approx((own.passes * 4 * size + record.drafted * 4 * draft) / 33)
    half = measure_record(CASE, tiny, BF16_NATIVE, other, along, TIMES, runs)
    assert half.plain_bytes_per_token == 2 * size


def test_weights_are_read_once_for_all_rows_of_a_pass(tiny: Transformer, other: ModelDrafter) -> None:
    how = Speculative(ModelDrafter("itself", tiny), Fixed(3))
    plain, _ = finished(decode(tiny, requests(), FP32))
    own, _ = finished(speculate(tiny, requests(), FP32, how))
    whole = [Overlaps([1.0] * 11, [1.0] * 11)] * 3
    case = replace(CASE, batch=3)
    record = measure_record(case, tiny, FP32, how.drafter, whole, TIMES, [(plain, own)])
    size = 4 * tiny.config.parameters
    assert record.rounds == 9
    assert own.passes == 3
    assert record.plain_bytes_per_token == pytest.approx(size / 3)
    # 3 + 3 + 2 drafted for 11 tokens of each row: windows 3, 3, 2.
    assert record.bytes_per_token == pytest.approx(size * (3 + 8) / 33)
    assert record.accepted_per_drafted == 1.0
    assert record.alpha_error == 0.0


def test_without_drafts_nothing_is_gained_or_lost_by_formula(tiny: Transformer, other: ModelDrafter) -> None:
    plain, _ = finished(decode(tiny, requests(), FP32))
    own, _ = finished(speculate(tiny, requests(), FP32, Speculative(other, Fixed(0))))
    along = [Overlaps([0.3] * 11, [0.3] * 11)] * 3
    record = measure_record(replace(CASE, gamma=0), tiny, FP32, other, along, TIMES, [(plain, own)])
    assert (record.alpha, record.alpha_error, record.alpha_tokens) == (None, None, 0)
    assert (record.conditional, record.unconditional, record.accepted_per_drafted) == ((), (), None)
    assert record.predicted == record.predicted_v == record.predicted_by_position == 1.0
    assert record.predicted_by_text == record.operations_factor == 1.0
    assert record.oracle is not None
    assert record.oracle > 1.0
