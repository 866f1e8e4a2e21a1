"""Writes a checkpoint as a GGUF file the way llama.cpp's converter does: the tests' independent side."""

from pathlib import Path

import gguf
import numpy as np

from lab.models.checkpoint import Checkpoint
from lab.models.config import Architecture
from lab.models.tiny import VOCABULARY, tiny_checkpoint

_PARTS = {
    "input_layernorm": "attn_norm",
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "self_attn.q_norm": "attn_q_norm",
    "self_attn.k_norm": "attn_k_norm",
    "post_attention_layernorm": "ffn_norm",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}
_OTHERS = {"model.embed_tokens": "token_embd", "model.norm": "output_norm", "lm_head": "output"}


def gguf_name(hub_name: str) -> str:
    stem, _, kind = hub_name.rpartition(".")
    if stem in _OTHERS:
        return f"{_OTHERS[stem]}.{kind}"
    _, _, layer, part = stem.split(".", 3)
    return f"blk.{layer}.{_PARTS[part]}.{kind}"


def interleaved(rows: np.ndarray, heads: int) -> np.ndarray:
    """The converter's order of q and k rows in llama files: row i of a head's halves in turn."""
    half = rows.shape[0] // heads // 2
    order = [
        head * 2 * half + i + side * half for head in range(heads) for i in range(half) for side in (0, 1)
    ]
    return rows[order]


def sample(seed: int = 0, architecture: Architecture = "llama", **changes: object) -> Checkpoint:
    """A tiny checkpoint with one token more than its tokenizer."""
    return tiny_checkpoint(seed, architecture, **{"vocab_size": VOCABULARY + 1, **changes})


def write_gguf(
    checkpoint: Checkpoint,
    path: Path,
    kind: gguf.GGMLQuantizationType = gguf.GGMLQuantizationType.F32,
    fields: dict | None = None,
    extra: dict[str, np.ndarray] | None = None,
    tokens: list[str] | None = None,
    merges: list[str] | None = None,
) -> Path:
    """Matrices are stored as `kind`, vectors as F32. `fields`: metadata to add or replace (None: leave out).

    Unless given, the vocabulary is the checkpoint's own with one merged token, "ab", after it: the checkpoint
    must have room for it (see `sample`).
    """
    config, backend = checkpoint.config, checkpoint.tokenizer.backend
    name = "llama" if config.architecture == "mistral" else config.architecture
    if tokens is None:
        tokens = [backend.id_to_token(index) for index in range(checkpoint.tokenizer.vocab_size)] + ["ab"]
        merges = ["a b"]
    special = checkpoint.tokenizer.special_ids
    metadata = {
        f"{name}.block_count": config.layers,
        f"{name}.context_length": config.max_context,
        f"{name}.embedding_length": config.hidden_size,
        f"{name}.feed_forward_length": config.intermediate_size,
        f"{name}.attention.head_count": config.heads,
        f"{name}.attention.head_count_kv": config.kv_heads,
        f"{name}.attention.key_length": config.head_dim,
        f"{name}.attention.layer_norm_rms_epsilon": config.norm_eps,
        f"{name}.rope.freq_base": config.rope.theta,
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": "gpt-2",
        "tokenizer.ggml.tokens": tokens,
        "tokenizer.ggml.merges": merges,
        "tokenizer.ggml.token_type": [3 if index in special else 1 for index in range(len(tokens))],
        "tokenizer.ggml.eos_token_id": config.eos_ids[0],
        "tokenizer.chat_template": checkpoint.tokenizer.chat_template.source,
    } | (fields or {})
    writer = gguf.GGUFWriter(path, metadata.pop("general.architecture", name))
    for key, value in metadata.items():
        if value is not None:
            _add(writer, key, value)
    for hub_name, tensor in checkpoint.tensors.items():
        rows = tensor.float().numpy()
        if name == "llama" and ".q_proj." in hub_name:
            rows = interleaved(rows, config.heads)
        if name == "llama" and ".k_proj." in hub_name:
            rows = interleaved(rows, config.kv_heads)
        stored = kind if rows.ndim == 2 else gguf.GGMLQuantizationType.F32
        writer.add_tensor(gguf_name(hub_name), gguf.quants.quantize(rows, stored), raw_dtype=stored)
    for extra_name, array in (extra or {}).items():
        writer.add_tensor(extra_name, array)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def _add(writer: gguf.GGUFWriter, key: str, value: object) -> None:
    match value:
        case bool():
            writer.add_bool(key, value)
        case int():
            writer.add_uint32(key, value)
        case float():
            writer.add_float32(key, value)
        case str():
            writer.add_string(key, value)
        case list():
            writer.add_array(key, value)
