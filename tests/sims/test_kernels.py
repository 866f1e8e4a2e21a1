"""Each published rule against a loop written out from its description, and at its known switches."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sims.arithmetic import ALL_FP32
from sims.errors import InputError
from sims.kernels import (
    SplitTable,
    flash_attention_kv_blocks,
    flash_attention_splits,
    flash_attention_work,
    flash_cute_splits,
    mlx_kernel,
    mlx_shape,
    mlx_splits,
    rms_norm_shape,
    rms_norm_threads,
)
from sims.orders import Order, sums
from sims.trees import Chain, Lanes, SplitK, tree_of


def test_a_split_table_is_a_step_function() -> None:
    table = SplitTable(((1, 8), (16, 4), (64, 2)))
    assert [table.splits(m) for m in (1, 2, 16, 17, 64, 65, 4096)] == [8, 4, 4, 2, 2, 1, 1]
    assert table.shape(1) == SplitK(8)
    assert SplitTable(()).splits(1) == 1
    for bad in (((4, 2), (2, 1)), ((1, 0),), ((0, 2),), ((2, 2), (2, 3))):
        with pytest.raises(InputError):
            SplitTable(bad)


def loop(work: int, processors: int, blocks: int, most: int) -> int:
    """The FlashAttention rule as a loop, in exact integers and doubles."""
    if 10 * work >= 8 * processors:
        return 1
    efficiency = {}
    for s in range(1, min(most, processors, blocks) + 1):
        if s == 1 or math.ceil(blocks / s) != math.ceil(blocks / (s - 1)):
            waves = work * s / processors
            efficiency[s] = waves / math.ceil(waves)
    return min(s for s, e in efficiency.items() if e >= 0.85 * max(efficiency.values()) - 1e-7)


@given(st.integers(1, 300), st.integers(1, 264), st.integers(1, 300), st.integers(1, 128))
def test_flash_attention_splits_is_the_loop(work: int, processors: int, blocks: int, most: int) -> None:
    assert flash_attention_splits(work, processors, blocks, most) == loop(work, processors, blocks, most)


def test_flash_attention_splits_at_known_places() -> None:
    # The comment in the source: 48 blocks of work on 108 processors; 2 splits fill 0.89, 3 only 0.67.
    assert flash_attention_splits(48, 108, 64) == 2
    assert flash_attention_splits(87, 108, 64) == 1  # 87 >= 0.8 * 108
    assert flash_attention_splits(1, 108, 1) == 1
    counts = [
        flash_attention_splits(flash_attention_work(batch, 8), 216, 32) for batch in (1, 2, 4, 8, 16, 32)
    ]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > 1 == counts[-1]


def test_flash_attention_counts_work_and_blocks() -> None:
    assert flash_attention_work(4, 8) == 32
    assert flash_attention_work(4, 8, 65) == 64
    assert [flash_attention_kv_blocks(1000, d) for d in (64, 128, 256)] == [4, 8, 16]


def test_flash_cute_splits() -> None:
    assert flash_cute_splits(1, 132, 4) == 1
    assert flash_cute_splits(1, 132, 5) == 5
    assert flash_cute_splits(4, 132, 100) == 33
    assert flash_cute_splits(4, 132, 100, max_splits=16) == 16
    assert flash_cute_splits(200, 132, 100) == 1


def test_rms_norm_switches_at_256_tokens() -> None:
    assert [rms_norm_threads(t, 4096) for t in (1, 255, 256, 4096)] == [1024, 1024, 256, 256]
    assert rms_norm_threads(1, 576) == 576
    assert rms_norm_threads(1, 4096, vector=8) == 512
    assert rms_norm_threads(1, 2048, vector=8) == rms_norm_threads(
        256, 2048, vector=8
    )  # too narrow to matter


def test_rms_norm_tree_is_threads_then_warps() -> None:
    """Written out for 2048 squares: 1024 strided threads, warps by neighbouring pairs, warps in turn."""
    squares = np.random.default_rng(0).normal(size=2048).astype(np.float32) ** 2
    threads = squares[:1024] + squares[1024:]
    warps = threads.reshape(32, 32)
    while warps.shape[1] > 1:
        warps = warps[:, ::2] + warps[:, 1::2]
    total = warps[0, 0]
    for warp in warps[1:, 0]:
        total = total + warp
    assert sums(squares, Order("rms", shape=rms_norm_shape(1, 2048)), ALL_FP32) == total
    rows = np.random.default_rng(1).normal(size=(200, 4096)) ** 2
    few = sums(rows, Order("few", shape=rms_norm_shape(255, 4096)), ALL_FP32)
    many = sums(rows, Order("many", shape=rms_norm_shape(256, 4096)), ALL_FP32)
    assert 0 < (few != many).mean() < 1


def test_mlx_has_three_kernels() -> None:
    sizes = [mlx_kernel(m, 4096, 4096) for m in (1, 9, 10, 64, 512)]
    assert sizes == ["qmv", "qmv", "qmm_splitk", "qmm_splitk", "qmm"]
    assert mlx_shape(512, 4096, 4096) == Chain()
    assert isinstance(mlx_shape(1, 4096, 4096), Lanes)
    assert mlx_shape(16, 4096, 4096) == SplitK(4)
    shapes = {mlx_shape(m, 4096, 4096) for m in (1, 16, 512)}
    rows = np.random.default_rng(0).normal(size=(20, 4096))
    results = np.array([sums(rows, Order("m", shape=shape), ALL_FP32) for shape in shapes])
    assert max(len(set(row)) for row in results.T.tolist()) == 3


@given(st.integers(1, 300), st.integers(1, 9000), st.integers(1, 200))
def test_mlx_splits_hold_whole_groups(rows: int, outputs: int, groups: int) -> None:
    splits = mlx_splits(rows, outputs, 64 * groups)
    assert groups % splits == 0
    assert splits == 1 or splits * math.ceil(rows / 32) * math.ceil(outputs / 32) <= 512


def test_mlx_splits_at_a_published_measurement() -> None:
    # ml-explore/mlx#3584 lists, for N = 2048 and K = 8192: M = 64 → 4, 96 and 128 → 2, 160 → 1.
    assert [mlx_splits(m, 2048, 8192) for m in (64, 96, 128, 160, 256)] == [4, 2, 2, 1, 1]


def test_sizes_below_one_are_named() -> None:
    with pytest.raises(InputError, match="work is 0"):
        flash_attention_splits(0, 1, 1)
    with pytest.raises(InputError, match="kv_blocks is -1"):
        flash_cute_splits(1, 1, -1)
    with pytest.raises(InputError, match="tokens is 0"):
        rms_norm_threads(0, 1)
    with pytest.raises(InputError, match="inner is 0"):
        mlx_splits(1, 1, 0)


def test_trees_of_all_rules_are_trees() -> None:
    for shape in (rms_norm_shape(1, 576, 8), rms_norm_shape(300, 576), mlx_shape(1, 576, 576)):
        assert tree_of(shape, 576).depths.size == 576
