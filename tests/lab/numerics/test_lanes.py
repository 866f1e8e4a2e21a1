import pytest
import torch

from lab.errors import LabError
from lab.numerics.kernels import choose_kernels
from lab.numerics.lanes import BF16_INVARIANT, FP32, LANES, bf16_emulated, make_lane, normalised
from lab.numerics.rounding import round_bf16
from lab.numerics.schedule import NormBlock, Schedule, SplitK
from lab.numerics.weight import Weight


@pytest.fixture(scope="module")
def weight() -> Weight:
    stored = torch.randn(64, 200, generator=torch.Generator().manual_seed(1)).to(torch.bfloat16)
    return Weight(stored, None, choose_kernels(torch.device("cpu"), [(200, 64)], 16))


def test_split_k_is_the_sum_of_its_parts(weight: Weight) -> None:
    """Against the definition: slices of K summed apart, then added in order."""
    x = round_bf16(torch.randn(3, 200))
    out = weight.product(x, 3, bf16_values=True, reduced_partials=False)
    pieces = zip(x.tensor_split(3, dim=1), weight.stored.float().tensor_split(3, dim=1), strict=True)
    parts = [piece.double() @ part.double().T for piece, part in pieces]
    assert torch.allclose(out.double(), sum(parts), atol=1e-4)


def test_reduced_partials_round_each_part(weight: Weight) -> None:
    x = round_bf16(torch.randn(5, 200))
    kept = weight.product(x, 4, bf16_values=True, reduced_partials=False)
    reduced = weight.product(x, 4, bf16_values=True, reduced_partials=True)
    exact = x.double() @ weight.stored.double().T
    assert (reduced.double() - exact).abs().mean() > 10 * (kept.double() - exact).abs().mean()


def test_linear_order_follows_the_schedule(weight: Weight) -> None:
    # About 5 of 64,000 elements change their rounding: of 256,000 none does with odds of 1e-8.
    x = round_bf16(torch.randn(4000, 200))
    lane = bf16_emulated(Schedule(linears=SplitK(((1, 4),))))
    alone = torch.cat([lane.linear(row[None], weight) for row in x])
    together = lane.linear(x, weight)
    assert not torch.equal(alone, together)
    assert torch.equal(together, BF16_INVARIANT.linear(x, weight))
    assert torch.equal(together, round_bf16(together))
    assert torch.allclose(alone, together, rtol=2**-7, atol=1e-3)


@pytest.mark.parametrize("threads", [256, 1024])
@pytest.mark.parametrize("n", [64, 576, 1000, 4096])
def test_norm_by_blocks_sums_every_square_once(threads: int, n: int) -> None:
    x = torch.randn(7, n)
    out = normalised(x, 1e-5, NormBlock(few=threads, many=threads))
    wide = x.double()
    assert torch.allclose(
        out.double(), wide / (wide.square().mean(-1, keepdim=True) + 1e-5).sqrt(), atol=1e-5
    )


def test_norm_order_changes_at_its_bound_and_hardly_shows_in_bf16() -> None:
    """vLLM saw 107 elements in 79 of 4,096 rows change: most changes vanish in the rounding."""
    x = torch.randn(300, 4096, generator=torch.Generator().manual_seed(0))
    few = torch.cat([normalised(part, 1e-5, NormBlock()) for part in x.split(100)])
    many = normalised(x, 1e-5, NormBlock())
    assert (few != many).float().mean() > 0.01
    assert (round_bf16(few) != round_bf16(many)).float().mean() < 1e-4
    assert torch.equal(few[:1], normalised(x[:1], 1e-5, NormBlock()))


@pytest.mark.parametrize("lane", [FP32, BF16_INVARIANT, bf16_emulated()])
def test_silu_does_not_depend_on_where_an_element_lies(lane: object) -> None:
    x = torch.randn(4099)
    whole = lane.silu(x)  # type: ignore[attr-defined]
    for at in (0, 1, 3, 1001):
        for n in (1, 2, 7, 8, 9, 31, 64, 65):
            assert torch.equal(lane.silu(x[at : at + n].clone()), whole[at : at + n])  # type: ignore[attr-defined]
    assert torch.allclose(whole, torch.nn.functional.silu(x), rtol=2**-7, atol=1e-6)


def test_lanes_by_name() -> None:
    assert [make_lane(name).name for name in LANES] == list(LANES)
    with pytest.raises(LabError, match=r"no lane 'fp64'.*fp32"):
        make_lane("fp64")
