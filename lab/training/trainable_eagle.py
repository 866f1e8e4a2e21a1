"""EAGLE's draft head as a torch module, so that it can learn (Li et al., 2024, arXiv:2401.15077).

One Llama layer that reads the target's feature at position i (what its lm_head reads) together with the
embedding of the token at i + 1 and predicts the feature at i + 1. The target's own embedding and head
are used as they are and are not part of the weights. With several taps the feature that enters is a
combination of the target's residual streams instead, as in EAGLE-3 (2025, arXiv:2503.01840).

`unroll` is the training-time test of EAGLE-3: the predictions are fed back in place of features, in
every position at once, with the very keys that a chain of guesses would see. FP32, no cache; a test holds
it equal to drafting step by step.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lab.models.config import ModelConfig
from lab.models.rope import rope_frequencies
from lab.training.trainable import FeedForward, rotate

Turn = tuple[Tensor, Tensor]  # cos and signed sin of the positions, [positions, head_dim] each


class TrainableEagle(nn.Module):
    """`config`: the target's, with the head's own feed-forward width.

    `embedding` [V, hidden] and `head` [R, hidden] are the target's, and frozen.
    """

    embedding: Tensor
    head: Tensor

    def __init__(self, config: ModelConfig, taps: int, embedding: Tensor, head: Tensor) -> None:
        super().__init__()
        hidden = config.hidden_size
        self.config, self.taps = config, taps
        self.register_buffer("embedding", embedding.float(), persistent=False)
        self.register_buffer("head", head.float(), persistent=False)
        if taps > 1:
            self.combine = nn.Linear(taps * hidden, hidden, bias=False)
        self.embedding_norm = nn.RMSNorm(hidden, config.norm_eps)
        self.feature_norm = nn.RMSNorm(hidden, config.norm_eps)
        self.fuse = nn.Linear(2 * hidden, hidden, bias=False)
        self.layer = _Layer(config)
        self.norm = nn.RMSNorm(hidden, config.norm_eps)
        self._frequencies, self._scale = rope_frequencies(config)

    def unroll(self, tokens: Tensor, features: Tensor, steps: int, since: int = 0) -> list[Tensor]:
        """tokens [rows, positions] and features [rows, positions, taps · hidden] of pairs -> predicted
        features [rows, positions − since, hidden] of every step.

        That of step j at pair p is what a chain that began at pair p − j + 1 predicts at its j-th guess;
        before pair j − 1 there is none, and the values mean nothing. Pairs before `since` are context only.
        """
        turn = self._turn(tokens.shape[1])
        embedded = self.embedding_norm(F.embedding(tokens, self.embedding))
        x = self._fused(embedded, self.entering(features))
        trunk = self.layer.attention.keys(self.layer.attention_norm(x), turn)
        made = [self._finish(x[:, since:], trunk, [], since, turn)]
        path: list[tuple[Tensor, Tensor]] = []
        embedded = embedded[:, since:]
        turn_since = turn[0][since:], turn[1][since:]
        for _ in range(1, steps):
            x = self._fused(embedded, _later(made[-1]))
            own = self.layer.attention.keys(self.layer.attention_norm(x), turn_since)
            path = [(_later(k), _later(v)) for k, v in path] + [own]
            made.append(self._finish(x, trunk, path, since, turn))
        return made

    def entering(self, features: Tensor) -> Tensor:
        """What the features [..., taps · hidden] of the target come in as, [..., hidden]."""
        if self.taps == 1:
            return features
        parts = features.unflatten(-1, (self.taps, -1))
        normed = F.rms_norm(parts, parts.shape[-1:], eps=self.config.norm_eps)
        return self.combine(normed.flatten(-2))

    def logits(self, predicted: Tensor) -> Tensor:
        """[..., hidden] -> [..., R]"""
        return predicted @ self.head.T

    def _fused(self, embedded: Tensor, feature: Tensor) -> Tensor:
        return self.fuse(torch.cat([embedded, self.feature_norm(feature)], -1))

    def _finish(
        self,
        x: Tensor,
        trunk: tuple[Tensor, Tensor],
        path: list[tuple[Tensor, Tensor]],
        since: int,
        turn: Turn,
    ) -> Tensor:
        x = x + self.layer.attention(self.layer.attention_norm(x), trunk, path, since, turn)
        return self.norm(x + self.layer.feed_forward(self.layer.feed_forward_norm(x)))

    def _turn(self, positions: int) -> Turn:
        angles = torch.arange(positions, device=self.head.device)[:, None] * self._frequencies.to(
            self.head.device
        )
        cos, sin = angles.cos() * self._scale, angles.sin() * self._scale
        return torch.cat([cos, cos], -1), torch.cat([-sin, sin], -1)


class _Layer(nn.Module):
    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.attention_norm = nn.RMSNorm(config.hidden_size, config.norm_eps)
        self.attention = _Attention(config)
        self.feed_forward_norm = nn.RMSNorm(config.hidden_size, config.norm_eps)
        self.feed_forward = FeedForward(config)


class _Attention(nn.Module):
    """Of a query at pair p in step j: to the trunk's pairs up to p − j + 1, and to its own chain's since."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.heads, self.kv_heads, self.head_dim = config.heads, config.kv_heads, config.head_dim
        self.q_proj = nn.Linear(config.hidden_size, config.q_size, bias=False)
        self.k_proj = nn.Linear(config.hidden_size, config.kv_size, bias=False)
        self.v_proj = nn.Linear(config.hidden_size, config.kv_size, bias=False)
        self.o_proj = nn.Linear(config.q_size, config.hidden_size, bias=False)

    def keys(self, x: Tensor, turn: Turn) -> tuple[Tensor, Tensor]:
        """k after RoPE and v, [rows, kv_heads, positions, head_dim] each."""
        return rotate(self._heads(self.k_proj(x)), turn), self._heads(self.v_proj(x))

    def forward(
        self,
        x: Tensor,
        trunk: tuple[Tensor, Tensor],
        path: list[tuple[Tensor, Tensor]],
        since: int,
        turn: Turn,
    ) -> Tensor:
        """x: of the pairs from `since` on. path[m]: k and v that each pair's chain left m + 1 − len(path)
        steps before it, lined up with the pair."""
        k, v = trunk
        q = rotate(self._heads(self.q_proj(x)), (turn[0][since:], turn[1][since:]))
        q = q.unflatten(1, (self.kv_heads, -1)) * self.head_dim**-0.5  # [rows, kv_heads, group, queries, d]
        pairs = torch.arange(k.shape[2], device=k.device)
        unseen = pairs > pairs[since:, None] - len(path)
        scores = (q.flatten(2, 3) @ k.transpose(-1, -2)).unflatten(2, q.shape[2:4])
        scores = scores.masked_fill(unseen, -torch.inf)
        along = [(q * own[:, :, None]).sum(-1, keepdim=True) for own, _ in path]
        weights = torch.cat([scores, *along], -1).softmax(-1)
        to_trunk = weights[..., : k.shape[2]]
        out = (to_trunk.flatten(2, 3) @ v).unflatten(2, q.shape[2:4])
        for m, (_, own) in enumerate(path, k.shape[2]):
            out = out + weights[..., m : m + 1] * own[:, :, None]
        return self.o_proj(out.flatten(1, 2).transpose(1, 2).flatten(2))

    def _heads(self, x: Tensor) -> Tensor:
        """[rows, positions, heads · d] -> [rows, heads, positions, d]"""
        return x.unflatten(-1, (-1, self.head_dim)).transpose(1, 2)


def _later(x: Tensor) -> Tensor:
    """Every pair's value moved to the pair after it, along the positions (the last but one dimension)."""
    return F.pad(x, (0, 0, 1, -1))
