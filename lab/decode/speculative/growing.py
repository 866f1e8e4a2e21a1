"""Trees of proposals: every row's tree grows level by level, all rows together, and is then pruned.

Nothing is verified here.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from lab.decode.batching import Running, all_finite
from lab.decode.requests import Request
from lab.decode.sampling import Sampling
from lab.decode.speculative.branching import Guesses, Sprout, TreeDrafter
from lab.decode.speculative.drafting import Drafts
from lab.decode.speculative.shapes import Shape, Sprig
from lab.decode.speculative.siblings import How, siblings
from lab.decode.speculative.tree import ROOT
from lab.decode.speculative.window import Window
from lab.errors import LabError
from lab.models.cache import KVCache


@dataclass
class _Growing:
    """One row's tree, with all that is grown of it."""

    sequence: Running
    window: Window
    text: list[int]
    sprigs: list[Sprig] = field(default_factory=list)
    level: list[Sprig] = field(default_factory=lambda: [Sprig(ROOT, (), 1.0)])
    asked: list[tuple[int, int]] = field(default_factory=list)
    """(node, children) of those that grow on."""

    def open_ends(self, eos_ids: Sequence[int]) -> list[Sprig]:
        """Nodes of the deepest level that something may follow; nothing follows an end of text."""
        if self.sequence.request.ignore_eos:
            return self.level
        words = [*self.window.tokens, None]  # the last is the root's
        return [sprig for sprig in self.level if words[sprig.node] not in eos_ids]

    def sprout(self) -> Sprout:
        fresh = [node for node, _ in self.asked]
        return Sprout(self.sequence.row, self.text, self.window, fresh)


def check_drawn(shape: Shape, how: How, sampling: Sampling) -> None:
    """Raises LabError for a shape that would choose among tokens drawn at random."""
    if not shape.static and how != "top" and sampling.temperature > 0.0:
        raise LabError(
            f"A dynamic tree keeps the likeliest of its tokens, and {how!r} siblings are drawn at random.",
            "That would change the output law: let siblings be `top`, or take a static shape.",
        )


class TreeDrafts(Drafts):
    """Windows that are trees of one shape."""

    def __init__(
        self,
        drafter: TreeDrafter,
        shape: Shape,
        how: How,
        requests: Sequence[Request],
        rows: int,
        positions: int,
        target: KVCache,
    ) -> None:
        for request in requests:
            check_drawn(shape, how, request.sampling)
        self._shape, self._how, self._name = shape, how, drafter.name
        self._branching = drafter.start_tree(rows, positions, shape.grown, target)
        super().__init__(requests, self._branching.caches)

    def draft(self, group: Sequence[Running], eos_ids: Sequence[int]) -> list[Window]:
        trees = [self._open(sequence) for sequence in group]
        for depth in range(self._shape.depth):
            growing = [tree for tree in trees if depth < tree.window.limit and self._ask(tree, eos_ids)]
            if not growing:
                break
            started = time.perf_counter()
            guesses = self._branching.branch([tree.sprout() for tree in growing])
            seconds = time.perf_counter() - started
            for tree, of_row in zip(growing, guesses, strict=True):
                self._grow(tree, of_row, seconds)
        for tree in trees:
            if not tree.level:
                tree.window.stopped = "nothing"
            elif not tree.open_ends(eos_ids):
                tree.window.stopped = "end"
        return [self._pruned(tree) for tree in trees]

    def _forget(self, row: int, committed: int) -> None:
        self._branching.cut(row, committed)

    def _open(self, sequence: Running) -> _Growing:
        # A round emits one token more than it accepts, so no path goes as far as the last that may follow.
        room = sequence.request.max_new_tokens - len(sequence.tokens) - 1
        depth = self._shape.depth
        window = Window(min(depth, room), "gamma" if depth <= room else "room")
        return _Growing(sequence, window, [*sequence.request.prompt, *sequence.tokens])

    def _ask(self, tree: _Growing, eos_ids: Sequence[int]) -> bool:
        """Whether some node of the deepest level grows on."""
        tree.asked = self._shape.children(tree.open_ends(eos_ids))
        return bool(tree.asked)

    def _grow(self, tree: _Growing, guesses: Sequence[Guesses], seconds: float) -> None:
        """Add the next level: children of each node that was asked, by the guesses after it."""
        request, window = tree.sequence.request, tree.window
        above = {sprig.node: sprig for sprig in tree.level}
        tree.level = []
        for (parent, count), of_node in zip(tree.asked, guesses, strict=True):
            for guess in of_node:
                if not bool(all_finite(guess.logits)):
                    raise LabError(
                        f"Drafter {self._name!r} gives NaN or infinite logits.", "Check its weights."
                    )
            context = tree.sequence.context(window.words(parent))
            children = siblings(of_node, request.sampling, context, count, self._how, tree.sequence.draws)
            for rank, child in enumerate(children):
                known = len(window.proposals)
                node = window.add(replace(child, parent=parent, seconds=seconds))
                if node == known:
                    value = above[parent].value * (child.confidence or 0.0)
                    sprig = Sprig(node, (*above[parent].ranks, rank), value)
                    tree.level.append(sprig)
                    tree.sprigs.append(sprig)

    def _pruned(self, tree: _Growing) -> Window:
        """The window with the nodes that the shape keeps, numbered anew."""
        window = tree.window
        kept = self._shape.kept(tree.sprigs)
        if len(kept) < len(window.proposals):
            number = {ROOT: ROOT} | {node: at for at, node in enumerate(kept)}
            window.proposals = [
                replace(window.proposals[node], parent=number[window.proposals[node].parent]) for node in kept
            ]
            window.draws = {
                number[parent]: [(number[node], drawn) for node, drawn in draws if node in number]
                for parent, draws in window.draws.items()
                if parent in number
            }
        return window
