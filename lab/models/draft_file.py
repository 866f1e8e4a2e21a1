"""The file of a draft, or of heads on a target's features: weights and a vocabulary, in safetensors.

BF16 tensors, `vocabulary` [R] (the target's ids that are proposed, rising), and under one key of the
metadata, which says what kind of file it is, JSON about it. What the tensors mean is its reader's affair.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor

from lab.errors import LabError
from lab.models.loaded import LoadedModel
from lab.models.reduced import vocabulary_digest

FOLDER = Path(__file__).with_name("drafts")
VOCABULARY = "vocabulary"


@dataclass(frozen=True)
class Format:
    """One kind of file. `mark`: its key in the metadata; `what`: a word for it; `command` writes it."""

    mark: str
    what: str
    command: str


@dataclass(frozen=True)
class DraftFile:
    """`about` has at least the target's name and the digest of its vocabulary."""

    path: Path
    tensors: dict[str, Tensor]
    vocabulary: Tensor
    about: dict[str, Any]


def shipped(kind: Format) -> list[str]:
    """Names of the files of this kind that come with the lab."""
    return sorted(path.stem for path in FOLDER.glob("*.safetensors") if _is_of(path, kind))


def write(
    path: Path,
    kind: Format,
    tensors: dict[str, Tensor],
    vocabulary: Tensor,
    target: LoadedModel,
    about: dict[str, Any],
) -> None:
    """Write weights for `target`, rounded to BF16. `read` reads them back."""
    about = {"target": target.name, "digest": vocabulary_digest(target.tokenizer), **about}
    rounded = {name: each.detach().to("cpu", torch.bfloat16).contiguous() for name, each in tensors.items()}
    path.parent.mkdir(parents=True, exist_ok=True)
    save_file({**rounded, VOCABULARY: vocabulary}, path, metadata={kind.mark: json.dumps(about)})


def read(name: str, kind: Format, needed: Iterable[str]) -> DraftFile:
    """A shipped file of this kind by its name, or the .safetensors file at a path.

    `needed`: what must be known about it besides its target. Raises LabError for a name that is neither,
    and for a file that is damaged or of another kind.
    """
    names = shipped(kind)
    path = FOLDER / f"{name}.safetensors" if name in names else Path(name).expanduser()
    if not path.is_file():
        raise LabError(
            f"There is no {kind.what} {name!r}.",
            f"Choose {', '.join([*names, ''])}or a file that `{kind.command}` wrote.",
        )
    try:
        with safe_open(path, framework="pt") as stored:
            about = json.loads((stored.metadata() or {}).get(kind.mark, "null"))
            tensors = {key: stored.get_tensor(key) for key in stored.keys()}  # noqa: SIM118 - not a dict
    except (SafetensorError, OSError, ValueError, RuntimeError) as error:
        raise LabError(f"{path} cannot be read: {error}.", f"Write it again: `{kind.command}`.") from error
    vocabulary = tensors.pop(VOCABULARY, None)
    known = isinstance(about, dict) and about.keys() >= {"target", "digest", *needed}
    if vocabulary is None or not known:
        raise LabError(f"{path} is no {kind.what} of this lab.", f"Use a file of `{kind.command}`.")
    return DraftFile(path, tensors, vocabulary, about)


def check_vocabulary(path: Path, vocabulary: Tensor, target: LoadedModel) -> None:
    """Raise LabError where `vocabulary` is not of rising ids that the target has."""
    ids = vocabulary.dtype == torch.int64 and vocabulary.dim() == 1 and len(vocabulary) > 0
    rising = ids and bool((vocabulary[1:] > vocabulary[:-1]).all()) and int(vocabulary[0]) >= 0
    if not rising or int(vocabulary[-1]) >= target.transformer.config.vocab_size:
        raise LabError(f"The vocabulary of {path} is not one of rising ids of its target.", "Train it again.")


def _is_of(path: Path, kind: Format) -> bool:
    with safe_open(path, framework="pt") as stored:
        return kind.mark in (stored.metadata() or {})
