"""The shape of a model: one frozen record for the Llama family, and the tensors that it asks for.

Reads and writes the hub's `config.json`. Knows Llama, Qwen2 (and 2.5), Qwen3 and Mistral: the same
transformer with small switches. Knows nothing of files, weights or arithmetic.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, get_args

from lab.models.fields import count, flag, positive, refused
from lab.models.rope import FrequencyDivisors, RopeConfig, rope_from_hub, rope_to_hub

Architecture = Literal["llama", "qwen2", "qwen3", "mistral"]
ARCHITECTURES: tuple[str, ...] = get_args(Architecture)

# What the published loaders take where an old configuration leaves the key out.
_QWEN3_HEAD_DIM = 128
_SLIDING_WINDOW = 4096

_ATTENTION_KINDS = ("full_attention", "sliding_attention")
_MOST_LAYERS = 1000  # published models have up to about 130


@dataclass(frozen=True)
class ModelConfig:
    """One Llama-family transformer. Sizes count elements; the head is the output projection.

    `qkv_bias`: q, k and v projections add a bias; `output_bias`: o does too. `qk_norm`: RMSNorm over each
    query and key head before rotation (Qwen3). `sliding_window`: a query at position i sees keys at
    i − sliding_window + 1 … i, in every layer; None: all earlier keys. `eos_ids` end a generation.
    Raises LabError when the numbers do not fit together.
    """

    architecture: Architecture
    vocab_size: int
    hidden_size: int
    intermediate_size: int
    layers: int
    heads: int
    kv_heads: int
    head_dim: int
    norm_eps: float
    rope: RopeConfig
    max_context: int
    tied_head: bool
    qkv_bias: bool = False
    output_bias: bool = False
    qk_norm: bool = False
    sliding_window: int | None = None
    eos_ids: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if self.architecture not in ARCHITECTURES:
            raise refused("model_type", self.architecture, f"The lab has {', '.join(ARCHITECTURES)}.")
        for field in fields(self):
            if field.type == "int" and getattr(self, field.name) < 1:
                raise refused(field.name, getattr(self, field.name), "It must be at least 1.")
        if self.layers > _MOST_LAYERS:
            raise refused("layers", self.layers, f"It must be at most {_MOST_LAYERS}.")
        if self.heads % self.kv_heads:
            raise refused("kv_heads", self.kv_heads, f"It must divide the number of heads ({self.heads}).")
        if self.head_dim % 2:
            raise refused("head_dim", self.head_dim, "It must be even: rotation pairs its elements.")
        if not 0 < self.norm_eps < 1:
            raise refused("norm_eps", self.norm_eps, "It must lie between 0 and 1.")
        if self.rope.theta <= 1:
            raise refused("rope_theta", self.rope.theta, "It must be larger than 1.")
        if isinstance(self.rope.scaling, FrequencyDivisors):
            _check_divisors(self.rope.scaling.divisors, self.head_dim // 2)
        if self.sliding_window is not None and self.sliding_window < 1:
            raise refused("sliding_window", self.sliding_window, "It must be at least 1, or absent.")
        for eos in self.eos_ids:
            if not 0 <= eos < self.vocab_size:
                raise refused("eos_token_id", eos, f"It must be below vocab_size ({self.vocab_size}).")

    @property
    def q_size(self) -> int:
        """Width of all query heads together."""
        return self.heads * self.head_dim

    @property
    def kv_size(self) -> int:
        """Width of all key heads together (and of all value heads)."""
        return self.kv_heads * self.head_dim

    @property
    def parameters(self) -> int:
        """How many numbers the model has."""
        return sum(math.prod(shape) for shape in expected_tensors(self).values())

    @classmethod
    def from_hub(cls, raw: Mapping[str, Any]) -> ModelConfig:
        """Read a hub `config.json`, in its older and newer spellings.

        Raises LabError for an architecture, an activation or a feature that the lab does not have.
        """
        architecture = raw.get("model_type")
        if architecture not in ARCHITECTURES:
            raise refused("model_type", architecture, f"The lab has {', '.join(ARCHITECTURES)}.")
        _refuse_unknown_features(raw)
        heads = count(raw, "num_attention_heads")
        hidden = count(raw, "hidden_size")
        max_context = count(raw, "max_position_embeddings")
        layers = count(raw, "num_hidden_layers")
        attention_bias = architecture in ("llama", "qwen3") and flag(raw, "attention_bias")
        return cls(
            architecture=architecture,
            vocab_size=count(raw, "vocab_size"),
            hidden_size=hidden,
            intermediate_size=count(raw, "intermediate_size"),
            layers=layers,
            heads=heads,
            kv_heads=count(raw, "num_key_value_heads", heads),
            head_dim=_head_dim(raw, architecture, hidden, heads),
            norm_eps=positive(raw, "rms_norm_eps"),
            rope=rope_from_hub(raw, max_context),
            max_context=max_context,
            tied_head=flag(raw, "tie_word_embeddings"),
            qkv_bias=architecture == "qwen2" or attention_bias,
            output_bias=attention_bias,
            qk_norm=architecture == "qwen3",
            sliding_window=_sliding_window(raw, architecture, layers),
            eos_ids=eos_from_hub(raw),
        )

    def to_hub(self) -> dict[str, Any]:
        """The same model as a hub `config.json`; `from_hub` reads it back unchanged."""
        return {
            "model_type": self.architecture,
            "architectures": [_CLASS_NAMES[self.architecture]],
            "vocab_size": self.vocab_size,
            "hidden_size": self.hidden_size,
            "intermediate_size": self.intermediate_size,
            "num_hidden_layers": self.layers,
            "num_attention_heads": self.heads,
            "num_key_value_heads": self.kv_heads,
            "head_dim": self.head_dim,
            "hidden_act": "silu",
            "rms_norm_eps": self.norm_eps,
            "rope_parameters": rope_to_hub(self.rope),
            "max_position_embeddings": self.max_context,
            "tie_word_embeddings": self.tied_head,
            "attention_bias": self.output_bias,
            "use_sliding_window": self.sliding_window is not None,
            "sliding_window": self.sliding_window,
            "max_window_layers": 0,
            "eos_token_id": list(self.eos_ids) or None,
        }


_CLASS_NAMES: dict[str, str] = {
    "llama": "LlamaForCausalLM",
    "qwen2": "Qwen2ForCausalLM",
    "qwen3": "Qwen3ForCausalLM",
    "mistral": "MistralForCausalLM",
}


def expected_tensors(config: ModelConfig) -> dict[str, tuple[int, ...]]:
    """The tensors of this model under the hub's names, with their shapes ([out, in] for a projection)."""
    hidden, ffn = config.hidden_size, config.intermediate_size
    shapes: dict[str, tuple[int, ...]] = {"model.embed_tokens.weight": (config.vocab_size, hidden)}
    for layer in range(config.layers):
        prefix = f"model.layers.{layer}"
        attention = f"{prefix}.self_attn"
        shapes[f"{prefix}.input_layernorm.weight"] = (hidden,)
        for name, width in (("q", config.q_size), ("k", config.kv_size), ("v", config.kv_size)):
            shapes[f"{attention}.{name}_proj.weight"] = (width, hidden)
            if config.qkv_bias:
                shapes[f"{attention}.{name}_proj.bias"] = (width,)
        if config.qk_norm:
            shapes[f"{attention}.q_norm.weight"] = shapes[f"{attention}.k_norm.weight"] = (config.head_dim,)
        shapes[f"{attention}.o_proj.weight"] = (hidden, config.q_size)
        if config.output_bias:
            shapes[f"{attention}.o_proj.bias"] = (hidden,)
        shapes[f"{prefix}.post_attention_layernorm.weight"] = (hidden,)
        shapes[f"{prefix}.mlp.gate_proj.weight"] = shapes[f"{prefix}.mlp.up_proj.weight"] = (ffn, hidden)
        shapes[f"{prefix}.mlp.down_proj.weight"] = (hidden, ffn)
    shapes["model.norm.weight"] = (hidden,)
    if not config.tied_head:
        shapes["lm_head.weight"] = (config.vocab_size, hidden)
    return shapes


