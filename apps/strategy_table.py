"""What the page of determinism's cost shows of its records, in words and tables, as plain functions.

A trace holds one record for each strategy, gate, batch size and repeat. Records of emulated shapes count
tokens and flips as real ones do; their times mean nothing and are never shown. Nothing here draws.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import pandas as pd  # type: ignore[import-untyped]

from apps.text import n, t
from apps.text.catalogue import Argument
from lab.decode.margingate.compare import increment, merged, ratio, summarise
from lab.decode.margingate.settings import CompareSettings
from lab.decode.margingate.strategies import WINDOWS, Gate
from lab.decode.prompt_set import built_in
from lab.decode.settings import LaneSettings
from lab.errors import LabError
from lab.records import StrategyRecord
from sims.waste import expected_waste

PLAIN, ALWAYS = "bf16", "every-step"
WINDOWED = tuple(f"window-{window}" for window in WINDOWS)
PAPERS_POLICY = ("margingate", "margingate-queued")
NAMES = (PLAIN, "fp32", "bf16-invariant", ALWAYS, *WINDOWED, *PAPERS_POLICY, "replay")
BATCHES = (1, 2, 4, 8, 16, 32)
COUNTS = ("corrections", "rolled_back", "bonuses", "visits", "verified")
REPLAYED = (ALWAYS, *WINDOWED, "replay")
GATES = tuple(Gate(*values) for values in product((0.125, 0.25, 0.5), (8, 32), (1, 32)))
"""τ, window and pass size of the live grid."""

GateKey = tuple[float | None, int | None, int | None]


def settings(values: Mapping[str, Any]) -> CompareSettings:
    """The comparison that the controls describe. Raises LabError where no batch size is chosen."""
    if not values["batches"]:
        raise LabError("No batch size is chosen.", f"Choose any of: {', '.join(map(str, BATCHES))}.")
    batches = tuple(sorted(map(int, values["batches"])))
    return CompareSettings(
        prompts=built_in()[: values["prompts"]],
        length=values["length"],
        batches=batches,
        strategies=values["strategies"],
        tau=values["tau"],
        window=values["window"],
        pass_size=values["pass"],
        queue=values["queue"],
        rounds=values["rounds"],
        replays=GATES if values["grid-run"] else (),
        replays_at=batches[-1],
        reference=values["reference"],
        arithmetic=LaneSettings(values["lane"], split_k=values["split-k"]),
    )


def total(experiment: CompareSettings) -> int:
    """Records and progress marks that the run gives, if no prompt ends early and nothing is rolled back."""
    return experiment.total + sum(1 for _ in experiment.runs())


def records_of(records: Sequence[Any]) -> list[StrategyRecord]:
    return [record for record in records if isinstance(record, StrategyRecord)]


def checked(records: Sequence[StrategyRecord], name: str) -> None:
    """Refuse what cannot be compared: raises LabError for no records, empty ones, or several workloads."""
    if not records or not all(r.rows and r.tokens and r.steps and r.sequences for r in records):
        raise LabError(f"{name} holds no strategy, or one without tokens.", "Record the run again.")
    if len({len(r.sequences) for r in records} | {len(r.equal) for r in records}) > 1:
        raise LabError(
            f"{name} holds workloads of different sizes.", "Record all strategies on the same prompts."
        )


def gate_of(record: StrategyRecord) -> GateKey:
    return record.tau, record.window, record.pass_size


def main_gates(records: Sequence[StrategyRecord]) -> list[StrategyRecord]:
    """Each strategy's records under one gate: that with most batch sizes, the first where equal."""
    shapes: dict[str, dict[GateKey, set[int]]] = {}
    for record in records:
        shapes.setdefault(record.strategy, {}).setdefault(gate_of(record), set()).add(record.batch)
    best = {name: max(gates, key=lambda gate: len(gates[gate])) for name, gates in shapes.items()}
    return [record for record in records if gate_of(record) == best[record.strategy]]


def per_shape(records: Sequence[StrategyRecord]) -> list[StrategyRecord]:
    """One record for each strategy and batch size: median times, a real batch before an emulated one."""
    chosen: dict[tuple[str, int], StrategyRecord] = {}
    for record in sorted(merged(main_gates(records)), key=lambda record: record.emulated):
        chosen.setdefault((record.strategy, record.batch), record)
    return list(chosen.values())


def sizes(records: Sequence[StrategyRecord]) -> list[int]:
    return sorted({record.batch for record in records})


def timed_sizes(records: Sequence[StrategyRecord]) -> list[int]:
    """Batch sizes at which an increment is known: BF16 alone ran in real batches, and another did too."""
    return sorted({batch for (_, batch), cost in costs_of(records).items() if cost.increment is not None})


@dataclass(frozen=True)
class Cost:
    """One strategy at one real batch size. Times are ms a committed token."""

    ms: float
    increment: float | None
    ratio: float | None
    """Verify-every-step's increment ÷ this one's."""


def costs_of(records: Sequence[StrategyRecord]) -> dict[tuple[str, int], Cost]:
    """By strategy and batch size; emulated shapes have none. Without BF16 alone there is no increment."""
    real = {(r.strategy, r.batch): r for r in per_shape(records) if not r.emulated}
    costs = {}
    for (name, batch), record in real.items():
        plain, always = real.get((PLAIN, batch)), real.get((ALWAYS, batch))
        extra = None if plain is None or name == PLAIN else 1000 * increment(record, plain)
        factor = ratio(record, always, plain) if extra is not None and always and plain else None
        costs[name, batch] = Cost(1000 * record.seconds / record.tokens, extra, factor)
    return costs


