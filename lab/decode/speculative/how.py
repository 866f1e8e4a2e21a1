"""How to speculate: who drafts, how much, what stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lab.decode.requests import Request
from lab.decode.speculative.branching import TreeDrafter
from lab.decode.speculative.drafters import Drafter
from lab.decode.speculative.drafting import ChainDrafts, Drafts
from lab.decode.speculative.growing import TreeDrafts
from lab.decode.speculative.policy import Policy
from lab.decode.speculative.shapes import Shape
from lab.decode.speculative.siblings import How, check_siblings
from lab.decode.speculative.walks import MultiStep, Rule
from lab.errors import LabError
from lab.models.cache import KVCache

EXACT = MultiStep()


@dataclass(frozen=True)
class Speculative:
    """Chains of one drafter, as long as a policy says.

    `keep_laws`: likeliest tokens of both laws that each record keeps; 0 for none (measuring takes time).
    Raises LabError.
    """

    drafter: Drafter
    policy: Policy
    rule: Rule = EXACT
    keep_laws: int = 0

    def __post_init__(self) -> None:
        check_keep_laws(self.keep_laws)

    @property
    def taps(self) -> tuple[int, ...]:
        """Features that the target keeps for the drafter."""
        return ()

    @property
    def nodes(self) -> int:
        """Slots that a cache needs beside those of its positions: a chain's nodes stand at positions."""
        return 0

    def start(self, requests: Sequence[Request], rows: int, positions: int, target: KVCache) -> Drafts:
        return ChainDrafts(self.drafter, self.policy, requests, rows, positions)


@dataclass(frozen=True)
class SpeculativeTree:
    """Trees of one shape. `siblings`: how the children of a node are chosen (siblings.py).

    Raises LabError.
    """

    drafter: TreeDrafter
    shape: Shape
    rule: Rule = EXACT
    siblings: How = "top"
    keep_laws: int = 0

    def __post_init__(self) -> None:
        check_keep_laws(self.keep_laws)
        check_siblings(self.siblings)

    @property
    def taps(self) -> tuple[int, ...]:
        return self.drafter.taps

    @property
    def nodes(self) -> int:
        return self.shape.nodes

    def start(self, requests: Sequence[Request], rows: int, positions: int, target: KVCache) -> Drafts:
        return TreeDrafts(self.drafter, self.shape, self.siblings, requests, rows, positions, target)


AnySpeculative = Speculative | SpeculativeTree


def check_keep_laws(keep_laws: int) -> None:
    if keep_laws < 0:
        raise LabError(f"keep_laws = {keep_laws} is not usable.", "Give 0 or more tokens.")
