"""How a target's laws judge a tree of drafted tokens: from the root down, one child at a time.

At each node the walk goes on to a child, whose token is emitted, or ends with a token of the target's own.
`MultiStep` and `Match` emit tokens of the target's law, whatever was drafted; `Typical` does not.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor

from lab.decode.sampling import Draws
from lab.decode.speculative.rule import accepts, residual
from lab.decode.speculative.tree import ROOT
from lab.decode.speculative.window import Proposal, Window
from lab.errors import LabError


class Laws(Protocol):
    """What the target says after a node of the tree, or after ROOT."""

    def law(self, node: int) -> Tensor:
        """Its law [vocab] after the sampling transform."""

    def scores(self, node: int) -> Tensor:
        """Its logits [vocab] after penalties, biases and bans."""

    @property
    def greedy(self) -> bool:
        """Whether the temperature is 0."""


@dataclass(frozen=True)
class Test:
    """Of one drafted token. `p` [vocab]: the law that it was tested against, a residual after a rejection."""

    node: int
    p: Tensor
    uniform: float | None
    stands: bool


@dataclass(frozen=True)
class Verdict:
    """What became of one node's children: the one that stands, or None, and the token that is emitted."""

    node: int
    tests: tuple[Test, ...]
    child: int | None
    token: int
    p: Tensor
    """The law that the token was drawn from, where no child stands: what the rejections left."""


class Rule(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def exact(self) -> bool:
        """Whether the emitted tokens have the target's law."""

    def walk(self, window: Window, laws: Laws, draws: Draws) -> Iterator[Verdict]:
        """A verdict a node, from the root to the node none of whose children stands."""


@dataclass(frozen=True)
class MultiStep(Rule):
    """Multi-step speculative sampling: test the children in turn against what earlier ones left of p.

    A child stands if u < p/q; else p becomes norm(max(0, p − q)) and the next is tested. Miao et al.,
    SpecInfer, Algorithm 2 and Theorem 4.2; with one child, Leviathan et al., Algorithm 1. Without
    replacement, each q is that of the draw: without the earlier siblings. A certain child, q = 1, stands
    with probability p and leaves p without it, which is how EAGLE-2 verifies. At temperature 0 the walk
    follows the largest logit. `lenience` below 1 is approximate (Leviathan et al., Appendix A.5).
    """

    lenience: float = 1.0

    def __post_init__(self) -> None:
        if not 0.0 < self.lenience <= 1.0:
            raise LabError(
                f"lenience = {self.lenience} is not usable.",
                "Give a number above 0, at most 1 (exact).",
            )

    @property
    def name(self) -> str:
        return "multi-step" if self.exact else f"multi-step, lenience {self.lenience:g}"

    @property
    def exact(self) -> bool:
        return self.lenience == 1.0

    def walk(self, window: Window, laws: Laws, draws: Draws) -> Iterator[Verdict]:
        node: int | None = ROOT
        while node is not None:
            verdict = self._judge(node, window, laws, draws)
            yield verdict
            node = verdict.child

    def _judge(self, node: int, window: Window, laws: Laws, draws: Draws) -> Verdict:
        p = laws.law(node)
        tests: dict[int, Test] = {}
        for child, proposal in window.draws.get(node, ()):
            if child not in tests:  # one that was rejected has no probability left
                u = draws.test()
                stands = self._stands(proposal, p, node, laws, u)
                tests[child] = Test(child, p, u, stands)
                if stands:
                    return Verdict(node, tuple(tests.values()), child, proposal.token, p)
            p = proposal.left_of(p) if self.exact else residual(p / self.lenience, proposal.spread(len(p)))
        return Verdict(node, tuple(tests.values()), None, draws.token(p), p)

    def _stands(self, proposal: Proposal, p: Tensor, node: int, laws: Laws, u: float) -> bool:
        if not self.exact and laws.greedy:
            # Appendix A.5, greedy: by the law before it is made one-hot, p(x) >= l · max p.
            scores = laws.scores(node)
            return float(scores[proposal.token]) >= float(scores.max()) + math.log(self.lenience)
        return accepts(float(p[proposal.token]) / self.lenience, proposal.probability, u)


@dataclass(frozen=True)
class Match(Rule):
    """Sample and match: draw from the target's law, and go on where a child has that token.

    Exact whatever the children are. It accepts their mass under p, never more than `MultiStep` does: Miao et
    al., SpecInfer, §4.3 (naive sampling) and Theorem 4.3.
    """

    name: str = "match"
    exact: bool = True

    def walk(self, window: Window, laws: Laws, draws: Draws) -> Iterator[Verdict]:
        node: int | None = ROOT
        while node is not None:
            p = laws.law(node)
            token = draws.token(p)
            tests = tuple(
                Test(child, p, None, window.proposals[child].token == token)
                for child in window.children(node)
            )
            child = next((test.node for test in tests if test.stands), None)
            yield Verdict(node, tests, child, token, p)
            node = child


@dataclass(frozen=True)
class Typical(Rule):
    """Medusa's typical acceptance: a token stands if p(x) > min(ε, δ · exp(−H(p))); the longest path wins.

    Approximate: rare tokens of the target never stand, and typical ones stand where the draft likes them. At
    temperature 0 it is the greedy walk. Cai et al., Medusa (2401.10774), §2.3.1.
    """

    epsilon: float = 0.09
    delta: float = 0.3
    name: str = "typical"
    exact: bool = False

    def __post_init__(self) -> None:
        for name, value in (("epsilon", self.epsilon), ("delta", self.delta)):
            if not 0.0 < value < 1.0:  # at 1 not even a certain token would stand
                raise LabError(f"{name} = {value} is not usable.", "Give a number between 0 and 1.")

    def walk(self, window: Window, laws: Laws, draws: Draws) -> Iterator[Verdict]:
        path = self._longest(window, laws)
        node = ROOT
        for child in [*path, None]:
            p = laws.law(node)
            tests = tuple(Test(each, p, None, each == child) for each in window.children(node))
            token = draws.token(p) if child is None else window.proposals[child].token
            yield Verdict(node, tests, child, token, p)
            if child is not None:
                node = child

    def _longest(self, window: Window, laws: Laws) -> list[int]:
        """The deepest path whose tokens are all typical; of several, the likeliest to the target."""
        best: tuple[int, float] = (0, 0.0)
        end = ROOT
        reached: dict[int, tuple[int, float]] = {ROOT: best}
        for node, proposal in enumerate(window.proposals):
            if proposal.parent not in reached:
                continue
            p = laws.law(proposal.parent)
            chance = float(p[proposal.token])
            if chance > self.threshold(p):
                depth, total = reached[proposal.parent]
                reached[node] = (depth + 1, total + math.log(chance))
                if reached[node] > best:
                    best, end = reached[node], node
        path: list[int] = []
        while end != ROOT:
            path.insert(0, end)
            end = window.proposals[end].parent
        return path

    def threshold(self, p: Tensor) -> float:
        """min(ε, δ · exp(−H(p))), H in nats, of a law [vocab]."""
        entropy = float(torch.special.entr(p).sum())
        return min(self.epsilon, self.delta * math.exp(-entropy))
