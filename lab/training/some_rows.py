"""A part of a head's rows that stands for all of them, so that a training step costs a third.

Most of a step's work would be the logits of tokens that none of its laws is about. The tokens that are likely
somewhere in the step are all worked out; of the others one in `STRIDE`, which counts `STRIDE` times:
importance sampling of the softmax's sum (Bengio and Senécal, 2008; Jean et al., 2015, arXiv:1412.2007).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor

NEAR = 8  # likeliest tokens of every position whose logits are all worked out
STRIDE = 8


@dataclass(frozen=True)
class SomeRows:
    """m of a head's R rows."""

    rows: Tensor  # [m, hidden]
    offsets: Tensor  # [m], added to the logits
    places: Tensor  # [R + 1] place of each of R ids that stands for itself; m for the others, and for R

    def logits(self, hidden: Tensor) -> Tensor:
        """[n, hidden] -> [n, m]"""
        return torch.addmm(self.offsets, hidden, self.rows.T)

    def law(self, top_ids: Tensor, top_p: Tensor) -> tuple[Tensor, Tensor]:
        """A law's likeliest tokens [n, KEPT] and their probabilities, among these rows. A token of the head
        that does not stand for itself joins the rest."""
        inner = self.places[top_ids]
        left_out = (inner == len(self.rows)) & (top_ids < len(self.places) - 1)
        return inner, top_p.masked_fill(left_out, 0.0)


def some_rows(head: Tensor, top_ids: Tensor) -> SomeRows:
    """For a head [R, hidden] and the likeliest tokens [n, KEPT] of a step's laws, in its own ids.

    Which of the other tokens are taken follows from `top_ids`: a training that is resumed takes the same.
    """
    size = len(head)
    near = torch.zeros(size + 1, dtype=torch.bool, device=head.device)
    near[top_ids[:, :NEAR]] = True
    sure = near[:size].nonzero()[:, 0]
    rest = (~near[:size]).nonzero()[:, 0][int(top_ids.sum()) % STRIDE :: STRIDE]
    places = torch.full((size + 1,), len(sure) + len(rest), device=head.device)
    places[sure] = torch.arange(len(sure), device=head.device)
    offsets = head.new_zeros(len(sure) + len(rest))
    offsets[len(sure) :] = math.log(STRIDE)
    return SomeRows(head[torch.cat([sure, rest])], offsets, places)
