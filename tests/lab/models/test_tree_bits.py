"""A token of a tree gets what it would get at the end of its own path: the same bits in the `fp32` lane."""

import random

import pytest
import torch

from lab.models.branches import Branches, chain
from lab.models.cache import KVCache
from lab.models.transformer import Transformer
from lab.numerics.lanes import BF16_NATIVE, FP32, bf16_emulated


def random_tree(rng: random.Random, nodes: int) -> tuple[int, ...]:
    """Parents of a random tree, listed by depth."""
    parents = [rng.randrange(-1, place) for place in range(nodes)]
    tree = [(0 if parent < 0 else -1) for parent in parents]
    for place, parent in enumerate(parents):
        tree[place] = 0 if parent < 0 else tree[parent] + 1
    order = sorted(range(nodes), key=lambda place: tree[place])
    new = {old: place for place, old in enumerate(order)}
    return tuple(-1 if parents[old] < 0 else new[parents[old]] for old in order)


def path_of(parents: tuple[int, ...], place: int) -> list[int]:
    path = [place]
    while parents[path[0]] >= 0:
        path.insert(0, parents[path[0]])
    return path


def filled(model: Transformer, text: list[int], taps: tuple[int, ...] = ()) -> KVCache:
    cache = model.new_cache(1, 400, FP32, taps)
    model.forward([text], cache, FP32)
    return cache


@pytest.mark.parametrize("base", [1, 5, 60, 62, 63, 64, 65, 127, 190])
@pytest.mark.parametrize("nodes", [1, 3, 9, 64])
def test_tree_logits_are_path_logits_bit_for_bit(tiny: Transformer, base: int, nodes: int) -> None:
    """Across the borders of blocks too: nodes of one tree lie on both sides of one."""
    rng = random.Random(base * 100 + nodes)
    text = [rng.randrange(100) for _ in range(base)]
    parents, tokens = random_tree(rng, nodes), [rng.randrange(100) for _ in range(nodes)]
    trunk = filled(tiny, text)
    logits = tiny.forward([tokens], trunk, FP32, every_position=True, branches=[Branches(base, parents)])
    for place in range(nodes):
        path = [tokens[at] for at in path_of(parents, place)]
        alone = tiny.forward([path], filled(tiny, text), FP32)
        if tiny.kernels.skips_zeros:
            assert torch.equal(logits[place], alone[0])
        else:
            torch.testing.assert_close(logits[place], alone[0], rtol=0, atol=1e-5)


def test_a_compacted_cache_is_that_of_the_path_bit_for_bit(tiny: Transformer) -> None:
    rng = random.Random(7)
    for base in (3, 61, 63, 100):
        text = [rng.randrange(100) for _ in range(base)]
        parents, tokens = random_tree(rng, 30), [rng.randrange(100) for _ in range(30)]
        deepest = max(range(30), key=lambda place: len(path_of(parents, place)))
        path = path_of(parents, deepest)
        cache = filled(tiny, text, taps=(1, tiny.config.layers))
        tiny.forward([tokens], cache, FP32, branches=[Branches(base, parents)])
        cache.compact(0, base, path)
        own = filled(tiny, text, taps=(1, tiny.config.layers))
        tiny.forward([[tokens[at] for at in path]], own, FP32)
        assert cache.lengths == own.lengths
        span = slice(0, own.lengths[0])
        for mine, other in ((cache.k, own.k), (cache.v, own.v)):
            torch.testing.assert_close(mine[..., span, :], other[..., span, :], rtol=0, atol=close(tiny))
        torch.testing.assert_close(cache.features[:, span], own.features[:, span], rtol=0, atol=close(tiny))


def close(model: Transformer) -> float:
    return 0.0 if model.kernels.skips_zeros else 1e-5


def test_a_tree_grown_over_passes_is_that_of_one_pass(tiny: Transformer) -> None:
    rng = random.Random(3)
    text = [rng.randrange(100) for _ in range(62)]
    parents, tokens = random_tree(rng, 20), [rng.randrange(100) for _ in range(20)]
    whole = tiny.forward(
        [tokens], filled(tiny, text), FP32, every_position=True, branches=[Branches(62, parents)]
    )
    cache, parts = filled(tiny, text), []
    for start, stop in ((0, 1), (1, 8), (8, 20)):
        tree = Branches(62, parents[:stop])
        parts.append(tiny.forward([tokens[start:stop]], cache, FP32, None, True, [tree]))
    assert torch.equal(torch.cat(parts), whole)


def test_rows_with_trees_keep_their_bits_beside_others(tiny: Transformer) -> None:
    rng = random.Random(11)
    texts = [[rng.randrange(100) for _ in range(n)] for n in (3, 64, 130)]
    trees = [random_tree(rng, n) for n in (1, 12, 30)]
    tokens = [[rng.randrange(100) for _ in tree] for tree in trees]
    cache = tiny.new_cache(3, 400, FP32)
    tiny.forward(texts, cache, FP32)
    branches = [Branches(len(text), tree) for text, tree in zip(texts, trees, strict=True)]
    together = tiny.forward(tokens, cache, FP32, None, True, branches).split([1, 12, 30])
    for text, tree, own, logits in zip(texts, branches, tokens, together, strict=True):
        alone = tiny.forward([own], filled(tiny, text), FP32, every_position=True, branches=[tree])
        assert torch.equal(logits, alone)


def test_a_chain_is_a_text(tiny: Transformer) -> None:
    text, more = list(range(61)), list(range(10, 20))
    plain = tiny.forward([more], filled(tiny, text), FP32, every_position=True)
    tree = tiny.forward([more], filled(tiny, text), FP32, None, True, [chain(61, 10)])
    assert torch.equal(tree, plain)


@pytest.mark.parametrize("lane", [bf16_emulated(), BF16_NATIVE], ids=lambda lane: lane.name)
def test_other_lanes_come_close(tiny: Transformer, lane) -> None:
    text, parents, tokens = list(range(63)), (-1, -1, 0, 0, 1), [5, 6, 7, 8, 9]
    cache = tiny.new_cache(1, 100, lane)
    tiny.forward([text], cache, lane)
    logits = tiny.forward([tokens], cache, lane, None, True, [Branches(63, parents)])
    for place in range(5):
        own = tiny.new_cache(1, 100, lane)
        tiny.forward([text], own, lane)
        alone = tiny.forward([[tokens[at] for at in path_of(parents, place)]], own, lane)
        torch.testing.assert_close(logits[place], alone[0], rtol=0, atol=0.1)
