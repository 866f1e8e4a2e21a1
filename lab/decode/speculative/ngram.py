"""An n-gram table as a law: what followed the last token or two, in text that the target wrote.

Absolute discounting with interpolation (Ney, Essen and Kneser, 1994). With c(h) the times that a
context h was seen and c(hw) the times that w followed it,

    P(w | h) = max(c(hw) − D, 0) / c(h) + (what the first term leaves) · P(w | h′),

where h′ is h without its oldest token and the sum ends at the unigram law, which has every token of
the vocabulary (add-one). Counts that were pruned from the file leave their share to P(w | h′), so the law
sums to 1. An order below the table's uses the shorter contexts alone.

Reads and evaluates tables. `lab.training.ngram` counts them.
"""

from __future__ import annotations

import json
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from lab.errors import LabError
from lab.models.draft_file import FOLDER
from lab.models.loaded import LoadedModel
from lab.models.reduced import check_same_vocabulary, inner_ids, vocabulary_digest

SHIPPED_NGRAM = FOLDER / "ngram.npz"
DISCOUNT = 0.75
ORDERS = (1, 2, 3)
_TABLES = ("bi", "tri")
_PARTS = ("contexts", "totals", "starts", "tokens", "counts")  # of Followers

Ints = npt.NDArray[np.integer]


@dataclass(frozen=True)
class Followers:
    """What followed each context, a sparse table: context k has the entries from starts[k] to starts[k + 1].

    A context is one number: the place of its token in the vocabulary, or place · R + place for two.
    """

    contexts: Ints  # [contexts], rising
    totals: Ints  # [contexts] c(h), pruned followers among them
    starts: Ints  # [contexts + 1]
    tokens: Ints  # [entries] places in the vocabulary
    counts: Ints  # [entries] c(hw)

    def row(self, context: int) -> tuple[Ints, Ints, int] | None:
        """(tokens, counts, c(h)) of a context; None for one that was not seen."""
        at = int(np.searchsorted(self.contexts, context))
        if at == len(self.contexts) or self.contexts[at] != context:
            return None
        span = slice(int(self.starts[at]), int(self.starts[at + 1]))
        return self.tokens[span], self.counts[span], int(self.totals[at])


@dataclass(frozen=True)
class NGramTable:
    """A table of one target. `vocabulary` [R] int64: the target's ids that it proposes, rising."""

    vocabulary: Tensor
    counts: Ints  # [R] of single tokens
    bigrams: Followers
    trigrams: Followers
    order: int = 3

    def __post_init__(self) -> None:
        if self.order not in ORDERS:
            raise LabError(f"An n-gram of order {self.order} is not in the table.", "Use 1, 2 or 3.")

    @cached_property
    def _inner(self) -> dict[int, int]:
        return inner_ids(self.vocabulary)

    @cached_property
    def _unigram(self) -> npt.NDArray[np.float64]:
        smoothed = self.counts.astype(np.float64) + 1
        return smoothed / smoothed.sum()

    def law(self, context: Sequence[int]) -> npt.NDArray[np.float64]:
        """P(w | the end of `context`) [R] FP64 over `vocabulary`; `context` in the target's ids."""
        law = self._unigram
        for length, table in ((1, self.bigrams), (2, self.trigrams))[: self.order - 1]:
            key = self._key(context[-length:])
            row = None if key is None or len(context) < length else table.row(key)
            if row is None:
                break
            law = _interpolated(row, law)
        return law

    def _key(self, tokens: Sequence[int]) -> int | None:
        """The number of a context; None where one of its tokens is not in the vocabulary."""
        key = 0
        for token in tokens:
            place = self._inner.get(token)
            if place is None:
                return None
            key = key * len(self.vocabulary) + place
        return key

    def logits(self, context: Sequence[int]) -> Tensor:
        """log P [R] FP32 over `vocabulary`: finite, since no token has probability 0."""
        return torch.from_numpy(np.log(self.law(context))).float()


def _interpolated(row: tuple[Ints, Ints, int], shorter: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    tokens, counts, total = row
    kept = (counts - DISCOUNT) / total
    law = shorter * (1 - kept.sum())
    law[tokens] += kept
    return law


def load_ngram(path: Path, target: LoadedModel, order: int = 3) -> NGramTable:
    """The table in an .npz file, for a drafter of this order.

    Raises LabError for a file that is no table, an order it lacks, and a table of another vocabulary.
    """
    try:
        with np.load(path, allow_pickle=False) as stored:
            about = json.loads(str(stored["about"]))
            arrays = {name: stored[name] for name in stored.files if name != "about"}
        vocabulary, counts = torch.from_numpy(arrays["vocabulary"].astype(np.int64)), arrays["counts"]
        bigrams, trigrams = (Followers(*(arrays[f"{name}_{part}"] for part in _PARTS)) for name in _TABLES)
        made_for, digest = str(about["target"]), str(about["digest"])
    except (OSError, EOFError, ValueError, KeyError, TypeError, zipfile.BadZipFile, zlib.error) as error:
        raise LabError(
            f"{path} is not an n-gram table: {error}.", "Use a file of `python -m lab train ngram`."
        ) from error
    check_same_vocabulary(path.stem, made_for, digest, target)
    return NGramTable(vocabulary, counts, bigrams, trigrams, order)


def save_ngram(path: Path, table: NGramTable, target: LoadedModel) -> None:
    """Write a table for `target`. `load_ngram` reads it back."""
    about = {"target": target.name, "digest": vocabulary_digest(target.tokenizer)}
    arrays: dict[str, Any] = {
        "vocabulary": table.vocabulary.numpy().astype(np.int32),
        "counts": table.counts,
    }
    for name, followers in zip(_TABLES, (table.bigrams, table.trigrams), strict=True):
        arrays |= {f"{name}_{part}": getattr(followers, part) for part in _PARTS}
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(path, about=json.dumps(about), **arrays)
