"""`train`, run as a user runs it, on a tiny model; and interrupted in the middle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from safetensors.torch import load_file
from typer.testing import CliRunner

from lab.cli import app
from lab.decode.speculative.ngram import load_ngram
from lab.models.draft import load_draft
from lab.models.hub_folder import save_folder
from lab.models.loaded import LoadedModel, load_model
from lab.models.tiny import tiny_checkpoint
from lab.training.card import markdown, read_card
from lab.training.distil import DistilSettings
from lab.training.lessons import Lesson
from lab.training.loop import Training, TrainingRecord

TEXT = [
    *("--prompts", "4", "--stories", "2", "--written", "3", "--length", "8"),
    *("--vocabulary", "60", "--exam-prompts", "1"),
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
    """Where the lab keeps its files: text that one test makes, the next finds."""
    return tmp_path_factory.mktemp("home")


def train(home: Path, *arguments: str) -> str:
    done = CliRunner().invoke(app, ["train", *arguments], env={"DECODING_LAB_HOME": str(home)})
    assert done.exit_code == 0, done.output
    return done.stdout


def test_a_draft_is_trained_measured_and_loads(folder: Path, target: LoadedModel, home: Path) -> None:
    out = home / "draft.safetensors"
    said = train(home, "draft", "--model", str(folder), "--out", str(out), "--steps", "3", *TEXT)
    draft, card = load_draft(str(out), target), read_card(out)
    assert card.parameters == draft.transformer.config.parameters
    assert card.vocabulary == draft.size <= 60
    assert card.texts == 9
    assert card.recipe["distil"]["steps"] == 3
    assert [(f.domain, f.temperature) for f in card.figures] == [
        (domain, t) for domain in ("stories", "questions", "code") for t in (0.0, 1.0)
    ]
    assert markdown(card.figures).strip() in said
    again = home / "again.safetensors"
    train(
        home, "draft", "--model", str(folder), "--out", str(again), "--start", str(out), "--steps", "2", *TEXT
    )
    further = load_draft(str(again), target)
    assert further.vocabulary.equal(draft.vocabulary)
    assert not further.transformer.embedding.equal(draft.transformer.embedding)


def test_a_table_is_counted_measured_and_loads(folder: Path, target: LoadedModel, home: Path) -> None:
    out = home / "table.npz"
    train(home, "ngram", "--model", str(folder), "--out", str(out), *TEXT)
    table, card = load_ngram(out, target), read_card(out)
    assert card.vocabulary == len(table.vocabulary)
    assert [figures.draft for figures in card.figures[::6]] == ["1-gram", "2-gram", "3-gram"]


def test_an_interrupted_training_goes_on_and_ends_the_same(
    folder: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped in step 6 of 9, a checkpoint every 4: the draft is that of a run left alone, to the bit."""
    monkeypatch.setattr("lab.cli.train.DISTIL", replace(DistilSettings(), save_every=4))
    arguments = ["draft", "--model", str(folder), "--steps", "9", "--seed", "1", *TEXT]
    alone, stopped = tmp_path / "alone.safetensors", tmp_path / "stopped.safetensors"
    learn, steps = Training._learn, []

    def interrupted(self: Training[Lesson], group: Sequence[Lesson]) -> TrainingRecord:
        steps.append(self.step)
        if len(steps) == 6:
            raise KeyboardInterrupt
        return learn(self, group)

    monkeypatch.setattr(Training, "_learn", interrupted)
    ended = CliRunner().invoke(
        app, ["train", *arguments, "--out", str(stopped)], env={"DECODING_LAB_HOME": str(home)}
    )
    assert ended.exit_code == 130
    assert not stopped.exists()
    train(home, *arguments, "--out", str(stopped))
    assert steps == [0, 1, 2, 3, 4, 5, 4, 5, 6, 7, 8]
    for checkpoint in home.rglob("checkpoint-*.pt"):
        checkpoint.unlink()
    train(home, *arguments, "--out", str(alone))
    assert steps[11:] == list(range(9))
    for name, tensor in load_file(alone).items():
        assert tensor.equal(load_file(stopped)[name]), name
