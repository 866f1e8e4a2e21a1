"""The tables of a measurement, as `measure` and `trace show` print them."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table

from lab.cli.output import results
from lab.cli.tables import narrow
from lab.round_records import MeasureRecord, PassTimeRecord

_WORDS = """\
α: mean Σ min(p, q) on the target's own text; ±: its standard error.
acc: accepted ÷ drafted; E: tokens a round; passes: of the target.
ops: operations of a token ÷ plain decoding's; MB: weights read for a token.
Speedups: by Theorem 3.8; with v; with v and the acceptance at each position, or
at each token of the target's own text; measured: median and quartiles.
hindsight: predicted, if rounds drafted just what will be accepted."""


def show_measured(records: Sequence[object]) -> None:
    """Print the passes, then for each kind of prompt what drafts gave."""
    passes = [record for record in records if isinstance(record, PassTimeRecord)]
    measured = [record for record in records if isinstance(record, MeasureRecord)]
    for batch in dict.fromkeys(record.batch for record in passes):
        results.print(_pass_table(batch, [record for record in passes if record.batch == batch]))
    if measured:
        results.print(_WORDS)
    for key in dict.fromkeys((r.kind, r.temperature, r.batch) for r in measured):
        own = [r for r in measured if (r.kind, r.temperature, r.batch) == key]
        name = f"{key[0]}, T = {key[1]:g}, batch {key[2]}"
        results.print(_acceptance_table(name, own))
        results.print(_speedup_table(name, own))


def _pass_table(batch: int, records: Sequence[PassTimeRecord]) -> Table:
    one = next((r.seconds for r in records if r.role == "target" and r.positions == 1), None)
    context = records[0].context
    table = narrow(f"Batch {batch}, after {context} tokens; share: of a target pass over one position")
    table.add_column("pass", no_wrap=True)
    for heading in ("positions", "ms", "quartiles", "share"):
        table.add_column(heading, no_wrap=True, justify="right")
    for record in records:
        sampled = "" if record.temperature is None else f", T = {record.temperature:g}"
        table.add_row(
            f"{record.role} {record.model}{sampled}",
            str(record.positions),
            f"{1000 * record.seconds:.2f}",
            f"{1000 * record.low:.2f}–{1000 * record.high:.2f}",
            "" if one is None else f"{record.seconds / one:.3f}",
        )
    return table


def _table(title: str, headings: Sequence[str]) -> Table:
    table = narrow(title)
    for heading in headings:
        table.add_column(heading, no_wrap=True, justify="left" if heading == "draft" else "right")
    return table


def _acceptance_table(name: str, records: Sequence[MeasureRecord]) -> Table:
    table = _table(name, ("draft", "γ", "α", "±", "acc", "E", "passes", "ops", "MB"))
    table.add_column("at each position, if reached")
    for r in records:
        table.add_row(
            r.draft,
            str(r.gamma),
            _figure(r.alpha),
            _figure(r.alpha_error),
            _figure(r.accepted_per_drafted),
            f"{r.tokens_per_pass:.2f}",
            str(r.rounds),
            f"{r.operations_factor:.2f}",
            f"{r.bytes_per_token / 1e6:.0f}",
            " ".join(map(_figure, r.conditional)),
        )
    return table


def _speedup_table(name: str, records: Sequence[MeasureRecord]) -> Table:
    headings = ("draft", "γ", "c", "v", "3.8", "with v", "position", "text", "measured", "hindsight")
    table = _table(name, headings)
    for r in records:
        table.add_row(
            r.draft,
            str(r.gamma),
            f"{r.c:.3f}",
            f"{r.v:.2f}",
            f"{r.predicted:.2f}",
            f"{r.predicted_v:.2f}",
            f"{r.predicted_by_position:.2f}",
            _figure(r.predicted_by_text),
            f"{r.speedup:.2f} ({r.speedup_low:.2f}–{r.speedup_high:.2f})",
            _figure(r.oracle),
        )
    return table


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"
