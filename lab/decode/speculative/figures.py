"""What rounds amount to: the figures of acceptance, all together and pooled over requests.

Each answers another question, and they differ: shown alone, any of them misleads.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lab.records import TokenRecord
from lab.round_records import RoundRecord


@dataclass(frozen=True)
class RoundFigures:
    """Pooled over rounds: sums first, then one division. None where there is nothing to divide by."""

    rounds: int
    """Rounds of single requests; a target pass of a batch is one round of each of its requests."""
    passes: int
    """Target passes."""
    draft_steps: int
    """Steps of the draft, each shared by the rows of a batch: as many as the deepest window of a pass."""
    drafted: int
    accepted: int
    tokens: int
    """Emitted."""
    reached: tuple[int, ...]
    """Rounds that tested each position: in a tree, some token of each depth."""
    passed: tuple[int, ...]
    """Rounds that accepted at each position."""
    beta: float | None
    """Mean Σ min(p, q) over tested positions; None where records keep no laws. Tested positions are not the
    target's own text, so it is not α."""
    draft_seconds: float
    verify_seconds: float
    seconds: float
    """All of a round, over passes."""

    @property
    def tokens_per_round(self) -> float | None:
        """Tokens that one pass of the target gives a request."""
        return self.tokens / self.rounds if self.rounds else None

    @property
    def accepted_per_drafted(self) -> float | None:
        return self.accepted / self.drafted if self.drafted else None

    @property
    def conditional(self) -> tuple[float | None, ...]:
        """Acceptance at each position, given that it was reached."""
        return tuple(p / r if r else None for p, r in zip(self.passed, self.reached, strict=True))

    @property
    def unconditional(self) -> tuple[float, ...]:
        """Share of all rounds that accepted at each position."""
        return tuple(p / self.rounds for p in self.passed)

    @property
    def drafted_per_round(self) -> float | None:
        return self.drafted / self.rounds if self.rounds else None


def round_figures(rounds: Sequence[RoundRecord]) -> RoundFigures:
    """The figures of these rounds, of one run."""
    tested = [
        {
            depth
            for depth, each in zip(record.depths, record.drafted, strict=True)
            if each.accepted is not None
        }
        for record in rounds
    ]
    longest = max((max(record.depths, default=0) for record in rounds), default=0)
    judged = [each for record in rounds for each in record.drafted if each.accepted is not None]
    betas = [each.law.beta for each in judged if each.law and each.law.beta is not None]
    # The rows of one pass share its times, to the last digit.
    passes: dict[tuple[float, float, float], int] = {}
    for record in rounds:
        times = (record.draft_seconds, record.verify_seconds, record.seconds)
        passes[times] = max(passes.get(times, 0), *record.depths, 0)
    return RoundFigures(
        rounds=len(rounds),
        passes=len(passes),
        draft_steps=sum(passes.values()),
        drafted=sum(len(record.drafted) for record in rounds),
        accepted=sum(record.accepted for record in rounds),
        tokens=sum(len(record.emitted) for record in rounds),
        reached=tuple(sum(depth in own for own in tested) for depth in range(1, longest + 1)),
        passed=tuple(sum(record.accepted >= depth for record in rounds) for depth in range(1, longest + 1)),
        beta=sum(betas) / len(betas) if betas else None,
        draft_seconds=sum(draft for draft, _, _ in passes),
        verify_seconds=sum(verify for _, verify, _ in passes),
        seconds=sum(whole for _, _, whole in passes),
    )


def plain_seconds(tokens: Sequence[TokenRecord]) -> float:
    """Seconds of a plain run's decoding passes, from its tokens.

    The first token comes from the pass over the prompt, which both kinds of decoding share.
    """
    return sum({record.seconds for record in tokens if record.index > 0})  # rows share their pass's seconds
