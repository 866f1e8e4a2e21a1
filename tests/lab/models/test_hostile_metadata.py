"""Whatever a stranger's configuration holds, it is read or refused: no other exception, no endless loop."""

from hypothesis import given, settings
from hypothesis import strategies as st

from lab.errors import LabError
from lab.models.config import ModelConfig, expected_tensors
from lab.models.gguf_file import config_from_gguf
from lab.models.gguf_tokenizer import tokenizer_from_gguf
from lab.models.rope import rope_frequencies
from lab.models.token_text import SYMBOL_BYTES

ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 70),
    st.sampled_from([10**9, 10**30, -(10**9)]),
    st.floats(),
    st.text(max_size=5),
    st.lists(st.one_of(st.integers(-3, 3), st.text(max_size=3), st.none()), max_size=3),
    st.dictionaries(
        st.sampled_from(["type", "rope_type", "factor", "a"]), st.one_of(st.none(), st.text(max_size=3))
    ),
)

CONFIG = {
    "model_type": "qwen3",
    "vocab_size": 64,
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 8,
    "hidden_act": "silu",
    "rms_norm_eps": 1e-6,
    "max_position_embeddings": 64,
    "tie_word_embeddings": True,
    "attention_bias": False,
    "mlp_bias": False,
    "use_sliding_window": True,
    "sliding_window": 8,
    "max_window_layers": 0,
    "layer_types": ["sliding_attention", "sliding_attention"],
    "eos_token_id": [1],
    "rope_theta": 1e4,
    "quantization_config": None,
    "original_max_position_embeddings": 32,
}
SCALING = {
    "rope_type": "yarn",
    "factor": 2.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "attention_factor": None,
    "beta_fast": 32.0,
    "beta_slow": 1.0,
    "mscale": 1.0,
    "mscale_all_dim": 1.0,
    "truncate": True,
    "partial_rotary_factor": 1.0,
    "rope_theta": 1e4,
}
GGUF = {
    "general.architecture": "llama",
    "llama.block_count": 2,
    "llama.context_length": 64,
    "llama.embedding_length": 32,
    "llama.feed_forward_length": 48,
    "llama.attention.head_count": 4,
    "llama.attention.head_count_kv": 2,
    "llama.attention.key_length": 8,
    "llama.attention.value_length": 8,
    "llama.attention.layer_norm_rms_epsilon": 1e-6,
    "llama.attention.sliding_window": 8,
    "llama.expert_count": 0,
    "llama.vocab_size": 258,
    "llama.rope.freq_base": 1e4,
    "llama.rope.dimension_count": 8,
    "llama.rope.scaling.type": "yarn",
    "llama.rope.scaling.factor": 2.0,
    "llama.rope.scaling.original_context_length": 32,
    "tokenizer.ggml.model": "gpt2",
    "tokenizer.ggml.pre": "qwen2",
    "tokenizer.ggml.tokens": [*SYMBOL_BYTES, "ab", "<e>"],
    "tokenizer.ggml.merges": ["a b"],
    "tokenizer.ggml.token_type": [1] * 257 + [3],
    "tokenizer.ggml.bos_token_id": 0,
    "tokenizer.ggml.eos_token_id": 257,
    "tokenizer.ggml.eot_token_id": 257,
    "tokenizer.chat_template": "{{ messages }}",
}


def changes(sound: dict) -> st.SearchStrategy[dict]:
    return st.dictionaries(st.sampled_from(sorted(sound)), ODD, min_size=1, max_size=2)


@given(
    changes(CONFIG), st.one_of(st.just({}), changes(SCALING)), st.sampled_from(["yarn", "llama3", "linear"])
)
@settings(max_examples=600)
def test_a_hub_configuration_is_read_or_refused(top: dict, nested: dict, kind: str) -> None:
    raw = CONFIG | {"rope_scaling": SCALING | {"rope_type": kind} | nested} | top
    try:
        config = ModelConfig.from_hub(raw)
    except LabError:
        return
    assert len(expected_tensors(config)) < 20_000
    if config.head_dim < 1000:
        rope_frequencies(config)


@given(changes(GGUF))
@settings(max_examples=600)
def test_gguf_metadata_is_read_or_refused(odd: dict) -> None:
    metadata = GGUF | odd
    try:
        config = config_from_gguf(metadata, set())
        tokenizer_from_gguf(metadata, config.eos_ids)
    except LabError:
        return
    assert config.parameters > 0
