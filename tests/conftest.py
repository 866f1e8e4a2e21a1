"""Fixtures that every part of the suite may use."""

from __future__ import annotations

import pytest
import torch
from hypothesis import settings

from lab.models.checkpoint import Checkpoint
from lab.models.tiny import tiny_checkpoint
from lab.models.transformer import Transformer
from lab.models.zoo import DEFAULT_MODEL, load_checkpoint

# Property tests time nothing: a busy machine is no failure.
settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")


@pytest.fixture(scope="session")
def tiny() -> Transformer:
    """A small random Llama with grouped heads and BF16 weights; nothing to download."""
    return Transformer(tiny_checkpoint(0, dtype=torch.bfloat16))


@pytest.fixture(scope="session")
def smollm2() -> Checkpoint:
    """The pinned model as every page uses it: BF16, from the cache directory (fetched if absent)."""
    return load_checkpoint(DEFAULT_MODEL)


@pytest.fixture(scope="session")
def smollm2_model(smollm2: Checkpoint) -> Transformer:
    return Transformer(smollm2)
