"""Verifying siblings beside its classic mistakes: the exact law of what each one emits.

A mistake is a rule that treats a rejection wrongly, or guesses that claim a law they were not drawn from.
Most cannot be seen with one guess: they need two. `siblings.py` has what is right, `mistakes.py` the mistakes
with one guess.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from sims.acceptance import Law, acceptance, residual
from sims.mistakes import Parts
from sims.siblings import Rule, Siblings, Way, drawn, drawn_without, multi_step, top, verified


@dataclass(frozen=True)
class Method:
    """A way of choosing siblings and the rule that verifies them."""

    way: Way
    rule: Rule

    def parts(self, p: Law, q: Law, count: int) -> Parts:
        """What comes out at a node with `count` siblings. Raises InputError."""
        return verified(p, q, count, self.way, self.rule)


def forget_to_subtract(p: Law, siblings: Siblings) -> Parts:
    """Every guess is tested against p itself; only after the last one comes a residual.

    Tokens that the draft likes get their share again with every guess.
    """
    accepted, left, last = np.zeros_like(p), 1.0, p
    for token, q in zip(siblings.tokens, siblings.laws, strict=True):
        passes = float(acceptance(p, q)[token])
        accepted[token] += left * passes
        left *= 1 - passes
        last = residual(p, q)
    return Parts(accepted, left * last)


def subtract_without_dividing(p: Law, siblings: Siblings) -> Parts:
    r"""The next guess is tested against $\max(0, p - q)$ as it is: no law, its sum is below 1.

    Later guesses are accepted too rarely, and the last draw gets what they miss.
    """
    accepted, left = np.zeros_like(p), 1.0
    for token, q in zip(siblings.tokens, siblings.laws, strict=True):
        passes = float(acceptance(p, q)[token])
        accepted[token] += left * passes
        left *= 1 - passes
        rest = np.maximum(0.0, p - q)
        p = rest if rest.any() else p  # nothing left to subtract from: what there was stands in
    return Parts(accepted, left * p / p.sum())


def stale_law(q: Law, count: int) -> Iterator[Siblings]:
    """Drawn without replacement, and tested as if each guess came from q: the drawn tokens never left it."""
    for each in drawn_without(q, count):
        yield replace(each, laws=(q,) * len(each.tokens))


def top_with_soft_law(q: Law, count: int) -> Iterator[Siblings]:
    """The likeliest tokens, tested as if drawn from q. Nothing was drawn: their laws are one-hot."""
    for each in top(q, count):
        yield replace(each, laws=(q,) * len(each.tokens))


EXACT: Mapping[str, Method] = {
    "drawn": Method(drawn, multi_step),
    "drawn-without": Method(drawn_without, multi_step),
    "top": Method(top, multi_step),
}
MISTAKES: Mapping[str, Method] = {
    "forget-to-subtract": Method(drawn, forget_to_subtract),
    "subtract-without-dividing": Method(drawn, subtract_without_dividing),
    "stale-law": Method(stale_law, multi_step),
    "top-with-soft-law": Method(top_with_soft_law, multi_step),
}
