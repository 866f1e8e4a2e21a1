"""The transformer against transformers' own, in FP32, on random small models of every family."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import torch
import transformers

from lab.errors import LabError
from lab.models.config import ModelConfig
from lab.models.rope import LinearScaling, Llama3Scaling, RopeConfig, YarnScaling
from lab.models.tiny import tiny_checkpoint
from lab.models.transformer import Transformer
from lab.numerics.lanes import BF16_NATIVE, FP32

HF_MODELS: dict[str, tuple[Any, Any]] = {
    "llama": (transformers.LlamaConfig, transformers.LlamaForCausalLM),
    "qwen2": (transformers.Qwen2Config, transformers.Qwen2ForCausalLM),
    "qwen3": (transformers.Qwen3Config, transformers.Qwen3ForCausalLM),
    "mistral": (transformers.MistralConfig, transformers.MistralForCausalLM),
}
CASES: list[tuple[str, dict[str, Any]]] = [
    ("llama", {}),
    ("llama", {"tied_head": False, "heads": 8, "kv_heads": 8}),
    ("llama", {"heads": 9, "kv_heads": 3, "head_dim": 8, "hidden_size": 72}),
    ("llama", {"rope": RopeConfig(500000.0, Llama3Scaling(8.0, 1.0, 4.0, 64))}),
    ("llama", {"rope": RopeConfig(10000.0, LinearScaling(4.0))}),
    ("qwen2", {}),
    ("qwen2", {"tied_head": False, "kv_heads": 1}),
    ("qwen3", {"head_dim": 32}),
    ("qwen3", {"tied_head": False}),
    ("mistral", {}),
    ("mistral", {"sliding_window": 20, "tied_head": False}),
]


def theirs(config: ModelConfig, tensors: dict[str, torch.Tensor]) -> Any:
    hf_config, hf_model = HF_MODELS[config.architecture]
    model = hf_model(hf_config(**config.to_hub(), attn_implementation="eager")).float().eval()
    missing, unexpected = model.load_state_dict({k: v.float() for k, v in tensors.items()}, strict=False)
    assert not unexpected
    assert set(missing) <= {"lm_head.weight"}
    model.tie_weights()
    return model


@pytest.mark.parametrize(("architecture", "overrides"), CASES)
@pytest.mark.parametrize("seed", [0, 1])
def test_logits_equal_transformers(architecture: Any, overrides: dict[str, Any], seed: int) -> None:
    checkpoint = tiny_checkpoint(seed, architecture, **overrides)
    model = Transformer(checkpoint)
    tokens = torch.randint(0, 256, (2, 90), generator=torch.Generator().manual_seed(seed))
    with torch.no_grad():
        expected = theirs(checkpoint.config, checkpoint.tensors)(tokens).logits
    cache = model.new_cache(2, 90, FP32)
    logits = model.forward(tokens.tolist(), cache, FP32, every_position=True).view(2, 90, -1)
    assert (logits - expected).abs().max() < 1e-4


def test_logits_equal_transformers_with_yarn() -> None:
    base = tiny_checkpoint(3)
    raw = base.config.to_hub() | {
        "rope_parameters": {
            "rope_type": "yarn",
            "rope_theta": 10000.0,
            "factor": 4.0,
            "original_max_position_embeddings": 128,
        }
    }
    config = ModelConfig.from_hub(raw)
    assert isinstance(config.rope.scaling, YarnScaling)
    tokens = torch.randint(0, 256, (1, 200), generator=torch.Generator().manual_seed(3))
    model = Transformer(replace(base, config=config))
    with torch.no_grad():
        expected = theirs(config, base.tensors)(tokens).logits
    logits = model.forward(tokens.tolist(), model.new_cache(1, 200, FP32), FP32, every_position=True)
    assert (logits - expected[0]).abs().max() < 1e-4


def test_native_lane_is_the_model_in_bf16(tiny: Transformer) -> None:
    tokens = [list(range(60))]
    exact = tiny.forward(tokens, tiny.new_cache(1, 60, FP32), FP32)
    native = tiny.forward(tokens, tiny.new_cache(1, 60, BF16_NATIVE), BF16_NATIVE)
    assert 0 < (exact - native).abs().max() < 0.1


def test_bad_tokens_and_full_caches_are_named(tiny: Transformer) -> None:
    cache = tiny.new_cache(1, 4, FP32)
    for tokens, message in (
        ([[999]], "Token 999"),
        ([[-1]], "Token -1"),
        ([[]], "no new token"),
        ([], "no new token"),
    ):
        with pytest.raises(LabError, match=message):
            tiny.forward(tokens, cache, FP32)
    with pytest.raises(LabError, match="would hold 65 positions"):
        tiny.forward([[1] * 65], cache, FP32)
    with pytest.raises(LabError, match="context of 512"):
        tiny.new_cache(1, 513, FP32)
    assert cache.lengths == [0]
