import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sims.errors import InputError
from sims.exact import condition, exact_sum, fsum, running_sums


@given(st.lists(st.floats(-1e30, 1e30), max_size=30))
def test_the_exact_sum_rounds_to_fsum(x: list[float]) -> None:
    assert float(exact_sum(x)) == fsum(x) == math.fsum(x)


def test_nothing_is_lost() -> None:
    assert exact_sum([1e30, 1, -1e30]) == 1
    assert exact_sum([]) == 0
    assert exact_sum([[0.5, 0.25], [2.0**-1000, 0]]) == Fraction(3, 4) + Fraction(1, 2**1000)


def test_condition_measures_cancellation() -> None:
    assert condition([1, 2, 3]) == condition([-1, -2]) == condition([0, 0]) == 1
    assert condition([100, 1, -100]) == 201
    assert condition([1, -1]) == math.inf


@pytest.mark.parametrize("bad", [np.inf, np.nan])
def test_what_has_no_sum_is_refused(bad: float) -> None:
    for function in (exact_sum, fsum, condition, running_sums):
        with pytest.raises(InputError):
            function([1, bad])


@given(st.lists(st.floats(-1e30, 1e30), min_size=1, max_size=20))
def test_running_sums_are_the_exact_sums_of_the_beginnings(x: list[float]) -> None:
    assert running_sums(x).tolist() == [math.fsum(x[: k + 1]) for k in range(len(x))]
