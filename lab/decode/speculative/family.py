"""The family, side by side: every method of speculative decoding on the same prompts, in one run.

Each method is a drafter, a shape and a rule, at settings that suit this model. Methods run one after the
other, prompts one at a time; seconds leave out the passes over prompts, which all methods share.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from lab import traces
from lab.decode.batching import Step, decode
from lab.decode.generate import FP32_LANE
from lab.decode.prompt_set import Prompt
from lab.decode.requests import Request
from lab.decode.sampling import GREEDY, Sampling
from lab.decode.settings import LaneSettings, requests_of
from lab.decode.speculative.agreement import sound
from lab.decode.speculative.how import AnySpeculative
from lab.decode.speculative.rounds import speculate
from lab.decode.speculative.settings import Load, SpeculateSettings
from lab.decode.speculative.tales import TALES
from lab.decode.speculative.timed_runs import clocked
from lab.errors import LabError
from lab.models.loaded import LoadedModel
from lab.numerics.lanes import Lane
from lab.records import Failure, TokenRecord
from lab.round_records import Exactness, FamilyRecord, RoundRecord
from lab.traces import RunInfo

SERIAL = "serial"
MEDUSA_TREE = "0 1 2 3 4 5 0,0 0,1 0,2 0,3 1,0 1,1 0,0,0 0,0,1 0,1,0 0,0,0,0"
EAGLE_TREE = (
    "0 1 0,0 0,1 1,0 0,0,0 0,0,1 0,1,0 1,0,0 0,0,0,0 "
    "0,0,0,1 0,0,1,0 0,0,0,0,0 0,0,0,0,0,0 0,0,0,0,0,0,0 0,0,0,0,0,0,0,0"
)
"""The 16 nodes that hold the target's token most often, on held-out stories at temperature 0."""
METHODS: dict[str, dict[str, Any]] = {
    SERIAL: {},
    "chain": {"drafter": "stories", "gamma": 4},
    "ngram": {"drafter": "trigram", "gamma": 3},
    "lookup": {"drafter": "lookup", "gamma": 4},
    "early-exit": {"drafter": "early-exit:20", "gamma": 2},
    "staged": {"drafter": "staged", "gamma": 6},
    "specinfer": {"drafter": "stories", "shape": "k-ary", "widths": (3, 2, 1, 1), "siblings": "drawn"},
    "medusa": {"drafter": "medusa", "shape": "ranks", "ranks": MEDUSA_TREE, "rule": "typical"},
    "eagle": {"drafter": "eagle", "shape": "ranks", "ranks": EAGLE_TREE, "siblings": "drawn-without"},
    "eagle-2": {"drafter": "eagle", "shape": "dynamic", "gamma": 6, "width": 4, "nodes": 24},
}
"""What each method is here: fields of SpeculateSettings. They stand in the order of the papers."""

WARM_UP = 4  # tokens of a first run of each method, which prepares its weights and is not counted

Spoken = TokenRecord | RoundRecord | FamilyRecord


@dataclass(frozen=True)
class FamilySettings:
    """Methods of METHODS on the same prompts; `serial` is always run first."""

    prompts: tuple[Prompt, ...] = TALES[:1]
    length: int = 64
    methods: tuple[str, ...] = tuple(METHODS)
    sampling: Sampling = GREEDY
    seed: int = 0
    raw: bool = False
    arithmetic: LaneSettings = FP32_LANE

    def of(self, method: str) -> SpeculateSettings:
        """The method's own settings. Raises LabError."""
        if method not in METHODS:
            raise LabError(f"There is no method {method!r}.", f"Use some of: {', '.join(METHODS)}.")
        made = SpeculateSettings(
            prompts=self.prompts,
            length=self.length,
            sampling=self.sampling,
            seed=self.seed,
            raw=self.raw,
            batch=1,
            keep_laws=0,
            arithmetic=self.arithmetic,
        )
        return replace(made, **METHODS[method])

    @property
    def wanted(self) -> list[str]:
        return [SERIAL, *(method for method in dict.fromkeys(self.methods) if method != SERIAL)]

    @property
    def total(self) -> int:
        """Tokens of all runs, if no prompt ends early: progress marks."""
        return len(self.wanted) * self.length * len(self.prompts)

    def as_json(self) -> dict[str, Any]:
        return dataclasses.asdict(self)


