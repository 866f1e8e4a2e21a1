"""Which tokens become the children of a node: the draft's likeliest, or draws from its law.

`top` takes the likeliest; each is certain (q = 1). `drawn` draws one after the other, independently, so a
token may come twice. `drawn-without` draws without replacement: each from the law without the earlier ones.
At temperature 0 a law has one token, so there the likeliest are taken, by the logits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal

import torch
from torch import Tensor

from lab.decode.sampling import Context, Draws, Sampling, adjusted, law_after, top
from lab.decode.speculative.guess import Guess
from lab.decode.speculative.window import Proposal
from lab.errors import LabError

How = Literal["top", "drawn", "drawn-without"]
SIBLINGS: tuple[How, ...] = ("top", "drawn", "drawn-without")


def check_siblings(how: str) -> None:
    """Raises LabError for a way of choosing that there is not."""
    if how not in SIBLINGS:
        raise LabError(f"There is no way {how!r} to choose siblings.", f"Use one of: {', '.join(SIBLINGS)}.")


def siblings(
    guesses: Sequence[Guess], sampling: Sampling, context: Context, count: int, how: How, draws: Draws
) -> list[Proposal]:
    """At most `count` children, from each guess in turn (several drafts may share a tree).

    Fewer where the guesses have no more tokens. Where tokens are not drawn, two guesses propose one once.
    """
    drawn = how != "top" and sampling.temperature > 0.0
    sources = [_source(guess, sampling, context, how, draws, count) for guess in guesses]
    made: list[Proposal] = []
    while sources and len(made) < count:
        source = sources.pop(0)
        known = () if drawn else {each.token for each in made}
        proposal = next((each for each in source if each.token not in known), None)
        if proposal is not None:
            sources.append(source)
            made.append(proposal)
    return made


def _source(
    guess: Guess, sampling: Sampling, context: Context, how: How, draws: Draws, count: int
) -> Iterator[Proposal]:
    """A guess's proposals, one after the other."""
    if sampling.temperature == 0.0:
        scores = guess.logits
        if sampling.adjusts:
            scores = adjusted(scores, sampling, context, guess.vocabulary)
        yield from _likeliest(guess, scores, count)
        return
    law = law_after(guess.logits, sampling, context, guess.vocabulary)
    if law is None:
        return
    if how == "top":
        yield from _likeliest(guess, law.log(), count)
    elif how == "drawn":
        while True:
            yield _proposal(guess, draws.proposal(law), law)
    else:
        left = law
        while float(left.sum()) > 0.0:
            left = left / left.sum()
            place = draws.proposal(left)
            yield _proposal(guess, place, left)
            left = left.clone()
            left[place] = 0.0


def _likeliest(guess: Guess, scores: Tensor, count: int) -> Iterator[Proposal]:
    """Those of the largest scores [R], each certain; none of a score of -inf."""
    values, places = top(scores[None], count)
    for place in places[0, : int((values > -torch.inf).sum())].tolist():
        certain = _proposal(guess, place, _CERTAIN)
        yield replace(certain, place=0, vocabulary=torch.tensor([certain.token]))


def _proposal(guess: Guess, place: int, law: Tensor) -> Proposal:
    token = place if guess.vocabulary is None else int(guess.vocabulary[place])
    confidence = float((guess.logits[place] - guess.logits.logsumexp(0)).exp())
    return Proposal(token, place, law, guess.vocabulary, 0.0, confidence=confidence)


_CERTAIN = torch.ones(1, dtype=torch.float64)
