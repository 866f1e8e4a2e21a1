"""Configurations as transformers writes and understands them, and every refusal."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from transformers import (
    LlamaConfig,
    LlamaForCausalLM,
    MistralConfig,
    MistralForCausalLM,
    Qwen2Config,
    Qwen2ForCausalLM,
    Qwen3Config,
    Qwen3ForCausalLM,
)

from lab.errors import LabError
from lab.models.config import ModelConfig, eos_from_hub, expected_tensors

SMALL = {
    "vocab_size": 96,
    "hidden_size": 48,
    "intermediate_size": 80,
    "num_hidden_layers": 3,
    "num_attention_heads": 6,
    "num_key_value_heads": 2,
    "max_position_embeddings": 640,
    "rms_norm_eps": 1e-5,
    "eos_token_id": [7, 9],
    "bos_token_id": 1,
}
CASES = {
    "llama": (LlamaConfig, LlamaForCausalLM, {}),
    "llama tied, wide heads": (LlamaConfig, LlamaForCausalLM, {"tie_word_embeddings": True, "head_dim": 16}),
    "llama with attention bias": (LlamaConfig, LlamaForCausalLM, {"attention_bias": True}),
    "llama without grouping": (LlamaConfig, LlamaForCausalLM, {"num_key_value_heads": None}),
    "qwen2": (Qwen2Config, Qwen2ForCausalLM, {}),
    "qwen2 tied": (Qwen2Config, Qwen2ForCausalLM, {"tie_word_embeddings": True}),
    "qwen2 with a window": (
        Qwen2Config,
        Qwen2ForCausalLM,
        {"use_sliding_window": True, "sliding_window": 32, "max_window_layers": 0},
    ),
    "qwen3": (Qwen3Config, Qwen3ForCausalLM, {"head_dim": 10}),
    "qwen3 with bias": (Qwen3Config, Qwen3ForCausalLM, {"attention_bias": True, "head_dim": 8}),
    "mistral": (MistralConfig, MistralForCausalLM, {}),
    "mistral with full attention": (MistralConfig, MistralForCausalLM, {"sliding_window": None}),
}


@pytest.fixture(params=CASES.values(), ids=CASES.keys())
def case(request: pytest.FixtureRequest, tmp_path: Path) -> tuple:
    """transformers' configuration and model class, and the config.json that transformers saves."""
    config_class, model_class, changes = request.param
    reference = config_class(**(SMALL | changes))
    reference.save_pretrained(tmp_path)
    return reference, model_class, json.loads((tmp_path / "config.json").read_text())


def test_a_saved_configuration_reads_as_transformers_reads_it(case: tuple) -> None:
    reference, _, raw = case
    ours = ModelConfig.from_hub(raw)
    assert ours.architecture == reference.model_type
    assert ours.vocab_size == reference.vocab_size
    assert ours.hidden_size == reference.hidden_size
    assert ours.intermediate_size == reference.intermediate_size
    assert ours.layers == reference.num_hidden_layers
    assert ours.heads == reference.num_attention_heads
    assert ours.kv_heads == reference.num_key_value_heads
    expected_head = getattr(reference, "head_dim", None) or reference.hidden_size // ours.heads
    assert ours.head_dim == expected_head
    assert ours.norm_eps == reference.rms_norm_eps
    assert ours.max_context == reference.max_position_embeddings
    assert ours.tied_head == reference.tie_word_embeddings
    assert ours.sliding_window == getattr(reference, "sliding_window", None)
    assert ours.rope.theta == reference.rope_parameters["rope_theta"]
    assert ours.eos_ids == (7, 9)


def test_expected_tensors_are_the_tensors_of_the_model(case: tuple) -> None:
    reference, model_class, raw = case
    with torch.device("meta"):
        model = model_class(reference)
    shapes = {name: tuple(tensor.shape) for name, tensor in model.state_dict().items()}
    if reference.tie_word_embeddings:
        del shapes["lm_head.weight"]  # the embedding again
    ours = ModelConfig.from_hub(raw)
    assert expected_tensors(ours) == shapes
    assert ours.parameters == model.num_parameters()


def test_written_and_read_back(case: tuple) -> None:
    ours = ModelConfig.from_hub(case[2])
    assert ModelConfig.from_hub(ours.to_hub()) == ours


def test_what_the_lab_writes_means_the_same_to_transformers(case: tuple) -> None:
    reference, model_class, raw = case
    read_back = model_class.config_class(**ModelConfig.from_hub(raw).to_hub())
    for key in (
        "hidden_size",
        "num_key_value_heads",
        "tie_word_embeddings",
        "rope_parameters",
        "eos_token_id",
    ):
        assert getattr(read_back, key) == getattr(reference, key), key
    for key in ("sliding_window", "attention_bias"):
        if hasattr(reference, key):
            assert getattr(read_back, key) == getattr(reference, key), key


