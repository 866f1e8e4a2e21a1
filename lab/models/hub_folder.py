"""A folder in the hub's layout as a checkpoint, and back: config.json, safetensors, tokenizer.json.

Reads one `model.safetensors` or a sharded set with its index, memory-mapped and in the stored dtypes.
Does not read pickled weights (they can run code) or tokenizers without a `tokenizer.json`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import tokenizers
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file

from lab.errors import LabError
from lab.models.checkpoint import Checkpoint, validate
from lab.models.config import ModelConfig, eos_from_hub
from lab.models.tokenizer import Tokenizer

WEIGHTS, INDEX = "model.safetensors", "model.safetensors.index.json"


def load_folder(folder: Path, name: str | None = None, source: str | None = None) -> Checkpoint:
    """Read a model folder. Raises LabError naming the file or tensor that is missing, broken or unusable."""
    if not folder.is_dir():
        raise LabError(f"There is no folder {folder}.", "Check the path.")
    raw = _json(folder / "config.json")
    generation = _json(folder / "generation_config.json", optional=True)
    settings = _json(folder / "tokenizer_config.json", optional=True)
    config = ModelConfig.from_hub(raw)
    backend = _tokenizer_backend(folder / "tokenizer.json")
    special = _named_tokens(settings)
    ids = (*config.eos_ids, *eos_from_hub(generation))
    if not ids and (fallback := backend.token_to_id(special.get("eos_token", ""))) is not None:
        ids = (fallback,)
    config = replace(config, eos_ids=tuple(dict.fromkeys(ids)))
    tokenizer = Tokenizer(backend, config.eos_ids, _chat_template(folder, settings), special)
    tensors: dict[str, torch.Tensor] = {}
    for file in weight_files(folder):
        tensors |= _tensors(file)
    return validate(Checkpoint(config, tensors, tokenizer, name or folder.name, source or str(folder)))


def save_folder(checkpoint: Checkpoint, folder: Path) -> None:
    """Write a checkpoint into an existing folder, so that `load_folder` and other programs read it."""
    tokenizer = checkpoint.tokenizer
    _write_json(folder / "config.json", checkpoint.config.to_hub())
    _write_json(
        folder / "tokenizer_config.json", {**tokenizer.special, "tokenizer_class": "PreTrainedTokenizerFast"}
    )
    (folder / "tokenizer.json").write_text(tokenizer.backend.to_str(), encoding="utf-8")
    if tokenizer.chat_template is not None:
        (folder / "chat_template.jinja").write_text(tokenizer.chat_template.source, encoding="utf-8")
    save_file(checkpoint.tensors, folder / WEIGHTS, metadata={"format": "pt"})


def weight_files(folder: Path) -> list[Path]:
    """The safetensors files of a folder, by its index if it has one. Raises LabError if one is absent."""
    if (folder / INDEX).is_file():
        named = _json(folder / INDEX).get("weight_map")
        if not isinstance(named, dict) or not named or not all(isinstance(n, str) for n in named.values()):
            raise _broken(folder / INDEX, "it has no weight_map")
        names = sorted(set(named.values()))
    else:
        names = [WEIGHTS]
    for name in names:
        if Path(name).name != name:
            raise _broken(folder / INDEX, f"it names a file outside the folder: {name}")
        if not (folder / name).is_file():
            raise LabError(
                f"{folder} has no {name}.",
                "The lab reads safetensors: fetch that file, or convert the weights.",
            )
    return [folder / name for name in names]


def _tensors(file: Path) -> dict[str, torch.Tensor]:
    try:
        with safe_open(file, framework="pt") as stored:
            return {key: stored.get_tensor(key) for key in stored.keys()}  # noqa: SIM118 - not a dict
    except (SafetensorError, OSError, ValueError, RuntimeError) as error:
        raise _broken(file, error) from error


def _tokenizer_backend(file: Path) -> tokenizers.Tokenizer:
    if not file.is_file():
        raise LabError(
            f"{file.parent} has no tokenizer.json.", "Fetch that file too, or convert the tokenizer."
        )
    try:
        return tokenizers.Tokenizer.from_file(str(file))
    except Exception as error:  # the library raises bare Exceptions
        raise _broken(file, error) from error


def _named_tokens(settings: Mapping[str, Any]) -> dict[str, str]:
    """`bos_token`, `eos_token` … of a tokenizer_config.json, given as a string or as a record."""
    entries = {key: value for key, value in settings.items() if key.endswith("_token")}
    contents = {
        key: value.get("content") if isinstance(value, dict) else value for key, value in entries.items()
    }
    return {key: content for key, content in contents.items() if isinstance(content, str)}


def _chat_template(folder: Path, settings: Mapping[str, Any]) -> str | None:
    file = folder / "chat_template.jinja"
    if file.is_file():
        return _text(file)
    template = settings.get("chat_template")
    if isinstance(template, list):  # several, by name
        named = [entry for entry in template if isinstance(entry, dict) and entry.get("name") == "default"]
        template = named[0].get("template") if named else None
    return template if isinstance(template, str) else None


def _json(file: Path, optional: bool = False) -> dict[str, Any]:
    if optional and not file.is_file():
        return {}
    if not file.is_file():
        raise LabError(f"{file.parent} has no {file.name}.", "Choose a folder in the hub's layout.")
    try:
        content = json.loads(_text(file))
    except (ValueError, RecursionError) as error:
        raise _broken(file, error) from error
    if not isinstance(content, dict):
        raise _broken(file, "it is not a JSON object")
    return content


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise _broken(file, error) from error


def _write_json(file: Path, content: Mapping[str, Any]) -> None:
    file.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def _broken(file: Path, problem: object) -> LabError:
    return LabError(f"{file} cannot be read: {problem}.", "Fetch the file again.")
