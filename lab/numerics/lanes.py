"""Lanes: the arithmetics that one transformer can be computed in.

`fp32`, `bf16-emulated` and `bf16-invariant` are one arithmetic with three settings: products
accumulate in FP32 on row-invariant kernels; values are rounded to BF16 or kept; and a
schedule may tie the order of sums to the batch shape. `bf16-native` is whatever torch's
BF16 kernels do on the device.

Rounding points of the BF16 lanes (as of a GPU's unfused kernels): each linear's output, the
residual after each addition, RMSNorm before and after its gain, q and k after RoPE, the
softmax weights before the value product, the attention output, silu(gate), its product
with up, and the logits. Sums inside an operator stay in FP32.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Any, Protocol

import torch
import torch.nn.functional as F
from torch import Tensor

from lab.errors import LabError
from lab.numerics.attention import BLOCK, AttentionPlan, block_attention, plan_attention
from lab.numerics.kernels import Kernels
from lab.numerics.rounding import keep_fp32, round_bf16
from lab.numerics.schedule import GPU_LIKE, INVARIANT, NormBlock, Schedule
from lab.numerics.weight import Weight

WARP = 32


class Lane(Protocol):
    """What the transformer asks of an arithmetic. `rows` below counts positions in the pass."""

    @property
    def name(self) -> str: ...

    @property
    def dtype(self) -> torch.dtype:
        """Of activations and of the K/V cache."""

    def round(self, x: Tensor) -> Tensor:
        """A value as this lane stores it."""

    def linear(self, x: Tensor, weight: Weight) -> Tensor:
        """[rows, in] -> [rows, out]"""

    def rms_norm(self, x: Tensor, gain: Tensor, eps: float) -> Tensor:
        """Over the last dimension of [rows, …, n]."""

    def plan_attention(
        self, mask: Tensor, heads: int, kv_heads: int, kernels: Kernels, positions: Tensor | None = None
    ) -> Any:
        """What `attention` needs of a pass, worked out once. mask [rows, queries, slots], 0 or MASKED.

        `positions` [slots]: of one row whose slots hold a tree.
        """

    def attention(self, q: Tensor, k: Tensor, v: Tensor, plan: Any) -> Tensor:
        """q [rows, queries, heads, d]; k, v [rows, kv_heads, positions, d] -> [rows, queries, heads, d]."""

    def silu(self, x: Tensor) -> Tensor: ...


@dataclass(frozen=True)
class BlockLane:
    """FP32 accumulation on row-invariant kernels, a rounding, and a schedule."""

    name: str
    round: Callable[[Tensor], Tensor] = field(repr=False)
    schedule: Schedule = INVARIANT
    dtype: torch.dtype = torch.float32

    @property
    def rounds(self) -> bool:
        return self.round is round_bf16

    def pinned(self, batch: int) -> BlockLane:
        """This lane with the orders of a batch of that size (Schedule.pinned)."""
        return replace(self, schedule=self.schedule.pinned(batch))

    def linear(self, x: Tensor, weight: Weight) -> Tensor:
        rule = self.schedule.linears
        pin = self.schedule.pin
        splits = rule.splits(pin.linears if pin else x.shape[0]) if rule else 1
        return self.round(weight.product(x, splits, self.rounds, self.schedule.reduced_partials))

    def rms_norm(self, x: Tensor, gain: Tensor, eps: float) -> Tensor:
        pin = self.schedule.pin
        return self.round(
            self.round(normalised(x, eps, self.schedule.norm, pin.norm if pin else None)) * gain
        )

    def plan_attention(
        self, mask: Tensor, heads: int, kv_heads: int, kernels: Kernels, positions: Tensor | None = None
    ) -> AttentionPlan:
        rows, queries, slots = mask.shape
        splits = 1
        if self.schedule.attention:
            pin = self.schedule.pin  # sequences with one query each
            batch, queries = (pin.attention, 1) if pin else (rows, queries)
            query_blocks = -(-queries * heads // kv_heads // BLOCK)
            splits = self.schedule.attention.splits(batch * kv_heads * query_blocks, slots // BLOCK)
        return plan_attention(mask, heads, kv_heads, splits, kernels, positions)

    def attention(self, q: Tensor, k: Tensor, v: Tensor, plan: AttentionPlan) -> Tensor:
        # The cache may be another lane's, in BF16: the FP32 products need FP32 operands.
        return block_attention(q, k.to(self.dtype), v.to(self.dtype), plan, self.round)

    def silu(self, x: Tensor) -> Tensor:
        # torch's own silu differs in the last bit between the vectorised body and the tail of a
        # tensor, so a row's value would depend on where it lies. These three operations do not.
        return self.round(x / (-x).exp_().add_(1))


@dataclass(frozen=True)
class NativeLane:
    """torch's BF16 kernels on the device, whatever order they take."""

    name: str = "bf16-native"
    dtype: torch.dtype = torch.bfloat16

    def round(self, x: Tensor) -> Tensor:
        return x.to(torch.bfloat16)

    def linear(self, x: Tensor, weight: Weight) -> Tensor:
        return weight.native(x)

    def rms_norm(self, x: Tensor, gain: Tensor, eps: float) -> Tensor:
        wide = x.float()
        normed = wide * torch.rsqrt(wide.square().mean(-1, keepdim=True) + eps)
        return normed.to(torch.bfloat16) * gain.to(torch.bfloat16)

    def plan_attention(
        self, mask: Tensor, heads: int, kv_heads: int, kernels: Kernels, positions: Tensor | None = None
    ) -> Tensor:
        return mask[:, None].to(torch.bfloat16)

    def attention(self, q: Tensor, k: Tensor, v: Tensor, plan: Tensor) -> Tensor:
        out = F.scaled_dot_product_attention(q.transpose(1, 2), k, v, attn_mask=plan, enable_gqa=True)
        return out.transpose(1, 2)

    def silu(self, x: Tensor) -> Tensor:
        return F.silu(x)


