"""Simulated rounds against the formulas. Means may be 5 standard errors off: odds of 6e-7 if right."""

from itertools import product

import numpy as np
import pytest

from sims.errors import InputError
from sims.rounds import Rounds, accepted_law, simulate, simulate_streaks, streak_conditional, streak_law
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
    law = accepted_law(chances)
    assert law == pytest.approx([0.1, 0.9 * 0.4, 0.54 * 0.2, 0.432 * 0.7, 0.432 * 0.3])
    # Each share may be 5 standard errors off.
    assert (np.abs(rounds.counts / ROUNDS - law) < 5 * np.sqrt(law / ROUNDS)).all()


def test_streaks_keep_the_mean_of_one_position_and_change_that_of_a_round() -> None:
    loose, tight = (simulate_streaks(0.7, stay, 6, ROUNDS, seed=1) for stay in (0.0, 0.9))
    assert meets(loose, expected_tokens(0.7, 6))
    assert loose.unconditional[0] == pytest.approx(0.7, abs=0.006)
    assert tight.unconditional[0] == pytest.approx(0.7, abs=0.02)
    assert tight.tokens.mean() > loose.tokens.mean() + 0.5  # accepted drafts come together
    # Given one acceptance, the next is accepted with chance stay + (1 - stay) α.
    assert tight.conditional[1] == pytest.approx(0.9 + 0.1 * 0.7, abs=0.005)


def step(alpha: float, stay: float, before: bool, after: bool) -> float:
    return stay * (before == after) + (1 - stay) * (alpha if after else 1 - alpha)


@pytest.mark.parametrize(("alpha", "stay"), [(0.7, 0.6), (0.3, 0.0), (0.5, 1.0), (1.0, 0.4), (0.0, 0.9)])
@pytest.mark.parametrize("before", [False, True])
def test_a_round_of_streaks_by_enumeration(alpha: float, stay: float, before: bool) -> None:
    """All outcomes of four positions, one by one: the number accepted and the last outcome, jointly."""
    gamma = 4
    joint = {False: np.zeros(gamma + 1), True: np.zeros(gamma + 1)}
    for outcomes in product((False, True), repeat=gamma):
        chance, last = 1.0, before
        for outcome in outcomes:
            chance, last = chance * step(alpha, stay, last, outcome), outcome
        joint[last][[*outcomes, False].index(False)] += chance
    for after in (False, True):
        assert streak_law(alpha, stay, gamma, before, after) == pytest.approx(joint[after], abs=1e-12)


def one_by_one(alpha: float, stay: float, gamma: int, rounds: int, seed: int) -> Rounds:
    """The same process, each position drawn after the one before it."""
    generator = np.random.default_rng(seed)
    outcome, accepted = bool(generator.random() < alpha), []
    for _ in range(rounds):
        outcomes = []
        for _ in range(gamma):
            if generator.random() >= stay:
                outcome = bool(generator.random() < alpha)
            outcomes.append(outcome)
        accepted.append([*outcomes, False].index(False))
    return Rounds(gamma, np.array(accepted))


def test_streaks_run_on_from_round_to_round_as_drawn_one_by_one() -> None:
    """Mean product of neighbouring rounds. Correlated draws: their error is taken from 100 blocks' means."""

    def products(rounds: Rounds) -> np.ndarray:
        pairs = rounds.accepted[:-1] * rounds.accepted[1:]
        return pairs[: len(pairs) // 100 * 100].reshape(100, -1).mean(axis=1)

    fast, slow = (
        products(simulate_streaks(0.6, 0.8, 3, ROUNDS, 5)),
        products(one_by_one(0.6, 0.8, 3, 30_000, 6)),
    )
    error = np.sqrt((fast.var() + slow.var()) / 99)
    assert abs(fast.mean() - slow.mean()) < 5 * error
    apart = fast.mean() - simulate_streaks(0.6, 0.8, 3, ROUNDS, 7).accepted.mean() ** 2
    assert apart > 10 * error  # a round tells something of the next


@pytest.mark.parametrize(("alpha", "stay", "gamma"), [(0.6, 0.5, 5), (0.9, 0.2, 12), (1.0, 0.3, 3)])
def test_streaks_meet_their_formula(alpha: float, stay: float, gamma: int) -> None:
    rounds = simulate_streaks(alpha, stay, gamma, ROUNDS, seed=2)
    means = rounds.tokens.reshape(100, -1).mean(axis=1)
    expected = expected_tokens_by_position(streak_conditional(alpha, stay, gamma))
    assert abs(means.mean() - expected) <= 5 * means.std() / np.sqrt(99)


def test_counts_and_rates_by_hand() -> None:
    rounds = Rounds(3, np.array([0, 1, 1, 3]))
    assert rounds.counts.tolist() == [1, 2, 0, 1]
    assert rounds.conditional == pytest.approx([3 / 4, 1 / 3, 1])
    assert rounds.unconditional == pytest.approx([3 / 4, 1 / 4, 1 / 4])
    assert rounds.accepted_per_draft == 5 / 12
    never = Rounds(2, np.array([0, 0]))
    assert never.conditional[0] == 0
    assert np.isnan(never.conditional[1])


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
