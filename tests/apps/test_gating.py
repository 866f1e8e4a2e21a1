"""The page of the gate: fates at a τ, counts against the calibration's, rows of a run behind a gate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from apps import gate_pictures, gated_run, gating
from apps.gated_run import Made
from apps.recordings import recording
from lab import traces
from lab.decode.margingate import calibrate
from lab.decode.margingate.compare import Progress
from lab.decode.margingate.figures import outcomes
from lab.decode.margingate.run import committed
from lab.decode.margingate.settings import GateSettings, start_gate, start_watch
from lab.decode.prompt_set import built_in
from lab.errors import LabError
from lab.models.loaded import LoadedModel
from lab.models.tiny import byte_tokenizer
from lab.models.transformer import Transformer
from lab.records import (
    Candidate,
    FlipRecord,
    PairRecord,
    SequenceRecord,
    StrategyRecord,
    TokenRecord,
    VerdictRecord,
    VisitRecord,
)
from lab.traces import RunInfo, Trace
from tests.apps.opening import open_page, told

VALUES = {
    "policy": "margingate",
    "live-tau": 0.25,
    "repair": "mismatch",
    "prompt-lane": "fast",
    "window": 0,
    "pass-size": 1,
    "length": 32,
    "prompts": 8,
    "reference": "fp32",
    "split-k": "1:4,8:2",
}


def token(request: str, index: int, choice: int, margin: float = 1.0) -> TokenRecord:
    top = (Candidate(choice, 9.0, f" t{choice}"), Candidate(99, 9.0 - margin, "x"))
    return TokenRecord(request, index, choice, choice, 9.0, margin, top, 8, 8, "fast", 0.1, f" t{choice}")


def pair(request: str, index: int, margin: float, flip: bool = False) -> PairRecord:
    fast = token(request, index, 7 if flip else 5, margin)
    return PairRecord(8, index, token(request, index, 5, margin + 1), fast, 0.5 + margin, 0.01)


WATCHED = (
    pair("a", 0, 1.0),
    pair("b", 0, 0.125),
    pair("a", 1, 0.25, flip=True),
    pair("b", 1, 0.5),
    pair("a", 2, 0.0, flip=True),
    pair("b", 2, 0.0, flip=True),
)


@pytest.mark.parametrize(
    ("tau", "fates", "left"),
    [
        (0.25, "passed confirmed repaired passed repaired repaired", ()),
        (0.125, "passed confirmed missed passed repaired repaired", (4,)),
        (0.0, "passed passed missed passed repaired repaired", (4,)),
        (9.0, "confirmed confirmed repaired confirmed repaired repaired", ()),
    ],
)
def test_fates(tau: float, fates: str, left: tuple[int, ...]) -> None:
    """A margin of exactly τ is flagged; only steps after a miss, in the same row, have left."""
    steps = gating.steps_at(WATCHED, tau)
    assert [step.fate for step in steps] == fates.split()
    assert tuple(at for at, step in enumerate(steps) if step.left) == left


def as_flip_records(pairs: Sequence[PairRecord]) -> list[FlipRecord]:
    made = []
    for name in dict.fromkeys(p.alone.request for p in pairs):
        own = [p for p in pairs if p.alone.request == name]
        made.append(
            FlipRecord(
                prompt=name,
                kind="own",
                batch=8,
                switches=(),
                tokens=tuple(p.alone.choice for p in own),
                choices=tuple(p.beside.choice for p in own),
                base_margins=tuple(p.alone.margin for p in own),
                margins=tuple(p.beside.margin for p in own),
                max_deltas=tuple(p.max_delta or 0.0 for p in own),
                near=(),
                k_change=(),
                v_change=(),
                k_deepest=(),
                base_text="",
                text="",
            )
        )
    return made


def test_counts_are_those_of_the_calibration() -> None:
    """The same steps as a flip study give the same figures, at every τ of the curve."""
    records = as_flip_records(WATCHED)
    seen, expected = gating.observed(WATCHED), calibrate.observed(records)
    assert (seen.epsilon, seen.start, seen.catching) == (expected.epsilon, expected.start, expected.catching)
    drawn = gating.curve(WATCHED)
    assert drawn == calibrate.curve(records, [one.tau for one in drawn])
    assert drawn[-1].tau >= seen.start
    assert drawn[-1].catch_rate == 1


def test_a_pass_serves_all_flagged_rows_of_a_step() -> None:
    assert gating.batch_steps(gating.steps_at(WATCHED, 0.25)) == (3, 3)
    assert gating.batch_steps(gating.steps_at(WATCHED, 0.0)) == (1, 3)


def test_the_verdict_says_when_a_threshold_is_too_small() -> None:
    assert "is too small" in gating.verdict(gating.caught(WATCHED, 0.125))
    assert "holds every row" in gating.verdict(gating.caught(WATCHED, 0.25))
    assert "Nothing to catch" in gating.verdict(gating.caught(WATCHED[:2], 0.25))


def test_the_step_to_open_with_and_the_step_chosen() -> None:
    assert gating.most_telling(WATCHED) is WATCHED[2]
    assert gating.most_telling(WATCHED[:2]) is WATCHED[1]
    assert gating.chosen(WATCHED, "b", 1) is WATCHED[3]
    assert gating.chosen(WATCHED, "b", 40) is WATCHED[5]


def test_both_lanes_stand_side_by_side() -> None:
    own = replace(WATCHED[2], alone=replace(WATCHED[2].alone, top=WATCHED[2].alone.top[:1]))
    frame = gating.top_frame(own)
    assert list(frame["fast_token"]) == ["·t7", "x"]
    assert frame["reference_token"][0] == "·t5"
    assert frame["reference_logit"].isna().tolist() == [False, True]


def test_the_picture_has_every_step_once_and_looks_below() -> None:
    figure = gate_pictures.lanes_figure(gating.steps_at(WATCHED, 0.125), WATCHED[2])
    marks = [trace for trace in figure.data if trace.customdata is not None]
    by_name = {(trace.legendgroup, trace.opacity == 1): len(trace.x) for trace in marks}
    assert by_name == {
        ("passed", True): 2,
        ("flagged", True): 2,
        ("flagged", False): 1,
        ("confirmed", True): 1,
        ("repaired", True): 1,
        ("repaired", False): 1,
        ("missed", True): 1,
    }
    symbols = [trace.marker.symbol for trace in marks if trace.showlegend]
    assert len(set(symbols)) == len(symbols), "colour alone tells nothing apart"


def verdict(index: int, fast: int, chosen: int, dropped: int = 0) -> VerdictRecord:
    top = (Candidate(chosen, 9.0, f" t{chosen}"), Candidate(99, 8.9, "x"))
    return VerdictRecord("a", index, fast, chosen, 0.1, top, dropped, 0.01)


def run_of(policy: str, *records: gated_run.Record) -> list[Made]:
    expected = SequenceRecord("a", "fp32", (1, 2, 3, 4), (" t1", " t2", " t3", " t4"))
    return [Made(GateSettings(policy=policy), (expected, *records))]


def marks(made: Sequence[Made]) -> list[str]:
    ((_, tokens),) = gated_run.strips(made)
    return [one.mark for one in tokens]


def test_a_repair_is_marked_and_what_it_drops_is_gone() -> None:
    made = run_of(
        "replay",
        token("a", 0, 1),
        token("a", 1, 8, 0.1),
        token("a", 2, 9),
        verdict(1, 8, 2, dropped=1),
        VisitRecord(2, ("a",), 2, False, 0.1),
        token("a", 2, 3, 0.2),
        verdict(2, 3, 3),
        VisitRecord(3, ("a",), 1, False, 0.1),
    )
    assert marks(made) == ["plain", "repaired", "confirmed"]
    (row,) = gated_run.rows(made)
    assert (row.left, row.corrections, row.rolled_back) == (None, 1, 1)
    assert [cell.token for cell in row.cells] == committed(gated_run.all_records(made))["a"]
    facts = [value.strip("\u2068\u2069") for _, value in gated_run.run_facts(made)]
    assert facts[1:6] == ["1", "1", "0", "2", "3"]
    assert "2\u2069 of \u20684" in facts[6]  # two of four tokens made were flagged, the dropped one counted


@pytest.mark.parametrize(
    ("records", "reason"),
    [
        ((token("a", 0, 1), token("a", 1, 8, 0.5)), "not flagged"),
        ((token("a", 0, 1), token("a", 1, 8, 0.1), verdict(1, 8, 8)), "wrongly confirmed"),
        ((token("a", 0, 1), token("a", 1, 2, 0.1), verdict(1, 2, 8)), "wrongly corrected"),
    ],
)
def test_why_a_row_left_the_reference(records: tuple[gated_run.Record, ...], reason: str) -> None:
    made = run_of("margingate", *records, token("a", 2, 3))
    assert marks(made)[1:] == ["missed", "after"]
    (told,) = gated_run.reasons(made)
    assert reason in told


def test_a_difference_that_still_waits_for_a_look_is_no_miss() -> None:
    made = run_of("replay", token("a", 0, 1), token("a", 1, 8, 0.5))
    assert gated_run.reasons(made) == []
    assert marks(made) == ["plain", "plain"]


def test_a_token_that_the_verifier_gave_of_itself() -> None:
    bonus = replace(verdict(2, 3, 3), bonus=True, kv_change=None)
    made = run_of(
        "replay", token("a", 0, 1), token("a", 1, 2, 0.1), verdict(1, 2, 2), bonus, token("a", 3, 4)
    )
    assert marks(made) == ["plain", "confirmed", "confirmed", "plain"]
    assert [cell.token for cell in gated_run.rows(made)[0].cells] == [1, 2, 3, 4]
    frame = gated_run.frame(made)
    assert list(frame["token"]) == [" t1", " t2", " t3", " t4"]
    assert frame["fast"].isna().tolist() == [False, False, True, False]


def test_controls_make_the_run_and_its_command() -> None:
    assert gated_run.settings(VALUES) == GateSettings()
    assert gated_run.command(GateSettings(), "smollm2-135m", "auto") == (
        "python -m lab gate run --policy margingate --tau 0.25 --out gate-run.jsonl"
    )
    own = gated_run.settings(
        VALUES | {"policy": "replay", "window": 32, "pass-size": 8, "prompts": 3, "split-k": "1:8"}
    )
    assert own == replace(
        GateSettings(prompts=built_in()[:3], policy="replay", window=32, pass_size=8),
        arithmetic=replace(own.arithmetic, split_k="1:8"),
    )
    line = gated_run.command(own, "smollm2-135m", "cpu")
    assert "--policy replay --tau 0.25 --window 32 --pass-size 8 --prompts 3" in line
    assert "--split-k 1:8 --device cpu" in line
    with pytest.raises(LabError, match="split-K table"):
        gated_run.settings(VALUES | {"split-k": "x"})


def info(kind: str) -> RunInfo:
    return traces.run_info(kind, "tiny", "bf16-emulated", "cpu", {})


def test_traces_without_steps_or_settings_are_refused() -> None:
    with pytest.raises(LabError, match="no steps"):
        gating.pairs_of(Trace(info("watch"), (token("a", 0, 1),)))
    trace = Trace(replace(info("gate"), settings={"length": "many"}), ())
    with pytest.raises(LabError, match="does not say how"):
        gated_run.finished(trace)


@pytest.fixture
def loaded(tiny: Transformer) -> LoadedModel:
    return LoadedModel(tiny, byte_tokenizer(), "random")


@pytest.mark.parametrize("policy", ["margingate", "replay"])
def test_a_real_run_reads_the_same_live_and_from_its_file(loaded: LoadedModel, policy: str) -> None:
    """Tokens and equality agree with the core's own account; a file of the run shows the same picture."""
    asked = GateSettings(built_in()[:3], 10, policy, tau=0.01)
    head, records = start_gate(asked, lambda: loaded)
    live = list(gated_run.by_step(asked, records))
    assert len(live) >= asked.total
    everything = gated_run.all_records(live)
    assert not any(isinstance(record, Progress) for record in everything)
    text = "\n".join(traces.dumps(head, everything))
    kept = gated_run.finished(traces.loads(text)).records
    assert kept[0].settings == asked
    assert gated_run.strips(kept) == gated_run.strips(live)
    assert gated_run.run_facts(kept) == gated_run.run_facts(live)
    for row, outcome in zip(gated_run.rows(live), outcomes(everything), strict=True):
        assert len(row.cells) == outcome.tokens
        assert (row.left is None) == outcome.equal
        assert (row.corrections, row.rolled_back) == (outcome.corrections, outcome.rolled_back)
        assert policy == "margingate" or outcome.equal
    assert len(gated_run.frame(live)) == sum(len(row.cells) for row in gated_run.rows(live))