def start_family(settings: FamilySettings, load: Load) -> tuple[RunInfo, Iterator[Spoken | Failure]]:
    """The header and the records: of each method its tokens and rounds, then one FamilyRecord a prompt.

    Requests are named `method prompt`. Raises LabError, for settings before the model is loaded.
    """
    lane = settings.arithmetic.make()
    for method in settings.wanted:
        settings.of(method).check()
    loaded = load()
    asked = requests_of(
        settings.prompts, settings.length, loaded, settings.sampling, settings.seed, (), settings.raw
    )
    hows = {method: settings.of(method).make_how(loaded) for method in settings.wanted if method != SERIAL}
    device = str(loaded.transformer.device)
    info = traces.run_info("family", loaded.name, lane.name, device, settings.as_json())
    return info, _run(settings, loaded, lane, asked, hows)


def _run(
    settings: FamilySettings,
    loaded: LoadedModel,
    lane: Lane,
    asked: Sequence[Request],
    hows: dict[str, AnySpeculative],
) -> Iterator[Spoken]:
    plain: dict[str, tuple[tuple[int, ...], float]] = {}
    """Tokens and seconds of the serial runs, by request."""
    for method in settings.wanted:
        how = hows.get(method)
        for _ in _steps(loaded, replace(asked[0], max_new_tokens=WARM_UP), lane, how):
            pass
        for request in asked:
            records: list[TokenRecord | RoundRecord] = []
            seconds = 0.0
            for step, took in clocked(_steps(loaded, request, lane, how)):
                made = sound(step)
                seconds += took if all(record.index > 0 for record in made) else 0.0
                records += [*made, *step.rounds]
                for token in made:
                    yield replace(token, request=f"{method} {request.id}")
                for each in step.rounds:
                    yield replace(each, request=f"{method} {request.id}")
            tokens = tuple(record.token for record in records if isinstance(record, TokenRecord))
            plain.setdefault(request.id, (tokens, seconds))
            yield _record(settings, method, request, records, seconds, plain[request.id], loaded, how)


def _steps(loaded: LoadedModel, request: Request, lane: Lane, how: AnySpeculative | None) -> Iterator[Step]:
    model, tokenizer = loaded.transformer, loaded.tokenizer
    if how is None:
        return decode(model, [request], lane, tokenizer, keep_top=2)
    return speculate(model, [request], lane, how, tokenizer, keep_top=2)


def _record(
    settings: FamilySettings,
    method: str,
    request: Request,
    records: Sequence[TokenRecord | RoundRecord],
    seconds: float,
    plain: tuple[tuple[int, ...], float],
    loaded: LoadedModel,
    how: AnySpeculative | None,
) -> FamilyRecord:
    rounds = [record for record in records if isinstance(record, RoundRecord)]
    tokens = tuple(record.token for record in records if isinstance(record, TokenRecord))
    passes = len(rounds) if how is not None else len(tokens) - 1
    made = settings.of(method)
    return FamilyRecord(
        method=method,
        request=request.id,
        drafter="" if how is None else how.drafter.name,
        shape="" if how is None else made.form,
        rule="" if how is None else how.rule.name,
        exactness=exactness(made, how),
        tokens=tokens,
        texts=tuple(loaded.tokenizer.pieces(list(tokens))),
        passes=passes,
        drafted=sum(len(record.drafted) for record in rounds),
        accepted=sum(record.accepted for record in rounds),
        levels=sum(max(record.depths, default=0) for record in rounds),
        draft_seconds=sum(record.draft_seconds for record in rounds),
        verify_seconds=sum(record.verify_seconds for record in rounds),
        seconds=seconds,
        plain_seconds=plain[1],
        same_as_plain=tokens == plain[0],
    )


def exactness(settings: SpeculateSettings, how: AnySpeculative | None) -> Exactness:
    """What a method's text is beside the target's own."""
    greedy = settings.sampling.temperature == 0.0
    # At temperature 0 typical acceptance is the greedy walk; a lenient rule is not.
    if how is not None and not (how.rule.exact or (greedy and settings.rule == "typical")):
        return "approximate"
    return "greedy-identical in FP32" if greedy else "lossless in law"
