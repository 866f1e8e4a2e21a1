"""Distillation: a small model learns the target's laws rather than its samples.

The loss at a position has two parts. *Law*: the cross-entropy of the draft's law q against the
target's p, over the target's likeliest tokens and one bucket for all the rest (Hinton et al., 2015,
arXiv:1503.02531, at temperature 1). *Choice*: the cross-entropy against the target's first choice
alone, which is what greedy decoding asks for. Tokens that the draft does not have count in neither.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from lab.models.config import ModelConfig
from lab.training.lessons import Lesson, batch
from lab.training.loop import Loss, TrainingSettings
from lab.training.trainable import TrainableLlama


@dataclass(frozen=True)
class DistilSettings(TrainingSettings):
    """`choice`: weight of the choice loss beside the law loss."""

    choice: float = 0.5


def losses(logits: Tensor, top_ids: Tensor, top_p: Tensor) -> tuple[Tensor, Tensor]:
    """(law, choice) in nats a token, of logits [n, R] and the target's likeliest tokens [n, KEPT].

    `top_ids` are places in the draft's vocabulary; R or more stands for a token that it does not have.
    """
    size = logits.shape[-1]
    log_q = logits.log_softmax(-1)
    known = top_ids < size
    log_q = log_q.gather(1, top_ids.clamp(max=size - 1)).masked_fill(~known, 0.0)
    p = top_p.masked_fill(~known, 0.0)
    rest = (1 - top_p.sum(-1)).clamp(min=0)
    log_rest = (1 - log_q.exp().masked_fill(~known, 0.0).sum(-1)).clamp(min=1e-6).log()
    law = -((p * log_q).sum(-1) + rest * log_rest) / (p.sum(-1) + rest).clamp(min=1e-6)
    first = known[:, 0]
    return law.mean(), -(log_q[:, 0] * first).sum() / first.sum().clamp(min=1)


def draft_loss(model: TrainableLlama, settings: DistilSettings) -> Callable[[Sequence[Lesson]], Loss]:
    """What a draft learns: the two losses at every position of the continuations."""

    def loss(group: Sequence[Lesson]) -> Loss:
        made = batch(group)
        hidden = model.hidden(made.tokens).flatten(0, 1)[made.where]
        logits = hidden @ model.model.embed_tokens.weight.T
        law, choice = losses(logits[:, :-1], made.top_ids, made.top_p)
        return Loss(law + settings.choice * choice, {"law": law, "choice": choice})

    return loss


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
