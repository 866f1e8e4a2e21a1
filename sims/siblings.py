r"""One node of a token tree: several guesses of the next token, a rule that keeps one, and the law then.

No drawing: a way of choosing siblings lists every outcome with its chance, a rule says what each leads to,
and `verified` adds up. p is the target's law at the node and q the draft's, as in `acceptance.py`, which has
the rule for one guess. Trees of many nodes are in `token_trees.py`, wrong rules in `sibling_mistakes.py`, and
the approximate rule of Medusa in `typical.py`.

Sources: Miao et al., "SpecInfer" (ASPLOS 2024, arXiv 2305.09781), Algorithm 2 and Theorems 4.2 and 4.3, for
siblings drawn independently; Chen et al., "Sequoia" (arXiv 2402.12374) for siblings without replacement.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import perm

import numpy as np

from sims.acceptance import Law, acceptance, overlap, residual
from sims.errors import InputError
from sims.mistakes import Parts

MAX_OUTCOMES = 100_000


@dataclass(frozen=True)
class Siblings:
    """Guesses in the order in which they are tested, and the chance that just these were chosen.

    `laws[i]` is the law that guess i was drawn from, given the guesses before it: what a test divides by.
    """

    tokens: tuple[int, ...]
    laws: tuple[Law, ...]
    chance: float = 1.0


Way = Callable[[Law, int], Iterator[Siblings]]
Rule = Callable[[Law, Siblings], Parts]


def drawn(q: Law, count: int) -> Iterator[Siblings]:
    """Every outcome of `count` independent draws from q; a token may come twice. Raises InputError."""
    support = np.flatnonzero(q).tolist()
    _check(len(support) ** _count(count))
    for tokens in product(support, repeat=count):
        yield Siblings(tokens, (q,) * count, float(np.prod(q[list(tokens)])))


def drawn_without(q: Law, count: int) -> Iterator[Siblings]:
    """Every outcome of `count` draws without replacement: a token drawn leaves q, and the rest is normalised.

    Where q has fewer tokens than `count`, all of them are drawn. Raises InputError.
    """
    size = int(np.count_nonzero(q))
    _check(perm(size, min(_count(count), size)))

    def go(tokens: tuple[int, ...], laws: tuple[Law, ...], left: Law, chance: float) -> Iterator[Siblings]:
        if len(tokens) == count or not left.any():
            yield Siblings(tokens, laws, chance)
            return
        now = left / left.sum()
        for token in np.flatnonzero(now).tolist():
            rest = np.where(np.arange(len(q)) == token, 0.0, left)
            yield from go((*tokens, token), (*laws, now), rest, chance * float(now[token]))

    return go((), (), q, 1.0)


def top(q: Law, count: int) -> Iterator[Siblings]:
    """The `count` likeliest tokens of q (ties: lowest id first), for certain: each guess has a one-hot law.

    So EAGLE-2 verifies: a test against a one-hot law accepts with chance p(x), and a rejected x leaves p.
    """
    tokens = np.argsort(-q, kind="stable")[: _count(count)].tolist()
    yield Siblings(tuple(tokens), tuple(np.eye(len(q))[tokens]))


WAYS: Mapping[str, Way] = {"drawn": drawn, "drawn-without": drawn_without, "top": top}


def multi_step(p: Law, siblings: Siblings) -> Parts:
    r"""Multi-step speculative sampling: test x with $\min(1, p(x)/q(x))$; rejected, $p \leftarrow$ residual.

    The next guess is tested against the residual, and after the last one a token is drawn from it. Exact for
    every way of choosing whose laws are true (Theorem 4.2). With one guess it is `mistakes.exact`.
    """
    accepted, left = np.zeros_like(p), 1.0
    for token, q in zip(siblings.tokens, siblings.laws, strict=True):
        passes = float(acceptance(p, q)[token])
        accepted[token] += left * passes
        left *= 1 - passes
        p = residual(p, q)
    return Parts(accepted, left * p)


def sample_and_match(p: Law, siblings: Siblings) -> Parts:
    """The target draws from p by itself, and the tree was right if the token is among the guesses. Exact."""
    guessed = np.isin(np.arange(len(p)), siblings.tokens)
    return Parts(np.where(guessed, p, 0.0), np.where(guessed, 0.0, p))


RULES: Mapping[str, Rule] = {"multi-step": multi_step, "sample-and-match": sample_and_match}


def verified(p: Law, q: Law, count: int, way: Way, rule: Rule) -> Parts:
    """What comes out at a node with `count` guesses, over every outcome of the way. Raises InputError."""
    if len(p) != len(q):
        raise InputError(
            f"Laws of {len(p)} and {len(q)} tokens do not fit.", "Give both over one vocabulary."
        )
    accepted, corrected = np.zeros_like(p), np.zeros_like(p)
    for siblings in way(q, count):
        parts = rule(p, siblings)
        accepted += siblings.chance * parts.accepted
        corrected += siblings.chance * parts.corrected
    return Parts(accepted, corrected)


def multi_step_ranks(p: Law, q: Law, count: int) -> Law:
    r"""The chance that guess i is the one kept, for independent draws: $\beta_i \prod_{j<i} (1 - \beta_j)$.

    $\beta_i = \sum_x \min(p_i(x), q(x))$, with $p_1 = p$ and $p_{i+1}$ the residual of $p_i$: it does not
    depend on *which* tokens were rejected. Shape (count,); the sum is the node's acceptance.
    """
    ranks, left = [], 1.0
    for _ in range(_count(count)):
        beta = overlap(p, q)
        ranks.append(left * beta)
        left *= 1 - beta
        p = residual(p, q)
    return np.array(ranks)


def match_acceptance(p: Law, q: Law, count: int) -> float:
    r"""$\sum_x p(x)\,(1 - (1 - q(x))^k)$: sample-and-match with k independent draws."""
    return float(p @ (1 - (1 - q) ** _count(count)))


def target_mass(p: Law, tokens: Sequence[int]) -> float:
    r"""$\sum_{x \in S} p(x)$: both rules accept this where the siblings S are chosen without chance."""
    return float(p[sorted(set(tokens))].sum())


def _count(count: int) -> int:
    if count < 1:
        raise InputError(f"{count} guesses are no siblings.", "Guess at least one token.")
    return count


def _check(outcomes: int) -> None:
    if outcomes > MAX_OUTCOMES:
        raise InputError(
            f"{outcomes} outcomes are too many to list.",
            f"Use fewer guesses or a smaller vocabulary: up to {MAX_OUTCOMES} outcomes.",
        )
