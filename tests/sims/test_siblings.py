"""Siblings by enumeration: what comes out has the target's law, and how often it was guessed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sims.acceptance import Law, law, overlap
from sims.errors import InputError
from sims.mistakes import exact
from sims.siblings import (
    RULES,
    WAYS,
    drawn,
    drawn_without,
    match_acceptance,
    multi_step,
    multi_step_ranks,
    sample_and_match,
    target_mass,
    top,
    verified,
)

P, Q = law([5, 3, 2]), law([2, 3, 5])


def laws(size: int) -> st.SearchStrategy[Law]:
    """Laws with zeros, ties and tiny entries."""
    entry = st.sampled_from([0.0, 0.0, 1e-12, 0.25, 1.0]) | st.floats(0, 1)
    return st.lists(entry, min_size=size, max_size=size).filter(lambda x: sum(x) > 0).map(law)


CASES = st.tuples(st.integers(3, 5), st.integers(1, 3)).flatmap(
    lambda shape: st.tuples(laws(shape[0]), laws(shape[0]), st.just(shape[1]))
)
Case = tuple[Law, Law, int]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("rule", RULES)
@given(case=CASES)
@settings(max_examples=40, deadline=None)
def test_every_exact_rule_emits_the_targets_law(way: str, rule: str, case: Case) -> None:
    p, q, count = case
    parts = verified(p, q, count, WAYS[way], RULES[rule])
    assert np.abs(parts.law - p).max() < 1e-12
    assert (parts.accepted >= 0).all()
    assert (parts.corrected > -1e-15).all()


@pytest.mark.parametrize("way", WAYS)
@given(case=CASES)
@settings(max_examples=40, deadline=None)
def test_multi_step_accepts_no_less_than_sample_and_match(way: str, case: Case) -> None:
    """SpecInfer's Theorem 4.3, also beyond it: without replacement; for chosen siblings they are equal."""
    p, q, count = case
    multi, match = (
        verified(p, q, count, WAYS[way], rule).acceptance for rule in (multi_step, sample_and_match)
    )
    assert multi >= match - 1e-12
    if way == "top":
        (siblings,) = top(q, count)
        assert multi == pytest.approx(match, abs=1e-12)
        assert multi == pytest.approx(target_mass(p, siblings.tokens), abs=1e-12)


@given(CASES)
@settings(max_examples=40, deadline=None)
def test_closed_forms_are_the_enumeration(case: Case) -> None:
    p, q, count = case
    by_count = [verified(p, q, n, drawn, multi_step).acceptance for n in range(1, count + 1)]
    assert np.abs(multi_step_ranks(p, q, count) - np.diff([0.0, *by_count])).max() < 1e-12
    match = verified(p, q, count, drawn, sample_and_match).acceptance
    assert match_acceptance(p, q, count) == pytest.approx(match, abs=1e-12)


@given(CASES)
def test_one_guess_is_speculative_sampling(case: Case) -> None:
    p, q, _ = case
    for way in (drawn, drawn_without):
        parts, known = verified(p, q, 1, way, multi_step), exact(p, q)
        assert np.abs(parts.accepted - known.accepted).max() < 1e-12
        assert np.abs(parts.corrected - known.corrected).max() < 1e-12
        assert verified(p, q, 1, way, sample_and_match).acceptance == pytest.approx(float(p @ q), abs=1e-12)


@pytest.mark.parametrize("way", WAYS)
@given(case=CASES)
@settings(max_examples=40, deadline=None)
def test_outcomes_are_a_law_and_carry_the_laws_they_were_drawn_from(way: str, case: Case) -> None:
    _, q, count = case
    outcomes = list(WAYS[way](q, count))
    assert sum(each.chance for each in outcomes) == pytest.approx(1)
    for each in outcomes:
        drawn_from = [own[token] for token, own in zip(each.tokens, each.laws, strict=True)]
        assert np.prod(drawn_from) == pytest.approx(each.chance, abs=1e-12)
        assert way == "drawn" or len(set(each.tokens)) == len(each.tokens)
        assert len(each.tokens) == (min(count, np.count_nonzero(q)) if way == "drawn-without" else count)


