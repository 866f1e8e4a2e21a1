"""Every way of naming a model, with and without a network."""

import shutil
import subprocess
import sys
from pathlib import Path
from typing import ClassVar

import huggingface_hub
import pytest
import torch
from huggingface_hub import constants, errors

from lab.errors import LabError
from lab.models import fetch as fetching
from lab.models import hub, zoo
from lab.models.hub_folder import WEIGHTS, save_folder
from lab.models.tiny import tiny_checkpoint
from lab.models.zoo import MODELS, installed, load_checkpoint
from tests.lab.models.gguf_writing import sample, write_gguf

REVISION = "0123456789abcdef0123456789abcdef01234567"
OTHER = "f" * 40


def cached_model(cache: Path, repo: str, seed: int, revision: str, ref: str | None) -> Path:
    """A model in the hub cache's layout: snapshots of links into blobs, and a ref that names one."""
    base = cache / f"models--{repo.replace('/', '--')}"
    snapshot, blobs = base / "snapshots" / revision, base / "blobs"
    snapshot.mkdir(parents=True)
    blobs.mkdir(exist_ok=True)
    save_folder(tiny_checkpoint(seed), snapshot)
    for file in list(snapshot.iterdir()):
        blob = blobs / f"{revision[:4]}-{file.name}"
        shutil.move(file, blob)
        file.symlink_to(blob)
    if ref is not None:
        (base / "refs").mkdir(exist_ok=True)
        (base / "refs" / ref).write_text(revision)
    return snapshot


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty hub cache, and no network."""
    folder = tmp_path / "hub"
    folder.mkdir()
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(folder))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    return folder


def test_a_folder_and_a_file(tmp_path: Path) -> None:
    save_folder(tiny_checkpoint(2), tmp_path)
    assert load_checkpoint(str(tmp_path)).config == tiny_checkpoint(2).config
    write_gguf(sample(2), tmp_path / "t.gguf")
    heard: list[tuple[float, str]] = []
    read = load_checkpoint(str(tmp_path / "t.gguf"), lambda share, stage: heard.append((share, stage)))
    assert read.config == sample(2).config
    assert heard[-1] == (1.0, "convert")


def test_a_hub_model_from_the_local_cache(cache: Path) -> None:
    cached_model(cache, "org/tiny", 2, REVISION, "main")
    read = load_checkpoint("org/tiny")
    assert (read.name, read.source) == ("org/tiny", "hub org/tiny")
    assert torch.equal(read.tensors["model.norm.weight"], tiny_checkpoint(2).tensors["model.norm.weight"])


def test_a_revision_of_a_hub_model(cache: Path) -> None:
    cached_model(cache, "org/tiny", 2, REVISION, "main")
    cached_model(cache, "org/tiny", 3, OTHER, None)
    read = load_checkpoint(f"org/tiny@{OTHER}", download=False)
    assert torch.equal(read.tensors["model.norm.weight"], tiny_checkpoint(3).tensors["model.norm.weight"])


def test_the_environment_chooses_the_cache(tmp_path: Path) -> None:
    """The same in a process of its own, through the environment variables that people set."""
    cached_model(tmp_path, "org/tiny", 2, REVISION, "main")
    script = "from lab.models.zoo import *; print(load_checkpoint('org/tiny').name, *installed()[-1:])"
    environment = {
        "HF_HUB_CACHE": str(tmp_path),
        "HF_HUB_OFFLINE": "1",
        "PYTHONPATH": str(Path(__file__).parents[3]),
    }
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["org/tiny", "org/tiny"]


def test_an_incomplete_snapshot_is_downloaded_again(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    snapshot = cached_model(cache, "org/tiny", 2, REVISION, "main")
    (snapshot / WEIGHTS).unlink()
    with pytest.raises(LabError, match="not on this machine"):
        load_checkpoint("org/tiny", download=False)
    original = huggingface_hub.snapshot_download

    def download(repo: str, **options) -> str:
        if options["local_files_only"]:
            return original(repo, **options)
        assert repo == "org/tiny"
        assert "model-*.safetensors" in options["allow_patterns"]
        assert not any(pattern.endswith(".bin") for pattern in options["allow_patterns"])
        save_folder(tiny_checkpoint(2), snapshot)
        return str(snapshot)

    monkeypatch.setattr(huggingface_hub, "snapshot_download", download)
    assert load_checkpoint("org/tiny").name == "org/tiny"


def failing(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    original = huggingface_hub.snapshot_download

    def download(repo: str, **options) -> str:
        if options["local_files_only"]:
            return original(repo, **options)
        raise error

    monkeypatch.setattr(huggingface_hub, "snapshot_download", download)


class Response:
    headers: ClassVar[dict] = {}
    request = None
    status_code = 401


@pytest.mark.parametrize(
    ("error", "named"),
    [
        (errors.GatedRepoError("no", response=Response()), "org/tiny is gated"),
        (errors.RepositoryNotFoundError("no", response=Response()), "hub has no model org/tiny"),
        (errors.RevisionNotFoundError("no", response=Response()), "hub has no model org/tiny"),
        (errors.LocalEntryNotFoundError("no"), "could not be downloaded"),
        (ConnectionError("no"), "could not be downloaded"),
        (RuntimeError("a new kind of network error"), "could not be downloaded"),
    ],
)
def test_what_the_hub_refuses_is_said_plainly(
    cache: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, named: str
) -> None:
    failing(monkeypatch, error)
    with pytest.raises(LabError, match=named) as caught:
        load_checkpoint("org/tiny")
    assert caught.value.remedy


def test_without_a_network_a_hub_model_says_what_to_run(cache: Path) -> None:
    for download in (True, False):
        with pytest.raises(LabError) as caught:
            load_checkpoint("org/tiny", download=download)
        assert "python -m lab models fetch org/tiny" in caught.value.remedy


@pytest.mark.parametrize("name", ["gpt-9", "", "no such model", "org/a/b", "../secret", "-x/..@"])
def test_a_name_that_is_none_of_these(name: str, cache: Path) -> None:
    with pytest.raises(LabError):
        load_checkpoint(name)


def test_an_unknown_name_lists_the_choices() -> None:
    with pytest.raises(LabError, match="no model 'gpt-9'") as caught:
        load_checkpoint("gpt-9")
    assert "smollm2-135m" in caught.value.remedy


def test_an_absent_gguf_file_is_named() -> None:
    with pytest.raises(LabError, match="There is no file"):
        load_checkpoint("/nonexistent/x.gguf")


def test_the_pinned_model_is_not_fetched_unless_allowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(fetching.HOME_VARIABLE, str(tmp_path))
    fetched: list[str] = []
    monkeypatch.setattr(zoo, "fetch", lambda model, progress: fetched.append(model.name))
    with pytest.raises(LabError, match="not on this machine"):
        load_checkpoint("smollm2-135m", download=False)
    assert fetched == []
    with pytest.raises(LabError):
        load_checkpoint("smollm2-135m")
    assert fetched == ["smollm2-135m"]


def test_installed_lists_what_loads_without_a_download(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(fetching.HOME_VARIABLE, str(tmp_path))
    assert installed() == []
    cached_model(cache, "org/tiny", 2, REVISION, "main")
    cached_model(cache, "org/broken", 2, REVISION, "main").joinpath(WEIGHTS).unlink()
    other = cached_model(cache, "org/other", 2, REVISION, "main") / "config.json"
    other.unlink()
    other.write_text('{"model_type": "gpt2"}')
    unreadable = cached_model(cache, "org/unreadable", 2, REVISION, "main") / "config.json"
    unreadable.unlink()
    unreadable.write_text("{")
    assert installed() == ["org/tiny"]
    shutil.rmtree(cache)
    assert installed() == []


def test_the_registry_pins_what_it_names() -> None:
    for name, model in MODELS.items():
        assert model.name == name
        assert model.licence
        assert len(model.wheel_sha256) == len(model.member_sha256) == 64
        assert not hub.is_hub_id(name)
