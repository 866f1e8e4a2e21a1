"""Attention over fixed K/V blocks: the result of a query depends on its own row alone.

Scores and value products run block by block (`BLOCK` positions), added in order. A masked
position has weight exactly zero, so padding a row to more blocks changes no bit of it.
Blocks may be dealt to several splits, each with a softmax of its own, merged at the end by
their maxima (split-KV): that is the part of the order that a GPU derives from the batch.

Where the slots hold a tree, a block is all slots of `BLOCK` positions, several of which may
share a position. A query sees one of them and gives the others weight zero, so it gets the
bits that it would get with its own path alone (`Kernels.skips_zeros` says whether products
on this machine keep to that).

FlashAttention rescales by a running maximum inside a split; here a split's maximum is
taken first. Both keep FP32 sums and round the weights to the value format before the
value product. Which splits a batch gets is decided in schedule.py.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce

import torch
import torch.nn.functional as F
from torch import Tensor

from lab.numerics.kernels import Kernels

BLOCK = 64
MASKED = -1e30
"""Added to the score of a position that a query may not see. Finite, so that a split with
nothing to see has a maximum to subtract; its weight in the merge is then exactly zero."""

SplitState = tuple[Tensor, Tensor, Tensor]
"""Of one split: maximum [n, m, 1], sum of weights [n, m, 1], weighted values [n, m, d]."""


@dataclass(frozen=True)
class AttentionPlan:
    """What every layer of a pass shares.

    Queries of all heads that share K and V stand in one product, [rows · kv_heads, m, d] with
    m = queries · heads / kv_heads, padded to the kernels' multiple.
    """

    bias: Tensor  # [rows · kv_heads, m, slots], 0 or MASKED
    padding: int  # rows of zeros at the end of m
    splits: tuple[tuple[slice, ...], ...]  # the blocks of slots of each split
    one_query_per_product: bool
    positions: Tensor | None  # [slots], where they hold a tree; None: a slot's number is its position


def plan_attention(
    mask: Tensor, heads: int, kv_heads: int, splits: int, kernels: Kernels, positions: Tensor | None = None
) -> AttentionPlan:
    """mask [rows, queries, slots], 0 or MASKED; slots a multiple of BLOCK, their blocks dealt to `splits`.

    `positions` [slots], not falling: of the slots of a tree.
    """
    blocks = _blocks(mask.shape[-1], positions)
    width = -(-len(blocks) // splits)
    dealt = tuple(tuple(blocks[at : at + width]) for at in range(0, len(blocks), width))
    group = heads // kv_heads
    queries = 1 if kernels.one_query_per_product else mask.shape[1]
    padding = -queries * group % kernels.query_multiple
    bias = mask.repeat_interleave(group, dim=1)
    if not kernels.one_query_per_product:
        bias = F.pad(bias, (0, 0, 0, padding))
    return AttentionPlan(
        bias.repeat_interleave(kv_heads, dim=0), padding, dealt, kernels.one_query_per_product, positions
    )


def _blocks(slots: int, positions: Tensor | None) -> list[slice]:
    """Slots of the same BLOCK positions together."""
    if positions is None:
        return [slice(at, at + BLOCK) for at in range(0, slots, BLOCK)]
    counts = torch.unique_consecutive(positions // BLOCK, return_counts=True)[1].cumsum(0).tolist()
    return [slice(start, stop) for start, stop in zip([0, *counts], counts, strict=False)]


def block_attention(
    q: Tensor, k: Tensor, v: Tensor, plan: AttentionPlan, round_: Callable[[Tensor], Tensor]
) -> Tensor:
    """softmax(q kᵀ / √d + mask) v, with products accumulated in FP32.

    q [rows, queries, heads, d]; k, v [rows, kv_heads, slots, d] -> [rows, queries, heads, d].
    `round_` rounds the softmax weights before the value product, and the result.
    """
    rows, queries, heads, d = q.shape
    kv_heads = k.shape[1]
    packed = q.view(rows, queries, kv_heads, -1, d).transpose(1, 2).reshape(rows * kv_heads, -1, d)
    keys, values = k.flatten(0, 1).transpose(1, 2), v.flatten(0, 1)
    group = heads // kv_heads
    if plan.one_query_per_product:
        pairs = zip(packed.split(group, dim=1), plan.bias.split(group, dim=1), strict=True)
        parts = [
            _attend(
                F.pad(part, (0, 0, 0, plan.padding)),
                keys,
                values,
                F.pad(bias, (0, 0, 0, plan.padding)),
                plan,
                round_,
            )
            for part, bias in pairs
        ]
        out = torch.cat([part[:, :group] for part in parts], dim=1)
    else:
        out = _attend(F.pad(packed, (0, 0, 0, plan.padding)), keys, values, plan.bias, plan, round_)
        out = out[:, : queries * group]
    return round_(
        out.reshape(rows, kv_heads, queries, group, d).transpose(1, 2).reshape(rows, queries, heads, d)
    )


def _attend(
    q: Tensor,
    keys: Tensor,
    values: Tensor,
    bias: Tensor,
    plan: AttentionPlan,
    round_: Callable[[Tensor], Tensor],
) -> Tensor:
    """q [n, m, d], keys [n, d, slots], values [n, slots, d] -> [n, m, d]."""
    scores = torch.baddbmm(bias, q, keys, alpha=q.shape[-1] ** -0.5)
    states = [_one_split(scores, values, blocks, plan.positions, round_) for blocks in plan.splits]
    _, total, weighted = reduce(_merge, states)
    return weighted / total


def _one_split(
    scores: Tensor,
    values: Tensor,
    blocks: tuple[slice, ...],
    positions: Tensor | None,
    round_: Callable[[Tensor], Tensor],
) -> SplitState:
    start, stop = blocks[0].start, blocks[-1].stop
    scores = scores[:, :, start:stop]
    top = scores.amax(-1, keepdim=True)
    weights = (scores - top).exp_()
    total = _total(weights, None if positions is None else positions[start:stop] - positions[start])
    weights = round_(weights)
    weighted: Tensor | None = None
    for block in blocks:
        weight, value = weights[:, :, block.start - start : block.stop - start], values[:, block]
        weighted = torch.bmm(weight, value) if weighted is None else torch.baddbmm(weighted, weight, value)
    assert weighted is not None  # a split has a block
    return top, total, weighted


def _total(weights: Tensor, positions: Tensor | None) -> Tensor:
    """Sum of weights [n, m, slots] -> [n, m, 1], each at its own position."""
    if positions is not None:
        width = -(-(int(positions[-1]) + 1) // BLOCK) * BLOCK
        weights = weights.new_zeros(*weights.shape[:2], width).index_add_(2, positions, weights)
    # cumsum adds the blocks' sums in order; trailing masked blocks add zeros and change nothing.
    return weights.unflatten(-1, (-1, BLOCK)).sum(-1).cumsum(-1)[..., -1:]


def _merge(a: SplitState, b: SplitState) -> SplitState:
    """Combine two splits by their maxima (the log-sum-exp combine of FlashDecoding)."""
    top = torch.maximum(a[0], b[0])
    wa, wb = torch.exp(a[0] - top), torch.exp(b[0] - top)
    return top, a[1] * wa + b[1] * wb, a[2] * wa + b[2] * wb
