"""Medusa heads as a torch module that learns; `lab.models.medusa` is what decodes with them.

Same weights under the same names (a test holds the logits of the two equal), FP32. Head k learns, at every
position of a continuation, the target's law k tokens further: the loss is that of a draft, the mean over
heads. The heads share no weights, so no balance between them is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lab.training.distil import DistilSettings, losses
from lab.training.lessons import FeatureLesson
from lab.training.loop import Loss
from lab.training.some_rows import some_rows

HEADS = 4


class TrainableMedusa(nn.Module):
    """K blocks over rows [R, hidden] of the target's head, which stay as they are."""

    rows: Tensor

    def __init__(self, heads: int, rows: Tensor) -> None:
        super().__init__()
        hidden = rows.shape[1]
        self.blocks = nn.ModuleList(nn.Linear(hidden, hidden) for _ in range(heads))
        for parameter in self.blocks.parameters():
            nn.init.zeros_(parameter)
        self.register_buffer("rows", rows.float(), persistent=False)

    def hidden(self, k: int, features: Tensor) -> Tensor:
        """features [n, hidden] -> what head k = 1 … K gives to the rows, [n, hidden]."""
        return features + F.silu(self.blocks[k - 1](features))


def medusa_loss(
    model: TrainableMedusa, settings: DistilSettings
) -> Callable[[Sequence[FeatureLesson]], Loss]:
    """The two losses of a draft, of every head at every position whose token k further is in the text.

    Lessons must be of more than K tokens.
    """

    def loss(group: Sequence[FeatureLesson]) -> Loss:
        device = model.rows.device
        rows = some_rows(model.rows, torch.cat([lesson.top_ids for lesson in group]).to(device).long())
        each = []
        for k in range(1, len(model.blocks) + 1):
            features = torch.cat([lesson.chosen_at()[:-k] for lesson in group]).to(device).float()
            top_ids = torch.cat([lesson.top_ids[k:] for lesson in group]).to(device).long()
            top_p = torch.cat([lesson.top_logprobs[k:] for lesson in group]).to(device).float().exp()
            each.append(losses(rows.logits(model.hidden(k, features)), *rows.law(top_ids, top_p)))
        law, choice = (torch.stack(part).mean() for part in zip(*each, strict=True))
        return Loss(law + settings.choice * choice, {"law": law, "choice": choice})

    return loss
