"""The formulas of speculative decoding against sums, brute force and counting."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sims.errors import InputError
from sims.speedup import (
    expected_tokens,
    expected_tokens_by_position,
    optimal_gamma,
    oracle_speedup,
    oracle_speedup_with,
    oracle_tokens,
    some_gamma_helps,
    speedup,
    speedups,
    wasted_share,
    weight_bytes_per_token,
)

ALPHA = st.floats(0, 1)


@given(ALPHA, st.integers(0, 40))
def test_tokens_a_round_are_the_sum_of_powers(alpha: float, gamma: int) -> None:
    powers = sum(alpha**i for i in range(gamma + 1))
    assert expected_tokens(alpha, gamma) == pytest.approx(powers, rel=1e-9)
    assert expected_tokens_by_position([alpha] * gamma) == pytest.approx(powers, rel=1e-9)


@given(st.floats(0, 0.95), st.floats(0.001, 1))
def test_the_optimal_gamma_beats_every_other(alpha: float, c: float) -> None:
    best = optimal_gamma(alpha, c, limit=64)
    assert speedup(alpha, best, c) == max(speedup(alpha, gamma, c) for gamma in range(65))
    assert (best > 0) == some_gamma_helps(alpha, c) or speedup(alpha, 1, c) == pytest.approx(1)
    if some_gamma_helps(alpha, c):
        assert speedup(alpha, best, c) >= (1 + alpha) / (1 + c) - 1e-12
    assert oracle_speedup(alpha, c) >= speedup(alpha, best, c) - 1e-12


def test_a_costly_wide_pass_lowers_the_optimum() -> None:
    assert optimal_gamma(0.8, 0.02, lambda gamma: 1 + 0.1 * gamma) < optimal_gamma(0.8, 0.02)
    assert speedup(0.8, 4, 0.02, v=2) == pytest.approx(expected_tokens(0.8, 4) / 2.08)


def test_the_oracle_by_summation() -> None:
    """It drafts up to the first rejection: n + 1 tokens with chance α^n (1 - α), at n draft steps."""
    alpha, c = 0.8, 0.05
    n = np.arange(2000)
    chances = alpha**n * (1 - alpha)
    assert float(chances @ (n + 1)) == pytest.approx(oracle_tokens(alpha))
    assert float(chances @ (n + 1) / (chances @ (1 + c * n))) == pytest.approx(oracle_speedup(alpha, c))
    assert (oracle_tokens(1), oracle_speedup(1, 0)) == (float("inf"), float("inf"))


def test_the_oracle_of_a_costly_pass() -> None:
    """Against the plain one where v = 1, and against a sum over rounds where it is not."""
    alpha, c = 0.8, 0.05
    assert oracle_speedup_with(alpha, c, [1.0] * 400) == pytest.approx(oracle_speedup(alpha, c))
    v = [1.0, 1.5, 2.5]
    chances, tokens, times = [0.2, 0.16, 0.64], [1, 2, 3], [1.0, 1.5 + c, 2.5 + 2 * c]
    by_hand = float(np.dot(chances, tokens) / np.dot(chances, times))
    assert oracle_speedup_with(alpha, c, v) == pytest.approx(by_hand)
    assert oracle_speedup_with(1.0, 0.0, [1.0] * 5) == pytest.approx(5)


@given(ALPHA, st.floats(0, 2), st.integers(0, 20))
def test_all_speedups_at_once(alpha: float, c: float, gamma: int) -> None:
    v = [1 + 0.03 * i for i in range(21)]
    table = speedups([alpha, 0.5], [c, 0.1, 0.2], v)
    assert table.shape == (2, 3, 21)
    assert table[0, 0, gamma] == pytest.approx(speedup(alpha, gamma, c, v[gamma]), rel=1e-9)
    assert table[1, 2, 3] == pytest.approx(speedup(0.5, 3, 0.2, v[3]))


def test_what_is_verified_and_read_for_a_token() -> None:
    """By counting: 3 drafts at α = 0.5 are 4 positions and 1 + 1/2 + 1/4 + 1/8 tokens."""
    assert expected_tokens(0.5, 3) == 1.875
    assert wasted_share(0.5, 3) == pytest.approx((4 - 1.875) / 4)
    assert wasted_share(1.0, 7) == wasted_share(0.3, 0) == 0
    assert weight_bytes_per_token(0.5, 3, 270e6, 2.7e6) == pytest.approx((270e6 + 3 * 2.7e6) / 1.875)
    assert weight_bytes_per_token(0.9, 0, 270e6, 2.7e6) == 270e6


@pytest.mark.parametrize(
    "call",
    [
        lambda: expected_tokens(1.1, 2),
        lambda: expected_tokens(0.5, -1),
        lambda: speedup(0.5, 2, -0.1),
        lambda: speedup(0.5, 2, 0.1, v=0),
        lambda: expected_tokens_by_position([0.5, 2]),
        lambda: speedups([0.5, 1.2], [0.1], [1.0]),
        lambda: speedups([0.5], [-0.1], [1.0]),
        lambda: speedups([0.5], [0.1], [1.0, 0.0]),
        lambda: weight_bytes_per_token(0.5, 2, 0),
        lambda: weight_bytes_per_token(0.5, 2, 1, -1),
        lambda: oracle_speedup_with(2.0, 0.1, [1.0]),
        lambda: oracle_tokens(float("nan")),
    ],
)
def test_figures_that_make_no_sense_are_refused(call) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(InputError):
        call()
