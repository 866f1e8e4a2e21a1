"""Batched decoding, step by step: requests join and leave between steps.

`decode` is a generator. Each step runs one forward pass over every sequence that is
decoding, and feeds prompts that have arrived; then it yields one record a sequence. A
caller may draw each step, or stop between two.

This module decides who is in a batch. What a batch does to the numbers is the lane's.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Literal

import numpy as np
import torch
from torch import Tensor

from lab.decode.requests import Request, check_requests
from lab.decode.sampling import draw, law, top
from lab.errors import LabError
from lab.models.cache import KVCache
from lab.models.token_text import TextStream
from lab.models.tokenizer import Tokenizer
from lab.models.transformer import Transformer
from lab.numerics.lanes import Lane
from lab.traces import Candidate, Failure, TokenRecord

PROMPT_CHUNK = 512
"""Prompt tokens that one pass takes; a longer prompt is fed over several steps."""

Prefill = Literal["alone", "mixed"]


@dataclass(frozen=True)
class Step:
    """What one step made. `logits` [vocab] FP32 by request id, on the CPU; they are not part of a trace."""

    index: int
    records: tuple[TokenRecord | Failure, ...]
    logits: dict[str, Tensor]


@dataclass
class _Sequence:
    """A request in the batch, at one cache row."""

    request: Request
    row: int
    to_feed: list[int]  # prompt tokens, later the last token, not yet in the cache
    uniforms: np.random.Generator
    text: TextStream | None  # of the new tokens, where stop strings are looked for
    tokens: list[int] = field(default_factory=list)

    @property
    def feeding_prompt(self) -> bool:
        return not self.tokens

    def next_chunk(self) -> list[int]:
        return self.to_feed[:PROMPT_CHUNK]


def decode(
    model: Transformer,
    requests: Sequence[Request],
    lane: Lane,
    tokenizer: Tokenizer | None = None,
    max_batch: int | None = None,
    prefill: Prefill = "alone",
    keep_top: int = 5,
) -> Iterator[Step]:
    """Decode requests together, at most `max_batch` at a time, first come first served.

    `prefill`: "alone" feeds each prompt in a pass of its own, so that its numbers cannot
    depend on the batch; "mixed" puts prompts and decoding sequences in one pass, as servers
    with chunked prefill do. `tokenizer` puts the text into the records; stop strings need it.
    `keep_top` logits go into each record. Raises LabError before the first step for a request that cannot be
    decoded; a request whose logits become NaN or infinite ends with a Failure, and the
    others are not touched.
    """
    check_requests(requests, model.config, model.name)
    if tokenizer is None and any(request.stop for request in requests):
        raise LabError("Stop strings need a tokenizer.", "Pass the model's tokenizer, or no stop strings.")
    size = min(max_batch or len(requests), len(requests))
    longest = max(len(request.prompt) + request.max_new_tokens for request in requests)
    cache = model.new_cache(size, longest, lane)
    waiting = sorted(requests, key=lambda request: request.arrives)
    running: list[_Sequence] = []
    for index in count():
        while waiting and len(running) < size and waiting[0].arrives <= index:
            running.append(_join(waiting.pop(0), len(running), tokenizer))
        if not running and not waiting:
            return
        records: list[TokenRecord | Failure] = []
        logits: dict[str, Tensor] = {}
        for group in _passes(running, prefill):
            started = time.perf_counter()
            chunks = [sequence.next_chunk() for sequence in group]
            out = model.forward(chunks, cache, lane, [sequence.row for sequence in group]).cpu()
            seen = _Seen(lane.name, len(group), sum(map(len, chunks)), time.perf_counter() - started)
            low, high = torch.aminmax(out, dim=-1)  # a NaN comes out as both
            finite = (low.isfinite() & high.isfinite()).tolist()
            ranked = out if all(finite) else out.nan_to_num(nan=-torch.inf)
            values, ids = top(ranked, max(keep_top, 2))
            for at, sequence in enumerate(group):
                del sequence.to_feed[: len(chunks[at])]
                if sequence.to_feed:
                    continue  # more of the prompt is still to come
                if not finite[at]:
                    records.append(_failure(sequence))
                    continue
                logits[sequence.request.id] = out[at]
                best = _candidates(ids[at].tolist(), values[at].tolist(), tokenizer)
                records.append(
                    _commit(sequence, out[at], best, keep_top, seen, model.config.eos_ids, tokenizer)
                )
        yield Step(index, tuple(records), logits)
        ended = {r.request for r in records if isinstance(r, Failure) or r.finish}
        running = _leave(running, ended, cache)


@dataclass(frozen=True)
class _Seen:
    """What the records of one pass share."""

    lane: str
    batch: int
    rows: int
    seconds: float


def _join(request: Request, row: int, tokenizer: Tokenizer | None) -> _Sequence:
    uniforms = np.random.Generator(np.random.Philox(request.seed))
    text = tokenizer.stream() if request.stop and tokenizer else None
    return _Sequence(request, row, list(request.prompt), uniforms, text)


def _passes(running: list[_Sequence], prefill: Prefill) -> list[list[_Sequence]]:
    """The sequences of each forward pass of a step."""
    if prefill == "mixed":
        return [running] if running else []
    decoding = [sequence for sequence in running if not sequence.feeding_prompt]
    return ([decoding] if decoding else []) + [[sequence] for sequence in running if sequence.feeding_prompt]


def _candidates(ids: list[int], logits: list[float], tokenizer: Tokenizer | None) -> list[Candidate]:
    texts = ["" if tokenizer is None else tokenizer.pieces([token])[0] for token in ids]
    return [Candidate(*each) for each in zip(ids, logits, texts, strict=True)]


def _commit(
    sequence: _Sequence,
    logits: Tensor,
    best: list[Candidate],
    keep_top: int,
    seen: _Seen,
    eos_ids: Sequence[int],
    tokenizer: Tokenizer | None,
) -> TokenRecord:
    """Choose the sequence's next token, make it the next to feed, and record it."""
    request = sequence.request
    if request.sampling.temperature == 0.0:
        choice = best[0].token
    else:
        choice = draw(law(logits, request.sampling), sequence.uniforms.random())
    index = len(sequence.tokens)
    token = request.follow[index] if request.follow else choice
    sequence.tokens.append(token)
    sequence.to_feed = [token]
    # A character has at most four bytes, so three tokens before it are enough to show a piece of it.
    return TokenRecord(
        request=request.id,
        index=index,
        token=token,
        choice=choice,
        logit=float(logits[choice]),
        margin=best[0].logit - best[1].logit,
        top=tuple(best[:keep_top]),
        batch=seen.batch,
        rows=seen.rows,
        lane=seen.lane,
        seconds=seen.seconds,
        text="" if tokenizer is None else tokenizer.pieces([*sequence.tokens[-4:-1], choice])[-1],
        finish=_finish(sequence, eos_ids),
    )


