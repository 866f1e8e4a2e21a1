"""The rule for one token, by itself."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from lab.decode.speculative.rule import accepts, beta, check_law, residual
from lab.errors import LabError


def law_of(*p: float) -> Tensor:
    return torch.tensor(p, dtype=torch.float64)


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Tensor, Tensor]:
    """Two laws over 2 to 6 tokens, some of probability 0."""
    size = draw(st.integers(2, 6))
    weights = st.lists(st.integers(0, 9), min_size=size, max_size=size).filter(any)
    p, q = (law_of(*draw(weights)) for _ in "pq")
    return p / p.sum(), q / q.sum()


@pytest.mark.parametrize(("p", "q"), [(0.25, 0.5), (0.125, 1.0), (0.0, 0.3), (3e-310, 6e-310), (0.1, 0.3)])
def test_a_token_stands_below_p_over_q_and_not_at_it(p: float, q: float) -> None:
    assert not accepts(p, q, p / q)
    if p > 0:
        assert accepts(p, q, math.nextafter(p / q, 0.0))
        assert accepts(p, q, 0.0)


def test_what_the_target_never_draws_is_never_accepted() -> None:
    assert not accepts(0.0, 0.5, 0.0)
    assert not accepts(0.0, 5e-324, 0.0)


@pytest.mark.parametrize(("p", "q"), [(0.5, 0.5), (0.7, 0.2), (1.0, 1.0), (1.0, 5e-324)])
def test_where_p_is_not_below_q_every_token_stands(p: float, q: float) -> None:
    assert accepts(p, q, 1 - 2**-53)


@pytest.mark.parametrize("q", [0.0, -0.1])
def test_a_drafted_token_cannot_have_probability_0(q: float) -> None:
    with pytest.raises(LabError, match=f"probability {q} in its draft's law"):
        accepts(0.5, q, 0.1)


def test_chance_of_acceptance_over_a_grid() -> None:
    """Of 1,024 evenly spaced uniforms, exactly 1,024 min(1, p/q) are below it (p and q are dyadic)."""
    for p in range(9):
        for q in (1, 2, 4, 8):
            stands = sum(accepts(p / 8, q / 8, u / 1024) for u in range(1024))
            assert stands == 1024 * min(1.0, p / q)


def test_residual_by_hand() -> None:
    p, q = law_of(0.5, 0.3, 0.2, 0.0), law_of(0.1, 0.5, 0.1, 0.3)
    assert torch.allclose(residual(p, q), law_of(0.8, 0.0, 0.2, 0.0), atol=1e-15, rtol=0)
    assert beta(p, q) == pytest.approx(0.5, abs=1e-15)


@given(pairs())
def test_accepted_and_corrected_together_are_p(laws: tuple[Tensor, Tensor]) -> None:
    """min(p, q) + (1 − β) p′ = p: Leviathan et al., Appendix A.1."""
    p, q = laws
    before = p.clone(), q.clone()
    whole = torch.minimum(p, q) + (1 - beta(p, q)) * residual(p, q)
    assert torch.allclose(whole, p, atol=1e-15, rtol=0)
    assert float(residual(p, q).sum()) == pytest.approx(1.0, abs=1e-15)
    assert torch.equal(p, before[0])
    assert torch.equal(q, before[1])


@given(pairs())
def test_a_correction_is_never_a_token_that_is_always_accepted_in_its_place(
    laws: tuple[Tensor, Tensor],
) -> None:
    p, q = laws
    left = residual(p, q)
    assert bool((left[p == 0] == 0).all())
    if beta(p, q) < 1 - 1e-12:
        assert bool((left[q >= p] == 0).all())


def test_equal_laws_leave_p() -> None:
    p = law_of(0.2, 0.5, 0.3)
    assert torch.equal(residual(p, p.clone()), p)
    assert beta(p, p) == pytest.approx(1.0, abs=1e-15)


@pytest.mark.parametrize(
    ("p", "says"),
    [
        (law_of(0.5, 0.4), "sums to 0.9"),
        (law_of(0.5, 0.6), "sums to 1.1"),
        (law_of(-0.5, 1.5), "least probability is -0.5"),
        (law_of(math.nan, 1.0), "sums to nan"),
    ],
)
def test_what_is_no_law_is_named(p: Tensor, says: str) -> None:
    with pytest.raises(LabError, match=f"The law of drafter 'x'.*{says}"):
        check_law(p, "drafter 'x'")


def test_rounding_is_no_reason_to_refuse_a_law() -> None:
    numbers = np.random.default_rng(0)
    for size in (3, 1000, 50_000):
        check_law(torch.softmax(torch.from_numpy(numbers.normal(size=size)) * 5, 0), "x")
