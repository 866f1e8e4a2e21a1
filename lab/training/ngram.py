"""Counting: which tokens followed which, in continuations that the target wrote.

A prompt is context and is not counted itself. Contexts and followers outside the vocabulary are left
out, and so are followers seen fewer than `LEAST` times: their share goes to the shorter context.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt
from torch import Tensor

from lab.decode.speculative.ngram import Followers, NGramTable
from lab.models.reduced import inner_ids

LEAST = {2: 1, 3: 2}  # by order

Text = tuple[Sequence[int], Sequence[int]]  # a prompt and its continuation, the target's ids


def count_ngrams(texts: Iterable[Text], vocabulary: Tensor) -> NGramTable:
    """The table of these texts over `vocabulary` [R]."""
    grams = _grams(texts, vocabulary)
    size = len(vocabulary)
    last = grams[:, 2]
    counts = np.bincount(last[last >= 0], minlength=size).astype(np.int32)
    bi = grams[(grams[:, 1:] >= 0).all(1)].astype(np.int64)
    tri = grams[(grams >= 0).all(1)].astype(np.int64)
    return NGramTable(
        vocabulary,
        counts,
        _followers(bi[:, 1], bi[:, 2], size, LEAST[2]),
        _followers(tri[:, 0] * size + tri[:, 1], tri[:, 2], size, LEAST[3]),
    )


def _grams(texts: Iterable[Text], vocabulary: Tensor) -> npt.NDArray[np.int32]:
    """[tokens, 3] places in the vocabulary of the two tokens before each and its own; −1: not in it."""
    inner = inner_ids(vocabulary)
    rows: list[npt.NDArray[np.int32]] = []
    for prompt, ids in texts:
        places = [-1, -1, *(inner.get(token, -1) for token in (*prompt, *ids))]
        window = np.array(places[-len(ids) - 2 :], dtype=np.int32)
        rows.append(np.lib.stride_tricks.sliding_window_view(window, 3))
    return np.concatenate(rows)


def _followers(
    contexts: npt.NDArray[np.int64], tokens: npt.NDArray[np.int64], size: int, least: int
) -> Followers:
    pairs, counts = np.unique(contexts * size + tokens, return_counts=True)
    seen, totals = np.unique(contexts, return_counts=True)
    pairs, counts = pairs[counts >= least], counts[counts >= least]
    kept = np.isin(seen, pairs // size)
    seen, totals = seen[kept], totals[kept]
    starts = np.append(np.searchsorted(pairs, seen * size), len(pairs))
    return Followers(
        seen.astype(np.int32),
        totals.astype(np.int32),
        starts.astype(np.int32),
        (pairs % size).astype(np.uint16),
        counts.astype(np.int32),
    )
