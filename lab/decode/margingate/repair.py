"""The paper's verifier: flagged steps are computed again over the fast lane's own K/V, and repaired.

A flagged step is the row's last position: its token is fed again in the reference lane, in a scratch row that
holds a copy of the fast lane's K/V before it. Flagged rows of a pass are verified together. What lies before
was never verified, so the verdict is the reference lane's on the fast lane's context: that is the policy,
and why it cannot promise equal sequences.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from torch import Tensor

from lab.decode.batching import NOT_FINITE, Batch, Running, rank
from lab.decode.margingate.columns import column_change
from lab.decode.margingate.strategies import Reference, Repair
from lab.records import Candidate, Failure, TokenRecord, VerdictRecord, VisitRecord

Found = VerdictRecord | VisitRecord | Failure


@dataclass(frozen=True)
class _Flag:
    sequence: Running
    index: int
    asked: bool  # by its own margin; else by another row of the same step

    @property
    def position(self) -> int:
        """Of the column that the step wrote: that of the token it was fed."""
        return len(self.sequence.request.prompt) + self.index - 1

    @property
    def fed(self) -> int:
        request, tokens = self.sequence.request, self.sequence.tokens
        return tokens[self.index - 1] if self.index else request.prompt[-1]


class RepairVerifier:
    """Flagged steps wait in a queue; a pass takes at most `rows` of them."""

    def __init__(self, batch: Batch, policy: Repair, reference: Reference, keep_top: int) -> None:
        self._batch, self._policy, self._reference, self._keep_top = batch, policy, reference, keep_top
        self._rows = max(batch.size, policy.gate.pass_size)
        self._scratch = batch.model.new_cache(self._rows, batch.longest, reference.steps, batch.cache.taps)
        self._queue: list[_Flag] = []

    def feed_prompt(self, sequence: Running, chunk: list[int]) -> Tensor:
        """Feed prompt tokens in the reference lane (scratch row 0) and keep a rounded copy of their K/V."""
        row, fast = sequence.row, self._batch.cache
        done = fast.lengths[row]
        if done:
            self._scratch.copy(fast, row, 0, slice(0, done))
        self._scratch.lengths[0] = done
        logits = self._batch.model.forward([chunk], self._scratch, self._reference.prompts, [0])
        end = self._scratch.lengths[0]
        fast.copy(self._scratch, 0, row, slice(done, end), self._batch.lane.round)
        fast.lengths[row] = end
        return logits

    def note(self, sequence: Running, record: TokenRecord) -> bool:
        """See a token that the fast lane has made; whether its margin asks for a look."""
        from_reference = record.index == 0 and self._policy.prompt == "reference"
        asks = self._policy.gate.flags(record.margin) and not from_reference
        if asks:
            self._queue.append(_Flag(sequence, record.index, asked=True))
        return asks

    def wanted(self) -> bool:
        """Whether a pass must run now."""
        gate, here = self._policy.gate, {id(sequence) for sequence in self._batch.running}
        self._queue = [flag for flag in self._queue if id(flag.sequence) in here]
        overdue = any(flag.sequence.finish or gate.due(self._behind(flag)) for flag in self._queue)
        return bool(self._queue) and (overdue or len(self._queue) >= gate.pass_size)

    def settled(self, sequence: Running) -> bool:
        return all(flag.sequence is not sequence for flag in self._queue)

    def visit(self, step: int) -> list[Found]:
        """Verify what is queued, oldest first; on a mismatch commit the verifier's token and repair."""
        if self._policy.what == "step":
            self._widen()
        flags, self._queue = self._queue[: self._rows], self._queue[self._rows :]
        started = time.perf_counter()
        for row, flag in enumerate(flags):
            if flag.position:
                self._scratch.copy(self._batch.cache, flag.sequence.row, row, slice(0, flag.position))
            self._scratch.lengths[row] = flag.position
        logits = self._batch.model.forward(
            [[flag.fed] for flag in flags], self._scratch, self._reference.steps
        ).cpu()
        ranked = rank(logits, max(self._keep_top, 2), self._batch.tokenizer)
        found: list[Found] = []
        for row, (flag, best) in enumerate(zip(flags, ranked, strict=True)):
            if flag.index >= len(flag.sequence.tokens):
                continue  # rolled back with a mismatch before it
            if best is None:
                found.append(Failure(flag.sequence.id, flag.index, NOT_FINITE))
                continue
            found.append(self._judge(flag, row, best))
        seconds = time.perf_counter() - started
        ids = tuple(dict.fromkeys(flag.sequence.id for flag in flags))
        return [*found, VisitRecord(step, ids, len(flags), False, seconds)]

    def _judge(self, flag: _Flag, row: int, best: tuple[Candidate, ...]) -> VerdictRecord:
        sequence, at = flag.sequence, flag.position
        fast, token = sequence.tokens[flag.index], best[0].token
        behind, round_ = self._behind(flag), self._batch.lane.round
        change = None
        if token != fast or self._policy.what != "mismatch":
            change = column_change(
                self._batch.cache,
                self._scratch,
                sequence.row,
                row,
                slice(at, at + 1),
                round_,
            )[0]
            k, v = self._scratch.column(row, at)
            self._batch.cache.replace_column(sequence.row, at, round_(k), round_(v))
        if token != fast:
            self._batch.amend(sequence, flag.index, token)
            self._queue = [f for f in self._queue if f.sequence is not sequence or f.index < flag.index]
        return VerdictRecord(
            request=sequence.id,
            index=flag.index,
            fast=fast,
            token=token,
            margin=best[0].logit - best[1].logit,
            top=best[: self._keep_top],
            dropped=behind if token != fast else 0,
            kv_change=change,
            finish=sequence.finish if flag.index == len(sequence.tokens) - 1 else None,
        )

    def _widen(self) -> None:
        """Queue the newest step of every row beside the flagged ones."""
        queued = {(flag.sequence.id, flag.index) for flag in self._queue}
        for sequence in self._batch.running:
            index = len(sequence.tokens) - 1
            if index >= 0 and (sequence.id, index) not in queued:
                self._queue.append(_Flag(sequence, index, asked=False))

    def _behind(self, flag: _Flag) -> int:
        """Tokens that the row has made since the flagged one."""
        return len(flag.sequence.tokens) - 1 - flag.index
