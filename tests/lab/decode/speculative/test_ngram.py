"""N-gram tables: a law at every context, and the one that counting by hand gives."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest
import tokenizers
import torch

from lab.decode.speculative.ngram import DISCOUNT, SHIPPED_NGRAM, NGramTable, load_ngram, save_ngram
from lab.errors import LabError
from lab.models.checkpoint import Checkpoint
from lab.models.loaded import LoadedModel
from lab.models.tiny import tiny_checkpoint
from lab.models.tokenizer import Tokenizer
from lab.models.transformer import Transformer
from lab.training.ngram import LEAST, count_ngrams

VOCABULARY = torch.tensor([2, 3, 5, 7, 11])
KNOWN = VOCABULARY.tolist()
STRANGE = 100  # not in the vocabulary

RNG = np.random.default_rng(0)
TEXTS = [
    (RNG.choice([*KNOWN, STRANGE], 4, p=P).tolist(), RNG.choice([*KNOWN, STRANGE], 30, p=P).tolist())
    for P in ([0.35, 0.3, 0.15, 0.1, 0.05, 0.05], [0.05, 0.05, 0.1, 0.15, 0.3, 0.35]) * 3
]


@pytest.fixture(scope="module")
def target() -> LoadedModel:
    checkpoint = tiny_checkpoint(0)
    return LoadedModel(Transformer(checkpoint), checkpoint.tokenizer, checkpoint.source)


@pytest.fixture(scope="module")
def table() -> NGramTable:
    return count_ngrams(TEXTS, VOCABULARY)


def slow_law(context: tuple[int, ...]) -> dict[int, float]:
    """P(w | context) by the formula of the module's docstring, over dictionaries and with no table."""
    grams: Counter[tuple[int, ...]] = Counter()
    for prompt, ids in TEXTS:
        whole = [*prompt, *ids]
        for end in range(len(prompt), len(whole)):
            grams[tuple(whole[end - len(context) : end + 1])] += 1
    if not context:
        total = sum(grams[w,] + 1 for w in KNOWN)
        return {w: (grams[w,] + 1) / total for w in KNOWN}
    shorter = slow_law(context[1:])
    seen = {w: grams[*context, w] for w in KNOWN}
    total = sum(seen.values())
    kept = {w: n for w, n in seen.items() if n >= LEAST[len(context) + 1]}
    if not kept or STRANGE in context:
        return shorter
    left = 1 - sum(n - DISCOUNT for n in kept.values()) / total
    return {w: max(kept.get(w, 0) - DISCOUNT, 0) / total + left * shorter[w] for w in KNOWN}


@pytest.mark.parametrize("order", [1, 2, 3])
def test_every_context_has_the_law_that_a_slow_count_gives(table: NGramTable, order: int) -> None:
    of_order = replace(table, order=order)
    for context in product([*KNOWN, STRANGE], repeat=2):
        expected = slow_law(context[3 - order :])
        law = of_order.law([1, *context])
        np.testing.assert_allclose(law, [expected[w] for w in KNOWN], rtol=1e-12)
        assert law.sum() == pytest.approx(1, abs=1e-12)
        assert law.min() > 0


def test_the_orders_differ_and_both_counts_are_pruned_differently(table: NGramTable) -> None:
    laws = [replace(table, order=order).law([2, 3]) for order in (1, 2, 3)]
    assert not np.allclose(laws[0], laws[1])
    assert not np.allclose(laws[1], laws[2])
    assert table.bigrams.counts.min() == LEAST[2]
    assert table.trigrams.counts.min() == LEAST[3]


@pytest.mark.parametrize("context", [[], [2]])
def test_a_short_context_is_enough(table: NGramTable, context: list[int]) -> None:
    expected = slow_law(tuple(context))
    np.testing.assert_allclose(table.law(context), [expected[w] for w in KNOWN], rtol=1e-12)


def test_logits_are_finite_logarithms_of_the_law(table: NGramTable) -> None:
    logits = table.logits([3, 5])
    assert logits.dtype == torch.float32
    assert logits.isfinite().all()
    np.testing.assert_allclose(logits.double().softmax(-1), table.law([3, 5]), rtol=1e-5)


def test_a_prompt_is_context_and_is_not_counted() -> None:
    table = count_ngrams([([2, 3, 5], [7, 7])], VOCABULARY)
    assert table.counts.tolist() == [0, 0, 0, 2, 0]
    assert table.bigrams.contexts.tolist() == [2, 3]  # 5 before the first 7, 7 before the second


def test_a_saved_table_is_loaded(table: NGramTable, target: LoadedModel, tmp_path: Path) -> None:
    path = tmp_path / "new" / "table.npz"
    save_ngram(path, table, target)
    again = load_ngram(path, target, 2)
    assert again.order == 2
    assert torch.equal(again.vocabulary, table.vocabulary)
    for context in product(KNOWN, repeat=2):
        np.testing.assert_array_equal(again.law(context), replace(table, order=2).law(context))
    with pytest.raises(LabError, match="order 4"):
        load_ngram(path, target, 4)


def test_a_table_of_another_vocabulary_is_refused(
    table: NGramTable, target: LoadedModel, tmp_path: Path
) -> None:
    save_ngram(tmp_path / "table.npz", table, target)
    backend = tokenizers.Tokenizer.from_str(target.tokenizer.backend.to_str())
    backend.add_tokens(["abc"])
    other = LoadedModel(Transformer(tiny_checkpoint(4, vocab_size=260)), Tokenizer(backend, ()), "test")
    with pytest.raises(LabError, match=r"tokens of tiny-llama-0.*tiny-llama-4 is not the same"):
        load_ngram(tmp_path / "table.npz", other)


def test_what_is_no_table_is_refused(target: LoadedModel, tmp_path: Path) -> None:
    path = tmp_path / "table.npz"
    for content in (b"", b"words", b"PK\x03\x04 half a zip"):
        path.write_bytes(content)
        with pytest.raises(LabError, match="not an n-gram table"):
            load_ngram(path, target)
    np.savez(path, x=np.zeros(2))
    with pytest.raises(LabError, match="not an n-gram table"):
        load_ngram(path, target)
    with pytest.raises(LabError, match="not an n-gram table"):
        load_ngram(tmp_path / "absent.npz", target)


@pytest.mark.model
def test_the_shipped_table_is_small_and_a_law(smollm2: Checkpoint, smollm2_model: Transformer) -> None:
    target = LoadedModel(smollm2_model, smollm2.tokenizer, smollm2.source)
    assert SHIPPED_NGRAM.stat().st_size < 2 * 2**20
    table = load_ngram(SHIPPED_NGRAM, target)
    for text in ("Once upon a time", "The moral of the", "zzz qq"):
        assert table.law(smollm2.tokenizer.encode(text)).sum() == pytest.approx(1, abs=1e-9)
    likely = int(table.vocabulary[int(table.logits(smollm2.tokenizer.encode("Once upon a")).argmax())])
    assert smollm2.tokenizer.decode([likely]) == " time"
