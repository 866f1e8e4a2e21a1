"""The decoder layers of a Llama-family model: hidden states in, hidden states out.

Rows of different lengths go through a pass as one flat list of positions, so nothing is
padded where it could change a number; only attention lines the rows up, and there a
padded query is thrown away and a padded key is masked. The arithmetic is the lane's.

This module knows no tokens: what goes in is the embedding of a token (transformer.py), or
of a token and a feature (eagle.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from lab.models.branches import Branches
from lab.models.cache import KVCache
from lab.models.config import ModelConfig
from lab.models.passes import Pass, plan_pass
from lab.models.rope import rope_frequencies
from lab.numerics.kernels import Kernels
from lab.numerics.lanes import Lane
from lab.numerics.weight import Weight


@dataclass(frozen=True)
class Layer:
    attention_norm: Tensor  # [hidden]
    qkv: Weight  # [(heads + 2 kv_heads) · head_dim, hidden]
    qk_norm: Tensor | None  # [heads + kv_heads, head_dim], the gain of each head
    out: Weight  # [hidden, heads · head_dim]
    ffn_norm: Tensor  # [hidden]
    gate_up: Weight  # [2 ffn, hidden]
    down: Weight  # [hidden, ffn]


class Stack:
    """Layers that share one rotary table. Layer i works on layer i of a cache."""

    def __init__(
        self, layers: Sequence[Layer], config: ModelConfig, kernels: Kernels, device: torch.device
    ) -> None:
        self.layers, self.config, self.kernels, self.device = list(layers), config, kernels, device
        frequencies, self._rope_scale = rope_frequencies(config)
        self._frequencies = frequencies.to(device)
        self._rope = self._rope_table(512)

    def plan(
        self,
        counts: Sequence[int],
        cache: KVCache,
        rows: Sequence[int],
        lane: Lane,
        branches: Sequence[Branches] | None = None,
    ) -> Pass:
        """What a pass over counts[i] new positions of cache row rows[i] needs. Raises LabError for a full
        cache, and for branches that do not fit the row."""
        longest = max(cache.lengths[row] + count for row, count in zip(rows, counts, strict=True))
        if longest > self._rope.shape[1]:
            self._rope = self._rope_table(2 * longest)
        return plan_pass(counts, cache, list(rows), lane, self.config, self.kernels, self._rope, branches)

    def layer(self, index: int, x: Tensor, work: Pass, cache: KVCache, lane: Lane) -> Tensor:
        """x [n, hidden] after layer `index`; its K and V go into the cache."""
        layer = self.layers[index]
        x = lane.round(x + self._attend(index, layer, x, work, cache, lane))
        return lane.round(x + self._feed_forward(layer, x, lane))

    def _attend(self, index: int, layer: Layer, x: Tensor, work: Pass, cache: KVCache, lane: Lane) -> Tensor:
        c = self.config
        n = x.shape[0]
        h = lane.rms_norm(x, layer.attention_norm, c.norm_eps)
        qkv = lane.linear(h, layer.qkv).view(n, c.heads + 2 * c.kv_heads, c.head_dim)
        qk, v = qkv.split_with_sizes([c.heads + c.kv_heads, c.kv_heads], dim=1)
        if layer.qk_norm is not None:
            qk = lane.rms_norm(qk, layer.qk_norm, c.norm_eps)
        q, k = _rotate(qk, work, lane).split_with_sizes([c.heads, c.kv_heads], dim=1)
        if work.alone is None:
            cache.write(index, work.flat_rows, work.flat_slots, k, v)
        else:
            cache.write_row(index, *work.alone, k, v)
        keys, values = cache.read(index, work.rows, work.context)
        queries = _to_grid(q, work)
        out = torch.cat(
            [
                lane.attention(queries[span], keys[span, :, :slots], values[span, :, :slots], plan)
                for span, slots, plan in work.attention
            ]
        )
        return lane.linear(_from_grid(out, work).reshape(n, -1), layer.out)

    def _feed_forward(self, layer: Layer, x: Tensor, lane: Lane) -> Tensor:
        h = lane.rms_norm(x, layer.ffn_norm, self.config.norm_eps)
        gate, up = lane.linear(h, layer.gate_up).chunk(2, dim=-1)
        return lane.linear(lane.round(lane.silu(gate) * up), layer.down)

    def _rope_table(self, positions: int) -> Tensor:
        """cos and signed sin, [2, positions, head_dim] FP32.

        The angle is rounded to FP32 as the checkpoints were trained with; its cosine is taken in FP64,
        so that a longer table repeats the bits of a shorter one.
        """
        angles = (torch.arange(positions, device=self.device).float()[:, None] * self._frequencies).double()
        cos, sin = angles.cos() * self._rope_scale, angles.sin() * self._rope_scale
        return torch.stack([torch.cat([cos, cos], -1), torch.cat([-sin, sin], -1)]).float()


def _rotate(x: Tensor, work: Pass, lane: Lane) -> Tensor:
    """RoPE on [n, heads, head_dim]: the two halves of a head are the parts of complex numbers."""
    turned = torch.roll(x, x.shape[-1] // 2, dims=-1)
    return lane.round(torch.addcmul(x * work.cos, turned, work.sin))


def _to_grid(q: Tensor, work: Pass) -> Tensor:
    """Flat [n, …] -> [rows, largest count, …], padded with zeros where rows have fewer new tokens."""
    rows, widest = work.grid
    if work.places is not None:
        q = q.new_zeros(rows * widest, *q.shape[1:]).index_copy(0, work.places, q)
    return q.reshape(rows, widest, *q.shape[1:])


def _from_grid(out: Tensor, work: Pass) -> Tensor:
    flat = out.flatten(0, 1)
    return flat if work.places is None else flat[work.places]
