"""The training loop: its rate, its parts, and that an interruption changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
import torch
from torch import Tensor, nn
from torch.optim import Optimizer

from lab.errors import LabError
from lab.training.loop import Loss, Training, TrainingRecord, TrainingSettings, adamw, learning_rate
from lab.training.muon import muon

SETTINGS = TrainingSettings(steps=12, rows=2, rate=1e-2, warm_up=3, save_every=4)
OPTIMISERS = pytest.mark.parametrize("optimiser", [adamw, muon])


@dataclass(frozen=True)
class Pair:
    """What is to come out for what goes in; `weight` is a plain number, as lessons may hold."""

    tokens: Tensor
    answer: Tensor
    weight: float = 1.0


def pairs() -> list[Pair]:
    generator = torch.Generator().manual_seed(0)
    return [
        Pair(*(torch.randn(4, generator=generator, dtype=torch.bfloat16) for _ in range(2))) for _ in range(7)
    ]


def start(
    folder: Path,
    settings: TrainingSettings = SETTINGS,
    optimiser: Callable[[nn.Module, TrainingSettings], Optimizer] = adamw,
    source: list[Pair] | None = None,
    seed: int = 0,
) -> Training[Pair]:
    """A linear layer that learns pairs by least squares."""
    torch.manual_seed(seed)
    model = nn.Linear(4, 4)

    def loss(group: Sequence[Pair]) -> Loss:
        square = torch.stack([(model(p.tokens.float()) - p.answer).square().mean() for p in group]).mean()
        size = model.weight.square().mean()
        return Loss(square + 0.1 * size, {"square": square, "size": size})

    return Training(model, pairs() if source is None else source, loss, settings, folder, optimiser)


def test_the_rate_rises_then_falls_to_zero() -> None:
    rates = [learning_rate(SETTINGS, step) for step in range(13)]
    assert rates[:3] == pytest.approx([1e-2 / 3, 2e-2 / 3, 1e-2])
    assert rates[3:] == sorted(rates[3:], reverse=True)
    assert rates[12] == pytest.approx(0, abs=1e-12)


@OPTIMISERS
def test_the_loss_falls(optimiser: Callable[..., Optimizer], tmp_path: Path) -> None:
    settings = replace(SETTINGS, steps=80, rows=7, rate=5e-2)
    records = list(start(tmp_path, settings, optimiser).run())
    assert [record.step for record in records] == list(range(1, 81))
    assert records[0].losses.keys() == {"square", "size"}
    assert records[-1].losses["square"] < 0.7 * records[0].losses["square"]


@OPTIMISERS
def test_resumed_equals_uninterrupted(optimiser: Callable[..., Optimizer], tmp_path: Path) -> None:
    whole = start(tmp_path / "whole", optimiser=optimiser)
    expected: list[TrainingRecord] = list(whole.run())
    halted = start(tmp_path / "halted", optimiser=optimiser)
    for record, _ in zip(halted.run(), range(6), strict=False):
        assert record == expected[record.step - 1]
    resumed = start(tmp_path / "halted", optimiser=optimiser)
    assert resumed.step == 4  # the last checkpoint
    assert list(resumed.run()) == expected[4:]
    for name, tensor in whole.model.state_dict().items():
        assert torch.equal(tensor, resumed.model.state_dict()[name])
    assert list(start(tmp_path / "halted", optimiser=optimiser).run()) == []


def test_another_training_does_not_go_on(tmp_path: Path) -> None:
    """Other settings, optimiser, lessons (one number among them) or weights to begin with."""
    list(start(tmp_path).run())
    assert start(tmp_path).step == 12
    assert start(tmp_path, replace(SETTINGS, seed=1)).step == 0
    assert start(tmp_path, optimiser=muon).step == 0
    assert start(tmp_path, source=pairs()[1:]).step == 0
    assert start(tmp_path, source=[replace(pairs()[0], weight=2.0), *pairs()[1:]]).step == 0
    assert start(tmp_path, seed=1).step == 0


def test_no_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LabError, match="no text to learn from"):
        start(tmp_path, source=[])
