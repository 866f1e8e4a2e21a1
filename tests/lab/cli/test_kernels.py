"""The commands `kernels` and `record logits`, in one process, and `trace` on what they write."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from lab import traces
from lab.cli import app
from lab.models.hub_folder import save_folder
from lab.models.tiny import tiny_checkpoint
from lab.numerics.machine import CASES
from lab.records import KernelRecord
from sims import head


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("kernels") / "kernels.jsonl"
    done = CliRunner().invoke(app, ["kernels", "--device", "cpu", "--rows", "2", "--out", str(path)])
    assert done.exit_code == 0, done.output
    assert "softmax" in done.output
    assert "torch" in done.output
    return path


def test_kernels_writes_a_trace(trace: Path) -> None:
    found = traces.read(trace)
    assert found.info.kind == "kernels"
    assert found.info.settings["rows"] == 2
    assert len(found.records) == 2 * len(CASES)
    assert all(isinstance(record, KernelRecord) for record in found.records)


def test_a_kernels_trace_can_be_shown_and_checked(trace: Path) -> None:
    shown = CliRunner().invoke(app, ["trace", "show", str(trace)])
    assert shown.exit_code == 0, shown.output
    assert "0/2" in shown.output
    checked = CliRunner().invoke(app, ["trace", "check", str(trace)])
    assert f"with {2 * len(CASES)} records" in checked.output


def test_record_logits_writes_what_the_simulations_read(tmp_path: Path) -> None:
    (tmp_path / "tiny").mkdir()
    save_folder(tiny_checkpoint(0), tmp_path / "tiny")
    out = tmp_path / "logits.npz"
    done = CliRunner().invoke(
        app, ["record", "logits", str(out), "--model", str(tmp_path / "tiny"), "--length", "3"]
    )
    assert done.exit_code == 0, done.output
    recording = head.read(out)
    assert recording.steps
    assert recording.origin.date.startswith("20")
