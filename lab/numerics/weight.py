"""A linear layer's weight in the forms that the lanes ask for, each made once and shared."""

from __future__ import annotations

import threading
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from lab.numerics.kernels import Kernels
from lab.numerics.rounding import round_bf16


class Weight:
    """W [out, in] (and a bias [out] or None) as stored in the checkpoint.

    `product` serves the FP32-arithmetic lanes; `native` the torch BF16 kernels. Thread-safe:
    two sessions of the app may ask for the same form at once.
    """

    def __init__(self, stored: Tensor, bias: Tensor | None, kernels: Kernels) -> None:
        self.stored = stored
        self.bias = bias
        self.kernels = kernels
        self._forms: dict[tuple[str, int], Any] = {}
        self._lock = threading.Lock()

    @property
    def shape(self) -> tuple[int, int]:
        """(in, out)"""
        return self.stored.shape[1], self.stored.shape[0]

    def product(self, x: Tensor, splits: int, bf16_values: bool, reduced_partials: bool) -> Tensor:
        """x Wᵀ + b in FP32, K cut into `splits` parts that are summed apart and then added in order.

        x [rows, in] FP32 -> [rows, out] FP32, not yet rounded. `bf16_values` rounds W to BF16
        first (nothing changes for a checkpoint that is stored in BF16).
        """
        parts = self._sliced(splits, bf16_values)
        if splits == 1:
            out = self.kernels.gemm.apply(x, parts[0])
        else:
            widths = [part.shape[1] for part in self.stored.tensor_split(splits, dim=1)]
            partials = [
                self.kernels.gemm.apply(piece.contiguous(), part)
                for piece, part in zip(x.split(widths, dim=1), parts, strict=True)
            ]
            if reduced_partials:
                partials = [round_bf16(partial) for partial in partials]
            out = partials[0]
            for partial in partials[1:]:
                out = out + partial
        return out if self.bias is None else out + self.bias.float()

    def native(self, x: Tensor) -> Tensor:
        """x Wᵀ + b by torch's own BF16 kernel. x [rows, in] BF16 -> [rows, out] BF16."""
        weight = self._form(("native", 1), lambda: self.stored.to(torch.bfloat16).contiguous())
        return F.linear(x, weight, None if self.bias is None else self.bias.to(torch.bfloat16))

    def _sliced(self, splits: int, bf16_values: bool) -> list[Any]:
        rounded = bf16_values and self.stored.dtype != torch.bfloat16

        def make() -> list[Any]:
            full = self.stored.float()
            full = round_bf16(full) if rounded else full
            return [self.kernels.gemm.prepare(part) for part in full.tensor_split(splits, dim=1)]

        return self._form(("rounded" if rounded else "exact", splits), make)

    def _form(self, key: tuple[str, int], make: Any) -> Any:
        with self._lock:
            if key not in self._forms:
                self._forms[key] = make()
            return self._forms[key]
