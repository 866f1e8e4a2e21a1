"""What the page of the gate makes of a run behind a gate: settings, strips, facts, reasons, table.

Records are those of `lab.decode.margingate.settings.start_gate`, step by step. Nothing here draws.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd  # type: ignore[import-untyped]
from pydantic import TypeAdapter, ValidationError

from apps.gating import of, share_of, visible
from apps.text import n, t
from apps.widgets import Token
from lab.decode.margingate.compare import Progress
from lab.decode.margingate.run import GateRecord
from lab.decode.margingate.settings import GateSettings
from lab.decode.margingate.strategies import Gate
from lab.decode.prompt_set import built_in
from lab.decode.settings import LaneSettings
from lab.errors import LabError
from lab.records import Failure, SequenceRecord, TokenRecord, VerdictRecord, VisitRecord
from lab.traces import RunInfo, Trace

Record = GateRecord | SequenceRecord


@dataclass(frozen=True)
class Made:
    """What one step of a run made, or a whole trace, with the settings that it was made with."""

    settings: GateSettings
    records: tuple[Record, ...]


@dataclass(frozen=True)
class Finished:
    """A recorded run, as a panel wants it."""

    info: RunInfo
    records: tuple[Made, ...]


def settings(values: Mapping[str, Any]) -> GateSettings:
    """The run that the controls describe. Raises LabError for a split table that cannot be read."""
    made = GateSettings(
        prompts=built_in()[: values["prompts"]],
        length=values["length"],
        policy=values["policy"],
        tau=values["live-tau"],
        window=values["window"] or None,
        pass_size=values["pass-size"],
        what=values["repair"],
        prompt=values["prompt-lane"],
        reference=values["reference"],
        arithmetic=LaneSettings(split_k=values["split-k"]),
    )
    made.strategy()  # refuses what does not fit
    return made


def by_step(made: GateSettings, records: Iterable[Record | Progress]) -> Iterator[Made]:
    """One value a step of either run, the reference's first, for a panel that counts steps."""
    step: list[Record] = []
    for record in records:
        if isinstance(record, Progress):
            yield Made(made, tuple(step))
            step = []
        else:
            step.append(record)


def finished(trace: Trace) -> Finished:
    """A gate trace with its settings. Raises LabError where the header has none of a gated run."""
    try:
        made = TypeAdapter(GateSettings).validate_python(trace.info.settings)
    except ValidationError:
        raise LabError(
            "The trace does not say how its run was made.",
            "Record it again with `python -m lab gate run --out FILE`.",
        ) from None
    kinds = SequenceRecord | TokenRecord | VerdictRecord | VisitRecord | Failure
    return Finished(trace.info, (Made(made, tuple(r for r in trace.records if isinstance(r, kinds))),))


def all_records(made: Sequence[Made]) -> list[Record]:
    return [record for one in made for record in one.records]


def command(made: GateSettings, model: str, device: str) -> str:
    """The command line of the same run."""
    plain = GateSettings()
    given = {
        "--policy": (made.policy, None),
        "--tau": (f"{made.tau:g}", None),
        "--repair": (made.what, plain.what),
        "--prompt-lane": (made.prompt, plain.prompt),
        "--window": (made.window or 0, 0),
        "--pass-size": (made.pass_size, plain.pass_size),
        "--prompts": (len(made.prompts), len(plain.prompts)),
        "--length": (made.length, plain.length),
        "--reference": (made.reference, plain.reference),
        "--split-k": (made.arithmetic.split_k, plain.arithmetic.split_k),
        "--model": (model, "smollm2-135m"),
        "--device": (device, "auto"),
    }
    changed = [
        f"{name} {shlex.quote(str(value))}" for name, (value, usual) in given.items() if value != usual
    ]
    return " ".join(["python -m lab gate run", *changed, "--out gate-run.jsonl"])


@dataclass
class Cell:
    """One committed token: what the fast lane made, what the verifier said, or both."""

    fast: TokenRecord | None = None
    """None for a token that a verifier's pass gave of itself."""
    flagged: bool = False
    verdict: VerdictRecord | None = None

    @property
    def token(self) -> int | None:
        made = self.verdict or self.fast
        return made.token if made else None

    @property
    def text(self) -> str:
        if self.fast and not (self.verdict and self.verdict.corrected):
            return self.fast.text
        return self.verdict.top[0].text if self.verdict else ""

    @property
    def told_margin(self) -> str:
        return n(self.fast.margin, ".3g") if self.fast else "—"


@dataclass
class Row:
    """One request: its committed tokens beside the reference's."""

    request: str
    expected: tuple[int, ...]
    expected_texts: tuple[str, ...]
    replays: bool
    cells: list[Cell] = field(default_factory=list)
    corrections: int = 0
    rolled_back: int = 0

    @property
    def left(self) -> int | None:
        """Where the row leaves the reference's sequence for good; None while it has not.

        A token that differs and still waits for a look has not left: it may be rolled back.
        """
        for index, cell in enumerate(self.cells):
            same = index < len(self.expected) and cell.token == self.expected[index]
            if not same and (cell.verdict or not (self.replays or cell.flagged)):
                return index
        return None


def is_flagged(made: GateSettings, record: TokenRecord) -> bool:
    """Whether a token's margin asked for a look; a first token from the reference lane needs none."""
    from_reference = record.index == 0 and (made.policy == "replay" or made.prompt == "reference")
    return Gate(made.tau).flags(record.margin) and not from_reference


