"""One Llama-family transformer: Llama, SmolLM2, Mistral, Qwen2, Qwen3.

Rows of different lengths go through a pass as one flat list of positions, so nothing is
padded where it could change a number; only attention lines the rows up, and there a
padded query is thrown away and a padded key is masked. The arithmetic is the lane's.

This module computes logits. It does not choose tokens (lab/decode) or read files.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from lab.errors import LabError
from lab.models.cache import KVCache
from lab.models.checkpoint import Checkpoint
from lab.models.config import ModelConfig
from lab.models.rope import rope_frequencies
from lab.numerics.attention import BLOCK, MASKED
from lab.numerics.kernels import Kernels, choose_kernels
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


@dataclass(frozen=True)
class Pass:
    """What one forward computes, worked out once and used by every layer.

    The flat order is row by row: the first row's new tokens, then the next row's.
    """

    rows: slice | list[int]  # of the cache; a slice where they are consecutive, so that nothing is copied
    counts: list[int]  # new tokens a row
    lengths: list[int]  # context a row after this pass
    flat_rows: Tensor  # [n] cache row of each new token
    positions: Tensor  # [n]
    cos: Tensor  # [n, 1, head_dim]
    sin: Tensor  # [n, 1, head_dim], first half negated
    context: int  # positions that attention reads, a multiple of BLOCK
    grid: tuple[int, int]  # (rows, largest count): the queries of attention, padded where counts differ
    attention: Any  # the lane's plan
    slots: Tensor | None  # [n] place of each token in the flattened grid; None if nothing is padded
    alone: tuple[int, int] | None  # row and first new position of a pass over one row


class Transformer:
    """Weights of a checkpoint on a device, ready for any lane."""

    def __init__(self, checkpoint: Checkpoint, device: torch.device | str = "cpu") -> None:
        self.config = config = checkpoint.config
        self.name = checkpoint.name
        self.device = torch.device(device)
        self.kernels = choose_kernels(self.device, _linear_shapes(config), config.head_dim)
        take = _Tensors(checkpoint, self.device, self.kernels)
        self.embedding = take.tensor("model.embed_tokens.weight")
        self.layers = [take.layer(f"model.layers.{index}.", config) for index in range(config.layers)]
        self.norm = take.tensor("model.norm.weight").float()
        self.head = take.weight("model.embed_tokens" if config.tied_head else "lm_head")
        frequencies, self._rope_scale = rope_frequencies(config)
        self._frequencies = frequencies.to(self.device)
        self._rope = self._rope_table(512)

    def new_cache(self, rows: int, positions: int, lane: Lane) -> KVCache:
        """An empty cache for `rows` sequences of at most `positions` positions. Raises LabError."""
        c = self.config
        if positions > c.max_context:
            raise LabError(
                f"{positions} positions are asked for and {self.name} has a context of {c.max_context}.",
                "Shorten the prompt or ask for fewer tokens.",
            )
        return KVCache(c.layers, rows, c.kv_heads, positions, c.head_dim, lane.dtype, self.device)

    @torch.inference_mode()
    def forward(
        self,
        tokens: Sequence[Sequence[int]],
        cache: KVCache,
        lane: Lane,
        rows: Sequence[int] | None = None,
        every_position: bool = False,
    ) -> Tensor:
        """Append `tokens[i]` to cache row `rows[i]` (default: row i) and return FP32 logits.

        -> [rows, vocab], of each row's last new token; with `every_position`, [all new tokens, vocab]
        in flat order. Raises LabError for a token outside the vocabulary or a full cache.
        """
        rows = list(range(len(tokens)) if rows is None else rows)
        work = self._plan(tokens, cache, rows, lane)
        flat = torch.tensor([token for row in tokens for token in row], device=self.device)
        x = lane.round(self.embedding[flat].float())  # [n, hidden]
        for index, layer in enumerate(self.layers):
            x = lane.round(x + self._attend(index, layer, x, work, cache, lane))
            x = lane.round(x + self._feed_forward(layer, x, lane))
        if not every_position and work.grid[1] > 1:
            ends = torch.tensor(work.counts, device=self.device).cumsum(0) - 1
            x = x[ends]
        x = lane.rms_norm(x, self.norm, self.config.norm_eps)
        logits = lane.linear(x, self.head).float()
        for row, length in zip(rows, work.lengths, strict=True):
            cache.lengths[row] = length
        return logits

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
            cache.write(index, work.flat_rows, work.positions, k, v)
        else:
            cache.write_row(index, *work.alone, k, v)
        keys, values = cache.read(index, work.rows, work.context)
        out = lane.attention(_to_grid(q, work), keys, values, work.attention)
        return lane.linear(_from_grid(out, work).reshape(n, -1), layer.out)

    def _feed_forward(self, layer: Layer, x: Tensor, lane: Lane) -> Tensor:
        h = lane.rms_norm(x, layer.ffn_norm, self.config.norm_eps)
        gate, up = lane.linear(h, layer.gate_up).chunk(2, dim=-1)
        return lane.linear(lane.round(lane.silu(gate) * up), layer.down)

    def _plan(self, tokens: Sequence[Sequence[int]], cache: KVCache, rows: list[int], lane: Lane) -> Pass:
        counts = [len(row) for row in tokens]
        before = [cache.lengths[row] for row in rows]
        lengths = [old + new for old, new in zip(before, counts, strict=True)]
        self._check(tokens, lengths, cache)
        flat_rows = torch.tensor(
            [row for row, count in zip(rows, counts, strict=True) for _ in range(count)], device=self.device
        )
        positions = torch.tensor(
            [p for old, new in zip(before, lengths, strict=True) for p in range(old, new)], device=self.device
        )
        if max(lengths) > self._rope.shape[1]:
            self._rope = self._rope_table(2 * max(lengths))
        cos, sin = self._rope[:, positions, None]
        widest = max(counts)
        # A query sees the positions up to its own; those of padded queries are wasted and thrown away.
        last_seen = torch.tensor(before, device=self.device)[:, None] + torch.arange(
            widest, device=self.device
        )
        context = torch.arange(-(-max(lengths) // BLOCK) * BLOCK, device=self.device)
        hidden = context > last_seen[..., None]
        if self.config.sliding_window is not None:
            hidden |= context <= last_seen[..., None] - self.config.sliding_window
        mask = torch.zeros(hidden.shape, device=self.device).masked_fill_(hidden, MASKED)
        slots = None
        if min(counts) != widest:
            slots = torch.tensor(
                [r * widest + t for r, count in enumerate(counts) for t in range(count)], device=self.device
            )
        consecutive = rows == list(range(rows[0], rows[0] + len(rows)))
        span = slice(rows[0], rows[0] + len(rows)) if consecutive else rows
        plan = lane.plan_attention(mask, self.config.heads, self.config.kv_heads, self.kernels)
        grid = (len(rows), widest)
        alone = (rows[0], before[0]) if len(rows) == 1 else None
        return Pass(
            span, counts, lengths, flat_rows, positions, cos, sin, len(context), grid, plan, slots, alone
        )

    def _check(self, tokens: Sequence[Sequence[int]], lengths: list[int], cache: KVCache) -> None:
        if not tokens or any(len(row) == 0 for row in tokens):
            raise LabError("A row has no new token.", "Give every row of a pass at least one token.")
        worst = max(max(row) for row in tokens)
        if worst >= self.config.vocab_size or min(min(row) for row in tokens) < 0:
            raise LabError(
                f"Token {worst} is outside the vocabulary of {self.config.vocab_size}.",
                "Use token ids of this model's own tokenizer.",
            )
        if max(lengths) > cache.capacity:
            raise LabError(
                f"A row would hold {max(lengths)} positions and the cache has {cache.capacity}.",
                "Make the cache larger or decode fewer tokens.",
            )

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
    if work.slots is not None:
        q = q.new_zeros(rows * widest, *q.shape[1:]).index_copy(0, work.slots, q)
    return q.reshape(rows, widest, *q.shape[1:])


def _from_grid(out: Tensor, work: Pass) -> Tensor:
    flat = out.flatten(0, 1)
    return flat if work.slots is None else flat[work.slots]


def _linear_shapes(c: ModelConfig) -> list[tuple[int, int]]:
    """(in, out) of every kind of linear layer."""
    return [
        (c.hidden_size, (c.heads + 2 * c.kv_heads) * c.head_dim),
        (c.heads * c.head_dim, c.hidden_size),
        (c.hidden_size, 2 * c.intermediate_size),
        (c.intermediate_size, c.hidden_size),
        (c.hidden_size, c.vocab_size),
    ]


class _Tensors:
    """Takes a checkpoint's tensors by name, onto the device, several linears fused into one."""

    def __init__(self, checkpoint: Checkpoint, device: torch.device, kernels: Kernels) -> None:
        self._tensors = checkpoint.tensors
        self._device = device
        self._kernels = kernels

    def tensor(self, name: str) -> Tensor:
        return self._tensors[name].to(self._device)

    def weight(self, *names: str) -> Weight:
        stored = [self.tensor(f"{name}.weight") for name in names]
        biases = [self.tensor(f"{name}.bias") for name in names if f"{name}.bias" in self._tensors]
        fused = stored[0] if len(stored) == 1 else torch.cat(stored)
        return Weight(fused, torch.cat(biases) if biases else None, self._kernels)

    def layer(self, prefix: str, config: ModelConfig) -> Layer:
        attention, ffn = prefix + "self_attn.", prefix + "mlp."
        qk_norm = None
        if config.qk_norm:
            gains = [self.tensor(f"{attention}{name}_norm.weight").float() for name in "qk"]
            qk_norm = torch.cat([gains[0].expand(config.heads, -1), gains[1].expand(config.kv_heads, -1)])
        return Layer(
            attention_norm=self.tensor(prefix + "input_layernorm.weight").float(),
            qkv=self.weight(*(f"{attention}{name}_proj" for name in "qkv")),
            qk_norm=qk_norm,
            out=self.weight(f"{attention}o_proj"),
            ffn_norm=self.tensor(prefix + "post_attention_layernorm.weight").float(),
            gate_up=self.weight(ffn + "gate_proj", ffn + "up_proj"),
            down=self.weight(ffn + "down_proj"),
        )
