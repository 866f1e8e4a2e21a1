"""What a race of a run tells: who was faster, whether both wrote the same, and the formula's numbers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from apps.lanes import race
from apps.speculative_run import Run
from apps.text import n, t


def verdicts(run: Run, request: str) -> list[str]:
    """Who was faster, and whether both lanes wrote the same."""
    rounds, ours = run.rounds(request), race(run, request)
    told = []
    last = ours.at(ours.end).speedup
    if ours.plain.blocks and last is not None:
        emitted = sum(len(one.emitted) for one in rounds)
        key = "same" if abs(last - 1) < 0.02 else "faster" if last > 1 else "slower"
        counts = {"tokens": emitted, "rounds": len(rounds)}
        ratios = {"speedup": n(last, ".2f"), "mean": n(emitted / len(rounds), ".2f")}
        told.append(t(f"serial-verdict-{key}", **counts, **ratios))
        told.append(_texts_told(run, request))
    return told


def _texts_told(run: Run, request: str) -> str:
    plain = [token.token for token in run.plain(request)]
    ours = [token.token for token in run.tokens(request)]
    parts = next((at for at, pair in enumerate(zip(plain, ours, strict=False)) if pair[0] != pair[1]), None)
    if parts is None:
        return t("serial-text-same")
    greedy = run.settings.sampling.temperature == 0
    return t("serial-text-parts" if greedy else "serial-text-differs", index=parts)


@dataclass(frozen=True)
class Measured:
    """What a run of one prompt says of the four numbers; relative times None where it cannot."""

    alpha: float | None
    """Tests passed ÷ tests made, pooled."""
    c: float | None
    v: float | None


def measured(run: Run, request: str) -> Measured:
    """Means over the run. The first draft step of the first round also reads the prompt: it is left out."""
    rounds = run.rounds(request)
    tests = sum(one.judged for one in rounds)
    step = mean(token.seconds for token in run.plain(request)[1:])
    drafts = [each.seconds for one in rounds for each in one.drafted][1:]
    passes = [one.verify_seconds for one in rounds if len(one.drafted) == run.settings.gamma]
    return Measured(
        alpha=sum(one.accepted for one in rounds) / tests if tests else None,
        c=mean(drafts) / step if step and drafts else None,
        v=mean(passes) / step if step and passes else None,
    )


def mean(values: Iterable[float]) -> float:
    """0 where there are none."""
    all_of = list(values)
    return sum(all_of) / len(all_of) if all_of else 0.0


def run_facts(run: Run, request: str) -> list[tuple[str, str]]:
    """The numbers of the formula, as this run has them, and what the race leaves out."""
    seen, rounds = measured(run, request), run.rounds(request)
    rest = mean(one.seconds - one.draft_seconds - one.verify_seconds for one in rounds)
    told = [
        (t("serial-fact-alpha"), seen.alpha, ".2f"),
        (t("serial-fact-c"), seen.c, ".3f"),
        (t("serial-fact-v"), seen.v, ".2f"),
        (t("serial-fact-rest"), 1000 * rest, ".1f"),
    ]
    return [(label, "—" if value is None else n(value, spec)) for label, value, spec in told]


def as_sliders(run: Run, request: str) -> dict[str, float]:
    """The run's own numbers, on the sliders' steps and within their bounds."""
    seen = measured(run, request)
    made: dict[str, float] = {"gamma": min(max(run.settings.gamma, 1), 16)}
    if seen.alpha is not None:
        made["alpha"] = round(seen.alpha, 2)
    if seen.c is not None:
        made["c"] = min(round(seen.c, 2), 1.0)
    if seen.v is not None:
        made["v"] = min(max(round(20 * seen.v) / 20, 0.5), 4.0)
    return made
