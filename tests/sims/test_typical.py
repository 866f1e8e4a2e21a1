"""Typical acceptance: its threshold by hand, what always passes, and how far its law is from the target's."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sims.acceptance import Law, law
from sims.errors import InputError
from sims.siblings import WAYS, multi_step, top, verified
from sims.typical import entropy, threshold, typical, typical_set


def laws(size: int) -> st.SearchStrategy[Law]:
    entry = st.sampled_from([0.0, 0.0, 1e-12, 0.25, 1.0]) | st.floats(0, 1)
    return st.lists(entry, min_size=size, max_size=size).filter(lambda x: sum(x) > 0).map(law)


PAIRS = st.integers(3, 5).flatmap(lambda n: st.tuples(laws(n), laws(n)))


def test_the_threshold_by_hand() -> None:
    uniform = np.full(8, 1 / 8)
    assert entropy(uniform) == pytest.approx(np.log(8))
    assert threshold(uniform) == pytest.approx(0.3 / 8)  # below .09
    assert typical_set(uniform).all()
    assert threshold(law([0, 1, 0])) == 0.09  # no entropy: .3, so ε is the smaller
    assert typical_set(law([0.91, 0.085, 0.005])).tolist() == [True, False, False]
    assert threshold(uniform, epsilon=0.01) == 0.01


@given(laws(6), st.floats(0.01, 1), st.floats(0.01, 0.99))
def test_the_likeliest_token_always_passes(p: Law, epsilon: float, delta: float) -> None:
    assert typical_set(p, epsilon, delta)[p.argmax()]


@pytest.mark.parametrize("way", WAYS)
@given(pair=PAIRS)
@settings(max_examples=50, deadline=None)
def test_it_emits_a_law_that_is_far_from_p_where_it_accepts(way: str, pair: tuple[Law, Law]) -> None:
    p, q = pair
    parts = verified(p, q, 2, WAYS[way], typical)
    assert parts.law.sum() == pytest.approx(1)
    if way == "top" and parts.acceptance:  # all the chance on one token: 1 - p(x) is missing elsewhere
        assert parts.acceptance == 1
        kept = int(parts.accepted.argmax())
        assert parts.error(p) == pytest.approx(1 - p[kept], abs=1e-12)
        (siblings,) = top(q, 2)
        others = [p[x] for x in siblings.tokens if typical_set(p)[x]]
        assert p[kept] == max(others)


@given(laws(4))
@settings(max_examples=40, deadline=None)
def test_a_one_hot_target_and_guesses_that_never_pass_leave_the_law_alone(q: Law) -> None:
    for p in np.eye(4):
        assert verified(p, q, 2, WAYS["drawn"], typical).error(p) == pytest.approx(0, abs=1e-12)
    p = law([97, 1, 1, 1])
    never = verified(p, law([0, 1, 1, 1]), 2, WAYS["drawn"], typical)
    assert never.acceptance == 0
    assert never.law == pytest.approx(p)


def test_it_accepts_more_than_an_exact_rule_and_pays_for_it() -> None:
    p, q = law([4, 3, 2, 1]), law([3, 4, 2, 1])
    loose, exact = (verified(p, q, 2, WAYS["top"], rule) for rule in (typical, multi_step))
    assert (loose.acceptance, exact.acceptance) == (1, pytest.approx(0.7))
    assert loose.error(p) == pytest.approx(0.6)
    assert exact.error(p) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("name", ["epsilon", "delta"])
@pytest.mark.parametrize("value", [0, -1, 1.5, float("nan")])
def test_thresholds_that_make_no_sense_are_refused(name: str, value: float) -> None:
    with pytest.raises(InputError, match="not usable"):
        threshold(law([1, 1]), **{name: value})
