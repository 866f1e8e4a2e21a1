"""A small draft for one target: a transformer over a reduced vocabulary, in one safetensors file.

The file holds BF16 weights under the hub's names, the vocabulary, and as JSON in its metadata the
configuration, the target's name and the digest of the target's vocabulary. The model has one row
more than the vocabulary has tokens: it stands, as an input, for every token that the draft does not
know; as an output it is never proposed.

Drafts that share the target's whole vocabulary are models of the zoo: `zoo.load_checkpoint`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from torch import Tensor

from lab.errors import LabError
from lab.models import draft_file
from lab.models.checkpoint import Checkpoint, checked_tensors
from lab.models.config import ModelConfig
from lab.models.draft_file import Format
from lab.models.loaded import LoadedModel
from lab.models.reduced import check_same_vocabulary, inner_ids
from lab.models.transformer import Transformer

DEFAULT_DRAFT = "stories"
DRAFT = Format("decoding-lab-draft", "draft", "python -m lab train draft")


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
    return draft_file.shipped(DRAFT)


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
    file = draft_file.read(name, DRAFT, ("config",))
    path, about = file.path, file.about
    check_same_vocabulary(path.stem, about["target"], about["digest"], target)
    config = ModelConfig.from_hub(about["config"])
    draft_file.check_vocabulary(path, file.vocabulary, target)
    if config.vocab_size != len(file.vocabulary) + 1:
        raise LabError(
            f"The draft in {path} has {config.vocab_size} rows for {len(file.vocabulary)} tokens.",
            "It must have one more than its vocabulary: train it again.",
        )
    tensors = checked_tensors(file.tensors, config, path.stem)
    return StoredDraft(path.stem, about["target"], config, tensors, file.vocabulary)


def save_draft(
    path: Path, config: ModelConfig, tensors: dict[str, Tensor], vocabulary: Tensor, target: LoadedModel
) -> None:
    """Write a draft for `target`, its weights rounded to BF16. `load_draft` reads it back."""
    draft_file.write(path, DRAFT, tensors, vocabulary, target, {"config": config.to_hub()})
