import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sims.errors import InputError
from sims.trees import Arriving, Chain, FixedSplit, Halving, Lanes, Pairwise, Shape, SplitK, Tiles, tree_of

SHAPES: list[Shape] = [
    Chain(),
    Pairwise(),
    Halving(),
    SplitK(3),
    SplitK(4, combine=Pairwise()),
    FixedSplit(5),
    Tiles(4, inner=Pairwise()),
    Lanes(4),
    Lanes(3, run=2, combine=Chain()),
    SplitK(5, combine=Arriving(1)),
]


def written(shape: Shape, n: int) -> str:
    """The tree as an expression, so that a shape can be read off."""
    tree = tree_of(shape, n)
    text = [str(i) for i in range(n)]
    for left, right in zip(tree.left, tree.right, strict=True):
        text.append(f"({text[left]}+{text[right]})")
    return text[-1]


@pytest.mark.parametrize(
    ("shape", "n", "expression"),
    [
        (Chain(), 4, "(((0+1)+2)+3)"),
        (Pairwise(), 5, "(((0+1)+(2+3))+4)"),
        (Halving(), 4, "((0+2)+(1+3))"),
        (Halving(), 5, "(((0+3)+2)+(1+4))"),
        (SplitK(2), 4, "((0+1)+(2+3))"),
        (SplitK(4), 5, "(((0+1)+(2+3))+4)"),
        (FixedSplit(3), 7, "((((0+1)+2)+((3+4)+5))+6)"),
        (Lanes(2), 5, "(((0+2)+4)+(1+3))"),
        (Lanes(2, run=2), 6, "((((0+1)+4)+5)+(2+3))"),
        (Lanes(4, combine=Pairwise()), 4, "((0+1)+(2+3))"),
        (Tiles(2, combine=Pairwise()), 4, "((0+1)+(2+3))"),
    ],
)
def test_shapes_are_parenthesised_as_they_say(shape: Shape, n: int, expression: str) -> None:
    assert written(shape, n) == expression


@given(st.sampled_from(SHAPES), st.integers(1, 70))
def test_every_tree_adds_every_leaf_once(shape: Shape, n: int) -> None:
    tree = tree_of(shape, n)
    used = sorted([*tree.left.tolist(), *tree.right.tolist()])
    assert used == list(range(2 * n - 2))  # all nodes but the root, once each
    assert all(max(pair) < n + k for k, pair in enumerate(zip(tree.left, tree.right, strict=True)))
    assert tree.root == 2 * n - 2
    assert tree.height == max(tree.depths)
    x, y = tree.layout()
    assert x.size == y.size == 2 * n - 1
    assert (x >= 0).all()
    assert (x <= n - 1).all()


@given(st.sampled_from(SHAPES), st.integers(1, 70))
def test_batches_are_the_additions_in_an_order_that_can_run(shape: Shape, n: int) -> None:
    tree = tree_of(shape, n)
    known = set(range(n))
    for left, right, out in tree.batches:
        assert known.issuperset(left.tolist())
        assert known.issuperset(right.tolist())
        for a, b, node in zip(left, right, out, strict=True):
            assert (a, b) == (tree.left[node - n], tree.right[node - n])
        known.update(out.tolist())
    assert known == set(range(2 * n - 1))


@given(st.integers(1, 300))
def test_heights(n: int) -> None:
    logarithm = (n - 1).bit_length()
    assert tree_of(Chain(), n).height == n - 1
    assert tree_of(Pairwise(), n).height == tree_of(Halving(), n).height == logarithm


@given(st.integers(1, 40))
def test_one_split_is_a_chain_and_writes_no_partials(n: int) -> None:
    assert written(SplitK(1), n) == written(Chain(), n)
    assert not tree_of(SplitK(1), n).partial.any()


def test_partials_are_the_sums_of_the_chunks() -> None:
    tree = tree_of(SplitK(3), 7)  # chunks of 3, 3 and 1: the last partial is a leaf
    assert np.flatnonzero(tree.partial).tolist() == [6, 8, 10]
    assert not tree_of(Lanes(4), 7).partial.any()


def test_a_fixed_size_gives_a_prefix_the_same_tree_whatever_follows() -> None:
    short, long = written(FixedSplit(4), 8), written(FixedSplit(4), 12)
    assert long.startswith("(" + short)
    assert not written(SplitK(2), 12).startswith("(" + written(SplitK(2), 8))


def test_arrival_changes_only_the_joining_of_the_partials() -> None:
    trees = {written(SplitK(4, combine=Arriving(seed)), 8) for seed in range(300)}
    assert len(trees) == 24  # all 4!; one is missed with odds below 24 (23/24)^300 = 7e-5
    assert all(f"({i}+{i + 1})" in tree for tree in trees for i in (0, 2, 4, 6))


@pytest.mark.parametrize(
    "make", [lambda: SplitK(0), lambda: Lanes(0), lambda: Tiles(-1), lambda: FixedSplit(0)]
)
def test_sizes_below_one_are_refused(make) -> None:
    with pytest.raises(InputError, match="Use 1 or more"):
        make()


def test_no_addends_are_refused_and_arrays_are_read_only() -> None:
    with pytest.raises(InputError):
        tree_of(Chain(), 0)
    with pytest.raises(ValueError, match="read-only"):
        tree_of(Chain(), 3).left[0] = 7
