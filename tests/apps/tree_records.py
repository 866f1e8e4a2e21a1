"""Records of rounds with trees by hand: what the page's own arithmetic is tested on."""

from __future__ import annotations

from lab.round_records import DraftedToken, LawRecord, LawToken, Lengths, RoundRecord

BEFORE = 9
"""Positions in the target's cache: the last committed token is none of them."""
PARENTS = (-1, -1, 0, 0, 1, 4)
"""
root ─┬─ 0 ─┬─ 2
      │     └─ 3
      └─ 1 ─── 4 ─── 5
"""


def law(p: float, q: float) -> LawRecord:
    return LawRecord((LawToken(7, " w", p, q), LawToken(8, "<b>", 1 - p, 1 - q)), min(p, q), (2, 2))


def node(number: int, accepted: bool | None, uniform: float | None = 0.5) -> DraftedToken:
    """Confidence 0.5 each, q = 1."""
    judged = accepted is not None
    p = (0.75 if accepted else 0.25) if judged else None
    seen = law(0.75, 0.5) if judged else None
    u = uniform if judged else None
    return DraftedToken(number, f" n{number}", 1.0, p, u, accepted, 0.01, seen, 0.5)


def tree_round(fates: str, ending: str = "correction", uniform: float | None = 0.5) -> RoundRecord:
    """A round over PARENTS; `fates`: of each node, + accepted, - rejected, . never judged."""
    words = {"+": True, "-": False, ".": None}
    accepted = fates.count("+")
    emitted = accepted + (ending != "cut")
    return RoundRecord(
        request="a",
        round=0,
        start=1,
        drafted=tuple(node(at, words[fate], uniform) for at, fate in enumerate(fates)),
        stopped="gamma",
        accepted=accepted,
        emitted=tuple(range(emitted)),
        texts=tuple(f" t{at}" for at in range(emitted)),
        ending=ending,  # type: ignore[arg-type]
        last_law=law(0.5, 0.0),
        target_cache=Lengths(BEFORE, BEFORE + 1 + len(fates), BEFORE + emitted),
        draft_cache=None,
        batch=1,
        positions=len(fates) + 1,
        lane="fp32",
        draft_seconds=0.03,
        verify_seconds=0.1,
        seconds=0.15,
        parents=PARENTS[: len(fates)],
    )


DETOUR = tree_round("-+..-.")
"""Node 0 rejected, node 1 accepted, its child rejected: a correction."""
LEAF = tree_round("-+..++", "bonus")
"""Down to node 5, which is a leaf."""
FIRST = tree_round("+.-+..", "bonus")
"""Node 3 accepted after its elder sibling."""
