"""Muon: each matrix moves by its momentum with all singular values made about 1 (Jordan et al., 2024).

https://kellerjordan.github.io/posts/muon. The step is scaled to the root mean square of an AdamW step, 0.2
(Liu et al., 2025, arXiv:2502.16982, §2.2), so that learning rate and decay are those of AdamW. Vectors get
AdamW itself.

`torch.optim.Muon` does the same with BF16 products, which a CPU without BF16 instructions does thirty times
as slowly, and takes matrices alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch import Tensor, nn

from lab.training.loop import TrainingSettings

MOMENTUM = 0.95
BETAS = (0.9, 0.98)  # of the vectors
ROUNDS = 5
QUINTIC = (3.4445, -4.7750, 2.0315)  # takes singular values in (0, 1] to between 0.7 and 1.2 in five rounds
RMS = 0.2


class Muon(torch.optim.Optimizer):
    """One parameter group has all; `decay` is of matrices alone."""

    def __init__(self, parameters: Iterable[nn.Parameter], lr: float, decay: float = 0.0) -> None:
        super().__init__(parameters, {"lr": lr, "decay": decay})

    @torch.no_grad()
    def step(self, closure: Callable[[], float] | None = None) -> float | None:  # type: ignore[override]
        loss = None if closure is None else closure()
        for group in self.param_groups:
            for weight in group["params"]:
                if weight.grad is None:
                    continue
                if weight.dim() == 2:
                    _move_matrix(weight, weight.grad, self.state[weight], group["lr"], group["decay"])
                else:
                    _move_vector(weight, weight.grad, self.state[weight], group["lr"])
        return loss


def muon(model: nn.Module, settings: TrainingSettings) -> Muon:
    return Muon(model.parameters(), settings.rate, settings.decay)


def orthogonal(matrix: Tensor) -> Tensor:
    """The matrix with its singular values near 1 (U Vᵀ of its decomposition, about): Newton–Schulz rounds
    of X ← aX + bXXᵀX + cXXᵀXXᵀX, from X of norm 1."""
    a, b, c = QUINTIC
    wide = matrix.shape[0] <= matrix.shape[1]
    x = matrix if wide else matrix.T
    x = x / (x.norm() + 1e-7)
    for _ in range(ROUNDS):
        gram = x @ x.T
        x = a * x + (b * gram + c * gram @ gram) @ x
    return x if wide else x.T


def _move_matrix(weight: Tensor, gradient: Tensor, state: dict[str, Any], rate: float, decay: float) -> None:
    momentum = state.setdefault("momentum", torch.zeros_like(weight))
    momentum.lerp_(gradient, 1 - MOMENTUM)
    direction = orthogonal(gradient.lerp(momentum, MOMENTUM))
    weight.mul_(1 - rate * decay).sub_(direction, alpha=rate * RMS * max(weight.shape) ** 0.5)


def _move_vector(weight: Tensor, gradient: Tensor, state: dict[str, Any], rate: float) -> None:
    mean = state.setdefault("mean", torch.zeros_like(weight))
    square = state.setdefault("square", torch.zeros_like(weight))
    state["step"] = step = state.get("step", 0) + 1
    mean.lerp_(gradient, 1 - BETAS[0])
    square.lerp_(gradient.square(), 1 - BETAS[1])
    spread = (square / (1 - BETAS[1] ** step)).sqrt_().add_(1e-8)
    weight.addcdiv_(mean / (1 - BETAS[0] ** step), spread, value=-rate)
