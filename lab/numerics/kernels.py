"""Which kernels of this machine keep a row's bits whatever stands beside it: measured, not assumed.

A row of x @ Wᵀ should not depend on how many other rows there are. Plain library kernels
break that (their blocking follows the number of rows), so the reference lane needs a
kernel that does not. `choose_kernels` tries the candidates on the shapes in use, fastest
first, and takes the first that keeps every tested row's bits. The last candidate computes
each row alone, at a shape that never changes, so there always is one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

import torch
import torch.nn.functional as F
from torch import Tensor

PROBE_ROWS = (1, 2, 3, 4, 5, 7, 8, 12, 16, 32, 33, 64, 100)


class Gemm(Protocol):
    """An FP32 product with a weight that is prepared once."""

    @property
    def name(self) -> str: ...

    def prepare(self, weight: Tensor) -> Any:
        """weight [out, in] FP32, in the form that `apply` takes."""

    def apply(self, x: Tensor, prepared: Any) -> Tensor:
        """x [rows, in] FP32 -> [rows, out]."""


class PackedGemm:
    """oneDNN with the weight reordered once: fast at few rows, and one order for all row counts."""

    name = "oneDNN, packed weights"

    def prepare(self, weight: Tensor) -> Tensor:
        return torch.ops.mkldnn._reorder_linear_weight(weight.contiguous(), None)

    def apply(self, x: Tensor, prepared: Tensor) -> Tensor:
        return torch.ops.mkldnn._linear_pointwise(x, prepared, None, "none", [], "")


@dataclass(frozen=True)
class PaddedGemm:
    """The library's kernel at one fixed number of rows: rows are padded with zeros up to `tile`."""

    tile: int

    @property
    def name(self) -> str:
        return "library kernel, one row at a time" if self.tile == 1 else f"library kernel, {self.tile} rows"

    def prepare(self, weight: Tensor) -> Tensor:
        return weight.contiguous()

    def apply(self, x: Tensor, prepared: Tensor) -> Tensor:
        rows = x.shape[0]
        padded = F.pad(x, (0, 0, 0, -rows % self.tile))
        return torch.cat([F.linear(part, prepared) for part in padded.split(self.tile)])[:rows]


@dataclass(frozen=True)
class Kernels:
    """The FP32 kernels that a lane computes with on one device.

    `query_multiple`: attention's score and value products take this many query rows at a
    time or a multiple of it. `one_query_per_product`: where even that changes bits, every
    position goes through products of its own.
    """

    gemm: Gemm
    query_multiple: int
    one_query_per_product: bool
    skips_zeros: bool = False
    """Whether a value product keeps its bits where positions of weight zero stand between the others: then
    a token of a tree gets the bits of its own path."""

    def describe(self) -> str:
        queries = (
            "one query a product" if self.one_query_per_product else f"queries in {self.query_multiple}s"
        )
        trees = "keep the bits of their paths" if self.skips_zeros else "come close to their paths"
        return f"{self.gemm.name}; attention {queries}; trees {trees}"


def choose_kernels(device: torch.device, shapes: Iterable[tuple[int, int]], head_dim: int) -> Kernels:
    """The fastest row-invariant kernels for linears of `shapes` (in, out) and heads of `head_dim`."""
    return _choose(str(device), tuple(sorted({(k, min(n, 4096)) for k, n in shapes})), head_dim)


@cache
def _choose(device: str, shapes: tuple[tuple[int, int], ...], head_dim: int) -> Kernels:
    candidates: list[Gemm] = [PaddedGemm(16), PaddedGemm(1)]
    if device == "cpu" and hasattr(torch.ops.mkldnn, "_linear_pointwise"):
        candidates.insert(0, PackedGemm())
    gemm = next(
        (g for g in candidates[:-1] if all(_gemm_keeps_rows(g, k, n, device) for k, n in shapes)),
        candidates[-1],
    )
    together = _attention_keeps_rows(4, head_dim, device)
    return Kernels(gemm, 4, one_query_per_product=not together, skips_zeros=_skips_zeros(head_dim, device))


@torch.inference_mode()
def _gemm_keeps_rows(gemm: Gemm, k: int, n: int, device: str) -> bool:
    x, weight = _noise((max(PROBE_ROWS), k), device, seed=k), _noise((n, k), device, seed=n)
    prepared = gemm.prepare(weight)
    whole = gemm.apply(x, prepared)
    return _rows_agree(lambda rows: gemm.apply(x[rows], prepared), whole, multiple=1)


@torch.inference_mode()
def _attention_keeps_rows(multiple: int, head_dim: int, device: str) -> bool:
    block, groups = 64, 3
    q = _noise((groups, 128, head_dim), device, seed=1)
    k, v = (_noise((groups, 4 * block, head_dim), device, seed=seed) for seed in (2, 3))
    p = torch.softmax(_noise((groups, 128, block), device, seed=4), -1)

    def products(rows: slice, n: int) -> Tensor:
        scores = torch.bmm(q[:n, rows], k[:n].transpose(1, 2))
        values = torch.bmm(p[:n, rows], v[:n, block : 2 * block])
        return torch.cat([scores, values], -1).transpose(0, 1)

    whole = products(slice(None), groups)
    return all(
        _rows_agree(lambda rows, n=n: products(rows, n), whole[:, :n], multiple)  # type: ignore[misc]
        for n in (1, 2, groups)
    )


@torch.inference_mode()
def _skips_zeros(head_dim: int, device: str) -> bool:
    """Whether a block of a tree's slots gives the bits of 64 positions.

    It may have more slots, those of weight zero among the others, or fewer, where the last positions are
    masked; and keys stand in other columns.
    """
    groups, block = 3, 64
    for queries in (4, 12, 48, 196):
        q = _noise((groups, queries, head_dim), device, seed=queries + 1)
        p = torch.softmax(_noise((groups, queries, block), device, seed=queries), -1)
        for spread in (70, 96, 128, 192):
            v, wide_v = (_noise((groups, n, head_dim), device, seed=n) for n in (block, spread))
            places = torch.randperm(spread, generator=torch.Generator().manual_seed(spread))[:block].sort()[0]
            places = places.to(device)
            wide_p = p.new_zeros(groups, queries, spread).index_copy(2, places, p)
            wide_v = wide_v.index_copy(1, places, v)
            values = torch.equal(torch.bmm(wide_p, wide_v), torch.bmm(p, v))
            scores = torch.bmm(q, wide_v.transpose(1, 2))[..., places]
            if not (values and torch.equal(scores, torch.bmm(q, v.transpose(1, 2)))):
                return False
        for few in (1, 7, 20, 36, 63):
            short = p.clone()
            short[..., few:] = 0
            if not torch.equal(torch.bmm(short[..., :few], v[:, :few]), torch.bmm(short, v)):
                return False
    return True


def _rows_agree(compute: Callable[[slice], Tensor], whole: Tensor, multiple: int) -> bool:
    """Whether windows of several sizes and offsets reproduce the rows of `whole` bit for bit."""
    total = whole.shape[0]
    sizes = {max(multiple, rows // multiple * multiple) for rows in PROBE_ROWS if rows <= total}
    windows = [
        slice(at, at + size)
        for size in sizes
        for at in {0, multiple, total - total % multiple - size}
        if at >= 0
    ]
    return all(torch.equal(compute(window), whole[window]) for window in windows if window.stop <= total)


def _noise(shape: tuple[int, ...], device: str, seed: int) -> Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed)).to(device)
