"""A small draft for one target: a transformer over a reduced vocabulary, in one safetensors file.

The file holds BF16 weights under the hub's names, the vocabulary, and as JSON in its metadata the
configuration, the target's name and the digest of the target's vocabulary. The model has one row
more than the vocabulary has tokens: it stands, as an input, for every token that the draft does not
know; as an output it is never proposed.

Drafts that share the target's whole vocabulary are models of the zoo: `zoo.load_checkpoint`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor

from lab.errors import LabError
from lab.models.checkpoint import Checkpoint, checked_tensors
from lab.models.config import ModelConfig
from lab.models.loaded import LoadedModel
from lab.models.reduced import check_same_vocabulary, inner_ids, vocabulary_digest
from lab.models.transformer import Transformer

FOLDER = Path(__file__).with_name("drafts")
DEFAULT_DRAFT = "stories"
VOCABULARY, METADATA = "vocabulary", "decoding-lab-draft"


@dataclass(frozen=True)
class DraftModel:
    """A draft on its target's device. `vocabulary` [R] int64: the target's ids that it proposes, rising.

    The transformer's logits [..., R + 1] are in the order of `vocabulary`; the last is the unknown token's.
    """

    transformer: Transformer
    vocabulary: Tensor
    name: str
    target: str

    @property
    def size(self) -> int:
        """R, how many tokens it can propose."""
        return len(self.vocabulary)

    @cached_property
    def _inner(self) -> dict[int, int]:
        return inner_ids(self.vocabulary)

    def encode(self, ids: Sequence[int]) -> list[int]:
        """The target's token ids as the draft's; R for those that it does not know."""
        unknown = self.size
        return [self._inner.get(token, unknown) for token in ids]


@dataclass(frozen=True)
class StoredDraft:
    """What a draft's file holds: weights [BF16] by the hub's names, and the vocabulary [R]."""

    name: str
    target: str
    config: ModelConfig
    tensors: dict[str, Tensor]
    vocabulary: Tensor


def shipped_drafts() -> list[str]:
    """Names of the drafts that come with the lab."""
    return sorted(path.stem for path in FOLDER.glob("*.safetensors"))


def load_draft(name: str, target: LoadedModel) -> DraftModel:
    """A shipped draft by name, or the draft in a .safetensors file, on the target's device.

    Raises LabError as `read_draft` does.
    """
    stored = read_draft(name, target)
    checkpoint = Checkpoint(stored.config, stored.tensors, target.tokenizer, stored.name, "draft")
    transformer = Transformer(checkpoint, target.transformer.device)
    return DraftModel(transformer, stored.vocabulary, stored.name, stored.target)


def read_draft(name: str, target: LoadedModel) -> StoredDraft:
    """A draft as it is stored, checked against `target`.

    Raises LabError for a name that is neither a shipped draft's nor a file's, a file that is no draft or
    is damaged, and a draft whose vocabulary is not the target's.
    """
    path = FOLDER / f"{name}.safetensors" if name in shipped_drafts() else Path(name).expanduser()
    if not path.is_file():
        raise LabError(
            f"There is no draft {name!r}.",
            f"Choose {', '.join(shipped_drafts())}, or a file that `python -m lab train draft` wrote.",
        )
    tensors, about = _read(path)
    check_same_vocabulary(path.stem, about["target"], about["digest"], target)
    vocabulary = tensors.pop(VOCABULARY)
    config = ModelConfig.from_hub(about["config"])
    _check_vocabulary(path, vocabulary, config, target)
    tensors = checked_tensors(tensors, config, path.stem)
    return StoredDraft(path.stem, about["target"], config, tensors, vocabulary)


def save_draft(
    path: Path, config: ModelConfig, tensors: dict[str, Tensor], vocabulary: Tensor, target: LoadedModel
) -> None:
    """Write a draft for `target`, its weights rounded to BF16. `load_draft` reads it back."""
    about = {
        "target": target.name,
        "digest": vocabulary_digest(target.tokenizer),
        "config": config.to_hub(),
    }
    rounded = {name: tensor.detach().to(torch.bfloat16).contiguous() for name, tensor in tensors.items()}
    path.parent.mkdir(parents=True, exist_ok=True)
    save_file({**rounded, VOCABULARY: vocabulary}, path, metadata={METADATA: json.dumps(about)})


def _read(path: Path) -> tuple[dict[str, Tensor], dict]:
    try:
        with safe_open(path, framework="pt") as stored:
            about = json.loads((stored.metadata() or {}).get(METADATA, "null"))
            tensors = {key: stored.get_tensor(key) for key in stored.keys()}  # noqa: SIM118 - not a dict
    except (SafetensorError, OSError, ValueError, RuntimeError) as error:
        raise LabError(f"{path} cannot be read: {error}.", "Train the draft again.") from error
    if (
        VOCABULARY not in tensors
        or not isinstance(about, dict)
        or not about.keys() >= {"target", "digest", "config"}
    ):
        raise LabError(f"{path} is not a draft of this lab.", "Use a file of `python -m lab train draft`.")
    return tensors, about


def _check_vocabulary(path: Path, vocabulary: Tensor, config: ModelConfig, target: LoadedModel) -> None:
    rising = bool((vocabulary[1:] > vocabulary[:-1]).all()) and int(vocabulary[0]) >= 0
    if not rising or int(vocabulary[-1]) >= target.transformer.config.vocab_size:
        raise LabError(f"The vocabulary of {path} is not one of rising ids of its target.", "Train it again.")
    if config.vocab_size != len(vocabulary) + 1:
        raise LabError(
            f"The draft in {path} has {config.vocab_size} rows for {len(vocabulary)} tokens.",
            "It must have one more than its vocabulary: train it again.",
        )
