"""A token tree: several continuations of one text that share their beginnings.

The root is the last committed token; it is not a node. A chain is the tree with one branch.
Miao et al., "SpecInfer" (ASPLOS 2024, arXiv 2305.09781), Definition 3.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from lab.errors import LabError

ROOT = -1
MAX_NODES = 64


@dataclass(frozen=True)
class Tree:
    """`tokens[i]` follows node `parents[i]`, or the root where that is ROOT. Nodes stand in order of depth.

    Raises LabError for a cycle, a parent that is no node, nodes out of order, a token twice under one
    parent, and more than MAX_NODES nodes.
    """

    tokens: tuple[int, ...]
    parents: tuple[int, ...]

    def __post_init__(self) -> None:
        count = len(self.tokens)
        if len(self.parents) != count:
            raise LabError(
                f"A tree has {count} tokens and {len(self.parents)} parents.", "Give one parent a token."
            )
        if count > MAX_NODES:
            raise LabError(
                f"A tree of {count} nodes is too large.", f"Draft at most {MAX_NODES} nodes a round."
            )
        for node, parent in enumerate(self.parents):
            if not ROOT <= parent < count:
                raise LabError(
                    f"Node {node} has parent {parent}, which is no node.",
                    f"Name a node from 0 to {count - 1}, or {ROOT} for the root.",
                )
        depths = self._walked()
        if list(depths) != sorted(depths):
            late = next(at for at in range(1, count) if depths[at] < depths[at - 1])
            raise LabError(
                f"Node {late} has depth {depths[late]} and stands after one of depth {depths[late - 1]}.",
                "List nodes by depth.",
            )
        seen: dict[tuple[int, int], int] = {}
        for node, sibling in enumerate(zip(self.parents, self.tokens, strict=True)):
            if sibling in seen:
                raise LabError(
                    f"Nodes {seen[sibling]} and {node} are siblings with the same token {sibling[1]}.",
                    "Give a token once under one parent.",
                )
            seen[sibling] = node

    def __len__(self) -> int:
        return len(self.tokens)

    @cached_property
    def depths(self) -> tuple[int, ...]:
        """1 for a child of the root."""
        return self._walked()

    @cached_property
    def children(self) -> dict[int, tuple[int, ...]]:
        """Of the root and of every node."""
        made: dict[int, list[int]] = {node: [] for node in range(ROOT, len(self))}
        for node, parent in enumerate(self.parents):
            made[parent].append(node)
        return {node: tuple(children) for node, children in made.items()}

    @property
    def is_chain(self) -> bool:
        return self.parents == tuple(range(ROOT, len(self) - 1))

    def _walked(self) -> tuple[int, ...]:
        """The depth of every node. Raises LabError where parents lead in a circle."""
        depths: dict[int, int] = {ROOT: 0}
        for node in range(len(self.parents)):
            path: list[int] = []
            at = node
            while at not in depths:
                if at in path:
                    circle = [*path[path.index(at) :], at]
                    raise LabError(
                        f"The parents of a tree lead in a circle: {' → '.join(map(str, circle))}.",
                        "Let every path end at the root.",
                    )
                path.append(at)
                at = self.parents[at]
            for each in reversed(path):
                depths[each] = depths[self.parents[each]] + 1
        return tuple(depths[node] for node in range(len(self.parents)))
