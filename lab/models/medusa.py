"""Medusa: heads that guess several tokens ahead from one feature of the target, all at once.

Head k reads the feature h of a position (what the target's own head reads there, after the final norm),
adds SiLU(W_k h + b_k) to it, and passes the sum through rows of the target's head: where the target's logits
are of the next token, head k's are of the token k places further. No head sees what another guesses.
Cai et al., 2024, arXiv:2401.10774, §2.1.1. As there, W_k and b_k start at 0, where head k repeats the
target's own logits. There every head also trains a copy of the target's head; here the rows stay as they are.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from lab.models.checkpoint import check_shapes
from lab.models.draft_file import Format
from lab.models.fields import count
from lab.models.heads import head_rows, read_heads
from lab.models.loaded import LoadedModel
from lab.numerics.kernels import choose_kernels
from lab.numerics.lanes import FP32, Lane
from lab.numerics.weight import Weight

MEDUSA = Format("decoding-lab-medusa", "file of Medusa heads", "python -m lab train medusa")
DEFAULT_MEDUSA = "medusa"


@dataclass(frozen=True)
class Medusa:
    """K heads on their target's device. `vocabulary` [R] int64: the ids that they propose, rising."""

    name: str
    target: str
    heads: int
    blocks: Weight  # [K · hidden, hidden], W_1 … W_K one below the other
    rows: Weight  # [R, hidden], of the target's head
    vocabulary: Tensor
    taps: tuple[int, ...]  # the one feature that they read

    @property
    def parameters(self) -> int:
        """Of the heads alone; the rows are the target's."""
        inputs, outputs = self.blocks.shape
        return (inputs + 1) * outputs

    @torch.inference_mode()
    def logits(self, features: Tensor, lane: Lane = FP32) -> Tensor:
        """features [n, hidden] -> FP32 logits [n, K, R]: entry k is of the token k + 1 places after the one
        that the target's own head gives there."""
        h = lane.round(features)
        steps = lane.silu(lane.linear(h, self.blocks)).unflatten(-1, (self.heads, -1))
        hidden = lane.round(h[:, None] + steps)
        return lane.linear(hidden.flatten(0, 1), self.rows).float().unflatten(0, (-1, self.heads))


def load_medusa(name: str, target: LoadedModel) -> Medusa:
    """Shipped Medusa heads by name, or those in a .safetensors file, on the target's device.

    Raises LabError as `heads.read_heads` does, and for tensors that do not fit.
    """
    file = read_heads(name, MEDUSA, ("heads",), target)
    model = target.transformer
    heads, hidden = count(file.about, "heads"), model.config.hidden_size
    heads = min(heads, len(file.tensors) + 1)  # a damaged number must not make a list of that length
    weights, biases = ([f"blocks.{k}.{part}" for k in range(heads)] for part in ("weight", "bias"))
    expected = dict.fromkeys(weights, (hidden, hidden)) | dict.fromkeys(biases, (hidden,))
    what, remedy = f"{heads} Medusa heads of width {hidden}", f"Write the file again: `{MEDUSA.command}`."
    check_shapes(file.tensors, expected, file.path.stem, what, remedy)
    shapes = [(hidden, heads * hidden), (hidden, len(file.vocabulary))]
    kernels = choose_kernels(model.device, shapes, model.config.head_dim)
    weight, bias = (torch.cat([file.tensors[key] for key in names]) for names in (weights, biases))
    return Medusa(
        file.path.stem,
        file.about["target"],
        heads,
        Weight(weight.to(model.device), bias.to(model.device), kernels),
        head_rows(model, file.vocabulary, kernels),
        file.vocabulary,
        tuple(file.about["taps"]),
    )
