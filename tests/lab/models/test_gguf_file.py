"""GGUF files: values against an independent dequantiser, layout against a converter, and every refusal."""

import struct
from dataclasses import replace
from pathlib import Path

import gguf
import numpy as np
import pytest
import torch
import transformers
from gguf import GGMLQuantizationType as Kind
from transformers.integrations.gguf.dequant import dequantize as reference_dequantize
from transformers.modeling_gguf_pytorch_utils import load_gguf_checkpoint

from lab.errors import LabError
from lab.models.checkpoint import Checkpoint
from lab.models.gguf_file import _to_torch, load_gguf
from lab.models.rope import FrequencyDivisors, LinearScaling, YarnScaling
from tests.lab.models.gguf_writing import sample, write_gguf

FAMILIES = {
    "llama": ("llama", {}),
    "llama untied": ("llama", {"tied_head": False}),
    "llama with biases": ("llama", {"qkv_bias": True, "output_bias": True}),
    "qwen2": ("qwen2", {}),
    "qwen3 with wide heads": ("qwen3", {"head_dim": 32, "kv_heads": 1}),
}


@pytest.mark.parametrize(("architecture", "changes"), FAMILIES.values(), ids=FAMILIES.keys())
def test_a_converted_checkpoint_comes_back(architecture: str, changes: dict, tmp_path: Path) -> None:
    original = sample(3, architecture, **changes)
    read = load_gguf(write_gguf(original, tmp_path / "tiny.gguf"))
    assert read.config == original.config
    assert read.tensors.keys() == original.tensors.keys()
    for name, tensor in original.tensors.items():
        assert torch.equal(read.tensors[name], tensor), name
    assert read.name == "tiny"
    text = "a bc é <|im_end|>"
    assert read.tokenizer.encode_chat(text) == original.tokenizer.encode_chat(text)
    assert read.tokenizer.encode("cab") == [*b"c", 259]


def test_mistral_comes_as_llama(tmp_path: Path) -> None:
    original = sample(3, "mistral", sliding_window=32)
    path = write_gguf(original, tmp_path / "m.gguf", fields={"llama.attention.sliding_window": 32})
    read = load_gguf(path)
    assert read.config == replace(original.config, architecture="llama")
    assert all(torch.equal(read.tensors[name], tensor) for name, tensor in original.tensors.items())


@pytest.mark.parametrize(
    ("kind", "dtype"),
    [
        (Kind.F32, torch.float32),
        (Kind.F16, torch.float16),
        (Kind.BF16, torch.bfloat16),
        (Kind.Q8_0, torch.float32),
        (Kind.Q4_1, torch.float32),
    ],
)
def test_a_file_keeps_its_dtype_and_is_near_its_original(
    kind: Kind, dtype: torch.dtype, tmp_path: Path
) -> None:
    original = sample(3)
    read = load_gguf(write_gguf(original, tmp_path / "t.gguf", kind))
    for name, tensor in original.tensors.items():
        stored = read.tensors[name]
        assert stored.dtype == (dtype if tensor.ndim == 2 else torch.float32)
        # a Q4_1 block spans its range in 15 steps: half a step of a range of at most 8 deviations
        spread = tensor.std().item() if tensor.ndim == 2 else 0.0
        assert (stored.float() - tensor).abs().max().item() <= 8 * spread / 15 / 2


# Types that the independent dequantiser knows; scale fields are FP16, so random bytes can be huge but are
# made finite by clearing one exponent bit of every byte pair's high byte.
QUANTISED = [
    Kind.Q8_0,
    Kind.Q4_0,
    Kind.Q4_1,
    Kind.Q2_K,
    Kind.Q3_K,
    Kind.Q4_K,
    Kind.Q5_K,
    Kind.Q6_K,
    Kind.IQ4_NL,
]


@pytest.mark.parametrize("kind", QUANTISED, ids=lambda kind: kind.name)
def test_random_blocks_dequantise_as_the_independent_reader_says(kind: Kind) -> None:
    block, size = gguf.GGML_QUANT_SIZES[kind]
    raw = np.random.default_rng(kind.value).integers(0, 256, (6, 3 * size), dtype=np.uint8) & 0xBF
    tensor = gguf.gguf_reader.ReaderTensor("t", kind, np.array([3 * block, 6]), 0, 0, 0, raw, None)
    reference = reference_dequantize(torch.from_numpy(raw), kind.value).reshape(6, 3 * block)
    ours = _to_torch(tensor)
    assert ours.dtype == torch.float32
    torch.testing.assert_close(ours, reference, rtol=2e-7, atol=0)


