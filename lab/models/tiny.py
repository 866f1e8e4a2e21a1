"""Tiny random models with a byte-level tokenizer: for tests, and for lessons that need no download.

They have learnt nothing: their text is noise. Everything else about them is a model of the family.
"""

from __future__ import annotations

from typing import Any

import tokenizers
import torch
from tokenizers import AddedToken, decoders, models, pre_tokenizers

from lab.models.chat import CHATML
from lab.models.checkpoint import Checkpoint, validate
from lab.models.config import Architecture, ModelConfig, expected_tensors
from lab.models.rope import RopeConfig
from lab.models.token_text import SYMBOL_BYTES
from lab.models.tokenizer import Tokenizer

END_OF_TEXT, TURN_START, TURN_END = 256, 257, 258  # after one token a byte
VOCABULARY = 259


def byte_tokenizer() -> Tokenizer:
    """One token a byte (id = the byte), and three special tokens of the ChatML format."""
    backend = tokenizers.Tokenizer(models.BPE(dict(SYMBOL_BYTES), []))
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    backend.decoder = decoders.ByteLevel()
    marks = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
    backend.add_special_tokens([AddedToken(mark, special=True, normalized=False) for mark in marks])
    return Tokenizer(backend, (TURN_END,), CHATML, {"eos_token": "<|im_end|>"})


def tiny_checkpoint(
    seed: int,
    architecture: Architecture = "llama",
    dtype: torch.dtype = torch.float32,
    **overrides: Any,
) -> Checkpoint:
    """A random model of one family; a seed always gives the same weights. `overrides`: `ModelConfig` fields.

    Weights are normal with variance 1 / inputs, so that activations keep their size and logits spread by
    about 1; norms are near 1. Raises LabError when the overrides do not fit together.
    """
    shape: dict[str, Any] = {
        "vocab_size": VOCABULARY,
        "hidden_size": 64,
        "intermediate_size": 96,
        "layers": 2,
        "heads": 4,
        "kv_heads": 2,
        "head_dim": 16,
        "norm_eps": 1e-6,
        "rope": RopeConfig(),
        "max_context": 512,
        "tied_head": True,
        "qkv_bias": architecture == "qwen2",
        "qk_norm": architecture == "qwen3",
        "eos_ids": (TURN_END,),
    }
    config = ModelConfig(architecture=architecture, **(shape | overrides))
    generator = torch.Generator().manual_seed(seed)
    tensors = {
        name: _random(name, size, generator).to(dtype) for name, size in expected_tensors(config).items()
    }
    return validate(Checkpoint(config, tensors, byte_tokenizer(), f"tiny-{architecture}-{seed}", "random"))


def _random(name: str, shape: tuple[int, ...], generator: torch.Generator) -> torch.Tensor:
    values = torch.randn(shape, generator=generator)
    if name.endswith("norm.weight"):
        return 1 + 0.1 * values
    if name.endswith(".bias"):
        return 0.1 * values
    return values / shape[-1] ** 0.5
