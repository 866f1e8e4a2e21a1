"""Figures of flip studies and gated runs, out of their records: what tables print."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean, median
from typing import TypeVar

from lab.decode.margingate.calibrate import observed
from lab.decode.margingate.flips import NEAR
from lab.decode.margingate.run import GateRecord, committed
from lab.records import FlipRecord, SequenceRecord, VerdictRecord

Key = TypeVar("Key")


@dataclass(frozen=True)
class FlipFigures:
    """Some records of a flip study taken together."""

    sequences: int
    parted: int
    """Sequences with at least one flip."""
    steps: int
    flips: int
    first: float | None
    """Median step of the first flip, over the sequences that have one."""
    epsilon: float
    """Largest change of any logit."""
    largest_margin: float
    """Of the shape's own margins at flipped steps; 0 without a flip."""

    @property
    def flip_rate(self) -> float:
        return self.flips / self.steps


def flip_figures(records: Sequence[FlipRecord]) -> FlipFigures:
    """Raises LabError for records without a step."""
    seen = observed(records)
    firsts = [record.first for record in records if record.first is not None]
    return FlipFigures(
        sequences=len(records),
        parted=len(firsts),
        steps=len(seen.margins),
        flips=sum(seen.flipped),
        first=median(firsts) if firsts else None,
        epsilon=seen.epsilon,
        largest_margin=seen.catching,
    )


Shaped = tuple[int, tuple[str, ...]]
"""A batch size and the operators whose order followed it."""


def by_shape(records: Sequence[FlipRecord]) -> dict[Shaped, FlipFigures]:
    return _grouped(records, lambda record: (record.batch, record.switches))


def by_kind(records: Sequence[FlipRecord]) -> dict[str, FlipFigures]:
    return _grouped(records, lambda record: record.kind)


def whole_shapes(records: Sequence[FlipRecord]) -> list[FlipRecord]:
    """The records without those of one operator alone, where a study has both."""
    most = max((len(record.switches) for record in records), default=0)
    return [record for record in records if len(record.switches) == most]


def _grouped(records: Sequence[FlipRecord], key: Callable[[FlipRecord], Key]) -> dict[Key, FlipFigures]:
    return {
        each: flip_figures([record for record in records if key(record) == each])
        for each in dict.fromkeys(map(key, records))
    }


@dataclass(frozen=True)
class NearFigures:
    """N(Δ), tokens within `delta` of the top logit: its mean over steps. None where there is no such step."""

    delta: float
    stable: float | None
    flipped: float | None


def near_figures(records: Sequence[FlipRecord]) -> list[NearFigures]:
    """As MarginGate's Table 4 counts them: steps that keep their token beside steps that flip."""
    steps = [
        (counts, token != choice)
        for record in records
        for counts, token, choice in zip(record.near, record.tokens, record.choices, strict=True)
    ]

    def mean(at: int, flipped: bool) -> float | None:
        values = [counts[at] for counts, flip in steps if flip == flipped]
        return fmean(values) if values else None

    return [NearFigures(delta, mean(at, False), mean(at, True)) for at, delta in enumerate(NEAR)]


@dataclass(frozen=True)
class Outcome:
    """What a gated run made of one request."""

    request: str
    tokens: int
    equal: bool
    """Whether its tokens are the reference run's."""
    corrections: int
    rolled_back: int


def outcomes(records: Sequence[GateRecord | SequenceRecord]) -> list[Outcome]:
    """One for each request of a gate trace, in the order of its reference sequences."""
    own = committed([record for record in records if not isinstance(record, SequenceRecord)])
    verdicts = [record for record in records if isinstance(record, VerdictRecord)]
    return [
        Outcome(
            request=expected.request,
            tokens=len(own.get(expected.request, [])),
            equal=own.get(expected.request, []) == list(expected.tokens),
            corrections=sum(v.corrected for v in verdicts if v.request == expected.request),
            rolled_back=sum(v.dropped for v in verdicts if v.request == expected.request),
        )
        for expected in records
        if isinstance(expected, SequenceRecord)
    ]
