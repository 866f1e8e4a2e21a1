"""What one forward pass computes with, worked out once and used by every layer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from lab.errors import LabError
from lab.models.branches import Branches, check_fits
from lab.models.cache import KVCache
from lab.models.config import ModelConfig
from lab.numerics.attention import BLOCK, MASKED
from lab.numerics.kernels import Kernels
from lab.numerics.lanes import Lane

Attention = tuple[slice, int, Any]
"""Rows of the grid, slots that they read, and the lane's plan."""


@dataclass(frozen=True)
class Pass:
    """The flat order is row by row: the first row's new tokens, then the next row's.

    A new token's slot is its place in its cache row. Its position, which RoPE goes by, is the same number
    except in a tree.
    """

    rows: slice | list[int]  # of the cache; a slice where they are consecutive, so that nothing is copied
    counts: list[int]  # new tokens a row
    lengths: list[int]  # slots in use a row after this pass
    flat_rows: Tensor  # [n] cache row of each new token
    flat_slots: Tensor  # [n]
    cos: Tensor  # [n, 1, head_dim]
    sin: Tensor  # [n, 1, head_dim], first half negated
    context: int  # slots that attention reads, a multiple of BLOCK
    grid: tuple[int, int]  # (rows, largest count): the queries of attention, padded where counts differ
    attention: list[Attention]
    places: Tensor | None  # [n] place of each token in the flattened grid; None if nothing is padded
    alone: tuple[int, int] | None  # row and first new slot of a pass over one row


def plan_pass(
    counts: Sequence[int],
    cache: KVCache,
    rows: list[int],
    lane: Lane,
    config: ModelConfig,
    kernels: Kernels,
    rope: Tensor,
    branches: Sequence[Branches] | None,
) -> Pass:
    """As `Stack.plan`; rope [2, positions, head_dim]."""
    device = rope.device
    before = [cache.lengths[row] for row in rows]
    lengths = [old + new for old, new in zip(before, counts, strict=True)]
    if max(lengths) > cache.capacity:
        raise LabError(
            f"A row would hold {max(lengths)} positions and the cache has {cache.capacity}.",
            "Make the cache larger or decode fewer tokens.",
        )
    flat_rows = torch.tensor(
        [row for row, count in zip(rows, counts, strict=True) for _ in range(count)], device=device
    )
    slots = torch.tensor(
        [p for old, new in zip(before, lengths, strict=True) for p in range(old, new)], device=device
    )
    widest = max(counts)
    context = -(-max(lengths) // BLOCK) * BLOCK
    if branches is None:
        positions = slots
        attention = [_plain_attention(before, widest, context, lane, config, kernels, device)]
    else:
        check_fits(branches, before, lengths)
        positions = torch.cat(
            [tree.positions(new)[old:] for tree, old, new in zip(branches, before, lengths, strict=True)]
        ).to(device)
        attention = [
            _tree_attention(at, tree, old, widest, cache.capacity, lane, config, kernels, device)
            for at, (tree, old) in enumerate(zip(branches, before, strict=True))
        ]
    cos, sin = rope[:, positions, None]
    places = None
    if min(counts) != widest:
        places = torch.tensor(
            [r * widest + t for r, count in enumerate(counts) for t in range(count)], device=device
        )
    consecutive = rows == list(range(rows[0], rows[0] + len(rows)))
    span = slice(rows[0], rows[0] + len(rows)) if consecutive else rows
    alone = (rows[0], before[0]) if len(rows) == 1 else None
    grid = (len(rows), widest)
    context = max(read for _, read, _ in attention)
    return Pass(
        span, list(counts), lengths, flat_rows, slots, cos, sin, context, grid, attention, places, alone
    )


def _plain_attention(
    before: list[int],
    widest: int,
    context: int,
    lane: Lane,
    config: ModelConfig,
    kernels: Kernels,
    device: torch.device,
) -> Attention:
    """All rows together: a query sees the positions up to its own. Those of padded queries are wasted."""
    last_seen = torch.tensor(before, device=device)[:, None] + torch.arange(widest, device=device)
    slots = torch.arange(context, device=device)
    hidden = slots > last_seen[..., None]
    if config.sliding_window is not None:
        hidden |= slots <= last_seen[..., None] - config.sliding_window
    plan = lane.plan_attention(_mask(hidden), config.heads, config.kv_heads, kernels)
    return slice(0, len(before)), context, plan


def _tree_attention(
    at: int,
    tree: Branches,
    before: int,
    widest: int,
    capacity: int,
    lane: Lane,
    config: ModelConfig,
    kernels: Kernels,
    device: torch.device,
) -> Attention:
    """One row by itself, since the blocks of its positions are its own."""
    slots = -(-(tree.base + len(tree.parents)) // BLOCK) * BLOCK
    # Products over few slots may be another kernel's: the block of the deepest nodes is padded to full width.
    deepest = (tree.base + max(tree.depths)) // BLOCK
    if slots + BLOCK <= capacity and int((tree.positions(slots) // BLOCK == deepest).sum()) < BLOCK:
        slots += BLOCK
    positions = tree.positions(slots).to(device)
    hidden = tree.hidden(before - tree.base, slots).to(device)
    if config.sliding_window is not None:
        own = positions[before : before + len(hidden), None]
        hidden |= positions <= own - config.sliding_window
    padded = torch.ones(1, widest, slots, dtype=torch.bool, device=device)
    padded[0, : len(hidden)] = hidden
    plan = lane.plan_attention(_mask(padded), config.heads, config.kv_heads, kernels, positions)
    return slice(at, at + 1), slots, plan


def _mask(hidden: Tensor) -> Tensor:
    return torch.zeros(hidden.shape, device=hidden.device).masked_fill_(hidden, MASKED)
