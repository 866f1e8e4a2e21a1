"""GGUF tokenizers against a slow reference: the published splitting rules and merges applied one by one."""

import itertools
import json
import unicodedata
from functools import cache

import pytest
import regex
import tokenizers
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import decoders, models, pre_tokenizers, trainers

from lab.errors import LabError
from lab.models.checkpoint import Checkpoint
from lab.models.gguf_tokenizer import tokenizer_from_gguf
from lab.models.token_text import SYMBOL_BYTES
from lab.models.tokenizer import Tokenizer

TEXTS = [
    "The cat's 12 kittens weren't 3456 or 78; they'll say I'M 90.",
    "    if x == 1:\n        return  22   # two\n\n\n  33",
    "  1   2 \n 3\t4",
    "مرحبا ١٢٣ سلام ۴۵۶ 🙂🙂 日本語12",
    "e\u0301 é ﬁ ½ ² Ⅷ",
    "a\r\nb\r\n\r\n  c   \n",
    "x" * 40 + "!!!??? ... --- ===",
    "DON'T don't Don'T 'S 's",
    "an UNMERGED word",
    "_under_score_ (parens) [brackets] {braces} <tags/>",
    "\u00a0nbsp\u2003em",
]
# Published in llama.cpp (LLAMA_VOCAB_PRE_TYPE_…) and in the models' own tokenizer.json files.
GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
LLAMA3 = (
    r"(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
RULES = {
    "gpt-2": [GPT2],
    "default": [GPT2],
    "smollm": [r"\p{N}", GPT2],
    "llama-bpe": [LLAMA3],
    "qwen2": [LLAMA3.replace(r"\p{N}{1,3}", r"\p{N}")],
}


@cache
def vocabulary() -> tuple[list[str], list[str]]:
    """Tokens and merges learnt from the texts, merged across the borders that the rules draw."""
    learner = tokenizers.Tokenizer(models.BPE())
    learner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    learner.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=700, initial_alphabet=alphabet, show_progress=False)
    learner.train_from_iterator([text for text in TEXTS for _ in range(3)], trainer)
    state = learner.model.__getstate__()
    merges = [" ".join(pair) for pair in json.loads(state)["merges"]]
    tokens = sorted(learner.get_vocab(), key=learner.get_vocab().__getitem__)
    unmerged = "ĠUNMERGED"  # a token that no merge reaches
    return [*tokens, unmerged, "<|im_end|>", "<think>"], merges


def metadata(rule: str) -> dict:
    tokens, merges = vocabulary()
    return {
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": rule,
        "tokenizer.ggml.tokens": tokens,
        "tokenizer.ggml.merges": merges,
        "tokenizer.ggml.token_type": [1] * (len(tokens) - 2) + [3, 4],
    }


def slow_encode(text: str, rule: str) -> list[int]:
    tokens, merges = vocabulary()
    ids = {token: index for index, token in enumerate(tokens)}
    ranks = {tuple(merge.split(" ")): rank for rank, merge in enumerate(merges)}
    if rule == "qwen2":
        text = unicodedata.normalize("NFC", text)
    words = [text]
    for pattern in RULES[rule]:
        words = [part for word in words for part in split_isolating(word, pattern)]
    encoded = []
    for word in words:
        symbols = [SYMBOL[byte] for byte in word.encode()]
        if rule == "llama-bpe" and "".join(symbols) in ids:
            encoded.append(ids["".join(symbols)])
            continue
        while pairs := [pair for pair in itertools.pairwise(symbols) if pair in ranks]:
            best = min(pairs, key=ranks.__getitem__)
            symbols = merge_once(symbols, best)
        encoded += [ids[symbol] for symbol in symbols]
    return encoded


SYMBOL = {byte: symbol for symbol, byte in SYMBOL_BYTES.items()}


def split_isolating(word: str, pattern: str) -> list[str]:
    """The matches, and what lies between them, in order."""
    parts, end = [], 0
    for match in regex.finditer(pattern, word):
        parts += [word[end : match.start()], match.group()]
        end = match.end()
    return [part for part in [*parts, word[end:]] if part]


