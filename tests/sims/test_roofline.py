"""The roofline against figures worked out by hand, and distinct experts against counting."""

import numpy as np
import pytest

from sims.errors import InputError
from sims.roofline import Machine, Target, bend, expected_experts, pass_time, widening
from sims.speedup import speedup

H200 = Machine(bandwidth=4.8e12, peak=989e12)
SEVEN_BILLION = Target(shared=7e9)


@pytest.mark.parametrize(
    ("batch", "gain"), [(1, 2.57), (8, 2.57), (32, 2.57), (64, 2.12), (128, 1.12), (256, 0.71)]
)
def test_speculation_fades_with_the_batch(batch: int, gain: float) -> None:
    """α = 0.8, γ = 3, c = 0.05: 4 rows a sequence reach 206 at batch 52, where a pass turns to arithmetic."""
    v = widening(H200, SEVEN_BILLION, batch, 3)
    assert speedup(0.8, 3, 0.05, v) == pytest.approx(gain, abs=0.005)


@pytest.mark.parametrize(
    ("bandwidth", "peak", "rows"), [(2.0e12, 312e12, 156), (3.35e12, 989e12, 295), (4.8e12, 989e12, 206)]
)
def test_the_bend_in_bf16(bandwidth: float, peak: float, rows: int) -> None:
    machine = Machine(bandwidth, peak)
    assert bend(machine, SEVEN_BILLION) == pytest.approx(rows, abs=0.5)
    inside, outside = (pass_time(machine, SEVEN_BILLION, n, 1) for n in (rows - 1, rows + 1))
    assert inside == pass_time(machine, SEVEN_BILLION, 1, 1) < outside
    assert bend(machine, Target(shared=7e9, bytes_each=4)) == pytest.approx(2 * rows, abs=1)


def test_a_pass_by_hand() -> None:
    cpu, small = Machine(20e9, 90e9), Target(shared=135e6)
    assert pass_time(cpu, small, 1, 1) == 270e6 / 20e9 == pass_time(cpu, small, 2, 2)
    assert pass_time(cpu, small, 8, 8) == pytest.approx(64 * 270e6 / 90e9)
    cached = Target(shared=135e6, cache_bytes=40e6)
    assert pass_time(cpu, cached, 2, 2) == pytest.approx((270e6 + 2 * 40e6) / 20e9)


def test_a_long_context_brings_speculation_back() -> None:
    """Each sequence's K/V is read once a pass, however many of its drafts are verified."""
    long = Target(shared=7e9, cache_bytes=16e9)
    assert widening(H200, long, 256, 3) < 1.1 < widening(H200, SEVEN_BILLION, 256, 3)


def test_experts_make_a_wide_pass_read_more() -> None:
    routed = Target(shared=0, routed=1e9, experts=256, per_token=8)
    assert widening(H200, routed, 1, 3) == pytest.approx(expected_experts(256, 8, 4) / 8)
    assert expected_experts(256, 8, 4) / 8 == pytest.approx(3.8, abs=0.05)
    assert expected_experts(8, 2, 4) / 2 == pytest.approx(2.7, abs=0.05)
    every = Target(shared=1e9, routed=1e9, experts=4, per_token=4)
    assert pass_time(H200, every, 2, 3) == pass_time(H200, Target(shared=2e9), 2, 3)
    # In a large batch all experts are read anyway, and v falls back towards 1.
    assert widening(H200, routed, 64, 3) < 1.5


def test_distinct_experts_by_counting() -> None:
    generator = np.random.default_rng(0)
    draws = [
        len({int(e) for _ in range(5) for e in generator.choice(8, 2, replace=False)}) for _ in range(20_000)
    ]
    # Five standard errors: a right formula fails with odds of about 6e-7.
    assert abs(np.mean(draws) - expected_experts(8, 2, 5)) < 5 * np.std(draws) / np.sqrt(len(draws))
    assert expected_experts(8, 2, 1) == pytest.approx(2)
    assert expected_experts(8, 8, 3) == 8


@pytest.mark.parametrize(
    "call",
    [
        lambda: Machine(0, 1),
        lambda: Machine(1, float("nan")),
        lambda: Target(shared=0),
        lambda: Target(shared=1, routed=-1),
        lambda: Target(shared=1, bytes_each=0),
        lambda: Target(shared=1, routed=1, experts=4, per_token=5),
        lambda: pass_time(H200, SEVEN_BILLION, 0, 1),
        lambda: pass_time(H200, SEVEN_BILLION, 1, 0),
        lambda: expected_experts(4, 5, 1),
        lambda: expected_experts(4, 2, -1),
    ],
)
def test_figures_that_make_no_sense_are_refused(call) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(InputError):
        call()
