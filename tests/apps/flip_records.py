"""Records of a small flip study, made by hand."""

from __future__ import annotations

import dataclasses
from typing import Any

from lab.decode.settings import SWITCHES
from lab.records import FlipRecord


def record(prompt: str, batch: int, choices: tuple[int, ...], **changes: Any) -> FlipRecord:
    """Six steps on the tokens 10 … 15; a choice that is not the token is a flip."""
    tokens = (10, 11, 12, 13, 14, 15)
    plain = FlipRecord(
        prompt=prompt,
        kind="own",
        batch=batch,
        switches=SWITCHES,
        tokens=tokens,
        choices=choices,
        base_margins=(4.0, 0.5, 0.125, 2.0, 0.25, 3.0),
        margins=(4.0, 0.25, 0.125, 2.0, 0.5, 3.0),
        max_deltas=(0.0, 0.5, 0.25, 1.5, 0.75, 0.5),
        near=((1, 1, 1, 1), (1, 2, 2, 3), (2, 2, 4, 8), (1, 1, 1, 2), (4, 4, 6, 10), (1, 1, 1, 1)),
        k_change=(0.0, 0.25),
        v_change=(0.0, 0.5),
        k_deepest=(0.25, 0.5, 0.75, 1.0, 1.25),
        base_text="the sky is blue.",
        text="the sky is blue.",
    )
    return dataclasses.replace(plain, **changes)


SAME = (10, 11, 12, 13, 14, 15)
TWICE = (10, 11, 99, 13, 98, 15)
STUDY = [
    record("a", 2, SAME),
    record("a", 8, TWICE, text="the sky was blue.", k_deepest=(0.5, 0.25)),
    record("b", 2, SAME, k_change=(0.0, 0.75)),
    record("b", 8, SAME, k_deepest=(1.0, 0.75, 0.5, 0.25)),
]
LINEARS = record("a", 8, TWICE, switches=("linears",))
NORM = record("a", 8, SAME, switches=("norm",))
