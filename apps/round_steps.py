"""One round of speculative decoding as moments to step through: draft, verify, judge, emit, trim.

A moment is what a reader has seen of a RoundRecord so far. Plain functions; `apps.round_picture` draws them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import pandas as pd  # type: ignore[import-untyped]

from apps.text import n, t
from apps.widgets.errors import literal
from apps.widgets.tokens import VISIBLE, Mark
from lab.round_records import DraftedToken, Lengths, RoundRecord

Phase = Literal["draft", "verify", "judge", "emit", "trim"]
PHASES: tuple[Phase, ...] = get_args(Phase)


@dataclass(frozen=True)
class Moment:
    """A round after some of its steps."""

    round: RoundRecord
    phase: Phase
    drafted: int
    """Tokens that the draft has proposed by now."""
    judged: int
    """Tokens that the rule has reached by now."""

    @property
    def verified(self) -> bool:
        return self.phase != "draft"

    @property
    def emitted(self) -> bool:
        return self.phase in ("emit", "trim")

    @property
    def trimmed(self) -> bool:
        return self.phase == "trim"

    def mark(self, at: int) -> Mark:
        """What has become of the drafted token at this position of the window."""
        if at < self.judged:
            return "accepted" if self.round.drafted[at].accepted else "rejected"
        return "unjudged" if self.emitted else "plain"


def moments(one: RoundRecord) -> list[Moment]:
    """A step a drafted token, the target's pass, a test a token that is reached, the emission, the cut."""
    count, judged = len(one.drafted), one.judged
    return [
        *(Moment(one, "draft", at + 1, 0) for at in range(count)),
        Moment(one, "verify", count, 0),
        *(Moment(one, "judge", count, at + 1) for at in range(judged)),
        Moment(one, "emit", count, judged),
        Moment(one, "trim", count, judged),
    ]


def most_telling(rounds: Sequence[RoundRecord]) -> int:
    """The first round with an accepted token, a rejected one and one that was never judged, or nearly so."""

    def tells(one: RoundRecord) -> int:
        fates = {each.accepted for each in one.drafted}
        return len(fates) + (one.accepted > 1)

    return max(range(len(rounds)), key=lambda at: (tells(rounds[at]), -at))


def quoted(text: str) -> str:
    """A token's text for a sentence, with its blanks visible."""
    shown = text.translate(VISIBLE)
    return literal("·" + shown[1:] if shown[:1] == " " else shown) or "∅"


def told(moment: Moment) -> str:
    """What happens at this moment, in one or two sentences."""
    one = moment.round
    if moment.phase == "draft":
        token = one.drafted[moment.drafted - 1]
        return t(
            "round-told-draft", position=moment.drafted, token=quoted(token.text), q=chance(token.p_draft)
        )
    if moment.phase == "verify":
        verified = t("round-told-verify", drafted=len(one.drafted), positions=len(one.drafted) + 1)
        return verified if one.stopped == "gamma" else f"{verified} {t(f'round-stopped-{one.stopped}')}"
    if moment.phase == "judge":
        return _told_test(one.drafted[moment.judged - 1])
    if moment.phase == "emit":
        last = quoted(one.texts[-1]) if one.texts else "∅"
        left = len(one.drafted) - one.judged
        return t(
            f"round-told-{one.ending}", token=last, emitted=len(one.emitted), accepted=one.accepted, left=left
        )
    draft = one.draft_cache
    return t(
        "round-told-trim" if draft else "round-told-trim-target",
        target=one.target_cache.full - one.target_cache.kept,
        draft=draft.full - draft.kept if draft else 0,
    )


def uniform(token: DraftedToken) -> str:
    return "—" if token.uniform is None else n(token.uniform, ".3f")


def _told_test(token: DraftedToken) -> str:
    return t(
        "round-told-accepted" if token.accepted else "round-told-rejected",
        token=quoted(token.text),
        p=chance(token.p_target),
        q=chance(token.p_draft),
        acceptance=chance(token.acceptance),
        u=uniform(token),
    )


def chance(value: float | None) -> str:
    """A probability with three decimals, or its size where it is smaller; a dash where there is none."""
    if value is None:
        return "—"
    return n(value, ".3f") if value >= 0.0005 or value == 0 else n(value, ".1e")


Fate = Literal["new", "kept", "trimmed"]


@dataclass(frozen=True)
class Column:
    """One K/V column that this round has computed: the token that it is of, and whether it stays."""

    text: str
    kind: Literal["committed", "drafted"]
    fate: Fate


@dataclass(frozen=True)
class Cache:
    """A K/V cache at a moment of a round: positions from before it, and the columns that are new."""

    before: int
    columns: tuple[Column, ...]

    @property
    def length(self) -> int:
        return self.before + sum(column.fate != "trimmed" for column in self.columns)


def cache(moment: Moment, lengths: Lengths, written: Sequence[str], *, draft: bool) -> Cache:
    """What the cache of these lengths holds at a moment. `written`: texts of the request before this round.

    Position s of a cache holds the token at place s of the text, prompt included. Before a round the target's
    cache lacks the last committed token alone, which tells where the drafted tokens begin. What a draft is
    fed of its prompt, in its first round, counts as held before.
    """
    one = moment.round
    begin = one.target_cache.before + 1  # place of the first drafted token
    if draft:
        # A draft step computes the columns of the tokens before its proposal: the last one is never fed.
        full = lengths.full - (len(one.drafted) - moment.drafted)
    else:
        full = lengths.full if moment.verified else lengths.before
    before = min(max(lengths.before, begin - len(written)), full)
    columns = []
    for place in range(before, full):
        at = place - begin
        fate: Fate = "new" if not moment.trimmed else "kept" if place < lengths.kept else "trimmed"
        if at >= 0:
            columns.append(Column(one.drafted[at].text, "drafted", fate))
        else:
            columns.append(Column(written[at], "committed", fate))
    return Cache(before, tuple(columns))


def frame(rounds: Sequence[RoundRecord]) -> pd.DataFrame:
    """A row a drafted token, and one for the token that ends each round."""
    rows = []
    for one in rounds:
        for at, token in enumerate(one.drafted):
            verdict = {True: "accepted", False: "rejected", None: "never judged"}[token.accepted]
            rows.append(
                {
                    "request": one.request,
                    "round": one.round,
                    "position": at + 1,
                    "token": token.text,
                    "q": token.p_draft,
                    "p": token.p_target,
                    "acceptance": token.acceptance,
                    "u": token.uniform,
                    "verdict": verdict,
                }
            )
        if one.ending != "cut" and one.texts:
            ends = {"request": one.request, "round": one.round, "position": one.accepted + 1}
            rows.append(ends | {"token": one.texts[-1], "verdict": one.ending})
    return pd.DataFrame(rows)
