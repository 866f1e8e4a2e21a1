"""The mistakes: each law against a drawing by hand and a simulation of its own; only the rule gives p."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sims.acceptance import Law, emitted, law, overlap, residual, round_law
from sims.mistakes import MISTAKES, RULES, accept_always, exact, greedy_draft

P, Q = law([5, 3, 2]), law([2, 3, 5])


def laws(size: int) -> st.SearchStrategy[Law]:
    entry = st.sampled_from([0.0, 0.0, 1e-12, 0.25, 1.0]) | st.floats(0, 1)
    return st.lists(entry, min_size=size, max_size=size).filter(lambda x: sum(x) > 0).map(law)


PAIRS = st.integers(2, 8).flatmap(lambda n: st.tuples(laws(n), laws(n)))


@given(PAIRS)
def test_the_rule_is_exact_in_both_parts(pair: tuple[Law, Law]) -> None:
    p, q = pair
    parts = exact(p, q)
    assert np.abs(parts.law - p).max() < 1e-12
    assert np.abs(parts.law - emitted(p, q)).max() < 1e-12
    assert np.abs(parts.accepted - np.minimum(p, q)).max() < 1e-12
    assert parts.acceptance == pytest.approx(overlap(p, q), abs=1e-12)
    assert parts.error(p) == pytest.approx(0, abs=1e-12)


@given(PAIRS)
def test_the_rule_agrees_with_the_enumeration_of_a_round(pair: tuple[Law, Law]) -> None:
    """The first token of every round that `round_law` enumerates, added up."""
    p, q = pair
    first = np.zeros_like(p)
    for tokens, chance in round_law([p, p], [q]).items():
        first[tokens[0]] += chance
    assert np.abs(exact(p, q).law - first).max() < 1e-12


@given(PAIRS, st.sampled_from(sorted(RULES)))
def test_every_rule_emits_a_law(pair: tuple[Law, Law], name: str) -> None:
    p, q = pair
    parts = RULES[name](p, q)
    assert (parts.accepted >= 0).all()
    assert (parts.corrected > -1e-12).all()
    assert parts.law.sum() == pytest.approx(1)
    assert -1e-12 <= parts.error(p) <= 1


BY_HAND = {
    "exact": [0.5, 0.3, 0.2],
    "accept-always": [0.2, 0.3, 0.5],
    "correct-from-target": [0.2 + 0.3 * 0.5, 0.3 + 0.3 * 0.3, 0.2 + 0.3 * 0.2],
    "softmax-residual": [0.2 + 0.3 * np.exp(0.3) / (np.exp(0.3) + 2), None, None],
    "reversed-test": [0.7, 0.0, 0.3],
    "greedy-draft": [0.6, 0.0, 0.4],
}


@pytest.mark.parametrize("name", RULES)
def test_laws_by_hand(name: str) -> None:
    """p = (.5 .3 .2), q = (.2 .3 .5): β = .7, and the residual is token 0 alone."""
    found = RULES[name](P, Q).law
    for value, expected in zip(found, BY_HAND[name], strict=True):
        if expected is not None:
            assert value == pytest.approx(expected)


@pytest.mark.parametrize("name", MISTAKES)
def test_each_mistake_is_one(name: str) -> None:
    assert RULES[name](P, Q).error(P) > 0.02


def draw(name: str, count: int, seed: int) -> np.ndarray:
    """Token counts of the procedure itself, written without `sims.mistakes`."""
    generator = np.random.default_rng(seed)
    size = len(P)
    drafts = np.full(count, Q.argmax()) if name == "greedy-draft" else generator.choice(size, size=count, p=Q)
    uniforms, ratio = generator.random(count), (P / Q)[drafts]
    kept = {"accept-always": ratio > -1, "reversed-test": uniforms > ratio}.get(name, uniforms < ratio)
    left = np.maximum(0, P - Q)
    then = {
        "correct-from-target": P,
        "softmax-residual": np.exp(left) / np.exp(left).sum(),
    }.get(name, left / left.sum())
    out = np.where(kept, drafts, generator.choice(size, size=count, p=then))
    return np.bincount(out, minlength=size)


@pytest.mark.parametrize("name", RULES)
def test_a_simulation_of_each_rule_gives_its_law(name: str) -> None:
    """200,000 tokens, all within 5 standard errors: a false alarm in one run of 50,000 at most."""
    count = 200_000
    chances = RULES[name](P, Q).law
    error = np.sqrt(np.maximum(chances * (1 - chances), 1e-12) / count)
    assert (np.abs(draw(name, count, seed=1) / count - chances) <= 5 * error + 1e-9).all()


def test_equal_laws_hide_most_mistakes() -> None:
    """p = q tests nothing: all but the greedy draft look exact there."""
    hidden = {name for name, rule in MISTAKES.items() if rule(P, P).error(P) < 1e-12}
    assert hidden == {"accept-always", "correct-from-target", "softmax-residual", "reversed-test"}


def test_one_hot_and_disjoint_laws() -> None:
    first, second = law([1, 0]), law([0, 1])
    assert exact(first, second).law == pytest.approx(first)
    assert exact(first, second).acceptance == 0
    assert accept_always(first, second).error(first) == pytest.approx(1)
    assert greedy_draft(first, first).law == pytest.approx(residual(first, first))
