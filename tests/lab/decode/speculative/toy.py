"""Toy models over a handful of tokens: what a loop needs of a transformer, with a K/V cache that can be read.

A toy keeps every token that it is fed in a real K/V cache and computes its logits from what the cache holds,
so a position that should have been cut changes what it says. Its laws depend on the whole text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
import torch
from torch import Tensor

from lab.decode.speculative.drafters import ModelDrafter
from lab.decode.speculative.ngram import Followers, NGramTable
from lab.errors import LabError
from lab.models.branches import Branches
from lab.models.cache import KVCache
from lab.models.config import ModelConfig
from lab.models.draft import DraftModel
from lab.models.rope import RopeConfig
from lab.numerics.lanes import Lane

Logits = Callable[[tuple[int, ...]], Tensor]
"""FP32 logits [vocab] after a text."""

NEVER = -1e9
"""A finite logit whose probability is 0."""


def random_logits(seed: int, vocab: int, support: Sequence[int] | None = None, spread: float = 1.5) -> Logits:
    """Normal logits that depend on the whole text; those outside `support` have probability 0."""

    @cache
    def logits(text: tuple[int, ...]) -> Tensor:
        made = np.random.default_rng([seed, *text]).normal(size=vocab) * spread
        if support is not None:
            made[[token for token in range(vocab) if token not in support]] = NEVER
        return torch.from_numpy(made).float()

    return logits


def tied_logits(seed: int, vocab: int) -> Logits:
    """Logits of 0, 1 or 2: most laws have ties, many for the first place."""

    @cache
    def logits(text: tuple[int, ...]) -> Tensor:
        return torch.from_numpy(np.random.default_rng([seed, *text]).integers(0, 3, vocab)).float()

    return logits


class ToyModel:
    """As much of `Transformer` as decoding uses."""

    def __init__(
        self, logits: Logits, vocab: int, eos_ids: tuple[int, ...] = (), name: str = "toy", context: int = 64
    ) -> None:
        self.logits, self.name = logits, name
        self.config = ModelConfig(
            "llama", vocab, 2, 2, 1, 1, 1, 2, 1e-6, RopeConfig(), context, tied_head=True, eos_ids=eos_ids
        )

    def new_cache(
        self, rows: int, positions: int, lane: Lane, taps: Sequence[int] = (), spare: int = 0
    ) -> KVCache:
        return KVCache(1, rows, 1, positions + spare, 2, torch.float32, torch.device("cpu"))

    def forward(
        self,
        tokens: Sequence[Sequence[int]],
        cache: KVCache,
        lane: Lane,
        rows: Sequence[int] | None = None,
        every_position: bool = False,
        branches: Sequence[Branches] | None = None,
    ) -> Tensor:
        """Append to the cache and give logits, as `Transformer.forward`."""
        out = []
        rows = range(len(tokens)) if rows is None else rows
        trees = [None] * len(tokens) if branches is None else branches
        for row, new, tree in zip(rows, tokens, trees, strict=True):
            if not new or not all(0 <= token < self.config.vocab_size for token in new):
                raise LabError(f"Tokens {list(new)} cannot be fed.", "Feed at least one that is known.")
            end = cache.lengths[row] + len(new)
            cache.k[0, row, 0, cache.lengths[row] : end] = torch.tensor(new).float()[:, None]
            cache.lengths[row] = end
            text = held(cache, row)
            slots = range(end - len(new), end) if every_position else [end - 1]
            out += [self.logits(read_by(text, slot, tree)) for slot in slots]
        return torch.stack(out)


def held(cache: KVCache, row: int) -> tuple[int, ...]:
    """The tokens whose positions a toy's cache holds."""
    return tuple(cache.k[0, row, 0, : cache.lengths[row], 0].int().tolist())


def read_by(text: tuple[int, ...], slot: int, tree: Branches | None) -> tuple[int, ...]:
    """What the query of a slot sees of a row's tokens: all up to it, in a tree its ancestors alone."""
    if tree is None or slot < tree.base:
        return text[: slot + 1]
    path = sorted(tree.ancestors[slot - tree.base])
    return (*text[: tree.base], *(text[tree.base + place] for place in path))


def toy_draft(logits: Logits, vocab: int) -> ModelDrafter:
    """A drafter that is a model of the target's vocabulary."""
    return ModelDrafter("toy draft", ToyModel(logits, vocab))  # type: ignore[arg-type]


def reduced_draft(seed: int, vocabulary: Sequence[int], spread: float = 1.5) -> ModelDrafter:
    """A drafter that is a model of a part of the vocabulary; it reads its own ids."""
    size = len(vocabulary)
    model = ToyModel(random_logits(seed, size + 1, spread=spread), size + 1)
    reduced = DraftModel(model, torch.tensor(vocabulary), "reduced toy", "toy")  # type: ignore[arg-type]
    return ModelDrafter("reduced toy", model, reduced=reduced)  # type: ignore[arg-type]


def toy_table(vocabulary: Sequence[int], order: int = 3) -> NGramTable:
    """A trigram table with a few contexts, some of their followers left out."""

    def followers(contexts: list[int], rows: list[list[tuple[int, int]]]) -> Followers:
        entries = [entry for row in rows for entry in row]
        return Followers(
            np.array(contexts),
            np.array([sum(count for _, count in row) + 2 for row in rows]),
            np.cumsum([0, *map(len, rows)]),
            np.array([token for token, _ in entries]),
            np.array([count for _, count in entries]),
        )

    size = len(vocabulary)
    return NGramTable(
        torch.tensor(vocabulary),
        np.array([5, 2, 1, 3, 1, 1][:size]),
        followers([0, 1], [[(0, 2), (1, 5)], [(0, 3)]]),
        followers([1, size + 1], [[(1, 4)], [(0, 1), (1, 1)]]),
        order,
    )
