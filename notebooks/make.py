"""Make the notebooks from their sources: the lessons with solutions, and the students' copies without.

    python -m notebooks.make

A lesson is a jupytext py:percent file, `notebooks/NN_name.py`. Beside it stands the generated .ipynb,
without outputs. In `build/student/` stands a copy in which everything between `# BEGIN SOLUTION` and
`# END SOLUTION` has become a blank. The same source always gives the same bytes.
"""

from __future__ import annotations

import re
from pathlib import Path

import jupytext
import nbformat
from nbformat import NotebookNode

FOLDER = Path(__file__).resolve().parent
STUDENT = FOLDER.parent / "build" / "student"
BLANK = "...  # your answer"
_SOLUTION = re.compile(r"^([ \t]*)# BEGIN SOLUTION\n.*?^[ \t]*# END SOLUTION$", re.DOTALL | re.MULTILINE)
_MARKER = re.compile(r"(?:BEGIN|END) SOLUTION")


def lessons() -> list[Path]:
    """The sources of all lessons, in order."""
    return sorted(FOLDER.glob("[0-9][0-9]_*.py"))


def notebook(source: Path) -> NotebookNode:
    """The lesson as a notebook: no outputs, and cell ids that depend on the place alone."""
    made = jupytext.read(source, fmt="py:percent")
    made.metadata = nbformat.from_dict(
        {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        }
    )
    made.nbformat, made.nbformat_minor = 4, 5
    for at, cell in enumerate(made.cells):
        cell.id = f"cell-{at:03d}"
    return made


def student(lesson: NotebookNode) -> NotebookNode:
    """The lesson with a blank in place of every solution. Raises ValueError for a marker without its pair."""
    copy = nbformat.from_dict(lesson)
    for cell in copy.cells:
        cell.source = _SOLUTION.sub(lambda found: f"{found[1]}{BLANK}", cell.source)
        if _MARKER.search(cell.source):
            raise ValueError(f"A solution marker has no pair in {cell.id}:\n{cell.source}")
    return copy


def text(made: NotebookNode) -> str:
    return nbformat.writes(made) + "\n"


def main() -> None:
    STUDENT.mkdir(parents=True, exist_ok=True)
    for source in lessons():
        lesson = notebook(source)
        for path, made in (
            (source.with_suffix(".ipynb"), lesson),
            (STUDENT / f"{source.stem}.ipynb", student(lesson)),
        ):
            path.write_text(text(made), encoding="utf-8")
            print(path.relative_to(FOLDER.parent))


if __name__ == "__main__":
    main()
