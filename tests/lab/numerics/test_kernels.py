import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from lab.numerics import kernels
from lab.numerics.kernels import Kernels, PackedGemm, PaddedGemm, choose_kernels

CPU = torch.device("cpu")
SHAPES = [(576, 960), (1536, 576)]


def test_chosen_gemm_keeps_rows_and_is_right() -> None:
    chosen = choose_kernels(CPU, SHAPES, 64)
    x, weight = torch.randn(130, 576), torch.randn(960, 576)
    prepared = chosen.gemm.prepare(weight)
    whole = chosen.gemm.apply(x, prepared)
    assert torch.allclose(whole.double(), x.double() @ weight.double().T, atol=1e-3)
    for rows in range(1, 130):
        assert torch.equal(chosen.gemm.apply(x[:rows], prepared), whole[:rows])
        assert torch.equal(chosen.gemm.apply(x[130 - rows :], prepared), whole[130 - rows :])


@pytest.mark.parametrize("tile", [1, 16])
def test_padded_gemm_keeps_rows(tile: int) -> None:
    gemm, x, weight = PaddedGemm(tile), torch.randn(40, 64), torch.randn(32, 64)
    whole = gemm.apply(x, gemm.prepare(weight))
    assert torch.allclose(whole, x @ weight.T, atol=1e-4)
    for rows in range(1, 40):
        assert torch.equal(gemm.apply(x[:rows], weight), whole[:rows])


class ShapeDependent(PackedGemm):
    """A kernel like the ones the lab is about: its order follows the number of rows."""

    def prepare(self, weight: Tensor) -> Tensor:
        return weight

    def apply(self, x: Tensor, prepared: Tensor) -> Tensor:
        if x.shape[0] > 4:
            return F.linear(x, prepared)
        half = x.shape[1] // 2
        return F.linear(x[:, :half], prepared[:, :half]) + F.linear(x[:, half:], prepared[:, half:])


def test_a_kernel_that_changes_with_rows_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not kernels._gemm_keeps_rows(ShapeDependent(), 576, 960, "cpu")
    monkeypatch.setattr(kernels, "PackedGemm", ShapeDependent)
    kernels._choose.cache_clear()
    try:
        chosen = choose_kernels(CPU, SHAPES, 64)
    finally:
        kernels._choose.cache_clear()
    assert isinstance(chosen.gemm, PaddedGemm)


def test_description_names_the_kernels() -> None:
    assert Kernels(PaddedGemm(1), 4, True).describe() == (
        "library kernel, one row at a time; attention one query a product; trees come close to their paths"
    )
    assert Kernels(PaddedGemm(16), 4, False, True).describe() == (
        "library kernel, 16 rows; attention queries in 4s; trees keep the bits of their paths"
    )
