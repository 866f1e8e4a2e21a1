"""The page of determinism's cost: what it makes of its controls and of its records."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from apps import machine, papers, strategy_charts, strategy_table
from apps.text.catalogue import FIRST_STRONG, LEFT_TO_RIGHT, POP
from lab import traces
from lab.decode.margingate.settings import CompareSettings
from lab.decode.prompt_set import built_in
from lab.errors import LabError
from lab.records import StrategyRecord
from lab.traces import RunInfo
from sims.waste import expected_waste
from tests.apps.opening import open_page, told
from tests.apps.strategy_records import ALONE, ALWAYS, BEFORE, GRID, PLAIN, REPLAY

VALUES = {
    "strategies": ("bf16", "every-step", "replay"),
    "batches": ("32", "1"),
    "prompts": 8,
    "length": 16,
    "tau": 0.25,
    "window": 16,
    "pass": 32,
    "queue": 8,
    "rounds": 1,
    "grid-run": False,
    "reference": "fp32",
    "lane": "bf16-emulated",
    "split-k": "1:4,8:2",
}
ISOLATES = str.maketrans("", "", FIRST_STRONG + LEFT_TO_RIGHT + POP)


def test_controls_make_the_experiment() -> None:
    made = strategy_table.settings(VALUES)
    assert made == CompareSettings(
        prompts=built_in()[:8],
        length=16,
        batches=(1, 32),
        strategies=("bf16", "every-step", "replay"),
        replays_at=32,
    )
    gates = strategy_table.settings(VALUES | {"grid-run": True, "rounds": 3})
    assert (gates.rounds, len(gates.replays)) == (3, 12)
    other = strategy_table.settings(
        VALUES | {"tau": 0.5, "window": 8, "pass": 4, "queue": 2, "reference": "bf16-solo", "split-k": "1:8"}
    )
    assert (other.tau, other.window, other.pass_size, other.queue) == (0.5, 8, 4, 2)
    assert (other.reference, other.arithmetic.split_k) == ("bf16-solo", "1:8")
    assert [s.name for s in other.chosen()] == list(VALUES["strategies"])  # type: ignore[call-overload]
    with pytest.raises(LabError, match="No batch size is chosen"):
        strategy_table.settings(VALUES | {"batches": ()})


def test_every_name_is_a_strategy() -> None:
    everything = CompareSettings(strategies=strategy_table.NAMES)
    assert len(everything.chosen()) == len(strategy_table.NAMES) == len(strategy_charts.MARKS)


def test_progress_counts_steps_and_records() -> None:
    # 16 steps of the reference; at batch 1 eight prompts of 16 steps, at 32 all in 16; a record each.
    assert strategy_table.total(strategy_table.settings(VALUES)) == 16 + 3 * (8 * 16 + 1 + 16 + 1)


def test_command_names_the_whole_experiment() -> None:
    line = strategy_table.command(strategy_table.settings(VALUES))
    assert line == (
        "python -m lab gate compare --strategy bf16 --strategy every-step --strategy replay --tau 0.25 "
        "--window 16 --pass-size 32 --queue 8 --batch 1 --batch 32 --prompts 8 --length 16 "
        "--rounds 1 --reference fp32 --lane bf16-emulated --split-k 1:4,8:2 --out strategies.jsonl"
    )


def test_increment_and_ratio_by_batch() -> None:
    costs = strategy_table.costs_of([*BEFORE, *ALONE])
    assert costs["bf16", 8] == strategy_table.Cost(10.0, None, None)
    assert costs["every-step", 8].increment == pytest.approx(10)
    assert costs["every-step", 8].ratio == pytest.approx(1)
    assert costs["replay", 8].increment == pytest.approx(2.5)
    assert costs["replay", 8].ratio == pytest.approx(4)
    assert costs["replay", 1].ratio == pytest.approx(4)
    assert strategy_table.timed_sizes([*BEFORE, *ALONE]) == [1, 8]


def test_repeats_count_by_their_median() -> None:
    repeats = [replace(REPLAY, seconds=seconds) for seconds in (1.2, 9.0, 1.25)]
    assert strategy_table.costs_of([PLAIN, ALWAYS, *repeats])["replay", 8].increment == pytest.approx(2.5)


def test_emulated_shapes_count_and_have_no_times() -> None:
    emulated = [replace(r, emulated=True, seconds=0.001) for r in ALONE]
    records = [*BEFORE, *emulated]
    assert {batch for _, batch in strategy_table.costs_of(records)} == {8}
    rows = strategy_table.frame(records, "fp32").set_index("strategy")
    assert rows.loc["bf16", "identical_percent"] == 50
    assert rows.loc["replay", "visits"] == 8
    assert "ms_b1" not in rows
    # Where a size was run both ways, the real run is taken.
    both = [replace(ALWAYS, emulated=True, visits=1), *BEFORE]
    assert strategy_table.frame(both, "fp32").set_index("strategy").loc["every-step", "visits"] == 25


def test_frame_has_a_row_a_strategy() -> None:
    rows = strategy_table.frame([*BEFORE, *ALONE], "fp32").set_index("strategy")
    assert list(rows.index) == ["bf16", "every-step", "margingate", "replay"]
    assert list(rows["identical_percent"]) == [50, 100, 100, 100]
    assert list(rows["equal_percent"]) == [50, 100, 75, 100]
    assert rows.loc["replay", "trigger_row_percent"] == pytest.approx(100 * 20 / 220, abs=0.01)
    assert rows.loc["replay", "trigger_step_percent"] == 32
    assert rows.loc["replay", "rolled_back"] == 20
    assert rows.loc["replay", "gate"] == "τ 0.25 · w 32 · pass 32"
    assert rows.loc["replay", "ratio_b8"] == 4
    assert rows.loc["bf16"].isna()["visits"]
    assert rows.isna().loc["margingate", "ms_b1"]


@pytest.mark.parametrize(
    ("strategy", "reference", "promise"),
    [
        ("replay", "fp32", "greedy-identical in \u2068fp32\u2069, by construction"),
        ("window-64", "bf16-solo", "greedy-identical in \u2068bf16-solo\u2069, by construction"),
        ("fp32", "fp32", "greedy-identical in \u2068fp32\u2069, by construction"),
        ("fp32", "bf16-solo", "its own tokens"),
        ("bf16-invariant", "fp32", "its own tokens"),
        ("margingate-queued", "fp32", "nothing promised"),
        ("bf16", "fp32", "none"),
    ],
)
def test_what_is_promised(strategy: str, reference: str, promise: str) -> None:
    assert promise in strategy_table.exact(strategy, reference)


def test_waste_expected_and_seen() -> None:
    windowed = replace(ALWAYS, strategy="window-16", window=16, pass_size=128, rolled_back=11, rows=110)
    # 100 tokens of 4 requests: a window of 32 is never full, 25 tokens are verified at the end.
    longer = replace(windowed, strategy="window-32", window=32, pass_size=256, rolled_back=22)
    shares = [share for _, share in strategy_table.waste([*BEFORE, windowed, longer])]
    full, cut = expected_waste(0.02, 16) / 16, expected_waste(0.02, 25) / 25
    assert shares == ["2.00%", f"{full:.1%}", "10.0%", f"{cut:.1%}", "20.0%"]
    assert strategy_table.waste([PLAIN]) == []


def test_one_shape_says_nothing_about_others() -> None:
    rows = strategy_table.frame(BEFORE, "fp32").set_index("strategy")
    assert rows["identical_percent"].isna().all()
    assert list(rows["equal_percent"]) == [50, 100, 75, 100]
    figure = strategy_charts.cost_figure(BEFORE, 8)
    assert [trace.x[0] for trace in figure.data] == [50, 100, 75, 100]
    assert "equal to the reference" in figure.layout.xaxis.title.text
    assert "\u206850.0\u2069 % of the sequences are the reference" in strategy_table.verdicts(BEFORE)[0]


def test_no_ratio_where_noise_hides_the_increment() -> None:
    slow = replace(PLAIN, seconds=5.0)  # a disturbed run: everything else seems to cost less than nothing
    assert strategy_table.costs_of([slow, ALWAYS, REPLAY])["replay", 8].ratio is None


def test_verdicts_name_what_has_run() -> None:
    first, paper, replayed = strategy_table.verdicts([*BEFORE, *ALONE])
    assert "\u206850.0\u2069 % of the sequences are the same" in first
    assert "\u206875.0\u2069 % the reference" in paper
    assert "÷ this one: 4.00 at batch 1, 4.00 at batch 8." in replayed.translate(ISOLATES)


def test_papers_stand_beside_ours() -> None:
    rows = papers.frame([*BEFORE, *ALONE], "smollm2-135m")
    assert list(rows["trigger_percent"])[:3] == [18.56, 15.05, 49.5]
    assert list(rows["reduction"])[:2] == [2.23, 1.99]
    ours = rows[rows["model"] == "smollm2-135m"]
    assert [name.translate(ISOLATES) for name in ours["who"]] == [
        "this page: margingate, batch 8",
        "this page: replay, batch 8",
        "this page: replay, batch 1",
    ]
    assert all(line.count("](https://") == 1 for line in papers.reported())


@pytest.mark.parametrize(
    "records",
    [
        [],
        [replace(PLAIN, tokens=0)],
        [replace(PLAIN, rows=0)],
        [PLAIN, replace(ALWAYS, sequences=("a",), equal=(True,))],
    ],
)
def test_what_cannot_be_compared_is_refused(records: list[StrategyRecord]) -> None:
    with pytest.raises(LabError, match=r"bad\.jsonl"):
        strategy_table.checked(records, "bad.jsonl")
    strategy_table.checked(BEFORE, "good.jsonl")


@pytest.fixture
def trace(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The shipped trace, replaced by one that is known."""
    info = RunInfo("strategies", "tiny", "bf16-emulated", "cpu", "here", 1, "2", "0", "2026-01-01T00:00", {})
    path = tmp_path / "strategies.jsonl"
    traces.write(path, info, [*BEFORE, *ALONE, *GRID])
    monkeypatch.setattr("apps.recordings.recording", lambda name: traces.read(path))
    return path


