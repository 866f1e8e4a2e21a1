"""Orders of a sum as values: an arrangement of the addends, and a shape to join them in.

`sums` adds up any number of rows in one order at once. The order of the *addends* (reversed,
sorted, shuffled) and the *shape* (one chain, a tree, split-K, lanes, Kahan) are chosen apart, and
every combination works. No order is claimed to be a particular library's; see `kernels`.
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sims.arithmetic import TENSOR_CORE, Arithmetic, add, as_inputs
from sims.compensated import Kahan, Neumaier
from sims.errors import InputError
from sims.rounding import Singles, round_to
from sims.trees import Arriving, Chain, Halving, Lanes, Pairwise, Shape, SplitK, Tree, tree_of

Indices = NDArray[np.int64]
_BLOCK = 1 << 22  # values held at once while many rows are summed


@dataclass(frozen=True)
class Arrangement:
    """Which addend stands where: `indices` maps rows (R, n) to positions (R, n). This one: as given."""

    def indices(self, rows: Singles) -> Indices:
        return np.broadcast_to(np.arange(rows.shape[1]), rows.shape)


@dataclass(frozen=True)
class Reversed(Arrangement):
    """Last addend first."""

    def indices(self, rows: Singles) -> Indices:
        return super().indices(rows)[:, ::-1]


@dataclass(frozen=True)
class Ascending(Arrangement):
    """Smallest magnitude first: small addends meet while the total is still small."""

    def indices(self, rows: Singles) -> Indices:
        return np.argsort(np.abs(rows), axis=1, kind="stable")


@dataclass(frozen=True)
class Descending(Arrangement):
    """Largest magnitude first."""

    def indices(self, rows: Singles) -> Indices:
        return np.argsort(-np.abs(rows), axis=1, kind="stable")


@dataclass(frozen=True)
class Shuffled(Arrangement):
    """A random order, the same for every row."""

    seed: int

    def indices(self, rows: Singles) -> Indices:
        return np.broadcast_to(np.random.default_rng(self.seed).permutation(rows.shape[1]), rows.shape)


@dataclass(frozen=True)
class Permutation(Arrangement):
    """The addends in exactly this order. Refuses positions that are no permutation of 0 … n-1."""

    positions: tuple[int, ...]

    def indices(self, rows: Singles) -> Indices:
        if sorted(self.positions) != list(range(rows.shape[1])):
            raise InputError(
                f"{self.positions} does not order {rows.shape[1]} addends.",
                f"Name every position from 0 to {rows.shape[1] - 1} once.",
            )
        return np.broadcast_to(np.array(self.positions, np.int64), rows.shape)


@dataclass(frozen=True)
class Order:
    """A named order: an arrangement of the addends and the shape that joins them.

    Kahan and Neumaier stand in place of a shape: they are chains that remember what they lose.
    """

    key: str
    arrangement: Arrangement = field(default_factory=Arrangement)
    shape: Shape | Kahan | Neumaier = field(default_factory=Chain)

    def tree(self, n: int) -> Tree:
        """The additions of n addends, leaf k being the k-th addend *after* arranging.

        For a compensated sum: the chain of its running total.
        """
        return tree_of(self.shape if isinstance(self.shape, Shape) else Chain(), n)


SEQUENTIAL = Order("sequential")
REVERSED = Order("reversed", Reversed())
ASCENDING = Order("ascending", Ascending())
DESCENDING = Order("descending", Descending())
PAIRWISE = Order("pairwise", shape=Pairwise())
KAHAN = Order("kahan", shape=Kahan())
NEUMAIER = Order("neumaier", shape=Neumaier())


def split_k(parts: int) -> Order:
    """Split-K: `parts` chunks of K, then one chain over their partial sums."""
    return Order(f"split_{parts}", shape=SplitK(parts))


def lanes(width: int) -> Order:
    """A SIMD sum: `width` strided accumulators, then a butterfly."""
    return Order(f"lanes_{width}", shape=Lanes(width, combine=Halving()))


def shuffled(seed: int) -> Order:
    """One accumulator and addends in a random order."""
    return Order(f"shuffled_{seed}", Shuffled(seed))


def atomics(parts: int, seed: int) -> Order:
    """`parts` blocks that add their partial sums to the result as they happen to finish."""
    return Order(f"atomics_{parts}_{seed}", shape=SplitK(parts, combine=Arriving(seed)))


def in_order(positions: tuple[int, ...]) -> Order:
    """One accumulator and the addends in this order."""
    return Order("custom", Permutation(positions))


CATALOGUE: tuple[Order, ...] = (
    SEQUENTIAL,
    REVERSED,
    ASCENDING,
    DESCENDING,
    PAIRWISE,
    split_k(2),
    split_k(4),
    split_k(8),
    lanes(8),
    lanes(32),
    atomics(8, seed=0),
    shuffled(0),
    KAHAN,
    NEUMAIER,
)


def sums(rows: ArrayLike, order: Order, arithmetic: Arithmetic = TENSOR_CORE) -> Singles:
    """The sum of every row of `rows` (R, n) in this order, float32 of shape (R,).

    A single row (n,) gives a 0-d array. The rows are rounded to the input format first and the
    sums to the output format last. Raises InputError if there is nothing to add.
    """
    inputs = as_inputs(rows, arithmetic)
    flat = inputs.reshape(-1, inputs.shape[-1]) if inputs.ndim and inputs.shape[-1] else None
    if flat is None:
        raise InputError("There are no addends.", "Give at least one.")
    step = max(1, _BLOCK // (2 * flat.shape[1]))
    totals = [accumulated(flat[i : i + step], order, arithmetic) for i in range(0, len(flat), step)]
    outputs = round_to(np.concatenate(totals), arithmetic.output)
    return outputs.astype(np.float32).reshape(inputs.shape[:-1])


def accumulated(inputs: Singles, order: Order, arithmetic: Arithmetic) -> Singles:
    """Sums (R,) of rows (R, n) that are inputs already, before they are rounded to the output format."""
    arranged = np.take_along_axis(inputs, order.arrangement.indices(inputs), axis=1).T
    if isinstance(order.shape, Kahan | Neumaier):
        return order.shape.total(arranged, arithmetic)
    return evaluate(order.tree(len(arranged)), arranged, arithmetic)[-1]


def evaluate(tree: Tree, leaves: Singles, arithmetic: Arithmetic) -> Singles:
    """Every node of the tree for R rows at once: leaves (n, R) in, nodes (2n-1, R) out, float32.

    Additions round to the accumulator's format; partial sums then round to the partials' format.
    """
    nodes = np.empty((2 * tree.leaves - 1, leaves.shape[1]), np.float32)
    nodes[: tree.leaves] = leaves
    _round_partials(nodes, np.arange(tree.leaves), tree, arithmetic)
    for left, right, out in tree.batches:
        nodes[out] = add(nodes[left], nodes[right], arithmetic.accumulator, arithmetic.mode)
        _round_partials(nodes, out, tree, arithmetic)
    return nodes


def _round_partials(nodes: Singles, ids: Indices, tree: Tree, arithmetic: Arithmetic) -> None:
    marked = ids[tree.partial[ids]]
    if len(marked):
        nodes[marked] = round_to(nodes[marked], arithmetic.partials)
