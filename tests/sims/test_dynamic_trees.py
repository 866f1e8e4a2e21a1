"""Dynamic trees: by hand, against the best tree there is, and beside the static one on calibrated places."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sims.dynamic_trees import grow
from sims.errors import InputError
from sims.places import Places, accepted_on, places, walk
from sims.token_trees import Path, best_first, best_tree, tokens_a_pass, values

EASY_AND_HARD = places([(0.5, [90, 6, 4]), (0.5, [40, 35, 25])])


def kinds() -> st.SearchStrategy[Places]:
    """Two kinds of places over three tokens, some with zeros and ties."""
    entry = st.sampled_from([0.0, 1.0]) | st.floats(0, 1)
    one = st.lists(entry, min_size=3, max_size=3).filter(lambda x: sum(x) > 0)
    return st.tuples(one, one).map(lambda pair: places([(0.3, pair[0]), (0.7, pair[1])]))


def test_a_tree_by_hand() -> None:
    """Expand 2 of each level: below (0,) and (1,) there are .36, .24 and .12, .12; five of six are kept."""
    table: dict[Path, Sequence[float]] = {(): [0.6, 0.3, 0.1], (0,): [0.6, 0.4, 0], (1,): [0.4, 0.4, 0.2]}
    grown = grow(table.__getitem__, width=2, levels=2, nodes=5)
    assert grown.values == pytest.approx(
        {(0,): 0.6, (1,): 0.3, (0, 0): 0.36, (0, 1): 0.24, (1, 0): 0.12, (1, 1): 0.12}
    )
    assert grown.expanded == ((0,), (1,))
    assert grown.kept == ((0,), (0, 0), (1,), (0, 1), (1, 0))
    assert grown.accepted == pytest.approx(1.62)


def test_ties_and_certain_tokens_keep_a_parent_before_its_child() -> None:
    grown = grow(lambda path: [1.0, 0.0], width=2, levels=3, nodes=3)
    assert grown.kept == ((0,), (0, 0), (0, 0, 0))
    assert len(grown.values) == 2 + 4 + 4
    assert grown.accepted == 3


@given(kinds(), st.integers(1, 3), st.integers(1, 4), st.integers(1, 12), st.integers(0, 9))
@settings(max_examples=60, deadline=None)
def test_what_is_kept_is_a_tree_and_never_beats_the_best(
    synthetic: Places, width: int, levels: int, nodes: int, seed: int
) -> None:
    confidences = synthetic.drawn(np.random.default_rng(seed))
    grown = grow(confidences, width, levels, nodes)
    assert len(grown.kept) == min(nodes, len(grown.values))
    assert values(grown.kept, confidences).sum() == pytest.approx(grown.accepted, abs=1e-12)
    deep = best_first(lambda path: confidences(path) if len(path) < levels else (), nodes)
    assert grown.accepted <= values(deep, confidences).sum() + 1e-12
    if width == 3 and levels <= 2:  # nothing is left out: every node is drafted
        assert grown.accepted == pytest.approx(values(deep, confidences).sum(), abs=1e-12)


PLACES = [(), (0,), (1,), (2,)]  # all that a tree of two levels over three tokens asks for


@given(kinds(), st.integers(1, 12))
@settings(max_examples=60, deadline=None)
def test_over_all_texts_the_dynamic_tree_accepts_no_less_than_the_best_static_one(
    synthetic: Places, nodes: int
) -> None:
    accuracies = synthetic.accuracies(2)
    static = best_tree(accuracies, nodes)
    mean_static = mean_dynamic = 0.0
    for chance, confidences in synthetic.every(PLACES):
        mean_static += chance * values(static, confidences).sum()
        mean_dynamic += chance * grow(confidences, 3, 2, nodes).accepted
    assert 1 + mean_static == pytest.approx(tokens_a_pass(static, accuracies), abs=1e-12)
    assert mean_dynamic >= mean_static - 1e-12


def test_places_that_differ_pay_and_equal_ones_do_not() -> None:
    for synthetic, gains in ((EASY_AND_HARD, True), (places([(1, [65, 20.5, 14.5])]), False)):
        dynamic = sum(
            chance * grow(confidences, 3, 2, 4).accepted for chance, confidences in synthetic.every(PLACES)
        )
        accuracies = synthetic.accuracies(2)
        assert accuracies[0] == pytest.approx([0.65, 0.205, 0.145])
        static = tokens_a_pass(best_tree(accuracies, 4), accuracies) - 1
        assert dynamic > static + 0.05 if gains else dynamic == pytest.approx(static, abs=1e-12)


def test_texts_drawn_from_the_places_are_accepted_as_expected() -> None:
    """2,000 texts of five tokens within 5 standard errors: a false alarm in one run of a million."""
    generator, accepted, expected = np.random.default_rng(4), [], []
    for _ in range(2000):
        confidences = EASY_AND_HARD.drawn(generator)
        grown = grow(confidences, width=3, levels=5, nodes=10)
        accepted.append(accepted_on(grown.kept, walk(confidences, generator, 5)))
        expected.append(grown.accepted)
    gap = np.array(accepted) - np.array(expected)
    assert abs(gap.mean()) < 5 * gap.std() / np.sqrt(len(gap))


def test_a_text_is_followed_to_the_first_token_that_the_tree_lacks() -> None:
    shape = ((0,), (1,), (0, 2))
    assert [accepted_on(shape, text) for text in ((0, 2, 1), (0, 2), (0, 1, 0), (1, 0), (2,))] == [
        2,
        2,
        1,
        1,
        0,
    ]


def test_a_place_stays_what_it_was() -> None:
    confidences = EASY_AND_HARD.drawn(np.random.default_rng(0))
    seen = {path: confidences(path) for path in np.ndindex(3, 3, 3)}
    assert all(confidences(path) == given for path, given in seen.items())
    assert len(set(seen.values())) == 2
    with pytest.raises(KeyError):
        EASY_AND_HARD.every([()])[0][1]((0,))


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: grow(lambda path: [0.5, 0.5], 0, 2, 3), "make no tree"),
        (lambda: grow(lambda path: [0.5, 0.5], 2, 2, 0), "make no tree"),
        (lambda: grow(lambda path: [0.5, 0.5], 100, 5, 60), "too many nodes"),
        (lambda: grow(lambda path: [0.2, 0.5], 2, 2, 3), "largest first"),
        (lambda: grow(lambda path: [0.9, 0.5], 2, 2, 3), "no chances"),
        (lambda: places([(1, [1, 1]), (1, [1, 1, 1])]), "do not fit"),
        (lambda: places([]), "do not fit"),
        (lambda: places([(0, [1, 1])]), "no law"),
    ],
)
def test_what_cannot_grow_is_refused(make, told: str) -> None:
    with pytest.raises(InputError, match=told):
        make()
