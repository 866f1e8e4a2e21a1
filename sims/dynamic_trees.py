r"""Trees that follow the draft's confidence, as EAGLE-2 grows them: expand, rerank, keep m.

`confidences(path)` gives the draft's chances of the tokens after a node, largest first; a node's value is the
product of the chances on its path. If they are calibrated (a guess of confidence 0.3 is right in 0.3 of all
cases), a value is the chance that the target's text runs through the node, and the sum of the values kept is
the expected accepted length. Whether a draft is calibrated is measured elsewhere.

The best static shape is `token_trees.best_tree`; the best for given confidences is `token_trees.best_first`,
which a drafter cannot follow in a few steps. `places.py` has synthetic text to compare them on.

Source: Li et al., "EAGLE-2" (EMNLP 2024, arXiv 2406.16858), section 4.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from sims.errors import InputError
from sims.token_trees import MAX_NODES, Chances, Path, Shape, check_chances


@dataclass(frozen=True)
class Grown:
    """A dynamic tree. `values`: of every node that was drafted, in the order of drafting, level by level."""

    values: dict[Path, float]
    expanded: tuple[Path, ...]
    kept: Shape

    @property
    def accepted(self) -> float:
        """The expected accepted length, if the confidences are calibrated."""
        return float(sum(self.values[path] for path in self.kept))


def grow(confidences: Chances, width: int, levels: int, nodes: int) -> Grown:
    """EAGLE-2's tree: expand the `width` best nodes of each level, then keep the `nodes` best of all.

    Each expanded node gets its `width` likeliest children: width + (levels - 1) width² nodes are drafted in
    `levels` steps of the draft. Ties go to the shallower node and to the one drafted first, so a kept node's
    parent is kept too. Raises InputError.
    """
    if min(width, levels, nodes) < 1:
        raise InputError(
            f"Width {width}, {levels} levels and {nodes} nodes make no tree.",
            "Use 1 or more of each.",
        )
    if width + (levels - 1) * width**2 > MAX_NODES:
        raise InputError(
            f"Width {width} and {levels} levels draft too many nodes.", f"Draft up to {MAX_NODES} nodes."
        )
    values: dict[Path, float] = {(): 1.0}
    expanded: list[Path] = []
    frontier: list[Path] = [()]
    for _ in range(levels):
        expanded += frontier
        fresh = {
            (*path, rank): values[path] * chance
            for path in frontier
            for rank, chance in enumerate(_ranked(confidences(path), path)[:width])
        }
        values |= fresh
        frontier = _best(fresh, width)
    del values[()]
    return Grown(values, tuple(expanded[1:]), tuple(_best(values, nodes)))


def _ranked(given: Sequence[float], path: Path) -> Sequence[float]:
    check_chances(given, f"after {path}")
    if any(a < b for a, b in pairwise(given)):
        raise InputError(f"The confidences after {path} are {list(given)}.", "Give the largest first.")
    return given


def _best(values: dict[Path, float], count: int) -> list[Path]:
    """The `count` paths of largest value; of equals the shallower, then the one that came first."""
    return sorted(values, key=lambda path: (-values[path], len(path)))[:count]
