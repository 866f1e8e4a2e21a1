"""Drafts measured on one machine: acceptance, relative times, speedups predicted and measured.

First the passes are timed. Then, for each kind of prompt and temperature, the target writes by itself with
every draft asked along (α), and plain and speculative runs take turns. `start_measure` is how pages, the
command line and the recorder begin it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar, cast

import numpy as np

from lab import traces
from lab.decode.batching import decode
from lab.decode.generate import FP32_LANE
from lab.decode.prompt_set import Prompt, built_in
from lab.decode.requests import Request
from lab.decode.sampling import Sampling
from lab.decode.settings import LaneSettings, requests_of
from lab.decode.speculative.agreement import Along, overlaps
from lab.decode.speculative.drafters import Drafter
from lab.decode.speculative.how import Speculative
from lab.decode.speculative.making import make_drafter
from lab.decode.speculative.pass_times import (
    DRAFT_WIDTHS,
    WARM_UP,
    draft_steps,
    measure_passes,
    target_passes,
)
from lab.decode.speculative.policy import Fixed, check_gamma
from lab.decode.speculative.rounds import speculate
from lab.decode.speculative.tales import TALES
from lab.decode.speculative.timed_runs import Case, Run, Times, measure_record, timed
from lab.errors import LabError
from lab.models.loaded import LoadedModel
from lab.round_records import MeasureRecord, PassTimeRecord
from lab.traces import RunInfo

KINDS = ("story", "question", "code")
WIDEST = 16
"""The largest γ up to which v is measured at batch size 1; other sizes have those of the settings alone."""
TEXT_ROWS = 8
"""Texts that the target writes together for α."""

R = TypeVar("R")
Stage = Literal["passes", "texts", "runs"]
ByDraft = dict[tuple[str, float, int], Times]
"""By drafter, temperature and batch size."""


def prompts_of_kinds(kinds: Sequence[str], count: int) -> tuple[Prompt, ...]:
    """The first `count` prompts of each kind: held-out stories, and built-in prompts of other kinds.

    Raises LabError where there are not so many.
    """
    known = (*TALES, *(prompt for prompt in built_in() if prompt.kind != "story"))
    by_kind = {kind: [p for p in known if p.kind == kind] for kind in kinds}
    chosen = tuple(p for own in by_kind.values() for p in own[:count])
    if count < 1 or not by_kind or min(map(len, by_kind.values())) < count:
        raise LabError(
            f"There are no {count} prompts of each of the kinds {', '.join(kinds)}.",
            f"Ask for fewer; the kinds are {', '.join(KINDS)}.",
        )
    return chosen


@dataclass(frozen=True)
class Progress:
    """How far a measurement is, in passes and tokens; not part of a trace."""

    stage: Stage
    done: int
    total: int


@dataclass(frozen=True)
class MeasureSettings:
    """What to measure: every drafter on every kind among the prompts, at every temperature, γ and batch size.

    `repeats`: how often each run is timed; `passes`: how often each pass is, after `context` tokens. `seed`
    is the first prompt's; each next prompt has the next number. Threads are those that torch is set to.
    """

    prompts: tuple[Prompt, ...] = prompts_of_kinds(KINDS, 2)
    length: int = 48
    drafters: tuple[str, ...] = ("stories",)
    temperatures: tuple[float, ...] = (0.0, 1.0)
    gammas: tuple[int, ...] = (2, 4, 8)
    batches: tuple[int, ...] = (1,)
    repeats: int = 3
    passes: int = 15
    context: int = 128
    seed: int = 0
    arithmetic: LaneSettings = FP32_LANE

    def check(self) -> None:
        """Raises LabError for a value that does not fit."""
        for gamma in self.gammas:
            check_gamma(gamma)
        for temperature in self.temperatures:
            Sampling(temperature)
        for name in ("drafters", "temperatures", "gammas", "batches"):
            if not getattr(self, name):
                raise LabError(f"There are no {name}.", "Give at least one.")
        least = {"length": 2, "repeats": 1, "passes": 1, "context": 2}
        values = {name: getattr(self, name) for name in least} | {"batch": min(self.batches)}
        for name, value in values.items():
            if value < least.get(name, 1):
                raise LabError(f"{name} = {value} measures nothing.", f"Give {least.get(name, 1)} or more.")

    @property
    def kinds(self) -> dict[str, list[int]]:
        """Places of the prompts of each kind."""
        return {
            kind: [at for at, p in enumerate(self.prompts) if p.kind == kind]
            for kind in dict.fromkeys(p.kind for p in self.prompts)
        }

    def widths(self, batch: int) -> list[int]:
        """Positions of the target passes that are timed at a batch size, rising."""
        known = range(WIDEST + 1) if batch == 1 else (0,)
        return sorted({gamma + 1 for gamma in (*known, *self.gammas)})

    @property
    def totals(self) -> dict[Stage, int]:
        """Passes and tokens of each stage, if no prompt ends early."""
        steps = len(self.drafters) * len(self.temperatures)
        passes = sum(len(self.widths(batch)) + steps * len(DRAFT_WIDTHS) for batch in self.batches)
        tokens = len(self.temperatures) * len(self.prompts) * self.length
        runs = self.repeats * len(self.batches) * len(self.drafters) * (1 + len(self.gammas))
        return {"passes": passes * (self.passes + WARM_UP), "texts": tokens, "runs": tokens * runs}

    def requests(self, loaded: LoadedModel, temperature: float) -> list[Request]:
        """Raises LabError for a prompt that cannot be decoded."""
        return requests_of(self.prompts, self.length, loaded, Sampling(temperature), self.seed)

    def as_json(self) -> dict[str, Any]:
        return dataclasses.asdict(self)


Measured = PassTimeRecord | MeasureRecord | Progress


def start_measure(
    settings: MeasureSettings, load: Callable[[], LoadedModel]
) -> tuple[RunInfo, Iterator[Measured]]:
    """The header and the records of a measurement, with a Progress after each step of anything.

    Settings are checked before the model is loaded. Raises LabError.
    """
    settings.check()
    lane = settings.arithmetic.make()
    loaded = load()
    settings.requests(loaded, 0.0)
    drafters = [make_drafter(name, loaded) for name in settings.drafters]
    device = str(loaded.transformer.device)
    info = traces.run_info("measure", loaded.name, lane.name, device, settings.as_json())
    return info, _Measurement(settings, loaded, drafters).records()


class _Measurement:
    def __init__(self, settings: MeasureSettings, loaded: LoadedModel, drafters: Sequence[Drafter]) -> None:
        self.settings, self.drafters = settings, drafters
        self.model, self.lane = loaded.transformer, settings.arithmetic.make()
        self.asked = {t: settings.requests(loaded, t) for t in dict.fromkeys(settings.temperatures)}
        self._done: dict[Stage, int] = dict.fromkeys(settings.totals, 0)

    def records(self) -> Iterator[Measured]:
        settings = self.settings
        yield self._mark("passes", 0)
        times: ByDraft = {}
        for batch in settings.batches:
            times |= yield from self._passes(batch)
        for kind, places in settings.kinds.items():
            for temperature, asked in self.asked.items():
                requests = [asked[at] for at in places]
                along = yield from self._texts(requests)
                for batch in settings.batches:
                    for at, drafter in enumerate(self.drafters):
                        runs = yield from self._runs(requests, drafter, batch)
                        for gamma, own in runs.items():
                            yield measure_record(
                                Case(kind, temperature, gamma, batch, settings.length),
                                self.model,
                                self.lane,
                                drafter,
                                along[at],
                                times[drafter.name, temperature, batch],
                                own,
                            )

    def _mark(self, stage: Stage, steps: int) -> Progress:
        """`steps` further of what is planned; a text that ends by itself leaves some out."""
        totals = self.settings.totals
        self._done[stage] = min(self._done[stage] + steps, totals[stage])
        return Progress(stage, sum(self._done.values()), sum(totals.values()))

    def _passes(self, batch: int) -> Generator[Measured, None, ByDraft]:
        settings = self.settings
        text = [token for request in next(iter(self.asked.values())) for token in request.prompt]
        kinds = target_passes(self.model, self.lane, text, settings.context, batch, settings.widths(batch))
        for temperature in self.asked:
            for drafter in self.drafters:
                kinds += draft_steps(drafter, Sampling(temperature), text, settings.context, batch)
        records: list[PassTimeRecord] = []
        for made in measure_passes(kinds, settings.passes):
            if isinstance(made, PassTimeRecord):
                records.append(made)
                yield made
            else:
                yield self._mark("passes", 1)
        return relative_times(records)

    def _texts(self, requests: Sequence[Request]) -> Generator[Measured, None, Along]:
        along: Along = [[] for _ in self.drafters]
        for at in range(0, len(requests), TEXT_ROWS):
            group = requests[at : at + TEXT_ROWS]
            found = yield from self._marked("texts", overlaps(self.model, group, self.lane, self.drafters))
            for own, more in zip(along, found, strict=True):
                own += more
        return along

    def _runs(
        self, requests: Sequence[Request], drafter: Drafter, batch: int
    ) -> Generator[Measured, None, dict[int, list[tuple[Run, Run]]]]:
        """(plain, speculative) runs by γ; in each turn a plain one, then one of every γ."""
        groups = [requests[at : at + batch] for at in range(0, len(requests), batch)]
        runs: dict[int, list[tuple[Run, Run]]] = {gamma: [] for gamma in self.settings.gammas}
        for _ in range(self.settings.repeats):
            plain = yield from self._marked(
                "runs", timed(decode(self.model, group, self.lane, keep_top=2) for group in groups)
            )
            for gamma, own in runs.items():
                how = Speculative(drafter, Fixed(gamma))
                run = yield from self._marked(
                    "runs",
                    timed(speculate(self.model, group, self.lane, how, keep_top=2) for group in groups),
                )
                own.append((plain, run))
        return runs

    def _marked(self, stage: Stage, work: Generator[int, None, R]) -> Generator[Measured, None, R]:
        """Do a work that yields the tokens of its steps, and give what it returns."""
        while True:
            try:
                tokens = next(work)
            except StopIteration as end:
                return cast(R, end.value)
            yield self._mark(stage, tokens)


def relative_times(records: Sequence[PassTimeRecord]) -> ByDraft:
    """c and v of each draft, temperature and batch size; straight lines between widths that were timed."""
    times: ByDraft = {}
    for draft in records:
        if draft.role == "draft" and draft.positions == 1 and draft.temperature is not None:
            target = {
                r.positions: r.seconds for r in records if r.role == "target" and r.batch == draft.batch
            }
            widths = sorted(target)
            seconds = np.interp(range(1, widths[-1] + 1), widths, [target[width] for width in widths])
            v = tuple((seconds / target[1]).tolist())
            times[draft.model, draft.temperature, draft.batch] = Times(draft.seconds / target[1], v)
    return times
