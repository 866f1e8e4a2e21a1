"""The training loop that drafts and heads share: a model, lessons, and a loss for a few of them at a time.

A short linear warm-up of the rate and a cosine to zero. A checkpoint holds weights, optimiser and
step; order and schedule follow from the settings, so that an interrupted training that is resumed
ends with the same bits. What is learnt is the loss's affair.
"""

from __future__ import annotations

import hashlib
import math
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import chain, count, islice
from pathlib import Path
from typing import Generic

import torch
from torch import Tensor, nn
from torch.optim import Optimizer

from lab.errors import LabError
from lab.training.lessons import L, groups

BETAS = (0.9, 0.98)
CLIP = 1.0  # largest norm of a gradient


@dataclass(frozen=True)
class TrainingSettings:
    """`rows`: lessons a step. `rate`: the largest learning rate. `decay`: of matrices alone."""

    steps: int = 3000
    rows: int = 10
    rate: float = 3e-3
    warm_up: int = 100
    decay: float = 0.1
    seed: int = 0
    save_every: int = 200


@dataclass(frozen=True)
class Loss:
    """Of one step. `total` is descended; `parts` are told, by name."""

    total: Tensor
    parts: dict[str, Tensor]


@dataclass(frozen=True)
class TrainingRecord:
    """One step: the parts of its loss, before the update. `step` counts from 1."""

    step: int
    losses: dict[str, float]
    rate: float


def learning_rate(settings: TrainingSettings, step: int) -> float:
    """Of step 0, 1, …: linear up to `rate`, then a half cosine down to zero."""
    if step < settings.warm_up:
        return settings.rate * (step + 1) / settings.warm_up
    share = (step - settings.warm_up) / max(1, settings.steps - settings.warm_up)
    return settings.rate * (1 + math.cos(math.pi * share)) / 2


def adamw(model: nn.Module, settings: TrainingSettings) -> Optimizer:
    groups = [
        {"params": [p for p in model.parameters() if p.dim() == 2], "weight_decay": settings.decay},
        {"params": [p for p in model.parameters() if p.dim() != 2], "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=settings.rate, betas=BETAS)


class Training(Generic[L]):
    """A training that goes on from its last checkpoint in `folder`, if there is one of these settings,
    lessons and weights to begin with. `loss` is of the lessons of one step, by `model`'s present weights;
    `optimiser` makes what moves them. Raises LabError where there is no lesson."""

    def __init__(
        self,
        model: nn.Module,
        source: Sequence[L],
        loss: Callable[[Sequence[L]], Loss],
        settings: TrainingSettings,
        folder: Path,
        optimiser: Callable[[nn.Module, TrainingSettings], Optimizer] = adamw,
    ) -> None:
        if not source:
            raise LabError("There is no text to learn from.", "Make at least one shard of target text.")
        self.model, self.source, self.loss, self.settings = model, source, loss, settings
        made_of = (type(model).__name__, optimiser.__name__, settings)
        self._path = folder / f"checkpoint-{_digest(made_of, model, source)}.pt"
        self.optimizer = optimiser(model, settings)
        self.step = 0
        self._resume()

    def run(self) -> Iterator[TrainingRecord]:
        """Train to the last step, saving a checkpoint every `save_every` steps and at the end."""
        order = chain.from_iterable(
            groups(self.source, self.settings.rows, self.settings.seed, epoch) for epoch in count()
        )
        for group in islice(order, self.step, self.settings.steps):
            yield self._learn(group)
            if self.step % self.settings.save_every == 0 or self.step == self.settings.steps:
                self._save()

    def _learn(self, group: Sequence[L]) -> TrainingRecord:
        rate = learning_rate(self.settings, self.step)
        for parameters in self.optimizer.param_groups:
            parameters["lr"] = rate
        loss = self.loss(group)
        self.optimizer.zero_grad()
        loss.total.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), CLIP)
        self.optimizer.step()
        self.step += 1
        return TrainingRecord(self.step, {name: part.item() for name, part in loss.parts.items()}, rate)

    def _save(self) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        beside = self._path.with_name(f"{self._path.name}.{os.getpid()}")
        state = {
            "step": self.step,
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
        }
        torch.save(state, beside)
        beside.rename(self._path)

    def _resume(self) -> None:
        if not self._path.exists():
            return
        state = torch.load(self._path, weights_only=True)
        self.step = state["step"]
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])


def _digest(made_of: object, model: nn.Module, source: Sequence[L]) -> str:
    """Of all that a training's result follows from."""
    digest = hashlib.sha256(repr(made_of).encode())
    weights = model.state_dict().values()
    lessons = (getattr(lesson, field.name) for lesson in source for field in fields(lesson))
    for value in chain(weights, lessons):
        if isinstance(value, Tensor):
            digest.update(value.cpu().contiguous().view(torch.uint8).numpy().tobytes())
        else:
            digest.update(repr(value).encode())
    return digest.hexdigest()[:12]
