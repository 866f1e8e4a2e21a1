"""Lesson 1 as it is read: it runs from top to bottom, and its exercises tell blanks from answers."""

from __future__ import annotations

import pytest
from nbclient.exceptions import CellExecutionError

from notebooks import make
from tests.notebooks.executed import Executed, names_of_answers, run, shown

pytestmark = pytest.mark.lesson01
SOURCE = make.FOLDER / "01_bf16_and_the_order_of_sums.py"

MISTAKES = {
    "gap": ("k - 1 - 7", "k - 7"),
    "to_bf16": ("round(x / gap(x))", "int(x / gap(x))"),
    "p": ("256.0, 1.0, 1.0", "1.0, 1.0, 1.0"),
    "split_dot": ("products[start + 1 : start + size]", "products[start : start + size]"),
    "greedy": ("(-pair[1], pair[0])", "(-pair[1], -pair[0])"),
    "p_flip": ("2 * sigma", "sigma"),
}


def test_the_solutions_pass_every_check_and_the_asserts_hold(lesson: Executed) -> None:
    lesson.assert_solved(len(MISTAKES))


@pytest.mark.parametrize("name", MISTAKES)
@pytest.mark.parametrize("kind", ["blank", "wrong"])
def test_a_blank_and_a_mistake_fail_their_check(lesson: Executed, kind: str, name: str) -> None:
    lesson.assert_unsolved(kind, name)


def test_what_is_only_read_needs_no_answer() -> None:
    """Demonstrations use the lab's functions: a student who skips an exercise still sees them."""
    assert names_of_answers(make.notebook(SOURCE)) == {}


def test_a_blank_stops_a_run_of_the_whole_notebook() -> None:
    with pytest.raises(CellExecutionError, match="Not yet: 8 of 8 cases differ"):
        run(make.student(make.notebook(SOURCE)))


def test_the_sentences_of_the_lesson_hold(lesson: Executed) -> None:
    """Numbers that the text names, in the outputs that do not depend on the machine."""
    told = lesson.told
    assert "every addition rounded to BF16: 256.0" in told
    assert "every addition rounded to FP32: 512.0" in told
    (sums,) = [line for line in told.splitlines() if line.startswith("FP32 sums")]
    (outputs,) = [line for line in told.splitlines() if line.startswith("BF16 outputs")]
    assert float(sums.split()[2].rstrip("%")) > 50, "most FP32 sums differ"
    assert float(outputs.split()[2].rstrip("%")) < 1, "hardly any BF16 output does"
    assert "only the last product is cut   at 1, 8, 64 rows: [' how', ' how', ' how']" in told
    assert "every layer is cut             at 1, 8, 64 rows: [' how', ' its', ' how']" in told
    smallest = next(line for line in told.splitlines() if line.startswith("     0 –"))
    formula, grid = (float(word.rstrip("%")) for word in smallest.split()[3:5])
    low, high = (float(word.rstrip("%")) for word in smallest.split(":")[1].split(" – "))
    assert formula > high, "at the smallest margins the formula is too high"
    assert low < grid < high, "and the grid agrees"


def test_the_first_cell_says_what_the_machine_is(lesson: Executed) -> None:
    first = next(cell for cell in lesson.solved if cell.cell_type == "code")
    assert "torch" in shown(first)
    assert "threads:" in shown(first)
