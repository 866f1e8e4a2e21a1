"""Drafters of trees: they guess after many nodes at once, level by level.

At each level a drafter is shown the tree so far and the nodes that are to grow on, and gives its guesses for
the token after each. Which tokens are taken is the shape's and the siblings' matter.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from torch import Tensor

from lab.decode.speculative.guess import Guess
from lab.decode.speculative.tree import ROOT
from lab.decode.speculative.window import Window
from lab.errors import LabError
from lab.models.branches import Branches
from lab.models.cache import KVCache
from lab.models.draft import DraftModel
from lab.models.transformer import Transformer
from lab.numerics.lanes import Lane

Guesses = Sequence[Guess]
"""Of one node: one from each draft that has an idea."""


@dataclass(frozen=True)
class Sprout:
    """A row's tree so far, and the nodes after which guesses are asked: the root first, then each level's."""

    row: int
    text: Sequence[int]
    """Prompt and committed tokens."""
    window: Window
    fresh: Sequence[int]

    @property
    def at_root(self) -> bool:
        return list(self.fresh) == [ROOT]

    @property
    def tokens(self) -> list[int]:
        """Those of the fresh nodes."""
        return [self.window.proposals[node].token for node in self.fresh]


class Branching(Protocol):
    """A drafter of trees at work on the rows of one batch."""

    @property
    def caches(self) -> list[KVCache]:
        """Those whose rows are the batch's; the loop moves and clears them."""

    def branch(self, sprouts: Sequence[Sprout]) -> list[list[Guesses]]:
        """The guesses after each fresh node of each row."""

    def cut(self, row: int, committed: int) -> None:
        """Forget the tree, and the positions of tokens that do not stand. The last committed token is new."""


class TreeDrafter(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def parameters(self) -> int: ...

    @property
    def taps(self) -> tuple[int, ...]:
        """Features of the target that it reads from the target's cache (`Transformer.new_cache`)."""
        return ()

    def start_tree(self, rows: int, positions: int, nodes: int, target: KVCache) -> Branching:
        """Begin with empty rows of at most `positions` positions and trees of at most `nodes` nodes."""


@dataclass(frozen=True)
class TextBranching:
    """A drafter that looks at the text alone."""

    of: Callable[[Sequence[int]], Guess | None]

    @property
    def caches(self) -> list[KVCache]:
        return []

    def branch(self, sprouts: Sequence[Sprout]) -> list[list[Guesses]]:
        return [
            [_known(self.of([*sprout.text, *sprout.window.words(node)])) for node in sprout.fresh]
            for sprout in sprouts
        ]

    def cut(self, row: int, committed: int) -> None:
        """It remembers nothing."""


@dataclass
class Grown:
    """The tree in a row of a drafter's own cache: slots of its trunk, and the nodes fed, in order."""

    trunk: int
    nodes: list[int] = field(default_factory=list)

    def feed(self, sprout: Sprout) -> Branches:
        """The layout once the fresh nodes stand behind those that were fed before."""
        self.nodes += sprout.fresh
        place = {node: at for at, node in enumerate(self.nodes)} | {ROOT: ROOT}
        return Branches(self.trunk, tuple(place[sprout.window.proposals[node].parent] for node in self.nodes))


@dataclass
class ModelBranching:
    """A small model whose own passes are over trees: all nodes of a level in one."""

    model: Transformer
    lane: Lane
    reduced: DraftModel | None
    cache: KVCache
    grown: dict[int, Grown] = field(default_factory=dict)

    @property
    def caches(self) -> list[KVCache]:
        return [self.cache]

    def branch(self, sprouts: Sequence[Sprout]) -> list[list[Guesses]]:
        rows = [sprout.row for sprout in sprouts]
        if sprouts[0].at_root:  # all rows grow level by level together
            feeds = [list(s.text[self.cache.lengths[s.row] :]) for s in sprouts]
            self.grown |= {s.row: Grown(len(s.text)) for s in sprouts}
            logits = self.model.forward(self._ids(feeds), self.cache, self.lane, rows)
        else:
            feeds = [s.tokens for s in sprouts]
            trees = [self.grown[s.row].feed(s) for s in sprouts]
            logits = self.model.forward(self._ids(feeds), self.cache, self.lane, rows, True, trees)
        guesses: list[Guesses] = [[self._guess(row)] for row in logits.cpu()]
        counts = [len(sprout.fresh) for sprout in sprouts]
        return [[guesses.pop(0) for _ in range(count)] for count in counts]

    def cut(self, row: int, committed: int) -> None:
        held = self.cache.lengths[row]
        trunk = self.grown.pop(row).trunk if row in self.grown else held
        self.cache.truncate([row], [min(held, trunk, committed - 1)])

    def _ids(self, feeds: list[list[int]]) -> list[list[int]]:
        return feeds if self.reduced is None else [self.reduced.encode(feed) for feed in feeds]

    def _guess(self, logits: Tensor) -> Guess:
        if self.reduced is None:
            return Guess(logits)
        return Guess(logits[: self.reduced.size], self.reduced.vocabulary)


@dataclass(frozen=True)
class Several:
    """Several drafts that share one tree: each node's children come from all of them in turn.

    Miao et al., SpecInfer (2305.09781), §3: merge-based trees. Here every draft guesses after every node.
    """

    drafters: tuple[TreeDrafter, ...]

    def __post_init__(self) -> None:
        if not self.drafters:
            raise LabError("A tree of no draft has no nodes.", "Name one draft or more.")

    @property
    def name(self) -> str:
        return " + ".join(drafter.name for drafter in self.drafters)

    @property
    def parameters(self) -> int:
        return sum(drafter.parameters for drafter in self.drafters)

    @property
    def taps(self) -> tuple[int, ...]:
        return tuple(dict.fromkeys(tap for drafter in self.drafters for tap in drafter.taps))

    def start_tree(self, rows: int, positions: int, nodes: int, target: KVCache) -> Branching:
        return _Together([each.start_tree(rows, positions, nodes, target) for each in self.drafters])


@dataclass(frozen=True)
class _Together:
    parts: list[Branching]

    @property
    def caches(self) -> list[KVCache]:
        return [cache for part in self.parts for cache in part.caches]

    def branch(self, sprouts: Sequence[Sprout]) -> list[list[Guesses]]:
        of_parts = [part.branch(sprouts) for part in self.parts]
        return [
            [[guess for guesses in of_node for guess in guesses] for of_node in zip(*of_row, strict=True)]
            for of_row in zip(*of_parts, strict=True)
        ]

    def cut(self, row: int, committed: int) -> None:
        for part in self.parts:
            part.cut(row, committed)


def _known(guess: Guess | None) -> Guesses:
    return [] if guess is None else [guess]
