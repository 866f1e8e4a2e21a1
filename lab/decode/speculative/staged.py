"""Staged speculation: the draft is itself speculated, by a drafter that is cheaper still.

A draft's step guesses one token. Here its pass also takes what the inner drafter thinks will follow, so that
it gives the draft's laws for several tokens ahead; they serve as long as the tokens drawn from them are those
that the inner drafter thought of. The laws are the draft's own, so nothing else changes. Spector and Ré,
"Staged Speculative Decoding" (2308.04623); there the inner drafts form a tree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import torch

from lab.decode.speculative.drafters import Drafter, Drafting, ModelDrafter
from lab.decode.speculative.guess import Guess
from lab.errors import LabError
from lab.models.cache import KVCache


@dataclass(frozen=True)
class StagedDrafter:
    """`ahead`: tokens that the inner drafter, which keeps no cache, thinks of at a time."""

    draft: ModelDrafter
    inner: Drafter
    ahead: int = 3

    def __post_init__(self) -> None:
        if not 1 <= self.ahead <= 16:
            raise LabError(f"ahead = {self.ahead} is not usable.", "Think of 1 to 16 tokens ahead.")

    @property
    def name(self) -> str:
        return f"{self.draft.name}, speculated by {self.inner.name}"

    @property
    def parameters(self) -> int:
        return self.draft.parameters

    def start(self, rows: int, positions: int) -> Drafting:
        inner = self.inner.start(rows, positions)
        if inner.cache is not None:
            raise LabError(
                f"The inner drafter {self.inner.name!r} keeps a cache.",
                "Take one that looks at the text alone.",
            )
        cache = self.draft.model.new_cache(rows, positions, self.draft.lane, spare=self.ahead)
        return _StagedDrafting(self, cache, inner)


@dataclass
class _StagedDrafting:
    staged: StagedDrafter
    cache: KVCache
    inner: Drafting
    known: dict[tuple[int, ...], Guess] = field(default_factory=dict)
    """The draft's guesses after texts that it has seen ahead of time."""

    def guess(self, rows: Sequence[int], texts: Sequence[Sequence[int]]) -> list[Guess | None]:
        asked = [tuple(text) for text in texts]
        new = [(row, text) for row, text in zip(rows, asked, strict=True) if text not in self.known]
        if new:
            self.known = {text: self.known[text] for text in asked if text in self.known} | self._look(new)
        return [self.known[text] for text in asked]

    def _look(self, asked: Sequence[tuple[int, tuple[int, ...]]]) -> dict[tuple[int, ...], Guess]:
        """The guesses after each text, and after each beginning of what the inner drafter thinks follows."""
        reduced = self.staged.draft.reduced
        thoughts = [self._think(row, text) for row, text in asked]
        held = [self.cache.lengths[row] for row, _ in asked]
        feeds = [[*text[n:], *more] for (_, text), more, n in zip(asked, thoughts, held, strict=True)]
        ids = feeds if reduced is None else [reduced.encode(feed) for feed in feeds]
        rows = [row for row, _ in asked]
        logits = self.staged.draft.model.forward(ids, self.cache, self.staged.draft.lane, rows, True).cpu()
        found: dict[tuple[int, ...], Guess] = {}
        for (row, text), more, own in zip(asked, thoughts, logits.split(list(map(len, feeds))), strict=True):
            self.cache.truncate([row], [len(text)])
            for count, row_logits in enumerate(own[len(own) - 1 - len(more) :]):
                guess = Guess(row_logits)
                if reduced is not None:
                    guess = Guess(row_logits[: reduced.size], reduced.vocabulary)
                found[(*text, *more[:count])] = guess
        return found

    def _think(self, row: int, text: tuple[int, ...]) -> list[int]:
        """What the inner drafter thinks will follow: its likeliest tokens."""
        thought: list[int] = []
        room = self.cache.capacity - len(text)
        while len(thought) < min(self.staged.ahead, room):
            (guess,) = self.inner.guess([row], [[*text, *thought]])
            if guess is None or not bool(torch.isfinite(guess.logits).all()):
                break
            place = int(guess.logits.argmax())
            thought.append(place if guess.vocabulary is None else int(guess.vocabulary[place]))
        return thought
