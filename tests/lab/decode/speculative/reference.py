"""The law of a request's answer by definition: token by token from the target alone, in plain Python.

Written apart from `lab.decode.sampling`, straight from the definition of each setting, to compare with it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from lab.decode.requests import Request
from lab.decode.sampling import Sampling
from tests.lab.decode.speculative.toy import Logits

Answer = tuple[tuple[int, ...], str]
"""The new tokens, and why they end."""


def slow_law(
    logits: Sequence[float], sampling: Sampling, prompt: Sequence[int], answer: Sequence[int]
) -> list[float]:
    """Probabilities of the next token, by definition."""
    scores: list[float] = []
    for token, logit in enumerate(logits):
        if token in prompt or token in answer:
            logit = logit / sampling.repetition_penalty if logit > 0 else logit * sampling.repetition_penalty
        times = list(answer).count(token)
        logit -= sampling.frequency_penalty * times + sampling.presence_penalty * (times > 0)
        logit += sum(bias for biased, bias in sampling.logit_bias if biased == token)
        scores.append(-math.inf if token in sampling.banned else logit)
    if sampling.temperature == 0:
        best = scores.index(max(scores))
        return [float(token == best) for token in range(len(scores))]
    p = _normal([math.exp((score - max(scores)) / sampling.temperature) for score in scores])
    ranked = sorted(range(len(p)), key=lambda token: (-p[token], token))
    if sampling.top_k is not None:
        p = _normal([p[token] if token in ranked[: sampling.top_k] else 0.0 for token in range(len(p))])
    if sampling.top_p is not None:
        kept: list[int] = []
        for token in ranked:
            if math.fsum(p[each] for each in kept) < sampling.top_p:
                kept.append(token)
        p = _normal([p[token] if token in kept else 0.0 for token in range(len(p))])
    if sampling.min_p is not None:
        p = _normal([each if each >= sampling.min_p * max(p) else 0.0 for each in p])
    return p


def _normal(weights: list[float]) -> list[float]:
    total = math.fsum(weights)
    return [weight / total for weight in weights]


def answer_law(logits: Logits, request: Request, eos_ids: Sequence[int]) -> dict[Answer, float]:
    """Probability of every answer that the target can give. Token ids are bytes to a stop string."""
    out: dict[Answer, float] = {}

    def grow(answer: tuple[int, ...], chance: float) -> None:
        after = logits((*request.prompt, *answer)).tolist()
        for token, p in enumerate(slow_law(after, request.sampling, request.prompt, answer)):
            if p == 0.0:
                continue
            longer = (*answer, token)
            if finish := _finish(longer, request, eos_ids):
                out[longer, finish] = chance * p
            else:
                grow(longer, chance * p)

    grow((), 1.0)
    return out


def _finish(answer: tuple[int, ...], request: Request, eos_ids: Sequence[int]) -> str | None:
    if answer[-1] in eos_ids and not request.ignore_eos:
        return "eos"
    if any(stop in "".join(map(chr, answer)) for stop in request.stop):
        return "stop"
    return "length" if len(answer) == request.max_new_tokens else None
