"""α as Leviathan et al. measure it: the target writes by itself, a drafter is asked at each of its tokens.

Nothing is speculated. At every token that the target draws, its law p is compared with the drafter's law q
on the same text, after the same sampling transform. At temperature 0 both are one-hot, and that asks whether
they agree. The first token of a text comes with the prompt and is never drafted, so it does not count.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor

from lab.decode.batching import Step, decode
from lab.decode.requests import Request
from lab.decode.sampling import Context, law_after
from lab.decode.speculative.drafters import Drafter
from lab.decode.speculative.guess import Guess
from lab.decode.speculative.rule import beta
from lab.errors import LabError
from lab.models.transformer import Transformer
from lab.numerics.lanes import Lane
from lab.records import Failure, TokenRecord


@dataclass
class Overlaps:
    """One drafter along one text of the target, from the text's second token on."""

    betas: list[float] = field(default_factory=list)
    """Σ min(p, q) at each token; 0 where the drafter has nothing to propose."""
    chances: list[float] = field(default_factory=list)
    """min(1, q/p) of the token that the target drew."""


Along = list[list[Overlaps]]
"""By drafter, by request."""


def overlaps(
    model: Transformer, requests: Sequence[Request], lane: Lane, drafters: Sequence[Drafter]
) -> Generator[int, None, Along]:
    """Let the target decode these requests together, with every drafter asked along.

    Yields after each step how many tokens it made. Raises LabError for a request that cannot be decoded, a
    draft whose context is shorter, and logits that are NaN or infinite.
    """
    found = [[Overlaps() for _ in requests] for _ in drafters]
    longest = max(len(request.prompt) + request.max_new_tokens for request in requests)
    drafting = [drafter.start(len(requests), longest) for drafter in drafters]
    row = {request.id: at for at, request in enumerate(requests)}
    texts = [list(request.prompt) for request in requests]
    for step in decode(model, requests, lane, keep_top=2):
        tokens = {row[record.request]: record.token for record in sound(step)}
        asked = [at for at in tokens if len(texts[at]) > len(requests[at].prompt)]
        if asked:
            guesses = [one.guess(asked, [texts[at] for at in asked]) for one in drafting]
            for place, at in enumerate(asked):
                p = _law(step.logits[requests[at].id], requests[at], texts[at])
                assert p is not None  # check_requests refuses a request that bans every token
                for along, own in zip(found, guesses, strict=True):
                    _compare(along[at], p, own[place], requests[at], texts[at], tokens[at])
        for at, token in tokens.items():
            texts[at].append(token)
        yield len(tokens)
    return found


def sound(step: Step) -> list[TokenRecord]:
    """The tokens of a step. Raises LabError for logits that are NaN or infinite."""
    for record in step.records:
        if isinstance(record, Failure):
            raise LabError(
                f"Request {record.request!r}, token {record.index}: the logits are NaN or infinite.",
                "Check the model's weights.",
            )
    return [record for record in step.records if isinstance(record, TokenRecord)]


def _compare(
    along: Overlaps, p: Tensor, guess: Guess | None, request: Request, text: Sequence[int], token: int
) -> None:
    q = None if guess is None else _law(guess.logits, request, text, guess.vocabulary)
    if guess is None or q is None:
        overlap, chance = 0.0, 0.0
    else:
        ids = torch.arange(len(q)) if guess.vocabulary is None else guess.vocabulary
        overlap = beta(p[ids], q)
        chance = min(1.0, float(q[ids == token].sum()) / float(p[token]))
    along.betas.append(overlap)
    along.chances.append(chance)


def _law(
    logits: Tensor, request: Request, text: Sequence[int], vocabulary: Tensor | None = None
) -> Tensor | None:
    own = Context(request.prompt, text[len(request.prompt) :])
    return law_after(logits, request.sampling, own, vocabulary)


def pooled(found: Sequence[Overlaps]) -> tuple[float, float | None, int]:
    """(α, its standard error, tokens): the mean over all tokens of several texts.

    Tokens of one text depend on each other, so the error is that of a ratio of sums over texts (Cochran,
    Sampling Techniques, eq. 6.13); None for fewer than two texts. Raises LabError for no tokens.
    """
    tokens = sum(len(each.betas) for each in found)
    if tokens == 0:
        raise LabError("There is no token to measure α on.", "Decode at least two tokens of a prompt.")
    alpha = sum(sum(each.betas) for each in found) / tokens
    texts = len(found)
    if texts < 2:
        return alpha, None, tokens
    spread = sum((sum(each.betas) - alpha * len(each.betas)) ** 2 for each in found)
    return alpha, math.sqrt(spread * texts / (texts - 1)) / tokens, tokens
