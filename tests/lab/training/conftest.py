"""A tiny target with its tokenizer, and text that it wrote."""

from __future__ import annotations

import pytest

from lab.decode.sampling import GREEDY
from lab.models.loaded import LoadedModel
from lab.models.tiny import tiny_checkpoint
from lab.models.transformer import Transformer
from lab.training.target_text import TargetText, write

LENGTH = 12


@pytest.fixture(scope="session")
def target() -> LoadedModel:
    checkpoint = tiny_checkpoint(3)
    return LoadedModel(Transformer(checkpoint), checkpoint.tokenizer, checkpoint.source)


@pytest.fixture(scope="session")
def prompts(target: LoadedModel) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(target.tokenizer.encode_chat(text)) for text in ("Hi", "A crow", "Why?", "ok", "No"))


@pytest.fixture(scope="session")
def texts(target: LoadedModel, prompts: tuple[tuple[int, ...], ...]) -> list[TargetText]:
    return write(target.transformer, prompts, GREEDY, LENGTH, seed=0)
