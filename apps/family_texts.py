"""The text of one method as a strip of tokens: which of them were guesses that stood, and where it parts.

Plain functions of a FamilyRecord and its rounds.
"""

from __future__ import annotations

from collections.abc import Sequence

from apps.lanes import LAST
from apps.text import t
from apps.widgets import Token
from apps.widgets.tokens import Mark
from lab.round_records import FamilyRecord, RoundRecord


def parted(own: FamilyRecord, serial: FamilyRecord) -> int | None:
    """Index of the first token that is not serial decoding's; None where all are."""
    shared = min(len(own.tokens), len(serial.tokens))
    for index in range(shared):
        if own.tokens[index] != serial.tokens[index]:
            return index
    return None if len(own.tokens) == len(serial.tokens) else shared


def marks(rounds: Sequence[RoundRecord]) -> dict[int, Mark]:
    """By index of the new token: what each round's tokens are. The prompt's pass gave the others."""
    found: dict[int, Mark] = {}
    for each in rounds:
        last = each.start + len(each.emitted) - 1
        found |= dict.fromkeys(range(each.start, last), "accepted")
        found[last] = LAST[each.ending]
    return found


def strip_of(own: FamilyRecord, rounds: Sequence[RoundRecord], serial: FamilyRecord) -> list[Token]:
    """All tokens; the one that leaves serial decoding's text is framed and says what stands there instead."""
    signs, leaves = marks(rounds), parted(own, serial)
    tokens = [Token(text, signs.get(index, "plain")) for index, text in enumerate(own.texts)]
    if leaves is not None and leaves < len(tokens):
        told = (
            t("family-strip-parted", token=serial.texts[leaves])
            if leaves < len(serial.texts)
            else t("family-strip-ended")
        )
        tokens[leaves] = Token(own.texts[leaves], "flip", told)
    return tokens
