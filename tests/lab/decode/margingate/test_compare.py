"""The comparison: emulated shapes against real batches, and its figures by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lab.decode.margingate.compare import (
    Progress,
    increment,
    measure,
    merged,
    ratio,
    reference_run,
    summarise,
)
from lab.decode.margingate.run import committed, run
from lab.decode.margingate.strategies import (
    FP32_REFERENCE,
    Gate,
    Reference,
    Repair,
    Replay,
    Strategy,
    solo,
    strategies,
)
from lab.decode.requests import Request
from lab.models.transformer import Transformer
from lab.numerics.lanes import FP32, bf16_emulated
from lab.numerics.schedule import GPU_LIKE
from lab.records import Failure, StrategyRecord, TokenRecord, VerdictRecord, VisitRecord
from tests.lab.decode.margingate.conftest import plain, requests

# Rounded partial sums, so that the split counts of 1, 4 and 16 rows show in this small model.
FAST = bf16_emulated(replace(GPU_LIKE, reduced_partials=True))
ALL = strategies(FAST, tau=0.02, replay=Gate(0.02, window=9, pass_size=8))
TOKENS = 16


def expected_of(model: Transformer, asked: list[Request], reference: Reference) -> dict[str, list[int]]:
    run_ = reference_run(model, asked, reference)
    try:
        while True:
            assert isinstance(next(run_), Progress)
    except StopIteration as end:
        return end.value


def measured(
    model: Transformer, asked: list[Request], strategy: Strategy, batch: int, emulate: bool = False
) -> StrategyRecord:
    expected = expected_of(model, asked, strategy.reference)
    made = measure(model, asked, strategy, batch, expected, emulate)
    (record,) = [r for r in made if not isinstance(r, Progress)]
    assert isinstance(record, StrategyRecord)
    return record


@pytest.mark.parametrize("reference", [FP32_REFERENCE, solo(FAST)], ids=["fp32", "solo"])
def test_the_reference_is_every_request_alone(flippy: Transformer, reference: Reference) -> None:
    asked = requests(6, TOKENS)
    alone = plain(flippy, asked, FP32 if reference.name == "fp32" else FAST)
    assert expected_of(flippy, asked, reference) == alone


@pytest.mark.parametrize("name", ["bf16", "margingate", "replay"])
@pytest.mark.parametrize("batch", [1, 4, 8])
def test_an_emulated_shape_has_the_tokens_of_real_batches(flippy: Transformer, name: str, batch: int) -> None:
    """All requests arrive at once, are equally long and fill the batches, so none shrinks."""
    asked = requests(8, TOKENS)
    real, emulated = (measured(flippy, asked, ALL[name], batch, each) for each in (False, True))
    assert emulated.sequences == real.sequences
    assert emulated.equal == real.equal
    assert emulated.emulated
    assert not real.emulated
    assert emulated.tokens == real.tokens == 8 * TOKENS
    if name == "margingate":  # it looks at each flagged row at its own step, whoever shares the pass
        assert (emulated.asked_rows, emulated.corrections) == (real.asked_rows, real.corrections)


def test_shapes_differ_in_bf16_alone(flippy: Transformer) -> None:
    """Otherwise the test above would prove little."""
    asked = requests(8, TOKENS)
    assert len({measured(flippy, asked, ALL["bf16"], batch, True).sequences for batch in (1, 4, 32)}) == 3


@pytest.mark.parametrize("name", ["fp32", "every-step", "window-16", "window-32", "window-64", "replay"])
@pytest.mark.parametrize("reference", ["fp32", "solo"])
def test_what_must_equal_the_reference_does(flippy: Transformer, name: str, reference: str) -> None:
    against = FP32_REFERENCE if reference == "fp32" else solo(FAST)
    strategy = strategies(FAST, against, 0.02, Gate(0.02, window=9, pass_size=8))[name]
    asked = requests(6, TOKENS)
    for batch in (1, 4):
        record = measured(flippy, asked, strategy, batch)
        assert all(record.equal) == (name != "fp32" or reference == "fp32")


def test_a_record_counts_what_the_run_made(flippy: Transformer) -> None:
    asked = requests(6, TOKENS)
    for name in ("margingate", "margingate-queued", "replay", "every-step"):
        strategy = ALL[name]
        steps = list(run(flippy, asked, strategy, max_batch=4))
        records = [record for step in steps for record in step.records]
        own = measured(flippy, asked, strategy, 4)
        rows = [r for r in records if isinstance(r, TokenRecord)]
        verdicts = [r for r in records if isinstance(r, VerdictRecord)]
        visits = [r for r in records if isinstance(r, VisitRecord) and not r.prompt]
        tokens = committed(records)
        alone = plain(flippy, asked, FP32)
        assert own.equal == tuple(tokens[r.id] == alone[r.id] for r in asked)
        assert (own.strategy, own.batch) == (name, 4)
        assert (own.tokens, own.rows) == (6 * TOKENS, len(rows))
        assert own.tokens == own.rows - own.rolled_back + own.bonuses
        assert own.rolled_back == sum(v.dropped for v in verdicts)
        assert own.bonuses == sum(v.bonus for v in verdicts)
        assert own.corrections == sum(v.fast != v.token for v in verdicts)
        assert (own.visits, own.verified) == (len(visits), sum(v.positions for v in visits))
        assert own.asked_rows == sum(len(step.asked) for step in steps)
        assert own.asked_steps == sum(1 for step in steps if step.asked)
        assert own.steps == len(steps)
        assert 0 < own.visit_seconds < own.seconds


def test_equal_digests_are_equal_tokens(flippy: Transformer) -> None:
    twice = [replace(requests(1, TOKENS)[0], id=name) for name in ("a", "b")]
    other = replace(requests(2, TOKENS)[1], id="c")
    digests = measured(flippy, [*twice, other], ALL["fp32"], 3).sequences
    assert digests[0] == digests[1] != digests[2]


def test_a_request_that_breaks_is_told_and_the_record_stands(flippy: Transformer) -> None:
    embedding = flippy.embedding.clone()
    embedding[255] = float("nan")
    broken = object.__new__(Transformer)
    broken.__dict__.update(flippy.__dict__ | {"embedding": embedding})
    asked = [replace(r, prompt=tuple(t for t in r.prompt if t != 255)) for r in requests(3, 6)]
    asked[1] = replace(asked[1], prompt=(*asked[1].prompt, 255))
    for name in ("bf16", "replay"):
        expected = expected_of(broken, asked, FP32_REFERENCE)
        found = list(measure(broken, asked, ALL[name], 3, expected))
        assert [r.request for r in found if isinstance(r, Failure)] == ["r1"]
        record = found[-1]
        assert isinstance(record, StrategyRecord)
        assert record.tokens == 12
        if name == "replay":
            assert record.equal == (True, False, True)


def made(strategy: str, batch: int, sequences: str, equal: str, **more) -> StrategyRecord:  # type: ignore[no-untyped-def]
    """A record by hand: a letter a sequence, a digit (0 or 1) an equality."""
    fields = {
        "tau": None,
        "window": None,
        "pass_size": None,
        "emulated": False,
        "tokens": 100,
        "rows": 120,
        "steps": 40,
        "asked_rows": 12,
        "asked_steps": 10,
        "corrections": 0,
        "rolled_back": 20,
        "bonuses": 0,
        "visits": 5,
        "verified": 50,
        "seconds": 2.0,
        "visit_seconds": 1.0,
    }
    return StrategyRecord(
        strategy=strategy,
        batch=batch,
        sequences=tuple(sequences),
        equal=tuple(each == "1" for each in equal),
        **(fields | more),
    )


def test_summaries_by_hand() -> None:
    records = [
        made("bf16", 1, "abcd", "1110", asked_rows=0),
        made("gate", 1, "abcx", "1111", rows=100),
        made("bf16", 8, "abce", "1010"),
        made("gate", 8, "abcx", "1111", rows=300, asked_rows=28, asked_steps=30),
    ]
    plain_, gate = summarise(records)
    assert (plain_.strategy, plain_.shapes) == ("bf16", (1, 8))
    assert (plain_.identical, plain_.equal) == (3 / 4, 2 / 4)
    assert (plain_.trigger_rows, plain_.trigger_steps) == (12 / 240, 20 / 80)
    assert (gate.identical, gate.equal) == (1, 1)
    assert (gate.trigger_rows, gate.trigger_steps) == (40 / 400, 40 / 80)


def test_increments_are_seconds_a_committed_token_over_bf16() -> None:
    bf16 = made("bf16", 8, "a", "1", seconds=2.0)
    gate = made("gate", 8, "a", "1", seconds=6.0, tokens=200)
    always = made("every-step", 8, "a", "1", seconds=5.0)
    assert increment(gate, bf16) == pytest.approx(0.01)
    assert increment(always, bf16) == pytest.approx(0.03)
    assert ratio(gate, always, bf16) == pytest.approx(3)
    assert ratio(bf16, always, bf16) is None


def test_repeats_merge_into_median_times() -> None:
    rounds = [
        made(name, 8, "ab", "10", seconds=seconds, visit_seconds=seconds / 2, tau=tau)
        for seconds in (3.0, 1.0, 8.0)
        for name, tau in (("bf16", None), ("gate", 0.25), ("gate", 0.5))
    ]
    one = merged(rounds)
    assert [(r.strategy, r.tau, r.seconds, r.visit_seconds) for r in one] == [
        ("bf16", None, 3.0, 1.5),
        ("gate", 0.25, 3.0, 1.5),
        ("gate", 0.5, 3.0, 1.5),
    ]


def test_every_strategy_has_its_own_gate_in_its_record(flippy: Transformer) -> None:
    asked = requests(2, 3)
    seen = {
        name: (r.tau, r.window, r.pass_size)
        for name, r in ((name, measured(flippy, asked, strategy, 2)) for name, strategy in ALL.items())
    }
    assert seen["bf16"] == seen["fp32"] == seen["bf16-invariant"] == (None, None, None)
    assert seen["every-step"] == (None, 1, 1)
    assert seen["window-16"] == (None, 16, 128)
    assert seen["margingate"] == (0.02, None, 1)
    assert seen["margingate-queued"] == (0.02, 9, 8)
    assert seen["replay"] == (0.02, 9, 8)
    assert isinstance(ALL["margingate"].check, Repair)
    assert isinstance(ALL["replay"].check, Replay)
