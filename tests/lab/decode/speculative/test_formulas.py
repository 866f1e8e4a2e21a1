"""Formulas against `sims`, written apart, and the rounds along a text against the process by definition."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
import pytest

from lab.decode.speculative.formulas import expected_cost, operations_factor, speedup
from lab.decode.speculative.policy import expected_tokens, optimal_gamma
from lab.errors import LabError
from sims import speedup as sims

ALPHAS = (0.0, 0.03, 0.5, 0.75, 0.999, 1.0)
GAMMAS = (0, 1, 3, 7, 16)
V = tuple(1.0 + 0.04 * gamma for gamma in range(17))


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("gamma", GAMMAS)
def test_formulas_equal_those_of_the_simulations(alpha: float, gamma: int) -> None:
    tokens = expected_tokens(alpha, gamma)
    assert tokens == pytest.approx(sims.expected_tokens(alpha, gamma), rel=1e-12)
    for c in (0.0, 0.05, 0.4, 1.3):
        assert speedup(tokens, gamma, c) == pytest.approx(sims.speedup(alpha, gamma, c), rel=1e-12)
        with_v = sims.speedup(alpha, gamma, c, V[gamma])
        assert speedup(tokens, gamma, c, V[gamma]) == pytest.approx(with_v, rel=1e-12)
        own = operations_factor(alpha, gamma, c)
        assert own == pytest.approx(sims.operations_factor(alpha, gamma, c), rel=1e-12)
        best = sims.optimal_gamma(alpha, c, lambda gamma: V[gamma], len(V) - 1)
        assert optimal_gamma(alpha, c, V) == best


@pytest.mark.parametrize(("gamma", "alpha"), [(g, a) for g in (0, 1, 4) for a in (0.0, 0.3, 0.8, 1.0)])
def test_cost_of_a_long_text_is_that_of_the_formula(gamma: int, alpha: float) -> None:
    count = 5000
    rounds = expected_cost([alpha] * count, gamma, count + 1, lambda window, accepted: 1.0)
    assert count / rounds == pytest.approx(expected_tokens(alpha, gamma), rel=2e-3)


@pytest.mark.parametrize("alpha", [0.0, 0.3, 0.8])
def test_cost_of_an_oracle_is_that_of_the_formula(alpha: float) -> None:
    count, c, last = 5000, 0.1, len(V) - 1
    cost = expected_cost([alpha] * count, last, count + 1, lambda window, n: n * c + V[n])
    assert count / cost == pytest.approx(sims.oracle_speedup_with(alpha, c, V), rel=2e-3)


def laws(seed: int, text: Sequence[int], vocab: int = 3) -> np.ndarray:
    """A law that depends on the whole text, with zeros here and there."""
    rng = np.random.default_rng([seed, *text])
    weights = rng.gamma(0.7, size=vocab)
    weights[rng.random(vocab) < 0.2] = 0.0
    if weights.sum() == 0.0:
        weights[0] = 1.0
    return weights / weights.sum()


def process_cost(text: tuple[int, ...], gamma: int, limit: int, eos: int | None) -> float:
    """Mean of 1 + window² + accepted³ over all rounds after `text`, by drafting and testing in every way."""
    if len(text) == limit or text[-1] == eos:
        return 0.0
    window, total = min(gamma, limit - len(text) - 1), 0.0

    def go(drafted: tuple[int, ...], chance: float) -> None:
        nonlocal total
        now = (*text, *drafted)
        paid = 1 + window**2 + len(drafted) ** 3
        p = laws(1, now)
        if drafted and drafted[-1] == eos:
            total += chance * paid
        elif len(drafted) == window:
            for token in p.nonzero()[0].tolist():
                after = process_cost((*now, token), gamma, limit, eos)
                total += chance * p[token] * (paid + after)
        else:
            q = laws(2, now)
            overlap = np.minimum(p, q)
            for token in overlap.nonzero()[0].tolist():
                go((*drafted, token), chance * overlap[token])
            for token in np.maximum(p - q, 0).nonzero()[0].tolist():
                after = process_cost((*now, token), gamma, limit, eos)
                total += chance * max(p[token] - q[token], 0.0) * (paid + after)

    go((), 1.0)
    return total


@pytest.mark.parametrize("gamma", range(5))
@pytest.mark.parametrize("eos", [None, 2])
def test_mean_cost_along_the_targets_texts_is_that_of_the_process(gamma: int, eos: int | None) -> None:
    limit, mean, whole = 5, 0.0, 0.0
    for text in itertools.product(range(3), repeat=limit):
        if eos in text:
            first = text.index(eos)
            if any(text[first + 1 :]):  # all continuations of an ended text are one text
                continue
            text = text[: first + 1]
        if text[0] != 0:
            continue
        chance, chances = 1.0, []
        for at in range(1, len(text)):
            p, q = laws(1, text[:at])[text[at]], laws(2, text[:at])[text[at]]
            chance *= p
            chances.append(min(1.0, q / p) if p else 0.0)
        whole += chance
        cost = expected_cost(chances, gamma, limit, lambda window, accepted: 1 + window**2 + accepted**3)
        mean += chance * cost
    assert whole == pytest.approx(1.0, abs=1e-12)
    assert mean == pytest.approx(process_cost((0,), gamma, limit, eos), rel=1e-12)


def test_bad_input() -> None:
    with pytest.raises(LabError, match=r"c = -0.1"):
        speedup(1.0, 2, -0.1)
    with pytest.raises(LabError, match=r"v = 0"):
        speedup(1.0, 2, 0.1, 0.0)
    with pytest.raises(LabError, match=r"α = 1.5"):
        operations_factor(1.5, 2, 0.1)
    with pytest.raises(LabError, match=r"α = 2"):
        expected_cost([2.0], 1, 4, lambda window, accepted: 1.0)
    assert expected_cost([], 4, 8, lambda window, accepted: 1.0) == 0.0
