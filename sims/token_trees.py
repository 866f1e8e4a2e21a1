r"""Shapes of token trees and what they give: tokens a pass, the best tree of m nodes, and the speed-up.

A shape is the set of its nodes, each named by ranks: (0, 2) is the third guess after the first guess after
the last token. `accuracies[d][r]` is the chance that guess r at depth d is right, given that all above it
are. Siblings differ, so at most one is right, and the chances of a depth add up to at most 1. Taking them as
equal at every node of a depth is Medusa's model (Cai et al., arXiv 2401.10774, section 2.3.3); trees that
look at each node's own confidence are in `dynamic_trees.py`, and what makes a guess right in `siblings.py`.

v: time of a target pass over m + 1 positions ÷ over one; c: time of one level of drafting ÷ a target step.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import accumulate, product

import numpy as np
from numpy.typing import NDArray

from sims.errors import InputError

Path = tuple[int, ...]
Shape = tuple[Path, ...]
Accuracies = Sequence[Sequence[float]]
Chances = Callable[[Path], Sequence[float]]
"""After a node, the chance of each guess that it is right, given that the node is."""

MAX_NODES = 4096


def k_ary(widths: Sequence[int]) -> Shape:
    """Every node at depth d has widths[d] children, listed in order of depth. Raises InputError."""
    if any(width < 1 for width in widths):
        raise InputError(
            f"Widths of {list(widths)} make no tree.", "Give each level at least one guess a node."
        )
    nodes = sum(accumulate(widths, lambda a, b: a * b))
    if nodes > MAX_NODES:
        raise InputError(f"A tree of {nodes} nodes is too large.", f"Use up to {MAX_NODES} nodes.")
    return tuple(
        path
        for level in range(1, len(widths) + 1)
        for path in product(*(range(width) for width in widths[:level]))
    )


def chain(length: int) -> Shape:
    """One guess after another. Raises InputError for a length below 0."""
    if length < 0:
        raise InputError(f"A chain of {length} guesses cannot be.", "Guess 0 tokens or more.")
    return k_ary((1,) * length)


def depth_of(shape: Shape) -> int:
    """The depth of the deepest node: how often a drafter goes on from its own guesses. 0 without nodes."""
    return max(map(len, shape), default=0)


def by_depth(accuracies: Accuracies) -> Chances:
    """The same chances after every node of a depth, none after the last depth. Raises InputError."""
    for depth, row in enumerate(accuracies, 1):
        check_chances(row, f"at depth {depth}")
    return lambda path: accuracies[len(path)] if len(path) < len(accuracies) else ()


def values(shape: Shape, chances: Chances) -> NDArray[np.float64]:
    r"""The chance that each node is on the accepted path, $\prod_d a_d(r_d)$; shape (nodes,).

    Raises InputError for a node that comes twice, lacks its parent, or has no chance given.
    """
    known: dict[Path, float] = {(): 1.0}
    for path in sorted(shape, key=len):
        if path in known:
            raise InputError(f"The node {path} comes twice.", "Name each node once, and not the root.")
        if path[:-1] not in known:
            raise InputError(f"The node {path} hangs in the air.", "Give the tree its parent too.")
        given = chances(path[:-1])
        if not 0 <= path[-1] < len(given):
            raise InputError(f"No chance is known for node {path}.", "Give one for each depth and rank.")
        known[path] = known[path[:-1]] * given[path[-1]]
    return np.array([known[path] for path in shape])


def tokens_a_pass(shape: Shape, accuracies: Accuracies) -> float:
    r"""$E = 1 + \sum_{\text{nodes}} \prod_d a_d(r_d)$: the accepted path and a token more. Raises InputError.

    A chain of equal accuracies gives `speedup.expected_tokens`.
    """
    return 1.0 + float(values(shape, by_depth(accuracies)).sum())


def accepted_law(shape: Shape, accuracies: Accuracies) -> NDArray[np.float64]:
    """The chance of each number accepted, 0 to the tree's depth: shape (levels + 1,). Raises InputError."""
    survival = np.zeros(depth_of(shape) + 2)  # at least 0, 1, … nodes; the last stays 0
    survival[0] = 1.0
    for path, value in zip(shape, values(shape, by_depth(accuracies)), strict=True):
        survival[len(path)] += value
    return survival[:-1] - survival[1:]


