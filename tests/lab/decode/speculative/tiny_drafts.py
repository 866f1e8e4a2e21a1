"""Drafts for tiny random models that agree with them often, not always: the same weights with noise."""

from __future__ import annotations

from dataclasses import replace

import torch

from lab.decode.speculative.drafters import Drafter, LookupDrafter, ModelDrafter
from lab.models.checkpoint import Checkpoint
from lab.models.draft import DraftModel
from lab.models.tiny import tiny_checkpoint
from lab.models.transformer import Transformer
from lab.numerics.lanes import FP32, Lane

TARGET = tiny_checkpoint(0, dtype=torch.bfloat16)


def noisy(checkpoint: Checkpoint, noise: float, name: str = "noisy") -> Checkpoint:
    """Every weight plus `noise` times a normal number of its tensor's size."""
    generator = torch.Generator().manual_seed(1)
    tensors = {
        key: (x + noise * x.float().std() * torch.randn(x.shape, generator=generator)).to(x.dtype)
        for key, x in checkpoint.tensors.items()
    }
    return replace(checkpoint, tensors=tensors, name=name)


def reduced(checkpoint: Checkpoint, vocabulary: torch.Tensor, noise: float) -> DraftModel:
    """A noisy draft with a part of the vocabulary, and a row for the rest."""
    near = noisy(checkpoint, noise, "reduced")
    embedding = near.tensors["model.embed_tokens.weight"]
    rows = torch.cat([embedding[vocabulary], embedding.float().mean(0, keepdim=True).to(embedding.dtype)])
    config = replace(near.config, vocab_size=len(rows), eos_ids=())
    tensors = near.tensors | {"model.embed_tokens.weight": rows}
    model = Transformer(replace(near, config=config, tensors=tensors))
    return DraftModel(model, vocabulary, "reduced", checkpoint.name)


def drafters(lane: Lane = FP32, checkpoint: Checkpoint = TARGET) -> dict[str, Drafter]:
    model = Transformer(noisy(checkpoint, 0.15))
    small = reduced(checkpoint, torch.arange(0, 259, 2), 0.1)
    return {
        "model": ModelDrafter("noisy", model, lane),
        "reduced": ModelDrafter("reduced", small.transformer, lane, small),
        "lookup": LookupDrafter(),
    }
