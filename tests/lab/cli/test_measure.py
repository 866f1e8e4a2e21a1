"""`measure`, and `trace` on what it writes, on small models."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab import traces
from lab.decode.settings import settings_from
from lab.decode.speculative.measure import MeasureSettings
from lab.errors import LabError
from lab.models.hub_folder import save_folder
from lab.models.tiny import tiny_checkpoint
from lab.round_records import MeasureRecord, PassTimeRecord
from tests.lab.cli.invoked import lab


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("tiny")
    save_folder(tiny_checkpoint(0), folder)
    return str(folder)


SMALL = ("--length", "6", "--repeats", "1", "--passes", "1", "--context", "8", "--gamma", "2", "--gamma", "9")


def test_measure(model: str, tmp_path: Path) -> None:
    out = tmp_path / "measure.jsonl"
    text = lab(
        *("measure", "--model", model, "--drafter", "uniform", "--drafter", "lookup", "--temperature", "0"),
        *("--prompts", "1", "--kind", "story", "--kind", "code", "--batch", "1", *SMALL, "--out", str(out)),
    )
    trace = traces.read(out)
    settings = settings_from(MeasureSettings, trace.info.settings)
    assert [prompt.name for prompt in settings.prompts] == ["tale-01", "code-01"]
    assert (settings.drafters, settings.gammas, settings.temperatures) == (
        ("uniform", "lookup"),
        (2, 9),
        (0.0,),
    )
    records = [r for r in trace.records if isinstance(r, MeasureRecord)]
    passes = [r for r in trace.records if isinstance(r, PassTimeRecord)]
    assert len(records) == 2 * 2 * 2
    assert len(passes) == 17 + 2
    assert "story, T = 0, batch 1" in text
    assert "code, T = 0, batch 1" in text
    lines = [line.split() for line in text.splitlines()]
    for record in records:
        assert any(
            line[:2] == [record.draft, str(record.gamma)]
            and f"{record.predicted:.2f}" in line
            and f"{record.speedup:.2f}" in line
            for line in lines
        )
        assert any(
            line[:3] == [record.draft, str(record.gamma), f"{record.alpha:.2f}"]
            and str(record.rounds) in line
            for line in lines
        )
    assert "…" not in text  # nothing is cut at 80 columns
    assert all(len(line) <= 80 for line in text.splitlines()[1:])
    shown = lab("trace", "show", str(out))
    assert text.split("\n", 1)[1].strip() in shown
    assert f"a measure trace with {len(trace.records)} records" in lab("trace", "check", str(out))


def test_json_and_prompts_of_a_file(model: str, tmp_path: Path) -> None:
    prompts = tmp_path / "mine.txt"
    prompts.write_text("Why?\nBecause.\n")
    text = lab(
        *("measure", "--model", model, "--drafter", model, "--file", str(prompts), *SMALL, "--json"),
        *("--temperature", "1", "--seed", "3"),
    )
    trace = traces.loads(text)
    records = [r for r in trace.records if isinstance(r, MeasureRecord)]
    assert [(r.kind, r.prompts, r.gamma) for r in records] == [("own", 2, 2), ("own", 2, 9)]
    assert all(record.alpha == pytest.approx(1.0, abs=1e-9) for record in records)
    assert trace.info.settings["seed"] == 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--kind", "poem"), "no 2 prompts of each of the kinds poem"),
        (("--gamma", "-2"), "γ = -2"),
        (("--batch", "0"), "batch = 0"),
        (("--temperature", "-1"), "temperature = -1"),
        (("--drafter", "nobody"), "nobody"),
    ],
)
def test_bad_input_is_one_message(model: str, arguments: tuple[str, ...], message: str) -> None:
    with pytest.raises(LabError, match=message):
        lab("measure", *arguments, "--model", model)
