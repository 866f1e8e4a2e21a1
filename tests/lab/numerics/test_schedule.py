import math

import pytest

from lab.errors import LabError
from lab.numerics.schedule import (
    GPU_LIKE,
    INVARIANT,
    NormBlock,
    SplitK,
    SplitKV,
    format_split_k,
    parse_split_k,
)


@pytest.mark.parametrize(("rows", "splits"), [(1, 4), (2, 2), (8, 2), (9, 1), (4096, 1)])
def test_split_k_table(rows: int, splits: int) -> None:
    assert SplitK().splits(rows) == splits


def test_split_kv_equals_the_published_loop() -> None:
    """FlashAttention's heuristic written as its C++ loop stands, over every small grid."""

    def published(batch_heads_blocks: int, sms: int, kv_blocks: int, max_splits: int = 128) -> int:
        if batch_heads_blocks >= 0.8 * sms:
            return 1
        max_splits = min(max_splits, sms, kv_blocks)
        efficiencies, best = [], 0.0
        for splits in range(1, max_splits + 1):
            eligible = splits == 1 or math.ceil(kv_blocks / splits) != math.ceil(kv_blocks / (splits - 1))
            waves = batch_heads_blocks * splits / sms
            efficiency = waves / math.ceil(waves) if eligible else 0.0
            best = max(best, efficiency)
            efficiencies.append((eligible, efficiency))
        for splits, (eligible, efficiency) in enumerate(efficiencies, start=1):
            if eligible and efficiency >= 0.85 * best:
                return splits
        return 1

    for sms in (16, 108, 132):
        for work in range(1, 140):
            for blocks in range(1, 40):
                assert SplitKV(sms).splits(work, blocks) == published(work, sms, blocks)


def test_norm_block_changes_at_256_rows() -> None:
    assert [NormBlock().threads(rows) for rows in (1, 255, 256, 1000)] == [1024, 1024, 256, 256]


def test_only_leaves_one_switch() -> None:
    assert GPU_LIKE.switches == ("linears", "attention", "norm")
    for operator in GPU_LIKE.switches:
        assert GPU_LIKE.only(operator).switches == (operator,)
    assert INVARIANT.switches == ()


def test_table_text_goes_both_ways() -> None:
    for text in ("1:4,8:2", "1:8", ""):
        assert format_split_k(parse_split_k(text)) == text
    assert parse_split_k(" 1 : 4 , 8:2,") == SplitK(((1, 4), (8, 2)))


@pytest.mark.parametrize("text", ["1", "a:2", "1:2:3", "8:2,1:4", "1:4,1:2", "0:4", "1:0", "-1:2"])
def test_bad_tables_are_named(text: str) -> None:
    with pytest.raises(LabError, match=r"split-K table .*1:4,8:2"):
        parse_split_k(text)
