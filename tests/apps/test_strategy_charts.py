"""The figures of determinism's cost: cost against equal sequences, and replay's gates on a grid."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from apps import strategy_charts, strategy_table
from tests.apps.strategy_records import ALONE, BEFORE, GRID, PLAIN


def test_a_grid_of_gates_stays_out_of_the_table() -> None:
    records = [*BEFORE, *ALONE, *GRID]
    replays = [r for r in strategy_table.main_gates(records) if r.strategy == "replay"]
    assert {strategy_table.gate_of(r) for r in replays} == {(0.25, 32, 32)}
    grid = strategy_charts.grid_of(records)
    assert len(grid) == 13
    assert strategy_charts.pass_sizes(grid) == [1, 16]  # the table's own gate would be a grid of one cell
    assert strategy_charts.pass_sizes(grid[:1]) == [32]
    assert strategy_charts.grid_of(BEFORE) == []


def test_grid_shows_each_gate_once() -> None:
    (heat,) = strategy_charts.grid_figure(GRID, 16, "waste", PLAIN).data
    assert [list(row) for row in heat.z] == [
        [pytest.approx(100 * 8 / 110)] * 3,
        [pytest.approx(100 * 64 / 110)] * 3,
    ]
    assert (list(heat.x), list(heat.y)) == (["0.125", "0.25", "0.5"], ["8", "64"])
    (heat,) = strategy_charts.grid_figure(GRID, 1, "increment", PLAIN).data
    assert heat.z[0][0] == pytest.approx(2.5)
    (heat,) = strategy_charts.grid_figure(GRID, 1, "filling", PLAIN).data
    assert heat.z[0][0] == 100 / 40


def test_the_cheapest_gate_is_named() -> None:
    quick = replace(GRID[3], seconds=1.1)
    assert strategy_charts.cheapest([*GRID, quick], PLAIN) == (quick, pytest.approx(1))
    assert strategy_charts.cheapest(GRID, None) is None


def test_grid_of_emulated_runs_has_no_increment() -> None:
    emulated = [replace(r, emulated=True) for r in GRID]
    assert strategy_charts.plain_beside(emulated, [PLAIN, *emulated]) is None
    assert strategy_charts.measured(emulated[0], "increment", None) is None
    assert strategy_charts.measured(emulated[0], "waste", None) is not None
    never = replace(GRID[0], visits=0, verified=0)
    assert strategy_charts.measured(never, "filling", PLAIN) is None


def test_chart_has_a_symbol_and_a_name_for_each() -> None:
    figure = strategy_charts.cost_figure([*BEFORE, *ALONE], 8)
    assert [trace.name for trace in figure.data] == [note.text for note in figure.layout.annotations]
    assert [(trace.x[0], trace.y[0]) for trace in figure.data] == [
        (50.0, 0.0),
        (100.0, pytest.approx(10)),
        (100.0, pytest.approx(2.5)),
        (100.0, pytest.approx(2.5)),
    ]
    symbols = [trace.marker.symbol for trace in figure.data]
    assert len(set(symbols)) == len(symbols)
    heights = sorted(note.ay for note in figure.layout.annotations)
    low, high = figure.layout.yaxis.range
    gap = strategy_charts.LABEL_GAP * (high - low)
    assert all(upper - lower >= gap * 0.999 for lower, upper in pairwise(heights))


@pytest.mark.parametrize(
    ("values", "placed"),
    [
        ([], []),
        ([0.0, 10.0, 5.0], [0.0, 10.0, 5.0]),
        ([1.0, 1.0, 1.0], [0.0, 1.0, 2.0]),
        ([3.0, 1.0, 1.2], [3.0, 0.6, 1.6]),
    ],
)
def test_names_move_apart_in_their_order(values: list[float], placed: list[float]) -> None:
    assert strategy_charts.spread(values, 1.0) == pytest.approx(placed)
