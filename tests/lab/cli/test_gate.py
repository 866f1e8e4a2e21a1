"""`flips`, `gate …`, `record flips|gate|strategies`, and `trace` on what they write, on a small model."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from lab import traces
from lab.cli import main, record
from lab.decode.margingate import calibrate
from lab.decode.margingate.figures import outcomes
from lab.decode.margingate.settings import CompareSettings, FlipSettings, GateSettings
from lab.decode.margingate.shipped import FLIPS, STRATEGIES, WATCH
from lab.decode.prompt_set import built_in, calibration_and_report
from lab.decode.settings import settings_from
from lab.errors import LabError
from lab.models.hub_folder import save_folder
from lab.records import FlipRecord, PairRecord, SequenceRecord, StrategyRecord, VerdictRecord
from tests.lab.cli.invoked import lab
from tests.lab.decode.speculative.near_ties import near_ties


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A small model with near-equal logits: its lanes often choose differently."""
    folder = tmp_path_factory.mktemp("flippy")
    save_folder(near_ties(), folder)
    return str(folder)


def shown(path: Path) -> str:
    """`trace show`, after `check`, and with `--json` giving the whole trace back."""
    whole = traces.read(path)
    assert f"a {whole.info.kind} trace with {len(whole.records)} records" in lab("trace", "check", str(path))
    assert traces.loads(lab("trace", "show", str(path), "--json")) == whole
    return lab("trace", "show", str(path))


def row(text: str, *starts: str) -> list[str]:
    """The cells of the first printed line that begins so."""
    return next(line.split() for line in text.splitlines() if line.split()[: len(starts)] == list(starts))


def test_flips(model: str, tmp_path: Path) -> None:
    out = tmp_path / "flips.jsonl"
    options = ("--prompts", "4", "--batch", "2", "--batch", "8", "--length", "10", "--reduced-partials")
    text = lab("flips", *options, "--attribute-at", "4", "--model", model, "--out", str(out))
    trace = traces.read(out)
    settings = settings_from(FlipSettings, trace.info.settings)
    assert settings.prompts == built_in()[:4]
    assert (settings.batches, settings.attribute_at, settings.base) == ((2, 8), 4, "bf16-solo")
    records = [r for r in trace.records if isinstance(r, FlipRecord)]
    assert len(records) == len(trace.records) == 4 * 5
    two = [r for r in records if r.batch == 2]
    flips, steps = sum(len(r.flips) for r in two), sum(len(r.tokens) for r in two)
    cells = row(text, "2", "all")
    assert cells[2:5] == [str(steps), str(flips), f"{flips / steps:.2%}"]
    assert cells[5] == f"{sum(bool(r.flips) for r in two)}/4"
    assert row(text, "4", "linears")
    assert row(text, "4", "attention")[3] == "0"
    assert row(text, "question")[1] == str(2 * 10)
    assert "Δ = 0.25" in text
    assert "…" not in text  # nothing is cut at 80 columns
    assert text.strip() in shown(out)


def test_flips_without_attribution_of_a_file(model: str, tmp_path: Path) -> None:
    prompts, out = tmp_path / "mine.txt", tmp_path / "flips.jsonl"
    prompts.write_text("Why is it so?\nSay it again.\n")
    lab(
        *("flips", "--file", str(prompts), "--no-attribute", "--length", "4", "--base", "fp32"),
        *("--model", model, "--out", str(out)),
    )
    records = [r for r in traces.read(out).records if isinstance(r, FlipRecord)]
    assert {r.prompt for r in records} == {"line-1", "line-2"}
    assert [r.batch for r in records] == [2, 2, 8, 8, 32, 32]
    native = lab(
        *("flips", "--prompts", "1", "--length", "3", "--base", "fp32", "--lane", "bf16-native"),
        *("--model", model, "--json"),
    )
    assert {r.switches for r in traces.loads(native).records if isinstance(r, FlipRecord)} == {()}


