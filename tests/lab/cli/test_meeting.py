"""`gate speculate`, `record meeting`, and `trace` on what they write, on a small model."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from lab import traces
from lab.cli import record
from lab.decode.settings import settings_from
from lab.decode.speculative.meeting import RUNS, MeetingSettings
from lab.decode.speculative.partings import compared
from lab.decode.speculative.shipped import MEETING
from lab.errors import LabError
from lab.models.hub_folder import save_folder
from lab.round_records import MeetingRecord
from tests.lab.cli.invoked import lab
from tests.lab.decode.speculative.near_ties import STORIES, near_ties

SMALL = ("--drafter", "lookup", "--length", "12", "--reduced-partials")


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("near-ties")
    save_folder(near_ties(), folder)
    return str(folder)


def cells(text: str, start: str) -> list[str]:
    return next(line.split() for line in text.splitlines() if line.startswith(start))


def test_speculate_and_its_trace(model: str, tmp_path: Path) -> None:
    out = tmp_path / "meeting.jsonl"
    stories = tmp_path / "stories.txt"
    stories.write_text("\n".join(story.text for story in STORIES[:2]))
    options = ("--file", str(stories), "--gamma", "3", "--tau", "0.01", "--window", "5", "--pass-size", "4")
    text = lab("gate", "speculate", *SMALL, *options, "--model", model, "--out", str(out))
    trace = traces.read(out)
    assert trace.info.kind == "meeting"
    asked = settings_from(MeetingSettings, trace.info.settings)
    assert (asked.gamma, asked.tau, asked.window, asked.pass_size) == (3, 0.01, 5, 4)
    assert [prompt.text for prompt in asked.prompts] == [story.text for story in STORIES[:2]]
    records = [r for r in trace.records if isinstance(r, MeetingRecord)]
    assert [r.run for r in records] == [run for run in RUNS for _ in range(2)]
    parted = next(p for p in compared(records) if p.own.run == "bf16-speculative" and p.parted is not None)
    own, _ = parted.choices
    assert own is not None
    assert f"{parted.parted}, {own.margin:.3g}" in text
    equal = cells(text, "equal")
    assert equal[1] == equal[4] == "2/2"
    assert "…" not in text
    assert text.strip() in lab("trace", "show", str(out))
    assert traces.loads(lab("trace", "show", str(out), "--json")) == trace


def test_prompts_of_a_file(model: str, tmp_path: Path) -> None:
    file = tmp_path / "prompts.txt"
    file.write_text("One day\n\nA cat sat\n", encoding="utf-8")
    text = lab("gate", "speculate", *SMALL, "--file", str(file), "--model", model, "--json")
    assert {r.request for r in traces.loads(text).records} == {"line-1", "line-3"}


def test_what_is_shipped_is_recorded(model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same command on a small share of it."""
    small = replace(MEETING, prompts=MEETING.prompts[:1], length=4, drafter="lookup")
    monkeypatch.setattr(record, "MEETING", small)
    out = tmp_path / "meeting.jsonl"
    assert f"{len(RUNS)} records" in lab("record", "meeting", str(out), "--model", model)
    assert settings_from(MeetingSettings, traces.read(out).info.settings) == small


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--prompts", "0"), "0 prompts cannot be taken"),
        (("--prompts", "17"), "17 prompts cannot be taken from 16"),
        (("--batch", "0"), "0 prompts at a time"),
        (("--gamma", "-1"), "-1"),
        (("--tau", "-1"), "tau = -1"),
        (("--window", "0"), "window = 0"),
        (("--drafter", "nobody"), "nobody"),
        (("--lane", "fp8"), "no lane 'fp8'"),
        (("--file", "nowhere.txt"), "nowhere.txt cannot be read"),
    ],
)
def test_bad_input_is_one_message(model: str, arguments: tuple[str, ...], message: str) -> None:
    with pytest.raises(LabError, match=message):
        lab("gate", "speculate", *arguments, "--model", model)
