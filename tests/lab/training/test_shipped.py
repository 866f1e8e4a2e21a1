"""The shipped drafts are as good as their cards say, and the model card says the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab.decode.sampling import GREEDY
from lab.decode.speculative.ngram import SHIPPED_NGRAM, load_ngram
from lab.models.checkpoint import Checkpoint
from lab.models.draft import DEFAULT_DRAFT, FOLDER, load_draft
from lab.models.loaded import LoadedModel
from lab.models.transformer import Transformer
from lab.training.card import markdown, read_card
from lab.training.evaluate import Figures, draft_proposer, evaluate, ngram_proposer
from lab.training.recipe import exams
from lab.training.target_text import write

DRAFT = FOLDER / f"{DEFAULT_DRAFT}.safetensors"
PROMPTS, LENGTH = 4, 128


@pytest.mark.parametrize("path", [DRAFT, SHIPPED_NGRAM], ids=["draft", "n-gram"])
def test_the_model_card_shows_the_figures_of_the_command(path: Path) -> None:
    table = markdown(read_card(path).figures)
    assert table in (FOLDER / "README.md").read_text(encoding="utf-8")


def test_the_draft_is_good_enough() -> None:
    stories = figures_of(read_card(DRAFT).figures, DEFAULT_DRAFT)
    assert stories.alpha >= 0.55
    assert stories.prompts >= 90


@pytest.mark.model
def test_the_figures_come_again(smollm2: Checkpoint, smollm2_model: Transformer) -> None:
    """The first held-out stories, token by token: at most one choice in 128 may fall the other way."""
    target = LoadedModel(smollm2_model, smollm2.tokenizer, smollm2.source)
    [exam, *_] = exams(smollm2.tokenizer, PROMPTS, LENGTH)
    texts = write(smollm2_model, exam.job.prompts, GREEDY, LENGTH, seed=0)
    proposers = [
        draft_proposer(load_draft(DEFAULT_DRAFT, target)),
        ngram_proposer(load_ngram(SHIPPED_NGRAM, target, 3)),
    ]
    cards = [*read_card(DRAFT).figures, *read_card(SHIPPED_NGRAM).figures]
    for figures in evaluate(smollm2_model, proposers, texts, exam.domain, GREEDY):
        expected = figures_of(cards, figures.draft).by_prompt[:PROMPTS]
        assert figures.by_prompt == pytest.approx(expected, abs=1.5 / LENGTH)


def figures_of(cards: tuple[Figures, ...] | list[Figures], draft: str) -> Figures:
    """A draft's greedy figures on stories."""
    [figures] = [f for f in cards if (f.draft, f.domain, f.temperature) == (draft, "stories", 0.0)]
    return figures
