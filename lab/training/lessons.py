"""What one training step learns from: target text in the draft's own vocabulary, a few texts at a time.

The groups are a function of the seed and the epoch alone, so that a resumed training meets the same
ones. Does not read files and does not train.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, TypeVar

import numpy as np
import torch
from torch import Tensor

from lab.training.target_text import TargetText

BUCKET = 16  # groups whose texts are sorted by length together, so that little is padded


class Learnable(Protocol):
    """A lesson is a frozen dataclass of tensors and numbers; `tokens` [positions] says how long it is."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def tokens(self) -> Tensor: ...


L = TypeVar("L", bound=Learnable)


@dataclass(frozen=True)
class Batch:
    """`n` positions of several continuations. Ids are the draft's; R, one past its tokens, stands for all
    others."""

    tokens: Tensor  # [rows, positions] int64: prompt and continuation but for its last token, padded
    where: Tensor  # [n] place in the flattened tokens of the position before each continuation token
    top_ids: Tensor  # [n, KEPT] int64
    top_p: Tensor  # [n, KEPT] FP32, 0 where the id is R


@dataclass(frozen=True)
class Lesson:
    """One continuation in the draft's ids."""

    tokens: Tensor  # [prompt + continuation − 1] int16
    top_ids: Tensor  # [continuation, KEPT] int16
    top_logprobs: Tensor  # [continuation, KEPT] FP16


@dataclass(frozen=True)
class FeatureLesson:
    """One continuation of n tokens with the target's features, for heads. Laws are in the heads' ids."""

    tokens: Tensor  # [prompt + n − 1] int32, the target's own ids
    features: Tensor  # [prompt + n − 1, taps · hidden] BF16
    top_ids: Tensor  # [n, KEPT] int16
    top_logprobs: Tensor  # [n, KEPT] FP16

    def chosen_at(self) -> Tensor:
        """The features [n, …] of the positions at which the continuation's tokens were chosen."""
        return self.features[-len(self.top_ids) :]


def frequent_tokens(texts: Iterable[TargetText], size: int) -> Tensor:
    """The `size` ids that these texts use most, rising [R] int64. Ties go to the lower id."""
    counts: Counter[int] = Counter()
    for text in texts:
        counts.update(text.ids)
        counts.update(text.prompt)
    ranked = sorted(counts, key=lambda token: (-counts[token], token))
    return torch.tensor(sorted(ranked[:size]))


def lessons(texts: Iterable[TargetText], vocabulary: Tensor, target_size: int) -> list[Lesson]:
    """Texts with every id mapped to its place in `vocabulary` [R], or to R."""
    inner = _places(vocabulary, target_size)
    return [
        Lesson(
            inner[torch.tensor([*text.prompt, *text.ids[:-1]])],
            inner[text.top_ids.long()],
            text.top_logprobs,
        )
        for text in texts
    ]


def feature_lessons(
    texts: Iterable[TargetText], features: Iterable[Tensor], vocabulary: Tensor, target_size: int
) -> list[FeatureLesson]:
    """Texts with their features [prompt + n − 1, taps · hidden], laws mapped as in `lessons`."""
    inner = _places(vocabulary, target_size)
    return [
        FeatureLesson(
            torch.tensor([*text.prompt, *text.ids[:-1]], dtype=torch.int32),
            seen,
            inner[text.top_ids.long()],
            text.top_logprobs,
        )
        for text, seen in zip(texts, features, strict=True)
    ]


def _places(vocabulary: Tensor, target_size: int) -> Tensor:
    """[target_size] int16: the place of each of the target's ids in `vocabulary` [R], or R."""
    inner = torch.full((target_size,), len(vocabulary), dtype=torch.int16)
    inner[vocabulary] = torch.arange(len(vocabulary), dtype=torch.int16)
    return inner


def groups(source: Sequence[L], rows: int, seed: int, epoch: int) -> Iterator[list[L]]:
    """Every lesson once, `rows` a group, in an order of this seed and epoch."""
    rng = np.random.default_rng((seed, epoch))
    order = rng.permutation(len(source))
    chunks: list[np.ndarray] = []
    for start in range(0, len(order), rows * BUCKET):
        bucket = sorted(order[start : start + rows * BUCKET], key=lambda at: len(source[at].tokens))
        chunks += [np.array(bucket[at : at + rows]) for at in range(0, len(bucket), rows)]
    for at in rng.permutation(len(chunks)):
        yield [source[lesson] for lesson in chunks[at]]


def batch(group: Sequence[Lesson]) -> Batch:
    widest = max(len(lesson.tokens) for lesson in group)
    tokens = torch.zeros(len(group), widest, dtype=torch.long)
    where: list[Tensor] = []
    for row, lesson in enumerate(group):
        length = len(lesson.tokens)
        tokens[row, :length] = lesson.tokens
        where.append(row * widest + torch.arange(length - len(lesson.top_ids), length))
    top_ids = torch.cat([lesson.top_ids for lesson in group]).long()
    top_p = torch.cat([lesson.top_logprobs for lesson in group]).float().exp()
    return Batch(tokens, torch.cat(where), top_ids, top_p)