def rows(made: Sequence[Made]) -> list[Row]:
    """Every request after all records so far, in the order of the reference's sequences."""
    found: dict[str, Row] = {}
    for one in made:
        for record in one.records:
            if isinstance(record, SequenceRecord):
                replays = one.settings.policy == "replay"
                found[record.request] = Row(record.request, record.tokens, record.texts, replays)
            elif isinstance(record, TokenRecord | VerdictRecord) and record.request in found:
                _take(found[record.request], record, one.settings)
    return list(found.values())


def _take(row: Row, record: TokenRecord | VerdictRecord, made: GateSettings) -> None:
    if isinstance(record, TokenRecord):
        row.cells[record.index :] = [Cell(record, is_flagged(made, record))]
    elif record.bonus:
        row.cells[record.index :] = [Cell(verdict=record)]
    elif record.index < len(row.cells):
        row.cells[record.index].verdict = record
        if record.corrected:
            del row.cells[record.index + 1 :]
            row.corrections += 1
            row.rolled_back += record.dropped


def strips(made: Sequence[Made]) -> list[tuple[str, list[Token]]]:
    """A labelled strip for each request that has tokens."""
    return [(_label(row), _tokens(row)) for row in rows(made) if row.cells]


def _label(row: Row) -> str:
    left = row.left
    end = t("gate-row-same") if left is None else t("gate-row-left", step=left)
    return t("gate-row", request=row.request, repaired=row.corrections, dropped=row.rolled_back, end=end)


def _tokens(row: Row) -> list[Token]:
    left = row.left
    made = []
    for index, cell in enumerate(row.cells):
        note = _note(cell)
        if left is not None and index > left:
            made.append(Token(cell.text, "after", t("gate-note-after")))
        elif left is not None and index == left:
            made.append(
                Token(cell.text, "missed", f"{note}; {t('gate-note-reference', token=_due(row, left))}")
            )
        elif cell.verdict:
            made.append(Token(cell.text, "repaired" if cell.verdict.corrected else "confirmed", note))
        else:
            made.append(Token(cell.text, "plain", note))
    return made


def _due(row: Row, index: int) -> str:
    """What the reference lane wrote there; ∅ where its sequence had ended."""
    return repr(row.expected_texts[index]) if index < len(row.expected_texts) else "∅"


def _note(cell: Cell) -> str:
    verdict = cell.verdict
    if not cell.fast:
        return t("gate-note-bonus")
    parts = [t("gate-note-margin", margin=cell.told_margin)]
    if verdict and verdict.corrected:
        parts.append(t("gate-note-repaired", token=visible(cell.fast), dropped=verdict.dropped))
    elif verdict:
        parts.append(t("gate-note-confirmed"))
    if verdict and verdict.kv_change is not None:
        parts.append(t("gate-note-kv", change=n(100 * verdict.kv_change, ".2f")))
    return "; ".join(parts)


def reasons(made: Sequence[Made]) -> list[str]:
    """For each row that left the reference: where, and why the gate did not hold it."""
    return [_reason(row, left) for row in rows(made) if (left := row.left) is not None]


def _reason(row: Row, left: int) -> str:
    cell = row.cells[left]
    why = "unflagged"
    if cell.verdict:
        why = "corrected" if cell.verdict.corrected else "agreed"
    return t(f"gate-reason-{why}", request=row.request, step=left, margin=cell.told_margin)


def run_facts(made: Sequence[Made]) -> list[tuple[str, str]]:
    """What the run kept and what it cost. Flags are counted by margin, also of tokens rolled back later."""
    own = rows(made)
    flags = [
        (is_flagged(one.settings, record), record)
        for one in made
        for record in one.records
        if isinstance(record, TokenRecord)
    ]
    visits = [r for r in all_records(made) if isinstance(r, VisitRecord) and not r.prompt]
    asked = _batch_steps(flags)
    return [
        (t("gate-run-equal"), of(sum(row.left is None for row in own), len(own))),
        (t("gate-run-corrections"), n(sum(row.corrections for row in own))),
        (t("gate-run-dropped"), n(sum(row.rolled_back for row in own))),
        (t("gate-run-bonus"), n(sum(cell.fast is None for row in own for cell in row.cells))),
        (t("gate-run-passes"), n(len(visits))),
        (t("gate-run-positions"), n(sum(visit.positions for visit in visits))),
        (t("gate-run-rows"), share_of(sum(flag for flag, _ in flags), len(flags))),
        (t("gate-run-steps"), share_of(sum(asked), len(asked))),
    ]


def _batch_steps(flags: Sequence[tuple[bool, TokenRecord]]) -> list[bool]:
    """For each step of the batch, whether a row was flagged. A step has each request once at most."""
    steps: list[bool] = []
    here: set[str] = set()
    for flag, record in flags:
        if not steps or record.request in here:
            steps.append(False)
            here = set()
        here.add(record.request)
        steps[-1] |= flag
    return steps


def frame(made: Sequence[Made]) -> pd.DataFrame:
    """A row a committed token, with the verifier's word and the reference's token."""
    return pd.DataFrame(
        [
            {
                "prompt": row.request,
                "step": index,
                "token": cell.text,
                "fast": cell.fast.text if cell.fast else None,
                "reference": row.expected_texts[index] if index < len(row.expected_texts) else None,
                "fast_margin": cell.fast.margin if cell.fast else None,
                "flagged": cell.flagged,
                "verified": cell.verdict is not None,
                "corrected": cell.verdict.corrected if cell.verdict else False,
                "dropped": cell.verdict.dropped if cell.verdict else 0,
                "kv_change": cell.verdict.kv_change if cell.verdict else None,
            }
            for row in rows(made)
            for index, cell in enumerate(row.cells)
        ]
    )
