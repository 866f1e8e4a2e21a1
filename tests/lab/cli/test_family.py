"""`family`: one line a method, the trace, and what is refused before a model is loaded."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab import traces
from lab.cli import main
from lab.models.hub_folder import save_folder
from lab.models.tiny import tiny_checkpoint
from lab.round_records import FamilyRecord
from tests.lab.cli.invoked import lab


def test_a_table_and_its_trace(tmp_path: Path) -> None:
    model, out = tmp_path / "tiny", tmp_path / "family.jsonl"
    model.mkdir()
    save_folder(tiny_checkpoint(0), model)
    options = ("--methods", "lookup", "--max-new-tokens", "8", "--model", str(model), "--out", str(out))
    text = lab("family", "abcabc", "dd", *options)
    records = [record for record in traces.read(out).records if isinstance(record, FamilyRecord)]
    assert [record.method for record in records] == ["serial", "serial", "lookup", "lookup"]
    for shown in (text, lab("trace", "show", str(out))):
        lines = {line.split()[0]: line.split() for line in shown.splitlines() if line.split()}
        assert lines["serial"][1:3] == ["1.00", "14"]
        assert int(lines["lookup"][2]) == sum(record.passes for record in records[2:])
        assert lines["lookup"][6:] == ["2/2", "in", "FP32"]


def test_an_unknown_method_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["lab", "family", "aa", "--methods", "magic", "--model", "no-such"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert "no method 'magic'" in capsys.readouterr().err