def test_a_real_watch_trace_opens(loaded: LoadedModel) -> None:
    asked = GateSettings(built_in()[:2], 6)
    head, records = start_watch(asked, lambda: loaded)
    pairs = gating.pairs_of(Trace(head, tuple(records)))
    assert len(pairs) == 12
    assert gating.prompt_text(traces.loads("\n".join(traces.dumps(head, pairs))), "question-01")
    assert len(gating.frame(pairs)) == 12


def test_the_recordings_show_what_the_page_says() -> None:
    watch = recording("gate")
    assert watch is not None
    pairs = gating.pairs_of(watch)
    assert gating.caught(pairs, 0.25).escapes == 0
    assert gating.caught(pairs, 1 / 64).escapes > 0, "the first Try this misses a flip"
    for policy in ("margingate", "replay"):
        kept = recording(f"gate-run-{policy}")
        assert kept is not None
        finished = gated_run.finished(kept)
        assert finished.records[0].settings == replace(GateSettings(), policy=policy)
        assert bool(gated_run.reasons(finished.records)) == (policy == "margingate")
    taus = recording("gate-taus")
    assert taus is not None
    by_policy: dict[str, list[StrategyRecord]] = {}
    for record in taus.records:
        assert isinstance(record, StrategyRecord)
        by_policy.setdefault(record.strategy, []).append(record)
    assert set(by_policy) == set(gate_pictures.POLICIES)
    exact = {name for name, own in by_policy.items() if all(all(record.equal) for record in own)}
    assert exact == {"replay"}
    never = {name for name, own in by_policy.items() if not any(all(record.equal) for record in own)}
    assert never == set(gate_pictures.POLICIES) - {"replay", "margingate-step-reference"}
    widest = [r for r in by_policy["margingate-step-reference"] if r.tau is not None and r.tau >= 0.25]
    assert widest
    assert all(all(record.equal) for record in widest)


def test_the_page_opens_on_the_recordings() -> None:
    at = open_page("gate", tau="0.015625")
    assert not at.exception
    assert not at.error
    assert "is too small" in told(at)
    assert "wrongly confirmed" in told(at)


@pytest.mark.parametrize(("parameters", "message"), [({"split-k": "4"}, "split-K table")])
def test_bad_input_is_named(parameters: dict[str, str], message: str) -> None:
    at = open_page("gate", **parameters)
    assert not at.exception
    assert any(message in block.value for block in at.error), [block.value for block in at.error]


def test_a_step_beyond_the_trace_is_its_last() -> None:
    at = open_page("gate", prompt="story-02", step="400")
    assert not at.exception
    assert "Flagged" in told(at) or "Passed" in told(at)
