"""The tables of flips and gates, as commands and `trace show` print them."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table

from lab.cli.output import results
from lab.decode.margingate.calibrate import Observed, curve
from lab.decode.margingate.compare import increment, merged, summarise
from lab.decode.margingate.figures import (
    FlipFigures,
    by_kind,
    by_shape,
    near_figures,
    outcomes,
    whole_shapes,
)
from lab.decode.margingate.run import GateRecord
from lab.decode.settings import SWITCHES
from lab.records import Failure, FlipRecord, PairRecord, SequenceRecord, StrategyRecord


def show_flips(records: Sequence[FlipRecord | Failure]) -> None:
    """Print a study's tables, and the prompts that failed."""
    studied = [record for record in records if isinstance(record, FlipRecord)]
    if studied:
        whole = whole_shapes(studied)
        shapes: dict[tuple[str, ...], FlipFigures] = {
            (str(batch), _operators(on)): each for (batch, on), each in by_shape(studied).items()
        }
        results.print(_table(("batch", "operators"), shapes))
        results.print(_near_table(whole))
        results.print(_table(("kind",), {(kind,): figures for kind, figures in by_kind(whole).items()}))
    show_failures(records)


def show_failures(records: Sequence[object]) -> None:
    for record in records:
        if isinstance(record, Failure):
            results.print(f"{record.request}, step {record.index}: {record.error}")


def _operators(on: tuple[str, ...]) -> str:
    return "all" if on == SWITCHES else " ".join(on) or "none"


def narrow(title: str) -> Table:
    """A table of many columns that fits 80 characters."""
    return Table(title=title, title_justify="left", box=None, padding=(0, 1, 0, 0), header_style="underline")


def _table(named: tuple[str, ...], rows: dict[tuple[str, ...], FlipFigures]) -> Table:
    headings = (*named, "steps", "flips", "flips %", "parted", "first", "ε", "margin")
    table = narrow("parted: sequences with a flip; first: median step; margin: largest of a flip")
    for heading in headings:
        table.add_column(heading, no_wrap=True, justify="left" if heading in named else "right")
    for names, figures in rows.items():
        table.add_row(
            *names,
            str(figures.steps),
            str(figures.flips),
            f"{figures.flip_rate:.2%}",
            f"{figures.parted}/{figures.sequences}",
            "none" if figures.first is None else f"{figures.first:g}",
            f"{figures.epsilon:.3g}",
            f"{figures.largest_margin:.3g}" if figures.flips else "none",
        )
    return table


def _near_table(records: Sequence[FlipRecord]) -> Table:
    table = Table("tokens within Δ of the top", "steps that stay", "steps that flip")
    for near in near_figures(records):
        stable, flipped = ("none" if mean is None else f"{mean:.2f}" for mean in (near.stable, near.flipped))
        table.add_row(f"Δ = {near.delta:g}", stable, flipped)
    return table


def curve_table(seen: Observed, records: Sequence[FlipRecord], taus: Sequence[float]) -> Table:
    """What a gate would have done with `records` at each τ, and at the two that calibration suggests."""
    table = narrow("Second half; bound: upper, 95 %, on escapes ÷ steps, and on sequences with one")
    for heading in ("τ", "caught", "triggers", "flips", "escapes", "bound", "sequences", "bound"):
        table.add_column(heading, no_wrap=True, justify="right")
    for point in curve(records, sorted({*taus, seen.start, seen.catching})):
        table.add_row(
            f"{point.tau:.4g}",
            f"{point.catch_rate:.1%}",
            f"{point.trigger_rate:.1%}",
            str(point.flips),
            str(point.escapes),
            f"{point.escape_bound:.2%}",
            f"{point.escaped_sequences}/{point.sequences}",
            f"{point.sequence_bound:.1%}",
        )
    return table


def show_watched(pairs: Sequence[PairRecord]) -> None:
    """Print each flip, and what all steps come to."""
    table = narrow("Flips")
    for heading in ("request", "step", "reference", "fast lane", "margin", "|Δlogit|", "K/V change"):
        table.add_column(heading, no_wrap=True)
    flipped = [pair for pair in pairs if pair.flipped]
    for pair in flipped:
        table.add_row(
            pair.alone.request,
            str(pair.index),
            repr(pair.alone.text),
            repr(pair.beside.text),
            f"{pair.beside.margin:.4g}",
            _figure(pair.max_delta),
            _figure(pair.kv_change),
        )
    if flipped:
        results.print(table)
    if pairs:
        margin = max((pair.beside.margin for pair in flipped), default=0.0)
        epsilon = max(pair.max_delta or 0.0 for pair in pairs)
        results.print(
            f"{len(flipped)} of {len(pairs)} steps flip; "
            f"largest margin of a flip {margin:.4g}, ε {epsilon:.4g}."
        )


def _figure(value: float | None) -> str:
    return "" if value is None else f"{value:.4g}"


def outcome_table(records: Sequence[GateRecord | SequenceRecord]) -> Table:
    """A row for each request of a gate trace."""
    table = Table("request", "tokens", "the reference's", "corrections", "rolled back")
    for outcome in outcomes(records):
        table.add_row(
            outcome.request,
            str(outcome.tokens),
            "yes" if outcome.equal else "no",
            str(outcome.corrections),
            str(outcome.rolled_back),
        )
    return table


_STRATEGY_WORDS = """\
gate: τ, window, pass size. equal: sequences that are the reference's.
row, step: share of rows, and of steps, that asked for a look.
wrong: tokens corrected; back: tokens rolled back after one.
pass, pos: the verifier's passes and their positions. ms: a token; +ms: over bf16."""


def show_strategies(records: Sequence[StrategyRecord]) -> None:
    """Print a table for each batch size, and what holds over all of them."""
    results.print(_STRATEGY_WORDS)
    for batch in dict.fromkeys(record.batch for record in records):
        results.print(_strategy_table(batch, merged([r for r in records if r.batch == batch])))
    shapes = {record.batch for record in records}
    if len(shapes) < 2:
        return
    table = Table(
        "strategy", "the same at every size", "the reference's at every size", title="All batch sizes"
    )
    for summary in summarise(records):
        if len(summary.shapes) > 1:
            table.add_row(summary.strategy, f"{summary.identical:.0%}", f"{summary.equal:.0%}")
    results.print(table)


def _strategy_table(batch: int, records: Sequence[StrategyRecord]) -> Table:
    emulated = any(record.emulated for record in records)
    table = narrow(f"Batch {batch}" + (", emulated" if emulated else ""))
    for heading in ("strategy", "gate"):
        table.add_column(heading, no_wrap=True)
    for heading in ("equal", "row", "step", "wrong", "back", "pass", "pos", "ms", "+ms"):
        table.add_column(heading, no_wrap=True, justify="right")
    plain = next((record for record in records if record.strategy == "bf16"), None)
    for one in records:
        over = None if plain is None else increment(one, plain)
        table.add_row(
            one.strategy,
            " ".join(_figure(x) for x in (one.tau, one.window, one.pass_size) if x is not None),
            f"{sum(one.equal)}/{len(one.equal)}",
            f"{one.asked_rows / one.rows:.0%}",
            f"{one.asked_steps / one.steps:.0%}",
            str(one.corrections),
            str(one.rolled_back),
            str(one.visits),
            str(one.verified),
            "" if emulated else f"{1000 * one.seconds / one.tokens:.1f}",
            "" if emulated or over is None else f"{1000 * over:+.1f}",
        )
    return table
