"""Experiments as plain values: read back from a header, refused when wrong, begun the same anywhere."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lab import traces
from lab.decode.margingate.compare import Progress
from lab.decode.margingate.flips import StudyStep
from lab.decode.margingate.run import committed, run
from lab.decode.margingate.settings import (
    CompareSettings,
    FlipSettings,
    GateSettings,
    requests_of,
    start_compare,
    start_flips,
    start_gate,
    start_watch,
)
from lab.decode.margingate.shipped import FLIPS, STRATEGIES, WATCH
from lab.decode.margingate.strategies import Gate, Repair, Replay
from lab.decode.prompt_set import Prompt, built_in
from lab.decode.settings import LaneSettings, settings_from
from lab.errors import LabError
from lab.models.loaded import LoadedModel
from lab.models.tiny import byte_tokenizer
from lab.models.transformer import Transformer
from lab.records import FlipRecord, PairRecord, SequenceRecord, StrategyRecord, TokenRecord
from lab.traces import Record, RunInfo

PROMPTS = built_in()[:3]
FLIP = FlipSettings(PROMPTS, (1, 4), 5, attribute=("linears",), attribute_at=2)
GATE = GateSettings(PROMPTS, 6, tau=0.03, policy="replay", window=4, pass_size=2)
COMPARE = CompareSettings(
    PROMPTS,
    5,
    (1, 3),
    ("bf16", "replay"),
    0.03,
    4,
    2,
    replays=(Gate(0.01, 2, 1), Gate(None, 3)),
    replays_at=2,
)


@pytest.fixture(scope="module")
def loaded(flippy: Transformer) -> LoadedModel:
    return LoadedModel(flippy, byte_tokenizer(), "random")


def kept(run_: tuple[RunInfo, Any]) -> tuple[RunInfo, list[Record]]:
    info, made = run_
    return info, [record for record in made if not isinstance(record, Progress | StudyStep)]


def plain(record: Record) -> Record:
    """Without what no two runs share: times."""
    timed = {"seconds": 0.0, "visit_seconds": 0.0}
    match record:
        case PairRecord():
            return replace(record, alone=plain(record.alone), beside=plain(record.beside))  # type: ignore[arg-type]
        case StrategyRecord():
            return replace(record, **timed)
        case _ if hasattr(record, "seconds"):
            return replace(record, seconds=0.0)  # type: ignore[call-arg]
    return record


STARTS: list[tuple[Any, Callable]] = [
    (FLIP, start_flips),
    (GATE, start_watch),
    (GATE, start_gate),
    (replace(GATE, policy="margingate", what="step", prompt="reference"), start_gate),
    (COMPARE, start_compare),
]


@pytest.mark.parametrize(("settings", "start"), STARTS, ids=["flips", "watch", "replay", "gate", "compare"])
def test_a_trace_read_back_runs_again_to_the_same_records(
    loaded: LoadedModel, tmp_path: Path, settings: Any, start: Callable
) -> None:
    info, records = kept(start(settings, lambda: loaded))
    assert records
    path = tmp_path / "trace.jsonl"
    traces.write(path, info, records)
    found = traces.read(path)
    assert list(found.records) == records
    again = settings_from(type(settings), found.info.settings)
    assert again == settings
    _, second = kept(start(again, lambda: loaded))
    assert list(map(plain, second)) == list(map(plain, records))


DEFAULTS = (FlipSettings(), GateSettings(), CompareSettings())


@pytest.mark.parametrize("settings", [FLIPS, WATCH, STRATEGIES, *DEFAULTS])
def test_settings_are_read_back_from_json(settings: Any, tmp_path: Path) -> None:
    info = traces.run_info("any", "model", "lane", "cpu", settings.as_json())
    traces.write(tmp_path / "x.jsonl", info, [])
    assert settings_from(type(settings), traces.read(tmp_path / "x.jsonl").info.settings) == settings


def test_a_header_that_does_not_fit_is_refused() -> None:
    with pytest.raises(LabError, match="setting length"):
        settings_from(FlipSettings, {"length": "many"})
    with pytest.raises(LabError, match=r"prompts\.0\.text"):
        settings_from(GateSettings, {"prompts": [{"name": "a", "kind": "own"}]})
    with pytest.raises(LabError, match="tau = -1"):
        settings_from(CompareSettings, {"replays": [{"tau": -1}]})


def no_model() -> LoadedModel:
    raise AssertionError("the model was loaded before the settings were checked")


@pytest.mark.parametrize(
    ("start", "settings", "message"),
    [
        (start_flips, replace(FLIP, base="fp64"), "no reference 'fp64'"),
        (start_flips, replace(FLIP, batches=()), "Batch sizes"),
        (start_flips, replace(FLIP, batches=(2, 0)), "Batch sizes"),
        (start_flips, replace(FLIP, attribute_at=0), "Batch sizes"),
        (start_flips, replace(FLIP, attribute=("softmax",)), "no operator 'softmax'"),
        (start_flips, replace(FLIP, arithmetic=LaneSettings("fp8")), "no lane 'fp8'"),
        (
            start_gate,
            replace(GATE, reference="bf16-solo", arithmetic=LaneSettings("bf16-native")),
            "cannot verify rows together",
        ),
        (start_flips, replace(FLIP, arithmetic=LaneSettings(switches=("all",))), "no switch 'all'"),
        (start_watch, replace(GATE, reference="bf16"), "no reference 'bf16'"),
        (start_gate, replace(GATE, policy="margin"), "no policy 'margin'"),
        (start_gate, replace(GATE, what="all"), "no repair 'all'"),
        (start_gate, replace(GATE, prompt="slow"), "no prompt lane 'slow'"),
        (start_gate, replace(GATE, tau=-0.1), "tau = -0.1"),
        (start_gate, replace(GATE, window=0), "window = 0"),
        (start_gate, replace(GATE, pass_size=0), "pass_size = 0"),
        (start_compare, replace(COMPARE, strategies=("bf16", "magic")), "no strategy 'magic'"),
        (start_compare, replace(COMPARE, strategies=()), "No strategy"),
        (start_compare, replace(COMPARE, batches=(0,)), "Batch sizes"),
        (start_compare, replace(COMPARE, batches=()), "Batch sizes"),
        (start_compare, replace(COMPARE, rounds=0), "0 rounds"),
        (start_compare, replace(COMPARE, queue=0), "pass_size = 0"),
        (start_compare, replace(COMPARE, replays_at=-1), "Batch sizes"),
    ],
)
def test_wrong_values_are_refused_before_loading(start: Callable, settings: Any, message: str) -> None:
    with pytest.raises(LabError, match=message):
        start(settings, no_model)


def test_prompts_that_cannot_run_are_refused(loaded: LoadedModel) -> None:
    for settings, start in STARTS:
        with pytest.raises(LabError, match="0 new tokens"):
            kept(start(replace(settings, length=0), lambda: loaded))
        with pytest.raises(LabError, match="no request"):
            kept(start(replace(settings, prompts=()), lambda: loaded))
        twice = (Prompt("a", "own", "x"), Prompt("a", "own", "y"))
        with pytest.raises(LabError, match="same id"):
            kept(start(replace(settings, prompts=twice), lambda: loaded))


def test_policies_are_what_their_names_say() -> None:
    assert GATE.strategy().check == Replay(Gate(0.03, 4, 2))
    repair = replace(GATE, policy="margingate", what="flagged", prompt="reference").strategy()
    assert repair.check == Repair(Gate(0.03, 4, 2), "flagged", "reference")
    assert repair.reference.name == "fp32"
    assert replace(GATE, reference="bf16-solo").strategy().reference.name == "bf16-solo"


def test_a_gate_trace_begins_with_the_reference(loaded: LoadedModel) -> None:
    made = list(start_gate(GATE, lambda: loaded)[1])
    records = [record for record in made if not isinstance(record, Progress)]
    assert [record.request for record in records[:3] if isinstance(record, SequenceRecord)] == [
        prompt.name for prompt in PROMPTS
    ]
    asked = requests_of(PROMPTS, 6, loaded)
    steps = list(run(loaded.transformer, asked, GATE.strategy(), loaded.tokenizer))
    tokens = committed([record for record in records if not isinstance(record, SequenceRecord)])
    assert tokens == committed([record for step in steps for record in step.records])
    assert {r.request: list(r.tokens) for r in records[:3] if isinstance(r, SequenceRecord)} == tokens
    marks = [mark.asked for mark in made if isinstance(mark, Progress) and mark.strategy == "replay"]
    assert marks == [step.asked for step in steps]
    assert any(marks)


def test_totals_count_the_marks_of_a_run(loaded: LoadedModel) -> None:
    flips = list(start_flips(FLIP, lambda: loaded)[1])
    assert len(flips) == FLIP.total
    assert len([record for record in flips if isinstance(record, FlipRecord)]) == 3 * 3
    watched = list(start_watch(GATE, lambda: loaded)[1])
    assert len(watched) == GATE.total * len(PROMPTS)
    assert len([record for record in watched if isinstance(record, TokenRecord)]) == 6 * len(PROMPTS)
    quiet = replace(COMPARE, strategies=("bf16", "fp32"), replays=(), rounds=2)
    marks = [mark for mark in start_compare(quiet, lambda: loaded)[1] if isinstance(mark, Progress)]
    assert len(marks) == quiet.total == 5 + 2 * 2 * (15 + 5)


def test_rounds_take_turns_and_further_gates_come_last(loaded: LoadedModel) -> None:
    found = kept(start_compare(replace(COMPARE, rounds=2), lambda: loaded))[1]
    seen = [(r.strategy, r.batch, r.tau, r.window) for r in found if isinstance(r, StrategyRecord)]
    turn = [[("bf16", b, None, None), ("replay", b, 0.03, 4)] for b in (1, 3)]
    assert seen == [
        *turn[0],
        *turn[0],
        *turn[1],
        *turn[1],
        ("replay", 2, 0.01, 2),
        ("replay", 2, None, 3),
    ]
    assert all(all(r.equal) for r in found if isinstance(r, StrategyRecord) and r.strategy == "replay")
    once = kept(start_compare(replace(COMPARE, rounds=2, emulate=True, replays=()), lambda: loaded))[1]
    assert len(once) == 4


def test_the_shipped_experiments_are_what_the_pages_say() -> None:
    assert (len(FLIPS.prompts), FLIPS.length, len(FLIPS.shapes)) == (32, 48, 8)
    assert (len(WATCH.prompts), WATCH.length) == (8, 48)
    runs = list(STRATEGIES.runs())
    assert len(runs) == 2 * 10 + 3 * 3 * 2 - 1
    assert len({(strategy.name, strategy.check, batch) for strategy, batch in runs}) == len(runs)
