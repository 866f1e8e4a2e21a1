"""Where speculation meets the gate: one workload plain and in rounds, in FP32, in BF16, and behind the gate.

A round's pass has γ + 1 rows for each request, so its sums may run in another order than those of plain
decoding: in BF16 greedy speculation is not bit-lossless. In FP32 on row-invariant kernels it is. Behind
margin-gated replay the BF16 rounds give the FP32 tokens again.
"""

from __future__ import annotations

import dataclasses
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from lab import traces
from lab.decode.batching import Batch
from lab.decode.margingate.compare import Progress
from lab.decode.margingate.run import GateStep, run, standing
from lab.decode.margingate.settings import GPU_LIKE_LANE
from lab.decode.margingate.strategies import FP32_REFERENCE, Gate, Replay, Strategy
from lab.decode.prompt_set import Prompt
from lab.decode.requests import Request
from lab.decode.settings import LaneSettings, requests_of
from lab.decode.speculative.how import Speculative
from lab.decode.speculative.making import make_drafter
from lab.decode.speculative.policy import Fixed
from lab.decode.speculative.rounds import Speculation
from lab.decode.speculative.settings import Load
from lab.decode.speculative.tales import TALES
from lab.errors import LabError
from lab.models.loaded import LoadedModel
from lab.models.tokenizer import Tokenizer
from lab.numerics.lanes import FP32, Lane
from lab.records import Failure, TokenRecord, VerdictRecord, VisitRecord
from lab.round_records import MeetingRecord
from lab.traces import RunInfo

RUNS = ("fp32", "fp32-speculative", "bf16", "bf16-speculative", "bf16-speculative-gated")
Met = MeetingRecord | Failure | Progress


@dataclass(frozen=True)
class MeetingSettings:
    """Every run of RUNS on the same prompts, `batch` at a time. The gate is margin-gated replay's."""

    prompts: tuple[Prompt, ...] = TALES[:4]
    length: int = 32
    drafter: str = "stories"
    gamma: int = 4
    batch: int = 1
    tau: float = 0.25
    window: int = 32
    pass_size: int = 16
    arithmetic: LaneSettings = GPU_LIKE_LANE

    def strategies(self) -> dict[str, Strategy]:
        """By run; raises LabError for a value that does not fit."""
        if self.batch < 1:
            raise LabError(f"{self.batch} prompts at a time cannot be decoded.", "Give 1 or more.")
        fast = self.arithmetic.make()
        check = Replay(Gate(self.tau, self.window, self.pass_size))
        lanes: dict[str, tuple[Lane, Replay | None]] = {
            "fp32": (FP32, None),
            "fp32-speculative": (FP32, None),
            "bf16": (fast, None),
            "bf16-speculative": (fast, None),
            "bf16-speculative-gated": (fast, check),
        }
        return {name: Strategy(name, lane, own, FP32_REFERENCE) for name, (lane, own) in lanes.items()}

    @property
    def total(self) -> int:
        """Progress marks, if no round accepts anything and nothing is rolled back: mostly fewer come."""
        return len(RUNS) * self.length * -(-len(self.prompts) // self.batch)

    def as_json(self) -> dict[str, Any]:
        return dataclasses.asdict(self)


def start_meeting(settings: MeetingSettings, load: Load) -> tuple[RunInfo, Iterator[Met]]:
    """The header and the records of all runs; a Progress stands after each step. Raises LabError."""
    strategies, policy = settings.strategies(), Fixed(settings.gamma)
    loaded = load()
    asked = requests_of(settings.prompts, settings.length, loaded)
    how = Speculative(make_drafter(settings.drafter, loaded), policy)
    lane, device = settings.arithmetic.lane, str(loaded.transformer.device)
    info = traces.run_info("meeting", loaded.name, lane, device, settings.as_json())
    return info, _meet(loaded, asked, strategies, how, settings.batch)


def _meet(
    loaded: LoadedModel,
    asked: Sequence[Request],
    strategies: dict[str, Strategy],
    how: Speculative,
    batch: int,
) -> Iterator[Met]:
    rounds = partial(Speculation, how=how)
    for name, strategy in strategies.items():
        make: Callable[..., Batch] = rounds if "speculative" in name else Batch
        started, steps = time.perf_counter(), []
        for step in run(loaded.transformer, asked, strategy, loaded.tokenizer, batch, 2, make):
            steps.append(step)
            yield Progress(name, batch)
        seconds = time.perf_counter() - started
        for step in steps:
            yield from (record for record in step.records if isinstance(record, Failure))
        yield from _collected(name, asked, steps, seconds, loaded.tokenizer)


def _collected(
    name: str, asked: Sequence[Request], steps: Sequence[GateStep], seconds: float, tokenizer: Tokenizer
) -> Iterator[MeetingRecord]:
    """What a run committed for each request, after all verdicts."""
    chosen = standing([record for step in steps for record in step.records])
    passes, visits = Counter[str](), Counter[str]()
    positions: dict[tuple[str, int], int] = {}
    """Of the pass that gave each verdict."""
    for step in steps:
        passes.update({r.request for r in step.records if isinstance(r, TokenRecord) and r.index > 0})
        visited = [r for r in step.records if isinstance(r, VisitRecord) and not r.prompt]
        for visit in visited:
            visits.update(visit.requests)
        for verdict in step.records:
            if isinstance(verdict, VerdictRecord):
                sizes = [visit.positions for visit in visited if verdict.request in visit.requests]
                positions[verdict.request, verdict.index] = max(sizes)
    for request in asked:
        own = chosen.get(request.id, [])
        tokens = [record.token for record in own]
        verdicts = [isinstance(record, VerdictRecord) and record.corrected for record in own]
        yield MeetingRecord(
            run=name,
            request=request.id,
            tokens=tuple(tokens),
            texts=tuple(tokenizer.pieces(tokens)),
            margins=tuple(record.margin for record in own),
            runners_up=tuple(record.top[1].text for record in own),
            rows=tuple(
                record.rows if isinstance(record, TokenRecord) else positions[request.id, record.index]
                for record in own
            ),
            corrected=tuple(at for at, overruled in enumerate(verdicts) if overruled),
            passes=passes[request.id],
            visits=visits[request.id],
            seconds=seconds,
        )
