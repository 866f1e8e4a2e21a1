"""The lab's transformer as plain torch modules, so that it can learn.

Same architecture, same weights under the same names as `lab.models.transformer` (a test holds the
logits of the two equal), FP32, no cache. Knows Llama with a tied head: what the lab's drafts are.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lab.errors import LabError
from lab.models.config import ModelConfig
from lab.models.rope import rope_frequencies


class TrainableLlama(nn.Module):
    """`state_dict()` has the hub's tensor names. Raises LabError for another architecture."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        if config.architecture != "llama" or not config.tied_head or config.output_bias:
            raise LabError(
                f"A {config.architecture} model (tied head: {config.tied_head}) cannot be trained here.",
                "Train a llama model with a tied head and no biases.",
            )
        self.config = config
        self.model = _Body(config)
        frequencies, self._scale = rope_frequencies(config)
        self._frequencies = frequencies

    def hidden(self, tokens: Tensor) -> Tensor:
        """tokens [rows, positions] -> normalised hidden states [rows, positions, hidden].

        Rows are padded on the right: a position sees none after it.
        """
        angles = torch.arange(tokens.shape[1])[:, None] * self._frequencies
        cos, sin = angles.cos() * self._scale, angles.sin() * self._scale
        turn = torch.cat([cos, cos], -1), torch.cat([-sin, sin], -1)  # [positions, head_dim] each
        return self.model(tokens, turn)

    def forward(self, tokens: Tensor) -> Tensor:
        """tokens [rows, positions] -> logits [rows, positions, vocab]."""
        return self.hidden(tokens) @ self.model.embed_tokens.weight.T


class _Body(nn.Module):
    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.embed_tokens = nn.Embedding(config.vocab_size, config.hidden_size)
        self.layers = nn.ModuleList(_Layer(config) for _ in range(config.layers))
        self.norm = nn.RMSNorm(config.hidden_size, config.norm_eps)

    def forward(self, tokens: Tensor, turn: tuple[Tensor, Tensor]) -> Tensor:
        x = self.embed_tokens(tokens)
        for layer in self.layers:
            x = layer(x, turn)
        return self.norm(x)


class _Layer(nn.Module):
    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.input_layernorm = nn.RMSNorm(config.hidden_size, config.norm_eps)
        self.self_attn = _Attention(config)
        self.post_attention_layernorm = nn.RMSNorm(config.hidden_size, config.norm_eps)
        self.mlp = FeedForward(config)

    def forward(self, x: Tensor, turn: tuple[Tensor, Tensor]) -> Tensor:
        x = x + self.self_attn(self.input_layernorm(x), turn)
        return x + self.mlp(self.post_attention_layernorm(x))


class _Attention(nn.Module):
    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.head_dim = config.head_dim
        self.grouped = config.heads != config.kv_heads
        self.q_proj = nn.Linear(config.hidden_size, config.q_size, bias=False)
        self.k_proj = nn.Linear(config.hidden_size, config.kv_size, bias=False)
        self.v_proj = nn.Linear(config.hidden_size, config.kv_size, bias=False)
        self.o_proj = nn.Linear(config.q_size, config.hidden_size, bias=False)

    def forward(self, x: Tensor, turn: tuple[Tensor, Tensor]) -> Tensor:
        q, k, v = (self._heads(projection(x)) for projection in (self.q_proj, self.k_proj, self.v_proj))
        out = F.scaled_dot_product_attention(
            rotate(q, turn), rotate(k, turn), v, is_causal=True, enable_gqa=self.grouped
        )
        return self.o_proj(out.transpose(1, 2).flatten(2))

    def _heads(self, x: Tensor) -> Tensor:
        """[rows, positions, heads · d] -> [rows, heads, positions, d]"""
        return x.unflatten(-1, (-1, self.head_dim)).transpose(1, 2)


class FeedForward(nn.Module):
    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.gate_proj = nn.Linear(config.hidden_size, config.intermediate_size, bias=False)
        self.up_proj = nn.Linear(config.hidden_size, config.intermediate_size, bias=False)
        self.down_proj = nn.Linear(config.intermediate_size, config.hidden_size, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))


def rotate(x: Tensor, turn: tuple[Tensor, Tensor]) -> Tensor:
    """RoPE on [rows, heads, positions, d] by cos and signed sin [positions, d]."""
    cos, sin = turn
    return x * cos + torch.roll(x, x.shape[-1] // 2, dims=-1) * sin
