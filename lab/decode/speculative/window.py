"""What one request drafts in one round: proposals that form a tree, each with the law it was drawn from."""

from __future__ import annotations

from dataclasses import dataclass, field

import torch
from torch import Tensor

from lab.decode.speculative.rule import residual
from lab.decode.speculative.tree import ROOT, Tree
from lab.round_records import Stopped


@dataclass
class Proposal:
    """A drafted token, at `place` of the law [R] that it was drawn from; certain where R = 1."""

    token: int
    place: int
    law: Tensor
    vocabulary: Tensor | None
    seconds: float
    parent: int = ROOT
    confidence: float | None = None
    """The draft's own probability of the token, before the sampling transform; None where it is not asked."""

    @property
    def probability(self) -> float:
        return float(self.law[self.place])

    @property
    def last(self) -> int:
        """The largest token id that its law is of."""
        return len(self.law) - 1 if self.vocabulary is None else int(self.vocabulary[-1])

    def spread(self, vocab_size: int) -> Tensor:
        """The law over the target's entire vocabulary."""
        if self.vocabulary is None and len(self.law) == vocab_size:
            return self.law
        ids = torch.arange(len(self.law)) if self.vocabulary is None else self.vocabulary
        return torch.zeros(vocab_size, dtype=self.law.dtype).index_copy_(0, ids, self.law)

    def left_of(self, p: Tensor) -> Tensor:
        """What a rejection of this token leaves of p [vocab]: the residual."""
        if len(self.law) == 1 and float(p[self.token]) == 0.0:
            return p  # nothing to take away: this spares a pass over the vocabulary
        return residual(p, self.spread(len(p)))


@dataclass
class Window:
    """The nodes of a tree in order of depth; `draws[parent]`, its children as they were drawn.

    A token that was drawn again is a node once and stands in `draws` twice, each time with the law of that
    draw: where several drafts share a tree, the two laws are not the same.
    """

    limit: int
    """No node lies deeper."""
    stopped: Stopped
    """Why drafting ends at the limit; another reason may come first."""
    proposals: list[Proposal] = field(default_factory=list)
    draws: dict[int, list[tuple[int, Proposal]]] = field(default_factory=dict)

    @property
    def tokens(self) -> list[int]:
        return [proposal.token for proposal in self.proposals]

    @property
    def parents(self) -> list[int]:
        return [proposal.parent for proposal in self.proposals]

    def tree(self) -> Tree:
        """Raises LabError where the proposals form none."""
        return Tree(tuple(self.tokens), tuple(self.parents))

    def children(self, node: int) -> list[int]:
        """Each child once, in the order of the first draws."""
        return list(dict.fromkeys(child for child, _ in self.draws.get(node, ())))

    def words(self, node: int) -> list[int]:
        """The tokens along the path to `node`; none for ROOT."""
        words: list[int] = []
        while node != ROOT:
            words.append(self.proposals[node].token)
            node = self.proposals[node].parent
        return words[::-1]

    def add(self, proposal: Proposal) -> int:
        """The proposal's node: a new one, or that of a sibling with the same token."""
        siblings = self.draws.setdefault(proposal.parent, [])
        known = (node for node, drawn in siblings if drawn.token == proposal.token)
        node = next(known, len(self.proposals))
        if node == len(self.proposals):
            self.proposals.append(proposal)
        siblings.append((node, proposal))
        return node
