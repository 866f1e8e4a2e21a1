"""`gate`: choose a margin gate's threshold, watch both lanes, decode behind the gate, compare strategies."""

from __future__ import annotations

from typing import Annotated

import typer

from lab.cli.flips import (
    Base,
    Batch,
    Length,
    PromptFile,
    Prompts,
    prompts_of,
    studied,
)
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
from lab.cli.tables import curve_table, outcome_table, show_failures, show_strategies, show_watched
from lab.decode.margingate.calibrate import observed
from lab.decode.margingate.compare import Progress
from lab.decode.margingate.settings import (
    POLICIES,
    PROMPT_LANES,
    REFERENCES,
    REPAIRS,
    CompareSettings,
    FlipSettings,
    GateSettings,
    start_compare,
    start_flips,
    start_gate,
    start_watch,
)
from lab.decode.margingate.strategies import strategies
from lab.decode.prompt_set import Prompt, built_in, calibration_and_report
from lab.decode.settings import LaneSettings
from lab.errors import LabError
from lab.numerics.lanes import bf16_emulated
from lab.records import (
    FlipRecord,
    PairRecord,
    StrategyRecord,
    TokenRecord,
    VisitRecord,
)

app = typer.Typer(help="Flag small margins, look again, repair or roll back.", no_args_is_help=True)

TAUS = (0.0625, 0.125, 0.1875, 0.25, 0.375, 0.5)

Tau = Annotated[float, typer.Option(help="A step is flagged if its margin is at most this.")]
Window = Annotated[int, typer.Option(help="Most tokens of a row that wait for a look; 0: no bound.")]
PassSize = Annotated[int, typer.Option(help="Flagged positions that a pass waits for.")]
ReferenceName = Annotated[str, typer.Option(help=f"Whose tokens are right: {' or '.join(REFERENCES)}.")]


@app.command("calibrate")
def calibrate(
    calibrate_on: Annotated[int, typer.Option(help="Prompts of the first half to choose τ on.")] = 8,
    report_on: Annotated[int, typer.Option(help="Prompts of the second half to report on.")] = 8,
    file: PromptFile = None,
    tau: Annotated[list[float] | None, typer.Option(help="A threshold to report; may be repeated.")] = None,
    batch: Batch = None,
    length: Length = FlipSettings.length,
    base: Base = GateSettings.reference,
    model: Model = DEFAULT,
    device: Device = "auto",
    lane: LaneName = "bf16-emulated",
    switches: Switches = ALL_SWITCHES,
    split_k: SplitKTable = LaneSettings.split_k,
    reduced_partials: ReducedPartials = False,
    out: Out = None,
    json: AsJson = False,
) -> None:
    """Choose τ on one half of the prompts; report on the other what it catches, costs and may miss."""
    first, second = halves(file, calibrate_on, report_on)
    settings = FlipSettings(
        prompts=(*first, *second),
        batches=tuple(batch or FlipSettings.batches),
        length=length,
        base=base,
        arithmetic=lane_settings(lane, switches, split_k, reduced_partials),
    )
    info, made = start_flips(settings, lambda: load(model, device))
    records = studied(followed(made, settings.total))
    give(info, records, out, json)
    if json:
        return
    names = {prompt.name for prompt in first}
    flips = [record for record in records if isinstance(record, FlipRecord)]
    chosen_on = [record for record in flips if record.prompt in names]
    reported = [record for record in flips if record.prompt not in names]
    seen = observed(chosen_on)
    results.print(
        f"First half: {len(seen.margins)} steps, {sum(seen.flipped)} flips. ε = {seen.epsilon:.4g}, "
        f"2ε = {seen.start:.4g}; the smallest τ that catches every flip is {seen.catching:.4g}."
    )
    results.print(curve_table(seen, reported, tau or TAUS))
    results.print("The bounds are exact (Clopper–Pearson) for steps, or sequences, that are independent.")
    show_failures(records)


def halves(
    file: PromptFile, calibrate_on: int, report_on: int
) -> tuple[tuple[Prompt, ...], tuple[Prompt, ...]]:
    """The first prompts of both halves of a set. Raises LabError where a half has too few."""
    first, second = calibration_and_report(prompts_of(len(built_in()), file))
    for asked, half in ((calibrate_on, first), (report_on, second)):
        if not 1 <= asked <= len(half):
            raise LabError(
                f"{asked} prompts cannot be taken from a half of {len(half)}.", f"Ask for 1 to {len(half)}."
            )
    return first[:calibrate_on], second[:report_on]


@app.command("watch")
def watch(
    prompts: Prompts = 8,
    file: PromptFile = None,
    length: Length = GateSettings.length,
    reference: ReferenceName = GateSettings.reference,
    model: Model = DEFAULT,
    device: Device = "auto",
    lane: LaneName = "bf16-emulated",
    switches: Switches = ALL_SWITCHES,
    split_k: SplitKTable = LaneSettings.split_k,
    reduced_partials: ReducedPartials = False,
    out: Out = None,
    json: AsJson = False,
) -> None:
    """Decode in the reference lane, and on its tokens in the fast lane; show each flip and its margin."""
    settings = GateSettings(
        prompts=prompts_of(prompts, file),
        length=length,
        reference=reference,
        arithmetic=lane_settings(lane, switches, split_k, reduced_partials),
    )
    info, made = start_watch(settings, lambda: load(model, device))
    everything = followed(made, settings.total * len(settings.prompts))
    # The reference's own tokens stand in the pairs.
    records = [record for record in everything if not isinstance(record, TokenRecord)]
    give(info, records, out, json)
    if not json:
        show_watched([record for record in records if isinstance(record, PairRecord)])
        show_failures(records)