@pytest.mark.usefixtures("trace")
@pytest.mark.parametrize("lang", ["en", "ar", "fa"])
def test_page_opens_on_the_recording(lang: str) -> None:
    at = open_page("determinism", lang=lang)
    assert not at.exception
    assert not at.error
    assert "50.0" in told(at) or lang != "en"
    assert len(at.dataframe) == 2


def test_page_opens_without_a_recording(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apps.recordings.recording", lambda name: None)
    at = open_page("determinism")
    assert not at.exception
    assert not at.error


@pytest.mark.usefixtures("trace", "at_once")
@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"strategies": "none"}, "No strategy is chosen"),
        ({"batches": "3"}, "No batch size is chosen"),
        ({"split-k": "4"}, "split-K table"),
        ({"reference": "bf16-solo", "lane": "bf16-native"}, "cannot verify rows together"),
    ],
)
def test_bad_input_is_named(parameters: dict[str, str], message: str) -> None:
    at = open_page("determinism", **parameters)
    if not at.error:
        at.button(key="determinism-run-begin").click().run()
    assert not at.exception
    assert any(message in block.value for block in at.error), [block.value for block in at.error]


@pytest.mark.usefixtures("trace", "at_once")
def test_a_model_that_is_not_here_leaves_the_recording(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DECODING_LAB_HOME", str(tmp_path))
    machine._loaded.clear()  # what another test has loaded
    at = open_page("determinism")
    at.button(key="determinism-run-begin").click().run()
    assert not at.exception
    assert any("make model" in block.value for block in at.error), [block.value for block in at.error]
    assert len(at.dataframe) == 2