@pytest.mark.parametrize("kind", [Kind.Q5_0, Kind.Q5_1], ids=lambda kind: kind.name)
def test_five_bit_blocks_by_hand(kind: Kind) -> None:
    """Q5: a scale d (and for Q5_1 a minimum m), 32 high bits, 32 nibbles: d·(q − 16), or d·q + m."""
    quants = np.random.default_rng(0).integers(0, 32, 32)
    head = np.array([0.25] if kind == Kind.Q5_0 else [0.25, -1.5], dtype=np.float16).view(np.uint8)
    high = np.packbits((quants >> 4).astype(np.uint8), bitorder="little")
    low = ((quants[:16] & 15) | ((quants[16:] & 15) << 4)).astype(np.uint8)
    raw = np.concatenate([head, high, low])[None]
    expected = 0.25 * (quants - 16) if kind == Kind.Q5_0 else 0.25 * quants - 1.5
    tensor = gguf.gguf_reader.ReaderTensor("t", kind, np.array([32, 1]), 32, 0, 0, raw, None)
    assert _to_torch(tensor)[0].tolist() == expected.tolist()


def test_progress_runs_from_the_first_tensor_to_the_last(tmp_path: Path) -> None:
    shares: list[float] = []
    load_gguf(write_gguf(sample(0), tmp_path / "t.gguf"), shares.append)
    assert shares == sorted(shares)
    assert len(shares) == len(sample(0).tensors)
    assert shares[-1] == 1.0


# --- metadata ---------------------------------------------------------------------------------------


def read_with(tmp_path: Path, fields: dict, architecture: str = "llama", **more: object) -> Checkpoint:
    return load_gguf(write_gguf(sample(0, architecture), tmp_path / "t.gguf", fields=fields, **more))


def test_llama3_scaling_comes_as_one_divisor_a_frequency(tmp_path: Path) -> None:
    divisors = np.linspace(1, 8, 8, dtype=np.float32)
    read = read_with(tmp_path, {}, extra={"rope_freqs.weight": divisors})
    assert read.config.rope.scaling == FrequencyDivisors(tuple(divisors.tolist()))


@pytest.mark.parametrize("divisors", [[1.0] * 7, [1.0] * 7 + [0.0], [1.0] * 7 + [float("nan")]])
def test_divisors_that_do_not_fit_are_refused(divisors: list[float], tmp_path: Path) -> None:
    with pytest.raises(LabError, match=r"rope_freqs .* 8 positive numbers"):
        read_with(tmp_path, {}, extra={"rope_freqs.weight": np.array(divisors, np.float32)})


def test_scalings_of_the_metadata(tmp_path: Path) -> None:
    linear = {"llama.rope.scaling.type": "linear", "llama.rope.scaling.factor": 4.0}
    assert read_with(tmp_path, linear).config.rope.scaling == LinearScaling(4.0)
    yarn = {
        "llama.rope.scaling.type": "yarn",
        "llama.rope.scaling.factor": 4.0,
        "llama.rope.scaling.original_context_length": 128,
    }
    scaling = read_with(tmp_path, yarn).config.rope.scaling
    assert scaling == YarnScaling(4.0, 128, pytest.approx(1.1386294361))
    assert read_with(tmp_path, {"llama.rope.scaling.type": "none"}).config.rope.scaling is None


def test_absent_keys_have_the_formats_defaults(tmp_path: Path) -> None:
    absent = {"llama.attention.key_length": None, "llama.rope.freq_base": None, "llama.vocab_size": None}
    config = read_with(tmp_path, absent).config
    assert (config.head_dim, config.rope.theta, config.vocab_size) == (16, 10_000.0, 260)
    kv = sample(0, kv_heads=4)
    without = {"llama.attention.head_count_kv": None}
    assert load_gguf(write_gguf(kv, tmp_path / "kv.gguf", fields=without)).config.kv_heads == 4


def test_end_of_turn_ends_too(tmp_path: Path) -> None:
    assert read_with(tmp_path, {"tokenizer.ggml.eot_token_id": 256}).config.eos_ids == (258, 256)
    assert read_with(tmp_path, {"tokenizer.ggml.eot_token_id": 258}).config.eos_ids == (258,)


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"general.architecture": "gemma2"}, "gemma2"),
        ({"llama.expert_count": 8}, "expert_count = 8"),
        ({"llama.rope.dimension_count": 8}, "rope.dimension_count = 8"),
        ({"llama.attention.value_length": 32}, "attention.value_length = 32"),
        ({"llama.rope.scaling.type": "longrope"}, "longrope"),
        ({"llama.rope.scaling.type": "yarn", "llama.rope.scaling.factor": 4.0}, "original_context_length"),
        ({"llama.block_count": None}, "block_count = None"),
        ({"llama.attention.head_count": [4, 4]}, "head_count"),
        ({"llama.attention.head_count_kv": 3}, "kv_heads = 3"),
        ({"llama.attention.layer_norm_rms_epsilon": None}, "epsilon"),
        ({"llama.block_count": 3}, "layers.2.input_layernorm.weight .* is missing"),
        ({"llama.block_count": 1}, "layers.1.*does not belong"),
        ({"llama.embedding_length": 32}, "has shape"),
        (
            {"llama.attention.head_count": 2},
            r"q_proj\.weight of t has shape \[64, 64\] instead of \[32, 64\]",
        ),
    ],
)
def test_refusals_name_the_key(fields: dict, named: str, tmp_path: Path) -> None:
    with pytest.raises(LabError, match=named):
        read_with(tmp_path, fields)