def test_calibrate(model: str, tmp_path: Path) -> None:
    out = tmp_path / "study.jsonl"
    text = lab(
        *("gate", "calibrate", "--calibrate-on", "4", "--report-on", "3", "--length", "8", "--batch", "4"),
        *("--tau", "0.005", "--tau", "0.5", "--model", model, "--out", str(out)),
    )
    records = [r for r in traces.read(out).records if isinstance(r, FlipRecord)]
    first, second = calibration_and_report(built_in())
    assert [r.prompt for r in records] == [p.name for p in (*first[:4], *second[:3])]
    seen = calibrate.observed(records[:4])
    assert f"ε = {seen.epsilon:.4g}, 2ε = {seen.start:.4g}" in text
    assert f"catches every flip is {seen.catching:.4g}." in text
    for tau in (0.005, 0.5, seen.start, seen.catching):
        point = calibrate.caught(records[4:], tau)
        cells = row(text, f"{tau:.4g}")
        assert cells[1:5] == [
            f"{point.catch_rate:.1%}",
            f"{point.trigger_rate:.1%}",
            str(point.flips),
            str(point.escapes),
        ]
        assert cells[5] == f"{point.escape_bound:.2%}"
    assert shown(out)


def test_watch(model: str, tmp_path: Path) -> None:
    out = tmp_path / "watch.jsonl"
    text = lab("gate", "watch", "--prompts", "3", "--length", "16", "--model", model, "--out", str(out))
    trace = traces.read(out)
    pairs = [r for r in trace.records if isinstance(r, PairRecord)]
    assert trace.info.kind == "watch"
    assert len(pairs) == len(trace.records) == 3 * 16
    flipped = [pair for pair in pairs if pair.flipped]
    assert f"{len(flipped)} of {len(pairs)} steps flip" in text
    assert flipped
    assert f"largest margin of a flip {max(p.beside.margin for p in flipped):.4g}" in text
    assert flipped[0].alone.request in text
    assert pairs[0].alone.request in shown(out)


@pytest.mark.parametrize(
    "options",
    [
        ("--tau", "0.02"),
        ("--tau", "0.02", "--repair", "step", "--prompt-lane", "reference", "--pass-size", "4"),
        ("--policy", "replay", "--tau", "0.02", "--window", "5"),
        ("--policy", "replay", "--tau", "0.02", "--reference", "bf16-solo"),
    ],
)
def test_run(model: str, tmp_path: Path, options: tuple[str, ...]) -> None:
    out = tmp_path / "gate.jsonl"
    text = lab(
        "gate", "run", "--prompts", "3", "--length", "12", *options, "--model", model, "--out", str(out)
    )
    trace = traces.read(out)
    settings = settings_from(GateSettings, trace.info.settings)
    assert settings.tau == 0.02
    assert settings.window == (5 if "--window" in options else None)
    assert sum(isinstance(r, SequenceRecord) for r in trace.records) == 3
    verdicts = [r for r in trace.records if isinstance(r, VerdictRecord)]
    found = outcomes(trace.records)  # type: ignore[arg-type]
    for outcome in found:
        own = [v for v in verdicts if v.request == outcome.request]
        assert outcome.corrections == sum(v.fast != v.token for v in own)
        assert outcome.rolled_back == sum(v.dropped for v in own)
        assert outcome.tokens == 12
        line = next(line for line in text.splitlines() if outcome.request in line)
        assert ("yes" if outcome.equal else "no") in line
    if "replay" in options:
        assert all(outcome.equal for outcome in found)
    assert "asked for a look" in text
    printed = shown(out)
    assert "pass over" in printed
    assert "confirmed" in printed
    assert "the reference's" in printed


