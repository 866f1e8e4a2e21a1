"""Runs of one workload held against each other: where two of them part, and what their logits said there.

Up to the parting both runs have read the same tokens, so what differs there is arithmetic: the two margins
are those of one prefix in two orders of sums. It reads the records of meeting.py and decodes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lab.round_records import MeetingRecord

PARTNERS = {
    "fp32-speculative": "fp32",
    "bf16": "fp32",
    "bf16-speculative": "bf16",
    "bf16-speculative-gated": "fp32",
}
"""By run: the run that it is held against."""


@dataclass(frozen=True)
class Choice:
    """What one run made of a step."""

    text: str
    margin: float
    runner_up: str
    rows: int


@dataclass(frozen=True)
class Compared:
    """One request in a run, and in the run that it is held against."""

    own: MeetingRecord
    partner: MeetingRecord

    @property
    def request(self) -> str:
        return self.own.request

    @property
    def parted(self) -> int | None:
        """Index of the first token that differs, or that one run alone has; None where all are equal."""
        a, b = self.own.tokens, self.partner.tokens
        if a == b:
            return None
        return next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))

    @property
    def choices(self) -> tuple[Choice | None, Choice | None]:
        """What run and partner chose where they part, in this order; None for one that had ended."""
        at = self.parted
        return (None, None) if at is None else (choice(self.own, at), choice(self.partner, at))


def choice(record: MeetingRecord, at: int) -> Choice | None:
    """What a run made of its step `at`; None where it had ended."""
    if at >= len(record.tokens):
        return None
    return Choice(record.texts[at], record.margins[at], record.runners_up[at], record.rows[at])


def compared(records: Sequence[MeetingRecord]) -> list[Compared]:
    """Every request of every run that has a partner, run by run; runs that have not come are left out."""
    found = {(record.run, record.request): record for record in records}
    return [
        Compared(found[run, request], found[partner, request])
        for run, partner in PARTNERS.items()
        for request in dict.fromkeys(record.request for record in records)
        if (run, request) in found and (partner, request) in found
    ]


@dataclass(frozen=True)
class RunFigures:
    """One run, over all its requests."""

    run: str
    requests: int
    tokens: int
    passes: int
    """Of the lane, those over prompts left out, summed over requests."""
    visits: int
    """Of the verifier, summed over requests."""
    corrected: int
    seconds: float

    @property
    def per_pass(self) -> float | None:
        """Tokens for each pass of a request, its first token left out; None without a pass."""
        return (self.tokens - self.requests) / self.passes if self.passes else None


def run_figures(records: Sequence[MeetingRecord]) -> list[RunFigures]:
    """One for each run, in the order of the records."""
    return [
        RunFigures(
            run=run,
            requests=len(own),
            tokens=sum(len(r.tokens) for r in own),
            passes=sum(r.passes for r in own),
            visits=sum(r.visits for r in own),
            corrected=sum(len(r.corrected) for r in own),
            seconds=own[0].seconds,
        )
        for run, own in _by_run(records).items()
    ]


def _by_run(records: Sequence[MeetingRecord]) -> dict[str, list[MeetingRecord]]:
    return {run: [r for r in records if r.run == run] for run in dict.fromkeys(r.run for r in records)}
