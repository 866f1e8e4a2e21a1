"""A GGUF file as a checkpoint: llama.cpp's metadata and tensors under the hub's names and layout.

Reading and dequantising are the `gguf` package's. F32, F16 and BF16 tensors keep their dtype,
quantised ones become float32, exactly the values that the blocks stand for. Knows the families of
`ModelConfig`; Mistral comes as `llama`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import torch

from lab.errors import LabError
from lab.models.checkpoint import Checkpoint, validate
from lab.models.config import ModelConfig, eos_from_hub
from lab.models.fields import count, positive, refused
from lab.models.gguf_tokenizer import tokenizer_from_gguf
from lab.models.rope import (
    FrequencyDivisors,
    LinearScaling,
    RopeConfig,
    RopeScaling,
    YarnScaling,
    yarn_attention_factor,
)

_LAYER_NAMES = {
    "attn_norm": "input_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "attn_q_norm": "self_attn.q_norm",
    "attn_k_norm": "self_attn.k_norm",
    "ffn_norm": "post_attention_layernorm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}
_MODEL_NAMES = {"token_embd": "model.embed_tokens", "output_norm": "model.norm", "output": "lm_head"}
_LAYER = re.compile(r"blk\.(\d+)\.(\w+)\.(weight|bias)")
_ROPE_DIVISORS = "rope_freqs.weight"


def load_gguf(path: Path, progress: Callable[[float], None] | None = None) -> Checkpoint:
    """Read one GGUF file. `progress` hears the share of tensors done, 0 … 1.

    Raises LabError naming the file when it is truncated or not GGUF, and naming the tensor or the
    metadata key that the lab cannot use.
    """
    reader = _open(path)
    try:
        metadata = {key: field.contents() for key, field in reader.fields.items()}
    except (ValueError, IndexError) as error:
        raise _broken(path, error) from error
    stored = {tensor.name: tensor for tensor in reader.tensors}
    divisors = stored.pop(_ROPE_DIVISORS, None)
    config = config_from_gguf(metadata, set(stored), None if divisors is None else divisors.data.tolist())
    tensors = {}
    for done, (name, tensor) in enumerate(stored.items(), start=1):
        tensors[hub_name(name)] = _hub_layout(name, _to_torch(tensor), config)
        if progress is not None:
            progress(done / len(stored))
    tokenizer = tokenizer_from_gguf(metadata, config.eos_ids)
    return validate(Checkpoint(config, tensors, tokenizer, path.stem, str(path)))


def config_from_gguf(
    metadata: Mapping[str, Any], tensor_names: set[str], divisors: list[float] | None = None
) -> ModelConfig:
    """The model's shape from a file's metadata. Raises LabError naming a key that the lab cannot use."""
    architecture = metadata.get("general.architecture")
    if architecture not in ("llama", "qwen2", "qwen3"):
        raise refused(
            "general.architecture", architecture, "The lab reads llama, qwen2 and qwen3 GGUF files."
        )
    own = {key.removeprefix(f"{architecture}."): value for key, value in metadata.items()}
    if own.get("expert_count"):
        raise refused("expert_count", own["expert_count"], "The lab has no mixtures of experts.")
    heads, hidden = count(own, "attention.head_count"), count(own, "embedding_length")
    head_dim = count(own, "attention.key_length", hidden // heads)
    for key in ("attention.value_length", "rope.dimension_count"):
        if own.get(key, head_dim) != head_dim:
            raise refused(key, own[key], f"It must equal the head's size ({head_dim}).")
    tokens = metadata.get("tokenizer.ggml.tokens")
    return ModelConfig(
        architecture=architecture,
        vocab_size=count(own, "vocab_size", len(tokens) if isinstance(tokens, list) else None),
        hidden_size=hidden,
        intermediate_size=count(own, "feed_forward_length"),
        layers=count(own, "block_count"),
        heads=heads,
        kv_heads=count(own, "attention.head_count_kv", heads),
        head_dim=head_dim,
        norm_eps=_shortest(positive(own, "attention.layer_norm_rms_epsilon")),
        rope=RopeConfig(_shortest(positive(own, "rope.freq_base", 10_000.0)), _scaling(own, divisors)),
        max_context=count(own, "context_length"),
        tied_head="output.weight" not in tensor_names,
        qkv_bias="blk.0.attn_q.bias" in tensor_names,
        output_bias="blk.0.attn_output.bias" in tensor_names,
        qk_norm=architecture == "qwen3",
        sliding_window=count(own, window) if own.get(window := "attention.sliding_window") else None,
        eos_ids=_eos_ids(metadata),
    )


def hub_name(name: str) -> str:
    """The hub's name of a GGUF tensor. An unknown name comes back as it is, to be refused by name."""
    if match := _LAYER.fullmatch(name):
        layer, part, kind = match.groups()
        return f"model.layers.{layer}.{_LAYER_NAMES.get(part, part)}.{kind}"
    stem, _, kind = name.rpartition(".")
    return f"{_MODEL_NAMES.get(stem, stem)}.{kind}"


