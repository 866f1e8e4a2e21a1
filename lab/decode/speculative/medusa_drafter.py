"""Medusa as a drafter of trees: head k guesses at depth k, whatever stands above it.

The feature is the target's at the last position of its cache, that before the newest token: the target's own
head has guessed the newest there, head 1 guesses what follows it. Nothing is computed after the root.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from lab.decode.speculative.branching import Branching, Guesses, Sprout
from lab.decode.speculative.guess import Guess
from lab.models.cache import KVCache
from lab.models.medusa import Medusa


@dataclass(frozen=True)
class MedusaDrafter:
    medusa: Medusa

    @property
    def name(self) -> str:
        return self.medusa.name

    @property
    def parameters(self) -> int:
        return self.medusa.parameters + self.medusa.heads * self.medusa.rows.stored.numel()

    @property
    def taps(self) -> tuple[int, ...]:
        return self.medusa.taps

    def start_tree(self, rows: int, positions: int, nodes: int, target: KVCache) -> Branching:
        return _MedusaBranching(self.medusa, target)


@dataclass
class _MedusaBranching:
    medusa: Medusa
    target: KVCache
    said: dict[int, list[Guesses]] = field(default_factory=dict)
    """Of each row in this round: the guess at every depth."""

    @property
    def caches(self) -> list[KVCache]:
        return []

    def branch(self, sprouts: Sequence[Sprout]) -> list[list[Guesses]]:
        if sprouts[0].at_root:
            rows = [sprout.row for sprout in sprouts]
            ends = [self.target.lengths[row] - 1 for row in rows]
            logits = self.medusa.logits(self.target.tapped(rows, ends, self.medusa.taps)).cpu()
            for row, of_heads in zip(rows, logits, strict=True):
                self.said[row] = [[Guess(each, self.medusa.vocabulary)] for each in of_heads]
        return [[self._guess(sprout, node) for node in sprout.fresh] for sprout in sprouts]

    def cut(self, row: int, committed: int) -> None:
        self.said.pop(row, None)

    def _guess(self, sprout: Sprout, node: int) -> Guesses:
        depth = len(sprout.window.words(node))
        return self.said[sprout.row][depth] if depth < self.medusa.heads else []
