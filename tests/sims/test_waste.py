"""Expected waste against every pattern of flips, counted one by one."""

from __future__ import annotations

from itertools import product

import pytest

from sims.waste import expected_waste


@pytest.mark.parametrize("rate", [0.0, 0.015, 0.3, 1.0])
@pytest.mark.parametrize("window", [1, 2, 5, 10])
def test_every_pattern_of_flips(rate: float, window: int) -> None:
    total = 0.0
    for flips in product((False, True), repeat=window):
        chance = 1.0
        for flip in flips:
            chance *= rate if flip else 1 - rate
        behind = window - 1 - flips.index(True) if any(flips) else 0
        total += chance * behind
    assert expected_waste(rate, window) == pytest.approx(total, abs=1e-12)


def test_a_window_of_one_wastes_nothing() -> None:
    assert expected_waste(0.7, 1) == pytest.approx(0)


@pytest.mark.parametrize(("rate", "window"), [(-0.1, 4), (1.1, 4), (0.1, 0)])
def test_what_cannot_be(rate: float, window: int) -> None:
    with pytest.raises(ValueError, match="Give"):
        expected_waste(rate, window)
