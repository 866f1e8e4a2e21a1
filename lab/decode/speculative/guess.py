"""What a drafter says of the next token."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True)
class Guess:
    """Finite logits [R] of the next token. `vocabulary` [R]: the token ids, rising, that they are of.

    None: all, from 0 on. Tokens outside have probability 0 and are never proposed; the output law is the
    target's all the same.
    """

    logits: Tensor
    vocabulary: Tensor | None = None


def one_hot(token: int) -> Guess:
    """The guess that is certain of a token."""
    return Guess(torch.zeros(1), torch.tensor([token]))