@app.command("run")
def run(
    prompts: Prompts = 8,
    file: PromptFile = None,
    length: Length = GateSettings.length,
    policy: Annotated[str, typer.Option(help=f"One of: {', '.join(POLICIES)}.")] = GateSettings.policy,
    tau: Tau = GateSettings.tau,
    window: Window = 0,
    pass_size: PassSize = GateSettings.pass_size,
    repair: Annotated[
        str, typer.Option(help=f"Columns to repair: {', '.join(REPAIRS)}.")
    ] = GateSettings.what,
    prompt_lane: Annotated[
        str, typer.Option(help=f"Lane of margingate's prompts: {' or '.join(PROMPT_LANES)}.")
    ] = GateSettings.prompt,
    reference: ReferenceName = GateSettings.reference,
    model: Model = DEFAULT,
    device: Device = "auto",
    lane: LaneName = "bf16-emulated",
    switches: Switches = ALL_SWITCHES,
    split_k: SplitKTable = LaneSettings.split_k,
    reduced_partials: ReducedPartials = False,
    out: Out = None,
    json: AsJson = False,
) -> None:
    """Decode prompts as one batch behind a gate; compare every sequence with the reference's."""
    settings = GateSettings(
        prompts=prompts_of(prompts, file),
        length=length,
        policy=policy,
        tau=tau,
        window=window or None,
        pass_size=pass_size,
        what=repair,
        prompt=prompt_lane,
        reference=reference,
        arithmetic=lane_settings(lane, switches, split_k, reduced_partials),
    )
    info, made = start_gate(settings, lambda: load(model, device))
    everything = followed(made, settings.total, counted=Progress)
    steps = [mark for mark in everything if isinstance(mark, Progress)]
    records = [record for record in everything if not isinstance(record, Progress)]
    give(info, records, out, json)
    if json:
        return
    results.print(outcome_table(records))
    gated = [step for step in steps if step.strategy == policy]
    rows = sum(isinstance(record, TokenRecord) for record in records)
    visits = [record for record in records if isinstance(record, VisitRecord) and not record.prompt]
    results.print(
        f"{sum(len(step.asked) for step in gated)} of {rows} rows and "
        f"{sum(bool(step.asked) for step in gated)} of {len(gated)} steps asked for a look; "
        f"{len(visits)} passes over {sum(visit.positions for visit in visits)} positions took "
        f"{sum(visit.seconds for visit in visits):.2f} s."
    )
    show_failures(records)


@app.command("compare")
def compare(
    prompts: Prompts = 8,
    file: PromptFile = None,
    length: Length = CompareSettings.length,
    batch: Batch = None,
    strategy: Annotated[
        list[str] | None,
        typer.Option(help=f"May be repeated. One of: {', '.join(strategies(bf16_emulated()))}."),
    ] = None,
    tau: Tau = CompareSettings.tau,
    window: Window = CompareSettings.window or 0,
    pass_size: PassSize = CompareSettings.pass_size,
    queue: Annotated[int, typer.Option(help="Flagged steps that margingate-queued gathers.")] = 8,
    emulate: Annotated[
        bool, typer.Option(help="Set shapes as schedules: sooner, but times mean nothing.")
    ] = False,
    rounds: Annotated[int, typer.Option(help="Times that each real batch is measured.")] = 1,
    reference: ReferenceName = CompareSettings.reference,
    model: Model = DEFAULT,
    device: Device = "auto",
    lane: LaneName = "bf16-emulated",
    switches: Switches = ALL_SWITCHES,
    split_k: SplitKTable = LaneSettings.split_k,
    reduced_partials: ReducedPartials = False,
    out: Out = None,
    json: AsJson = False,
) -> None:
    """Run strategies on one workload; show which keep the reference's tokens, and what each costs."""
    settings = CompareSettings(
        prompts=prompts_of(prompts, file),
        length=length,
        batches=tuple(batch or CompareSettings.batches),
        strategies=tuple(strategy or CompareSettings.strategies),
        tau=tau,
        window=window or None,
        pass_size=pass_size,
        queue=queue,
        emulate=emulate,
        rounds=rounds,
        reference=reference,
        arithmetic=lane_settings(lane, switches, split_k, reduced_partials),
    )
    info, made = start_compare(settings, lambda: load(model, device))
    everything = followed(made, settings.total, counted=Progress)
    records = [record for record in everything if not isinstance(record, Progress)]
    give(info, records, out, json)
    if json:
        return
    show_strategies([record for record in records if isinstance(record, StrategyRecord)])
    show_failures(records)
