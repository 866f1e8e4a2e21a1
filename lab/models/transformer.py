"""One Llama-family transformer: Llama, SmolLM2, Mistral, Qwen2, Qwen3.

This module computes logits: embedding, layers (stack.py), norm and head. It does not choose
tokens (lab/decode) or read files.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from itertools import chain

import torch
from torch import Tensor

from lab.errors import LabError
from lab.models.branches import Branches
from lab.models.cache import KVCache
from lab.models.checkpoint import Checkpoint
from lab.models.config import ModelConfig
from lab.models.stack import Layer, Stack
from lab.numerics.attention import BLOCK
from lab.numerics.kernels import Kernels, choose_kernels
from lab.numerics.lanes import Lane
from lab.numerics.weight import Weight


class Transformer:
    """Weights of a checkpoint on a device, ready for any lane."""

    def __init__(self, checkpoint: Checkpoint, device: torch.device | str = "cpu") -> None:
        self.config = config = checkpoint.config
        self.name = checkpoint.name
        self.device = torch.device(device)
        self.kernels = choose_kernels(self.device, linear_shapes(config), config.head_dim)
        take = _Tensors(checkpoint, self.device, self.kernels)
        self.embedding = take.tensor("model.embed_tokens.weight")
        layers = [take.layer(f"model.layers.{index}.", config) for index in range(config.layers)]
        self.stack = Stack(layers, config, self.kernels, self.device)
        self.norm = take.tensor("model.norm.weight").float()
        self.head = take.weight("model.embed_tokens" if config.tied_head else "lm_head")

    def new_cache(
        self, rows: int, positions: int, lane: Lane, taps: Sequence[int] = (), spare: int = 0
    ) -> KVCache:
        """An empty cache for `rows` sequences of at most `positions` positions. Raises LabError.

        `spare`: slots beside those, for the nodes of a tree, several of which share a position; and a block
        behind them (passes.py).
        `taps`: features that it keeps of each position: k for the residual stream after k layers, and for
        k = the number of layers what the head reads, after the norm.
        """
        c = self.config
        if positions > c.max_context:
            raise LabError(
                f"{positions} positions are asked for and {self.name} has a context of {c.max_context}.",
                "Shorten the prompt or ask for fewer tokens.",
            )
        for tap in taps:
            if not 0 <= tap <= c.layers:
                raise LabError(
                    f"Features after layer {tap} are asked for and {self.name} has {c.layers} layers.",
                    f"Name layers from 0 to {c.layers}.",
                )
        return KVCache(
            c.layers,
            rows,
            c.kv_heads,
            positions + spare + (BLOCK if spare else 0),
            c.head_dim,
            lane.dtype,
            self.device,
            taps,
            c.hidden_size,
        )

    def exit_after(self, layers: int) -> Transformer:
        """This model with its first layers alone, and its own norm and head: an early exit, untrained.

        Shares the weights. Raises LabError.
        """
        if not 1 <= layers <= self.config.layers:
            raise LabError(
                f"An exit after layer {layers} is asked for and {self.name} has {self.config.layers} layers.",
                f"Exit after 1 to {self.config.layers}.",
            )
        early = copy(self)
        early.config = replace(self.config, layers=layers)
        early.name = f"{self.name}, exit after layer {layers}"
        early.stack = Stack(self.stack.layers[:layers], early.config, self.kernels, self.device)
        return early

    @torch.inference_mode()
    def forward(
        self,
        tokens: Sequence[Sequence[int]],
        cache: KVCache,
        lane: Lane,
        rows: Sequence[int] | None = None,
        every_position: bool = False,
        branches: Sequence[Branches] | None = None,
    ) -> Tensor:
        """Append `tokens[i]` to cache row `rows[i]` (default: row i) and return FP32 logits.

        -> [rows, vocab], of each row's last new token; with `every_position`, [all new tokens, vocab]
        in flat order. `branches`: the tree that each row's last slots hold, the new ones among them; None:
        all rows are texts. Raises LabError for a token outside the vocabulary, a full cache, and branches
        that do not fit the rows.
        """
        rows = list(range(len(tokens)) if rows is None else rows)
        self._check(tokens)
        work = self.stack.plan([len(row) for row in tokens], cache, rows, lane, branches)
        flat = torch.tensor(list(chain.from_iterable(tokens)), device=self.device)
        x = lane.round(self.embedding[flat].float())  # [n, hidden]
        for index in range(self.config.layers):
            cache.keep(index, work.flat_rows, work.flat_slots, x)
            x = self.stack.layer(index, x, work, cache, lane)
        if self.config.layers in cache.taps:
            kept = lane.rms_norm(x, self.norm, self.config.norm_eps)
            cache.keep(self.config.layers, work.flat_rows, work.flat_slots, kept)
        if not every_position and work.grid[1] > 1:
            ends = torch.tensor(work.counts, device=self.device).cumsum(0) - 1
            x = x[ends]
        x = lane.rms_norm(x, self.norm, self.config.norm_eps)
        logits = lane.linear(x, self.head).float()
        for row, length in zip(rows, work.lengths, strict=True):
            cache.lengths[row] = length
        return logits

    def _check(self, tokens: Sequence[Sequence[int]]) -> None:
        if not tokens or any(len(row) == 0 for row in tokens):
            raise LabError("A row has no new token.", "Give every row of a pass at least one token.")
        worst = max(max(row) for row in tokens)
        if worst >= self.config.vocab_size or min(min(row) for row in tokens) < 0:
            raise LabError(
                f"Token {worst} is outside the vocabulary of {self.config.vocab_size}.",
                "Use token ids of this model's own tokenizer.",
            )


def linear_shapes(c: ModelConfig) -> list[tuple[int, int]]:
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
