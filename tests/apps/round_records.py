"""Records of speculative rounds by hand: what the pages' own arithmetic is tested on."""

from __future__ import annotations

from collections.abc import Sequence

from apps.speculative_run import Made, Run, run_of
from lab.decode.sampling import Sampling
from lab.decode.speculative.settings import PLAIN, SpeculateSettings
from lab.records import Candidate, TokenRecord
from lab.round_records import DraftedToken, Ending, LawRecord, LawToken, Lengths, RoundRecord

PROMPT = 10  # tokens
STEP = 0.1  # seconds of a plain step


def token(request: str, index: int, seconds: float = STEP) -> TokenRecord:
    top = (Candidate(index, 9.0, f" t{index}"), Candidate(99, 8.0, "x"))
    return TokenRecord(request, index, index, index, 9.0, 1.0, top, 1, 1, "fp32", seconds, f" t{index}")


def law(p: Sequence[float], q: Sequence[float], support: tuple[int, int] = (3, 3)) -> LawRecord:
    """Of tokens 0, 1, …; β is over these alone."""
    tokens = tuple(LawToken(i, f" w{i}", *pair) for i, pair in enumerate(zip(p, q, strict=True)))
    return LawRecord(tokens, sum(map(min, p, q)), support)


def drafted(number: int, accepted: bool | None, p: float = 0.25, q: float = 0.5) -> DraftedToken:
    """A drafted token that stands at u = .1 and falls at u = .9."""
    judged = accepted is not None
    u = (0.1 if accepted else 0.9) if judged else None
    seen = law((p, 0.5), (q, 0.25)) if judged else None
    return DraftedToken(number, f" d{number}", q, p if judged else None, u, accepted, 0.01, seen)


def round_of(
    number: int,
    start: int,
    accepted: int,
    gamma: int,
    ending: Ending | None = None,
    draft_before: int | None = None,
) -> RoundRecord:
    """A round that accepts so many of γ and ends as the rule says; the pass takes 1.2 steps."""
    tokens = tuple(
        drafted(100 + i, True if i < accepted else False if i == accepted else None) for i in range(gamma)
    )
    last = ending or ("bonus" if accepted == gamma else "correction")
    count = accepted + (last != "cut")
    before = PROMPT + start - 1
    kept = PROMPT + start + count - 1
    draft = before if draft_before is None else draft_before
    return RoundRecord(
        request="a",
        round=number,
        start=start,
        drafted=tokens,
        stopped="gamma",
        accepted=accepted,
        emitted=tuple(range(start, start + count)),
        texts=tuple(f" t{i}" for i in range(start, start + count)),
        ending=last,
        last_law=law((0.75, 0.25), (0.0, 0.0), (2, 0)),
        target_cache=Lengths(before, before + gamma + 1, kept),
        draft_cache=Lengths(draft, before + gamma, min(before + gamma, kept)) if gamma else None,
        batch=1,
        positions=gamma + 1,
        lane="fp32",
        draft_seconds=0.01 * gamma,
        verify_seconds=1.2 * STEP,
        seconds=0.01 * gamma + 1.2 * STEP + 0.003,
    )


ROUNDS = (
    round_of(0, 1, accepted=1, gamma=3, draft_before=0),
    round_of(1, 3, accepted=3, gamma=3),
    round_of(2, 7, accepted=0, gamma=3, draft_before=PROMPT + 5),
)
"""Emit tokens 1–2, 3–6 and 7; the draft lags by one after the second."""


def run(rounds: Sequence[RoundRecord] = ROUNDS, plain: int = 8, temperature: float = 0.0) -> Run:
    ends = rounds[-1].start + len(rounds[-1].emitted)
    settings = SpeculateSettings(gamma=3, sampling=Sampling(temperature=temperature))
    plains = [token(PLAIN + "a", i) for i in range(plain)]
    ours = [token("a", i) for i in range(ends)]
    return run_of([Made(settings, (*plains, *ours, *rounds))])
