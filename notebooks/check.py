"""Checking an exercise: your result beside the specification, case by case.

    check(gap, spec, 1.0, 20.0, 0.1)          # one argument a case
    check(split_dot, spec, (x, w, 1), (x, w, 4))  # a tuple is several arguments

Every case is printed, and `UnsolvedError` is raised if one differs: a grader can catch it, and a notebook
shows it as one line. What an exercise asks is said by its lesson; nothing is checked here but equality.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

WIDTH = 30  # characters of a shown value


class UnsolvedError(AssertionError):
    """The exercise is not solved yet."""

    def _render_traceback_(self) -> list[str]:
        """What IPython shows in place of a traceback."""
        return [f"Not yet: {self}"]


def check(yours: Callable[..., Any], spec: Callable[..., Any], *cases: Any, close: float = 0.0) -> None:
    """Print `yours` beside `spec` for every case; raise UnsolvedError if one differs.

    Equal means the same values of the same shape, NaN included; numbers may differ by `close`.
    A function that returns None or `...` counts as a blank.
    """
    rows = []
    for case in cases:
        arguments = case if isinstance(case, tuple) else (case,)
        mine, wanted = _run(yours, arguments), spec(*arguments)
        rows.append((_brief(arguments), mine, wanted, _same(mine, wanted, close)))
    print(f"  {'case':{WIDTH}}  {'yours':{WIDTH}}  {'spec':{WIDTH}}")
    for case, mine, wanted, right in rows:
        told = "(blank)" if mine is None or mine is ... else _brief((mine,))
        print(f"{'✓' if right else '✗'} {case:{WIDTH}}  {told:{WIDTH}}  {_brief((wanted,)):{WIDTH}}")
    wrong = sum(not right for *_, right in rows)
    if wrong:
        raise UnsolvedError(f"{wrong} of {len(rows)} cases differ.")


def _run(yours: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """The result, or the error that was raised: a mistake in an answer is shown in its case."""
    try:
        return yours(*arguments)
    except Exception as error:
        return error


def _same(mine: Any, wanted: Any, close: float) -> bool:
    if mine is None or mine is ... or isinstance(mine, Exception):
        return False
    a, b = np.asarray(mine), np.asarray(wanted)
    if a.shape != b.shape:
        return False
    if a.dtype.kind not in "fiub" or b.dtype.kind not in "fiub":
        return bool(np.all(a == b))
    return bool(np.allclose(a, b, rtol=0, atol=close, equal_nan=True))


def _brief(values: tuple[Any, ...]) -> str:
    text = ", ".join(_one(value) for value in values)
    return text if len(text) <= WIDTH else text[: WIDTH - 1] + "…"


def _one(value: Any) -> str:
    if isinstance(value, Exception):
        return f"{type(value).__name__}: {value}"
    if isinstance(value, str | bool | tuple):
        return repr(value)
    array = np.asarray(value)
    if array.ndim and array.size > 4:
        return f"array({'×'.join(map(str, array.shape))})"
    if array.dtype.kind == "f":
        return f"{array:.9g}" if not array.ndim else "[" + " ".join(f"{x:.6g}" for x in array.flat) + "]"
    return str(value)