def test_a_tensor_that_no_model_of_the_family_has_is_named(tmp_path: Path) -> None:
    with pytest.raises(LabError, match=r"Tensor blk\.0\.ssm_a\.weight|layers\.0\.ssm_a\.weight"):
        read_with(tmp_path, {}, extra={"blk.0.ssm_a.weight": np.ones(4, np.float32)})


def test_a_storage_that_cannot_be_read_is_named() -> None:
    tensor = gguf.gguf_reader.ReaderTensor(
        "odd", Kind.Q8_K, np.array([256]), 256, 0, 0, np.zeros(292, np.uint8), None
    )
    with pytest.raises(LabError, match="odd is stored as Q8_K"):
        _to_torch(tensor)


# --- broken files -----------------------------------------------------------------------------------


def test_a_file_cut_anywhere_is_refused_by_name(tmp_path: Path) -> None:
    whole = write_gguf(sample(0, layers=1), tmp_path / "whole.gguf").read_bytes()
    cut = tmp_path / "cut.gguf"
    for length in [0, 1, 3, 4, 7, 8, 23, 24, *range(25, len(whole) - 1, len(whole) // 40), len(whole) - 64]:
        cut.write_bytes(whole[:length])
        with pytest.raises(LabError, match=r"cut\.gguf"):
            load_gguf(cut)


def test_other_files_are_refused_by_name(tmp_path: Path) -> None:
    other = tmp_path / "text.gguf"
    other.write_bytes(b"this is a poem, not a model" * 10)
    with pytest.raises(LabError, match=r"text\.gguf is not a whole GGUF file"):
        load_gguf(other)
    with pytest.raises(LabError, match="There is no file"):
        load_gguf(tmp_path / "absent.gguf")


@pytest.mark.parametrize(
    "kind", [gguf.GGUFValueType.UINT8, gguf.GGUFValueType.STRING, gguf.GGUFValueType.ARRAY]
)
def test_a_list_that_claims_more_than_the_file_holds_is_refused_at_once(kind: int, tmp_path: Path) -> None:
    key = b"tokenizer.ggml.tokens"
    header = struct.pack("<IIQQ", gguf.GGUF_MAGIC, 3, 0, 1)
    entry = struct.pack("<Q", len(key)) + key + struct.pack("<IIQ", gguf.GGUFValueType.ARRAY, kind, 2**50)
    (tmp_path / "claims.gguf").write_bytes(header + entry + b"\0" * 64)
    with pytest.raises(LabError, match=r"claims\.gguf is not a whole GGUF file \(it ends early\)"):
        load_gguf(tmp_path / "claims.gguf")


def test_broken_text_in_the_metadata_is_refused(tmp_path: Path) -> None:
    path = write_gguf(sample(0), tmp_path / "t.gguf")
    content = path.read_bytes()
    assert content.count(b"<|endoftext|>") == 1
    path.write_bytes(content.replace(b"<|endoftext|>", b"<|endoftex\xff|>"))
    with pytest.raises(LabError, match=r"t\.gguf is not a whole GGUF file"):
        load_gguf(path)


# --- the pinned model -------------------------------------------------------------------------------


@pytest.mark.model
def test_smollm2_tensors_equal_transformers(smollm2_gguf: Path, smollm2_from_gguf: Checkpoint) -> None:
    config = transformers.AutoConfig.from_pretrained(smollm2_gguf.parent, gguf_file=smollm2_gguf.name)
    with torch.device("meta"):
        skeleton = transformers.AutoModelForCausalLM.from_config(config)
    reference = load_gguf_checkpoint(smollm2_gguf, return_tensors=True, model_to_load=skeleton)["tensors"]
    assert reference.keys() == smollm2_from_gguf.tensors.keys()
    for name, tensor in reference.items():
        assert torch.equal(smollm2_from_gguf.tensors[name], tensor), name


@pytest.mark.model
def test_smollm2_is_the_model_that_was_announced(smollm2: Checkpoint, smollm2_from_gguf: Checkpoint) -> None:
    config = smollm2.config
    assert config == smollm2_from_gguf.config
    assert (config.architecture, config.layers, config.hidden_size) == ("llama", 30, 576)
    assert (config.heads, config.kv_heads, config.head_dim) == (9, 3, 64)
    assert (config.intermediate_size, config.vocab_size, config.max_context) == (1536, 49152, 8192)
    assert (config.rope.theta, config.rope.scaling, config.norm_eps) == (100_000.0, None, 1e-5)
    assert config.tied_head
    assert config.parameters == 134_515_008


@pytest.mark.model
def test_the_copy_is_the_file_rounded_to_the_nearest_even(
    smollm2: Checkpoint, smollm2_from_gguf: Checkpoint
) -> None:
    for name, exact in smollm2_from_gguf.tensors.items():
        bits = exact.numpy().view(np.uint32).astype(np.uint64)
        rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16  # nearest, ties to even, on the bit pattern
        copy = smollm2.tensors[name]
        assert copy.dtype == torch.bfloat16
        assert np.array_equal(copy.view(torch.int16).numpy().view(np.uint16), rounded.astype(np.uint16)), name
