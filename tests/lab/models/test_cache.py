import pytest
import torch

from lab.errors import LabError
from lab.models.cache import KVCache
from lab.models.transformer import Transformer
from lab.numerics.lanes import FP32


def filled(tiny: Transformer, rows: list[list[int]], positions: int = 100) -> KVCache:
    cache = tiny.new_cache(len(rows), positions, FP32)
    tiny.forward(rows, cache, FP32)
    return cache


def assert_fresh(tiny: Transformer, cache: KVCache, row: int, tokens: list[int]) -> None:
    """The row holds, bit for bit, what a fresh forward over `tokens` would hold."""
    fresh = filled(tiny, [tokens])
    n = len(tokens)
    assert cache.lengths[row] == n
    assert torch.equal(cache.k[:, row, :, :n], fresh.k[:, 0, :, :n])
    assert torch.equal(cache.v[:, row, :, :n], fresh.v[:, 0, :, :n])


def test_truncate_then_go_on(tiny: Transformer) -> None:
    cache = filled(tiny, [[1, 2, 3, 4, 5], [9, 8, 7]])
    cache.truncate([0, 1], [2, 3])
    tiny.forward([[6, 7], [5]], cache, FP32)
    assert_fresh(tiny, cache, 0, [1, 2, 6, 7])
    assert_fresh(tiny, cache, 1, [9, 8, 7, 5])


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_a_row_is_written_as_several_are(dtype: torch.dtype) -> None:
    k, v = torch.randn(2, 5, 3, 4, generator=torch.Generator().manual_seed(0))
    one, several = (KVCache(2, 3, 3, 20, 4, dtype, torch.device("cpu")) for _ in range(2))
    one.write_row(1, 2, 7, k, v)
    several.write(1, torch.tensor([2] * 5), torch.arange(7, 12), k, v)
    assert one.k.any()
    assert torch.equal(one.k, several.k)
    assert torch.equal(one.v, several.v)


def test_replace_column_touches_one_position_of_one_row(tiny: Transformer) -> None:
    cache = filled(tiny, [[1, 2, 3, 4], [5, 6, 7, 8]])
    before = cache.k.clone(), cache.v.clone()
    other = filled(tiny, [[1, 2, 60, 4]])
    k, v = other.column(0, 2)
    cache.replace_column(0, 2, k, v)
    for now, then, new in ((cache.k, before[0], k), (cache.v, before[1], v)):
        assert torch.equal(now[:, 0, :, 2], new)
        assert not torch.equal(now[:, 0, :, 2], then[:, 0, :, 2])
        changed = now != then
        changed[:, 0, :, 2] = False
        assert not changed.any()


def test_column_is_a_copy(tiny: Transformer) -> None:
    cache = filled(tiny, [[1, 2, 3]])
    k, _ = cache.column(0, 1)
    k += 1
    assert not torch.equal(k, cache.column(0, 1)[0])


def test_compact_keeps_the_path(tiny: Transformer) -> None:
    cache = filled(tiny, [[1, 2, 3, 4, 5, 6, 7]])
    k = cache.k.clone()
    cache.compact(0, 2, [1, 3, 4])
    assert cache.lengths == [5]
    assert torch.equal(cache.k[:, 0, :, :2], k[:, 0, :, :2])
    assert torch.equal(cache.k[:, 0, :, 2:5], k[:, 0, :, [3, 5, 6]])


def test_compact_to_a_prefix_is_a_truncation(tiny: Transformer) -> None:
    cache = filled(tiny, [[1, 2, 3, 4, 5, 6]])
    cache.compact(0, 3, [0, 1])
    assert_fresh(tiny, cache, 0, [1, 2, 3, 4, 5])
    cache.compact(0, 2, [])
    assert_fresh(tiny, cache, 0, [1, 2])


def test_move_and_clear(tiny: Transformer) -> None:
    cache = filled(tiny, [[1, 2, 3], [4, 5, 6, 7]])
    cache.move(1, 0)
    assert_fresh(tiny, cache, 0, [4, 5, 6, 7])
    assert cache.lengths == [4, 0]
    assert not cache.k[:, 1].any()


def test_a_poisoned_row_is_clean_after_clear(tiny: Transformer) -> None:
    cache = filled(tiny, [[1, 2, 3]])
    cache.k.fill_(float("nan"))
    cache.clear(0)
    tiny.forward([[1, 2]], cache, FP32)
    assert_fresh(tiny, cache, 0, [1, 2])


@pytest.mark.parametrize(("row", "length"), [(0, 4), (0, -1)])
def test_truncate_refuses(tiny: Transformer, row: int, length: int) -> None:
    with pytest.raises(LabError, match=f"3 positions and cannot be cut to {length}"):
        filled(tiny, [[1, 2, 3]]).truncate([row], [length])


def test_other_edits_refuse(tiny: Transformer) -> None:
    cache = filled(tiny, [[1, 2, 3]])
    k, v = cache.column(0, 0)
    with pytest.raises(LabError, match="none at 3"):
        cache.replace_column(0, 3, k, v)
    with pytest.raises(LabError, match="none at -1"):
        cache.column(0, -1)
    for path in ([1, 0], [0, 0], [2], [-1]):
        with pytest.raises(LabError, match="does not lie in row 0"):
            cache.compact(0, 1, path)
    assert cache.lengths == [3]
