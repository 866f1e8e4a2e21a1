"""From logits to a law, and from a law to a token.

One transform serves every decoder. Temperature 0 is a one-hot law on the largest logit;
nothing is ever divided by zero. A tie goes to the lowest token id, in every lane.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from lab.errors import LabError


@dataclass(frozen=True)
class Sampling:
    """How a request draws its tokens. The defaults are greedy decoding.

    Order of application: temperature, top-k, top-p, min-p (each may be off).
    """

    temperature: float = 0.0
    top_k: int | None = None
    top_p: float | None = None
    min_p: float | None = None

    def __post_init__(self) -> None:
        checks = {
            "temperature": (self.temperature, 0.0 <= self.temperature < float("inf"), "0 or more"),
            "top_k": (self.top_k, self.top_k is None or self.top_k >= 1, "1 or more"),
            "top_p": (self.top_p, self.top_p is None or 0.0 < self.top_p <= 1.0, "above 0 and at most 1"),
            "min_p": (self.min_p, self.min_p is None or 0.0 <= self.min_p <= 1.0, "from 0 to 1"),
        }
        for name, (value, good, rule) in checks.items():
            if not good:
                raise LabError(f"{name} = {value} is not usable.", f"Give a number {rule}.")


GREEDY = Sampling()


def law(logits: Tensor, sampling: Sampling) -> Tensor:
    """Probabilities [..., vocab] in FP64 that `sampling` makes of finite logits [..., vocab]."""
    if sampling.temperature == 0.0:
        return torch.zeros_like(logits, dtype=torch.float64).scatter_(-1, greedy(logits)[..., None], 1.0)
    p = torch.softmax(logits.double() / sampling.temperature, dim=-1)
    if sampling.top_k is not None and sampling.top_k < p.shape[-1]:
        p = _keep(p, _rank(p) < sampling.top_k)
    if sampling.top_p is not None:
        ordered, order = torch.sort(p, dim=-1, descending=True, stable=True)
        kept = ordered.cumsum(-1) - ordered < sampling.top_p  # the smallest set that reaches top_p
        p = _keep(p, torch.zeros_like(kept).scatter_(-1, order, kept))
    if sampling.min_p is not None:
        p = _keep(p, p >= sampling.min_p * p.amax(-1, keepdim=True))
    return p


def draw(p: Tensor, uniform: float) -> int:
    """The token of law p [vocab] at a number in [0, 1), by inverting the cumulative sum."""
    cumulative = p.cumsum(0)
    token = int(torch.searchsorted(cumulative, torch.tensor(uniform * float(cumulative[-1])), right=True))
    return min(
        token, int(p.nonzero()[-1])
    )  # rounding of the last sum must not reach a token of probability 0


def greedy(logits: Tensor) -> Tensor:
    """Index of the largest logit over the last dimension; the lowest index among equals."""
    return logits.argmax(-1)  # documented to give the first of several


def top(logits: Tensor, k: int) -> tuple[Tensor, Tensor]:
    """The k largest logits of [rows, vocab] and their token ids; equals in order of their ids.

    -> values [rows, k], ids [rows, k].
    """
    k = min(k, logits.shape[-1])
    values, ids = torch.topk(logits, min(k + 1, logits.shape[-1]), dim=-1)
    if k < logits.shape[-1] and bool((values[:, k - 1] == values[:, k]).any()):
        # Equal logits straddle the cut, and topk picks any of them: sort these rows in full.
        values, ids = torch.sort(logits, dim=-1, descending=True, stable=True)
        return values[:, :k], ids[:, :k]
    values, ids = values[:, :k], ids[:, :k]
    by_id = ids.argsort(dim=-1)
    values, ids = values.gather(-1, by_id), ids.gather(-1, by_id)
    by_value = values.argsort(dim=-1, descending=True, stable=True)
    return values.gather(-1, by_value), ids.gather(-1, by_value)


def _rank(p: Tensor) -> Tensor:
    """Place of each entry in falling order, equals in order of their ids."""
    order = torch.sort(p, dim=-1, descending=True, stable=True).indices
    return torch.empty_like(order).scatter_(-1, order, torch.arange(p.shape[-1]).expand_as(order))


def _keep(p: Tensor, kept: Tensor) -> Tensor:
    p = torch.where(kept, p, 0.0)
    return p / p.sum(-1, keepdim=True)
