"""The tokenizer that a GGUF file describes in its metadata: vocabulary, merges, and how text is split.

Knows byte-level BPE with the splitting rules of GPT-2, SmolLM, Llama 3 and Qwen2. Other kinds are
refused: the file names a rule that lives in llama.cpp's source, and a guess would give other tokens.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import tokenizers
from tokenizers import AddedToken, Regex, decoders, models, normalizers, pre_tokenizers

from lab.errors import LabError
from lab.models.tokenizer import Tokenizer

# Token types of the format (llama.cpp, enum llama_token_type).
_CONTROL = 3
_USER_DEFINED = 4

_CONTRACTIONS = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"
_WORDS = r"[^\r\n\p{L}\p{N}]?\p{L}+"
_REST = r" ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"


def tokenizer_from_gguf(metadata: Mapping[str, Any], eos_ids: tuple[int, ...]) -> Tokenizer:
    """Build the tokenizer from a file's `tokenizer.*` metadata. Raises LabError for a kind not known here."""
    kind, splitting = metadata.get("tokenizer.ggml.model"), metadata.get("tokenizer.ggml.pre", "default")
    if kind != "gpt2":
        raise _refused(f"a {kind!r} tokenizer", "byte-level BPE (gpt2)")
    if not isinstance(splitting, str) or splitting not in _SPLITTERS:
        raise _refused(f"the splitting rule {splitting!r}", ", ".join(sorted(_SPLITTERS)))
    tokens, merges = (_list(metadata, f"tokenizer.ggml.{key}", str) for key in ("tokens", "merges"))
    try:
        backend = _byte_level_bpe(tokens, merges, ignore_merges=splitting == "llama-bpe")
    except Exception as error:  # the library raises bare Exceptions
        raise LabError(
            f"The file's vocabulary and merges do not fit together: {error}.",
            "Fetch the file again, or use another one.",
        ) from error
    backend.pre_tokenizer = _SPLITTERS[splitting]()
    if splitting == "qwen2":
        backend.normalizer = normalizers.NFC()
    _add_special(backend, tokens, _list(metadata, "tokenizer.ggml.token_type", int))
    special = {f"{name}_token": _named(metadata, name, tokens) for name in ("bos", "eos")}
    template = metadata.get("tokenizer.chat_template")
    return Tokenizer(
        backend,
        eos_ids,
        template if isinstance(template, str) else None,
        {name: token for name, token in special.items() if token is not None},
    )


def _list(metadata: Mapping[str, Any], key: str, kind: type) -> list[Any]:
    values = metadata.get(key)
    if not isinstance(values, list) or not all(isinstance(value, kind) for value in values):
        raise _refused(f"no list of {kind.__name__} under {key}", "files that have one")
    return values


def _named(metadata: Mapping[str, Any], name: str, tokens: list[str]) -> str | None:
    """The token that the template calls `bos_token` or `eos_token`, if the file names one."""
    index = metadata.get(f"tokenizer.ggml.{name}_token_id")
    return tokens[index] if isinstance(index, int) and 0 <= index < len(tokens) else None


def _byte_level_bpe(tokens: list[str], merges: list[str], ignore_merges: bool) -> tokenizers.Tokenizer:
    vocab = {token: index for index, token in enumerate(tokens)}
    pairs = [(left, right) for left, _, right in (merge.partition(" ") for merge in merges)]
    backend = tokenizers.Tokenizer(models.BPE(vocab, pairs, ignore_merges=ignore_merges))
    backend.decoder = decoders.ByteLevel()
    return backend


def _add_special(backend: tokenizers.Tokenizer, tokens: list[str], types: list[int]) -> None:
    typed = list(zip(tokens, types, strict=False))
    control = [AddedToken(token, special=True, normalized=False) for token, kind in typed if kind == _CONTROL]
    user = [
        AddedToken(token, special=False, normalized=False) for token, kind in typed if kind == _USER_DEFINED
    ]
    backend.add_special_tokens(control)
    backend.add_tokens(user)


def _gpt2() -> pre_tokenizers.PreTokenizer:
    return pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)


def _smollm() -> pre_tokenizers.PreTokenizer:
    return pre_tokenizers.Sequence([pre_tokenizers.Digits(individual_digits=True), _gpt2()])


def _by_pattern(pattern: str) -> pre_tokenizers.PreTokenizer:
    split = pre_tokenizers.Split(Regex(pattern), behavior="isolated")
    return pre_tokenizers.Sequence([split, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])


def _llama3() -> pre_tokenizers.PreTokenizer:
    return _by_pattern(rf"{_CONTRACTIONS}|{_WORDS}|\p{{N}}{{1,3}}|{_REST}")


def _qwen2() -> pre_tokenizers.PreTokenizer:
    return _by_pattern(rf"{_CONTRACTIONS}|{_WORDS}|\p{{N}}|{_REST}")


_SPLITTERS = {"default": _gpt2, "gpt-2": _gpt2, "smollm": _smollm, "llama-bpe": _llama3, "qwen2": _qwen2}


def _refused(what: str, known: str) -> LabError:
    return LabError(
        f"The GGUF file has {what}; the lab knows {known}.",
        "Load the model from its safetensors folder, which carries its whole tokenizer.",
    )
