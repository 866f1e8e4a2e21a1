"""The page of this machine's kernels: pictures, sentences and table of made-up and recorded records."""

from __future__ import annotations

import pytest

from apps import kernels
from apps.recordings import FOLDER, recording
from apps.text.catalogue import LANGUAGES, has_text
from lab.numerics.machine import CASES, Case, summarise
from lab.records import KernelRecord
from tests.apps.opening import open_page


def record(case: Case, rows: int, changed: tuple[int, ...] = (), repeats: bool = True) -> KernelRecord:
    ulps = 3 if changed else 0
    return KernelRecord(
        case.operator, case.dtype, case.kernel, rows, 8, changed, ulps, ulps, 0.1, repeats, 0.01
    )


def run_of(changing: set[Case], repeats: bool = True) -> list[KernelRecord]:
    return [
        record(case, rows, (1,) * rows if case in changing and rows > 1 else (), repeats)
        for rows in (1, 2, 3)
        for case in CASES
    ]


FP32 = Case("matmul", "fp32")
EMULATED = Case("matmul", "bf16", "emulated")
AS_HERE = run_of({FP32, Case("attention", "fp32"), EMULATED})


def plain(text: str) -> str:
    return text.replace("\u2068", "").replace("\u2069", "")


def test_every_case_and_operator_has_a_name() -> None:
    for key, case in kernels.NAMES.items():
        assert has_text(f"machine-kernels-case-{key}")
        assert has_text(f"machine-kernels-operator-{case.operator}")


def test_sentences_say_what_changed_and_what_did_not() -> None:
    told = list(map(plain, kernels.verdicts(AS_HERE)))
    assert told[0] == "**FP32: rows change** in matrix product, attention."
    assert told[1].startswith("**BF16: nothing changes.**")
    assert told[2].startswith("**FP16: nothing changes.**")
    assert any("keeps every bit" in sentence for sentence in told)
    assert any("emulated BF16 product changes rows" in sentence for sentence in told)
    assert "repeatable here" in told[-1]


def test_sentences_follow_the_records_and_not_the_expectation() -> None:
    told = " ".join(
        map(plain, kernels.verdicts(run_of({Case("softmax", "bf16"), Case("matmul", "fp32", "lab")})))
    )
    assert "**FP32: nothing changes.**" in told
    assert "**BF16: rows change** in softmax." in told
    assert "product changes rows here" in told
    assert "kept its bits" in told
    assert "not even repeatable" in " ".join(kernels.verdicts(run_of(set(), repeats=False)))


def reasons(changing: set[Case], device: str) -> str:
    return " ".join(kernels.reasons(run_of(changing), device))


def test_reasons_stand_only_where_their_outcome_was_measured() -> None:
    here = reasons({FP32, EMULATED}, "cpu")
    assert "MKL picks a kernel" in here
    assert "dot product of its own" in here
    assert "cuBLAS" not in here
    other = reasons({Case("matmul", "bf16"), Case("softmax", "fp32")}, "cpu")
    assert "MKL picks a kernel" not in other
    assert "dot product of its own" not in other
    assert "RMSNorm and softmax" not in other
    gpu = reasons({FP32, Case("matmul", "bf16")}, "cuda:0")
    assert "cuBLAS" in gpu
    assert "MKL" not in gpu
    assert "threads share out" not in gpu
    assert "threads share out" in reasons({Case("attention", "fp32")}, "cpu")


def test_the_overview_marks_every_case_at_every_size() -> None:
    kept, changed = kernels.overview_figure(AS_HERE).data
    assert len(kept.x) + len(changed.x) == len(AS_HERE)
    assert len(changed.x) == 3 * 2
    assert (kept.marker.symbol, changed.marker.symbol) == ("circle", "diamond")


def test_the_rows_picture_has_a_mark_a_row() -> None:
    own = [record(FP32, 1), record(FP32, 2, (0, 4)), record(FP32, 3, (1, 0, 2))]
    kept, changed = kernels.rows_figure(own).data
    assert sorted(zip(kept.x, kept.y, strict=True)) == [(1, 1), (2, 1), (3, 2)]
    assert sorted(zip(changed.x, changed.y, strict=True)) == [(2, 2), (3, 1), (3, 3)]
    bars = kernels.amounts_figure(own).data[0]
    assert list(bars.y) == [0, 4 / 16, 3 / 24]


def test_amounts_are_those_of_the_largest_size() -> None:
    facts = dict(kernels.amounts([record(FP32, 1), record(FP32, 3, (1, 0, 2))]))
    values = list(map(plain, facts.values()))
    assert values[:2] == ["2 / 3", "12.50%"]


def test_the_table_has_a_row_a_record() -> None:
    frame = kernels.frame(AS_HERE)
    assert len(frame) == len(AS_HERE)
    assert frame["changed_rows"].sum() == 3 * (2 + 3)


def test_the_recording_is_whole_and_small() -> None:
    assert (FOLDER / "kernels.jsonl").stat().st_size < 300_000
    trace = recording("kernels")
    assert trace is not None
    assert trace.info.kind == "kernels"
    assert trace.info.settings["libraries"]["torch"] == trace.info.torch
    own = kernels.measured(trace.records)
    assert [r.rows for r in own] == [rows for rows in range(1, 65) for _ in CASES]
    found = {summary.case: summary for summary in summarise(own)}
    assert all(summary.repeats for summary in found.values())
    assert found[FP32].first == 2
    assert found[Case("matmul", "bf16")].changed_sizes == 0
    assert found[Case("matmul", "fp32", "lab")].changed_sizes == 0
    assert found[EMULATED].changed_sizes > 50


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_page_opens_on_the_recording(code: str) -> None:
    at = open_page("machine-kernels", lang=code)
    assert not at.exception
    assert len(at.dataframe[0].value) == 64 * len(CASES)
    assert 'class="origin recorded"' in "".join(html.value for html in at.html)


@pytest.mark.usefixtures("at_once")
def test_a_run_measures_this_machine() -> None:
    at = open_page("machine-kernels", rows="8", device="cpu")
    at.button(key="machine-kernels-run-begin").click().run()
    assert not at.exception
    assert len(at.dataframe[0].value) == 8 * len(CASES)
    assert 'class="origin live"' in "".join(html.value for html in at.html)


@pytest.mark.usefixtures("at_once")
def test_a_device_that_is_not_here_is_a_message() -> None:
    at = open_page("machine-kernels", device="mps")
    at.button(key="machine-kernels-run-begin").click().run()
    assert not at.exception
    assert "Device 'mps' is not on this machine." in at.error[0].value


@pytest.mark.parametrize("idea", ["lab", "emulated"])
def test_ideas_choose_the_operator(idea: str) -> None:
    at = open_page("machine-kernels")
    at.button(key=f"try-machine-kernels-try-{idea}").click().run()
    assert not at.exception
    assert str(at.session_state["machine-kernels-case"]).endswith(idea)