def best_first(chances: Chances, nodes: int) -> Shape:
    """The tree of `nodes` nodes with the largest sum of values, as it grows. Raises InputError.

    Always add the node of largest value whose parent is there. No tree is better: a child is worth at most
    what its parent is, so the largest values of all nodes, taken in order, never lack a parent. Every start
    of the result is the best tree of its own size. Fewer nodes come out if the chances allow no more. Of
    equals the shallower comes first, then the one of lower ranks.
    """
    if not 0 <= nodes <= MAX_NODES:
        raise InputError(f"A tree of {nodes} nodes cannot be built.", f"Use 0 to {MAX_NODES} nodes.")
    shape: list[Path] = []
    reach: list[tuple[float, int, Path]] = []  # a heap of (-value, depth, node)
    newest: Path = ()
    value = 1.0
    while len(shape) < nodes:
        given = chances(newest)
        check_chances(given, f"after {newest}")
        for rank, chance in enumerate(given):
            heappush(reach, (-value * chance, len(newest) + 1, (*newest, rank)))
        if not reach:
            break
        negative, _, newest = heappop(reach)
        value = -negative
        shape.append(newest)
    return tuple(shape)


def best_tree(accuracies: Accuracies, nodes: int) -> Shape:
    """The best static tree of `nodes` nodes: `best_first` for these accuracies. Raises InputError."""
    return best_first(by_depth(accuracies), nodes)


def tokens_by_nodes(accuracies: Accuracies, nodes: int) -> NDArray[np.float64]:
    """Tokens a pass of the best trees of 0, 1, … nodes: shape (up to nodes + 1,). Raises InputError."""
    return 1.0 + np.cumsum([0.0, *values(best_tree(accuracies, nodes), by_depth(accuracies))])


def tree_speedup(tokens: float, levels: int, c: float, v: float) -> float:
    r"""$\frac{E}{L c + v}$ with E tokens a pass and L levels of drafting; of a chain it is `speedup.speedup`.

    A drafter whose levels come together, such as Medusa's heads, has L = 1 whatever the depth. Raises
    InputError.
    """
    if levels < 0 or c < 0 or v <= 0:
        raise InputError(
            f"{levels} levels at c = {c} and v = {v} take no time that could be.",
            "Give levels and c of 0 or more, v above 0.",
        )
    return tokens / (levels * c + v)


@dataclass(frozen=True)
class Choice:
    """A tree and what it is expected to give."""

    shape: Shape
    tokens: float
    speedup: float


def fastest_tree(accuracies: Accuracies, c: float, v: Sequence[float]) -> Choice:
    """The tree with the largest `tree_speedup`; v[m] belongs to m nodes. Raises InputError.

    Every depth is tried as a limit, since a level costs c however many nodes stand in it, and of each the
    best tree of every size up to len(v) - 1. The smallest of equals; no nodes at all where nothing gains.
    """
    if not len(v):
        raise InputError("No v is known.", "Give v for 0 nodes, 1 node, and so on.")
    best = Choice((), 1.0, tree_speedup(1.0, 0, c, v[0]))
    for limit in range(1, len(accuracies) + 1):
        grown = best_tree(accuracies[:limit], len(v) - 1)
        for m, tokens in enumerate(tokens_by_nodes(accuracies[:limit], len(grown))):
            shape = grown[:m]
            gain = tree_speedup(float(tokens), depth_of(shape), c, v[m])
            if gain > best.speedup:
                best = Choice(shape, float(tokens), gain)
    return best


def parents(shape: Shape) -> list[int]:
    """For each node the place of its parent in the shape, -1 where that is the last token of the text."""
    places = {path: i for i, path in enumerate(shape)}
    return [places[path[:-1]] if len(path) > 1 else -1 for path in places]


def check_chances(row: Sequence[float], where: str) -> None:
    """Raises InputError for what cannot be the chances of guesses that exclude each other."""
    if not all(0 <= chance <= 1 for chance in row) or sum(row) > 1 + 1e-9:
        raise InputError(
            f"{list(row)} {where} are no chances of guesses that exclude each other.",
            "Give numbers from 0 to 1 that add up to at most 1.",
        )
