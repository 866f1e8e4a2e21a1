"""The form of a token tree: fixed beforehand by ranks, or grown where the draft is confident.

A shape says which nodes get how many children; which tokens those are is siblings.py's. A static shape
depends on no token, so its children may be drawn at random. A dynamic one looks at the tokens' confidence,
so its children must be certain, else choosing among drawn tokens would change the output law.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from lab.decode.speculative.tree import MAX_NODES
from lab.errors import LabError

MAX_GROWN = 1024
"""Nodes that a dynamic tree may grow before it is pruned: each costs the draft a position."""

Ranks = tuple[int, ...]
"""A node by the way to it: the rank of each token among its siblings, from 0."""


@dataclass(frozen=True)
class Sprig:
    """A node of a growing tree as a shape sees it."""

    node: int
    ranks: Ranks
    value: float
    """The product of the confidences along its path."""


class Shape(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def depth(self) -> int: ...

    @property
    def nodes(self) -> int:
        """No tree has more."""

    @property
    def grown(self) -> int:
        """No tree has more before it is pruned."""

    @property
    def static(self) -> bool:
        """Whether it looks at no token: drawn siblings need that."""

    def children(self, level: Sequence[Sprig]) -> list[tuple[int, int]]:
        """(node, how many children) of those nodes of the deepest level that grow on; the root at first."""

    def kept(self, nodes: Sequence[Sprig]) -> list[int]:
        """Those of all grown nodes, in order, that are verified; with a node, its parent."""


@dataclass(frozen=True)
class Static:
    """The nodes with these ranks; each after its parent's. Cai et al., Medusa (2401.10774), §2.3.3.

    Raises LabError for a node without its parent or an elder sibling, one named twice, and too many.
    """

    ranks: tuple[Ranks, ...]
    name: str = "by ranks"
    static: bool = True

    def __post_init__(self) -> None:
        known: set[Ranks] = {()}
        for each in self.ranks:
            if not each or min(each) < 0:
                raise LabError(f"Ranks {each} name no node.", "Give a rank from 0 for every level.")
            if each in known:
                raise LabError(f"The node with ranks {each} is named twice.", "Name a node once.")
            if each[:-1] not in known:
                raise LabError(f"The node with ranks {each} has no parent.", f"Name {each[:-1]} before it.")
            if each[-1] > 0 and (*each[:-1], each[-1] - 1) not in known:
                elder = (*each[:-1], each[-1] - 1)
                raise LabError(f"The node with ranks {each} lacks an elder sibling.", f"Name {elder} first.")
            known.add(each)
        _check_nodes(len(self.ranks))

    @cached_property
    def depth(self) -> int:
        return max(map(len, self.ranks), default=0)

    @property
    def nodes(self) -> int:
        return len(self.ranks)

    @property
    def grown(self) -> int:
        return len(self.ranks)

    @cached_property
    def _counts(self) -> dict[Ranks, int]:
        counts: dict[Ranks, int] = {}
        for each in self.ranks:
            counts[each[:-1]] = counts.get(each[:-1], 0) + 1
        return counts

    def children(self, level: Sequence[Sprig]) -> list[tuple[int, int]]:
        return [(each.node, self._counts[each.ranks]) for each in level if each.ranks in self._counts]

    def kept(self, nodes: Sequence[Sprig]) -> list[int]:
        return [each.node for each in nodes]


@dataclass(frozen=True)
class Dynamic:
    """EAGLE-2's tree: of each level the `width` nodes of largest value get `width` children; of all nodes
    the `nodes` of largest value are verified. Li et al., EAGLE-2 (2406.16858), §4.

    A value is the product of confidences along the path, so a node is never worth more than its parent.
    """

    width: int = 4
    depth: int = 5
    nodes: int = 24
    static: bool = False

    def __post_init__(self) -> None:
        for name in ("width", "depth"):
            value = getattr(self, name)
            if not 1 <= value <= MAX_NODES:
                words = "depth (γ)" if name == "depth" else name
                raise LabError(f"{words} = {value} is not usable.", f"Give a number from 1 to {MAX_NODES}.")
        if not 1 <= self.nodes <= MAX_NODES:
            raise LabError(f"nodes = {self.nodes} is not usable.", f"Verify 1 to {MAX_NODES} nodes a round.")
        if self.grown > MAX_GROWN:
            raise LabError(
                f"A tree {self.width} wide and {self.depth} deep grows {self.grown} nodes to choose from.",
                f"Make it less wide or less deep: at most {MAX_GROWN} are grown.",
            )

    @property
    def name(self) -> str:
        return f"dynamic, {self.width} wide, {self.depth} deep, {self.nodes} nodes"

    @property
    def grown(self) -> int:
        return self.width + (self.depth - 1) * self.width**2

    def children(self, level: Sequence[Sprig]) -> list[tuple[int, int]]:
        best = sorted(level, key=lambda each: (-each.value, each.node))[: self.width]
        return [(each.node, self.width) for each in sorted(best, key=lambda each: each.node)]

    def kept(self, nodes: Sequence[Sprig]) -> list[int]:
        best = sorted(nodes, key=lambda each: (-each.value, each.node))[: self.nodes]
        return sorted(each.node for each in best)


def k_ary(widths: Sequence[int]) -> Static:
    """Every node of level i has widths[i] children. Raises LabError."""
    if not all(width >= 1 for width in widths):
        raise LabError(f"Widths {tuple(widths)} are not usable.", "Give every level 1 child or more.")
    nodes, of_level = 0, 1
    for width in widths:
        of_level *= width
        nodes += of_level
        if nodes > MAX_NODES:
            raise LabError(
                f"A tree of widths {', '.join(map(str, widths[:8]))} has more than {MAX_NODES} nodes.",
                "Take fewer children, or fewer levels.",
            )
    level: list[Ranks] = [()]
    made: list[Ranks] = []
    for width in widths:
        level = [(*node, rank) for node in level for rank in range(width)]
        made += level
    return Static(tuple(made), f"{'·'.join(map(str, widths))} children")


def chain(gamma: int) -> Static:
    """The tree with one branch of γ nodes."""
    return Static(k_ary((1,) * gamma).ranks, f"chain of {gamma}")


def parse_widths(text: str) -> tuple[int, ...]:
    """Read the widths of a k-ary tree: `3,2,1`. Raises LabError."""
    try:
        return tuple(int(width) for width in text.split(","))
    except ValueError:
        raise LabError(
            f"The widths {text!r} cannot be read.", "Write a number for every level, such as 3,2,1."
        ) from None


def parse_ranks(text: str) -> Static:
    """Read a static shape: `0 1 0,0 0,1` names nodes by their ranks. Raises LabError."""
    try:
        if not text.strip():
            raise ValueError
        ranks = tuple(tuple(int(rank) for rank in node.split(",")) for node in text.split())
    except ValueError:
        raise LabError(
            f"The tree {text!r} cannot be read.",
            "Name every node by its ranks, the levels apart by commas: 0 1 0,0 0,1.",
        ) from None
    return Static(ranks, f"{len(ranks)} nodes by rank")


def _check_nodes(count: int) -> None:
    if not 0 <= count <= MAX_NODES:
        raise LabError(f"A tree of {count} nodes is not usable.", f"Draft at most {MAX_NODES} nodes a round.")
