"""The shipped drafts and heads are as good as their cards say, and the model card says the same."""

from __future__ import annotations

import operator
from itertools import accumulate
from pathlib import Path

import pytest

from lab.decode.sampling import GREEDY
from lab.decode.speculative.ngram import SHIPPED_NGRAM, load_ngram
from lab.models.checkpoint import Checkpoint
from lab.models.draft import DEFAULT_DRAFT, load_draft
from lab.models.draft_file import FOLDER
from lab.models.eagle import DEFAULT_EAGLE
from lab.models.loaded import LoadedModel
from lab.models.medusa import DEFAULT_MEDUSA, load_medusa
from lab.models.transformer import Transformer
from lab.training.card import markdown, rank_table, read_card
from lab.training.evaluate import (
    Figures,
    draft_proposer,
    eagle_proposer,
    evaluate,
    medusa_proposer,
    ngram_proposer,
)
from lab.training.recipe import exams
from lab.training.target_text import write

DRAFT = FOLDER / f"{DEFAULT_DRAFT}.safetensors"
HEADS = [FOLDER / f"{name}.safetensors" for name in (DEFAULT_MEDUSA, DEFAULT_EAGLE)]
PROMPTS, LENGTH = 4, 128


@pytest.mark.parametrize("path", [DRAFT, SHIPPED_NGRAM, *HEADS], ids=lambda path: path.stem)
def test_the_model_card_shows_the_figures_of_the_command(path: Path) -> None:
    card, told = read_card(path), (FOLDER / "README.md").read_text(encoding="utf-8")
    assert markdown(card.figures) in told
    if path in HEADS:
        assert rank_table(card.figures) in told
    if card.parameters:
        assert f"{card.parameters:,} parameters" in told
    assert f"{card.texts:,} " in told
    assert f"{card.tokens:,} tokens" in told


def test_all_weights_together_stay_small() -> None:
    weights = [path for path in FOLDER.iterdir() if path.suffix in (".safetensors", ".npz")]
    assert {path.stem for path in weights} == {"stories", "ngram", "medusa", "eagle"}
    assert sum(path.stat().st_size for path in weights) <= 16_000_000


def test_the_draft_is_good_enough() -> None:
    stories = figures_of(read_card(DRAFT).figures, DEFAULT_DRAFT)
    assert stories.alpha >= 0.55
    assert stories.prompts >= 90


@pytest.mark.parametrize(("path", "first", "a_pass"), [(HEADS[0], 0.45, 1.7), (HEADS[1], 0.6, 2.3)])
def test_heads_are_good_enough(path: Path, first: float, a_pass: float) -> None:
    """The first guess, and what a chain of guesses would give a target pass."""
    stories = figures_of(read_card(path).figures, path.stem)
    assert stories.alpha >= first
    assert 1 + sum(accumulate(stories.by_position, operator.mul)) >= a_pass
    assert stories.alpha == pytest.approx(stories.by_rank[0][0], abs=1e-6)


@pytest.mark.model
def test_the_figures_come_again(smollm2: Checkpoint, smollm2_model: Transformer) -> None:
    """The first held-out stories, token by token: at most one choice in 128 may fall the other way."""
    target = LoadedModel(smollm2_model, smollm2.tokenizer, smollm2.source)
    [exam, *_] = exams(smollm2.tokenizer, PROMPTS, LENGTH)
    texts = write(smollm2_model, exam.job.prompts, GREEDY, LENGTH, seed=0)
    proposers = [
        draft_proposer(load_draft(DEFAULT_DRAFT, target)),
        ngram_proposer(load_ngram(SHIPPED_NGRAM, target, 3)),
        medusa_proposer(load_medusa(DEFAULT_MEDUSA, target), smollm2_model),
        eagle_proposer(DEFAULT_EAGLE, target),
    ]
    cards = [figures for path in (DRAFT, SHIPPED_NGRAM, *HEADS) for figures in read_card(path).figures]
    for figures in evaluate(smollm2_model, proposers, texts, exam.domain, GREEDY):
        expected = figures_of(cards, figures.draft).by_prompt[:PROMPTS]
        assert figures.by_prompt == pytest.approx(expected, abs=1.5 / LENGTH)


def figures_of(cards: tuple[Figures, ...] | list[Figures], draft: str) -> Figures:
    """A draft's greedy figures on stories."""
    [figures] = [f for f in cards if (f.draft, f.domain, f.temperature) == (draft, "stories", 0.0)]
    return figures
