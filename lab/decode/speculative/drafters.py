"""Who proposes: drafters behind one small interface.

A drafter guesses the logits of the next token of several rows at once; the loop applies the request's own
sampling transform, as to the target's, and draws. So every drafter is asked the same way, greedy or not.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import torch
from torch import Tensor

from lab.decode.speculative.branching import Branching, ModelBranching, TextBranching
from lab.decode.speculative.guess import Guess, one_hot
from lab.decode.speculative.ngram import NGramTable
from lab.decode.speculative.rule import check_law
from lab.errors import LabError
from lab.models.cache import KVCache
from lab.models.draft import DraftModel
from lab.models.transformer import Transformer
from lab.numerics.lanes import FP32, Lane


class Drafting(Protocol):
    """A drafter at work on the rows of one batch."""

    @property
    def cache(self) -> KVCache | None:
        """Its K/V cache, whose rows are those of the batch; the loop cuts and moves them."""

    def guess(self, rows: Sequence[int], texts: Sequence[Sequence[int]]) -> list[Guess | None]:
        """For each row, the logits after `texts[i]` (prompt, committed and drafted tokens); None: no idea.

        A row's cache may hold a shorter beginning of its text: what is missing is fed.
        """


class Drafter(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def parameters(self) -> int:
        """How many numbers it multiplies with for a token; 0 for a table or a rule."""

    def start(self, rows: int, positions: int) -> Drafting:
        """Begin with empty rows of at most `positions` positions."""


@dataclass(frozen=True)
class ModelDrafter:
    """A small model, of the target's tokenizer; its output vocabulary may be a part of the target's."""

    name: str
    model: Transformer
    lane: Lane = FP32
    reduced: DraftModel | None = None

    @property
    def parameters(self) -> int:
        return self.model.config.parameters

    def start(self, rows: int, positions: int) -> Drafting:
        return _ModelDrafting(self, self.model.new_cache(rows, positions, self.lane))

    @property
    def taps(self) -> tuple[int, ...]:
        return ()

    def start_tree(self, rows: int, positions: int, nodes: int, target: KVCache) -> Branching:
        cache = self.model.new_cache(rows, positions, self.lane, spare=nodes)
        return ModelBranching(self.model, self.lane, self.reduced, cache)


@dataclass(frozen=True)
class _ModelDrafting:
    drafter: ModelDrafter
    cache: KVCache

    def guess(self, rows: Sequence[int], texts: Sequence[Sequence[int]]) -> list[Guess | None]:
        reduced = self.drafter.reduced
        feeds = [list(text[self.cache.lengths[row] :]) for row, text in zip(rows, texts, strict=True)]
        if reduced is not None:
            feeds = [reduced.encode(feed) for feed in feeds]
        logits = self.drafter.model.forward(feeds, self.cache, self.drafter.lane, rows).cpu()
        if reduced is None:
            return [Guess(row) for row in logits]
        return [Guess(row[: len(reduced.vocabulary)], reduced.vocabulary) for row in logits]


@dataclass(frozen=True)
class _Stateless:
    """A drafter that looks at the text alone."""

    of: Callable[[Sequence[int]], Guess | None]
    cache: None = None

    def guess(self, rows: Sequence[int], texts: Sequence[Sequence[int]]) -> list[Guess | None]:
        return [self.of(text) for text in texts]


class _OfText(ABC):
    """Drafts chains and trees by what `_guess` makes of the text alone."""

    @property
    def taps(self) -> tuple[int, ...]:
        return ()

    def start(self, rows: int, positions: int) -> Drafting:
        return _Stateless(self._guess)

    def start_tree(self, rows: int, positions: int, nodes: int, target: KVCache) -> Branching:
        return TextBranching(self._guess)

    @abstractmethod
    def _guess(self, text: Sequence[int]) -> Guess | None:
        """The guess at what follows `text`."""


@dataclass(frozen=True)
class NGramDrafter(_OfText):
    """A table of what follows the last token or two."""

    name: str
    table: NGramTable
    parameters: int = 0

    def _guess(self, text: Sequence[int]) -> Guess:
        return Guess(self.table.logits(text), self.table.vocabulary)


@dataclass(frozen=True)
class LookupDrafter:
    """Prompt lookup: where the last tokens have stood before in the text, propose what followed them there.

    The longest match of `longest` to `shortest` tokens counts, the latest of several. A proposal is certain:
    its law is one-hot. Saxena, "Prompt Lookup Decoding" (2023).
    """

    longest: int = 3
    shortest: int = 1
    name: str = "lookup"
    parameters: int = 0

    def __post_init__(self) -> None:
        if not 1 <= self.shortest <= self.longest:
            raise LabError(
                f"A match of {self.shortest} to {self.longest} tokens is not usable.",
                "Give lengths of 1 or more, the longest not below the shortest.",
            )

    def start(self, rows: int, positions: int) -> Drafting:
        return _Stateless(self._look_up)

    def _look_up(self, text: Sequence[int]) -> Guess | None:
        followed = find_followed(text, self.longest, self.shortest)
        return None if followed is None else one_hot(followed)


def find_followed(text: Sequence[int], longest: int, shortest: int) -> int | None:
    """The token that followed the last tokens of `text` where they stood before; None where they did not."""
    for length in range(min(longest, len(text) - 1), shortest - 1, -1):
        tail = list(text[-length:])
        for start in range(len(text) - length - 1, -1, -1):
            if list(text[start : start + length]) == tail:
                return text[start + length]
    return None


@dataclass(frozen=True)
class UniformDrafter:
    """Every token is as likely as any other: a drafter that knows nothing, and is exact all the same."""

    vocab_size: int
    name: str = "uniform"
    parameters: int = 0

    def start(self, rows: int, positions: int) -> Drafting:
        guess = Guess(torch.zeros(self.vocab_size))
        return _Stateless(lambda text: guess)


@dataclass(frozen=True)
class ScriptedDrafter(_OfText):
    """Laws given by hand, for lessons and tests: `law(text)` gives probabilities [vocab], or None.

    A sampling transform at temperature 1 leaves them as they are. Raises LabError, when asked, for a law that
    does not sum to 1.
    """

    law: Callable[[Sequence[int]], Tensor | None] = field(repr=False)
    name: str = "scripted"
    parameters: int = 0

    def _guess(self, text: Sequence[int]) -> Guess | None:
        law = self.law(text)
        if law is None:
            return None
        check_law(law, f"drafter {self.name!r}")
        support = law.nonzero()[:, 0]
        return Guess(law.double()[support].log(), support)
