"""A lesson executed once: as it is read and, after its end, every exercise again, blank and mistaken.

One kernel for all of it: a lesson loads a model, so a second run would double the time. That a lesson also
runs for a student who skips exercises is seen in its code: what is only read names no answer.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode

from notebooks import make

SECONDS = 900  # a cell; the machine may be busy
Mistakes = Mapping[str, tuple[str, str]]
"""For each exercise, a piece of its solution and what a mistaken answer has there."""


def run(book: NotebookNode) -> NotebookNode:
    """Execute it as JupyterLab would, from the folder of the notebooks."""
    where = {"metadata": {"path": str(make.FOLDER)}}
    NotebookClient(book, timeout=SECONDS, resources=where).execute()
    return book


def shown(cell: NotebookNode) -> str:
    return "".join(output.get("text", "") for output in cell.outputs)


def errors(cell: NotebookNode) -> list[NotebookNode]:
    return [output for output in cell.outputs if output.output_type == "error"]


def is_check(cell: NotebookNode) -> bool:
    return cell.cell_type == "code" and "check(" in cell.source and "import" not in cell.source


def is_exercise(cell: NotebookNode) -> bool:
    return cell.cell_type == "code" and "BEGIN SOLUTION" in cell.source


def exercises(lesson: NotebookNode) -> dict[str, int]:
    """Where each exercise stands, by the first name that its cell binds; its check is the next cell."""
    return {_bound(cell.source)[0]: at for at, cell in enumerate(lesson.cells) if is_exercise(cell)}


def names_of_answers(lesson: NotebookNode) -> dict[str, set[str]]:
    """Cells that are only read and name an answer: there should be none. The last cell may."""
    first = min(exercises(lesson).values())
    read = [
        cell
        for cell in lesson.cells[first:-1]
        if cell.cell_type == "code" and not is_check(cell) and not is_exercise(cell)
    ]
    answers = {name for cell in lesson.cells if is_exercise(cell) for name in _bound(cell.source)}
    used = {cell.id: _loaded(cell.source) & answers for cell in read}
    return {id_: names for id_, names in used.items() if names}


def _bound(source: str) -> list[str]:
    return re.findall(r"^(?:def )?(\w+)(?=\(| = )", source, re.MULTILINE)


def _loaded(source: str) -> set[str]:
    names = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)]
    return {name.id for name in names if isinstance(name.ctx, ast.Load)}


def with_variants(lesson: NotebookNode, mistakes: Mistakes) -> NotebookNode:
    """The lesson and, after its end, each exercise blank, mistaken, and right again; checks follow the first
    two, with the ids `blank-NAME` and `wrong-NAME`."""
    cells, blanks = list(lesson.cells), make.student(lesson).cells
    for name, at in exercises(lesson).items():
        right, wrong = mistakes[name]
        answer = cells[at].source
        assert answer.count(right) == 1, f"the solution of {name} is written in another way now"
        for kind, source in (("blank", blanks[at].source), ("wrong", answer.replace(right, wrong))):
            check = nbformat.v4.new_code_cell(cells[at + 1].source, id=f"{kind}-{name}")
            check.metadata["tags"] = ["raises-exception"]
            lesson.cells += [nbformat.v4.new_code_cell(source, id=f"{kind}-answer-{name}"), check]
        lesson.cells.append(nbformat.v4.new_code_cell(answer, id=f"right-answer-{name}"))
    return lesson


@dataclass(frozen=True)
class Executed:
    """A lesson with its variants, after the run."""

    book: NotebookNode

    @cached_property
    def solved(self) -> list[NotebookNode]:
        """The lesson itself."""
        return [cell for cell in self.book.cells if cell.id.startswith("cell-")]

    @cached_property
    def told(self) -> str:
        """All that its cells print."""
        return "\n".join(shown(cell) for cell in self.solved if cell.cell_type == "code")

    def variant(self, kind: str, name: str) -> NotebookNode:
        """The check of a blank or mistaken answer."""
        (cell,) = [cell for cell in self.book.cells if cell.id == f"{kind}-{name}"]
        return cell

    def assert_solved(self, checks: int) -> None:
        """Its solutions pass their checks, and it ends with what holds on every machine."""
        found = [cell for cell in self.solved if is_check(cell)]
        assert len(found) == checks
        for cell in found:
            assert "✓" in shown(cell)
            assert "✗" not in shown(cell)
        assert self.solved[-1].source.count("assert ") >= 8

    def assert_unsolved(self, kind: str, name: str) -> None:
        """A blank or a mistake fails its check with one line."""
        cell = self.variant(kind, name)
        (error,) = errors(cell)
        assert error.ename == "UnsolvedError"
        assert len(error.traceback) == 1
        assert error.traceback[0].startswith("Not yet:")
        assert "✗" in shown(cell)
        assert kind == "wrong" or "✓" not in shown(cell)


def execute(source: Path, mistakes: Mistakes) -> Executed:
    return Executed(run(with_variants(make.notebook(source), mistakes)))