def test_two_guesses_by_hand() -> None:
    """p = (.5 .3 .2), q = (.2 .3 .5): β = .7, the residual is token 0, and the second guess is it with .2."""
    parts = verified(P, Q, 2, drawn, multi_step)
    assert parts.accepted == pytest.approx([0.2 + 0.3 * 0.2, 0.3, 0.2])
    assert parts.corrected == pytest.approx([0.3 * 0.8, 0, 0])
    assert multi_step_ranks(P, Q, 2) == pytest.approx([0.7, 0.06])
    assert match_acceptance(P, Q, 2) == pytest.approx(0.5 * 0.36 + 0.3 * 0.51 + 0.2 * 0.75)
    # Without replacement the first guess was rejected only if it was token 2 (.5, and then with .6): token 0
    # is drawn next with .2 / .5.
    without = verified(P, Q, 2, drawn_without, multi_step)
    assert without.acceptance == pytest.approx(0.7 + 0.5 * 0.6 * 0.4)
    assert verified(P, Q, 2, top, multi_step).accepted == pytest.approx([0, 0.3, 0.2])


def test_top_breaks_ties_by_the_lowest_id() -> None:
    (siblings,) = top(law([1, 2, 2, 2]), 2)
    assert siblings.tokens == (1, 2)


def simulate(p: Law, q: Law, count: int, without: bool, rounds: int, seed: int) -> tuple[np.ndarray, float]:
    """SpecInfer's Algorithm 2 with plain loops: (token counts, share accepted)."""
    generator = np.random.default_rng(seed)
    tokens, accepted = np.zeros(len(p)), 0
    for _ in range(rounds):
        target, draft, out = p.tolist(), q.tolist(), -1
        for _ in range(count):
            x = int(generator.choice(len(p), p=np.array(draft) / sum(draft)))
            chance = draft[x] / sum(draft)
            if generator.random() < target[x] / chance:
                out = x
                break
            left = [max(0.0, a - b / sum(draft)) for a, b in zip(target, draft, strict=True)]
            target = [a / sum(left) for a in left]
            if without:
                draft[x] = 0.0
        accepted += out >= 0
        tokens[out if out >= 0 else int(generator.choice(len(p), p=target))] += 1
    return tokens, accepted / rounds


@pytest.mark.parametrize(("way", "without"), [("drawn", False), ("drawn-without", True)])
def test_the_algorithm_itself_gives_these_chances(way: str, without: bool) -> None:
    """20,000 rounds, five figures within 5 standard errors: a false alarm in one run of 300,000."""
    p, q, rounds = law([1, 4, 3, 2]), law([4, 3, 2, 1]), 20_000
    parts = verified(p, q, 2, WAYS[way], multi_step)
    tokens, accepted = simulate(p, q, 2, without, rounds, seed=3)
    found, chances = np.append(tokens / rounds, accepted), np.append(p, parts.acceptance)
    assert (np.abs(found - chances) <= 5 * np.sqrt(chances * (1 - chances) / rounds)).all()
    assert parts.acceptance > overlap(p, q)


@given(CASES)
@settings(max_examples=40, deadline=None)
def test_a_further_guess_never_accepts_less(case: Case) -> None:
    p, q, count = case
    for way in WAYS.values():
        fewer, more = (verified(p, q, n, way, multi_step).acceptance for n in (count, count + 1))
        assert more >= fewer - 1e-12


def test_what_cannot_be_enumerated_is_refused() -> None:
    with pytest.raises(InputError, match="at least one token"):
        verified(P, Q, 0, drawn, multi_step)
    with pytest.raises(InputError, match="too many to list"):
        verified(P, Q, 12, drawn, multi_step)
    with pytest.raises(InputError, match="too many to list"):
        next(drawn_without(law([1] * 20), 6))
    with pytest.raises(InputError, match="do not fit"):
        verified(P, law([1, 1]), 1, top, multi_step)
    with pytest.raises(InputError, match="at least one token"):
        match_acceptance(P, Q, 0)
