"""The prompts of the flip study: the lab's own 128, or a user's file; and their two halves.

The set is text only. Encoding it for a model is the tokenizer's work, and running it the study's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated

from pydantic import StringConstraints, TypeAdapter, ValidationError

from lab.errors import LabError

KINDS = ("question", "arithmetic", "code", "story")

_BUILT_IN = Path(__file__).with_name("prompts.jsonl")
_REMEDY = (
    'Write one JSON object a line, such as {"text": "Why do cats purr?", "name": "cats", "kind": "own"}.'
)


@dataclass(frozen=True)
class Prompt:
    """A prompt's text, the name that tables and traces show for it, and the kind of work it asks for."""

    name: str
    """Unique within its set: "story-03", or "line-3" of a user's file."""
    kind: str
    """One of KINDS in the built-in set; "own" in a user's file that names none."""
    text: str


@cache
def built_in() -> tuple[Prompt, ...]:
    """The lab's 128 prompts, 32 of each kind, in rounds of one a kind in the order of KINDS.

    Every slice that starts at a multiple of 4 and is a multiple of 4 long holds the kinds in equal shares.
    """
    entries = [entry for _, entry in _entries(_BUILT_IN)]
    by_kind = [
        [
            Prompt(f"{kind}-{number:02}", kind, text)
            for number, text in enumerate((e.text for e in entries if e.kind == kind), start=1)
        ]
        for kind in KINDS
    ]
    return tuple(prompt for round_ in zip(*by_kind, strict=True) for prompt in round_)


def calibration_and_report(prompts: Sequence[Prompt]) -> tuple[tuple[Prompt, ...], tuple[Prompt, ...]]:
    """Two disjoint halves in the given order: choose τ on the first, report on the second.

    Within each kind the prompts go to the halves in turn, so the halves' sizes, and their shares of
    each kind, differ by at most one. Of the built-in set these are the even and the odd rounds, 64
    prompts each. Raises LabError for fewer than two prompts.
    """
    if len(prompts) < 2:
        raise LabError(
            f"A set of {len(prompts)} cannot be split into a half to calibrate on and a half to report on.",
            "Give at least two prompts.",
        )
    # One walk over all kinds, not one for each: else kinds with a single prompt would all go first.
    walk = sorted(range(len(prompts)), key=lambda at: prompts[at].kind)
    first, second = (tuple(prompts[at] for at in sorted(half)) for half in (walk[::2], walk[1::2]))
    return first, second


def read_prompts(path: Path) -> tuple[Prompt, ...]:
    """The prompts of a user's UTF-8 file, in its order, without the blank space around each.

    A `.jsonl` file has one object a line: `text`, and optionally `name` and `kind`; other fields are
    ignored. Any other file has one prompt a line. Blank lines are skipped. A prompt without a name is
    called after its line ("line-3"), one without a kind is of kind "own". Raises LabError naming the
    file, and the line where there is one, for: a file that cannot be read, is not UTF-8 or has no
    prompt; a line that is not such an object; a name used twice.
    """
    entries = _entries(path) if path.suffix.lower() == ".jsonl" else _plain(path)
    if not entries:
        raise LabError(f"{path} has no prompts.", "Write at least one, on a line of its own.")
    prompts = tuple(Prompt(e.name or f"line-{at}", e.kind or "own", e.text) for at, e in entries)
    line_of: dict[str, int] = {}
    for (at, _), prompt in zip(entries, prompts, strict=True):
        if (earlier := line_of.setdefault(prompt.name, at)) != at:
            raise LabError(
                f"{path}, line {at}: the name {prompt.name!r} is already that of line {earlier}.",
                "Give every prompt a name of its own.",
            )
    return prompts


_Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


@dataclass(frozen=True)
class _Entry:
    """One line of a file, before it is named."""

    text: _Text
    name: _Text | None = None
    kind: _Text | None = None


_ENTRY = TypeAdapter(_Entry)


def _plain(path: Path) -> list[tuple[int, _Entry]]:
    return [(at, _Entry(line)) for at, line in _lines(path)]


def _entries(path: Path) -> list[tuple[int, _Entry]]:
    return [(at, _entry(line, path, at)) for at, line in _lines(path)]


def _entry(line: str, path: Path, at: int) -> _Entry:
    try:
        return _ENTRY.validate_json(line)
    except ValidationError as error:
        first = error.errors()[0]
        reason = f"{first['loc'][0]}: {first['msg']}" if first["loc"] else first["msg"]
        raise LabError(f"{path}, line {at} is not a prompt ({reason}).", _REMEDY) from None


def _lines(path: Path) -> list[tuple[int, str]]:
    """The lines that are not blank, stripped, with their numbers from 1."""
    try:
        text = path.read_bytes().decode("utf-8-sig")  # some editors begin a file with a byte-order mark
    except OSError as error:
        raise LabError(f"{path} cannot be read: {error.strerror}.", "Check the file's name.") from None
    except UnicodeDecodeError as error:
        at = error.object[: error.start].count(b"\n") + 1
        raise LabError(f"{path}, line {at} is not UTF-8 text.", "Save the file as UTF-8.") from None
    # Not splitlines(): a JSON string may hold U+2028 and its like, which are no ends of lines.
    return [(at, line.strip()) for at, line in enumerate(text.split("\n"), start=1) if line.strip()]
