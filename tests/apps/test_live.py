"""A live run step by step, without a page: what it keeps, how it ends, what it says."""

from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from apps.widgets.live import Run
from lab.errors import LabError

INFO = SimpleNamespace(model="m", machine="x", date="2026-01-01T00:00", code="0")


def counting(n: int) -> tuple[SimpleNamespace, Iterator[int]]:
    return INFO, iter(range(n))


def finish(run: Run[int], n: int) -> None:
    for _ in range(100):
        if run.status != "running":
            return
        run.advance(lambda: counting(n))
    raise AssertionError("the run does not end")


def test_a_run_collects_every_record_in_order() -> None:
    run: Run[int] = Run({})
    finish(run, 5)
    assert (run.status, run.records, run.info) == ("done", [0, 1, 2, 3, 4], INFO)


def test_a_stopped_run_keeps_its_records_and_takes_no_further_step() -> None:
    run: Run[int] = Run({})
    for _ in range(3):  # one to start, two steps
        run.advance(lambda: counting(5))
    run.stop()
    run.advance(lambda: counting(5))
    assert (run.status, run.records, run.steps) == ("stopped", [0, 1], None)


def test_stopping_a_finished_run_changes_nothing() -> None:
    run: Run[int] = Run({})
    finish(run, 2)
    run.stop()
    assert run.status == "done"


def test_bad_input_ends_a_run_with_its_message() -> None:
    def refused() -> tuple[SimpleNamespace, Iterator[int]]:
        raise LabError("γ is -1.", "Choose 0 or more.")

    run: Run[int] = Run({})
    run.advance(refused)
    assert run.status == "failed"
    assert str(run.error) == "γ is -1. Choose 0 or more."


def test_bad_input_met_on_the_way_keeps_what_came_before() -> None:
    def breaks() -> Iterator[int]:
        yield 7
        raise LabError("NaN logits.", "Load the model again.")

    run: Run[int] = Run({})
    for _ in range(3):
        run.advance(lambda: (INFO, breaks()))
    assert (run.status, run.records) == ("failed", [7])


def test_a_mistake_in_the_lab_is_not_hidden() -> None:
    def breaks() -> Iterator[int]:
        yield 1 // 0

    run: Run[int] = Run({})
    run.advance(lambda: (INFO, breaks()))
    with pytest.raises(ZeroDivisionError):
        run.advance(lambda: (INFO, breaks()))
    assert run.status == "failed"
