"""The rules that keep the house: who may import whom, how long a file may be, what is pinned."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LINES = 350
FOLDERS = ("lab", "sims", "apps", "notebooks")
ALLOWED = {
    "lab": {"lab"},
    "sims": {"sims"},
    "apps": {"apps", "lab", "sims"},
    "notebooks": {"notebooks", "lab", "sims"},
}
FORBIDDEN_LIBRARIES = {
    "lab": {"streamlit", "plotly", "transformers"},
    "sims": {"torch", "streamlit", "plotly", "pandas", "scipy", "ml_dtypes"},
    "apps": {"transformers"},
    "notebooks": {"streamlit"},
}


def sources(folder: str) -> list[Path]:
    return sorted(path for path in (ROOT / folder).rglob("*.py") if ".ipynb_checkpoints" not in path.parts)


def imported(path: Path) -> Iterator[str]:
    """Top-level names of the modules that a file imports anywhere."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            yield node.module.split(".")[0]


@pytest.mark.parametrize("folder", FOLDERS)
def test_arrows_run_one_way(folder: str) -> None:
    for path in sources(folder):
        names = set(imported(path))
        crossed = names & set(FOLDERS) - ALLOWED[folder]
        assert not crossed, f"{path.relative_to(ROOT)} imports {crossed}"
        banned = names & FORBIDDEN_LIBRARIES[folder]
        assert not banned, f"{path.relative_to(ROOT)} imports {banned}"


def test_simulations_need_numpy_alone() -> None:
    """So that they can run inside a browser: nothing but numpy and the standard library."""
    for path in sources("sims"):
        foreign = set(imported(path)) - set(sys.stdlib_module_names) - {"numpy", "sims"}
        assert not foreign, f"{path.relative_to(ROOT)} imports {foreign}"


@pytest.mark.parametrize("folder", [*FOLDERS, "tests"])
def test_files_can_be_read_at_one_sitting(folder: str) -> None:
    for path in sources(folder):
        if re.match(r"\d\d_", path.name):  # a lesson is one file, most of it prose
            continue
        lines = len(path.read_text(encoding="utf-8").splitlines())
        assert lines <= LINES, f"{path.relative_to(ROOT)} has {lines} lines"


@pytest.mark.parametrize("name", ["requirements.txt", "tests/requirements.txt"])
def test_direct_dependencies_are_pinned(name: str) -> None:
    for line in (ROOT / name).read_text().splitlines():
        if line.strip() and not line.startswith(("#", "-r")):
            assert re.fullmatch(r"[A-Za-z0-9_.-]+==[0-9][0-9A-Za-z.]*", line), line


def tracked() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [ROOT / name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


def test_the_repository_stays_small() -> None:
    sizes = {path: path.stat().st_size for path in tracked()}
    assert max(sizes.values()) < 10 * 2**20
    assert sum(sizes.values()) < 60 * 2**20


def test_ci_runs_the_command_that_the_readme_names() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    assert commands[-1] == "make test"
    assert "make test" in readme
    assert "make lab" in readme
