"""The rule for one token and one round, by enumeration: what comes out has the target's law."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sims.acceptance import (
    Law,
    acceptance,
    emitted,
    law,
    lenient_law,
    lenient_overlap,
    overlap,
    residual,
    round_law,
)
from sims.errors import InputError


def laws(size: int) -> st.SearchStrategy[Law]:
    """Laws with zeros, ties and tiny entries."""
    entry = st.sampled_from([0.0, 0.0, 1e-12, 0.25, 1.0]) | st.floats(0, 1)
    return st.lists(entry, min_size=size, max_size=size).filter(lambda x: sum(x) > 0).map(law)


@given(st.integers(2, 6).flatmap(lambda n: st.tuples(laws(n), laws(n))))
def test_the_emitted_token_has_the_targets_law(pair: tuple[Law, Law]) -> None:
    p, q = pair
    assert np.abs(emitted(p, q) - p).max() < 1e-12
    assert overlap(p, q) == pytest.approx(float(q @ acceptance(p, q)), abs=1e-12)
    assert overlap(p, q) == pytest.approx(1 - np.abs(p - q).sum() / 2, abs=1e-12)
    assert residual(p, q).sum() == pytest.approx(1)
    assert not residual(p, q)[(p <= q) & (residual(p, q) != p)].any()


@given(
    st.tuples(st.integers(2, 4), st.integers(0, 3)).flatmap(
        lambda shape: st.tuples(
            st.lists(laws(shape[0]), min_size=shape[1] + 1, max_size=shape[1] + 1),
            st.lists(laws(shape[0]), min_size=shape[1], max_size=shape[1]),
        )
    )
)
def test_a_round_continued_by_the_target_is_the_targets_own_sequence(
    case: tuple[list[Law], list[Law]],
) -> None:
    """Sequences of γ + 1 tokens: where a round emits fewer, the target goes on alone."""
    p, q = case
    length, size = len(p), len(p[0])
    total = dict.fromkeys(product(range(size), repeat=length), 0.0)
    for tokens, chance in round_law(p, q).items():
        for rest in product(range(size), repeat=length - len(tokens)):
            more = np.prod([p[len(tokens) + i][token] for i, token in enumerate(rest)])
            total[(*tokens, *rest)] += chance * float(more)
    for tokens, chance in total.items():
        assert chance == pytest.approx(float(np.prod([p[i][t] for i, t in enumerate(tokens)])), abs=1e-12)


def test_a_round_by_hand() -> None:
    p, q = law([0.5, 0.5]), law([0.8, 0.2])
    out = round_law([p, p], [q])
    # Token 0 is drafted .8 and accepted 5/8 of that; token 1 is always accepted; a rejection gives token 1.
    assert out == pytest.approx({(0, 0): 0.25, (0, 1): 0.25, (1, 0): 0.1, (1, 1): 0.1, (1,): 0.3})
    assert overlap(p, q) == pytest.approx(0.7)
    assert residual(p, q) == pytest.approx([0, 1])


def test_equal_laws_are_never_rejected_and_disjoint_ones_always() -> None:
    p = law([1, 2, 3])
    assert overlap(p, p) == pytest.approx(1)
    assert residual(p, p) == pytest.approx(p)
    first, second = law([1, 0]), law([0, 1])
    assert overlap(first, second) == 0
    assert round_law([first, second], [second]) == {(0,): 1.0}


@given(laws(4), laws(4), st.floats(0.05, 1))
def test_lenience_accepts_more(p: Law, q: Law, lenience: float) -> None:
    assert overlap(p, q) - 1e-12 <= lenient_overlap(p, q, lenience) <= 1 + 1e-12
    assert lenient_overlap(p, q, 1.0) == overlap(p, q)


@given(laws(4), laws(4), st.floats(0.05, 1))
def test_lenience_pays_in_distance_for_what_it_gains_in_acceptance(p: Law, q: Law, lenience: float) -> None:
    out = lenient_law(p, q, lenience)
    assert out.sum() == pytest.approx(1)
    assert (out <= p / lenience + 1e-12).all()
    distance = np.abs(out - p).sum() / 2
    assert distance >= lenient_overlap(p, q, lenience) - overlap(p, q) - 1e-12
    assert np.abs(lenient_law(p, q, 1.0) - p).max() < 1e-12


@pytest.mark.parametrize("values", [[], [-1, 2], [0, 0], [float("nan"), 1], [[1, 2]], [float("inf"), 1]])
def test_what_is_no_law_is_refused(values: list) -> None:
    with pytest.raises(InputError, match="no law"):
        law(values)


def test_laws_that_do_not_fit_are_refused() -> None:
    p = law([1, 1])
    with pytest.raises(InputError, match="do not fit"):
        round_law([p], [p])
    with pytest.raises(InputError, match="do not fit"):
        round_law([p, law([1, 1, 1])], [p])
    with pytest.raises(InputError, match="lenience"):
        lenient_overlap(p, p, 0)
