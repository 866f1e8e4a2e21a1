"""Shapes of token trees against formulas for chains and a search over every tree."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sims.acceptance import law
from sims.errors import InputError
from sims.siblings import multi_step_ranks
from sims.speedup import expected_tokens, optimal_gamma, speedup
from sims.token_trees import (
    MAX_NODES,
    Accuracies,
    Path,
    Shape,
    accepted_law,
    best_first,
    best_tree,
    chain,
    depth_of,
    fastest_tree,
    k_ary,
    parents,
    tokens_a_pass,
    tokens_by_nodes,
    tree_speedup,
)

MEDUSA = [[0.6, 0.12, 0.06], [0.4, 0.1, 0.05], [0.3, 0.08, 0.04]]  # such as heads have


def rows(ranks: int) -> st.SearchStrategy[list[float]]:
    """Chances of guesses that exclude each other, in any order."""
    entry = st.sampled_from([0.0, 0.5, 1.0]) | st.floats(0, 1)
    return st.lists(entry, min_size=ranks + 1, max_size=ranks + 1).map(
        lambda x: [value / max(1e-9, sum(x)) for value in x[:ranks]]
    )


ACCURACIES = st.lists(rows(2), min_size=1, max_size=3)


def every_tree(accuracies: Accuracies, nodes: int) -> Iterator[Shape]:
    """Every closed tree of this many nodes, by adding reachable nodes in one order."""
    every = [
        path
        for level in range(1, len(accuracies) + 1)
        for path in np.ndindex(*(len(row) for row in accuracies[:level]))
    ]

    def go(at: int, chosen: tuple[Path, ...]) -> Iterator[Shape]:
        if len(chosen) == nodes:
            yield chosen
        elif at < len(every):
            path = every[at]
            if len(path) == 1 or path[:-1] in chosen:
                yield from go(at + 1, (*chosen, path))
            yield from go(at + 1, chosen)

    return go(0, ())


def test_there_are_as_many_trees_as_counted_by_hand() -> None:
    assert (
        len(list(every_tree([[0.1, 0.1], [0.1, 0.1]], 2))) == 5
    )  # both children; a child and one of its two


@given(ACCURACIES, st.integers(0, 5))
@settings(max_examples=60, deadline=None)
def test_no_tree_of_its_size_is_better_than_the_greedy_one(accuracies: Accuracies, nodes: int) -> None:
    shape = best_tree(accuracies, nodes)
    every = list(every_tree(accuracies, nodes))
    if every:
        assert len(shape) == nodes
        best = max(tokens_a_pass(tree, accuracies) for tree in every)
        assert tokens_a_pass(shape, accuracies) == pytest.approx(best, abs=1e-12)


@given(ACCURACIES, st.integers(0, 12))
def test_every_start_of_the_best_tree_is_a_tree_and_the_best_of_its_size(
    accuracies: Accuracies, nodes: int
) -> None:
    shape, curve = best_tree(accuracies, nodes), tokens_by_nodes(accuracies, nodes)
    assert len(curve) == len(shape) + 1
    for m, tokens in enumerate(curve):
        assert shape[:m] == best_tree(accuracies, m)
        assert tokens == pytest.approx(tokens_a_pass(shape[:m], accuracies))
    gains = np.diff(curve)
    assert (np.diff(gains) <= 1e-12).all()  # each further node adds less


@given(st.floats(0, 1), st.integers(0, 12), st.floats(0, 1), st.floats(0.5, 4))
def test_a_chain_is_the_tree_with_one_branch(alpha: float, gamma: int, c: float, v: float) -> None:
    tokens = tokens_a_pass(chain(gamma), [[alpha]] * gamma)
    assert tokens == pytest.approx(expected_tokens(alpha, gamma))
    assert tree_speedup(tokens, gamma, c, v) == pytest.approx(speedup(alpha, gamma, c, v))


@given(st.lists(st.integers(1, 3), max_size=3))
def test_a_k_ary_tree_has_its_widths(widths: list[int]) -> None:
    shape = k_ary(widths)
    counts = np.bincount([len(path) for path in shape], minlength=len(widths) + 1)[1:]
    assert counts.tolist() == np.cumprod(widths, dtype=int).tolist()
    assert depth_of(shape) == len(widths)
    assert [len(path) for path in shape] == sorted(len(path) for path in shape)
    assert all(above < i for i, above in enumerate(parents(shape)))


def test_a_k_ary_tree_of_drawn_siblings_is_a_chain_of_their_acceptance() -> None:
    p, q = law([4, 3, 2, 1]), law([1, 2, 3, 4])
    ranks = multi_step_ranks(p, q, 2).tolist()
    assert tokens_a_pass(k_ary((2, 2, 2)), [ranks] * 3) == pytest.approx(expected_tokens(sum(ranks), 3))


@given(ACCURACIES, st.integers(0, 8))
def test_accepted_lengths_are_a_law_with_the_mean_of_the_tree(accuracies: Accuracies, nodes: int) -> None:
    shape = best_tree(accuracies, nodes)
    chances = accepted_law(shape, accuracies)
    assert len(chances) == depth_of(shape) + 1
    assert (chances >= -1e-12).all()
    assert chances.sum() == pytest.approx(1)
    mean = chances @ np.arange(len(chances))
    assert 1 + mean == pytest.approx(tokens_a_pass(shape, accuracies))


def test_a_tree_by_hand() -> None:
    shape = ((0,), (1,), (0, 0))
    assert tokens_a_pass(shape, MEDUSA) == pytest.approx(1 + 0.6 + 0.12 + 0.24)
    assert accepted_law(shape, MEDUSA) == pytest.approx([0.28, 0.48, 0.24])
    assert parents(shape) == [-1, -1, 0]
    assert best_tree(MEDUSA, 4) == ((0,), (0, 0), (1,), (0, 0, 0))
    assert best_first(lambda path: [0.5, 0.5], 3) == ((0,), (1,), (0, 0))  # of equals the shallow and the low


@given(ACCURACIES, st.floats(0, 0.5), st.lists(st.floats(0, 1), min_size=1, max_size=5))
@settings(max_examples=60, deadline=None)
def test_no_tree_is_faster_than_the_fastest(accuracies: Accuracies, c: float, steps: list[float]) -> None:
    v = 1 + np.cumsum(steps) - steps[0]
    best = max(
        tree_speedup(tokens_a_pass(shape, accuracies), depth_of(shape), c, v[m])
        for m in range(len(v))
        for shape in every_tree(accuracies, m)
    )
    found = fastest_tree(accuracies, c, v.tolist())
    assert found.speedup == pytest.approx(best, abs=1e-12)
    assert found.tokens == pytest.approx(tokens_a_pass(found.shape, accuracies))
    assert tree_speedup(found.tokens, depth_of(found.shape), c, v[len(found.shape)]) == found.speedup


def test_the_fastest_chain_is_the_best_gamma_and_dear_nodes_leave_none() -> None:
    free = fastest_tree([[0.8]] * 12, 0.1, [1.0] * 13)
    assert depth_of(free.shape) == optimal_gamma(0.8, 0.1, limit=12)
    assert fastest_tree(MEDUSA, 0.0, [1, 3, 5]).shape == ()
    assert len(fastest_tree(MEDUSA, 0.0, [1.0] * 20).shape) == 19


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: k_ary((2, 0)), "make no tree"),
        (lambda: k_ary((10, 10, 10, 10)), "too large"),
        (lambda: chain(-1), "cannot be"),
        (lambda: best_tree(MEDUSA, -1), "cannot be built"),
        (lambda: best_tree(MEDUSA, MAX_NODES + 1), "cannot be built"),
        (lambda: best_tree([[0.7, 0.7]], 2), "no chances"),
        (lambda: best_tree([[1.2]], 2), "no chances"),
        (lambda: best_tree([[float("nan")]], 2), "no chances"),
        (lambda: best_first(lambda path: [0.6, 0.6], 2), "no chances"),
        (lambda: tokens_a_pass(((0, 0),), MEDUSA), "hangs in the air"),
        (lambda: tokens_a_pass(((0,), (0,)), MEDUSA), "comes twice"),
        (lambda: tokens_a_pass(((),), MEDUSA), "comes twice"),
        (lambda: tokens_a_pass(((3,),), MEDUSA), "No chance is known"),
        (lambda: tokens_a_pass(chain(4), MEDUSA), "No chance is known"),
        (lambda: tree_speedup(2, -1, 0, 1), "take no time"),
        (lambda: tree_speedup(2, 1, 0, 0), "take no time"),
        (lambda: fastest_tree(MEDUSA, 0, []), "No v is known"),
    ],
)
def test_what_is_no_tree_is_refused(make, told: str) -> None:
    with pytest.raises(InputError, match=told):
        make()
