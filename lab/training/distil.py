"""Distillation: a small model learns the target's laws rather than its samples.

The loss at a position has two parts. *Law*: the cross-entropy of the draft's law q against the
target's p, over the target's likeliest tokens and one bucket for all the rest (Hinton et al., 2015,
arXiv:1503.02531, at temperature 1). *Choice*: the cross-entropy against the target's first choice
alone, which is what greedy decoding asks for. Tokens that the draft does not have count in neither.

AdamW, a short linear warm-up and a cosine to zero. A checkpoint holds weights, optimiser and step;
order and schedule follow from the settings, so that an interrupted training that is resumed ends
with the same bits.
"""

from __future__ import annotations

import hashlib
import math
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, count, islice
from pathlib import Path

import torch
from torch import Tensor

from lab.errors import LabError
from lab.models.config import ModelConfig
from lab.training.lessons import Batch, Lesson, batches
from lab.training.trainable import TrainableLlama

BETAS = (0.9, 0.98)
CLIP = 1.0  # largest norm of a gradient


@dataclass(frozen=True)
class DistilSettings:
    """`rows`: continuations a step. `choice`: weight of the choice loss beside the law loss."""

    steps: int = 3000
    rows: int = 10
    rate: float = 3e-3
    warm_up: int = 100
    decay: float = 0.1
    choice: float = 0.5
    seed: int = 0
    save_every: int = 200


@dataclass(frozen=True)
class TrainingRecord:
    """One step: the two losses in nats a token, before the update. `step` counts from 1."""

    step: int
    law_loss: float
    choice_loss: float
    rate: float


def losses(logits: Tensor, batch: Batch) -> tuple[Tensor, Tensor]:
    """(law, choice) in nats a token, of the draft's logits [n, R + 1] at the batch's positions."""
    size = logits.shape[-1] - 1
    log_q = logits[:, :size].log_softmax(-1)
    known = batch.top_ids < size
    log_q = log_q.gather(1, batch.top_ids.clamp(max=size - 1)).masked_fill(~known, 0.0)
    p = batch.top_p.masked_fill(~known, 0.0)
    rest = (1 - batch.top_p.sum(-1)).clamp(min=0)
    log_rest = (1 - log_q.exp().masked_fill(~known, 0.0).sum(-1)).clamp(min=1e-6).log()
    law = -((p * log_q).sum(-1) + rest * log_rest) / (p.sum(-1) + rest).clamp(min=1e-6)
    first = known[:, 0]
    return law.mean(), -(log_q[:, 0] * first).sum() / first.sum().clamp(min=1)


def learning_rate(settings: DistilSettings, step: int) -> float:
    """Of step 0, 1, …: linear up to `rate`, then a half cosine down to zero."""
    if step < settings.warm_up:
        return settings.rate * (step + 1) / settings.warm_up
    share = (step - settings.warm_up) / max(1, settings.steps - settings.warm_up)
    return settings.rate * (1 + math.cos(math.pi * share)) / 2


def start_weights(config: ModelConfig, rows: Tensor, seed: int) -> TrainableLlama:
    """A model to begin with, whose embedding is the target's own rows [R, target hidden] projected onto
    their principal directions: what the target knows of its words, for nothing.

    Projections start small (GPT-2's rule: 0.02, those into the residual divided by √(2 · layers)).
    """
    torch.manual_seed(seed)
    model = TrainableLlama(config)
    for name, weight in model.named_parameters():
        if weight.dim() == 2:
            into_residual = name.endswith(("o_proj.weight", "down_proj.weight"))
            torch.nn.init.normal_(weight, std=0.02 / (math.sqrt(2 * config.layers) if into_residual else 1))
    centred = rows.float() - rows.float().mean(0)
    width = min(config.hidden_size, *centred.shape)
    _, _, directions = torch.linalg.svd(centred, full_matrices=False)
    projected = centred @ directions[:width].T
    with torch.no_grad():
        embedding = model.model.embed_tokens.weight
        embedding[: len(rows), :width] = projected / projected.std() * 0.05
    return model


class Training:
    """A training that goes on from its last checkpoint in `folder`, if there is one of these settings,
    lessons and weights to begin with. Raises LabError where there is no lesson."""

    def __init__(
        self, model: TrainableLlama, source: Sequence[Lesson], settings: DistilSettings, folder: Path
    ) -> None:
        if not source:
            raise LabError("There is no text to learn from.", "Make at least one shard of target text.")
        self.model, self.source, self.settings = model, source, settings
        self._path = folder / f"checkpoint-{_digest(model, source, settings)}.pt"
        matrices = [p for p in model.parameters() if p.dim() == 2]
        others = [p for p in model.parameters() if p.dim() != 2]
        groups = [
            {"params": matrices, "weight_decay": settings.decay},
            {"params": others, "weight_decay": 0.0},
        ]
        self.optimizer = torch.optim.AdamW(groups, lr=settings.rate, betas=BETAS)
        self.step = 0
        self._resume()

    def run(self) -> Iterator[TrainingRecord]:
        """Train to the last step, saving a checkpoint every `save_every` steps and at the end."""
        order = chain.from_iterable(
            batches(self.source, self.settings.rows, self.settings.seed, epoch) for epoch in count()
        )
        for batch in islice(order, self.step, self.settings.steps):
            yield self._learn(batch)
            if self.step % self.settings.save_every == 0 or self.step == self.settings.steps:
                self._save()

    def _learn(self, batch: Batch) -> TrainingRecord:
        rate = learning_rate(self.settings, self.step)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        hidden = self.model.hidden(batch.tokens).flatten(0, 1)[batch.where]
        law, choice = losses(hidden @ self.model.model.embed_tokens.weight.T, batch)
        self.optimizer.zero_grad()
        (law + self.settings.choice * choice).backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), CLIP)
        self.optimizer.step()
        self.step += 1
        return TrainingRecord(self.step, law.item(), choice.item(), rate)

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


def _digest(model: TrainableLlama, source: Sequence[Lesson], settings: DistilSettings) -> str:
    """Of all that a training's result follows from."""
    digest = hashlib.sha256(repr((settings, model.config)).encode())
    for weight in model.state_dict().values():
        digest.update(weight.numpy().tobytes())
    for lesson in source:
        digest.update(lesson.tokens.numpy().tobytes())
        digest.update(lesson.top_logprobs.numpy().tobytes())
    return digest.hexdigest()[:12]
