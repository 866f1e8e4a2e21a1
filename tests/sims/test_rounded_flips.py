"""Flips between two roundings to one grid: formula, enumeration over the phase, Monte Carlo.

Monte Carlo checks allow 5 standard errors: a right formula fails one with odds of about 6e-7.
"""

import math

import numpy as np
import pytest

from sims.flips import grid_flip
from sims.noise import DifferenceNoise, GaussianNoise, MeasuredDifferences, UniformNoise
from sims.rounded_flips import rounded_flip, simulate_rounded

GRID = 0.125
SKEWED = MeasuredDifferences(tuple((np.random.default_rng(9).exponential(0.1, 301) - 0.1).tolist()))
LAWS: list[DifferenceNoise] = [GaussianNoise(0.06), UniformNoise(0.1), SKEWED]
MARGINS = [0.0, 0.03, 0.09, 0.125, 0.2, 0.4]


@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("law", LAWS, ids=lambda law: type(law).__name__)
@pytest.mark.parametrize("margin", MARGINS)
def test_formula_equals_monte_carlo(margin: float, law: DifferenceNoise, lower: bool) -> None:
    samples = 100_000
    expected = rounded_flip(margin, law, GRID, lower)
    got = simulate_rounded(margin, law, GRID, lower, samples, seed=3) / samples
    # The formula of a measured law is exact to about 1/4096 of a step's weight.
    assert abs(got - expected) <= 5 * math.sqrt(max(expected * (1 - expected), 1e-6) / samples) + 5e-4


@pytest.mark.parametrize("change", [-0.3, -0.1, 0.0, 0.05, 0.1, 0.2])
@pytest.mark.parametrize("margin", [0.0, 0.05, 0.1, 0.2])
@pytest.mark.parametrize("lower", [True, False])
def test_one_certain_change_by_enumeration(change: float, margin: float, lower: bool) -> None:
    """Round both pairs of logits at every phase, choose with the tie rule, and count."""
    phases = (np.arange(20_000) + 0.5) / 20_000 * GRID
    ids = (1, 0) if lower else (0, 1)  # of winner and runner-up

    def choice(gap: float) -> np.ndarray:
        ahead = np.rint((phases + gap) / GRID) - np.rint(phases / GRID)
        return np.where(ahead > 0, ids[0], np.where(ahead < 0, ids[1], 0))

    counted = float(np.mean(choice(margin) != choice(margin - change)))
    assert rounded_flip(margin, MeasuredDifferences((change,)), GRID, lower) == pytest.approx(
        counted, abs=1e-3
    )


@pytest.mark.parametrize("law", LAWS, ids=lambda law: type(law).__name__)
def test_beyond_one_step_the_unrounded_winner_is_the_rounded_one(law: DifferenceNoise) -> None:
    """Then comparing with the winner before rounding is the same event."""
    for margin in (0.125, 0.2, 0.4):
        before = grid_flip(margin, law, GRID)
        assert rounded_flip(margin, law, GRID, False) == pytest.approx(before.flip(False), abs=1e-12)
        assert rounded_flip(margin, law, GRID, True) == pytest.approx(before.flip(True), abs=1e-12)


def test_no_change_no_flip() -> None:
    still = MeasuredDifferences((0.0,))
    for margin in MARGINS:
        for lower in (True, False):
            assert rounded_flip(margin, still, GRID, lower) == pytest.approx(0, abs=1e-12)
            assert simulate_rounded(margin, still, GRID, lower, 1000, seed=0) == 0


def test_a_fine_grid_gives_the_unrounded_law() -> None:
    law = GaussianNoise(0.06)
    for margin in (0.05, 0.2):
        assert rounded_flip(margin, law, 1e-6, True) == pytest.approx(float(law.exceeds(margin)), abs=1e-5)