def normalised(x: Tensor, eps: float, rule: NormBlock | None, rows: int | None = None) -> Tensor:
    """x divided by its root mean square over the last dimension, in FP32 and not rounded.

    With a rule (which goes by `rows`, or by those of x) the squares are summed as a GPU block
    does: each of `threads` threads adds every threads-th element in order; then each warp adds
    its 32 threads, then the warps.
    """
    n = x.shape[-1]
    if rule is None:
        return x * torch.rsqrt((x * x).sum(-1, keepdim=True).div_(n).add_(eps))
    threads = rule.threads(rows or x.shape[0])
    square = F.pad(x * x, (0, -n % threads)).unflatten(-1, (-1, threads))
    per_thread = reduce(torch.add, square.unbind(-2))
    total = per_thread.unflatten(-1, (-1, WARP)).sum(-1).sum(-1, keepdim=True)
    return x * torch.rsqrt(total / n + eps)


FP32 = BlockLane("fp32", keep_fp32)
BF16_INVARIANT = BlockLane("bf16-invariant", round_bf16)
BF16_NATIVE = NativeLane()
LANES = ("fp32", "bf16-emulated", "bf16-native", "bf16-invariant")


def bf16_emulated(schedule: Schedule = GPU_LIKE) -> BlockLane:
    """BF16 values, FP32 accumulation, and an order of sums that follows the batch by `schedule`."""
    return BlockLane("bf16-emulated", round_bf16, schedule)


def make_lane(name: str, schedule: Schedule = GPU_LIKE) -> Lane:
    """The lane of that name; `schedule` counts for `bf16-emulated` alone. Raises LabError."""
    lanes: dict[str, Lane] = {
        "fp32": FP32,
        "bf16-emulated": bf16_emulated(schedule),
        "bf16-native": BF16_NATIVE,
        "bf16-invariant": BF16_INVARIANT,
    }
    if name not in lanes:
        raise LabError(f"There is no lane {name!r}.", f"Use one of: {', '.join(LANES)}.")
    return lanes[name]