def exact(strategy: str, reference: str) -> str:
    """What is promised of a strategy's tokens, in the reader's language."""
    if strategy in REPLAYED or (strategy, reference) == ("fp32", "fp32"):
        return t("determinism-exact-construction", reference=reference)
    if strategy in ("fp32", "bf16-invariant"):
        return t("determinism-exact-invariant")
    return t("determinism-exact-measured" if strategy in PAPERS_POLICY else "determinism-exact-none")


def frame(records: Sequence[StrategyRecord], reference: str) -> pd.DataFrame:
    """A row a strategy: equal sequences over all shapes, counts over one run a shape, costs by batch size.

    With one shape only there is nothing that sequences could be identical to.
    """
    shown, costs = per_shape(records), costs_of(records)
    looked = {summary.strategy: summary for summary in summarise(shown)}
    rows, several = [], len(sizes(records)) > 1
    for over_all in summarise(main_gates(records)):
        own = [record for record in shown if record.strategy == over_all.strategy]
        verified = own[0].pass_size is not None
        row: dict[str, Any] = {
            "strategy": over_all.strategy,
            "identical_percent": round(100 * over_all.identical, 1) if several else None,
            "equal_percent": round(100 * over_all.equal, 1),
            "exact": exact(over_all.strategy, reference),
            "trigger_row_percent": _percent(looked[over_all.strategy].trigger_rows) if verified else None,
            "trigger_step_percent": _percent(looked[over_all.strategy].trigger_steps) if verified else None,
        }
        for column in COUNTS:
            row[column] = sum(getattr(record, column) for record in own) if verified else None
        for batch in sorted({batch for _, batch in costs}):
            cost = costs.get((over_all.strategy, batch))
            row[f"ms_b{batch}"] = _rounded(cost.ms if cost else None)
            row[f"increment_b{batch}"] = _rounded(cost.increment if cost else None)
            row[f"ratio_b{batch}"] = _rounded(cost.ratio if cost else None)
        row["gate"] = gate_name(gate_of(own[0]))
        rows.append(row)
    whole = dict.fromkeys(COUNTS, "Int64")
    return pd.DataFrame(rows).astype(whole)


def gate_name(gate: GateKey) -> str:
    """Such as `τ 0.25 · w 32 · pass 32`; what a gate does not have is left out."""
    tau, window, size = gate
    parts = {"τ": tau, "w": window, "pass": size}
    return " · ".join(f"{name} {value:g}" for name, value in parts.items() if value is not None)


def _percent(share: float) -> float:
    return round(100 * share, 2)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 2)


def verdicts(records: Sequence[StrategyRecord]) -> list[str]:
    """One sentence for BF16 alone, the paper's policy and gated replay, as far as they have run."""
    costs = costs_of(records)
    told = []
    for summary in summarise(main_gates(records)):
        if summary.strategy not in (PLAIN, "margingate", "replay"):
            continue
        found: dict[str, Argument] = {
            "shapes": len(sizes(records)),
            "identical": n(100 * summary.identical, ".1f"),
            "equal": n(100 * summary.equal, ".1f"),
            "trigger": n(100 * summary.trigger_rows, ".1f"),
        }
        told.append(t(f"determinism-verdict-{summary.strategy}", **found))
        factors = [
            t("determinism-verdict-at", ratio=n(cost.ratio, ".2f"), batch=batch)
            for batch in timed_sizes(records)
            if (cost := costs.get((summary.strategy, batch))) and cost.ratio
        ]
        if factors:
            told[-1] += " " + t("determinism-verdict-ratio", at=t("determinism-comma").join(factors))
    return told


def workload(records: Sequence[StrategyRecord], settings_: Mapping[str, Any]) -> str:
    """One line that says what ran."""
    return t(
        "determinism-recorded",
        prompts=len(records[0].sequences),
        length=str(settings_.get("length", "?")),
        batches=t("determinism-comma").join(n(batch) for batch in sizes(records)),
        reference=str(settings_.get("reference", "fp32")),
    )


def waste(records: Sequence[StrategyRecord]) -> list[tuple[str, str]]:
    """For each window: the share of tokens expected to be rolled back, and the share that was."""
    always = [record for record in per_shape(records) if record.strategy == ALWAYS and record.verified]
    if not always:
        return []
    rate = sum(r.corrections for r in always) / sum(r.verified for r in always)
    found = [(t("determinism-waste-rate"), n(rate, ".2%"))]
    for name, window in zip(WINDOWED, WINDOWS, strict=True):
        own = [record for record in per_shape(records) if record.strategy == name]
        if own:
            seen = sum(r.rolled_back for r in own) / sum(r.rows for r in own)
            # A request shorter than the window is verified at its end.
            shortest = min(window, round(own[0].tokens / len(own[0].sequences)))
            expected = expected_waste(rate, shortest) / shortest
            found += [
                (t("determinism-waste-expected", window=window), n(expected, ".1%")),
                (t("determinism-waste-seen", window=window), n(seen, ".1%")),
            ]
    return found


def command(experiment: CompareSettings) -> str:
    """The command line that runs the same comparison, without the grid of gates."""
    parts = ["python -m lab gate compare"]
    parts += [f"--strategy {name}" for name in experiment.strategies]
    parts += [f"--tau {experiment.tau:g}", f"--window {experiment.window}"]
    parts += [f"--pass-size {experiment.pass_size}", f"--queue {experiment.queue}"]
    parts += [f"--batch {batch}" for batch in experiment.batches]
    parts += [f"--prompts {len(experiment.prompts)}", f"--length {experiment.length}"]
    parts += [f"--rounds {experiment.rounds}", f"--reference {experiment.reference}"]
    parts += [f"--lane {experiment.arithmetic.lane}", f"--split-k {experiment.arithmetic.split_k}"]
    return " ".join([*parts, "--out strategies.jsonl"])
