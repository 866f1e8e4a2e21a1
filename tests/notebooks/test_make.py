"""Notebooks are made from their sources: the same bytes, no outputs, and no solutions for students."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import pytest

from notebooks import make

pytestmark = pytest.mark.lesson01
LESSONS = make.lessons()


def test_there_are_lessons() -> None:
    assert "01_bf16_and_the_order_of_sums" in [path.stem for path in LESSONS]


@pytest.mark.parametrize("source", LESSONS, ids=lambda path: path.stem)
def test_the_committed_notebook_is_the_one_its_source_makes(source: Path) -> None:
    made = make.text(make.notebook(source))
    assert source.with_suffix(".ipynb").read_text(encoding="utf-8") == made, "run python -m notebooks.make"


@pytest.mark.parametrize("source", LESSONS, ids=lambda path: path.stem)
def test_notebooks_are_valid_and_have_no_outputs(source: Path) -> None:
    for made in (make.notebook(source), make.student(make.notebook(source))):
        nbformat.validate(made)
        code = [cell for cell in made.cells if cell.cell_type == "code"]
        assert all(cell.outputs == [] and cell.execution_count is None for cell in code)


@pytest.mark.parametrize("source", LESSONS, ids=lambda path: path.stem)
def test_students_see_no_solution_and_every_check(source: Path) -> None:
    lesson = make.notebook(source)
    copy = make.student(lesson)
    told = make.text(copy)
    solutions = re.findall(r"# BEGIN SOLUTION\n(.*?)# END SOLUTION", source.read_text("utf-8"), re.DOTALL)
    assert solutions
    for solution in solutions:
        # Its first line may stand elsewhere by chance (an import, a name); the whole of it must not.
        assert solution.strip() not in "\n".join(cell.source for cell in copy.cells)
    assert "SOLUTION" not in told
    assert told.count(make.BLANK) == len(solutions)
    assert len(copy.cells) == len(lesson.cells)
    assert [c.source for c in copy.cells if "check(" in c.source] == [
        c.source for c in lesson.cells if "check(" in c.source
    ]


def cell(source: str) -> nbformat.NotebookNode:
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source, id="cell-000")])
    return nbformat.from_dict(book)


def test_a_blank_keeps_the_place_of_what_it_replaces() -> None:
    source = "def f():\n    # BEGIN SOLUTION\n    if 1:\n        return 2\n    # END SOLUTION\n\n\nx = 3"
    blanked = make.student(cell(source)).cells[0].source
    assert blanked == f"def f():\n    {make.BLANK}\n\n\nx = 3"
    compile(blanked, "cell", "exec")


def test_two_solutions_in_one_cell_are_two_blanks() -> None:
    one = "# BEGIN SOLUTION\na = 1\n# END SOLUTION"
    assert make.student(cell(f"{one}\nb = 2\n{one}")).cells[0].source == f"{make.BLANK}\nb = 2\n{make.BLANK}"


@pytest.mark.parametrize(
    "source", ["# BEGIN SOLUTION\nx = 1", "x = 1\n# END SOLUTION", "## BEGIN SOLUTION\nx"]
)
def test_a_marker_without_its_pair_is_an_error(source: str) -> None:
    with pytest.raises(ValueError, match="no pair in cell-000"):
        make.student(cell(source))


def test_one_command_writes_both(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "notebooks"
    folder.mkdir()
    (folder / "01_a.py").write_text(
        "# %%\nx = 0\n# BEGIN SOLUTION\nx = 1\n# END SOLUTION\n", encoding="utf-8"
    )
    (folder / "make.py").write_text("not a lesson", encoding="utf-8")
    monkeypatch.setattr(make, "FOLDER", folder)
    monkeypatch.setattr(make, "STUDENT", tmp_path / "build" / "student")
    make.main()
    assert "x = 1" in (folder / "01_a.ipynb").read_text("utf-8")
    assert "x = 1" not in (tmp_path / "build" / "student" / "01_a.ipynb").read_text("utf-8")
    assert len(capsys.readouterr().out.splitlines()) == 2
