"""`train medusa` and `train eagle`, run as a user runs them, on a tiny model."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from typer.testing import CliRunner

from lab.cli import app
from lab.models.eagle import load_eagle
from lab.models.hub_folder import save_folder
from lab.models.loaded import LoadedModel, load_model
from lab.models.medusa import load_medusa
from lab.models.tiny import tiny_checkpoint
from lab.training.card import Card, markdown, rank_table, read_card
from lab.training.recipe import DOMAINS

TEXT = [
    *("--prompts", "4", "--stories", "2", "--written", "3", "--length", "10"),
    *("--vocabulary", "60", "--exam-prompts", "1", "--steps", "3"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tiny")
    save_folder(tiny_checkpoint(0), path)
    return path


@pytest.fixture(scope="module")
def target(folder: Path) -> LoadedModel:
    return load_model(str(folder), "cpu")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the lab keeps its files: text and features that one test makes, the next finds."""
    return tmp_path_factory.mktemp("home")


def train(home: Path, *arguments: str) -> str:
    done = CliRunner().invoke(app, ["train", *arguments], env={"DECODING_LAB_HOME": str(home)})
    assert done.exit_code == 0, done.output
    return done.stdout


def check(card: Card, said: str, depths: int) -> None:
    assert (card.texts, card.vocabulary <= 60) == (6, True)
    assert [(f.domain, f.temperature) for f in card.figures] == [
        (domain, t) for domain in DOMAINS for t in (0.0, 1.0)
    ]
    assert [len(f.by_rank) for f in card.figures] == [depths, 0] * 3
    assert markdown(card.figures).strip() in said
    assert rank_table(card.figures).strip() in said


def test_medusa_heads_are_trained_measured_and_load(folder: Path, target: LoadedModel, home: Path) -> None:
    out = home / "heads.safetensors"
    said = train(home, "medusa", "--model", str(folder), "--out", str(out), "--heads", "3", *TEXT)
    heads, card = load_medusa(str(out), target), read_card(out)
    assert (heads.heads, heads.taps) == (3, (target.transformer.config.layers,))
    assert (card.parameters, card.vocabulary) == (heads.parameters, len(heads.vocabulary))
    assert card.recipe["distil"]["steps"] == 3
    check(card, said, depths=3)


def test_an_eagle_draft_is_trained_measured_and_loads(folder: Path, target: LoadedModel, home: Path) -> None:
    out = home / "eagle.safetensors"
    said = train(home, "eagle", "--model", str(folder), "--out", str(out), "--ffn", "48", *TEXT)
    draft, card = load_eagle(str(out), target), read_card(out)
    assert draft.taps == (target.transformer.config.layers,)
    assert (card.parameters, card.vocabulary) == (draft.parameters, len(draft.vocabulary))
    check(card, said, depths=8)


def test_an_interrupted_training_of_heads_goes_on(
    folder: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A training that had ended is found again, features and all: the same file, and no step is made."""
    arguments = ["medusa", "--model", str(folder), "--seed", "4", *TEXT]
    train(home, *arguments, "--out", str(tmp_path / "one.safetensors"))
    monkeypatch.setattr("lab.training.loop.Training._learn", None)
    monkeypatch.setattr("lab.training.features.save_file", None)
    train(home, *arguments, "--out", str(tmp_path / "two.safetensors"))
    one, two = (
        load_medusa(str(tmp_path / f"{name}.safetensors"), load_model(str(folder), "cpu"))
        for name in ("one", "two")
    )
    assert torch.equal(one.blocks.stored, two.blocks.stored)
