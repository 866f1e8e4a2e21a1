"""`record`: runs of the real model whose numbers pages and lessons show."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, get_args

import typer

from lab import traces
from lab.cli.output import DEFAULT, Device, Model, followed, load, results
from lab.decode import head
from lab.decode.margingate.settings import start_compare, start_flips, start_gate, start_watch
from lab.decode.margingate.shipped import (
    FLIPS,
    RUNS,
    STRATEGIES,
    SWEPT_POLICIES,
    SWEPT_TAUS,
    WATCH,
    start_sweep,
)
from lab.decode.prompts import PROMPTS
from lab.decode.settings import NeighbourSettings, start
from lab.decode.speculative.family import start_family
from lab.decode.speculative.measure import start_measure
from lab.decode.speculative.meeting import start_meeting
from lab.decode.speculative.settings import start_speculate
from lab.decode.speculative.shipped import FAMILY, MEASURED, MEETING, SPECULATED, TREE_SIZES, TREES
from lab.decode.speculative.tree_sizes import start_tree_sizes
from lab.records import Failure, PairRecord
from lab.round_records import FamilyRecord, PassTimeRecord, RoundRecord
from lab.traces import Record, RunInfo

File = Annotated[Path, typer.Argument(help="Write the trace (JSONL) here.")]

app = typer.Typer(help="Record what pages and lessons show.", no_args_is_help=True)


@app.callback()
def about() -> None:
    """Record what pages and lessons show."""


@app.command("neighbours")
def neighbours(
    folder: Annotated[Path, typer.Argument(help="Write neighbours-<prompt>.jsonl files here.")],
    model: Model = DEFAULT,
    device: Device = "cpu",
) -> None:
    """Record each built-in prompt alone and beside its neighbours, with the page's default settings."""
    loaded = load(model, device)
    for name, prompt in PROMPTS.items():
        info, records = start(NeighbourSettings(prompt=prompt), lambda: loaded)
        path = folder / f"neighbours-{name}.jsonl"
        traces.write(path, info, (record for record in records if isinstance(record, PairRecord)))
        results.print(str(path))


@app.command("logits")
def logits(
    out: Annotated[Path, typer.Argument(help="Write the recording (.npz) here.")],
    model: Model = DEFAULT,
    device: Device = "cpu",
    length: Annotated[int, typer.Option(help="Tokens of each prompt.")] = 64,
) -> None:
    """Record hidden states and output rows of a few steps, under 1, 2, 4 and 8 splits of every linear."""
    loaded = load(model, device)
    made = head.head_steps(loaded.transformer, loaded.tokenizer, PROMPTS, length)
    steps = followed(made, length * len(PROMPTS))
    info = traces.run_info(
        "head",
        loaded.name,
        "bf16-emulated",
        str(loaded.transformer.device),
        {"prompts": PROMPTS, "length": length, "splits": head.SPLITS},
    )
    head.write(out, info, PROMPTS, steps)
    results.print(f"{out}: {len(head.choose(steps))} of {len(steps)} steps.")


@app.command("flips")
def flips(out: File, model: Model = DEFAULT, device: Device = "cpu") -> None:
    """Record the flip study that pages show."""
    _record(out, start_flips(FLIPS, lambda: load(model, device)), FLIPS.total)


@app.command("gate")
def gate(out: File, model: Model = DEFAULT, device: Device = "cpu") -> None:
    """Record both lanes at every step of eight prompts: what a gate at any threshold would have seen."""
    total = WATCH.total * len(WATCH.prompts)
    run = start_watch(WATCH, lambda: load(model, device))
    _record(out, run, total, (PairRecord, Failure))  # the reference's own tokens stand in the pairs


@app.command("strategies")
def strategies(out: File, model: Model = DEFAULT, device: Device = "cpu") -> None:
    """Record every strategy on one workload, and margin-gated replay behind many gates."""
    _record(out, start_compare(STRATEGIES, lambda: load(model, device)), STRATEGIES.total)


@app.command("gate-runs")
def gate_runs(
    folder: Annotated[Path, typer.Argument(help="Write gate-run-<policy>.jsonl files here.")],
    model: Model = DEFAULT,
    device: Device = "cpu",
) -> None:
    """Record a run behind the gate under each policy, with the page's default settings."""
    for policy, settings in RUNS.items():
        run = start_gate(settings, lambda: load(model, device))
        _record(folder / f"gate-run-{policy}.jsonl", run, settings.total)


@app.command("gate-taus")
def gate_taus(out: File, model: Model = DEFAULT, device: Device = "cpu") -> None:
    """Record what each policy reaches at every τ: sequences that are the reference's."""
    _record(out, start_sweep(lambda: load(model, device)), len(SWEPT_POLICIES) * len(SWEPT_TAUS))


@app.command("speculate")
def speculate(
    folder: Annotated[Path, typer.Argument(help="Write speculate-<name>.jsonl files here.")],
    model: Model = DEFAULT,
    device: Device = "cpu",
) -> None:
    """Record plain and speculative decoding of one prompt: greedy, sampled, and with two other drafters."""
    for name, settings in SPECULATED.items():
        run = start_speculate(settings, lambda: load(model, device))
        _record(folder / f"speculate-{name}.jsonl", run, settings.total)


@app.command("tree")
def tree(
    folder: Annotated[Path, typer.Argument(help="Write tree-<name>.jsonl files here.")],
    model: Model = DEFAULT,
    device: Device = "cpu",
) -> None:
    """Record decoding with trees: of several forms on one story, and tokens a pass by form and size."""
    for name, settings in TREES.items():
        run = start_speculate(settings, lambda: load(model, device))
        _record(folder / f"tree-{name}.jsonl", run, settings.total)
    sizes = start_tree_sizes(TREE_SIZES, lambda: load(model, device))
    _record(folder / "tree-sizes.jsonl", sizes, TREE_SIZES.total, (FamilyRecord, PassTimeRecord, Failure))


@app.command("family")
def family(out: File, model: Model = DEFAULT, device: Device = "cpu") -> None:
    """Record every method of speculative decoding on one story, side by side."""
    run = start_family(FAMILY, lambda: load(model, device))
    _record(out, run, FAMILY.total, (RoundRecord, FamilyRecord, Failure))


@app.command("meeting")
def meeting(out: File, model: Model = DEFAULT, device: Device = "cpu") -> None:
    """Record eight stories plain and in rounds, in FP32, in BF16 and behind the gate."""
    _record(out, start_meeting(MEETING, lambda: load(model, device)), MEETING.total)


@app.command("measure")
def measure(out: File, model: Model = DEFAULT, device: Device = "cpu") -> None:
    """Record this machine's times, and four drafters measured on stories, a question and code."""
    total = sum(MEASURED.totals.values())
    _record(out, start_measure(MEASURED, lambda: load(model, device)), total)


def _record(
    out: Path, run: tuple[RunInfo, Iterator[Any]], total: int, kept: tuple[type[Any], ...] = get_args(Record)
) -> None:
    """Write what a trace keeps of a run: the records of what was found, not those of progress."""
    info, made = run
    records = [record for record in followed(made, total, info.kind) if isinstance(record, kept)]
    traces.write(out, info, records)
    results.print(f"{out}: {len(records)} records.")
