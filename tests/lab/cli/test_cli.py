"""The command line, run as a user runs it, on a tiny model in a folder of the hub's layout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from lab import traces
from lab.models.hub_folder import save_folder
from lab.models.tiny import tiny_checkpoint
from lab.records import PairRecord, TokenRecord

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("tiny")
    save_folder(tiny_checkpoint(0), folder)
    return str(folder)


def lab(*arguments: str, code: int = 0, **environment: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "lab", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env=os.environ | {"COLUMNS": "200"} | environment,
    )
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done


def test_generate_prints_text_and_writes_a_trace(model: str, tmp_path: Path) -> None:
    out = tmp_path / "run.jsonl"
    arguments = ("generate", "Hi", "there", "--model", model, "--max-new-tokens", "5", "--out", str(out))
    done = lab(*arguments)
    assert "— Hi" in done.stdout
    trace = traces.read(out)
    assert trace.info.kind == "decode"
    assert {record.request for record in trace.records} == {"prompt 0", "prompt 1"}  # type: ignore[union-attr]
    assert lab(*arguments).stdout == done.stdout


def test_json_output_is_the_trace(model: str) -> None:
    done = lab("generate", "Hi", "--model", model, "--max-new-tokens", "4", "--temperature", "0.9", "--json")
    trace = traces.loads(done.stdout)
    assert trace.info.lane == "fp32"
    assert all(isinstance(record, TokenRecord) for record in trace.records)


def test_neighbours(model: str, tmp_path: Path) -> None:
    out = tmp_path / "pairs.jsonl"
    arguments = ("neighbours", "Hi", "--model", model, "--batch", "2", "--batch", "4", "--length", "6")
    done = lab(*arguments, "--lane", "fp32", "--out", str(out))
    assert "max |Δlogit|" in done.stdout
    pairs = traces.read(out).records
    assert {pair.batch for pair in pairs if isinstance(pair, PairRecord)} == {2, 4}
    assert all(pair.max_delta == 0 for pair in pairs if isinstance(pair, PairRecord))
    shown = lab("trace", "show", str(out)).stdout
    assert "neighbours: tiny" in shown or "lane fp32" in shown
    assert "12 records" in lab("trace", "check", str(out)).stdout
    assert traces.loads(lab("trace", "show", str(out), "--json").stdout) == traces.read(out)


def test_models(model: str, tmp_path: Path) -> None:
    rows = [json.loads(line) for line in lab("models", "list", "--json").stdout.splitlines()]
    assert rows[0]["name"] == "smollm2-135m"
    none = [
        json.loads(line)
        for line in lab("models", "list", "--json", DECODING_LAB_HOME=str(tmp_path)).stdout.splitlines()
    ]
    assert none[0]["installed"] is False
    assert json.loads(lab("models", "show", model, "--json").stdout)["model_type"] == "llama"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("generate", ""), "The text is empty."),
        (("generate", "x" * 600), "the context of"),
        (("generate", "Hi", "--max-new-tokens", "0"), "asks for 0 new tokens"),
        (("generate", "Hi", "--lane", "fp8"), "no lane 'fp8'"),
        (("generate", "Hi", "--device", "tpu"), "no device 'tpu'"),
        (("generate", "Hi", "--temperature", "-1"), "temperature = -1"),
        (("neighbours", "Hi", "--batch", "1"), "leave nothing to compare"),
        (("neighbours", "Hi", "--switches", "softmax"), "no switch 'softmax'"),
        (("neighbours", "Hi", "--split-k", "x"), "split-K table"),
    ],
)
def test_bad_input_is_one_message(model: str, arguments: tuple[str, ...], message: str) -> None:
    done = lab(*arguments, "--model", model, code=2)
    assert message in done.stderr
    assert done.stdout == ""


def test_other_bad_input(tmp_path: Path) -> None:
    assert "no model 'nothing'" in lab("generate", "Hi", "--model", "nothing", code=2).stderr
    text = tmp_path / "text.jsonl"
    text.write_text("hello")
    assert "not a trace" in lab("trace", "show", str(text), code=2).stderr
    assert "cannot be read" in lab("trace", "check", str(tmp_path / "none.jsonl"), code=2).stderr
