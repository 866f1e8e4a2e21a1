"""`gate speculate`: one workload plain and in rounds, in FP32, in BF16 and behind the gate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer
from rich.table import Table

from lab.cli.flips import Length, PromptFile, prompts_of
from lab.cli.output import (
    ALL_SWITCHES,
    DEFAULT,
    AsJson,
    Device,
    LaneName,
    Model,
    Out,
    ReducedPartials,
    SplitKTable,
    Switches,
    followed,
    give,
    lane_settings,
    load,
    results,
)
from lab.cli.tables import narrow, show_failures
from lab.decode.margingate.compare import Progress
from lab.decode.settings import LaneSettings
from lab.decode.speculative.making import DRAFTERS
from lab.decode.speculative.meeting import MeetingSettings, start_meeting
from lab.decode.speculative.partings import PARTNERS, Compared, compared, run_figures
from lab.decode.speculative.tales import TALES
from lab.round_records import MeetingRecord


def speculate(
    prompts: Annotated[int, typer.Option("--prompts", help="The first N of the built-in stories.")] = 4,
    file: PromptFile = None,
    length: Length = MeetingSettings.length,
    drafter: Annotated[
        str, typer.Option(help=f"{', '.join(DRAFTERS)}, a draft's .safetensors file, or a model.")
    ] = MeetingSettings.drafter,
    gamma: Annotated[int, typer.Option(help="Tokens that a round drafts.")] = MeetingSettings.gamma,
    batch: Annotated[int, typer.Option(help="Prompts decoded at a time.")] = MeetingSettings.batch,
    tau: Annotated[
        float, typer.Option(help="A step is flagged if its margin is at most this.")
    ] = MeetingSettings.tau,
    window: Annotated[
        int, typer.Option(help="Tokens of a row that wait for a look; a round may overfill it.")
    ] = MeetingSettings.window,
    pass_size: Annotated[
        int, typer.Option(help="Flagged positions that a pass waits for.")
    ] = MeetingSettings.pass_size,
    model: Model = DEFAULT,
    device: Device = "auto",
    lane: LaneName = "bf16-emulated",
    switches: Switches = ALL_SWITCHES,
    split_k: SplitKTable = LaneSettings.split_k,
    reduced_partials: ReducedPartials = False,
    out: Out = None,
    json: AsJson = False,
) -> None:
    """Greedy speculation against plain decoding: equal in FP32, not in BF16, equal again behind the gate."""
    settings = MeetingSettings(
        prompts=prompts_of(prompts, file, TALES, "{} stories"),
        length=length,
        drafter=drafter,
        gamma=gamma,
        batch=batch,
        tau=tau,
        window=window,
        pass_size=pass_size,
        arithmetic=lane_settings(lane, switches, split_k, reduced_partials),
    )
    info, made = start_meeting(settings, lambda: load(model, device))
    everything = followed(made, settings.total, counted=Progress)
    records = [record for record in everything if not isinstance(record, Progress)]
    give(info, records, out, json)
    if json:
        return
    show_meeting([record for record in records if isinstance(record, MeetingRecord)])
    show_failures(records)


_WORDS = """\
Each run against its partner: “=” the same tokens; else the first token that differs, and its margin."""


def show_meeting(records: Sequence[MeetingRecord]) -> None:
    """Print where each run parts from its partner, and what each run took."""
    results.print(_WORDS)
    pairs = compared(records)
    table = narrow("")
    table.add_column("prompt", no_wrap=True)
    for run, partner in PARTNERS.items():
        table.add_column(f"{_short(run)}\n| {_short(partner)}", no_wrap=True)
    by_place = {(pair.own.run, pair.request): pair for pair in pairs}
    for request in dict.fromkeys(pair.request for pair in pairs):
        table.add_row(request, *(_place(by_place.get((run, request))) for run in PARTNERS))
    equal = {run: [pair.parted is None for pair in pairs if pair.own.run == run] for run in PARTNERS}
    table.add_row("equal", *(f"{sum(own)}/{len(own)}" for own in equal.values()))
    results.print(table)
    results.print(_figures(records))


def _short(run: str) -> str:
    return run.replace("-speculative", " rounds").replace("-gated", ", gated")


def _place(pair: Compared | None) -> str:
    if pair is None:
        return ""
    own, _ = pair.choices
    if pair.parted is None:
        return "="
    return f"{pair.parted}" + (f", {own.margin:.3g}" if own else ", ended")


def _figures(records: Sequence[MeetingRecord]) -> Table:
    table = narrow("passes of the lane, and of the verifier (visits), without those over prompts")
    table.add_column("run", no_wrap=True)
    for heading in ("tokens", "passes", "tokens/pass", "visits", "corrected", "seconds"):
        table.add_column(heading, no_wrap=True, justify="right")
    for each in run_figures(records):
        table.add_row(
            _short(each.run),
            str(each.tokens),
            str(each.passes),
            "–" if each.per_pass is None else f"{each.per_pass:.2f}",
            str(each.visits),
            str(each.corrected),
            f"{each.seconds:.1f}",
        )
    return table
