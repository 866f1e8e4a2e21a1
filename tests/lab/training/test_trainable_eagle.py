"""The unrolled training computation is drafting step by step."""

from __future__ import annotations

import math

import pytest
import torch
from torch import Tensor

from lab.models.tiny import tiny_checkpoint
from lab.training.trainable_eagle import TrainableEagle

POSITIONS, STEPS = 9, 4


def _model(taps: int, seed: int = 3) -> TrainableEagle:
    checkpoint = tiny_checkpoint(seed, intermediate_size=40)
    torch.manual_seed(seed)
    embedding = checkpoint.tensors["model.embed_tokens.weight"]
    model = TrainableEagle(checkpoint.config, taps, embedding, embedding[20:60])
    with torch.no_grad():
        for weight in model.parameters():
            weight.copy_(
                1 + 0.3 * torch.randn_like(weight) if weight.dim() == 1 else torch.randn_like(weight) / 8
            )
    return model.double()


def _chain(model: TrainableEagle, tokens: Tensor, features: Tensor, root: int, steps: int) -> list[Tensor]:
    """One chain of guesses, a pair at a time, with plain loops: pairs up to `root` have true features."""
    config, layer = model.config, model.layer
    keys: list[Tensor] = []
    values: list[Tensor] = []
    made: list[Tensor] = []
    for pair in range(root + steps):
        feature = model.entering(features[pair]) if pair <= root else made[-1]
        embedded = model.embedding_norm(model.embedding[tokens[pair]])
        x = model.fuse(torch.cat([embedded, model.feature_norm(feature)]))
        normed = layer.attention_norm(x)
        q = _turned(layer.attention.q_proj(normed).reshape(config.heads, -1), pair, config.rope.theta)
        keys.append(
            _turned(layer.attention.k_proj(normed).reshape(config.kv_heads, -1), pair, config.rope.theta)
        )
        values.append(layer.attention.v_proj(normed).reshape(config.kv_heads, -1))
        heads = []
        for head in range(config.heads):
            of = head // (config.heads // config.kv_heads)
            scores = torch.stack([q[head] @ k[of] for k in keys]) / math.sqrt(config.head_dim)
            heads.append(sum(w * v[of] for w, v in zip(scores.softmax(0), values, strict=True)))
        x = x + layer.attention.o_proj(torch.cat(heads))
        x = model.norm(x + layer.feed_forward(layer.feed_forward_norm(x)))
        if pair >= root:
            made.append(x)
    return made


def _turned(x: Tensor, position: int, theta: float) -> Tensor:
    half = x.shape[-1] // 2
    angle = position * theta ** (-torch.arange(half, dtype=x.dtype) / half)
    a, b = x[..., :half], x[..., half:]
    return torch.cat([a * angle.cos() - b * angle.sin(), b * angle.cos() + a * angle.sin()], -1)


@pytest.mark.parametrize("taps", [1, 3])
@torch.no_grad()
def test_unrolled_steps_equal_chains_with_a_cache(taps: int) -> None:
    model = _model(taps)
    tokens = torch.randint(0, 259, (2, POSITIONS))
    features = torch.randn(2, POSITIONS, taps * 64, dtype=torch.float64)
    since = 2
    made = model.unroll(tokens, features, STEPS, since)
    for row in range(2):
        for root in range(since, POSITIONS - STEPS + 1):
            chain = _chain(model, tokens[row], features[row], root, STEPS)
            for step, expected in enumerate(chain):
                # RoPE's angles are FP32 in the model
                torch.testing.assert_close(
                    made[step][row, root + step - since], expected, atol=1e-5, rtol=1e-5
                )


@torch.no_grad()
def test_the_first_step_has_every_pair() -> None:
    model = _model(1)
    tokens = torch.randint(0, 259, (1, POSITIONS))
    features = torch.randn(1, POSITIONS, 64, dtype=torch.float64)
    (whole,) = model.unroll(tokens, features, 1)
    (tail,) = model.unroll(tokens, features, 1, since=4)
    torch.testing.assert_close(tail, whole[:, 4:])
    for root in range(POSITIONS):
        (expected,) = _chain(model, tokens[0], features[0], root, 1)
        torch.testing.assert_close(whole[0, root], expected, atol=1e-5, rtol=1e-5)


@torch.no_grad()
def test_a_prediction_sees_no_later_token_or_feature() -> None:
    model = _model(1)
    tokens = torch.randint(0, 259, (1, POSITIONS))
    features = torch.randn(1, POSITIONS, 64, dtype=torch.float64)
    before = model.unroll(tokens, features, STEPS)
    tokens[0, 6:], features[0, 6:] = 7, 9.0
    after = model.unroll(tokens, features, STEPS)
    for step in range(STEPS):
        torch.testing.assert_close(after[step][:, :6], before[step][:, :6])
        assert not torch.allclose(after[step][:, 6], before[step][:, 6])


def test_embedding_and_head_are_the_targets_and_stay() -> None:
    model = _model(1)
    assert not any(
        name.startswith(("embedding.", "head")) or name == "embedding" for name in model.state_dict()
    )
    assert not {id(p) for p in model.parameters()} & {id(model.embedding), id(model.head)}
