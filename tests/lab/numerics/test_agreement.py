"""lab and sims never import each other; where they hold the same thing, it must be the same here."""

import math
from fractions import Fraction

import numpy as np
import pytest
import torch

from lab.numerics.kernels import choose_kernels
from lab.numerics.machine import ordinals
from lab.numerics.rounding import round_bf16
from lab.numerics.schedule import NormBlock, SplitK, SplitKV
from lab.numerics.weight import Weight
from sims import numbers
from sims.arithmetic import Arithmetic
from sims.formats import BF16, FP16, FP32, Format
from sims.kernels import SplitTable, flash_attention_splits, rms_norm_threads
from sims.orders import split_k, sums
from sims.rounding import round32, round_to


def singles() -> np.ndarray:
    """Every BF16 number, every tie between two, and a million FP32 patterns (NaN and infinity among them)."""
    uppers = np.arange(2**16, dtype=np.uint32) << 16
    random = np.random.default_rng(5).integers(0, 2**32, 1_000_000, dtype=np.uint32)
    return np.concatenate([uppers, uppers | 0x8000, random]).view(np.float32)


def same_bits(a: np.ndarray, b: np.ndarray) -> bool:
    """Equal bits, any NaN being as good as another."""
    nan = np.isnan(a)
    return bool(
        np.array_equal(nan, np.isnan(b)) and np.array_equal(a[~nan].view(np.uint32), b[~nan].view(np.uint32))
    )


def test_torch_and_sims_round_alike() -> None:
    values = singles()
    ours = round_bf16(torch.from_numpy(values)).numpy()
    with np.errstate(invalid="ignore"):
        assert same_bits(ours, round_to(values, BF16).astype(np.float32))
    finite = values[~np.isnan(values)]
    assert same_bits(round_bf16(torch.from_numpy(finite)).numpy(), round32(finite.copy(), BF16))


@pytest.mark.parametrize(
    ("dtype", "fmt"), [(torch.bfloat16, BF16), (torch.float16, FP16), (torch.float32, FP32)]
)
def test_ulps_are_counted_alike(dtype: torch.dtype, fmt: Format) -> None:
    if fmt == FP32:
        values = torch.from_numpy(singles()[::17].copy())
    else:
        values = torch.arange(-(2**15), 2**15, dtype=torch.int32).to(torch.int16).view(dtype)
    values = values[values.isfinite()]
    assert np.array_equal(ordinals(values).numpy(), numbers.ordinals(values.double().numpy(), fmt))


@pytest.mark.parametrize("table", [((1, 4), (8, 2)), ((1, 8), (16, 4), (64, 2)), ()])
def test_split_tables_agree(table: tuple[tuple[int, int], ...]) -> None:
    for rows in range(1, 130):
        assert SplitK(table).splits(rows) == SplitTable(table).splits(rows)


@pytest.mark.parametrize("sms", [16, 108, 132])
def test_split_kv_rules_agree(sms: int) -> None:
    """Up to FlashAttention's limit of 128 splits, which the lab's lane does not have.

    The published rule computes in single precision, as sims does; the lab's in double. They may differ
    where a candidate has exactly 85 % of the best efficiency, and only there.
    """
    for work in range(1, sms + 20):
        for blocks in range(1, 65):
            ours, theirs = SplitKV(sms).splits(work, blocks), flash_attention_splits(work, sms, blocks)
            assert ours == theirs or efficiency(ours, work, sms) * 20 == 17 * best_efficiency(
                work, sms, blocks
            )


def efficiency(splits: int, work: int, sms: int) -> Fraction:
    waves = Fraction(work * splits, sms)
    return waves / math.ceil(waves)


def best_efficiency(work: int, sms: int, blocks: int) -> Fraction:
    candidates = [
        splits
        for splits in range(1, min(sms, blocks) + 1)
        if splits == 1 or -(-blocks // splits) != -(-blocks // (splits - 1))
    ]
    return max(efficiency(splits, work, sms) for splits in candidates)


def test_norm_blocks_agree() -> None:
    for rows in (1, 2, 255, 256, 257, 5000):
        assert NormBlock().threads(rows) == rms_norm_threads(rows, hidden=4096)


@pytest.mark.parametrize("k", [576, 1536])
@pytest.mark.parametrize("splits", [1, 2, 4, 8])
def test_split_products_agree(k: int, splits: int) -> None:
    """The same cuts (wherever K divides evenly), and so sums that differ by FP32 rounding alone."""
    dice = np.random.default_rng(splits)
    x, w = (round_bf16(torch.from_numpy(dice.normal(size=shape))) for shape in ((1, k), (200, k)))
    kernels = choose_kernels(torch.device("cpu"), [(k, 200)], 64)
    lab = Weight(w, None, kernels).product(x, splits, bf16_values=True, reduced_partials=True)
    rounded = Arithmetic(inputs=FP32, partials=BF16, output=FP32)
    sim = sums((w * x).numpy(), split_k(splits), rounded)
    off = np.abs(lab.numpy()[0] - sim)
    if splits == 1:  # nothing is a partial sum, nothing is rounded
        assert off.max() < 1e-4
    else:
        # A partial sum that lies next to a tie may round the other way; another cut would move nearly all.
        assert np.mean(off > 1e-4) < 0.02
