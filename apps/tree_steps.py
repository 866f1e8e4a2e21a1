"""One round with a token tree as moments to step through: grow, verify, judge, emit, compact the cache.

A moment is what a reader has seen of a RoundRecord so far: a level more while it grows, a level more while it
is judged. Plain functions; `apps.tree_picture` and `apps.tree_pass` draw them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import pandas as pd  # type: ignore[import-untyped]

from apps.round_steps import chance, quoted, uniform
from apps.text import t
from lab.decode.speculative.tree import ROOT
from lab.round_records import DraftedToken, RoundRecord

Phase = Literal["grow", "verify", "judge", "emit", "compact"]
PHASES: tuple[Phase, ...] = get_args(Phase)
State = Literal["waiting", "accepted", "rejected", "unjudged"]


@dataclass(frozen=True)
class TreeMoment:
    """A round after some of its steps."""

    round: RoundRecord
    last: str
    """The text of the last committed token: the root."""
    phase: Phase
    grown: int
    """Levels that have grown by now."""
    judged: int
    """Levels that the rule has reached by now."""

    @property
    def verified(self) -> bool:
        return self.phase != "grow"

    @property
    def emitted(self) -> bool:
        return self.phase in ("emit", "compact")

    @property
    def compacted(self) -> bool:
        return self.phase == "compact"

    @cached_property
    def nodes(self) -> range:
        """Those that have grown; nodes stand in order of depth."""
        return range(sum(depth <= self.grown for depth in self.round.depths))

    def state(self, node: int) -> State:
        """What has become of a node."""
        token = self.round.drafted[node]
        if token.accepted is not None and self.round.depths[node] <= self.judged:
            return "accepted" if token.accepted else "rejected"
        return "unjudged" if self.emitted else "waiting"

    @property
    def path(self) -> list[int]:
        """Nodes that stand by now, from the root down."""
        return [node for node in self.nodes if self.state(node) == "accepted"]

    @property
    def own(self) -> str | None:
        """The token that only the target gives, once it is there; None where a round is cut."""
        return self.round.texts[-1] if self.emitted and has_own(self.round) else None


def has_own(one: RoundRecord) -> bool:
    """Whether the round ends with a token of the target's own."""
    return one.ending != "cut" and bool(one.texts)


def path_of(one: RoundRecord) -> list[int]:
    """The accepted nodes, from the root down."""
    return [node for node, each in enumerate(one.drafted) if each.accepted]


def levels(one: RoundRecord) -> tuple[int, int]:
    """Levels of the tree, and those that were judged."""
    tested = (d for d, each in zip(one.depths, one.drafted, strict=True) if each.accepted is not None)
    return max(one.depths, default=0), max(tested, default=0)


def moments(one: RoundRecord, last: str = "") -> list[TreeMoment]:
    """A step a level that grows, the pass, a step a level that is judged, the emission, the cache."""
    depth, judged = levels(one)
    return [
        *(TreeMoment(one, last, "grow", level, 0) for level in range(1, depth + 1)),
        TreeMoment(one, last, "verify", depth, 0),
        *(TreeMoment(one, last, "judge", depth, level) for level in range(1, judged + 1)),
        TreeMoment(one, last, "emit", depth, judged),
        TreeMoment(one, last, "compact", depth, judged),
    ]


def most_telling(rounds: Sequence[RoundRecord]) -> int:
    """The first round that accepts a node which is not its parent's first child, or else the most nodes."""

    def tells(one: RoundRecord) -> tuple[int, int]:
        return len(detours(one)), one.accepted

    return max(range(len(rounds)), key=lambda at: (*tells(rounds[at]), -at))


def detours(one: RoundRecord) -> list[int]:
    """Accepted nodes with an elder sibling: what a chain of first guesses would have missed."""
    tree = one.tree
    return [node for node in path_of(one) if tree.index(tree[node]) != node]


def product(one: RoundRecord, node: int) -> float | None:
    """The product of the draft's confidences along the path to a node; None where it was not asked."""
    value = 1.0
    while node != ROOT:
        confidence = one.drafted[node].confidence
        if confidence is None:
            return None
        value *= confidence
        node = one.tree[node]
    return value


def name(one: RoundRecord, node: int, last: str) -> str:
    """A node's text, or the root's."""
    return last if node == ROOT else one.drafted[node].text


def told(moment: TreeMoment) -> str:
    """What happens at this moment: a sentence or two, with a list of the tests where there are any."""
    one = moment.round
    fresh = [node for node in moment.nodes if one.depths[node] == moment.grown]
    if moment.phase == "grow":
        parents = len({one.tree[node] for node in fresh})
        return t("tree-told-grow", level=moment.grown, parents=parents, fresh=len(fresh))
    if moment.phase == "verify":
        return t("tree-told-verify", nodes=len(one.drafted), positions=len(one.drafted) + 1)
    if moment.phase == "judge":
        return _told_tests(moment)
    if moment.phase == "emit":
        last = quoted(one.texts[-1]) if one.texts else "∅"
        return t(f"tree-told-{one.ending}", token=last, emitted=len(one.emitted), accepted=one.accepted)
    cache = one.target_cache
    return t("tree-told-compact", full=cache.full, kept=cache.kept, dropped=cache.full - cache.kept)


def _told_tests(moment: TreeMoment) -> str:
    one = moment.round
    tested = [
        node
        for node in moment.nodes
        if one.depths[node] == moment.judged and one.drafted[node].accepted is not None
    ]
    parent = quoted(name(one, one.tree[tested[0]], moment.last))
    lines = [t("tree-told-judge", level=moment.judged, parent=parent, tested=len(tested)), ""]
    return "\n".join([*lines, *(f"- {_told_test(one.drafted[node])}" for node in tested)])


def _told_test(token: DraftedToken) -> str:
    verdict = t("round-mark-accepted" if token.accepted else "round-mark-rejected")
    facts = {"token": quoted(token.text), "p": chance(token.p_target), "verdict": verdict}
    if token.uniform is None:
        return t("tree-told-matched", **facts)
    return t(
        "tree-told-test",
        q=chance(token.p_draft),
        acceptance=chance(token.acceptance),
        u=uniform(token),
        **facts,
    )


def frame(rounds: Sequence[RoundRecord]) -> pd.DataFrame:
    """A row a node, and one for the token of the target's own that ends each round."""
    rows = []
    for one in rounds:
        for node, token in enumerate(one.drafted):
            verdict = {True: "accepted", False: "rejected", None: "never judged"}[token.accepted]
            rows.append(
                {
                    "request": one.request,
                    "round": one.round,
                    "node": node,
                    "parent": one.tree[node],
                    "level": one.depths[node],
                    "token": token.text,
                    "confidence": token.confidence,
                    "product": product(one, node),
                    "q": token.p_draft,
                    "p": token.p_target,
                    "u": token.uniform,
                    "verdict": verdict,
                }
            )
        if has_own(one):
            ends = {"request": one.request, "round": one.round, "level": one.accepted + 1}
            rows.append(ends | {"token": one.texts[-1], "verdict": one.ending})
    return pd.DataFrame(rows)
