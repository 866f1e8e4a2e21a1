from dataclasses import replace

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from lab.numerics.attention import BLOCK, MASKED, block_attention, plan_attention
from lab.numerics.kernels import Kernels, choose_kernels
from lab.numerics.rounding import keep_fp32, round_bf16

KERNELS = choose_kernels(torch.device("cpu"), [(64, 64)], 16)


def case(rows: int, queries: int, heads: int, kv_heads: int, context: int, d: int = 16) -> tuple[Tensor, ...]:
    make = torch.Generator().manual_seed(rows * 1000 + queries)
    blocks = -(-context // BLOCK) * BLOCK
    q = torch.randn(rows, queries, heads, d, generator=make)
    k, v = (torch.randn(rows, kv_heads, blocks, d, generator=make) for _ in "kv")
    seen = context - queries + torch.arange(queries)
    mask = torch.zeros(rows, queries, blocks).masked_fill_(torch.arange(blocks) > seen[:, None], MASKED)
    return q, k, v, mask


def reference(q: Tensor, k: Tensor, v: Tensor, mask: Tensor) -> Tensor:
    group = q.shape[2] // k.shape[1]
    k, v = (x.double().repeat_interleave(group, dim=1) for x in (k, v))
    out = F.scaled_dot_product_attention(q.double().transpose(1, 2), k, v, attn_mask=mask[:, None].double())
    return out.transpose(1, 2)


@pytest.mark.parametrize("splits", [1, 2, 3, 7])
@pytest.mark.parametrize("shape", [(1, 1, 4, 4, 5), (2, 7, 6, 2, 130), (3, 1, 9, 3, 400), (1, 70, 4, 1, 70)])
def test_equals_attention_in_fp64(shape: tuple[int, ...], splits: int) -> None:
    q, k, v, mask = case(*shape)
    plan = plan_attention(mask, q.shape[2], k.shape[1], splits, KERNELS)
    out = block_attention(q, k, v, plan, keep_fp32)
    assert torch.allclose(out.double(), reference(q, k, v, mask), atol=2e-6)


def test_more_masked_blocks_change_no_bit() -> None:
    q, k, v, mask = case(2, 3, 6, 2, 100)
    out = block_attention(q, k, v, plan_attention(mask, 6, 2, 1, KERNELS), keep_fp32)
    k, v = (F.pad(x, (0, 0, 0, 3 * BLOCK), value=7.0) for x in (k, v))
    mask = F.pad(mask, (0, 3 * BLOCK), value=MASKED)
    assert torch.equal(block_attention(q, k, v, plan_attention(mask, 6, 2, 1, KERNELS), keep_fp32), out)


def test_a_split_with_nothing_to_see_adds_nothing() -> None:
    """A short row beside a long one: its later splits are masked in full."""
    q, k, v, mask = case(1, 1, 4, 2, 4 * BLOCK)
    mask[..., BLOCK:] = MASKED
    halves = block_attention(q, k, v, plan_attention(mask, 4, 2, 4, KERNELS), keep_fp32)
    short = block_attention(
        q, k[:, :, :BLOCK], v[:, :, :BLOCK], plan_attention(mask[..., :BLOCK], 4, 2, 1, KERNELS), keep_fp32
    )
    assert torch.equal(halves, short)


def test_one_query_per_product_gives_the_same_result() -> None:
    q, k, v, mask = case(2, 5, 6, 2, 150)
    apart: Kernels = replace(KERNELS, one_query_per_product=True)
    out = block_attention(q, k, v, plan_attention(mask, 6, 2, 1, apart), keep_fp32)
    for i in range(5):
        alone = block_attention(
            q[:, i : i + 1], k, v, plan_attention(mask[:, i : i + 1], 6, 2, 1, apart), keep_fp32
        )
        assert torch.equal(out[:, i : i + 1], alone)
    assert torch.allclose(out.double(), reference(q, k, v, mask), atol=2e-6)


def test_splits_show_after_rounding_to_bf16() -> None:
    q, k, v, mask = case(4, 1, 6, 2, 500)
    one, four = (
        block_attention(q, k, v, plan_attention(mask, 6, 2, splits, KERNELS), round_bf16) for splits in (1, 4)
    )
    assert not torch.equal(one, four)
    assert torch.allclose(one, four, rtol=2**-6, atol=1e-3)
