"""P(flip) three ways: formula, enumeration or integration where possible, and Monte Carlo.

Monte Carlo checks allow 5 standard errors: a right formula fails one with odds of about 6e-7.
"""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats

from sims.errors import InputError
from sims.flips import (
    cannot_flip,
    flip_probability,
    flip_probability_many,
    grid_flip,
    independent_events,
    simulate_logits,
    simulate_margin,
    tie_probability,
    union_bound,
    wilson_interval,
)
from sims.formats import BF16
from sims.noise import GaussianNoise, MeasuredDifferences, MeasuredNoise, UniformNoise, normal_survival

SAMPLES = 200_000
SKEWED = tuple((np.random.default_rng(9).exponential(0.1, 301) - 0.1).tolist())
SINGLE = [GaussianNoise(0.2), GaussianNoise(0.2, correlation=0.5), UniformNoise(0.3), MeasuredNoise(SKEWED)]
ALL = [*SINGLE, MeasuredDifferences(SKEWED)]
MARGINS = [0.0, 0.05, 0.125, 0.3, 0.55]


def agrees(hits: int, probability: float, samples: int = SAMPLES) -> bool:
    return abs(hits / samples - probability) <= 5 * math.sqrt(
        max(probability * (1 - probability), 1e-9) / samples
    )


def test_the_normal_tail_is_scipys() -> None:
    z = np.linspace(-8, 30, 200)
    np.testing.assert_allclose(normal_survival(z), stats.norm.sf(z), rtol=1e-12)


@pytest.mark.parametrize("margin", MARGINS)
def test_formulas_are_the_integrals_they_stand_for(margin: float) -> None:
    gauss = integrate.quad(
        lambda e: stats.norm.pdf(e, scale=0.2) * stats.norm.sf(margin + e, scale=0.2), -3, 3
    )[0]
    assert flip_probability(margin, GaussianNoise(0.2)) == pytest.approx(gauss, rel=1e-8)
    half = 0.3
    inner = lambda e: np.clip((half - margin - e) / (2 * half), 0, 1) / (2 * half)  # noqa: E731
    uniform = integrate.quad(inner, -half, half, points=[half - margin, -half + 1e-9])[0]
    assert flip_probability(margin, UniformNoise(half)) == pytest.approx(uniform, abs=1e-9)
    pairs = np.subtract.outer(SKEWED, SKEWED)
    assert flip_probability(margin, MeasuredNoise(SKEWED)) == pytest.approx(
        (pairs > margin).mean(), abs=1e-12
    )
    assert flip_probability(margin, MeasuredDifferences(SKEWED)) == pytest.approx(
        (np.array(SKEWED) > margin).mean()
    )


@pytest.mark.parametrize("noise", ALL, ids=lambda n: type(n).__name__)
@pytest.mark.parametrize("margin", MARGINS)
def test_formula_and_monte_carlo_agree(noise, margin: float) -> None:
    count = simulate_margin(margin, noise, SAMPLES, seed=1)
    assert agrees(count.swaps, float(flip_probability(margin, noise)))


@pytest.mark.parametrize("noise", ALL, ids=lambda n: type(n).__name__)
@pytest.mark.parametrize("margin", MARGINS)
def test_formula_and_monte_carlo_agree_on_the_grid(noise, margin: float) -> None:
    formula = grid_flip(margin, noise, 0.125)
    count = simulate_margin(margin, noise, SAMPLES, seed=2, spacing=0.125)
    grain = 1 / 4096  # what the midpoints leave for a law of steps
    for hits, probability in ((count.swaps, formula.swap), (count.ties, formula.tie)):
        error = 5 * math.sqrt(max(probability * (1 - probability), 1e-9) / SAMPLES) + grain
        assert abs(hits / SAMPLES - probability) <= error
    assert formula.flip(True) == formula.swap + formula.tie
    assert formula.flip(False) == formula.swap


@pytest.mark.parametrize("noise", SINGLE, ids=lambda n: f"{type(n).__name__}-{getattr(n, 'correlation', 0)}")
def test_many_candidates_by_integration_and_monte_carlo(noise) -> None:
    margins = np.array([0.1, 0.15, 0.2, 0.4])
    exact = flip_probability_many(margins, noise)
    tops = simulate_logits(np.concatenate([[5.0], 5.0 - margins]), noise, SAMPLES, seed=3)
    assert agrees(SAMPLES - int(tops[0]), exact)
    assert max(flip_probability(margins, noise)) <= exact + 1e-9
    assert exact <= independent_events(margins, noise) <= union_bound(margins, noise)


