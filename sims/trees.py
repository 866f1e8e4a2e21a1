"""Reduction trees as data: which two things every addition adds.

A shape says how a kernel joins its addends; `tree_of(shape, n)` writes that down as a tree, and
everything else (the sum, its error bound, the drawing) follows from the tree. Shapes compose: the
lanes of a SIMD sum can be joined by any other shape. Which addend stands at which leaf is not
decided here (see `orders`), and compensated sums are not trees (see `compensated`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from sims.errors import InputError

Add = Callable[[int, int], int]  # joins two nodes, returns the new one
Mark = Callable[[int], None]  # declares a node to be a partial sum written to memory
Ids = Sequence[int]


@dataclass(frozen=True)
class Shape:
    """How a sum is parenthesised. `join` adds up the nodes `ids` and returns the last one."""

    def join(self, ids: Ids, add: Add, mark: Mark) -> int:
        raise NotImplementedError


@dataclass(frozen=True)
class Chain(Shape):
    """One accumulator, left to right: ((x0 + x1) + x2) + x3."""

    def join(self, ids: Ids, add: Add, mark: Mark) -> int:
        total = ids[0]
        for node in ids[1:]:
            total = add(total, node)
        return total


@dataclass(frozen=True)
class Pairwise(Shape):
    """Neighbours join, then the pairs, and so on; an odd one out waits: height ceil(log2 n)."""

    def join(self, ids: Ids, add: Add, mark: Mark) -> int:
        while len(ids) > 1:
            pairs = [add(a, b) for a, b in zip(ids[::2], ids[1::2], strict=False)]
            ids = pairs + list(ids[2 * len(pairs) :])
        return ids[0]


@dataclass(frozen=True)
class Halving(Shape):
    """The second half is added onto the first, again and again: the butterfly of a warp or SIMD register."""

    def join(self, ids: Ids, add: Add, mark: Mark) -> int:
        while len(ids) > 1:
            half = -(-len(ids) // 2)
            folded = [add(a, b) for a, b in zip(ids, ids[half:], strict=False)]
            ids = folded + list(ids[len(folded) : half])
        return ids[0]


@dataclass(frozen=True)
class SplitK(Shape):
    """`parts` contiguous chunks are summed apart; their sums are partials, joined afterwards.

    Chunks hold ceil(n / parts) addends, the last one what is left, as kernels divide K; so some
    counts give fewer chunks than asked for. One chunk is an ordinary sum and writes no partial.
    """

    parts: int
    inner: Shape = field(default_factory=Chain)
    combine: Shape = field(default_factory=Chain)

    def __post_init__(self) -> None:
        _require_positive("split count", self.parts)

    def join(self, ids: Ids, add: Add, mark: Mark) -> int:
        size = -(-len(ids) // self.parts)
        return FixedSplit(size, self.inner, self.combine).join(ids, add, mark)


@dataclass(frozen=True)
class FixedSplit(Shape):
    """Like SplitK with a fixed chunk size instead of a fixed count: the batch-invariant way to split."""

    size: int
    inner: Shape = field(default_factory=Chain)
    combine: Shape = field(default_factory=Chain)

    def __post_init__(self) -> None:
        _require_positive("chunk size", self.size)

    def join(self, ids: Ids, add: Add, mark: Mark) -> int:
        partials = [self.inner.join(chunk, add, mark) for chunk in _chunks(ids, self.size)]
        if len(partials) > 1:
            for node in partials:
                mark(node)
        return self.combine.join(partials, add, mark)


@dataclass(frozen=True)
class Tiles(Shape):
    """Contiguous groups of `size` are summed apart and joined, without leaving the registers."""

    size: int
    inner: Shape = field(default_factory=Chain)
    combine: Shape = field(default_factory=Chain)

    def __post_init__(self) -> None:
        _require_positive("tile size", self.size)

    def join(self, ids: Ids, add: Add, mark: Mark) -> int:
        sums = [self.inner.join(chunk, add, mark) for chunk in _chunks(ids, self.size)]
        return self.combine.join(sums, add, mark)


@dataclass(frozen=True)
class Lanes(Shape):
    """`width` accumulators side by side: lane j takes runs j, j + width, ... of `run` addends each."""

    width: int
    run: int = 1
    inner: Shape = field(default_factory=Chain)
    combine: Shape = field(default_factory=Halving)

    def __post_init__(self) -> None:
        _require_positive("lane count", self.width)
        _require_positive("run length", self.run)

    def join(self, ids: Ids, add: Add, mark: Mark) -> int:
        runs = _chunks(ids, self.run)
        lanes = [[i for run in runs[j :: self.width] for i in run] for j in range(min(self.width, len(runs)))]
        return self.combine.join([self.inner.join(lane, add, mark) for lane in lanes], add, mark)


@dataclass(frozen=True)
class Arriving(Shape):
    """Joined one by one in the order `seed` draws, as atomic additions by parallel blocks arrive."""

    seed: int

    def join(self, ids: Ids, add: Add, mark: Mark) -> int:
        arrival = np.random.default_rng(self.seed).permutation(len(ids))
        return Chain().join([ids[i] for i in arrival], add, mark)


def _chunks(ids: Ids, size: int) -> list[Ids]:
    return [ids[i : i + size] for i in range(0, len(ids), size)]


def _require_positive(what: str, value: int) -> None:
    if value < 1:
        raise InputError(f"The {what} is {value}.", "Use 1 or more.")


@dataclass(frozen=True, eq=False)
class Tree:
    """n leaves (nodes 0 … n-1) and n-1 additions (nodes n … 2n-2, the last one the sum).

    `left`, `right`: int, shape (n-1,), the two nodes that addition k adds, earlier than node n + k.
    `partial`: bool, shape (2n-1,), nodes that are written to memory as partial sums.
    """

    leaves: int
    left: NDArray[np.int64]
    right: NDArray[np.int64]
    partial: NDArray[np.bool_]

    @property
    def root(self) -> int:
        return 2 * self.leaves - 2

    @cached_property
    def levels(self) -> NDArray[np.int64]:
        """Additions below each node on the longest way down, shape (2n-1,): 0 at every leaf."""
        levels = [0] * self.leaves
        for left, right in zip(self.left.tolist(), self.right.tolist(), strict=True):
            levels.append(1 + max(levels[left], levels[right]))
        return np.array(levels)

    @cached_property
    def height(self) -> int:
        """The longest chain of additions that any addend goes through."""
        return int(self.levels[-1])

    @cached_property
    def depths(self) -> NDArray[np.int64]:
        """Additions that each addend goes through, shape (n,)."""
        depths = [0] * (2 * self.leaves - 1)
        for k in reversed(range(self.leaves - 1)):
            depths[self.left[k]] = depths[self.right[k]] = depths[self.leaves + k] + 1
        return np.array(depths[: self.leaves])

    def layout(self) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Where to draw the nodes: x (leaf k at k, a sum midway between its two) and y (its level)."""
        x = list(map(float, range(self.leaves)))
        for left, right in zip(self.left.tolist(), self.right.tolist(), strict=True):
            x.append((x[left] + x[right]) / 2)
        return np.array(x), self.levels

    @cached_property
    def batches(self) -> list[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]]:
        """Additions that can happen together, in order: (left, right, sum) nodes, one triple a level."""
        nodes = np.arange(self.leaves, 2 * self.leaves - 1)
        levels = self.levels[self.leaves :]
        by_level = np.split(np.argsort(levels, kind="stable"), np.cumsum(np.bincount(levels)[1:-1]))
        return [(self.left[k], self.right[k], nodes[k]) for k in by_level if len(k)]


@lru_cache(maxsize=256)
def tree_of(shape: Shape, n: int) -> Tree:
    """The tree of `n` addends in this shape; its arrays are read-only. Raises InputError for n < 1."""
    _require_positive("number of addends", n)
    pairs: list[tuple[int, int]] = []
    partials: list[int] = []

    def add(a: int, b: int) -> int:
        pairs.append((a, b))
        return n + len(pairs) - 1

    shape.join(range(n), add, partials.append)
    left, right = np.array(pairs, np.int64).reshape(-1, 2).T.copy()
    partial = np.zeros(2 * n - 1, bool)
    partial[partials] = True
    for array in (left, right, partial):
        array.setflags(write=False)
    return Tree(n, left, right, partial)
