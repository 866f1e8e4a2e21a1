"""What the page of the gate reads out of a watch trace: every step's fate at a τ, meter, curve, tables.

Plain functions of PairRecords of `lab.decode.margingate.watch` (`alone`: the reference lane, `beside`: the
fast lane); `apps.gate_pictures` draws them, `apps.gated_run` is about runs behind a gate.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import pandas as pd  # type: ignore[import-untyped]

from apps.text import n, t
from apps.text.catalogue import FIRST_STRONG, POP
from apps.widgets.tokens import VISIBLE
from lab.decode.margingate.calibrate import Caught, Observed
from lab.decode.margingate.strategies import Gate
from lab.errors import LabError
from lab.records import Candidate, PairRecord, TokenRecord
from lab.traces import Trace

Fate = Literal["passed", "confirmed", "repaired", "missed"]
FATES: tuple[Fate, ...] = ("passed", "confirmed", "repaired", "missed")
MOST_TAU = 8.0


@dataclass(frozen=True)
class Step:
    """One step of one prompt as a gate would have treated it."""

    pair: PairRecord
    fate: Fate
    left: bool
    """Whether a flip before it was missed: a run would no longer be on these tokens."""

    @property
    def request(self) -> str:
        return self.pair.alone.request

    @property
    def flagged(self) -> bool:
        return self.fate in ("confirmed", "repaired")


def pairs_of(trace: Trace) -> tuple[PairRecord, ...]:
    """The steps of a watch trace. Raises LabError where there is none to show."""
    pairs = tuple(r for r in trace.records if isinstance(r, PairRecord) and r.max_delta is not None)
    if not pairs:
        raise LabError(
            "The trace has no steps.", "Record it again with `python -m lab gate watch --out FILE`."
        )
    return pairs


def fate(pair: PairRecord, gate: Gate) -> Fate:
    """The gate sees the fast lane's margin; what the reference lane chose, it learns only by looking."""
    if gate.flags(pair.beside.margin):
        return "repaired" if pair.flipped else "confirmed"
    return "missed" if pair.flipped else "passed"


def steps_at(pairs: Sequence[PairRecord], tau: float) -> list[Step]:
    """All steps in the order of the record. Raises LabError for a τ below 0."""
    gate, parted = Gate(tau), set()
    steps = []
    for pair in pairs:
        request, now = pair.alone.request, fate(pair, gate)
        steps.append(Step(pair, now, request in parted))
        if now == "missed":
            parted.add(request)
    return steps


def observed(pairs: Sequence[PairRecord]) -> Observed:
    """The same steps as `calibrate.observed` makes of a flip study: on the reference's tokens throughout."""
    requests = list(dict.fromkeys(pair.alone.request for pair in pairs))
    return Observed(
        margins=tuple(pair.beside.margin for pair in pairs),
        flipped=tuple(bool(pair.flipped) for pair in pairs),
        max_deltas=tuple(pair.max_delta or 0.0 for pair in pairs),
        sequence=tuple(requests.index(pair.alone.request) for pair in pairs),
        sequences=len(requests),
    )


def caught(pairs: Sequence[PairRecord], tau: float) -> Caught:
    """What a gate at τ does: steps after a missed flip count as well."""
    return observed(pairs).at(tau)


def curve(pairs: Sequence[PairRecord]) -> list[Caught]:
    """Catch rate and trigger rate at every 1/64 up to 2ε, or to 1 where that is more."""
    seen = observed(pairs)
    last = min(max(seen.start, 1.0), MOST_TAU)
    return [seen.at(k / 64) for k in range(math.ceil(last * 64) + 2)]


def batch_steps(steps: Sequence[Step]) -> tuple[int, int]:
    """Steps of the batch with a flagged row, and all: each of the former is one pass of the verifier."""
    flagged = {step.pair.index for step in steps if step.flagged}
    return len(flagged), len({step.pair.index for step in steps})


def meter(steps: Sequence[Step], seen: Caught) -> list[tuple[str, str]]:
    """The cost of this τ and what it buys, as facts."""
    passes, batch = batch_steps(steps)
    return [
        (t("gate-meter-rows"), share_of(seen.flagged, seen.steps)),
        (t("gate-meter-steps"), share_of(passes, batch)),
        (t("gate-meter-passes"), n(passes)),
        (t("gate-meter-caught"), of(seen.caught, seen.flips)),
        (t("gate-meter-missed"), n(seen.escapes)),
        (t("gate-meter-left"), of(seen.escaped_sequences, seen.sequences)),
        (t("gate-meter-bound"), f"{n(100 * seen.escape_bound, '.2f')} %"),
    ]