def merge_once(symbols: list[str], pair: tuple[str, str]) -> list[str]:
    merged, index = [], 0
    while index < len(symbols):
        if tuple(symbols[index : index + 2]) == pair:
            merged.append("".join(pair))
            index += 2
        else:
            merged.append(symbols[index])
            index += 1
    return merged


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("text", TEXTS)
def test_equals_the_slow_reference(rule: str, text: str) -> None:
    tokenizer = tokenizer_from_gguf(metadata(rule), ())
    assert tokenizer.encode(text) == slow_encode(text, rule)
    expected = unicodedata.normalize("NFC", text) if rule == "qwen2" else text
    assert tokenizer.decode(tokenizer.encode(text)) == expected


ALPHABET = st.sampled_from([*"ab'sSt 12\n\t\r.,!é٣", "  ", "'ll", "\u00a0", "🙂", "e\u0301"])


@pytest.mark.parametrize("rule", RULES)
@given(text=st.lists(ALPHABET, min_size=1, max_size=25).map("".join))
@settings(max_examples=60)
def test_equals_the_slow_reference_on_random_texts(rule: str, text: str) -> None:
    assert built(rule).encode(text) == slow_encode(text, rule)


@cache
def built(rule: str) -> Tokenizer:
    return tokenizer_from_gguf(metadata(rule), ())


def test_the_rules_differ_where_they_should() -> None:
    text = "  12 3456 DON'T"
    assert len({tuple(slow_encode(text, rule)) for rule in ("gpt-2", "smollm", "llama-bpe", "qwen2")}) == 4
    whole = vocabulary()[0].index("ĠUNMERGED")
    found = {rule for rule in RULES if whole in built(rule).encode("an UNMERGED word")}
    assert found == {"llama-bpe"}


def test_control_and_user_tokens() -> None:
    tokenizer = tokenizer_from_gguf(metadata("gpt-2"), ())
    end, think = len(vocabulary()[0]) - 2, len(vocabulary()[0]) - 1
    assert tokenizer.special_ids == {end}
    assert tokenizer.encode("<|im_end|><think>", parse_special=True) == [end, think]
    assert end not in tokenizer.encode("<|im_end|>")
    assert tokenizer.pieces([end, think]) == ["<|im_end|>", "<think>"]


def test_named_tokens_reach_the_template() -> None:
    named = {"tokenizer.ggml.bos_token_id": 0, "tokenizer.ggml.eos_token_id": len(vocabulary()[0]) - 2}
    template = {"tokenizer.chat_template": "{{ messages[0].content }}{{ eos_token }}"}
    tokenizer = tokenizer_from_gguf(metadata("gpt-2") | named | template, (7,))
    assert tokenizer.eos_ids == (7,)
    assert tokenizer.special["eos_token"] == "<|im_end|>"
    assert tokenizer.encode_chat("a")[-1] == len(vocabulary()[0]) - 2


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"tokenizer.ggml.model": "llama"}, "'llama' tokenizer"),
        ({"tokenizer.ggml.model": None}, "None tokenizer"),
        ({"tokenizer.ggml.tokens": []}, "do not fit together"),
        ({"tokenizer.ggml.tokens": None}, "no list of str under tokenizer.ggml.tokens"),
        ({"tokenizer.ggml.merges": None}, "no list of str under tokenizer.ggml.merges"),
        ({"tokenizer.ggml.token_type": [1, "x"]}, "no list of int under tokenizer.ggml.token_type"),
        ({"tokenizer.ggml.pre": ["gpt-2"]}, "splitting rule"),
        ({"tokenizer.ggml.pre": "tekken"}, "'tekken'.*gpt-2, llama-bpe, qwen2, smollm"),
        ({"tokenizer.ggml.merges": ["no such"]}, "do not fit together"),
        ({"tokenizer.ggml.merges": ["nospace"]}, "do not fit together"),
    ],
)
def test_refusals_name_the_kind(changes: dict, named: str) -> None:
    with pytest.raises(LabError, match=named):
        tokenizer_from_gguf(metadata("gpt-2") | changes, ())


@pytest.mark.model
def test_smollm2_splits_digits_before_spaces(smollm2: Checkpoint) -> None:
    """The model's own rule isolates each digit first, so two spaces before one stay one token."""
    tokenizer = smollm2.tokenizer
    assert tokenizer.pieces(tokenizer.encode("a  12")) == ["a", "  ", "1", "2"]
