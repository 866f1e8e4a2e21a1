"""The formulas of Leviathan et al. against sums, brute force, and the paper's own tables."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sims.errors import InputError
from sims.speedup import (
    expected_experts,
    expected_tokens,
    expected_tokens_by_position,
    operations_factor,
    optimal_gamma,
    oracle_speedup,
    oracle_tokens,
    roofline_time,
    some_gamma_helps,
    speedup,
)

ALPHA = st.floats(0, 1)

# Leviathan et al., Table 1 (c = ĉ = 0): α, γ, operations factor, speed-up.
TABLE_1 = [
    (0.6, 2, 1.53, 1.96),
    (0.7, 3, 1.58, 2.53),
    (0.8, 2, 1.23, 2.44),
    (0.8, 5, 1.63, 3.69),
    (0.9, 2, 1.11, 2.71),
    (0.9, 10, 1.60, 6.86),
]
# Tables 2 and 4: γ, α, c, the expected speed-up as printed; printed α and c are rounded.
TABLE_4 = [
    (7, 0.75, 0.02, 3.2),
    (7, 0.80, 0.04, 3.3),
    (7, 0.82, 0.11, 2.5),
    (7, 0.62, 0.02, 2.3),
    (5, 0.68, 0.04, 2.4),
    (3, 0.71, 0.11, 2.0),
    (5, 0.65, 0.02, 2.4),
    (5, 0.73, 0.04, 2.6),
    (3, 0.74, 0.11, 2.0),
    (5, 0.53, 0.02, 1.9),
    (3, 0.55, 0.04, 1.8),
    (3, 0.56, 0.11, 1.6),
]


@given(ALPHA, st.integers(0, 40))
def test_tokens_a_round_are_the_sum_of_powers(alpha: float, gamma: int) -> None:
    powers = sum(alpha**i for i in range(gamma + 1))
    assert expected_tokens(alpha, gamma) == pytest.approx(powers, rel=1e-9)
    assert expected_tokens_by_position([alpha] * gamma) == pytest.approx(powers, rel=1e-9)


@pytest.mark.parametrize(("alpha", "gamma", "operations", "gain"), TABLE_1)
def test_table_1(alpha: float, gamma: int, operations: float, gain: float) -> None:
    assert operations_factor(alpha, gamma, 0) == pytest.approx(operations, abs=0.006)
    assert speedup(alpha, gamma, 0) == pytest.approx(gain, abs=0.006)


@pytest.mark.parametrize(("gamma", "alpha", "c", "expected"), TABLE_4)
def test_expected_speedups_of_the_paper(gamma: int, alpha: float, c: float, expected: float) -> None:
    assert speedup(alpha, gamma, c) == pytest.approx(expected, abs=0.11)


@given(st.floats(0, 0.95), st.floats(0.001, 1))
def test_the_optimal_gamma_beats_every_other(alpha: float, c: float) -> None:
    best = optimal_gamma(alpha, c, limit=64)
    assert speedup(alpha, best, c) == max(speedup(alpha, gamma, c) for gamma in range(65))
    assert (best > 0) == some_gamma_helps(alpha, c) or speedup(alpha, 1, c) == pytest.approx(1)
    if some_gamma_helps(alpha, c):
        assert speedup(alpha, best, c) >= (1 + alpha) / (1 + c) - 1e-12
    assert oracle_speedup(alpha, c) >= speedup(alpha, best, c) - 1e-12


@pytest.mark.parametrize(
    ("c", "gammas"),
    [(0.02, (6, 8, 11, 19)), (0.05, (4, 6, 8, 13)), (0.1, (3, 4, 6, 10)), (0.2, (2, 3, 4, 7))],
)
def test_optimal_gammas_of_figure_3(c: float, gammas: tuple[int, ...]) -> None:
    assert tuple(optimal_gamma(alpha, c) for alpha in (0.6, 0.7, 0.8, 0.9)) == gammas


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


def test_distinct_experts_by_counting() -> None:
    generator = np.random.default_rng(0)
    draws = [
        len({int(e) for _ in range(5) for e in generator.choice(8, 2, replace=False)}) for _ in range(20_000)
    ]
    # Five standard errors: a right formula fails with odds of about 6e-7.
    assert abs(np.mean(draws) - expected_experts(8, 2, 5)) < 5 * np.std(draws) / np.sqrt(len(draws))
    assert expected_experts(8, 2, 1) == pytest.approx(2)
    assert expected_experts(8, 8, 3) == 8


def test_a_pass_is_bound_by_memory_and_then_by_arithmetic() -> None:
    times = [roofline_time(rows, 270e6, 270e6, 20e9, 90e9) for rows in (1, 2, 4, 8, 64)]
    assert times[0] == times[1] == times[2] == 270e6 / 20e9
    assert times[4] == pytest.approx(64 * 270e6 / 90e9)


@pytest.mark.parametrize(
    "call",
    [
        lambda: expected_tokens(1.1, 2),
        lambda: expected_tokens(0.5, -1),
        lambda: speedup(0.5, 2, -0.1),
        lambda: speedup(0.5, 2, 0.1, v=0),
        lambda: expected_tokens_by_position([0.5, 2]),
        lambda: expected_experts(4, 5, 1),
        lambda: roofline_time(0, 1, 1, 1, 1),
        lambda: oracle_tokens(float("nan")),
    ],
)
def test_figures_that_make_no_sense_are_refused(call) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(InputError):
        call()
