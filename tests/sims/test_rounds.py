"""Simulated rounds against the formulas. Means may be 5 standard errors off: odds of 6e-7 if right."""

import numpy as np
import pytest

from sims.errors import InputError
from sims.rounds import Rounds, simulate, simulate_streaks
from sims.speedup import expected_tokens, expected_tokens_by_position

ROUNDS = 200_000


def meets(rounds: Rounds, expected: float) -> bool:
    error = rounds.tokens.std() / np.sqrt(len(rounds.tokens))
    return bool(abs(rounds.tokens.mean() - expected) <= 5 * error)


@pytest.mark.parametrize(("alpha", "gamma"), [(0.0, 3), (0.5, 1), (0.8, 5), (0.9, 12), (1.0, 4), (0.7, 0)])
def test_independent_rounds_meet_equation_1(alpha: float, gamma: int) -> None:
    assert meets(simulate([alpha] * gamma, ROUNDS), expected_tokens(alpha, gamma))


def test_positions_of_their_own() -> None:
    chances = [0.9, 0.6, 0.8, 0.3]
    rounds = simulate(chances, ROUNDS, seed=3)
    assert meets(rounds, expected_tokens_by_position(chances))
    assert rounds.conditional == pytest.approx(chances, abs=0.01)
    assert rounds.unconditional == pytest.approx(np.cumprod(chances), abs=0.006)
    assert rounds.accepted_per_draft == pytest.approx(np.cumprod(chances).mean(), abs=0.005)


def test_streaks_keep_the_mean_of_one_position_and_change_that_of_a_round() -> None:
    loose, tight = (simulate_streaks(0.7, stay, 6, ROUNDS, seed=1) for stay in (0.0, 0.9))
    assert meets(loose, expected_tokens(0.7, 6))
    assert loose.unconditional[0] == pytest.approx(0.7, abs=0.006)
    assert tight.unconditional[0] == pytest.approx(0.7, abs=0.02)
    assert tight.tokens.mean() > loose.tokens.mean() + 0.5  # accepted drafts come together
    # Given one acceptance, the next is accepted with chance stay + (1 - stay) α.
    assert tight.conditional[1] == pytest.approx(0.9 + 0.1 * 0.7, abs=0.005)


def test_a_seed_gives_the_same_rounds() -> None:
    assert np.array_equal(simulate([0.5] * 3, 100, 7).accepted, simulate([0.5] * 3, 100, 7).accepted)
    assert not np.array_equal(simulate([0.5] * 3, 100, 7).accepted, simulate([0.5] * 3, 100, 8).accepted)


def test_without_drafts_a_round_is_one_token() -> None:
    rounds = simulate_streaks(0.5, 0.5, 0, 10)
    assert rounds.tokens.tolist() == [1] * 10
    assert np.isnan(rounds.accepted_per_draft)


def test_what_cannot_be_simulated_is_refused() -> None:
    for call in (
        lambda: simulate([1.5], 10),
        lambda: simulate([0.5], 0),
        lambda: simulate_streaks(0.5, 2, 3, 10),
    ):
        with pytest.raises(InputError):
            call()
