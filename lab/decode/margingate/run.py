"""Decoding under a strategy: the fast lane goes on, the verifier looks when the gate says so.

One step of `run` is a step of the batch and, if one is wanted, the verifier's passes after it. Flagged rows
need not stop the batch: they go on optimistically while their positions wait for a pass. A request leaves
when it has ended and nothing of it waits to be verified.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from torch import Tensor

from lab.decode.batching import Batch, Running, steps
from lab.decode.margingate.repair import RepairVerifier
from lab.decode.margingate.replay import ReplayVerifier
from lab.decode.margingate.strategies import Replay, Strategy, check_verifier
from lab.decode.requests import Request
from lab.decode.sampling import GREEDY
from lab.errors import LabError
from lab.models.tokenizer import Tokenizer
from lab.models.transformer import Transformer
from lab.records import Failure, TokenRecord, VerdictRecord, VisitRecord
from lab.round_records import RoundRecord

GateRecord = TokenRecord | VerdictRecord | VisitRecord | RoundRecord | Failure


@dataclass(frozen=True)
class GateStep:
    """What one step of the batch made: rounds, where it speculates; the fast lane's tokens; then verdicts.

    Each visit stands after its verdicts.

    `asked`: requests whose newest token asked for a look, by its margin or because its window was full.
    """

    index: int
    records: tuple[GateRecord, ...]
    asked: tuple[str, ...]


def run(
    model: Transformer,
    requests: Sequence[Request],
    strategy: Strategy,
    tokenizer: Tokenizer | None = None,
    max_batch: int | None = None,
    keep_top: int = 5,
    make_batch: Callable[..., Batch] = Batch,
) -> Iterator[GateStep]:
    """Decode greedy requests under a strategy, at most `max_batch` at a time.

    `make_batch`: the fast lane's way to decode, plain or in rounds (`partial(Speculation, how=…)`).

    A VerdictRecord overrules the token of the same request and index, and what was written after it; with
    `bonus` it is the token (`committed` applies them). Raises LabError before the first step for a request
    that cannot be decoded, samples, or follows given tokens.
    """
    for request in requests:
        if request.sampling != GREEDY or request.follow:
            raise LabError(
                f"Request {request.id!r} samples, has penalties or follows given tokens.",
                "A strategy verifies greedy decoding: use temperature 0 alone and no tokens to follow.",
            )
    make = partial(make_batch, model, requests, strategy.lane, tokenizer=tokenizer, max_batch=max_batch)
    if strategy.check is None:
        for step in steps(make(keep_top=keep_top, prompt_lane=strategy.prompt_lane)):
            yield GateStep(step.index, (*step.rounds, *step.records), ())
        return
    yield from _verified(make, strategy, keep_top)


def _verified(make: Callable[..., Batch], strategy: Strategy, keep_top: int) -> Iterator[GateStep]:
    check_verifier(strategy.reference)
    check = strategy.check
    visits: list[VisitRecord] = []

    def feed_prompt(sequence: Running, chunk: list[int]) -> Tensor:
        started = time.perf_counter()
        logits = verifier.feed_prompt(sequence, chunk)
        seconds = time.perf_counter() - started
        visits.append(VisitRecord(batch.steps, (sequence.id,), len(chunk), True, seconds))
        return logits

    own_prompts = isinstance(check, Replay) or (check is not None and check.prompt == "reference")
    batch = make(
        keep_top=keep_top,
        prompt_lane=strategy.reference.prompts if own_prompts else strategy.prompt_lane,
        feed_prompt=feed_prompt if own_prompts else None,
    )
    verifier: ReplayVerifier | RepairVerifier
    if isinstance(check, Replay):
        verifier = ReplayVerifier(batch, check, strategy.reference, keep_top)
    else:
        assert check is not None
        verifier = RepairVerifier(batch, check, strategy.reference, keep_top)
    while batch.admit():
        step = batch.step()
        by_id = {sequence.id: sequence for sequence in batch.running}
        records: list[GateRecord] = [*visits, *step.rounds, *step.records]
        visits.clear()
        failed = {record.request for record in step.records if isinstance(record, Failure)}
        made = [record for record in step.records if isinstance(record, TokenRecord)]
        asked = tuple(r.request for r in made if verifier.note(by_id[r.request], r))
        batch.leave(failed)
        while verifier.wanted():
            found = verifier.visit(step.index)
            records += found
            broken = {record.request for record in found if isinstance(record, Failure)}
            batch.leave(broken)
        yield GateStep(step.index, tuple(records), asked)
        batch.leave({s.id for s in batch.running if s.finish and verifier.settled(s)})


def committed(records: Sequence[GateRecord]) -> dict[str, list[int]]:
    """The tokens of every request after all verdicts, by request id."""
    return {name: [record.token for record in own] for name, own in standing(records).items()}


def standing(records: Sequence[GateRecord]) -> dict[str, list[TokenRecord | VerdictRecord]]:
    """By request id, the record that chose each token which stands after all verdicts."""
    found: dict[str, list[TokenRecord | VerdictRecord]] = {}
    for record in records:
        if isinstance(record, TokenRecord | VerdictRecord):
            own = found.setdefault(record.request, [])
            if isinstance(record, TokenRecord) or record.corrected or record.bonus:
                del own[record.index :]
                own.append(record)
    return found
