"""Lesson 1 as it is read: it runs from top to bottom, and its exercises tell blanks from answers."""

from __future__ import annotations

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from notebooks import make

pytestmark = pytest.mark.lesson01
SOURCE = make.FOLDER / "01_bf16_and_the_order_of_sums.py"
SECONDS = 120  # a cell; the machine may be busy


def run(book: nbformat.NotebookNode, **options: bool) -> nbformat.NotebookNode:
    """Execute it as JupyterLab would, from the folder of the notebooks."""
    client = NotebookClient(
        book, timeout=SECONDS, resources={"metadata": {"path": str(make.FOLDER)}}, **options
    )
    client.execute()
    return book


def shown(cell: nbformat.NotebookNode) -> str:
    return "".join(output.get("text", "") for output in cell.outputs)


def is_check(cell: nbformat.NotebookNode) -> bool:
    return cell.cell_type == "code" and "check(" in cell.source and "import" not in cell.source


@pytest.fixture(scope="module")
def solved() -> nbformat.NotebookNode:
    return run(make.notebook(SOURCE))


@pytest.fixture(scope="module")
def blank() -> nbformat.NotebookNode:
    return run(make.student(make.notebook(SOURCE)), allow_errors=True)


def test_the_solutions_pass_every_check_and_the_asserts_hold(solved: nbformat.NotebookNode) -> None:
    checks = [cell for cell in solved.cells if is_check(cell)]
    assert len(checks) == 6
    for cell in checks:
        assert "✓" in shown(cell)
        assert "✗" not in shown(cell)
    assert solved.cells[-1].source.count("assert ") >= 8, "the lesson ends with what holds on every machine"


def test_blanks_fail_every_check_with_one_line(blank: nbformat.NotebookNode) -> None:
    for cell in filter(is_check, blank.cells):
        assert "✗" in shown(cell)
        (error,) = [output for output in cell.outputs if output.output_type == "error"]
        assert error.ename == "UnsolvedError"
        assert len(error.traceback) == 1
        assert error.traceback[0].startswith("Not yet:")


def test_what_is_only_read_runs_without_the_answers(blank: nbformat.NotebookNode) -> None:
    """Demonstrations use the lab's functions: a student who skips an exercise still sees them."""
    others = [cell for cell in blank.cells[:-1] if cell.cell_type == "code" and not is_check(cell)]
    for cell in others:
        assert not [o for o in cell.outputs if o.output_type == "error"], cell.source


def test_a_blank_stops_a_run_of_the_whole_notebook() -> None:
    with pytest.raises(CellExecutionError, match="Not yet: 8 of 8 cases differ"):
        run(make.student(make.notebook(SOURCE)))


def test_the_sentences_of_the_lesson_hold(solved: nbformat.NotebookNode) -> None:
    """Numbers that the text names, in the outputs that do not depend on the machine."""
    told = "\n".join(shown(cell) for cell in solved.cells if cell.cell_type == "code")
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


def test_the_first_cell_says_what_the_machine_is(solved: nbformat.NotebookNode) -> None:
    first = next(cell for cell in solved.cells if cell.cell_type == "code")
    assert "torch" in shown(first)
    assert "threads:" in shown(first)