def _finish(sequence: _Sequence, eos_ids: Sequence[int]) -> str | None:
    request = sequence.request
    if sequence.tokens[-1] in eos_ids and not request.ignore_eos:
        return "eos"
    if sequence.text is not None:
        sequence.text.push(sequence.tokens[-1])
        if any(stop in sequence.text.text for stop in request.stop):
            return "stop"
    return "length" if len(sequence.tokens) == request.max_new_tokens else None


def _failure(sequence: _Sequence) -> Failure:
    return Failure(
        request=sequence.request.id,
        index=len(sequence.tokens),
        error="The logits are NaN or infinite: no token can be chosen. Check the model's weights.",
    )


def _leave(running: list[_Sequence], ended: set[str], cache: KVCache) -> list[_Sequence]:
    """Take ended sequences out; the last ones move into the freed rows, so that rows stay consecutive."""
    staying = [sequence for sequence in running if sequence.request.id not in ended]
    free = sorted(sequence.row for sequence in running if sequence.request.id in ended)
    for row in free:
        cache.clear(row)
    for row in free:
        last = max(staying, key=lambda sequence: sequence.row, default=None)
        if last is not None and last.row > row:
            cache.move(last.row, row)
            last.row = row
    return sorted(staying, key=lambda sequence: sequence.row)
