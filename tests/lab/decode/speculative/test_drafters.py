"""Who proposes: each drafter's guess after a text."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from lab.decode.sampling import Sampling, law
from lab.decode.speculative.drafters import (
    LookupDrafter,
    NGramDrafter,
    ScriptedDrafter,
    UniformDrafter,
    find_followed,
    one_hot,
)
from lab.decode.speculative.window import Proposal
from lab.models.transformer import Transformer
from lab.numerics.lanes import FP32
from tests.lab.decode.speculative.tiny_drafts import TARGET, drafters, noisy, reduced
from tests.lab.decode.speculative.toy import toy_table


def slow_lookup(text: list[int], longest: int, shortest: int) -> int | None:
    """By definition: among all earlier places, the longest match, then the latest."""
    best = None
    for end in range(1, len(text)):
        length = 0
        while length < min(longest, end) and text[end - 1 - length] == text[len(text) - 1 - length]:
            length += 1
        if length >= shortest and (best is None or (length, end) >= best[0]):
            best = (length, end), text[end]
    return None if best is None else best[1]


@given(st.lists(st.integers(0, 2), min_size=1, max_size=14), st.integers(1, 4), st.integers(1, 3))
def test_lookup_by_definition(text: list[int], longest: int, shortest: int) -> None:
    if shortest <= longest:
        assert find_followed(text, longest, shortest) == slow_lookup(text, longest, shortest)


def test_lookup_is_certain_or_silent() -> None:
    guess, silent = LookupDrafter().start(2, 9).guess([0, 1], [[1, 2, 1], [1, 2, 3]])
    assert guess is not None
    assert guess.vocabulary is not None
    assert guess.vocabulary.tolist() == [2]
    assert law(guess.logits, Sampling(1.0)).tolist() == [1.0]
    assert silent is None


def test_uniform_knows_nothing() -> None:
    (guess,) = UniformDrafter(7).start(1, 9).guess([0], [[1]])
    assert guess is not None
    assert law(guess.logits, Sampling(1.0)).tolist() == pytest.approx([1 / 7] * 7)


def test_a_scripted_law_comes_through_as_it_is() -> None:
    p = torch.tensor([0.0, 0.25, 0.0, 0.75], dtype=torch.float64)
    (guess,) = ScriptedDrafter(lambda text: p).start(1, 9).guess([0], [[1]])
    assert guess is not None
    assert guess.vocabulary is not None
    assert guess.vocabulary.tolist() == [1, 3]
    assert torch.allclose(law(guess.logits, Sampling(1.0)), p[[1, 3]], atol=1e-15, rtol=0)


@pytest.mark.parametrize("order", [1, 2, 3])
def test_an_n_gram_table_gives_its_own_law(order: int) -> None:
    table = toy_table((1, 4, 6), order)
    (guess,) = NGramDrafter("n", table).start(1, 9).guess([0], [[4, 1, 4]])
    assert guess is not None
    assert guess.vocabulary is table.vocabulary
    assert law(guess.logits, Sampling(1.0)).tolist() == pytest.approx(table.law([4, 1, 4]).tolist(), abs=1e-6)


def test_a_model_is_fed_what_its_cache_lacks() -> None:
    """Three texts in turn, cut and grown: the guess is always that of a fresh pass over the whole text."""
    drafting = drafters()["model"].start(2, 20)
    model = Transformer(noisy(TARGET, 0.15))
    assert drafting.cache is not None
    for text, kept in (([65, 66, 67], 0), ([65, 66, 67, 68, 69], 3), ([65, 66, 70], 2)):
        drafting.cache.truncate([1], [kept])
        (guess,) = drafting.guess([1], [text])
        assert guess is not None
        fresh = model.forward([text], model.new_cache(1, 20, FP32), FP32)[0]
        assert torch.equal(guess.logits, fresh)
        assert drafting.cache.lengths == [0, len(text)]


def test_a_reduced_vocabulary_is_read_and_proposed_by_place() -> None:
    """Its own unknown token is never proposed, and stands for what it does not know."""
    vocabulary = torch.arange(0, 259, 2)
    draft = reduced(TARGET, vocabulary, 0.1)
    drafting = drafters()["reduced"].start(1, 20)
    (guess,) = drafting.guess([0], [[64, 65, 66]])
    assert guess is not None
    assert guess.vocabulary is not None
    assert torch.equal(guess.vocabulary, vocabulary)
    own = draft.transformer.forward([[32, 130, 33]], draft.transformer.new_cache(1, 20, FP32), FP32)[0]
    assert torch.equal(guess.logits, own[:-1])


def test_a_law_spreads_over_the_targets_vocabulary() -> None:
    p = torch.tensor([0.25, 0.75], dtype=torch.float64)
    assert Proposal(3, 1, p, torch.tensor([1, 3]), 0.0).spread(5).tolist() == [0, 0.25, 0, 0.75, 0]
    assert Proposal(1, 1, p, None, 0.0).spread(4).tolist() == [0.25, 0.75, 0, 0]
    assert Proposal(1, 1, p, None, 0.0).spread(2) is p
    sure = one_hot(2)
    assert sure.vocabulary is not None
    assert (sure.logits.tolist(), sure.vocabulary.tolist()) == ([0.0], [2])