@pytest.mark.parametrize("noise", SINGLE, ids=lambda n: f"{type(n).__name__}-{getattr(n, 'correlation', 0)}")
def test_one_rival_is_the_formula_for_two(noise) -> None:
    for margin in MARGINS[1:]:  # at 0 a law of steps can tie exactly, which counts differently
        two = float(flip_probability(margin, noise))
        assert flip_probability_many([margin], noise) == pytest.approx(two, abs=2e-4)


@given(st.floats(0, 2), st.floats(0.01, 0.5))
def test_beyond_two_eps_nothing_flips(margin: float, eps: float) -> None:
    if cannot_flip(margin, eps):
        assert flip_probability(margin, UniformNoise(eps)) == 0
    elif margin < 2 * eps * (1 - 1e-6):
        assert flip_probability(margin, UniformNoise(eps)) > 0
    assert cannot_flip([2 * eps, 2.1 * eps], eps).tolist() == [False, True]


@given(st.sampled_from(ALL), st.lists(st.floats(-1, 1), min_size=2, max_size=20))
def test_larger_margins_flip_less(noise, margins: list[float]) -> None:
    probabilities = flip_probability(np.sort(margins), noise)
    assert (np.diff(probabilities) <= 1e-12).all()
    assert ((probabilities >= 0) & (probabilities <= 1)).all()


def test_symmetric_noise_at_no_margin_flips_half_the_time() -> None:
    assert flip_probability(0, GaussianNoise(1)) == 0.5
    assert flip_probability(0, UniformNoise(1)) == 0.5
    assert flip_probability(-0.3, UniformNoise(0.3)) == pytest.approx(1 - 1 / 8)


def test_correlation_shrinks_what_matters() -> None:
    assert flip_probability(0.1, GaussianNoise(0.2, 0.75)) == flip_probability(0.1, GaussianNoise(0.1))


def test_ties_by_formula_and_by_rounding_pairs() -> None:
    assert tie_probability([0, 0.0625, 0.125, 1], 0.125).tolist() == [1, 0.5, 0, 0]
    rng = np.random.default_rng(4)
    low = rng.uniform(16, 31, SAMPLES)
    spacing, margin = 0.125, 0.04
    ties = (np.rint(low / spacing) == np.rint((low + margin) / spacing)).sum()
    assert agrees(int(ties), float(tie_probability(margin, spacing)))


def test_small_noise_on_a_grid_leaves_the_tie_of_the_grid() -> None:
    calm = grid_flip(0.05, UniformNoise(1e-6), 0.125)
    assert calm.tie == pytest.approx(float(tie_probability(0.05, 0.125)), abs=1e-3)
    assert calm.swap == 0


def test_logits_on_their_own_grid() -> None:
    """20.05 and 20.06 both are 20 in BF16: the lower id wins although its logit is the smaller one."""
    tops = simulate_logits([20.05, 20.06], UniformNoise(1e-3), 1_000, seed=0, fmt=BF16)
    assert tops.tolist() == [1_000, 0]
    assert simulate_logits([20.05, 20.06], UniformNoise(1e-3), 1_000, seed=0).tolist() == [0, 1_000]


def test_wilson_is_scipys() -> None:
    for hits, samples in ((0, 10), (3, 10), (10, 10), (480, 100_000)):
        theirs = stats.binomtest(hits, samples).proportion_ci(0.95, method="wilson")
        assert wilson_interval(hits, samples, stats.norm.ppf(0.975)) == pytest.approx(
            (theirs.low, theirs.high)
        )
    with pytest.raises(InputError):
        wilson_interval(0, 0)


def test_assumptions_are_declared() -> None:
    assert "independent" in GaussianNoise(1).assumptions
    assert "correlated" in GaussianNoise(1, 0.5).assumptions
    assert MeasuredDifferences((0.1,)).assumptions == ("measured",)
    assert "gaussian" not in UniformNoise(1).assumptions


@pytest.mark.parametrize(
    "make",
    [
        lambda: GaussianNoise(0),
        lambda: GaussianNoise(1, 1),
        lambda: GaussianNoise(1, -0.1),
        lambda: UniformNoise(-1),
        lambda: MeasuredNoise(()),
        lambda: MeasuredDifferences((float("nan"),)),
    ],
)
def test_laws_that_are_none_are_refused(make) -> None:
    with pytest.raises(InputError):
        make()
