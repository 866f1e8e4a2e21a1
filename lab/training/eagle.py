"""What an EAGLE head learns, and what it begins with.

A pair is the target's feature at position i and the token at i + 1; from it the head predicts the feature
at i + 1, of which the target's head makes a guess at the token at i + 2. Law and choice losses as of a
draft (distil.py), in every step of chains of guesses that begin at every pair (`TrainableEagle.unroll`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor

from lab.models.eagle import eagle_config
from lab.models.transformer import Transformer
from lab.training.distil import DistilSettings, losses
from lab.training.lessons import FeatureLesson
from lab.training.loop import Loss
from lab.training.some_rows import some_rows
from lab.training.trainable_eagle import TrainableEagle

START = 300  # lessons that the first weights are fitted to
SMALLEST_GAIN = 0.05  # of the target's last norm that is divided by
RIDGE = 0.01  # of the mean square of an input


@dataclass(frozen=True)
class EagleSettings(DistilSettings):
    """`unrolled`: steps of a chain. Step j + 1 weighs `fading` times what step j does.

    `feature`: weight of the SmoothL1 distance to the target's features, EAGLE's own loss, beside the law's.
    """

    unrolled: int = 3
    fading: float = 0.8
    feature: float = 1.0


@dataclass(frozen=True)
class EagleBatch:
    """Pairs of several lessons, padded on the right, and the `n` pairs whose prediction has a law.

    A chain that has come to pair p in step j (from 1) began at pair p − j + 1; it counts where that pair has
    a law too, so where `depth` ≥ j − 1.
    """

    tokens: Tensor  # [rows, positions] int64: of pair i the token at i + 1, the target's ids
    features: Tensor  # [rows, positions, taps · hidden] FP32: of pair i those at i
    since: int  # no pair before this one has a law
    where: Tensor  # [n] place of the pair in the flattened grid of the pairs from `since` on
    depth: Tensor  # [n] how many pairs of its row before it have a law
    expected: Tensor  # [n, hidden] FP32: the last tap's feature at i + 1
    top_ids: Tensor  # [n, KEPT] int64, places in the head's vocabulary [R], or R
    top_p: Tensor  # [n, KEPT] FP32


def eagle_batch(
    group: Sequence[FeatureLesson], hidden: int, device: torch.device | str = "cpu"
) -> EagleBatch:
    """Prompts must be of two tokens or more."""
    lengths = [len(lesson.tokens) - 1 for lesson in group]
    since = min(length - len(lesson.top_ids) for length, lesson in zip(lengths, group, strict=True))
    widest = max(lengths)
    tokens = torch.zeros(len(group), widest, dtype=torch.long)
    features = torch.zeros(len(group), widest, group[0].features.shape[-1])
    where = []
    for row, (length, lesson) in enumerate(zip(lengths, group, strict=True)):
        tokens[row, :length] = lesson.tokens[1:]
        features[row, :length] = lesson.features[:-1]
        where.append(row * (widest - since) + torch.arange(length - len(lesson.top_ids), length) - since)
    expected = torch.cat([lesson.chosen_at()[:, -hidden:] for lesson in group])
    return EagleBatch(
        tokens.to(device),
        features.to(device),
        since,
        torch.cat(where).to(device),
        torch.cat([torch.arange(len(lesson.top_ids)) for lesson in group]).to(device),
        expected.to(device).float(),
        torch.cat([lesson.top_ids for lesson in group]).to(device).long(),
        torch.cat([lesson.top_logprobs for lesson in group]).to(device).float().exp(),
    )


def eagle_loss(model: TrainableEagle, settings: EagleSettings) -> Callable[[Sequence[FeatureLesson]], Loss]:
    """The losses of every step, faded; what is told is the mean over steps."""

    def loss(group: Sequence[FeatureLesson]) -> Loss:
        batch = eagle_batch(group, model.config.hidden_size, model.head.device)
        head = some_rows(model.head, batch.top_ids)
        top_ids, top_p = head.law(batch.top_ids, batch.top_p)
        made = model.unroll(batch.tokens, batch.features, settings.unrolled, batch.since)
        parts: dict[str, list[Tensor]] = {"law": [], "choice": [], "feature": []}
        for step, predicted in enumerate(made):
            counts = batch.depth >= step
            own = predicted.flatten(0, 1)[batch.where[counts]]
            law, choice = losses(head.logits(own), top_ids[counts], top_p[counts])
            parts["law"].append(law)
            parts["choice"].append(choice)
            parts["feature"].append(F.smooth_l1_loss(own, batch.expected[counts]))
        share = torch.tensor(
            [settings.fading**step for step in range(settings.unrolled)], device=model.head.device
        )
        law, choice, feature = (torch.stack(part) for part in parts.values())
        total = share @ (law + settings.choice * choice + settings.feature * feature)
        return Loss(total, {name: torch.stack(part).detach().mean() for name, part in parts.items()})

    return loss


@torch.no_grad()
def start_eagle(
    target: Transformer,
    vocabulary: Tensor,
    taps: int,
    ffn: int,
    source: Sequence[FeatureLesson],
    seed: int,
) -> TrainableEagle:
    """A head to begin with, whose last feature is the target's after all layers: what a linear map can say of
    the next feature, by least squares on some lessons. The layer adds next to nothing at first.

    Of several taps the last one enters as it is, the others a little.
    """
    torch.manual_seed(seed)
    head = target.head.stored[vocabulary.to(target.device)].cpu()
    model = TrainableEagle(eagle_config(target.config, ffn), taps, target.embedding.cpu(), head)
    gain, hidden = target.norm.cpu(), target.config.hidden_size
    model.norm.weight.copy_(gain)
    for name, weight in model.layer.named_parameters():
        if weight.dim() == 2:
            into_residual = name.endswith(("o_proj.weight", "down_proj.weight"))
            torch.nn.init.normal_(weight, std=0.005 if into_residual else 0.04)
    if taps == 1:  # the gain of the target's norm is taken back
        model.feature_norm.weight.copy_(1 / gain.where(gain.abs() > SMALLEST_GAIN, SMALLEST_GAIN))
    else:
        torch.nn.init.normal_(model.combine.weight, std=0.01)
        model.combine.weight[:, -hidden:] = torch.eye(hidden)
    batch = eagle_batch(source[:START], hidden)
    embedded = model.embedding_norm(F.embedding(batch.tokens, model.embedding))
    inputs = torch.cat([embedded, model.feature_norm(model.entering(batch.features))], -1)
    x = inputs[:, batch.since :].flatten(0, 1)[batch.where]
    products = x.T @ x
    products += torch.eye(len(products)) * products.diagonal().mean() * RIDGE
    model.fuse.weight.copy_(torch.linalg.solve(products, x.T @ (batch.expected / gain)).T)
    return model
