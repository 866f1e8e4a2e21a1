"""One workload plain and in rounds, in FP32, in BF16 and behind the gate: who equals whom, and where not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab.decode.batching import Batch
from lab.decode.margingate.compare import Progress
from lab.decode.margingate.run import committed, run
from lab.decode.margingate.settings import requests_of
from lab.decode.prompt_set import Prompt
from lab.decode.settings import LaneSettings, settings_from
from lab.decode.speculative.meeting import RUNS, MeetingSettings, start_meeting
from lab.decode.speculative.partings import PARTNERS, Choice, compared, run_figures
from lab.errors import LabError
from lab.models.loaded import LoadedModel
from lab.round_records import MeetingRecord
from tests.lab.decode.speculative import near_ties
from tests.lab.decode.speculative.near_ties import STORIES, parting_settings


@pytest.fixture(scope="module")
def loaded() -> LoadedModel:
    return near_ties.loaded()


def met(loaded: LoadedModel, asked: MeetingSettings) -> list[MeetingRecord]:
    _, made = start_meeting(asked, lambda: loaded)
    return [record for record in made if isinstance(record, MeetingRecord)]


def tokens(records: list[MeetingRecord], run: str) -> list[tuple[int, ...]]:
    return [record.tokens for record in records if record.run == run]


def test_rounds_part_in_bf16_alone_and_the_gate_brings_them_back(loaded: LoadedModel) -> None:
    records = met(loaded, parting_settings())
    assert [(r.run, r.request) for r in records] == [(run, p.name) for run in RUNS for p in STORIES[:3]]
    assert tokens(records, "fp32-speculative") == tokens(records, "fp32")
    assert tokens(records, "bf16-speculative") != tokens(records, "bf16")
    assert tokens(records, "bf16-speculative-gated") == tokens(records, "fp32")
    assert tokens(records, "bf16") != tokens(records, "fp32")
    gated = [record for record in records if record.run == "bf16-speculative-gated"]
    assert any(record.corrected for record in gated), "the gate had nothing to repair"


@settings(max_examples=5)
@given(
    gamma=st.integers(0, 6),
    batch=st.integers(1, 3),
    tau=st.floats(0, 0.02),
    window=st.integers(1, 12),
    pass_size=st.integers(1, 20),
)
def test_fp32_and_the_gate_hold_whatever_the_dials(loaded: LoadedModel, **dials: Any) -> None:
    records = met(loaded, parting_settings(**dials))
    assert tokens(records, "fp32-speculative") == tokens(records, "fp32")
    assert tokens(records, "bf16-speculative-gated") == tokens(records, "fp32")
    assert {len(record.tokens) for record in records} == {14}


@pytest.mark.parametrize("batch", [1, 3])
def test_without_drafts_bf16_rounds_are_plain_bf16_bit_for_bit(loaded: LoadedModel, batch: int) -> None:
    """Tokens, margins and rows of every pass."""
    records = met(loaded, parting_settings(gamma=0, batch=batch))
    plain, rounds = ([r for r in records if r.run == run] for run in ("bf16", "bf16-speculative"))
    unlike = {"run": "", "seconds": 0.0}
    assert [replace(r, **unlike) for r in rounds] == [replace(r, **unlike) for r in plain]


@pytest.mark.parametrize(
    "lane",
    [LaneSettings("bf16-invariant"), LaneSettings(split_k="64:4", reduced_partials=True)],
    ids=["bf16-invariant", "one split for every size"],
)
def test_one_order_for_every_size_never_parts(loaded: LoadedModel, lane: LaneSettings) -> None:
    """So it was the split of the linears: nothing else changes at these sizes."""
    records = met(loaded, parting_settings(arithmetic=lane))
    assert tokens(records, "bf16-speculative") == tokens(records, "bf16")
    assert tokens(records, "bf16") != tokens(records, "fp32")


def test_records_tell_the_pass_that_chose_each_token(loaded: LoadedModel) -> None:
    asked = parting_settings(prompts=STORIES[:1])
    records = {record.run: record for record in met(loaded, asked)}
    (request,) = requests_of(asked.prompts, asked.length, loaded)
    for run_name, widest in (("bf16", 1), ("bf16-speculative", asked.gamma + 1)):
        record = records[run_name]
        assert record.rows[0] == len(request.prompt)
        assert max(record.rows[1:]) == widest
        assert min(record.margins) >= 0
        assert (record.visits, record.corrected) == (0, ())
    assert records["bf16"].passes == asked.length - 1
    assert records["bf16-speculative"].passes < asked.length - 1, "nothing was ever accepted"
    assert records["bf16-speculative-gated"].visits >= 1


def test_what_is_collected_is_what_the_run_committed(loaded: LoadedModel) -> None:
    """The record's tokens, corrections and visits against the run's own records."""
    asked = parting_settings()
    requests = requests_of(asked.prompts, asked.length, loaded)
    strategy = asked.strategies()["bf16-speculative-gated"]
    steps = list(run(loaded.transformer, requests, strategy, max_batch=1, make_batch=Batch))
    own = committed([record for step in steps for record in step.records])
    gated = tokens(met(loaded, replace(asked, gamma=0)), "bf16-speculative-gated")
    assert gated == [tuple(own[request.id]) for request in requests]


def record(run: str, request: str, *chosen: int, corrected: tuple[int, ...] = ()) -> MeetingRecord:
    return MeetingRecord(
        run=run,
        request=request,
        tokens=chosen,
        texts=tuple(f"t{token}" for token in chosen),
        margins=tuple(token / 8 for token in chosen),
        runners_up=tuple(f"r{token}" for token in chosen),
        rows=tuple(range(10, 10 + len(chosen))),
        corrected=corrected,
        passes=2,
        visits=1,
        seconds=3.0,
    )


def test_where_two_runs_part() -> None:
    records = [
        record("fp32", "a", 1, 2, 3),
        record("fp32", "b", 1, 2, 3),
        record("bf16", "a", 1, 5, 3),
        record("bf16", "b", 1, 2),
        record("bf16-speculative", "a", 1, 5, 3),
    ]
    pairs = compared(records)
    assert [(p.own.run, p.request, p.parted) for p in pairs] == [
        ("bf16", "a", 1),
        ("bf16", "b", 2),
        ("bf16-speculative", "a", None),
    ]
    assert pairs[0].choices == (Choice("t5", 5 / 8, "r5", 11), Choice("t2", 2 / 8, "r2", 11))
    assert pairs[1].choices == (None, Choice("t3", 3 / 8, "r3", 12))
    assert pairs[2].choices == (None, None)


def test_figures_of_a_run() -> None:
    (figures,) = run_figures([record("bf16", "a", 1, 2, 3, corrected=(1,)), record("bf16", "b", 4)])
    assert (figures.requests, figures.tokens, figures.passes, figures.visits) == (2, 4, 4, 2)
    assert (figures.corrected, figures.per_pass, figures.seconds) == (1, 0.5, 3.0)


def test_settings_read_back_and_every_run_has_a_partner() -> None:
    asked = parting_settings(gamma=2, tau=0.125)
    assert settings_from(MeetingSettings, asked.as_json()) == asked
    assert set(PARTNERS) | {"fp32"} == set(RUNS) == set(asked.strategies())


def test_progress_stands_after_every_step(loaded: LoadedModel) -> None:
    asked = parting_settings(prompts=STORIES[:2], length=6, batch=2)
    _, made = start_meeting(asked, lambda: loaded)
    marks = [mark.strategy for mark in made if isinstance(mark, Progress)]
    assert list(dict.fromkeys(marks)) == list(RUNS)
    steps = {name: marks.count(name) for name in RUNS}
    assert steps["fp32"] == steps["bf16"] == asked.length
    assert max(steps["fp32-speculative"], steps["bf16-speculative"]) <= asked.length
    assert asked.total == len(RUNS) * asked.length


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"batch": 0}, "0 prompts at a time"),
        ({"gamma": -1}, "-1"),
        ({"tau": -1.0}, "tau = -1"),
        ({"window": 0}, "window = 0"),
        ({"drafter": "nobody"}, "nobody"),
        ({"length": 0}, "0 new tokens"),
        ({"prompts": ()}, "no request"),
        ({"prompts": (Prompt("a", "own", "x"),) * 2}, "same id"),
        ({"arithmetic": LaneSettings(split_k="x")}, "split-K table"),
    ],
)
def test_bad_settings_are_named(loaded: LoadedModel, changed: dict[str, Any], message: str) -> None:
    with pytest.raises(LabError, match=message):
        start_meeting(parting_settings(**changed), lambda: loaded)
