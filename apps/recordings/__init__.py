"""Traces of real runs that pages show at once; each file says which model, machine and code made it.

`make recordings` writes them anew.
"""

from functools import cache
from pathlib import Path

from lab import traces
from lab.traces import Trace

FOLDER = Path(__file__).parent


@cache
def recording(name: str) -> Trace | None:
    """The shipped trace of that name, read once; None where there is none."""
    path = FOLDER / f"{name}.jsonl"
    return traces.read(path) if path.is_file() else None
