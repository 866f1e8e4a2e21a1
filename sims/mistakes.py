r"""The rule of speculative decoding beside its classic mistakes: the exact law of what each one emits.

One token, no drawing: the draft proposes x with chance q(x), a rule accepts it or not, and after a rejection
draws another token. Each function adds up every way in which a token can come out, in the two parts that a
reader wants to see. Only `exact` gives p. `acceptance.py` has the rule's own formulas; letters are its.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from sims.acceptance import Law, acceptance, overlap, residual


@dataclass(frozen=True)
class Parts:
    """Chances, token by token: drafted and accepted, and drawn after a rejection."""

    accepted: Law
    corrected: Law

    @property
    def law(self) -> Law:
        """Of the token that comes out."""
        return self.accepted + self.corrected

    @property
    def acceptance(self) -> float:
        """The chance that the draft is accepted; β where the rule is right."""
        return float(self.accepted.sum())

    def error(self, p: Law) -> float:
        r"""Total variation from the target's law, $\frac12 \sum_x |\text{law}(x) - p(x)|$: 0 is exact.

        No event has a chance that differs by more than this.
        """
        return 1 - overlap(self.law, p)


Rule = Callable[[Law, Law], Parts]


def _rejected(accepted: Law, then: Law) -> Parts:
    """What was not accepted comes out as a token of the law `then`."""
    return Parts(accepted, (1 - accepted.sum()) * then)


def exact(p: Law, q: Law) -> Parts:
    r"""Accept x iff $u < p(x)/q(x)$, else draw from $p'$: $\min(p, q) + \max(0, p - q) = p$."""
    return _rejected(q * acceptance(p, q), residual(p, q))


def accept_always(p: Law, q: Law) -> Parts:
    """Keep every draft: the text is the draft's own, q, at any acceptance that a log may claim."""
    return _rejected(q, p)


def correct_from_target(p: Law, q: Law) -> Parts:
    r"""Draw the correction from p, not from the residual: $\min(p, q) + (1 - \beta)\, p$.

    Tokens that the draft likes have had their share already and get another one.
    """
    return _rejected(q * acceptance(p, q), p)


def softmax_residual(p: Law, q: Law) -> Parts:
    r"""Softmax of $\max(0, p - q)$ where a division by its sum belongs.

    Every token gets some chance, also those whose residual is 0.
    """
    raised = np.exp(np.maximum(0.0, p - q))
    return _rejected(q * acceptance(p, q), raised / raised.sum())


def reversed_test(p: Law, q: Law) -> Parts:
    r"""Accept iff $u > p(x)/q(x)$: $\max(0, q - p) + \beta\, p'$, most of what the target likes least."""
    return _rejected(q * (1 - acceptance(p, q)), residual(p, q))


def greedy_draft(p: Law, q: Law) -> Parts:
    """The draft proposes its likeliest token, and the test still divides by that token's q.

    The law that proposed is one-hot, not q. A greedy draft is exact with the one-hot law in the test.
    """
    proposed = np.zeros_like(q)
    proposed[q.argmax()] = 1.0
    return _rejected(proposed * acceptance(p, q), residual(p, q))


MISTAKES: Mapping[str, Rule] = {
    "accept-always": accept_always,
    "correct-from-target": correct_from_target,
    "softmax-residual": softmax_residual,
    "reversed-test": reversed_test,
    "greedy-draft": greedy_draft,
}
RULES: Mapping[str, Rule] = {"exact": exact, **MISTAKES}
