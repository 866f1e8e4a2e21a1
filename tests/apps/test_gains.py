"""The dials of α, γ and c: v from each source, the verdict with its reason, the pictures, the table."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from apps import gains, measured
from apps import speedup_pictures as pictures
from apps.gains import SEARCHED, SHOWN, Setting
from sims.errors import InputError
from sims.leviathan import LENIENT, TABLES_2_AND_4
from sims.rounds import simulate
from sims.speedup import optimal_gamma, oracle_speedup
from tests.apps import measure_records

MEASURED = measure_records.measured()
VALUES: dict[str, Any] = {
    "alpha": 0.8,
    "gamma": 3,
    "c": 0.05,
    "dial": "paper",
    "machine-batch": "1",
    "batch": 1,
    "bandwidth": 4800.0,
    "peak": 989.0,
    "billions": 7.0,
    "bytes": "2",
    "experts": "dense",
    "cache": 0.0,
}


def at(**changes: Any) -> Setting:
    return gains.setting(VALUES | {name.replace("_", "-"): v for name, v in changes.items()}, MEASURED)


def test_the_papers_dial_is_one_everywhere() -> None:
    own = at()
    assert own.v == (1.0,) * (SEARCHED + 1)
    assert own.gain(3) == pytest.approx(2.57, abs=0.005)
    assert own.best == optimal_gamma(0.8, 0.05) == 8
    assert own.oracle == oracle_speedup(0.8, 0.05)


@pytest.mark.parametrize(("batch", "gain"), [(32, 2.57), (64, 2.12), (128, 1.12), (256, 0.71)])
def test_the_roofline_dial_follows_the_batch(batch: int, gain: float) -> None:
    assert at(dial="roofline", batch=batch).gain(3) == pytest.approx(gain, abs=0.005)


def test_the_roofline_dial_knows_experts_bytes_and_caches() -> None:
    assert at(dial="roofline", experts="8-of-256").v[3] == pytest.approx(3.8, abs=0.05)
    assert at(dial="roofline", batch=256, cache=16_000.0).v[3] < 1.2
    assert at(dial="roofline", batch=100, bytes="1").v[3] > at(dial="roofline", batch=100).v[3]
    with pytest.raises(InputError, match="machine"):
        at(dial="roofline", peak=0.0)


def test_the_machines_dial_takes_the_recorded_curve() -> None:
    own = at(dial="machine", gamma=24)
    assert own.v == pytest.approx([measure_records.v_of(gamma) for gamma in range(17)])
    assert own.gamma == 16  # as far as it was measured
    assert at(dial="machine", machine_batch="4").v[2] == pytest.approx(measure_records.v_of(2, 4))
    assert at(dial="machine", machine_batch="64").v == own.v
    assert gains.setting(VALUES | {"dial": "machine"}, None).at_papers_v


@pytest.mark.parametrize(
    ("setting", "key"),
    [
        (Setting(0.8, 4, 0.05, (1, 2, 3, 4, 5)), "pass"),
        (Setting(0.02, 4, 0.05, (1.0,) * 9), "draft"),
        (Setting(0.3, 8, 0.1, (1.0,) * 9), "long"),
        (Setting(0.5, 1, 0.3, (1.0, 1.3)), "both"),
    ],
)
def test_a_loss_has_its_reason(setting: Setting, key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gains, "t", lambda name, **_: name)
    assert setting.gain(setting.gamma) < 1
    assert gains.verdict(setting)[:2] == ["speedup-verdict-loss", f"speedup-reason-{key}"]


def test_a_gain_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gains, "t", lambda name, **_: name)
    assert gains.verdict(at()) == ["speedup-verdict", "speedup-best"]
    assert gains.verdict(at(alpha=0.0))[-1] == "speedup-best-none"


def test_the_oracle_is_never_behind_the_best_gamma() -> None:
    for changes in ({}, {"dial": "machine"}, {"dial": "roofline", "batch": 256}, {"alpha": 0.1, "c": 0.5}):
        own = at(**changes)
        assert own.oracle >= own.gain(own.best) - 1e-12


def test_the_table_has_every_gamma_of_the_charts() -> None:
    frame = gains.frame(at(), 0.05)
    assert list(frame.gamma) == list(range(SHOWN + 1))
    row = frame.iloc[3]
    assert (row.tokens, row.speedup) == (pytest.approx(2.952), pytest.approx(2.567, abs=1e-4))
    assert row.reads == pytest.approx((1 + 3 * 0.05) / 2.952, abs=1e-4)


def test_the_curves_are_the_formulas() -> None:
    own = at()
    series = MEASURED.series["stories · story · T=0"]
    traces = {trace.name: trace for trace in pictures.gain_figure(own, series.runs).data}
    assert list(traces["speedup"].y) == [own.gain(gamma) for gamma in range(SHOWN + 1)]
    assert (traces["best γ"].x[0], traces["chosen γ"].x[0]) == (8, 3)
    assert list(traces["measured"].x) == [1, 2, 4, 8]
    assert "with v = 1" not in traces
    assert "with v = 1" in [trace.name for trace in pictures.gain_figure(at(dial="machine"), []).data]
    balance = {trace.name: trace.y for trace in pictures.balance_figure(own).data}
    assert list(balance["cost of a round"]) == pytest.approx([1 + 0.05 * g for g in range(SHOWN + 1)])


def test_the_maps_have_no_gain_where_alpha_is_not_above_c() -> None:
    gain, best = pictures.map_figures(at(), list(MEASURED.series.values()))
    heat, gammas = np.array(gain.data[0].customdata), np.array(best.data[0].customdata)
    assert heat.shape == gammas.shape == (51, 51)
    for row in range(51):
        for column in range(51):
            assert (gammas[row, column] > 0) == (row > column)
            assert row == column or (heat[row, column] > 1) == (row > column)
    assert gammas[40, 5] == optimal_gamma(pictures.CELLS[40], pictures.CELLS[5], limit=SEARCHED)
    marks = {trace.name: trace for trace in gain.data if trace.type == "scatter"}
    assert len(marks["paper"].x) == len(TABLES_2_AND_4)
    assert len(marks["this machine"].x) == len(MEASURED.series)
    assert (marks["here"].x[0], marks["here"].y[0]) == (0.05, 0.8)


def test_a_curve_without_drafts_still_has_maps() -> None:
    gain, _ = pictures.map_figures(Setting(0.5, 0, 0.1, (1.0,)), [])
    assert np.array(gain.data[0].customdata).max() == 1


def test_simulated_rounds_stand_beside_their_formula() -> None:
    bars, points = pictures.rounds_figure(simulate([0.5, 0.5], 1000), [0.5, 0.5]).data
    assert list(bars.x) == ["1", "2", "3"]
    assert sum(bars.y) == pytest.approx(1)
    assert list(points.y) == pytest.approx([0.5, 0.25, 0.25])


def test_lenience_shows_its_drift() -> None:
    alphas, best = pictures.lenience_figures(LENIENT[2], at())
    exact, drift = alphas.data
    assert list(exact.y) == [0.62] * 4
    assert list(drift.y) == pytest.approx([0, 0.09, 0.14, 0.22])
    assert list(best.data[0].y) == sorted(best.data[0].y)


def test_a_recording_is_sorted_into_series_and_curves() -> None:
    assert list(MEASURED.series) == [
        "stories · story · T=0",
        "stories · story · T=1",
        "stories · code · T=0",
        "bigram · story · T=0",
    ]
    assert all(run.gamma > 0 for series in MEASURED.series.values() for run in series.runs)
    fastest = MEASURED.series["stories · story · T=0"].fastest
    assert fastest.speedup == max(run.speedup for run in measure_records.RUNS)


def test_a_curve_is_straight_where_a_width_is_missing() -> None:
    whole = measured.curve(measure_records.passes())
    assert measured.curve(measure_records.passes(missing=(3, 4, 9))) == pytest.approx(whole)
    assert measured.curve(measure_records.passes(missing=(1,))) == ()
    assert measured.curve([]) == ()
