"""Models of the hub, through `huggingface_hub` and its local cache.

A model that is in the cache is used as it is, without asking the network. Only the files that the lab
reads are downloaded.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import huggingface_hub
from huggingface_hub import constants, errors

from lab.errors import LabError
from lab.models.config import ARCHITECTURES
from lab.models.hub_folder import INDEX, WEIGHTS, weight_files

_FILES = (
    "config.json",
    "generation_config.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "chat_template.jinja",
    WEIGHTS,
    INDEX,
    "model-*.safetensors",
)
_ID = re.compile(r"[\w.-]+/[\w.-]+(@[\w./-]+)?", re.ASCII)


def is_hub_id(name: str) -> bool:
    """Whether the name reads as `org/name` or `org/name@revision`."""
    return _ID.fullmatch(name) is not None


def snapshot(name: str, download: bool = True) -> Path:
    """The local folder of a hub model, downloaded if it is absent or incomplete and `download` is set.

    Raises LabError when the model does not exist, is gated, or cannot be reached.
    """
    repo, _, revision = name.partition("@")
    cached = _cached(repo, revision)
    if cached is not None:
        return cached
    if not download:
        raise LabError(f"The model {name} is not on this machine.", _how_to_get(name))
    try:
        return _snapshot(repo, revision, local_files_only=False)
    except errors.GatedRepoError as error:
        raise LabError(f"The model {name} is gated.", "Accept its terms on the hub and log in.") from error
    except (errors.RepositoryNotFoundError, errors.RevisionNotFoundError) as error:
        raise LabError(f"The hub has no model {name}.", "Check the spelling.") from error
    except Exception as error:  # the library passes on what its network layer raises, and changes that layer
        raise LabError(f"The model {name} could not be downloaded.", _how_to_get(name)) from error


def cached_ids() -> list[str]:
    """The models in the hub's local cache that the lab can read, sorted."""
    try:
        repos = huggingface_hub.scan_cache_dir(constants.HF_HUB_CACHE).repos
    except errors.CacheNotFound:
        return []
    ids = [repo.repo_id for repo in repos if repo.repo_type == "model"]
    return sorted(name for name in ids if (folder := _cached(name, "")) is not None and _is_known(folder))


def _cached(repo: str, revision: str) -> Path | None:
    """The snapshot in the local cache, if all the files that the lab needs are there."""
    try:
        found = _snapshot(repo, revision, local_files_only=True)
        weight_files(found)
    except (errors.LocalEntryNotFoundError, errors.HFValidationError, LabError):
        return None
    return found if (found / "config.json").is_file() else None


def _snapshot(repo: str, revision: str, local_files_only: bool) -> Path:
    found = huggingface_hub.snapshot_download(
        repo, revision=revision or None, allow_patterns=list(_FILES), local_files_only=local_files_only
    )
    return Path(found)


def _is_known(folder: Path) -> bool:
    try:
        raw = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(raw, dict) and raw.get("model_type") in ARCHITECTURES


def _how_to_get(name: str) -> str:
    return f"When a network is there, run `python -m lab models fetch {name}`, or give a local folder."
