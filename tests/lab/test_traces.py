from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab import traces
from lab.decode.batching import decode
from lab.decode.requests import Request
from lab.errors import LabError
from lab.models.transformer import Transformer
from lab.numerics.lanes import FP32
from lab.records import Candidate, Failure, PairRecord, TokenRecord
from lab.traces import Record, Trace

INFO = traces.run_info("decode", "m", "fp32", "cpu", {"prompt": "سلام «دنیا» 🙂", "n": 1})
finite = st.floats(allow_nan=False, allow_infinity=False)
ids = st.integers(0, 10**6)
tokens = st.builds(
    TokenRecord,
    request=st.text(),
    index=ids,
    token=ids,
    choice=ids,
    logit=finite,
    margin=finite,
    top=st.lists(st.builds(Candidate, token=ids, logit=finite, text=st.text()), max_size=5).map(tuple),
    batch=ids,
    rows=ids,
    lane=st.text(),
    seconds=finite,
    text=st.text(),
    finish=st.none() | st.text(),
)
records = st.one_of(
    tokens,
    st.builds(Failure, request=st.text(), index=ids, error=st.text()),
    st.builds(PairRecord, batch=ids, index=ids, alone=tokens, beside=tokens, max_delta=st.none() | finite),
)


@settings(max_examples=200)
@given(st.lists(records, max_size=5))
def test_nothing_is_lost(written: list[Record]) -> None:
    text = "\n".join(traces.dumps(INFO, written)) + "\n"
    assert traces.loads(text) == Trace(INFO, tuple(written))


def test_a_real_run_comes_back(tiny: Transformer, tmp_path: Path) -> None:
    steps = decode(tiny, [Request("a", (1, 2, 3), 5), Request("b", (4,), 7)], FP32)
    made = tuple(record for step in steps for record in step.records)
    path = tmp_path / "run.jsonl"
    traces.write(path, INFO, made)
    assert traces.read(path) == Trace(INFO, made)
    assert [p.name for p in tmp_path.iterdir()] == ["run.jsonl"]


def test_header_says_what_made_it() -> None:
    assert INFO.torch.startswith("2.")
    assert INFO.threads >= 1
    assert INFO.code.startswith("0.")
    assert "T" in INFO.date
    assert INFO.machine


def line(**changes: object) -> str:
    good = TokenRecord("a", 0, 1, 1, 1.0, 0.5, (Candidate(1, 1.0),), 1, 1, "fp32", 0.1)
    return json.dumps({**json.loads(list(traces.dumps(INFO, [good]))[1]), **changes})


HEADER = next(traces.dumps(INFO, []))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not a trace"),
        ("hello", "not a trace"),
        ("{}", "not a trace"),
        ('{"format": "other", "version": 1}', "not a trace"),
        (HEADER.replace('"version":1', '"version":9'), "version 9"),
        (HEADER + "\n" + "{", "line 2"),
        (HEADER + "\n" + "[]", "line 2"),
        (HEADER + "\n" + line(record="other"), "line 2"),
        (HEADER + "\n" + line() + "\n" + line(token="x"), "line 3.*token"),
        (HEADER + "\n" + line(margin="NaN"), "line 2.*margin"),
        (HEADER + "\n" + line().replace("0.5", "NaN"), "line 2.*margin"),
        (HEADER + "\n" + line(top=[[1]]), "line 2.*top"),
        (HEADER + "\n" + line()[:-20], "line 2"),
    ],
)
def test_what_is_no_trace_is_named(text: str, message: str) -> None:
    with pytest.raises(LabError, match=message):
        traces.loads(text, "file.jsonl")


def test_unreadable_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(LabError, match=r"nothing\.jsonl cannot be read"):
        traces.read(tmp_path / "nothing.jsonl")
    binary = tmp_path / "binary.jsonl"
    binary.write_bytes(b"\xff\xfe\x00\x01")
    with pytest.raises(LabError, match="not a text file"):
        traces.read(binary)
    with pytest.raises(LabError, match="cannot be read"):
        traces.read(tmp_path)


def test_an_interrupted_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    traces.write(path, INFO, [])
    before = path.read_text()

    def failing() -> object:
        yield Failure("a", 0, "x")
        raise RuntimeError

    with pytest.raises(RuntimeError):
        traces.write(path, replace(INFO, model="other"), failing())  # type: ignore[arg-type]
    assert path.read_text() == before
