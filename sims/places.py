"""Synthetic text for token trees: places of a few kinds, easy and hard, at which a draft is calibrated.

Made so that the expected accepted length of any tree is known: `token_trees.values` for one text, and for all
texts at once by enumeration (`Places.every`) or by drawing (`Places.drawn`, `walk`). No model is involved.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np

from sims.acceptance import Law, law
from sims.errors import InputError
from sims.token_trees import Accuracies, Chances, Path, Shape


@dataclass(frozen=True)
class Places:
    """Synthetic text: each place is of one kind, independently, and a kind is a law, likeliest token first.

    The target's law at a place is the draft's own, so confidences are calibrated by construction: what
    differs between places is how sure one can be.
    """

    chances: tuple[float, ...]
    laws: tuple[tuple[float, ...], ...]

    def accuracies(self, levels: int) -> Accuracies:
        """By (depth, rank), over all kinds: what a static tree knows."""
        mean = np.asarray(self.chances) @ np.asarray(self.laws)
        return [mean.tolist()] * levels

    def drawn(self, generator: np.random.Generator) -> Chances:
        """The places after one text, each drawn when first asked for, and then fixed."""

        @cache
        def confidences(path: Path) -> Sequence[float]:
            return self.laws[generator.choice(len(self.laws), p=self.chances)]

        return confidences

    def every(self, paths: Sequence[Path]) -> list[tuple[float, Chances]]:
        """Every assignment of kinds to these places, with its chance. Other places raise KeyError."""
        out: list[tuple[float, Chances]] = []
        for kinds in product(range(len(self.laws)), repeat=len(paths)):
            at = {path: self.laws[kind] for path, kind in zip(paths, kinds, strict=True)}
            out.append((float(np.prod([self.chances[kind] for kind in kinds])), at.__getitem__))
        return out


def places(kinds: Sequence[tuple[float, Sequence[float]]]) -> Places:
    """From (weight, law) pairs; weights and laws are normalised, laws sorted. Raises InputError."""
    laws: list[Law] = [np.sort(law(values))[::-1] for _, values in kinds]
    if len({len(each) for each in laws}) != 1:
        raise InputError("The kinds of places do not fit.", "Give laws over one vocabulary, at least one.")
    weights = law([weight for weight, _ in kinds])
    return Places(tuple(weights.tolist()), tuple(tuple(each.tolist()) for each in laws))


def walk(confidences: Chances, generator: np.random.Generator, levels: int) -> Path:
    """The target's own text, as ranks: `levels` tokens, each drawn from the law at its place."""
    path: Path = ()
    for _ in range(levels):
        given = confidences(path)
        path = (*path, int(generator.choice(len(given), p=np.asarray(given))))
    return path


def accepted_on(shape: Shape, text: Path) -> int:
    """How many tokens of the text the tree holds: the longest start of `text` among its nodes."""
    nodes = set(shape)
    return next((d for d in range(len(text)) if text[: d + 1] not in nodes), len(text))
