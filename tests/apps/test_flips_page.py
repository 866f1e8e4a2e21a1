"""The page of the flip study: links, counting, bad input, languages."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from apps import flip_study, machine
from apps.recordings import FOLDER
from lab import traces
from lab.decode.settings import SWITCHES
from lab.records import FlipRecord
from lab.traces import RunInfo
from tests.apps.flip_records import LINEARS, NORM, STUDY
from tests.apps.opening import facts, open_page, told

INFO = RunInfo("flips", "tiny", "bf16-emulated", "cpu", "here", 1, "2", "0", "2026-01-01T00:00", {})


@pytest.fixture
def recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A small study in the place of the shipped one."""
    trace = traces.Trace(INFO, (*STUDY, LINEARS, NORM))
    monkeypatch.setattr("apps.recordings.recording", lambda name: trace)


def headings(at: AppTest) -> str:
    return " ".join(heading.value for heading in at.subheader)


@pytest.mark.usefixtures("recorded")
def test_page_opens_on_the_cell_that_a_link_names() -> None:
    at = open_page("flips", **{"at-prompt": "a", "at-batch": "8"})
    assert not at.exception
    assert "\u2068a\u2069 in a batch of \u20688\u2069" in headings(at)
    assert "\u20682\u2069 of \u206824\u2069" in facts(at)
    assert any(">was<" in html.value for html in at.html)
    assert "RMSNorm gives no flip" in told(at)


@pytest.mark.usefixtures("recorded")
def test_counting_changes_the_facts() -> None:
    at = open_page("flips", count="first")
    assert not at.exception
    assert "\u20681\u2069 of \u206821\u2069" in facts(at)


@pytest.mark.usefixtures("recorded")
def test_a_link_to_a_cell_that_is_not_there_opens_another() -> None:
    at = open_page("flips", **{"at-prompt": "story-99", "at-batch": "31"})
    assert not at.exception
    assert "in a batch of" in headings(at)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"batches": "many"}, "'many' is no batch size"),
        ({"set": "own"}, "0 prompts are given"),
        ({"kinds": ""}, "No kind of prompt"),
        ({"split-k": "4"}, "split-K table"),
    ],
)
@pytest.mark.usefixtures("at_once", "recorded")
def test_bad_input_is_named(parameters: dict[str, str], message: str) -> None:
    at = open_page("flips", **parameters)
    if not at.error:
        at.button(key="flips-run-begin").click().run()
    assert not at.exception
    assert any(message in block.value for block in at.error), [block.value for block in at.error]


@pytest.mark.usefixtures("at_once", "recorded")
def test_a_model_that_is_not_here_leaves_the_recording(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DECODING_LAB_HOME", str(tmp_path))
    machine._loaded.clear()  # what another test has loaded
    at = open_page("flips")
    at.button(key="flips-run-begin").click().run()
    assert not at.exception
    assert any("make model" in block.value for block in at.error), [block.value for block in at.error]
    assert "\u20682\u2069 of \u206824\u2069" in facts(at)


def test_the_recorded_study_is_whole() -> None:
    """Every prompt at every batch size, each operator alone, and where it comes from."""
    trace = traces.read(FOLDER / "flips.jsonl")
    assert (trace.info.kind, trace.info.model, trace.info.lane) == ("flips", "smollm2-135m", "bf16-emulated")
    records = [record for record in trace.records if isinstance(record, FlipRecord)]
    assert len(records) == len(trace.records)
    cells, alone = flip_study.cells_of(records), flip_study.attribution_of(records)
    assert len(cells) == len(flip_study.names(cells)) * len(flip_study.batches(cells))
    assert {record.switches[0] for record in alone} == set(SWITCHES)
    assert flip_study.by_operator(records, "forced")["norm"].flips == 0
    found = flip_study.count(cells, "forced")
    assert 0 < found.share < 0.05
    assert found.largest_margin is not None
    assert found.largest_margin < found.epsilon


@pytest.mark.usefixtures("recorded")
@pytest.mark.parametrize("lang", ["ar", "fa"])
def test_page_in_other_languages(lang: str) -> None:
    at = open_page("flips", lang=lang, count="first")
    assert not at.exception
