"""A threshold for the gate, from a flip study against the gate's reference.

A step is *flagged* at τ if the fast lane's margin is at most τ; a flip that is flagged is *caught*, one that
is not *escapes*. Calibrate on one set of prompts and report on another. The bound on the escape rate takes
steps as independent trials; steps of one sequence are not quite, so the same bound by sequence stands beside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scipy.special import betaincinv  # type: ignore[import-untyped]

from lab.errors import LabError
from lab.records import FlipRecord

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Observed:
    """Every step of a study as one list: the fast lane's margin, and whether it flipped."""

    margins: tuple[float, ...]
    flipped: tuple[bool, ...]
    max_deltas: tuple[float, ...]
    sequence: tuple[int, ...]
    """Which sequence each step belongs to, from 0."""
    sequences: int

    @property
    def epsilon(self) -> float:
        """ε: the largest change of any logit that was seen."""
        return max(self.max_deltas)

    @property
    def start(self) -> float:
        """τ = 2ε: a margin above it cannot flip, for its two best logits move by at most ε each."""
        return 2 * self.epsilon

    @property
    def catching(self) -> float:
        """The smallest τ that flags every flip that was seen; 0 where there was none."""
        return max((m for m, flip in zip(self.margins, self.flipped, strict=True) if flip), default=0.0)

    def at(self, tau: float) -> Caught:
        """What a gate at τ would have done with these steps."""
        flagged = [margin <= tau for margin in self.margins]
        escaped = [
            of
            for of, flip, flag in zip(self.sequence, self.flipped, flagged, strict=True)
            if flip and not flag
        ]
        flips = sum(self.flipped)
        return Caught(
            tau=tau,
            steps=len(self.margins),
            flagged=sum(flagged),
            flips=flips,
            caught=flips - len(escaped),
            sequences=self.sequences,
            escaped_sequences=len(set(escaped)),
        )


@dataclass(frozen=True)
class Caught:
    """What a gate at τ would have done with the observed steps."""

    tau: float
    steps: int
    flagged: int
    flips: int
    caught: int
    sequences: int
    escaped_sequences: int
    """Sequences with at least one flip that was not flagged."""

    @property
    def trigger_rate(self) -> float:
        return self.flagged / self.steps

    @property
    def catch_rate(self) -> float:
        """1 where there was nothing to catch."""
        return self.caught / self.flips if self.flips else 1.0

    @property
    def escapes(self) -> int:
        return self.flips - self.caught

    @property
    def escape_bound(self) -> float:
        """Upper 95 % bound on escapes ÷ steps."""
        return clopper_pearson_upper(self.escapes, self.steps)

    @property
    def sequence_bound(self) -> float:
        """Upper 95 % bound on the share of sequences with an escape."""
        return clopper_pearson_upper(self.escaped_sequences, self.sequences)


def observed(records: Sequence[FlipRecord]) -> Observed:
    """All steps of all records. Raises LabError if there are none."""
    if not any(record.margins for record in records):
        raise LabError("The study has no steps.", "Run `python -m lab flips` on at least one prompt.")
    return Observed(
        margins=tuple(m for record in records for m in record.margins),
        flipped=tuple(
            a != b for record in records for a, b in zip(record.tokens, record.choices, strict=True)
        ),
        max_deltas=tuple(delta for record in records for delta in record.max_deltas),
        sequence=tuple(of for of, record in enumerate(records) for _ in record.margins),
        sequences=len(records),
    )


def caught(records: Sequence[FlipRecord], tau: float) -> Caught:
    """Flagged and flipped steps at one τ. Raises LabError if there are no steps."""
    return observed(records).at(tau)


def curve(records: Sequence[FlipRecord], taus: Sequence[float]) -> list[Caught]:
    """Catch rate and trigger rate against τ. Raises LabError if there are no steps."""
    seen = observed(records)
    return [seen.at(tau) for tau in taus]


def clopper_pearson_upper(events: int, trials: int, confidence: float = CONFIDENCE) -> float:
    """One-sided exact upper bound on a probability: where `events` or fewer have chance 1 - confidence.

    The confidence quantile of Beta(events + 1, trials - events). Source: Clopper and Pearson, Biometrika 26
    (1934). Raises LabError for counts that do not fit together.
    """
    if not 0 <= events <= trials or trials < 1:
        raise LabError(f"{events} events in {trials} trials make no sense.", "Count trials of 1 or more.")
    return 1.0 if events == trials else float(betaincinv(events + 1, trials - events, confidence))
