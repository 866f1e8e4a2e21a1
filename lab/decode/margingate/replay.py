"""The verifier with a cache of its own: it replays what the fast lane has written since its last visit.

Its cache holds what the reference lane computes for the committed tokens, so its choice at any position is
the reference run's own, by induction: determinism does not rest on the gate. It decides what is committed;
when it is called is decided in run.py.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from torch import Tensor

from lab.decode.batching import NOT_FINITE, Batch, Running, rank
from lab.decode.margingate.columns import column_change
from lab.decode.margingate.strategies import Reference, Replay
from lab.records import Candidate, Failure, TokenRecord, VerdictRecord, VisitRecord

Found = VerdictRecord | VisitRecord | Failure


class ReplayVerifier:
    """Verified so far: `verified[id]` tokens of each request. Its cache's rows are those of the batch."""

    def __init__(self, batch: Batch, policy: Replay, reference: Reference, keep_top: int) -> None:
        self._batch, self._policy, self._reference, self._keep_top = batch, policy, reference, keep_top
        self.cache = batch.model.new_cache(batch.size, batch.longest, reference.steps, batch.cache.taps)
        batch.caches.append(self.cache)
        self._verified: dict[str, int] = {}
        self._flagged: set[str] = set()

    def feed_prompt(self, sequence: Running, chunk: list[int]) -> Tensor:
        """Feed prompt tokens in the reference lane; the fast lane gets a rounded copy of their K/V.

        The first token comes from these logits, so it is verified from the start.
        """
        row, fast = sequence.row, self._batch.cache
        logits = self._batch.model.forward([chunk], self.cache, self._reference.prompts, [row])
        fast.copy(self.cache, row, row, slice(fast.lengths[row], self.cache.lengths[row]), self._round)
        fast.lengths[row] = self.cache.lengths[row]
        self._verified[sequence.id] = 1
        return logits

    def note(self, sequence: Running, record: TokenRecord) -> bool:
        """See a token that the fast lane has made; whether it asks for a look."""
        if record.index == 0:
            return False
        gate = self._policy.gate
        asks = gate.flags(record.margin) or gate.due(self._unverified(sequence))
        if asks:
            self._flagged.add(sequence.id)
        return asks

    def wanted(self) -> bool:
        """Whether a pass must run now."""
        waiting = [s for s in self._batch.running if s.tokens and self._unverified(s)]
        if any(s.finish or self._policy.gate.due(self._unverified(s)) for s in waiting):
            return True
        queued = sum(self._unverified(s) for s in waiting if s.id in self._flagged)
        return queued >= self._policy.gate.pass_size

    def settled(self, sequence: Running) -> bool:
        return not self._unverified(sequence)

    def visit(self, step: int) -> list[Found]:
        """Verify the rows that ask for it, and others while the pass has room; commit and roll back."""
        rows = self._chosen()
        started = time.perf_counter()
        feeds = [self._feed(sequence) for sequence in rows]
        logits = self._batch.model.forward(
            feeds, self.cache, self._reference.steps, [s.row for s in rows], every_position=True
        ).cpu()
        ranked = rank(logits, max(self._keep_top, 2), self._batch.tokenizer)
        found: list[Found] = []
        for sequence, feed in zip(rows, feeds, strict=True):
            own, ranked = ranked[: len(feed)], ranked[len(feed) :]
            found += self._judge(sequence, own)
        self._flagged -= {s.id for s in rows}
        ids, positions = tuple(s.id for s in rows), sum(map(len, feeds))
        return [*found, VisitRecord(step, ids, positions, False, time.perf_counter() - started)]

    def _feed(self, sequence: Running) -> list[int]:
        """The token before each unverified one; for a bonus the newest too, unless nothing may follow it."""
        end = None if self._policy.bonus and not sequence.finish else -1
        return sequence.tokens[self._verified[sequence.id] - 1 : end]

    def _chosen(self) -> list[Running]:
        """Rows due, ended or flagged; then, while the pass has room, those with most to verify."""
        waiting = [s for s in self._batch.running if s.tokens and self._unverified(s)]
        gate = self._policy.gate
        asking = {s.id for s in waiting if s.finish or s.id in self._flagged or gate.due(self._unverified(s))}
        room = gate.pass_size - sum(self._unverified(s) for s in waiting if s.id in asking)
        others = [s for s in waiting if s.id not in asking]
        for sequence in sorted(others, key=self._unverified, reverse=True):
            if self._unverified(sequence) <= room:
                room -= self._unverified(sequence)
                asking.add(sequence.id)
        return [s for s in waiting if s.id in asking]

    def _judge(self, sequence: Running, ranked: Sequence[tuple[Candidate, ...] | None]) -> list[Found]:
        """Commit up to and with the first mismatch, or all and the bonus; `ranked` goes by position."""
        first, row = self._verified[sequence.id], sequence.row
        start = len(sequence.request.prompt) + first - 1
        written = list(sequence.tokens)
        found: list[Found] = []
        changes = self._changes(row, start, len(written) - first)
        for index, best in enumerate(ranked, start=first):
            if best is None:
                return [*found, Failure(sequence.id, index, NOT_FINITE)]
            token, bonus = best[0].token, index == len(written)
            agreed = not bonus and token == written[index]
            if bonus:
                sequence.commit(token, self._batch.model.config.eos_ids)
            elif not agreed:
                self._batch.amend(sequence, index, token)
                self.cache.truncate([row], [start + index - first + 1])
            self._verified[sequence.id] = index + 1
            found.append(
                VerdictRecord(
                    request=sequence.id,
                    index=index,
                    fast=token if bonus else written[index],
                    token=token,
                    margin=best[0].logit - best[1].logit,
                    top=best[: self._keep_top],
                    dropped=0 if agreed or bonus else len(written) - index - 1,
                    kv_change=None if bonus else changes[index - first],
                    finish=sequence.finish if index == len(sequence.tokens) - 1 else None,
                    bonus=bonus,
                )
            )
            if not agreed:
                break
        self._bring_up(row, start)
        return found

    def _bring_up(self, row: int, start: int) -> None:
        """Give the fast lane the verifier's columns: all from `start` on, or those that it has not made."""
        fast, end = self._batch.cache, self.cache.lengths[row]
        start = start if self._policy.refresh else fast.lengths[row]
        if start < end:
            fast.copy(self.cache, row, row, slice(start, end), self._round)
        fast.lengths[row] = end

    def _changes(self, row: int, start: int, count: int) -> list[float | None]:
        if not self._policy.refresh:
            return [None] * count
        span = slice(start, start + count)
        return list(column_change(self._batch.cache, self.cache, row, row, span, self._round))

    def _unverified(self, sequence: Running) -> int:
        return len(sequence.tokens) - self._verified[sequence.id]

    def _round(self, x: Tensor) -> Tensor:
        return self._batch.lane.round(x)
