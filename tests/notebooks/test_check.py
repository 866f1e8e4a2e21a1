"""The checker of exercises: what it accepts, what it refuses, what it shows."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from notebooks.check import UnsolvedError, check

pytestmark = pytest.mark.lesson01


def square(x: float) -> float:
    return x * x


def test_right_answers_pass_and_stand_beside_the_spec(capsys: pytest.CaptureFixture[str]) -> None:
    check(lambda x: x**2, square, 2.0, 3.0)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split() for line in lines[1:]] == [["✓", "2", "4", "4"], ["✓", "3", "9", "9"]]


def test_a_wrong_case_is_marked_and_counted(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(UnsolvedError, match="1 of 2 cases differ"):
        check(lambda x: 4.0, square, 2.0, 3.0)
    assert [line[0] for line in capsys.readouterr().out.splitlines()[1:]] == ["✓", "✗"]


@pytest.mark.parametrize("blank", [None, ...])
def test_a_blank_is_told(blank: object, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(UnsolvedError):
        check(lambda x: blank, square, 2.0)
    assert "(blank)" in capsys.readouterr().out


def test_a_mistake_in_an_answer_is_shown_in_its_case(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(UnsolvedError):
        check(lambda x: 1 / 0, square, 2.0)
    assert "ZeroDivisionError" in capsys.readouterr().out


def same(mine: object, wanted: object, close: float = 0.0) -> bool:
    try:
        check(lambda: mine, lambda: wanted, (), close=close)
    except UnsolvedError:
        return False
    return True


def test_what_counts_as_equal() -> None:
    assert same(1, 1.0)
    assert same(math.nan, float("nan"))
    assert same(np.float32(0.1), torch.tensor(0.1))
    assert same([1, 2], np.array([1, 2]))
    assert same("a", "a")
    assert same(math.inf, math.inf)
    assert same(0.1 + 0.2, 0.3, close=1e-12)


def test_what_does_not() -> None:
    assert not same(0.1 + 0.2, 0.3)
    assert not same([1, 2], [1, 2, 3])
    assert not same(1.0, [1.0])
    assert not same("a", "b")
    assert not same("1", 1)
    assert not same(math.nan, 0.0)
    assert not same(np.nextafter(np.float32(1), np.float32(2)), 1.0)


def test_in_a_notebook_it_is_one_line_and_no_traceback() -> None:
    assert UnsolvedError("1 of 2 cases differ.")._render_traceback_() == ["Not yet: 1 of 2 cases differ."]
