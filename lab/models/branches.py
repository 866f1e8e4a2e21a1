"""Several continuations of one text in one row of a cache: a tree in the slots behind the text.

A pass over a tree is an ordinary pass with two differences: a token sees its ancestors alone, not all that
lies before it; and its position is that of its depth, not of its slot. So each token gets what it would get
at the end of its own path. Miao et al., SpecInfer (2305.09781), §4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor

from lab.errors import LabError


@dataclass(frozen=True)
class Branches:
    """The slots of a cache row from `base` on hold a tree: `parents[i]`, the place of i's parent in it.

    -1: the last position of the text. Parents come before their children, and the places of a depth before
    those of the next. Raises LabError.
    """

    base: int
    parents: tuple[int, ...]

    def __post_init__(self) -> None:
        for place, parent in enumerate(self.parents):
            if not -1 <= parent < place:
                raise LabError(
                    f"Place {place} of a tree has parent {parent}.",
                    "Name an earlier place, or -1 for the text's end.",
                )
        if any(a > b for a, b in zip(self.depths, self.depths[1:], strict=False)):
            raise LabError(f"Depths {self.depths} of a tree fall.", "List its places by depth.")

    @cached_property
    def depths(self) -> tuple[int, ...]:
        """0 for what follows the text."""
        depths: list[int] = []
        for parent in self.parents:
            depths.append(0 if parent < 0 else depths[parent] + 1)
        return tuple(depths)

    @cached_property
    def ancestors(self) -> tuple[frozenset[int], ...]:
        """Of each place: itself and all above it."""
        seen: list[frozenset[int]] = []
        for place, parent in enumerate(self.parents):
            seen.append((frozenset() if parent < 0 else seen[parent]) | {place})
        return tuple(seen)

    def positions(self, slots: int) -> Tensor:
        """The position of each of the row's first `slots` slots [slots]; those behind the tree follow it."""
        depths = torch.tensor(self.depths, dtype=torch.long)
        behind = torch.arange(slots - self.base - len(depths)) + (depths.max() + 1 if len(depths) else 0)
        return torch.cat([torch.arange(self.base), self.base + depths, self.base + behind])

    def hidden(self, first: int, slots: int) -> Tensor:
        """Which of `slots` slots each place from `first` on does not see [places - first, slots]."""
        hidden = torch.ones(len(self.parents) - first, slots, dtype=torch.bool)
        hidden[:, : self.base] = False
        for row, seen in zip(hidden, self.ancestors[first:], strict=True):
            row[[self.base + place for place in seen]] = False
        return hidden


def chain(base: int, length: int) -> Branches:
    """The tree with one branch: a text."""
    return Branches(base, tuple(range(-1, length - 1)))


def check_fits(branches: Sequence[Branches], before: Sequence[int], lengths: Sequence[int]) -> None:
    """Raises LabError where a tree does not hold just the slots up to the last that a pass fills."""
    for tree, old, new in zip(branches, before, lengths, strict=True):
        if not (tree.base <= old and tree.base + len(tree.parents) == new):
            raise LabError(
                f"A tree of {len(tree.parents)} places from slot {tree.base} does not end at slot {new}, "
                f"or begins behind slot {old}.",
                "Give the parents of all slots from its base to the last new token.",
            )
