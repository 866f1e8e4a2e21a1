"""What the machine's kernels do: measured, so the tests hold the measuring, not the outcome."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
import torch.nn.functional as F

from lab import traces
from lab.errors import LabError
from lab.numerics import machine
from lab.numerics.kernels import choose_kernels
from lab.numerics.machine import (
    CASES,
    HEAD_DIM,
    HIDDEN,
    OUTPUTS,
    Case,
    KernelRecord,
    libraries,
    measure,
    summarise,
    ulps_apart,
)

CPU = torch.device("cpu")
PRODUCTS = [case for case in CASES if case.operator == "matmul"]


@pytest.fixture(scope="module")
def records() -> list[KernelRecord]:
    return list(measure(CPU, 9, seed=1, cases=PRODUCTS))


def one(records: list[KernelRecord], case: Case, rows: int) -> KernelRecord:
    (found,) = [r for r in records if Case(r.operator, r.dtype, r.kernel) == case and r.rows == rows]
    return found


def test_every_case_comes_at_every_size_growing_together(records: list[KernelRecord]) -> None:
    assert [r.rows for r in records] == [rows for rows in range(1, 10) for _ in PRODUCTS]
    assert [(r.operator, r.dtype, r.kernel) for r in records[: len(PRODUCTS)]] == [
        (case.operator, case.dtype, case.kernel) for case in PRODUCTS
    ]


def test_one_row_is_itself(records: list[KernelRecord]) -> None:
    for record in records[: len(PRODUCTS)]:
        assert (record.rows, record.changed, record.max_ulps, record.max_delta) == (1, (), 0, 0)


def test_counts_equal_a_plain_comparison(records: list[KernelRecord]) -> None:
    dice = torch.Generator().manual_seed(1)
    x, weight = (torch.randn(shape, generator=dice) for shape in ((9, HIDDEN), (OUTPUTS, HIDDEN)))
    for rows in (2, 9):
        together = F.linear(x[:rows], weight)
        differ = [int((F.linear(x[i : i + 1], weight)[0] != together[i]).sum()) for i in range(rows)]
        record = one(records, Case("matmul", "fp32"), rows)
        assert list(record.changed or [0] * rows) == differ
        assert record.changed_rows == sum(count > 0 for count in differ)
        assert record.changed_share == pytest.approx(sum(differ) / (rows * OUTPUTS))


def test_the_lab_s_product_keeps_every_bit(records: list[KernelRecord]) -> None:
    """It was chosen for that, on this very shape."""
    choose_kernels(CPU, [(HIDDEN, OUTPUTS)], HEAD_DIM)
    assert not any(r.changed for r in records if r.kernel == "lab")


def test_the_emulated_product_changes_as_its_table_says(records: list[KernelRecord]) -> None:
    """One row has 4 parts, 2 to 8 rows have 2, and 9 have 1: rows change from the second size on.

    A row of 1,536 BF16 elements has a changed one with odds of about a third; over 2 … 9 rows the chance
    that none changes is below 1e-7.
    """
    emulated = [r for r in records if r.kernel == "emulated"]
    assert emulated[0].changed == ()
    assert any(r.changed for r in emulated)
    assert max(r.changed_share for r in emulated) < 0.01, "sparse: most sums round to the same BF16 number"
    # Equal split counts give equal bits: what changes at 5 rows is the start of what changes at 8.
    five, eight = (next(r for r in emulated if r.rows == rows) for rows in (5, 8))
    assert (five.changed or (0,) * 5) == (eight.changed or (0,) * 8)[:5]


def test_a_kernel_that_changes_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """A planted fault: with three rows or more, the second element of the last row moves by 2 ulps."""

    def faulty(case: Case, device: torch.device, rows: int, seed: int) -> machine.Rows:
        def run(span: slice) -> torch.Tensor:
            out = torch.ones(span.stop - span.start, 4)
            if len(out) >= 3:
                out[-1, 1] = 1 + 2 * 2.0**-23
            return out

        return run

    monkeypatch.setattr(machine, "_prepare", faulty)
    found = list(measure(CPU, 4, cases=[Case("matmul", "fp32")]))
    assert [r.changed for r in found] == [(), (), (0, 0, 1), (0, 0, 0, 1)]
    assert [r.max_ulps for r in found] == [0, 0, 2, 2]
    assert found[2].median_ulps == 2
    assert found[2].max_delta == pytest.approx(2.0**-22)
    assert all(r.repeats for r in found)
    (summary,) = summarise(found)
    assert (summary.sizes, summary.changed_sizes, summary.first, summary.max_ulps) == (4, 2, 3, 2)
    assert summary.changed_share == pytest.approx(1 / 16)


def test_a_kernel_that_does_not_repeat_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    dice = torch.Generator().manual_seed(0)

    def random(case: Case, device: torch.device, rows: int, seed: int) -> machine.Rows:
        return lambda span: torch.rand(span.stop - span.start, 8, generator=dice)

    monkeypatch.setattr(machine, "_prepare", random)
    assert not any(r.repeats for r in measure(CPU, 2, cases=[Case("matmul", "fp32")]))


@pytest.mark.parametrize("operator", ["rms_norm", "attention", "softmax"])
@pytest.mark.parametrize("dtype", ["fp32", "bf16", "fp16"])
def test_other_operators_run(operator: str, dtype: str) -> None:
    found = list(measure(CPU, 2, cases=[Case(operator, dtype)]))
    assert [r.rows for r in found] == [1, 2]
    assert all(r.row_elements > 1 and r.seconds > 0 for r in found)


def test_ulps_count_numbers_between() -> None:
    a = torch.tensor([1.0, 1.0, -0.0, 1.0, -1.0], dtype=torch.bfloat16)
    b = torch.tensor([1.0, 1.0078125, 0.0, 0.99609375, 1.0], dtype=torch.bfloat16)
    assert ulps_apart(a, b).tolist() == [0, 1, 0, 1, 2 * 0x3F80]


@pytest.mark.parametrize("rows", [0, -1, 65])
def test_impossible_sizes_are_named(rows: int) -> None:
    with pytest.raises(LabError, match=rf"{rows} rows.*1 to 64"):
        next(measure(CPU, rows))


def test_libraries_are_read_from_what_torch_tells() -> None:
    told = """PyTorch built with:
      - Intel(R) oneAPI Math Kernel Library Version 2024.2-Product Build 20240605
      - Intel(R) MKL-DNN v3.12.0 (Git Hash 80afa71049cd)
      - OpenMP 201511 (a.k.a. OpenMP 4.5)
      - CUDA Runtime 12.8
      - CuDNN 91.0.2
    """
    expected = {"MKL": "2024.2", "oneDNN": "3.12.0", "CUDA": "12.8", "cuDNN": "91.0.2", "OpenMP": "4.5"}
    assert libraries(told) == {"torch": torch.__version__} | expected
    assert libraries("nothing") == {"torch": torch.__version__}
    assert "torch" in machine.libraries_text()


def test_records_go_into_a_trace_and_back(records: list[KernelRecord], tmp_path: Path) -> None:
    info = traces.run_info("kernels", machine.libraries_text(), "native", "cpu", {"rows": 9})
    path = tmp_path / "kernels.jsonl"
    traces.write(path, info, records)
    assert traces.read(path).records == tuple(records)
