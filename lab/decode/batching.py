"""Batched decoding, step by step: requests join and leave between steps.

`decode` is a generator. Each step runs one forward pass over every sequence that is
decoding, and feeds prompts that have arrived; then it yields one record a sequence. A
caller may draw each step, or stop between two. `Batch` is what it steps: who decodes, at
which row of the cache; a verifier steps it too, and takes tokens back.

This module decides who is in a batch. What a batch does to the numbers is the lane's.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

import torch
from torch import Tensor

from lab.decode.requests import Request, check_requests
from lab.decode.sampling import GREEDY, Context, Draws, law_after, top
from lab.errors import LabError
from lab.models.cache import KVCache
from lab.models.token_text import TextStream
from lab.models.tokenizer import Tokenizer
from lab.models.transformer import Transformer
from lab.numerics.lanes import Lane
from lab.records import Candidate, Failure, TokenRecord
from lab.round_records import RoundRecord

PROMPT_CHUNK = 512
"""Prompt tokens that one pass takes; a longer prompt is fed over several steps."""

NOT_FINITE = "The logits are NaN or infinite: no token can be chosen. Check the model's weights."

Prefill = Literal["alone", "mixed"]


@dataclass(frozen=True)
class Step:
    """What one step made. `logits` [vocab] FP32 by request id, on the CPU; they are not part of a trace."""

    index: int
    records: tuple[TokenRecord | Failure, ...]
    logits: dict[str, Tensor]
    rounds: tuple[RoundRecord, ...] = ()
    """Of speculation: the rounds that the records are of."""


@dataclass
class Running:
    """A request in the batch, at one row of its cache."""

    request: Request
    row: int
    to_feed: list[int]  # prompt tokens, later the last token, not yet in the cache
    draws: Draws
    text: TextStream | None  # of the new tokens, where stop strings are looked for
    tokens: list[int] = field(default_factory=list)
    finish: str | None = None

    @property
    def id(self) -> str:
        return self.request.id

    def context(self, drafted: Sequence[int] = ()) -> Context:
        """What penalties of the next token look at, after `drafted` tokens that are not committed."""
        return Context(self.request.prompt, [*self.tokens, *drafted])

    def next_chunk(self) -> list[int]:
        return self.to_feed[:PROMPT_CHUNK]

    def commit(self, token: int, eos_ids: Sequence[int]) -> None:
        """Make `token` the next of the sequence and the next to feed; see whether it ends the request."""
        self.tokens.append(token)
        self.to_feed = [token]
        self.finish = self._ending(eos_ids)

    def _ending(self, eos_ids: Sequence[int]) -> str | None:
        request = self.request
        if self.tokens[-1] in eos_ids and not request.ignore_eos:
            return "eos"
        if self.text is not None:
            self.text.push(self.tokens[-1])
            if any(stop in self.text.text for stop in request.stop):
                return "stop"
        return "length" if len(self.tokens) == request.max_new_tokens else None


@dataclass(frozen=True)
class Seen:
    """What the records of one pass share."""

    lane: str
    batch: int
    rows: int
    seconds: float


@dataclass
class Made:
    """What one pass made."""

    records: list[TokenRecord | Failure] = field(default_factory=list)
    logits: dict[str, Tensor] = field(default_factory=dict)
    rounds: list[RoundRecord] = field(default_factory=list)


PromptFeeder = Callable[[Running, list[int]], Tensor]
"""Feeds some prompt tokens of a sequence its own way and gives the logits [1, vocab] of the last."""


def decode(
    model: Transformer,
    requests: Sequence[Request],
    lane: Lane,
    tokenizer: Tokenizer | None = None,
    max_batch: int | None = None,
    prefill: Prefill = "alone",
    keep_top: int = 5,
    prompt_lane: Lane | None = None,
) -> Iterator[Step]:
    """Decode requests together, at most `max_batch` at a time, first come first served.

    `prefill`: "alone" feeds each prompt in a pass of its own, so that its numbers cannot
    depend on the batch; "mixed" puts prompts and decoding sequences in one pass, as servers
    with chunked prefill do. `tokenizer` puts the text into the records; stop strings need it.
    `keep_top` logits go into each record. `prompt_lane` computes passes over prompts alone, if it is not
    `lane` (a lane pinned to a batch size means decoding steps). Raises LabError before the first step for a
    request that cannot be decoded; a request whose logits become NaN or infinite ends with a Failure, and
    the others are not touched.
    """
    yield from steps(Batch(model, requests, lane, tokenizer, max_batch, prefill, keep_top, prompt_lane))


def steps(batch: Batch) -> Iterator[Step]:
    """Step a batch until every request has ended; what has ended leaves after its step."""
    while batch.admit():
        step = batch.step()
        yield step
        batch.leave(
            {record.request for record in step.records if isinstance(record, Failure) or record.finish}
        )


class Batch:
    """Requests that decode together in one lane: who runs, who waits, and the cache they share."""

    def __init__(
        self,
        model: Transformer,
        requests: Sequence[Request],
        lane: Lane,
        tokenizer: Tokenizer | None = None,
        max_batch: int | None = None,
        prefill: Prefill = "alone",
        keep_top: int = 5,
        prompt_lane: Lane | None = None,
        feed_prompt: PromptFeeder | None = None,
    ) -> None:
        """As `decode`; `feed_prompt` takes the place of a pass over a prompt."""
        check_requests(requests, model.config, model.name)
        if tokenizer is None and any(request.stop for request in requests):
            raise LabError(
                "Stop strings need a tokenizer.", "Pass the model's tokenizer, or no stop strings."
            )
        self.model, self.lane, self.tokenizer = model, lane, tokenizer
        if max_batch is not None and max_batch < 1:
            raise LabError(f"A batch of {max_batch} decodes nothing.", "Let it hold 1 sequence or more.")
        self.size = min(max_batch or len(requests), len(requests))
        self.longest = max(len(request.prompt) + request.max_new_tokens for request in requests)
        self.cache = self._new_cache()
        self.caches = [self.cache]
        """All caches whose rows are those of the batch; a verifier adds its own."""
        self.running: list[Running] = []
        self.waiting = sorted(
            (request for request in requests if request.max_new_tokens), key=lambda request: request.arrives
        )
        self.steps = 0
        self._prefill, self._keep_top = prefill, keep_top
        self._prompt_lane = prompt_lane or lane
        self._feed_prompt = feed_prompt

    def _new_cache(self) -> KVCache:
        return self.model.new_cache(self.size, self.longest, self.lane)

    def admit(self) -> bool:
        """Let requests that have arrived take free rows; whether anything is left to do."""
        while self.waiting and len(self.running) < self.size and self.waiting[0].arrives <= self.steps:
            request = self.waiting.pop(0)
            self.running.append(
                Running(
                    request,
                    len(self.running),
                    list(request.prompt),
                    Draws(request.seed),
                    self._stream(request),
                )
            )
        return bool(self.running or self.waiting)

    def step(self) -> Step:
        """One pass over all sequences that decode, and one over every prompt that is being fed."""
        made = [self._advance(group) for group in self._passes()]
        self.steps += 1
        return Step(
            self.steps - 1,
            tuple(record for each in made for record in each.records),
            {key: value for each in made for key, value in each.logits.items()},
            tuple(record for each in made for record in each.rounds),
        )

    def _advance(self, group: list[Running]) -> Made:
        """One pass over the sequences of `group`: one more token for each that has all its prompt fed."""
        made = Made()
        started = time.perf_counter()
        chunks = [sequence.next_chunk() for sequence in group]
        out = self._forward(group, chunks)
        lane = self._lane_of(group)
        seen = Seen(lane.name, len(group), sum(map(len, chunks)), time.perf_counter() - started)
        ranked = rank(out, max(self._keep_top, 2), self.tokenizer)
        for at, sequence in enumerate(group):
            del sequence.to_feed[: len(chunks[at])]
            if sequence.to_feed:
                continue  # more of the prompt is still to come
            best = ranked[at]
            if best is None:
                made.records.append(Failure(sequence.id, len(sequence.tokens), NOT_FINITE))
                continue
            made.logits[sequence.id] = out[at]
            made.records.append(self._choose(sequence, out[at], best, seen))
        return made

    def amend(self, sequence: Running, index: int, token: int) -> None:
        """Take back the tokens from `index` on and commit `token` there; the cache forgets what follows."""
        tokens = [*sequence.tokens[:index], token]
        sequence.tokens, sequence.text = [], self._stream(sequence.request)
        for each in tokens:
            sequence.commit(each, self.model.config.eos_ids)
        self.cache.truncate([sequence.row], [len(sequence.request.prompt) + index])

    def leave(self, ended: Collection[str]) -> None:
        """Take ended requests out; the last rows move into the freed ones, so that rows stay consecutive."""
        staying = [sequence for sequence in self.running if sequence.id not in ended]
        free = sorted(sequence.row for sequence in self.running if sequence.id in ended)
        for cache in self.caches:
            for row in free:
                cache.clear(row)
        for row in free:
            last = max(staying, key=lambda sequence: sequence.row, default=None)
            if last is not None and last.row > row:
                for cache in self.caches:
                    cache.move(last.row, row)
                last.row = row
        self.running = sorted(staying, key=lambda sequence: sequence.row)

    def _stream(self, request: Request) -> TextStream | None:
        return self.tokenizer.stream() if request.stop and self.tokenizer else None

    def _passes(self) -> list[list[Running]]:
        """The sequences of each forward pass of a step."""
        if self._prefill == "mixed":
            return [self.running] if self.running else []
        decoding = [sequence for sequence in self.running if sequence.tokens]
        prompts = [[sequence] for sequence in self.running if not sequence.tokens]
        return ([decoding] if decoding else []) + prompts

    def _forward(self, group: list[Running], chunks: list[list[int]]) -> Tensor:
        if self._feed_prompt and not group[0].tokens:
            return self._feed_prompt(group[0], chunks[0]).cpu()
        rows = [sequence.row for sequence in group]
        return self.model.forward(chunks, self.cache, self._lane_of(group), rows).cpu()

    def _lane_of(self, group: list[Running]) -> Lane:
        return self.lane if any(sequence.tokens for sequence in group) else self._prompt_lane

    def _choose(
        self, sequence: Running, logits: Tensor, best: tuple[Candidate, ...], seen: Seen
    ) -> TokenRecord:
        """Choose the sequence's next token, make it the next to feed, and record it."""
        request, index = sequence.request, len(sequence.tokens)
        choice = best[0].token
        if request.sampling != GREEDY:
            p = law_after(logits, request.sampling, sequence.context())
            assert p is not None  # check_requests refuses a request that bans every token
            choice = sequence.draws.token(p)
        return self._commit(
            sequence, request.follow[index] if request.follow else choice, choice, logits, best, seen
        )

    def _commit(
        self,
        sequence: Running,
        token: int,
        choice: int,
        logits: Tensor,
        best: tuple[Candidate, ...],
        seen: Seen,
    ) -> TokenRecord:
        """Make `token` the sequence's next and the next to feed, and record it."""
        sequence.commit(token, self.model.config.eos_ids)
        return TokenRecord(
            request=sequence.id,
            index=len(sequence.tokens) - 1,
            token=token,
            choice=choice,
            logit=float(logits[choice]),
            margin=best[0].logit - best[1].logit,
            top=best[: self._keep_top],
            batch=seen.batch,
            rows=seen.rows,
            lane=seen.lane,
            seconds=seen.seconds,
            text=self._piece([*sequence.tokens[:-1], choice]),
            finish=sequence.finish,
        )

    def _piece(self, tokens: Sequence[int]) -> str:
        """What a reader sees of the last of `tokens`; empty without a tokenizer."""
        # A character has at most four bytes, so three tokens before it are enough to show a piece of it.
        return "" if self.tokenizer is None else self.tokenizer.pieces(list(tokens[-4:]))[-1]


def all_finite(logits: Tensor) -> Tensor:
    """For each row of logits [rows, vocab], whether none is NaN or infinite."""
    low, high = logits.amin(-1), logits.amax(-1)  # a NaN comes out as both
    return (low - low) + (high - high) == 0  # infinite less itself is NaN


def rank(logits: Tensor, keep: int, tokenizer: Tokenizer | None) -> list[tuple[Candidate, ...] | None]:
    """The `keep` best of each row of logits [rows, vocab]; None for a row that is not all finite."""
    finite = all_finite(logits).tolist()
    values, ids = top(logits if all(finite) else logits.nan_to_num(nan=-torch.inf), keep)
    return [
        tuple(
            Candidate(token, logit, "" if tokenizer is None else tokenizer.pieces([token])[0])
            for token, logit in zip(tokens, row, strict=True)
        )
        if fine
        else None
        for tokens, row, fine in zip(ids.tolist(), values.tolist(), finite, strict=True)
    ]
