"""Frequencies against transformers' own initialisers, bit for bit, and every refusal."""

import pytest
import torch
from transformers import LlamaConfig
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS
from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding

from lab.errors import LabError
from lab.models.config import ModelConfig
from lab.models.rope import (
    FrequencyDivisors,
    LinearScaling,
    Llama3Scaling,
    RopeConfig,
    YarnScaling,
    rope_frequencies,
    rope_from_hub,
    rope_to_hub,
)

LLAMA3 = {
    "rope_type": "llama3",
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 512,
}
YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 1024}
SCALINGS = {
    "default": {"rope_type": "default"},
    "linear": {"rope_type": "linear", "factor": 2.5},
    "dynamic": {"rope_type": "dynamic", "factor": 2.0},
    "llama3": LLAMA3,
    "llama3 with another blend": {**LLAMA3, "factor": 32.0, "low_freq_factor": 0.5, "high_freq_factor": 7.0},
    "yarn": YARN,
    "yarn from a short context": {**YARN, "original_max_position_embeddings": 64},
    "yarn with every option": {**YARN, "beta_fast": 24.0, "beta_slow": 2.0, "attention_factor": 1.25},
    "yarn without rounding": {**YARN, "truncate": False},
    "yarn with mscale": {**YARN, "mscale": 0.7, "mscale_all_dim": 0.4},
    "yarn with equal ends": {**YARN, "beta_fast": 1.0, "beta_slow": 1.0},
}


def hub_config(**changes: object) -> dict:
    base = {
        "model_type": "llama",
        "vocab_size": 128,
        "hidden_size": 128,
        "intermediate_size": 64,
        "num_hidden_layers": 1,
        "num_attention_heads": 2,
        "num_key_value_heads": 2,
        "head_dim": 64,
        "rms_norm_eps": 1e-5,
        "max_position_embeddings": 4096,
    }
    return base | changes


@pytest.mark.parametrize("theta", [10_000.0, 100_000.0, 500_000.0, 1_000_000.0])
@pytest.mark.parametrize("scaling", SCALINGS.values(), ids=SCALINGS.keys())
def test_frequencies_equal_transformers(scaling: dict, theta: float) -> None:
    raw = hub_config(rope_parameters={"rope_theta": theta, **scaling})
    reference_config = LlamaConfig(**raw)
    default = LlamaRotaryEmbedding.compute_default_rope_parameters
    initialiser = ROPE_INIT_FUNCTIONS.get(scaling["rope_type"], default)
    frequencies, factor = initialiser(reference_config)
    ours, our_factor = rope_frequencies(ModelConfig.from_hub(raw))
    assert ours.dtype == torch.float32
    assert torch.equal(ours, frequencies)
    assert our_factor == factor


@pytest.mark.parametrize("scaling", SCALINGS.values(), ids=SCALINGS.keys())
def test_older_and_newer_spelling_read_alike(scaling: dict) -> None:
    renamed = {"type" if key == "rope_type" else key: value for key, value in scaling.items()}
    newer = rope_from_hub({"rope_parameters": {"rope_theta": 5e5, **scaling}}, 4096)
    assert rope_from_hub({"rope_theta": 5e5, "rope_scaling": scaling}, 4096) == newer
    assert rope_from_hub({"rope_theta": 5e5, "rope_scaling": renamed}, 4096) == newer


def test_absent_fields_mean_the_default_law() -> None:
    assert rope_from_hub({}, 4096) == RopeConfig(10_000.0, None)
    assert rope_from_hub({"rope_scaling": None, "rope_theta": 1e6}, 4096) == RopeConfig(1e6, None)


def test_the_original_context_beside_the_scaling_wins_and_the_context_stands_in_for_it() -> None:
    scaling = {"rope_type": "yarn", "factor": 4.0}
    assert rope_from_hub({"rope_scaling": scaling}, 4096).scaling.original_context == 4096
    named = {"rope_scaling": YARN, "original_max_position_embeddings": 256}
    assert rope_from_hub(named, 4096).scaling.original_context == 256


@pytest.mark.parametrize(
    "rope",
    [
        RopeConfig(5e5),
        RopeConfig(5e5, LinearScaling(2.0)),
        RopeConfig(5e5, Llama3Scaling(8.0, 1.0, 4.0, 8192)),
        RopeConfig(5e5, YarnScaling(4.0, 1024, 1.1, 30.0, 2.0, False)),
    ],
)
def test_written_and_read_back(rope: RopeConfig) -> None:
    assert rope_from_hub({"rope_parameters": rope_to_hub(rope)}, 4096) == rope


def test_divisors_divide_each_frequency_and_have_no_hub_spelling() -> None:
    plain = ModelConfig.from_hub(hub_config(head_dim=4))
    rope = RopeConfig(10_000.0, FrequencyDivisors((1.0, 8.0)))
    divided, factor = rope_frequencies(ModelConfig(**{**vars(plain), "rope": rope}))
    assert divided.tolist() == [1.0, pytest.approx(0.01 / 8)]
    assert factor == 1.0
    with pytest.raises(LabError, match="rope_freqs"):
        rope_to_hub(rope)


@pytest.mark.parametrize(
    ("raw", "named"),
    [
        ({"rope_scaling": {"rope_type": "longrope", "factor": 4.0}}, "longrope"),
        ({"rope_scaling": {"type": "mrope"}}, "mrope"),
        ({"rope_scaling": {"rope_type": "linear"}}, "factor"),
        ({"rope_scaling": {"rope_type": "linear", "factor": "2"}}, "factor"),
        ({"rope_scaling": {"rope_type": "linear", "factor": -1.0}}, "factor"),
        ({"rope_scaling": {**LLAMA3, "high_freq_factor": 1.0}}, "high_freq_factor"),
        ({"rope_theta": float("nan")}, "rope_theta"),
        ({"rope_theta": True}, "rope_theta"),
        ({"rope_parameters": {"full_attention": {"rope_theta": 1e4}}}, "rope_parameters"),
        ({"rope_scaling": "linear"}, "rope_parameters"),
        ({"partial_rotary_factor": 0.5}, "partial_rotary_factor"),
        ({"rope_parameters": {"rope_type": "default", "partial_rotary_factor": 0.25}}, "partial_rotary"),
    ],
)
def test_refusals_name_the_value(raw: dict, named: str) -> None:
    with pytest.raises(LabError, match=named):
        rope_from_hub(raw, 4096)
