"""A made-up measurement: two drafts on two kinds of prompts, as `python -m lab measure` would record it."""

from __future__ import annotations

from apps.measured import Measured, read
from lab.round_records import MeasureRecord, PassTimeRecord
from lab.traces import RunInfo
from sims.speedup import expected_tokens, operations_factor, speedup, weight_bytes_per_token

INFO = RunInfo("measure", "tiny", "fp32", "cpu", "a machine", 1, "2.13", "0.1.0", "2026-11-30T04:00:00+00:00")
GAMMAS = (0, 1, 2, 4, 8)
WIDEST = 17


def v_of(gamma: int, batch: int = 1) -> float:
    """A pass that costs 6 % more for each further position, and more in a batch."""
    return 1 + 0.06 * gamma * batch


def passes(batch: int = 1, missing: tuple[int, ...] = ()) -> list[PassTimeRecord]:
    widths = [width for width in range(1, WIDEST + 1) if width not in missing]
    return [
        PassTimeRecord("tiny", "target", width, batch, 64, 0.02 * v, 0.019 * v, 0.022 * v)
        for width, v in ((width, v_of(width - 1, batch)) for width in widths)
    ]


def run(draft: str, kind: str, alpha: float, c: float, gamma: int, temperature: float = 0.0) -> MeasureRecord:
    """A run whose measured speedup is 5 % below what α, c and v predict."""
    v, tokens = v_of(gamma), expected_tokens(alpha, gamma)
    with_v = speedup(alpha, gamma, c, v)
    gain = 0.95 * with_v
    return MeasureRecord(
        draft=draft,
        kind=kind,
        temperature=temperature,
        gamma=gamma,
        batch=1,
        prompts=8,
        alpha=alpha if gamma else None,
        alpha_error=0.01 if gamma else None,
        alpha_tokens=512,
        conditional=(alpha,) * gamma,
        unconditional=tuple(alpha ** (i + 1) for i in range(gamma)),
        accepted=round(1000 * (tokens - 1)),
        drafted=1000 * gamma,
        rounds=1000,
        tokens=round(1000 * tokens),
        c=c,
        v=v,
        c_hat=0.01,
        bytes_per_token=weight_bytes_per_token(alpha, gamma, 270e6, 2.7e6),
        plain_bytes_per_token=270e6,
        predicted=speedup(alpha, gamma, c),
        predicted_v=with_v,
        predicted_by_position=with_v,
        operations_factor=operations_factor(alpha, gamma, 0.01),
        speedup=gain,
        speedup_low=0.97 * gain,
        speedup_high=1.02 * gain,
        plain_seconds=10.0,
        seconds=10.0 / gain,
    )


RUNS = [
    run(draft, kind, alpha, c, gamma, temperature)
    for draft, kind, alpha, c, temperature in (
        ("stories", "story", 0.62, 0.06, 0.0),
        ("stories", "story", 0.5, 0.06, 1.0),
        ("stories", "code", 0.3, 0.06, 0.0),
        ("bigram", "story", 0.2, 0.01, 0.0),
    )
    for gamma in GAMMAS
]


def measured() -> Measured:
    return read(INFO, [*passes(), *passes(batch=4), *RUNS])