def of(part: int, whole: int) -> str:
    """A count of a count: `4 of 6`, in the direction of its own words."""
    return f"{FIRST_STRONG}{t('gate-of', part=part, whole=whole)}{POP}"


def share_of(part: int, whole: int) -> str:
    """The same with its share: `50 of 384 (13.0 %)`."""
    told = t("gate-share-of", part=part, whole=whole, share=n(100 * part / whole, ".1f"))
    return f"{FIRST_STRONG}{told}{POP}"


def verdict(seen: Caught) -> str:
    """One sentence: whether this τ is large enough for what was recorded."""
    told: dict[str, str | int] = {
        "tau": n(seen.tau, ".6g"),
        "flips": seen.flips,
        "missed": seen.escapes,
        "left": seen.escaped_sequences,
    }
    if not seen.flips:
        return t("gate-verdict-none", **told)
    return t("gate-verdict-missed" if seen.escapes else "gate-verdict-caught", **told)


def epsilon_told(pairs: Sequence[PairRecord]) -> str:
    """ε and 2ε against the margins at which tokens really flipped."""
    seen = observed(pairs)
    proved, enough = seen.at(seen.start), seen.at(seen.catching)
    return t(
        "gate-epsilon",
        epsilon=n(seen.epsilon, ".3g"),
        start=n(seen.start, ".3g"),
        start_rate=n(100 * proved.trigger_rate, ".0f"),
        catching=n(seen.catching, ".4g"),
        catching_rate=n(100 * enough.trigger_rate, ".1f"),
        bound=n(100 * enough.escape_bound, ".2f"),
        steps=len(pairs),
    )


def most_telling(pairs: Sequence[PairRecord]) -> PairRecord:
    """The flip with the largest margin; where nothing flips, the smallest margin."""
    flips = [pair for pair in pairs if pair.flipped]
    if flips:
        return max(flips, key=lambda pair: pair.beside.margin)
    return min(pairs, key=lambda pair: pair.beside.margin)


def chosen(pairs: Sequence[PairRecord], request: str, index: int) -> PairRecord:
    """The step of a prompt, or its last one before."""
    own = [pair for pair in pairs if pair.alone.request == request]
    return max((pair for pair in own if pair.index <= index), key=lambda p: p.index, default=own[0])


def step_told(step: Step) -> str:
    """What the gate made of one step, in a sentence."""
    pair = step.pair
    return t(
        f"gate-step-{step.fate}",
        fast=visible(pair.beside),
        reference=visible(pair.alone),
        margin=n(pair.beside.margin, ".4g"),
    )


def step_facts(pair: PairRecord) -> list[tuple[str, str]]:
    change = "—" if pair.kv_change is None else f"{n(100 * pair.kv_change, '.2f')} %"
    return [
        (t("gate-fact-margin-fast"), n(pair.beside.margin, ".4g")),
        (t("gate-fact-margin-reference"), n(pair.alone.margin, ".4g")),
        (t("gate-fact-delta"), n(pair.max_delta or 0.0, ".3g")),
        (t("gate-fact-kv"), change),
    ]


def visible(token: TokenRecord | Candidate) -> str:
    """A token's text with its leading space and line breaks to be seen."""
    text = token.text.translate(VISIBLE)
    return ("·" + text[1:] if text[:1] == " " else text) or "∅"


def top_frame(pair: PairRecord) -> pd.DataFrame:
    """The largest logits of both lanes side by side; a shorter list leaves blanks."""
    lanes = {"fast": pair.beside.top, "reference": pair.alone.top}
    longest = max(map(len, lanes.values()))
    columns: dict[str, list[Any]] = {}
    for lane, top in lanes.items():
        blanks = [None] * (longest - len(top))
        columns[f"{lane}_token"] = [*map(visible, top), *blanks]
        columns[f"{lane}_logit"] = [*(one.logit for one in top), *blanks]
    return pd.DataFrame(columns)


def frame(pairs: Sequence[PairRecord]) -> pd.DataFrame:
    """A row a step: what any τ is held against."""
    return pd.DataFrame(
        [
            {
                "prompt": pair.alone.request,
                "step": pair.index,
                "flip": pair.flipped,
                "fast": pair.beside.text,
                "reference": pair.alone.text,
                "fast_margin": pair.beside.margin,
                "reference_margin": pair.alone.margin,
                "max_delta": pair.max_delta,
                "kv_change": pair.kv_change,
            }
            for pair in pairs
        ]
    )


def prompt_text(trace: Trace, request: str) -> str:
    """What was asked, where the trace's header says it."""
    prompts = trace.info.settings.get("prompts", ())
    found = (p.get("text") for p in prompts if isinstance(p, dict) and p.get("name") == request)
    return str(next(found, None) or "")
