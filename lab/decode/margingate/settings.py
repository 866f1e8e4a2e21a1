"""The experiments of this folder as plain values: what a link, a command line and a trace's header carry.

From these and a model, the same run can be made anywhere: the `start_…` functions are how pages, the command
line and the recorder begin it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, get_args

from lab import traces
from lab.decode.margingate.compare import PASS_ROWS, Progress, measure, reference_run, warm_up
from lab.decode.margingate.flips import ROWS, Shape, StudyStep, shapes, study
from lab.decode.margingate.run import GateRecord, run
from lab.decode.margingate.strategies import (
    FP32_REFERENCE,
    Gate,
    PromptBy,
    Reference,
    Repair,
    RepairWhat,
    Replay,
    Strategy,
    check_verifier,
    solo,
    strategies,
)
from lab.decode.margingate.watch import Watched, watch
from lab.decode.prompt_set import Prompt, built_in
from lab.decode.requests import Request
from lab.decode.settings import SWITCHES, LaneSettings, requests_of
from lab.errors import LabError
from lab.models.loaded import LoadedModel
from lab.numerics.lanes import Lane
from lab.records import Failure, FlipRecord, SequenceRecord, StrategyRecord
from lab.traces import RunInfo

GPU_LIKE_LANE = LaneSettings()
REFERENCES = ("fp32", "bf16-solo")
POLICIES = ("margingate", "replay")
REPAIRS: tuple[RepairWhat, ...] = get_args(RepairWhat)
PROMPT_LANES: tuple[PromptBy, ...] = get_args(PromptBy)
Load = Callable[[], LoadedModel]
Name = TypeVar("Name", bound=str)


def one_of(what: str, name: str, names: Sequence[Name]) -> Name:
    """The name, if it is one of `names`. Raises LabError."""
    found = next((known for known in names if known == name), None)
    if found is None:
        raise LabError(f"There is no {what} {name!r}.", f"Use one of: {', '.join(names)}.")
    return found


def make_reference(name: str, fast: Lane) -> Reference:
    """The reference of that name. Raises LabError."""
    return FP32_REFERENCE if one_of("reference", name, REFERENCES) == "fp32" else solo(fast)


def _verifier(name: str, fast: Lane) -> Reference:
    """The reference of that name, if it can verify. Raises LabError."""
    reference = make_reference(name, fast)
    check_verifier(reference)
    return reference


def _check_batches(*batches: int) -> None:
    if not batches or min(batches) < 1:
        raise LabError(f"Batch sizes {batches} are not usable.", "Give at least one, each of 1 or more.")


@dataclass(frozen=True)
class FlipSettings:
    """A flip study (flips.py). `attribute`: operators that are also switched on alone, at `attribute_at`."""

    prompts: tuple[Prompt, ...] = built_in()[:8]
    batches: tuple[int, ...] = (2, 8, 32)
    length: int = 32
    base: str = "bf16-solo"
    attribute: tuple[str, ...] = ()
    attribute_at: int = 8
    arithmetic: LaneSettings = GPU_LIKE_LANE

    @property
    def shapes(self) -> list[Shape]:
        """Raises LabError for a batch size or an operator that does not exist."""
        _check_batches(*self.batches)
        _check_batches(self.attribute_at)
        for name in self.attribute:
            one_of("operator", name, SWITCHES)
        return shapes(self.batches, self.attribute, self.attribute_at)

    @property
    def total(self) -> int:
        """Records and progress marks that the run gives, if no prompt ends early."""
        chunks = -(-len(self.prompts) // ROWS)
        return chunks * self.length + len(self.prompts) * len(self.shapes)

    def as_json(self) -> dict[str, Any]:
        return dataclasses.asdict(self)


@dataclass(frozen=True)
class GateSettings:
    """Prompts decoded together under one verifying policy."""

    prompts: tuple[Prompt, ...] = built_in()[:8]
    length: int = 32
    policy: str = "margingate"
    tau: float = 0.25
    window: int | None = None
    pass_size: int = 1
    what: str = "mismatch"
    prompt: str = "fast"
    reference: str = "fp32"
    arithmetic: LaneSettings = GPU_LIKE_LANE

    def strategy(self) -> Strategy:
        """Raises LabError for a value that does not fit."""
        fast = self.arithmetic.make()
        gate = Gate(self.tau, self.window, self.pass_size)
        repair = Repair(
            gate,
            one_of("repair", self.what, REPAIRS),
            one_of("prompt lane", self.prompt, PROMPT_LANES),
        )
        policy = one_of("policy", self.policy, POLICIES)
        check = Replay(gate) if policy == "replay" else repair
        return Strategy(policy, fast, check, _verifier(self.reference, fast))

    @property
    def total(self) -> int:
        """Steps of both runs: progress marks, if nothing is rolled back."""
        return 2 * self.length

    def as_json(self) -> dict[str, Any]:
        return dataclasses.asdict(self)


@dataclass(frozen=True)
class CompareSettings:
    """Strategies on one workload; each batch size is a real batch, or a schedule (`emulate`).

    `rounds`: how often a real batch is measured; the strategies take turns. `replays`: further gates for
    margin-gated replay, at batch size `replays_at`.
    """

    prompts: tuple[Prompt, ...] = built_in()[:8]
    length: int = 32
    batches: tuple[int, ...] = (8,)
    strategies: tuple[str, ...] = ("bf16", "fp32", "every-step", "window-16", "margingate", "replay")
    tau: float = 0.25
    window: int | None = 16
    pass_size: int = 32
    queue: int = 8
    emulate: bool = False
    rounds: int = 1
    replays: tuple[Gate, ...] = ()
    replays_at: int = 8
    reference: str = "fp32"
    arithmetic: LaneSettings = GPU_LIKE_LANE

    def chosen(self) -> list[Strategy]:
        """Raises LabError for a strategy that does not exist, or a value that does not fit."""
        _check_batches(*self.batches)
        _check_batches(self.replays_at)
        if self.rounds < 1:
            raise LabError(f"{self.rounds} rounds measure nothing.", "Ask for 1 or more.")
        fast = self.arithmetic.make()
        gate = Gate(self.tau, self.window, self.pass_size)
        known = strategies(fast, _verifier(self.reference, fast), self.tau, gate, self.queue)
        unknown = [name for name in self.strategies if name not in known]
        if unknown or not self.strategies:
            raise LabError(
                f"There is no strategy {unknown[0]!r}." if unknown else "No strategy is chosen.",
                f"Use any of: {', '.join(known)}.",
            )
        return [known[name] for name in self.strategies]

    def runs(self) -> Iterator[tuple[Strategy, int]]:
        """Every strategy and the batch size to measure it at, in order. Raises LabError as `chosen`."""
        chosen = self.chosen()
        rounds = 1 if self.emulate else self.rounds  # an emulated shape gives the same each time
        yield from ((each, b) for b in self.batches for _ in range(rounds) for each in chosen)
        fast, reference = self.arithmetic.make(), chosen[0].reference
        for gate in self.replays:
            yield Strategy("replay", fast, Replay(gate), reference), self.replays_at

    @property
    def total(self) -> int:
        """Steps of all runs: progress marks, if nothing is rolled back and no prompt ends early."""
        count = len(self.prompts)

        def steps(rows: int) -> int:
            return -(-count // rows) * self.length

        sizes = [PASS_ROWS if self.emulate else batch for _, batch in self.runs()]
        return steps(PASS_ROWS) + sum(map(steps, sizes))

    def as_json(self) -> dict[str, Any]:
        return dataclasses.asdict(self)


def begin(kind: str, lane: Lane, load: Load, settings: dict[str, Any]) -> tuple[RunInfo, LoadedModel]:
    loaded = load()
    device = str(loaded.transformer.device)
    return traces.run_info(kind, loaded.name, lane.name, device, settings), loaded


def start_flips(
    settings: FlipSettings, load: Load
) -> tuple[RunInfo, Iterator[FlipRecord | Failure | StudyStep]]:
    """The header and the records of a flip study. Raises LabError for a wrong setting before loading."""
    lane = settings.arithmetic.make()
    base, shapes_ = make_reference(settings.base, lane), settings.shapes
    info, loaded = begin("flips", lane, load, settings.as_json())
    prompts, length = settings.prompts, settings.length
    return info, study(loaded.transformer, prompts, lane, base, shapes_, length, loaded.tokenizer)


def start_watch(settings: GateSettings, load: Load) -> tuple[RunInfo, Iterator[Watched]]:
    """The header and the records of both lanes side by side (watch.py); policy and gate do not matter."""
    strategy = settings.strategy()
    info, loaded = begin("watch", strategy.lane, load, settings.as_json())
    asked = requests_of(settings.prompts, settings.length, loaded)
    model, tokenizer = loaded.transformer, loaded.tokenizer
    return info, watch(model, asked, strategy.lane, strategy.reference, tokenizer)


def start_gate(
    settings: GateSettings, load: Load
) -> tuple[RunInfo, Iterator[GateRecord | SequenceRecord | Progress]]:
    """The header and the records of one gated run: the reference's sequences first, to compare with.

    A Progress stands after each step of either run.
    """
    strategy = settings.strategy()
    info, loaded = begin("gate", strategy.lane, load, settings.as_json())
    asked = requests_of(settings.prompts, settings.length, loaded)
    return info, _gated(loaded, asked, strategy)


def _gated(
    loaded: LoadedModel, asked: list[Request], strategy: Strategy
) -> Iterator[GateRecord | SequenceRecord | Progress]:
    model, tokenizer, reference = loaded.transformer, loaded.tokenizer, strategy.reference
    tokens = yield from reference_run(model, asked, reference)
    for name, own in tokens.items():
        yield SequenceRecord(name, reference.name, tuple(own), tuple(tokenizer.pieces(own)))
    for step in run(model, asked, strategy, tokenizer):
        yield from step.records
        yield Progress(strategy.name, len(asked), step.asked)


def start_compare(
    settings: CompareSettings, load: Load
) -> tuple[RunInfo, Iterator[StrategyRecord | Failure | Progress]]:
    """The header and the records of a comparison: one record for each strategy and batch size."""
    runs = list(settings.runs())
    info, loaded = begin("strategies", settings.arithmetic.make(), load, settings.as_json())
    asked = requests_of(settings.prompts, settings.length, loaded)
    return info, _compared(loaded, asked, runs, settings.emulate)


def _compared(
    loaded: LoadedModel, asked: list[Request], runs: Sequence[tuple[Strategy, int]], emulate: bool
) -> Iterator[StrategyRecord | Failure | Progress]:
    model, reference = loaded.transformer, runs[0][0].reference
    expected = yield from reference_run(model, asked, reference)
    warm_up(model, [strategy.lane for strategy, _ in runs], {batch for _, batch in runs})
    for strategy, batch in runs:
        yield from measure(model, asked, strategy, batch, expected, emulate)
