"""How far two caches lie apart at the same positions."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from lab.models.cache import KVCache


def column_change(
    old: KVCache,
    new: KVCache,
    old_row: int,
    new_row: int,
    span: slice,
    convert: Callable[[Tensor], Tensor] = lambda x: x,
) -> list[float]:
    """‖new - old‖ ÷ ‖old‖ of the K/V column of each position in `span`, over all layers and heads."""
    before = [x[:, old_row, :, span].float() for x in (old.k, old.v)]
    after = [convert(x[:, new_row, :, span]).float() for x in (new.k, new.v)]
    moved = torch.stack([(a - b).square().sum((0, 1, 3)) for a, b in zip(after, before, strict=True)])
    size = torch.stack([b.square().sum((0, 1, 3)) for b in before])
    return [float(change) for change in (moved.sum(0) / size.sum(0)).sqrt()]
