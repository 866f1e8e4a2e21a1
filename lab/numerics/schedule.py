"""Reduction schedules: how a kernel's order of summation follows from the batch shape.

A schedule is a value. Each operator (linears, attention, RMSNorm) has its own switch;
`None` means that the order never depends on the batch. Vendors do not publish their
heuristics for matrix products, so `SplitK` is a table that the reader sets; the other two
rules are published and stand here as published.

This module decides orders. It computes no sums: lanes.py and attention.py do.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from lab.errors import LabError

MAX_KV_SPLITS = 128  # FlashAttention's own limit


@dataclass(frozen=True)
class SplitK:
    """Split-K by a table: the first entry whose row bound holds gives the number of splits.

    `table` is ((at most M rows, splits), ...) with rising bounds; above the last bound the
    product is one sum. Few rows cannot fill a GPU, so kernels then share K among blocks.
    """

    table: tuple[tuple[int, int], ...] = ((1, 4), (8, 2))

    def __post_init__(self) -> None:
        bounds = [rows for rows, _ in self.table]
        if bounds != sorted(set(bounds)) or any(rows < 1 or splits < 1 for rows, splits in self.table):
            raise LabError(
                f"The split-K table {format_split_k(self)!r} is not usable.",
                "Give rows:splits pairs with rising rows and whole numbers of 1 or more, such as 1:4,8:2.",
            )

    def splits(self, rows: int) -> int:
        return next((splits for bound, splits in self.table if rows <= bound), 1)


@dataclass(frozen=True)
class SplitKV:
    """FlashAttention's `num_splits_heuristic` for a GPU with `sms` multiprocessors.

    Source: Dao-AILab/flash-attention, `num_splits_heuristic`. A K/V block covers `BLOCK`
    positions (attention.py).
    """

    sms: int = 108

    def splits(self, row_head_blocks: int, kv_blocks: int) -> int:
        """`row_head_blocks` = batch · K/V heads · query blocks; `kv_blocks`: of the longest row."""
        if row_head_blocks >= 0.8 * self.sms:
            return 1
        most = min(MAX_KV_SPLITS, self.sms, kv_blocks)

        def efficiency(splits: int) -> float:
            waves = row_head_blocks * splits / self.sms
            return waves / math.ceil(waves)

        def changes_the_split(splits: int) -> bool:
            return splits == 1 or math.ceil(kv_blocks / splits) != math.ceil(kv_blocks / (splits - 1))

        candidates = [s for s in range(1, most + 1) if changes_the_split(s)]
        best = max(map(efficiency, candidates), default=0.0)
        return next((s for s in candidates if efficiency(s) >= 0.85 * best), 1)


@dataclass(frozen=True)
class NormBlock:
    """RMSNorm's thread block: `few` threads below `rows_below` rows, `many` from there on.

    Source: vLLM's RMSNorm kernel launches 1024 threads below 256 tokens, else 256 (issue 48271).
    """

    rows_below: int = 256
    few: int = 1024
    many: int = 256

    def threads(self, rows: int) -> int:
        return self.few if rows < self.rows_below else self.many


@dataclass(frozen=True)
class Pin:
    """Decoding sequences that each operator's order is chosen for."""

    linears: int
    attention: int
    norm: int


@dataclass(frozen=True)
class Schedule:
    """Which operators change their order with the batch, and how."""

    linears: SplitK | None = None
    attention: SplitKV | None = None
    norm: NormBlock | None = None
    reduced_partials: bool = False
    """Round split-K partials to BF16 before they are added (cuBLAS's reduced-precision reduction)."""
    pin: Pin | None = None
    """Batch sizes that the orders are chosen for, if not those of the pass (`pinned`)."""

    @property
    def switches(self) -> tuple[str, ...]:
        """Names of the operators whose order depends on the batch."""
        named = {"linears": self.linears, "attention": self.attention, "norm": self.norm}
        return tuple(name for name, rule in named.items() if rule is not None)

    def pinned(self, batch: int) -> Schedule:
        """The orders of decoding steps in a batch of this size, whatever the size of the pass.

        Many sequences may then share a pass and get the bits that they would get in batches of `batch`.
        The K/V blocks that attention splits are still those of the longest row of the pass.
        """
        return replace(self, pin=Pin(batch, batch, batch))

    def pinned_for(self, operator: str, batch: int) -> Schedule:
        """The orders of a sequence alone, but one operator's in a batch of this size: attribution."""
        return replace(self, pin=replace(Pin(1, 1, 1), **{operator: batch}))

    def only(self, operator: str) -> Schedule:
        """This schedule with one switch left on: attribution by operator."""
        off = {name: None for name in ("linears", "attention", "norm") if name != operator}
        return replace(self, **off)  # type: ignore[arg-type]


INVARIANT = Schedule()
GPU_LIKE = Schedule(linears=SplitK(), attention=SplitKV(), norm=NormBlock())


def format_split_k(rule: SplitK) -> str:
    """The table as text, `rows:splits,…`; `parse_split_k` reads it back."""
    return ",".join(f"{rows}:{splits}" for rows, splits in rule.table)


def parse_split_k(text: str) -> SplitK:
    """Read `1:4,8:2` (at most 1 row: 4 splits; at most 8: 2; above: 1). Raises LabError."""
    try:
        pairs = [pair.split(":") for pair in text.replace(" ", "").split(",") if pair]
        return SplitK(tuple((int(rows), int(splits)) for rows, splits in pairs))
    except ValueError:
        raise LabError(
            f"The split-K table {text!r} cannot be read.",
            "Write rows:splits pairs separated by commas, such as 1:4,8:2.",
        ) from None