def eos_from_hub(raw: Mapping[str, Any]) -> tuple[int, ...]:
    """The `eos_token_id` of a `config.json` or `generation_config.json`: absent, one id, or a list."""
    value = raw.get("eos_token_id")
    ids = [] if value is None else value if isinstance(value, list) else [value]
    if any(isinstance(token, bool) or not isinstance(token, int) for token in ids):
        raise refused("eos_token_id", value, "It must be a token id or a list of token ids.")
    return tuple(dict.fromkeys(ids))


def _check_divisors(divisors: tuple[float, ...], frequencies: int) -> None:
    if len(divisors) != frequencies or not all(0 < divisor < math.inf for divisor in divisors):
        raise refused("rope_freqs", divisors, f"It must hold {frequencies} positive numbers.")


def _refuse_unknown_features(raw: Mapping[str, Any]) -> None:
    activation = raw.get("hidden_act", "silu")
    if activation not in ("silu", "swish"):
        raise refused("hidden_act", activation, "The lab has silu only.")
    if flag(raw, "mlp_bias"):
        raise refused("mlp_bias", True, "The lab's feed-forward layers have no bias.")
    if quantised := raw.get("quantization_config"):
        raise refused("quantization_config", quantised, "Load the unquantised checkpoint, or a GGUF file.")


def _head_dim(raw: Mapping[str, Any], architecture: str, hidden: int, heads: int) -> int:
    if raw.get("head_dim") is None and architecture == "qwen3":
        return _QWEN3_HEAD_DIM
    if raw.get("head_dim") is None and hidden % heads:
        raise refused("hidden_size", hidden, f"It must be a multiple of the number of heads ({heads}).")
    return count(raw, "head_dim", hidden // heads)


def _sliding_window(raw: Mapping[str, Any], architecture: str, layers: int) -> int | None:
    """The window that all layers share. Raises LabError when only some layers have one."""
    if architecture == "llama":
        return None
    if architecture == "mistral":
        window = raw.get("sliding_window", _SLIDING_WINDOW)
        sliding = layers if window is not None else 0
    else:
        window = raw.get("sliding_window", _SLIDING_WINDOW) if flag(raw, "use_sliding_window") else None
        first = 0 if raw.get("max_window_layers") == 0 else count(raw, "max_window_layers", layers)
        sliding = max(0, layers - first) if window is not None else 0
    kinds = raw.get("layer_types")
    if kinds is not None:
        if not isinstance(kinds, list) or any(kind not in _ATTENTION_KINDS for kind in kinds):
            raise refused("layer_types", kinds, f"The lab has {' and '.join(_ATTENTION_KINDS)}.")
        sliding = kinds.count("sliding_attention")
    if sliding == 0:
        return None
    if sliding < layers:
        what = f"{sliding} of {layers} layers"
        raise refused("sliding attention in", what, "It must be in all layers or in none.")
    return count({"sliding_window": window}, "sliding_window")
