"""The tokens of a speculative run as places to look at: which rule gave each, and both laws there.

Plain functions of RoundRecords; `apps.rule_pictures` draws them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd  # type: ignore[import-untyped]

from apps.lanes import marks
from apps.round_steps import chance, quoted, uniform
from apps.text import n, t
from apps.widgets.tokens import Mark
from lab.round_records import DraftedToken, LawRecord, LawToken, RoundRecord

WORD_JOINER = "\u2060"  # has no width and allows no break
SIGNS: dict[Mark, str] = {"accepted": "✓", "corrected": "◆", "bonus": "+"}


@dataclass(frozen=True)
class Position:
    """One emitted token: how it came out, and what was tested there."""

    index: int
    """Among the emitted tokens of the request, from 0."""
    text: str
    mark: Mark
    round: int
    tested: DraftedToken | None
    """The token drafted at this place: accepted, or rejected and corrected; None for a bonus."""
    law: LawRecord | None
    token: int

    @property
    def label(self) -> str:
        """What is drawn of it among the others."""
        return f"{SIGNS[self.mark]} {quoted(self.text)}"


def positions(rounds: Sequence[RoundRecord]) -> list[Position]:
    """Every token that the rounds of one request emit, in order."""
    made: list[Position] = []
    for one in rounds:
        for at, (token, text, mark) in enumerate(zip(one.emitted, one.texts, marks(one), strict=True)):
            tested = one.drafted[at] if mark != "bonus" else None
            law = tested.law if tested else one.last_law
            made.append(Position(len(made), text, mark, one.round, tested, law, token))
    return made


def labels(found: Sequence[Position]) -> list[str]:
    """The labels, no two of them equal: a row of pills knows its options by their labels alone."""
    seen: Counter[str] = Counter()
    made = []
    for one in found:
        made.append(one.label + WORD_JOINER * seen[one.label])
        seen[one.label] += 1
    return made


def most_telling(found: Sequence[Position]) -> int:
    """A correction whose β is neither near 0 nor near 1, else the first token."""

    def tells(one: Position) -> float:
        beta = one.law.beta if one.law and one.mark == "corrected" else None
        return beta * (1 - beta) if beta is not None else -1.0

    return max(range(len(found)), key=lambda at: (tells(found[at]), -at))


def told(one: Position) -> str:
    """How this token came out, in a sentence or two."""
    if one.tested is None:
        return t("rule-told-bonus", token=quoted(one.text))
    named = {
        "token": quoted(one.tested.text),
        "p": chance(one.tested.p_target),
        "q": chance(one.tested.p_draft),
        "acceptance": chance(one.tested.acceptance),
        "u": uniform(one.tested),
    }
    if one.mark == "accepted":
        return t("rule-told-accepted", **named)
    return t("rule-told-corrected", correction=quoted(one.text), **named)


def facts(one: Position) -> list[tuple[str, str]]:
    """The figures of the rule at this place."""
    made = []
    if one.tested:
        made += [
            (t("rule-fact-q"), chance(one.tested.p_draft)),
            (t("rule-fact-p"), chance(one.tested.p_target)),
            (t("rule-fact-acceptance"), chance(one.tested.acceptance)),
            (t("rule-fact-u"), uniform(one.tested)),
        ]
    if one.law and one.law.beta is not None:
        made.append((t("rule-fact-beta"), chance(one.law.beta)))
    if one.law:
        made.append((t("rule-fact-support-p"), n(one.law.support[0])))
        if one.tested:
            made.append((t("rule-fact-support-q"), n(one.law.support[1])))
    return made


@dataclass(frozen=True)
class Bars:
    """Both laws and the residual, token by token; the last entry may be everything else."""

    names: tuple[str, ...]
    p: tuple[float, ...]
    q: tuple[float, ...]
    """Empty for a bonus, as the residual is: nothing was drafted there."""
    residual: tuple[float, ...]


def bars(one: Position) -> Bars | None:
    """The likeliest tokens of the law here and their tail; None where the run kept no laws."""
    if one.law is None:
        return None
    law = one.law
    names = [_name(each, one) for each in law.tokens]
    drawn = [[each.p_target for each in law.tokens]]
    if one.tested:
        drawn += [[each.p_draft for each in law.tokens], [law.residual(each) for each in law.tokens]]
    if any(sum(values) < 1 - 1e-9 for values in drawn):
        names.append(t("rule-tail"))
        drawn = [[*values, max(0.0, 1 - sum(values))] for values in drawn]
    p, q, residual = (tuple(values) for values in (*drawn, (), ())[:3])
    return Bars(tuple(names), p, q, residual)


def _name(each: LawToken, one: Position) -> str:
    """A token, with a sign where it was tested or came out."""
    if each.token == one.token:
        return f"{SIGNS[one.mark]} {quoted(each.text)}"
    if one.tested and each.token == one.tested.token:
        return f"✕ {quoted(each.text)}"
    return quoted(each.text)


def frame(found: Sequence[Position]) -> pd.DataFrame:
    """A row an emitted token."""
    return pd.DataFrame(
        [
            {
                "index": one.index,
                "token": one.text,
                "how": one.mark,
                "round": one.round,
                "drafted": one.tested.text if one.tested else None,
                "q": one.tested.p_draft if one.tested else None,
                "p": one.tested.p_target if one.tested else None,
                "acceptance": one.tested.acceptance if one.tested else None,
                "u": one.tested.uniform if one.tested else None,
                "beta": one.law.beta if one.law else None,
            }
            for one in found
        ]
    )
