"""Where speculation meets the gate: one workload plain and in rounds, in FP32, in BF16, and behind the gate.

A round's pass has γ + 1 rows for each request, so its sums may run in another order than those of plain
decoding: in BF16 greedy speculation is not bit-lossless. In FP32 on row-invariant kernels it is. Behind
margin-gated replay the BF16 rounds give the FP32 tokens again.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from lab import traces
from lab.decode.batching import Batch
from lab.decode.margingate.compare import Progress
from lab.decode.margingate.run import GateStep, run
from lab.decode.margingate.settings import GPU_LIKE_LANE, requests_of
from lab.decode.margingate.strategies import FP32_REFERENCE, Gate, Replay, Strategy
from lab.decode.prompt_set import Prompt
from lab.decode.requests import Request
from lab.decode.settings import LaneSettings
from lab.decode.speculative.drafting import Speculative
from lab.decode.speculative.policy import Fixed
from lab.decode.speculative.rounds import Speculation
from lab.decode.speculative.settings import Load, make_drafter
from lab.decode.speculative.tales import TALES
from lab.errors import LabError
from lab.models.loaded import LoadedModel
from lab.models.tokenizer import Tokenizer
from lab.numerics.lanes import FP32, Lane
from lab.records import Candidate, Failure, TokenRecord, VerdictRecord, VisitRecord
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
        for request in asked:
            yield _collected(name, request.id, steps, seconds, loaded.tokenizer)


@dataclass(frozen=True)
class _Chosen:
    token: int
    top: tuple[Candidate, ...]
    rows: int
    corrected: bool


def _collected(
    name: str, request: str, steps: Sequence[GateStep], seconds: float, tokenizer: Tokenizer
) -> MeetingRecord:
    """What a run committed for one request, after all verdicts."""
    chosen: list[_Chosen] = []
    passes = visits = positions = 0
    for step in steps:
        # A visit stands after its verdicts, so its size is looked up first.
        visited = [r for r in step.records if isinstance(r, VisitRecord) and request in r.requests]
        visits += sum(not visit.prompt for visit in visited)
        positions = max((visit.positions for visit in visited), default=positions)
        passes += any(
            isinstance(r, TokenRecord) and r.request == request and r.index > 0 for r in step.records
        )
        for record in step.records:
            if isinstance(record, TokenRecord | VerdictRecord) and record.request == request:
                _apply(chosen, record, positions)
    tokens = [each.token for each in chosen]
    return MeetingRecord(
        run=name,
        request=request,
        tokens=tuple(tokens),
        texts=tuple(tokenizer.pieces(tokens)),
        margins=tuple(each.top[0].logit - each.top[1].logit for each in chosen),
        runners_up=tuple(each.top[1].text for each in chosen),
        rows=tuple(each.rows for each in chosen),
        corrected=tuple(at for at, each in enumerate(chosen) if each.corrected),
        passes=passes,
        visits=visits,
        seconds=seconds,
    )


def _apply(chosen: list[_Chosen], record: TokenRecord | VerdictRecord, positions: int) -> None:
    if isinstance(record, TokenRecord):
        del chosen[record.index :]
        chosen.append(_Chosen(record.token, record.top, record.rows, False))
    elif record.corrected or record.bonus:
        del chosen[record.index :]
        chosen.append(_Chosen(record.token, record.top, positions, record.corrected))
