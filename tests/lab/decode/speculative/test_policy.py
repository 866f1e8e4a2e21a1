"""How many tokens a round drafts."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from lab.decode.speculative.policy import (
    Adaptive,
    Confident,
    Fixed,
    Optimal,
    Oracle,
    check_gamma,
    expected_tokens,
    optimal_gamma,
)
from lab.errors import LabError

PASTS = st.lists(st.integers(0, 8).flatmap(lambda d: st.tuples(st.just(d), st.integers(0, d))), max_size=30)


@given(PASTS)
def test_fixed_is_fixed(past: list[tuple[int, int]]) -> None:
    assert Fixed(3).window(past) == Fixed(3).largest == 3
    assert Fixed(0).window(past) == 0


def test_adaptive_grows_by_two_and_shrinks_by_one_within_its_bounds() -> None:
    policy = Adaptive(2, low=1, high=5)
    past: list[tuple[int, int]] = []
    seen = []
    for drafted, accepted in ((2, 2), (4, 4), (5, 5), (5, 4), (4, 0), (3, 1), (2, 0), (1, 0), (1, 0), (1, 1)):
        window = policy.window(past)
        seen.append(window)
        assert drafted == window
        past.append((drafted, accepted))
    assert seen == [2, 4, 5, 5, 4, 3, 2, 1, 1, 1]
    assert policy.window(past) == 3
    assert policy.largest == 5


def test_adaptive_learns_nothing_from_a_round_without_drafts() -> None:
    policy = Adaptive(4, low=1, high=8)
    assert policy.window([(0, 0)] * 5) == 4


@given(PASTS)
def test_adaptive_stays_within_its_bounds(past: list[tuple[int, int]]) -> None:
    assert 2 <= Adaptive(3, low=2, high=6).window(past) <= 6


@pytest.mark.parametrize("p", [0.3, 0.5, 0.7])
def test_confidence_is_the_largest_probability(p: float) -> None:
    logits = torch.tensor([p, (1 - p) / 3, (1 - p) / 3, (1 - p) / 3]).log() + 7.0
    assert Confident(4, threshold=p - 0.01).goes_on(logits)
    assert not Confident(4, threshold=p + 0.01).goes_on(logits)
    assert Confident(4, threshold=0.0).goes_on(logits)
    assert not Confident(4, threshold=1.0).goes_on(logits)


def test_confidence_of_a_one_token_law_is_one() -> None:
    assert Confident(4, threshold=1.0).goes_on(torch.zeros(1))


@given(st.floats(0, 1), st.integers(0, 20))
def test_expected_tokens_is_its_series(alpha: float, gamma: int) -> None:
    """1 + α + … + α^γ."""
    assert expected_tokens(alpha, gamma) == pytest.approx(sum(alpha**n for n in range(gamma + 1)), rel=1e-9)


def test_expected_tokens_refuses_what_is_no_probability() -> None:
    with pytest.raises(LabError, match=r"α = 1\.01"):
        expected_tokens(1.01, 3)
    with pytest.raises(LabError, match="γ = -1"):
        expected_tokens(0.5, -1)
    check_gamma(0)


@pytest.mark.parametrize(
    ("alpha", "c", "best"), [(0.6, 0.02, 6), (0.7, 0.05, 6), (0.8, 0.1, 6), (0.9, 0.2, 7), (0.1, 0.2, 0)]
)
def test_best_gamma_of_the_paper_where_a_pass_costs_one(alpha: float, c: float, best: int) -> None:
    """Leviathan et al., Figure 3 (v = 1), and below α = c nothing helps."""
    assert optimal_gamma(alpha, c, (1.0,) * 30) == best


def test_costly_passes_make_windows_short() -> None:
    v = tuple(1 + 0.5 * n for n in range(10))
    assert optimal_gamma(0.8, 0.05, v) < optimal_gamma(0.8, 0.05, (1.0,) * 10)


def test_optimal_learns_alpha_from_the_tests_that_were_made() -> None:
    """A round that rejects made one test more than it accepted; unreached tokens are no tests."""
    policy = Optimal(0.5, 0.05, (1.0,) * 17, weight=10.0)
    assert policy.largest == 16
    for past, alpha in (([], 0.5), ([(4, 4)] * 10, 45 / 50), ([(4, 1)] * 10, 15 / 30), ([(4, 0)] * 90, 0.05)):
        assert policy.window(past) == optimal_gamma(alpha, 0.05, policy.v)


def test_the_oracle_keeps_what_will_stand() -> None:
    oracle = Oracle(3, {"a": (5, 6, 7)})
    assert [oracle.keeps("a", at, 6) for at in range(5)] == [False, True, False, False, False]
    assert not oracle.keeps("b", 0, 5)
    assert not Oracle(3).keeps("a", 0, 5)


@pytest.mark.parametrize("policy", [Fixed(2), Adaptive(2), Confident(2), Optimal(0.5, 0.1, (1.0, 1.1, 1.2))])
def test_no_other_policy_looks_at_a_drawn_token(policy: Fixed | Optimal) -> None:
    assert all(policy.keeps("a", at, token) for at in range(4) for token in range(4))
    assert policy.name