LLAMA = SMALL | {"model_type": "llama"}
QWEN2 = SMALL | {"model_type": "qwen2"}


def test_an_old_configuration_without_optional_keys() -> None:
    old = {key: value for key, value in LLAMA.items() if key not in ("num_key_value_heads", "eos_token_id")}
    config = ModelConfig.from_hub(old)
    assert (config.kv_heads, config.head_dim, config.eos_ids) == (6, 8, ())
    assert not config.tied_head
    assert ModelConfig.from_hub(SMALL | {"model_type": "qwen3"}).head_dim == 128
    assert ModelConfig.from_hub(SMALL | {"model_type": "mistral"}).sliding_window == 4096


def test_a_window_in_every_layer_or_in_none() -> None:
    sliding = QWEN2 | {"use_sliding_window": True, "sliding_window": 32}
    assert ModelConfig.from_hub(QWEN2 | {"sliding_window": 32}).sliding_window is None
    assert ModelConfig.from_hub(sliding | {"max_window_layers": 0}).sliding_window == 32
    assert ModelConfig.from_hub(sliding | {"max_window_layers": 3}).sliding_window is None
    every_layer = sliding | {"layer_types": ["sliding_attention"] * 3}
    assert ModelConfig.from_hub(every_layer).sliding_window == 32
    no_layer = sliding | {"layer_types": ["full_attention"] * 3, "max_window_layers": 0}
    assert ModelConfig.from_hub(no_layer).sliding_window is None


@pytest.mark.parametrize(
    ("raw", "named"),
    [
        ({"model_type": "gpt2"}, "gpt2"),
        ({}, "model_type = None"),
        (LLAMA | {"hidden_act": "gelu"}, "gelu"),
        (LLAMA | {"mlp_bias": True}, "mlp_bias"),
        (LLAMA | {"quantization_config": {"quant_method": "gptq"}}, "gptq"),
        (LLAMA | {"quantization_config": "int4"}, "int4"),
        (LLAMA | {"num_key_value_heads": 4}, "kv_heads = 4"),
        (LLAMA | {"head_dim": 7}, "head_dim = 7"),
        (LLAMA | {"hidden_size": 50}, "hidden_size = 50"),
        (LLAMA | {"hidden_size": None}, "hidden_size"),
        (LLAMA | {"num_hidden_layers": 0}, "num_hidden_layers = 0"),
        (LLAMA | {"vocab_size": "many"}, "vocab_size = 'many'"),
        (LLAMA | {"vocab_size": True}, "vocab_size"),
        (LLAMA | {"rms_norm_eps": None}, "rms_norm_eps"),
        (LLAMA | {"rms_norm_eps": 2.0}, "norm_eps = 2.0"),
        (LLAMA | {"eos_token_id": 96}, "eos_token_id = 96"),
        (LLAMA | {"eos_token_id": "</s>"}, "eos_token_id"),
        (QWEN2 | {"use_sliding_window": True, "max_window_layers": 1}, "2 of 3 layers"),
        (QWEN2 | {"layer_types": ["sliding_attention", "full_attention"]}, "1 of 3 layers"),
        (QWEN2 | {"layer_types": ["linear_attention"] * 3}, "linear_attention"),
        (SMALL | {"model_type": "mistral", "sliding_window": 0}, "sliding_window = 0"),
        (LLAMA | {"rope_scaling": {"rope_type": "longrope"}}, "longrope"),
        (LLAMA | {"rope_theta": 1.0}, "rope_theta = 1.0"),
        (LLAMA | {"num_hidden_layers": 10**9}, "layers = 1000000000"),
    ],
)
def test_refusals_name_the_value(raw: dict, named: str) -> None:
    with pytest.raises(LabError, match=named) as caught:
        ModelConfig.from_hub(raw)
    assert caught.value.remedy


def test_a_record_made_by_hand_is_checked_too() -> None:
    config = ModelConfig.from_hub(LLAMA)
    for change in ({"layers": 0}, {"sliding_window": 0}, {"architecture": "gpt2"}, {"eos_ids": (-1,)}):
        with pytest.raises(LabError):
            replace(config, **change)


def test_end_tokens_are_absent_one_or_several() -> None:
    assert eos_from_hub({}) == ()
    assert eos_from_hub({"eos_token_id": 5}) == (5,)
    assert eos_from_hub({"eos_token_id": [5, 6, 5]}) == (5, 6)
