"""EAGLE as a drafter of trees: it goes on from the target's features, then from its own.

Its cache holds pairs: position i is of the feature there and the token after it. When a round begins, the
target's features are known up to the last token but one, so all pairs of the text but none of the tree come
from true features; those that a former round predicted were forgotten with its tree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor

from lab.decode.speculative.branching import Branching, Grown, Guesses, Sprout
from lab.decode.speculative.guess import Guess
from lab.models.cache import KVCache
from lab.models.eagle import Eagle


@dataclass(frozen=True)
class EagleDrafter:
    eagle: Eagle

    @property
    def name(self) -> str:
        return self.eagle.name

    @property
    def parameters(self) -> int:
        return self.eagle.parameters + self.eagle.rows.stored.numel()

    @property
    def taps(self) -> tuple[int, ...]:
        return self.eagle.taps

    def start_tree(self, rows: int, positions: int, nodes: int, target: KVCache) -> Branching:
        return _EagleBranching(self.eagle, target, self.eagle.new_cache(rows, positions, spare=nodes))


@dataclass
class _EagleBranching:
    eagle: Eagle
    target: KVCache
    cache: KVCache
    grown: dict[int, Grown] = field(default_factory=dict)
    predicted: dict[int, dict[int, Tensor]] = field(default_factory=dict)
    """Of each row's root and nodes in this round: the feature [hidden] that is predicted there."""

    @property
    def caches(self) -> list[KVCache]:
        return [self.cache]

    def branch(self, sprouts: Sequence[Sprout]) -> list[list[Guesses]]:
        ends = self._root(sprouts) if sprouts[0].at_root else self._nodes(sprouts)
        guesses: list[Guesses] = [
            [Guess(row, self.eagle.vocabulary)] for row in self.eagle.logits(torch.cat(ends)).cpu()
        ]
        for sprout, features in zip(sprouts, ends, strict=True):
            self.predicted[sprout.row] |= dict(zip(sprout.fresh, features, strict=True))
        return [[guesses.pop(0) for _ in sprout.fresh] for sprout in sprouts]

    def cut(self, row: int, committed: int) -> None:
        held = self.cache.lengths[row]
        trunk = self.grown.pop(row).trunk if row in self.grown else held
        self.predicted.pop(row, None)
        # The last pair of a text is that of its last token but one; the newest token may replace another.
        self.cache.truncate([row], [min(held, trunk, committed - 2)])

    def _root(self, sprouts: Sequence[Sprout]) -> list[Tensor]:
        """Feed the pairs of each text that are missing; the feature [1, hidden] predicted at its end."""
        rows: list[int] = []
        positions: list[int] = []
        tokens: list[list[int]] = []
        for s in sprouts:
            held = self.cache.lengths[s.row]
            tokens.append(list(s.text[held + 1 :]))
            rows += [s.row] * len(tokens[-1])
            positions += range(held, len(s.text) - 1)
            self.grown[s.row], self.predicted[s.row] = Grown(len(s.text) - 1), {}
        true = self.eagle.entering(self.target.tapped(rows, positions, self.eagle.taps))
        made = self.eagle.forward(true, tokens, self.cache, [s.row for s in sprouts])
        return [part[-1:] for part in made.split([len(own) for own in tokens])]

    def _nodes(self, sprouts: Sequence[Sprout]) -> list[Tensor]:
        """Feed the fresh nodes with the features predicted at their parents; those [n, hidden] at them."""
        before = [self.predicted[s.row][s.window.proposals[node].parent] for s in sprouts for node in s.fresh]
        trees = [self.grown[s.row].feed(s) for s in sprouts]
        tokens = [s.tokens for s in sprouts]
        rows = [s.row for s in sprouts]
        made = self.eagle.forward(torch.stack(before), tokens, self.cache, rows, trees)
        return list(made.split([len(s.fresh) for s in sprouts]))
