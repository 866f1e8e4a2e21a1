"""Thresholds and their bounds: by hand, by brute force, and against scipy."""

from __future__ import annotations

from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from lab.decode.margingate.calibrate import Caught, caught, clopper_pearson_upper, curve, observed
from lab.errors import LabError
from lab.records import FlipRecord


def record(name: str, steps: list[tuple[float, bool, float]]) -> FlipRecord:
    """Steps as (margin, flipped, max |Δ|)."""
    return FlipRecord(
        prompt=name,
        kind="own",
        batch=8,
        switches=(),
        tokens=(1,) * len(steps),
        choices=tuple(2 if flipped else 1 for _, flipped, _ in steps),
        base_margins=(0.0,) * len(steps),
        margins=tuple(margin for margin, _, _ in steps),
        max_deltas=tuple(delta for _, _, delta in steps),
        near=(),
        k_change=(),
        v_change=(),
        k_deepest=(),
        base_text="",
        text="",
    )


BY_HAND = [
    record("a", [(0.0, True, 0.5), (0.25, False, 1.0), (2.0, False, 0.25)]),
    record("b", [(0.125, True, 0.5), (0.25, True, 0.5), (0.5, False, 1.5)]),
    record("c", [(1.0, False, 0.5), (3.0, False, 0.0)]),
]


def test_what_was_observed_by_hand() -> None:
    seen = observed(BY_HAND)
    assert (len(seen.margins), sum(seen.flipped)) == (8, 3)
    assert (seen.epsilon, seen.start, seen.catching) == (1.5, 3.0, 0.25)
    assert observed(BY_HAND[2:]).catching == 0


def test_caught_by_hand() -> None:
    assert curve(BY_HAND, [0.0, 0.2, 0.25, 10]) == [
        Caught(0.0, 8, 1, 3, 1, 3, 1),
        Caught(0.2, 8, 2, 3, 2, 3, 1),
        Caught(0.25, 8, 4, 3, 3, 3, 0),  # a margin of exactly τ is flagged
        Caught(10, 8, 8, 3, 3, 3, 0),
    ]
    point = caught(BY_HAND, 0.0)
    assert (point.trigger_rate, point.catch_rate, point.escapes) == (1 / 8, 1 / 3, 2)
    assert point.escape_bound == clopper_pearson_upper(2, 8)
    assert point.sequence_bound == clopper_pearson_upper(1, 3)
    assert caught(BY_HAND[2:], 0.0).catch_rate == 1


def test_a_study_without_steps_is_refused() -> None:
    for records in ([], [record("a", [])]):
        with pytest.raises(LabError, match="no steps"):
            caught(records, 0.1)


MARGINS = st.sampled_from([0.0, 0.125, 0.25, 0.375, 0.5, 1.0]) | st.floats(0, 2)
STUDIES = st.lists(
    st.lists(st.tuples(MARGINS, st.booleans(), st.floats(0, 2)), min_size=1, max_size=6),
    min_size=1,
    max_size=5,
)


@given(STUDIES, MARGINS)
def test_caught_is_a_count_of_all_steps(steps: list, tau: float) -> None:
    records = [record(f"p{i}", own) for i, own in enumerate(steps)]
    point = caught(records, tau)
    every = [step for own in steps for step in own]
    assert point.steps == len(every)
    assert point.flagged == len([1 for margin, _, _ in every if margin <= tau])
    assert point.flips == len([1 for _, flipped, _ in every if flipped])
    assert point.caught == len([1 for margin, flipped, _ in every if flipped and margin <= tau])
    assert point.escaped_sequences == len([1 for own in steps if [1 for m, f, _ in own if f and m > tau]])
    assert point.escapes + point.caught == point.flips
    assert 0 <= point.catch_rate <= 1


@given(STUDIES)
def test_catching_is_the_smallest_threshold_without_an_escape(steps: list) -> None:
    records = [record(f"p{i}", own) for i, own in enumerate(steps)]
    tau = observed(records).catching
    assert caught(records, tau).escapes == 0
    below = sorted({margin for own in steps for margin, _, _ in own if margin < tau})
    assert all(caught(records, lower).escapes for lower in below)


@given(STUDIES, st.lists(MARGINS, min_size=2, max_size=6))
def test_a_larger_threshold_never_catches_less(steps: list, taus: list[float]) -> None:
    points = curve([record(f"p{i}", own) for i, own in enumerate(steps)], sorted(taus))
    assert [point.caught for point in points] == sorted(point.caught for point in points)
    assert [point.flagged for point in points] == sorted(point.flagged for point in points)
    assert [point.escape_bound for point in points] == sorted(
        (point.escape_bound for point in points), reverse=True
    )


@given(st.integers(1, 3000), st.floats(0, 1), st.sampled_from([0.8, 0.95, 0.99]))
def test_the_bound_is_scipys(trials: int, share: float, confidence: float) -> None:
    events = round(share * trials)
    # A two-sided interval leaves half of what it may miss on each side.
    interval = binomtest(events, trials).proportion_ci(2 * confidence - 1, method="exact")
    assert clopper_pearson_upper(events, trials, confidence) == pytest.approx(interval.high, abs=1e-9)


@pytest.mark.parametrize("trials", [1, 2, 7, 30])
def test_at_the_bound_so_few_events_have_a_chance_of_one_in_twenty(trials: int) -> None:
    for events in range(trials):
        p = clopper_pearson_upper(events, trials)
        chance = sum(comb(trials, k) * p**k * (1 - p) ** (trials - k) for k in range(events + 1))
        assert chance == pytest.approx(0.05, abs=1e-9)
    assert clopper_pearson_upper(trials, trials) == 1


@pytest.mark.parametrize("p", [0.01, 0.1, 0.5, 0.97])
def test_the_bound_covers_in_at_least_95_of_100_studies(p: float) -> None:
    """By enumeration: the chance of a count whose bound lies below the true probability."""
    trials = 60
    missed = sum(
        comb(trials, k) * p**k * (1 - p) ** (trials - k)
        for k in range(trials + 1)
        if clopper_pearson_upper(k, trials) < p
    )
    assert missed <= 0.05


def test_no_escape_in_n_steps_is_about_three_in_n() -> None:
    assert clopper_pearson_upper(0, 1000) == pytest.approx(1 - 0.05 ** (1 / 1000))
    assert 1000 * clopper_pearson_upper(0, 1000) == pytest.approx(3, rel=0.01)


@pytest.mark.parametrize(("events", "trials"), [(-1, 3), (4, 3), (0, 0)])
def test_counts_that_do_not_fit_are_refused(events: int, trials: int) -> None:
    with pytest.raises(LabError, match="no sense"):
        clopper_pearson_upper(events, trials)