def _scaling(own: Mapping[str, Any], divisors: list[float] | None) -> RopeScaling | None:
    kind = own.get("rope.scaling.type", "none")
    if divisors is not None:
        return FrequencyDivisors(tuple(divisors))
    match kind:
        case "none":
            return None
        case "linear":
            return LinearScaling(positive(own, "rope.scaling.factor"))
        case "yarn":
            factor = positive(own, "rope.scaling.factor")
            original = count(own, "rope.scaling.original_context_length")
            return YarnScaling(factor, original, yarn_attention_factor(factor))
    raise refused("rope.scaling.type", kind, "The lab has none, linear and yarn.")


def _eos_ids(metadata: Mapping[str, Any]) -> tuple[int, ...]:
    ids = [metadata.get(f"tokenizer.ggml.{kind}_token_id") for kind in ("eos", "eot")]
    return eos_from_hub({"eos_token_id": [index for index in ids if index is not None]})


def _shortest(value: float) -> float:
    """The decimal that was meant: the file stores 1e-5 as the float32 next to it."""
    return float(str(np.float32(value)))


def _hub_layout(name: str, tensor: torch.Tensor, config: ModelConfig) -> torch.Tensor:
    """Undo llama.cpp's order of the rows of q and k in `llama` files.

    It rotates neighbours (0, 1), (2, 3) …, the hub's models the two halves of a head, so the converter
    interleaves the halves. Qwen files keep the hub's order.
    """
    if config.architecture != "llama" or not (match := re.search(r"\.attn_([qk])\.", name)):
        return tensor
    heads = config.heads if match[1] == "q" else config.kv_heads
    if tensor.shape[0] != heads * config.head_dim:
        return tensor  # of a wrong shape, which `validate` will say
    return tensor.unflatten(0, (heads, config.head_dim // 2, 2)).transpose(1, 2).flatten(0, 2).contiguous()


def _to_torch(tensor: gguf.ReaderTensor) -> torch.Tensor:
    kind = gguf.GGMLQuantizationType(tensor.tensor_type)
    try:
        values = np.require(gguf.dequantize(tensor.data, kind), requirements="W")  # the file is read-only
    except (NotImplementedError, KeyError) as error:
        raise LabError(
            f"Tensor {tensor.name} is stored as {kind.name}, which cannot be read.",
            "Use a file with F32, F16, BF16, Q8_0, Q4_1 or another common quantisation.",
        ) from error
    return torch.from_numpy(values).to(
        {"F16": torch.float16, "BF16": torch.bfloat16}.get(kind.name, torch.float32)
    )


def _open(path: Path) -> gguf.GGUFReader:
    if not path.is_file():
        raise LabError(f"There is no file {path}.", "Check the path.")
    try:
        return _BoundedReader(path)
    # What the reader raises on bytes that are not what it expects.
    except (ValueError, IndexError, KeyError, OverflowError, TypeError) as error:
        raise _broken(path, error) from error


class _BoundedReader(gguf.GGUFReader):
    """Refuses to read past the end of the file, where the package would go on with nothing."""

    def _get(self, offset: int, dtype: Any, count: int = 1, override_order: Any = None) -> np.ndarray:
        if offset + int(count) * np.dtype(dtype).itemsize > len(self.data):
            raise IndexError("it ends early")
        return super()._get(offset, dtype, count, override_order)


def _broken(path: Path, error: Exception) -> LabError:
    return LabError(f"{path} is not a whole GGUF file ({error}).", "Fetch it again.")
