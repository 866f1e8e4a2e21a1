"""A vocabulary of a few tokens: laws that the reader sets, every rule on them, every outcome of a round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd  # type: ignore[import-untyped]

from apps.rule_pictures import letters
from apps.text import n, t
from sims.acceptance import Law, law, overlap, round_law
from sims.errors import InputError
from sims.mistakes import RULES, Parts
from sims.speedup import expected_tokens

SMALLEST, LARGEST, HEAVIEST = 3, 8, 10
WEIGHTS = tuple(f"{side}{at}" for side in "pq" for at in range(1, LARGEST + 1))
PRESETS: Mapping[str, tuple[tuple[int, ...], tuple[int, ...]]] = {
    "near": ((5, 3, 1, 1), (2, 3, 4, 1)),
    "equal": ((5, 3, 1, 1), (5, 3, 1, 1)),
    "disjoint": ((6, 4, 0, 0), (0, 0, 3, 7)),
    "greedy": ((10, 0, 0, 0), (6, 2, 1, 1)),
    "zeros": ((5, 0, 3, 2), (4, 5, 1, 0)),
    "flat": ((7, 1, 1, 1), (5, 5, 5, 5)),
}


def preset(name: str) -> dict[str, int]:
    """The controls' values that a preset stands for."""
    p, q = PRESETS[name]
    weights = {f"p{at}": weight for at, weight in enumerate(p, start=1)}
    return {"size": len(p)} | weights | {f"q{at}": weight for at, weight in enumerate(q, start=1)}


@dataclass(frozen=True)
class Playground:
    """Two laws, one rule on them, and a round of γ drafts by the exact rule."""

    p: Law
    q: Law
    rule: str
    gamma: int

    @property
    def parts(self) -> Parts:
        return RULES[self.rule](self.p, self.q)

    @property
    def alpha(self) -> float:
        return overlap(self.p, self.q)

    @property
    def outcomes(self) -> dict[tuple[int, ...], float]:
        """Every row of tokens that a round can emit, by the exact rule."""
        return round_law([self.p] * (self.gamma + 1), [self.q] * self.gamma)


def playground(values: Mapping[str, Any]) -> Playground:
    """Raises InputError where all weights of a law are 0."""
    p, q = (_law(side, [values[f"{side}{at}"] for at in range(1, values["size"] + 1)]) for side in "pq")
    return Playground(p, q, values["rule"], values["gamma"])


def _law(side: str, weights: Sequence[int]) -> Law:
    if not any(weights):
        raise InputError(f"All weights of {side} are 0.", "Raise at least one.", "no_weight", law=side)
    return law(weights)


def verdict(seen: Playground) -> str:
    """Whether the rule gives the target's law here, and where it is furthest from it."""
    parts = seen.parts
    error = parts.error(seen.p)
    if error < 1e-12:
        return t("rule-verdict-exact" if seen.rule == "exact" else "rule-verdict-hidden")
    worst = int(np.abs(parts.law - seen.p).round(12).argmax())
    return t(
        "rule-verdict-wrong",
        token=letters(len(seen.p))[worst],
        out=n(float(parts.law[worst]), ".3f"),
        p=n(float(seen.p[worst]), ".3f"),
        error=n(error, ".3f"),
    )


def facts(seen: Playground) -> list[tuple[str, str]]:
    parts = seen.parts
    return [
        (t("rule-play-alpha"), n(seen.alpha, ".4f")),
        (t("rule-play-accepted"), n(parts.acceptance, ".4f")),
        (t("rule-play-error"), n(max(parts.error(seen.p), 0.0), ".4f")),
        (t("rule-play-deviation"), n(float(np.abs(parts.law - seen.p).max()), ".1e")),
    ]


def round_facts(seen: Playground) -> list[tuple[str, str]]:
    """What the enumeration of a round adds up to, beside Eq. 1."""
    outcomes = seen.outcomes
    first = np.zeros_like(seen.p)
    for tokens, chance in outcomes.items():
        first[tokens[0]] += chance
    mean = sum(len(tokens) * chance for tokens, chance in outcomes.items())
    return [
        (t("rule-round-outcomes"), n(len(outcomes))),
        (t("rule-round-total"), n(sum(outcomes.values()), ".12g")),
        (t("rule-round-first"), n(float(np.abs(first - seen.p).max()), ".1e")),
        (t("rule-round-mean"), n(mean, ".4f")),
        (t("rule-round-formula"), n(expected_tokens(min(seen.alpha, 1.0), seen.gamma), ".4f")),
    ]


def outcomes_frame(seen: Playground) -> pd.DataFrame:
    """A row an outcome of a round, the likeliest first."""
    names = letters(len(seen.p))
    rows = [
        {"emitted": " ".join(names[token] for token in tokens), "tokens": len(tokens), "probability": chance}
        for tokens, chance in seen.outcomes.items()
    ]
    return pd.DataFrame(sorted(rows, key=lambda row: -float(str(row["probability"]))))


def rules_frame(seen: Playground) -> pd.DataFrame:
    """A row a rule: how often it accepts, how far it is from p, and its output law; p and q beneath."""
    names = letters(len(seen.p))
    rows = []
    for name, rule in RULES.items():
        parts = rule(seen.p, seen.q)
        told = {"rule": t(f"rule-rule-{name}"), "accepted": parts.acceptance}
        distance = {"distance": max(parts.error(seen.p), 0.0)}
        rows.append(told | distance | dict(zip(names, parts.law.tolist(), strict=True)))
    laws = [
        {"rule": name} | dict(zip(names, values.tolist(), strict=True))
        for name, values in (("p", seen.p), ("q", seen.q))
    ]
    return pd.DataFrame(rows + laws)
