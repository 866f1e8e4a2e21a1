"""Every strategy on one workload: what is equal, what was looked at, and what it cost.

A shape is a batch size. *Real* batches run as they are, with requests that join as others leave; their times
count. *Emulated* shapes set the fast lane's schedule to the size and let more requests share a pass: the same
tokens sooner (tests hold both against each other), and times that say nothing.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Collection, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from statistics import median

from lab.decode.batching import decode
from lab.decode.margingate.run import GateStep, committed, run
from lab.decode.margingate.strategies import Reference, Strategy, check_verifier
from lab.decode.requests import Request
from lab.models.transformer import Transformer
from lab.numerics.lanes import Lane
from lab.records import Failure, StrategyRecord, TokenRecord, VerdictRecord, VisitRecord

PASS_ROWS = 32
"""Requests that share a pass where the shape is emulated."""

Sequences = dict[str, list[int]]


@dataclass(frozen=True)
class Progress:
    """A step of one strategy is over; not part of a trace."""

    strategy: str
    batch: int
    asked: tuple[str, ...] = ()
    """Requests whose newest token asked for a look."""


def reference_run(
    model: Transformer, requests: Sequence[Request], reference: Reference
) -> Generator[Progress, None, Sequences]:
    """A Progress after each step; returns the tokens that every verified run is compared with, by request id.

    The reference lane gives a row the same bits in any company, so all requests may share passes.
    """
    check_verifier(reference)
    tokens: Sequences = {request.id: [] for request in requests}
    steps = decode(
        model, requests, reference.steps, max_batch=PASS_ROWS, keep_top=2, prompt_lane=reference.prompts
    )
    for step in steps:
        for record in step.records:
            if isinstance(record, TokenRecord):
                tokens[record.request].append(record.token)
        yield Progress(reference.name, len(requests))
    return tokens


def warm_up(model: Transformer, lanes: Collection[Lane], batches: Collection[int]) -> None:
    """Two passes of every lane at every batch size: the first packs weights, and no run should pay for it."""
    for lane, batch in product(dict.fromkeys(lanes), batches):
        cache = model.new_cache(batch, 2, lane)
        for _ in range(2):
            model.forward([[0]] * batch, cache, lane)


def measure(
    model: Transformer,
    requests: Sequence[Request],
    strategy: Strategy,
    batch: int,
    expected: Sequences,
    emulate: bool = False,
) -> Iterator[Progress | Failure | StrategyRecord]:
    """Run one strategy at one batch shape: a Progress after each step, then its record.

    `expected`: the reference's tokens (`reference_run`). Raises LabError for requests that cannot run.
    """
    started = time.perf_counter()
    steps: list[GateStep] = []
    shaped = strategy.at(batch) if emulate else strategy
    for step in run(model, requests, shaped, max_batch=PASS_ROWS if emulate else batch, keep_top=2):
        steps.append(step)
        yield from (record for record in step.records if isinstance(record, Failure))
        yield Progress(strategy.name, batch)
    seconds = time.perf_counter() - started
    yield _summary(strategy, batch, emulate, [r.id for r in requests], steps, expected, seconds)


def _summary(
    strategy: Strategy,
    batch: int,
    emulated: bool,
    ids: Sequence[str],
    steps: Sequence[GateStep],
    expected: Sequences,
    seconds: float,
) -> StrategyRecord:
    records = [record for step in steps for record in step.records]
    tokens = committed(records)
    made = [record for record in records if isinstance(record, TokenRecord)]
    verdicts = [record for record in records if isinstance(record, VerdictRecord)]
    visits = [record for record in records if isinstance(record, VisitRecord)]
    looks = [visit for visit in visits if not visit.prompt]
    gate = strategy.check.gate if strategy.check else None
    return StrategyRecord(
        strategy=strategy.name,
        tau=gate.tau if gate else None,
        window=gate.window if gate else None,
        pass_size=gate.pass_size if gate else None,
        batch=batch,
        emulated=emulated,
        sequences=tuple(_digest(tokens.get(each, [])) for each in ids),
        equal=tuple(tokens.get(each) == expected[each] for each in ids),
        tokens=sum(map(len, tokens.values())),
        rows=len(made),
        steps=sum(any(isinstance(r, TokenRecord) for r in step.records) for step in steps),
        asked_rows=sum(len(step.asked) for step in steps),
        asked_steps=sum(bool(step.asked) for step in steps),
        corrections=sum(verdict.corrected for verdict in verdicts),
        rolled_back=sum(verdict.dropped for verdict in verdicts),
        bonuses=sum(verdict.bonus for verdict in verdicts),
        visits=len(looks),
        verified=sum(visit.positions for visit in looks),
        seconds=seconds,
        visit_seconds=sum(visit.seconds for visit in looks),
    )


def _digest(tokens: Sequence[int]) -> str:
    return hashlib.sha256(" ".join(map(str, tokens)).encode()).hexdigest()[:12]


@dataclass(frozen=True)
class StrategySummary:
    """One strategy over all shapes of its records."""

    strategy: str
    shapes: tuple[int, ...]
    identical: float
    """Share of sequences that are the same at all shapes."""
    equal: float
    """Share of sequences that are the reference's at every shape."""
    trigger_rows: float
    """Rows that asked for a look ÷ rows."""
    trigger_steps: float
    """Steps with such a row ÷ steps. Emulated shapes count passes of PASS_ROWS rows."""


def summarise(records: Sequence[StrategyRecord]) -> list[StrategySummary]:
    """One summary a strategy, in the order in which they ran."""
    names = dict.fromkeys(record.strategy for record in records)
    return [_over_shapes(name, [r for r in records if r.strategy == name]) for name in names]


def _over_shapes(name: str, records: Sequence[StrategyRecord]) -> StrategySummary:
    count = len(records[0].sequences)
    by_sequence = list(zip(*(record.sequences for record in records), strict=True))
    equal = list(zip(*(record.equal for record in records), strict=True))
    rows, steps = sum(r.rows for r in records), sum(r.steps for r in records)
    return StrategySummary(
        strategy=name,
        shapes=tuple(dict.fromkeys(record.batch for record in records)),
        identical=sum(len(set(digests)) == 1 for digests in by_sequence) / count,
        equal=sum(map(all, equal)) / count,
        trigger_rows=sum(r.asked_rows for r in records) / rows,
        trigger_steps=sum(r.asked_steps for r in records) / steps,
    )


def increment(record: StrategyRecord, plain: StrategyRecord) -> float:
    """By how many seconds a committed token takes longer than in BF16 alone, at the same batch."""
    return record.seconds / record.tokens - plain.seconds / plain.tokens


def ratio(record: StrategyRecord, always: StrategyRecord, plain: StrategyRecord) -> float | None:
    """By what factor the increment of `always` is larger; None where either adds no time that was seen."""
    own, other = increment(record, plain), increment(always, plain)
    return other / own if own > 0 and other > 0 else None


def merged(records: Sequence[StrategyRecord]) -> list[StrategyRecord]:
    """One record for each strategy, gate and shape, with the median times of its repeats.

    Counts are those of the first: repeats of one run differ in time only.
    """
    groups: dict[tuple[object, ...], list[StrategyRecord]] = {}
    for r in records:
        key = (r.strategy, r.tau, r.window, r.pass_size, r.batch, r.emulated)
        groups.setdefault(key, []).append(r)
    return [
        replace(
            own[0],
            seconds=median(r.seconds for r in own),
            visit_seconds=median(r.visit_seconds for r in own),
        )
        for own in groups.values()
    ]
