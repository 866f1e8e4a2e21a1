"""Lesson 2 as it is read: it runs on the real model, and its exercises tell mistakes from answers."""

from __future__ import annotations

import re

import nbformat
import pytest
from nbclient import NotebookClient

from notebooks import make
from tests.notebooks.test_lesson01 import is_check, shown

pytestmark = [pytest.mark.lesson02, pytest.mark.model]
SOURCE = make.FOLDER / "02_margingate.py"
SECONDS = 600  # a cell; the machine may be busy

MISTAKES = {
    "call": ("int((logits == best[0]).nonzero()[0])", "int((logits == best[0]).nonzero()[-1])"),
    "can_flip": ("x > worst or (x == worst and i < best)", "x > worst"),
    "repair": ("BF16.round(k), BF16.round(v)", "k, v"),
    "gated": ("scratch.lengths[0] = at", ""),
    "bound": ("0.05 ** (1 / n)", "0.05 / n"),
    "commit": ("checked[: same + 1]", "checked[:same]"),
}
"""For each exercise, a piece of its solution and what a mistaken answer has there."""


def run(book: nbformat.NotebookNode, **options: bool) -> nbformat.NotebookNode:
    """Execute it as JupyterLab would, from the folder of the notebooks."""
    where = {"metadata": {"path": str(make.FOLDER)}}
    NotebookClient(book, timeout=SECONDS, resources=where, **options).execute()
    return book


def errors(cell: nbformat.NotebookNode) -> list[nbformat.NotebookNode]:
    return [output for output in cell.outputs if output.output_type == "error"]


def with_mistakes(lesson: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """The lesson and, after its end, every exercise again with a mistake, each with its check."""
    cells = list(lesson.cells)
    for name, (right, wrong) in MISTAKES.items():
        at = next(i for i, cell in enumerate(cells) if cell.source.startswith(f"def {name}("))
        assert cells[at].source.count(right) == 1, f"the solution of {name} is written in another way now"
        answer = nbformat.v4.new_code_cell(cells[at].source.replace(right, wrong), id=f"wrong-{name}")
        check = nbformat.v4.new_code_cell(cells[at + 1].source, id=f"check-{name}")
        check.metadata["tags"] = ["raises-exception"]
        lesson.cells += [answer, check]
    return lesson


@pytest.fixture(scope="module")
def lesson() -> nbformat.NotebookNode:
    """With solutions, executed; the checks of mistaken answers stand behind its end."""
    return run(with_mistakes(make.notebook(SOURCE)))


@pytest.fixture(scope="module")
def solved(lesson: nbformat.NotebookNode) -> list[nbformat.NotebookNode]:
    return [cell for cell in lesson.cells if cell.id.startswith("cell-")]


@pytest.fixture(scope="module")
def told(solved: list[nbformat.NotebookNode]) -> str:
    return "\n".join(shown(cell) for cell in solved if cell.cell_type == "code")


@pytest.fixture(scope="module")
def blank() -> nbformat.NotebookNode:
    return run(make.student(make.notebook(SOURCE)), allow_errors=True)


def test_the_solutions_pass_every_check_and_the_asserts_hold(solved: list[nbformat.NotebookNode]) -> None:
    checks = [cell for cell in solved if is_check(cell)]
    assert len(checks) == len(MISTAKES) == 6
    for cell in checks:
        assert "✓" in shown(cell)
        assert "✗" not in shown(cell)
    assert solved[-1].source.count("assert ") >= 8, "the lesson ends with what holds on every machine"


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_fails_its_check(lesson: nbformat.NotebookNode, name: str) -> None:
    (cell,) = [cell for cell in lesson.cells if cell.id == f"check-{name}"]
    (error,) = errors(cell)
    assert error.ename == "UnsolvedError"
    assert "✗" in shown(cell)


def test_blanks_fail_every_check_with_one_line(blank: nbformat.NotebookNode) -> None:
    checks = list(filter(is_check, blank.cells))
    assert len(checks) == 6
    for cell in checks:
        assert "✗" in shown(cell)
        assert "✓" not in shown(cell)
        (error,) = errors(cell)
        assert error.ename == "UnsolvedError"
        assert len(error.traceback) == 1
        assert error.traceback[0].startswith("Not yet:")


def test_what_is_only_read_runs_without_the_answers(blank: nbformat.NotebookNode) -> None:
    for cell in blank.cells[:-1]:
        if cell.cell_type == "code" and not is_check(cell):
            assert not errors(cell), cell.source


def rows(told: str, kind: str) -> dict[str, list[int]]:
    """The cost table: passes, positions, rolled back, bonus, right, of, by setting."""
    found = re.findall(rf"^({kind}, .*?)\s\s+(\d+.*)$", told, re.MULTILINE)
    return {setting: [int(number) for number in re.findall(r"\d+", line)] for setting, line in found}


def test_the_batch_parts_texts_and_flips_have_small_margins(told: str) -> None:
    assert "parts at step" in told
    steps, flips = map(int, re.findall(r"(\d+) steps, (\d+) flips", told)[0])
    assert 150 < steps <= 192
    assert flips >= 3
    largest = float(re.findall(r"largest margin that flipped\s+(\S+)", told)[0])
    flagged = int(re.findall(r"a gate at 2ε = \S+ flags\s+(\d+)%", told)[0])
    median, most = map(float, re.findall(r"runner-up gained: median (\S+), at most (\S+)", told)[0])
    epsilon = float(re.findall(r"ε = (\S+)", told)[0])
    assert largest <= 0.25
    assert flagged > 30, "2ε is far too careful"
    assert median < epsilon / 4
    assert most < epsilon


def test_a_small_threshold_misses_flips_and_a_large_one_does_not_promise_all(told: str) -> None:
    right = {setting: line[4] for setting, line in rows(told, "repair").items()}
    small, middle, large = right.values()
    assert small <= middle <= large < 8
    assert "the gate did not look" in told.split("τ = 0.03\n")[1].split("recorded:")[0]
    assert "looked, and let it pass" in told.split("τ = 1.0: ")[1]


def test_the_verifiers_keys_and_values_carry_most_of_the_error(told: str) -> None:
    fast, mixed = (float(x) for x in re.findall(r"largest change of a logit: (\S+)", told))
    assert fast / 2 < mixed < fast


def test_replay_is_right_under_every_gate_and_costs_as_the_text_says(told: str) -> None:
    table = rows(told, "replay")
    assert len(table) == 5
    assert {(line[4], line[5]) for line in table.values()} == {(8, 8)}
    small, middle, large, window, queued = table.values()
    assert small[0] < middle[0] < large[0], "passes rise with τ"
    assert small[2] > middle[2], "and rollbacks fall"
    assert window[2] == max(line[2] for line in table.values()), "without a gate the most is rolled back"
    assert queued[0] < middle[0], "a pass that waits is one of fewer"
