"""The mistakes with siblings: each law by hand or by simulation; only what is exact gives p."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sims.acceptance import Law, law
from sims.sibling_mistakes import EXACT, MISTAKES

P, Q = law([4, 3, 2, 1]), law([1, 2, 3, 4])
NAMES = sorted({*EXACT, *MISTAKES})


def laws(size: int) -> st.SearchStrategy[Law]:
    entry = st.sampled_from([0.0, 0.0, 0.25, 1.0]) | st.floats(0, 1)
    return st.lists(entry, min_size=size, max_size=size).filter(lambda x: sum(x) > 0).map(law)


PAIRS = st.integers(3, 5).flatmap(lambda n: st.tuples(laws(n), laws(n)))


@pytest.mark.parametrize("name", NAMES)
@given(pair=PAIRS, count=st.integers(1, 3))
@settings(max_examples=50, deadline=None)
def test_every_method_emits_a_law(name: str, pair: tuple[Law, Law], count: int) -> None:
    parts = {**EXACT, **MISTAKES}[name].parts(*pair, count)
    assert (parts.accepted >= 0).all()
    assert (parts.corrected > -1e-12).all()
    assert parts.law.sum() == pytest.approx(1)
    if name in EXACT:
        assert parts.error(pair[0]) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("name", MISTAKES)
def test_each_mistake_is_one(name: str) -> None:
    assert MISTAKES[name].parts(P, Q, 2).error(P) > 0.005


def test_laws_by_hand() -> None:
    """p = (.4 .3 .2 .1), q = (.1 .2 .3 .4): β = .6, the residual is (.75 .25 0 0)."""
    forgot = MISTAKES["forget-to-subtract"].parts(P, Q, 2)
    assert forgot.accepted == pytest.approx(1.4 * np.array([0.1, 0.2, 0.2, 0.1]))
    assert forgot.corrected == pytest.approx(0.16 * np.array([0.75, 0.25, 0, 0]))
    # The second test divides .3 and .1 by q where it should divide .75 and .25; both of (.2 0 0 0) is left.
    whole = MISTAKES["subtract-without-dividing"].parts(P, Q, 2)
    assert whole.accepted == pytest.approx([0.1 + 0.4 * 0.1, 0.2 + 0.4 * 0.2 * 0.5, 0.2, 0.1])
    assert whole.corrected == pytest.approx([0.4 * 0.8, 0, 0, 0])
    # Tokens 3 and 2 for certain, kept with 1/4 and, of the residual, never.
    top = MISTAKES["top-with-soft-law"].parts(P, Q, 2)
    assert top.accepted == pytest.approx([0, 0, 0, 0.25])


def test_a_simulation_of_the_stale_law_gives_its_law() -> None:
    """10,000 rounds within 5 standard errors, four figures: a false alarm in one run of 400,000."""
    generator, rounds = np.random.default_rng(5), 10_000
    counts = np.zeros(4)
    for _ in range(rounds):
        first, second = generator.choice(4, size=2, replace=False, p=Q)
        left = np.maximum(0, P - Q) / np.maximum(0, P - Q).sum()
        last = np.maximum(0, left - Q) / np.maximum(0, left - Q).sum()
        if generator.random() < P[first] / Q[first]:
            counts[first] += 1
        elif generator.random() < left[second] / Q[second]:
            counts[second] += 1
        else:
            counts[generator.choice(4, p=last)] += 1
    chances = MISTAKES["stale-law"].parts(P, Q, 2).law
    assert (np.abs(counts / rounds - chances) <= 5 * np.sqrt(chances * (1 - chances) / rounds)).all()


@given(PAIRS)
@settings(max_examples=40, deadline=None)
def test_one_guess_hides_all_but_the_chosen_one(pair: tuple[Law, Law]) -> None:
    p, q = pair
    for name in ("forget-to-subtract", "subtract-without-dividing", "stale-law"):
        assert MISTAKES[name].parts(p, q, 1).error(p) == pytest.approx(0, abs=1e-12)


def test_equal_laws_hide_them_too() -> None:
    hidden = {name for name, method in MISTAKES.items() if method.parts(P, P, 2).error(P) < 1e-12}
    assert hidden == {"forget-to-subtract", "subtract-without-dividing", "stale-law"}
