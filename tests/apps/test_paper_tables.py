"""The paper's tables, filtered and recomputed, and this machine's beside them."""

from __future__ import annotations

import pytest

from apps import paper_tables as tables
from apps.paper_tables import ALL, Filter
from sims.leviathan import TABLE_3, TABLES_2_AND_4
from tests.apps import measure_records

RUNS = [run for run in measure_records.RUNS if run.gamma]


@pytest.mark.parametrize(
    ("shown", "speedups", "acceptances"),
    [
        (Filter(), 12, 16),
        (Filter("EnDe"), 6, 5),
        (Filter(ALL, "T5-large"), 4, 2),
        (Filter(ALL, ALL, "1"), 6, 16),
        (Filter("CNNDM", "T5-small", "0"), 1, 1),
        (Filter("dialog"), 0, 3),
    ],
)
def test_filters(shown: Filter, speedups: int, acceptances: int) -> None:
    assert (len(shown.speedups()), len(shown.acceptances())) == (speedups, acceptances)


def test_expected_is_computed_and_stands_beside_the_printed() -> None:
    frame = tables.speedups_frame(TABLES_2_AND_4)
    assert (frame.recomputed.round(1) - frame.printed).abs().max() <= 0.1 + 1e-9
    row = frame[(frame.task == "CNNDM") & (frame.draft == "T5-small 77M") & (frame.temperature == 0)].iloc[0]
    assert (row.measured, row.ratio) == (3.1, pytest.approx(3.1 / row.recomputed, abs=0.01))


def test_table_3_has_a_column_a_temperature() -> None:
    assert list(tables.acceptances_frame(Filter()).columns)[-2:] == ["alpha_t0", "alpha_t1"]
    only = tables.acceptances_frame(Filter(temperature="1"))
    assert list(only.alpha_t1) == [row.alpha_t1 for row in TABLE_3]
    assert "alpha_t0" not in only


def test_table_1_and_the_lenient_row_reproduce() -> None:
    frame = tables.operations_frame()
    assert (frame.operations - frame.operations_printed).abs().max() <= 0.005
    assert (frame.speedup - frame.speedup_printed).abs().max() <= 0.005
    greedy = tables.lenient_speedups_frame()
    assert (greedy.recomputed - greedy.printed).abs().max() <= 0.051
    assert list(tables.lenience_frame().columns) == [
        "draft",
        "temperature",
        "l=1",
        "l=0.5",
        "l=0.3",
        "l=0.1",
    ]


def test_every_run_of_the_paper_has_a_mark_of_its_kind() -> None:
    figure = tables.speedups_figure(TABLES_2_AND_4)
    marks = [trace for trace in figure.data if trace.mode == "markers" and trace.x[0] is not None]
    assert [(trace.x[0], trace.y[0]) for trace in marks] == [
        (tables.expected(row), row.measured) for row in TABLES_2_AND_4
    ]
    assert len({(trace.marker.symbol, trace.marker.color) for trace in marks}) == 12
    legend = [trace.name for trace in figure.data if trace.showlegend is not False][1:]
    assert legend == ["T5-small", "T5-base", "T5-large", "EnDe", "CNNDM"]


def test_acceptances_are_drawn_one_row_a_draft() -> None:
    first, second = tables.acceptances_figure(Filter("EnDe")).data
    assert list(first.x) == [0.82, 0.80, 0.75, 0.20, 0.08]
    assert second.marker.symbol == "circle-open"


def test_this_machines_table_keeps_three_predictions_apart() -> None:
    frame = tables.own_frame(RUNS)
    assert len(frame) == len(RUNS)
    assert (frame.recomputed > frame.with_v).all()
    assert (frame.ratio - 0.95).abs().max() < 0.001
    assert (frame.low < frame.measured).all()
    assert (frame.measured < frame.high).all()


def test_this_machines_runs_are_drawn_by_both_predictions() -> None:
    figure = tables.own_figure(RUNS)
    theorem, with_v = figure.data[1:3]
    assert list(theorem.x) == [run.predicted for run in RUNS if run.draft == "stories"]
    assert list(with_v.x) == [run.predicted_v for run in RUNS if run.draft == "stories"]
    assert list(theorem.y) == list(with_v.y)
    assert min(with_v.error_y.array) > 0