def test_compare(model: str, tmp_path: Path) -> None:
    out = tmp_path / "strategies.jsonl"
    text = lab(
        *(
            "gate",
            "compare",
            "--prompts",
            "3",
            "--length",
            "8",
            "--batch",
            "1",
            "--batch",
            "3",
            "--rounds",
            "2",
        ),
        *("--strategy", "bf16", "--strategy", "replay", "--tau", "0.02", "--window", "0", "--model", model),
        *("--out", str(out)),
    )
    trace = traces.read(out)
    records = [r for r in trace.records if isinstance(r, StrategyRecord)]
    assert [(r.strategy, r.batch) for r in records] == [
        (name, batch) for batch in (1, 3) for _ in range(2) for name in ("bf16", "replay")
    ]
    assert settings_from(CompareSettings, trace.info.settings).window is None
    assert row(text, "replay", "0.02", "32")[3] == "3/3"
    assert row(text, "bf16")[-1] == "+0.0"
    assert "Batch 3" in text
    assert "100%" in text
    assert "…" not in text
    assert text.strip() in shown(out)


def test_emulated_shapes_print_no_times(model: str) -> None:
    text = lab("gate", "compare", "--prompts", "2", "--length", "4", "--emulate", "--model", model)
    assert "Batch 8, emulated" in text
    assert row(text, "fp32")[-1] == "0"  # the verifier's positions: no column of times follows


def test_records_of_the_shipped_experiments(
    model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same commands on a small share of what is shipped."""
    few = built_in()[:2]
    small = {
        "FLIPS": replace(FLIPS, prompts=few, length=3),
        "WATCH": replace(WATCH, prompts=few, length=3),
        "STRATEGIES": replace(STRATEGIES, prompts=few, length=3, replays=STRATEGIES.replays[:2]),
    }
    for name, settings in small.items():
        monkeypatch.setattr(record, name, settings)
    counts = {"flips": 2 * 8, "gate": 2 * 3, "strategies": 2 * 10 + 2}
    kinds = {"flips": "flips", "gate": "watch", "strategies": "strategies"}
    for command, count in counts.items():
        out = tmp_path / f"{command}.jsonl"
        assert f"{count} records" in lab("record", command, str(out), "--model", model)
        trace = traces.read(out)
        assert len(trace.records) == count
        assert trace.info.kind == kinds[command]
        assert shown(out)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("flips", "--prompts", "0"), "0 prompts cannot be taken"),
        (("flips", "--prompts", "129"), "129 prompts cannot be taken"),
        (("flips", "--batch", "0"), "Batch sizes"),
        (("flips", "--base", "solo"), "no reference 'solo'"),
        (("gate", "run", "--lane", "bf16-native", "--reference", "bf16-solo"), "cannot verify rows together"),
        (("flips", "--file", "nowhere.txt"), "nowhere.txt cannot be read"),
        (("flips", "--length", "0"), "0 new tokens"),
        (("gate", "calibrate", "--calibrate-on", "65"), "65 prompts cannot be taken from a half of 64"),
        (("gate", "calibrate", "--report-on", "0"), "0 prompts cannot be taken from a half of 64"),
        (("gate", "watch", "--reference", "x"), "no reference 'x'"),
        (("gate", "run", "--policy", "hope"), "no policy 'hope'"),
        (("gate", "run", "--repair", "all"), "no repair 'all'"),
        (("gate", "run", "--prompt-lane", "slow"), "no prompt lane 'slow'"),
        (("gate", "run", "--tau", "-1"), "tau = -1"),
        (("gate", "run", "--pass-size", "0"), "pass_size = 0"),
        (("gate", "compare", "--strategy", "magic"), "no strategy 'magic'"),
        (("gate", "compare", "--rounds", "0"), "0 rounds"),
        (("gate", "compare", "--window", "-1"), "window = -1"),
    ],
)
def test_bad_input_is_one_message(model: str, arguments: tuple[str, ...], message: str) -> None:
    with pytest.raises(LabError, match=message):
        lab(*arguments, "--model", model)


def test_bad_input_ends_with_code_2(
    model: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:

    monkeypatch.setattr("sys.argv", ["lab", "gate", "run", "--policy", "hope", "--model", model])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "Use one of: margingate, replay." in printed.err
