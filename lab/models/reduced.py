"""A reduced vocabulary: the few thousand of the target's tokens that a small draft can propose.

A draft's law is zero at every other token; speculation stays lossless whatever the draft cannot say.
A draft belongs to one vocabulary of target tokens: a digest of it travels in the draft's file, so
that a draft cannot propose ids that mean something else to the target.
"""

from __future__ import annotations

import hashlib
import json

from torch import Tensor

from lab.errors import LabError
from lab.models.loaded import LoadedModel
from lab.models.tokenizer import Tokenizer


def vocabulary_digest(tokenizer: Tokenizer) -> str:
    """sha256 of every token with its id, special tokens among them."""
    tokens = tokenizer.backend.get_vocab(with_added_tokens=True)
    listed = sorted((index, token) for token, index in tokens.items())
    return hashlib.sha256(json.dumps(listed).encode()).hexdigest()


def check_same_vocabulary(draft: str, made_for: str, digest: str, target: LoadedModel) -> None:
    """Raise LabError, naming both models, where a draft was made for another vocabulary than the target's."""
    if vocabulary_digest(target.tokenizer) != digest:
        raise LabError(
            f"The draft {draft} proposes tokens of {made_for}, "
            f"and the vocabulary of {target.name} is not the same.",
            f"Use {made_for} as the target, or a draft that was made for {target.name}.",
        )


def inner_ids(vocabulary: Tensor) -> dict[int, int]:
    """Target id -> place in `vocabulary` [R]."""
    return {token: place for place, token in enumerate(vocabulary.tolist())}
