"""An experiment as plain values: what a link, a command line and a trace's header carry.

From these and a model, the same run can be made anywhere: `start` is how the page, the command line
and the recorder of the shipped traces begin it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from lab import traces
from lab.decode.neighbours import NeighbourExperiment, compare
from lab.decode.prompt_set import Prompt
from lab.decode.prompts import NEIGHBOURS, PROMPTS
from lab.decode.requests import Request, check_requests
from lab.decode.sampling import GREEDY, Sampling
from lab.errors import LabError
from lab.models.loaded import LoadedModel
from lab.models.tokenizer import Tokenizer
from lab.numerics.lanes import Lane, make_lane
from lab.numerics.schedule import GPU_LIKE, Schedule, parse_split_k
from lab.records import Failure, PairRecord, TokenRecord
from lab.traces import RunInfo

SWITCHES = GPU_LIKE.switches
Settings = TypeVar("Settings")


@dataclass(frozen=True)
class LaneSettings:
    """A lane by name and, for `bf16-emulated`, what its schedule lets the batch change."""

    lane: str = "bf16-emulated"
    switches: tuple[str, ...] = SWITCHES
    split_k: str = "1:4,8:2"
    """Rows:splits pairs of the linears' schedule."""
    reduced_partials: bool = False

    def make(self) -> Lane:
        """Raises LabError for an unknown lane, switch or table."""
        unknown = set(self.switches) - set(SWITCHES)
        if unknown:
            raise LabError(f"There is no switch {min(unknown)!r}.", f"Use any of: {', '.join(SWITCHES)}.")
        schedule = Schedule(
            linears=parse_split_k(self.split_k) if "linears" in self.switches else None,
            attention=GPU_LIKE.attention if "attention" in self.switches else None,
            norm=GPU_LIKE.norm if "norm" in self.switches else None,
            reduced_partials=self.reduced_partials,
        )
        return make_lane(self.lane, schedule)


@dataclass(frozen=True)
class NeighbourSettings:
    """The experiment of lab/decode/neighbours.py in words."""

    prompt: str = PROMPTS["lighthouse"]
    neighbours: tuple[str, ...] = NEIGHBOURS
    batches: tuple[int, ...] = (8,)
    length: int = 48
    teacher_forced: bool = False
    arrive_every: int = 0
    arithmetic: LaneSettings = LaneSettings()

    def experiment(self, tokenizer: Tokenizer) -> NeighbourExperiment:
        """The same in token ids, each text as one chat turn. Raises LabError for text without tokens."""
        return NeighbourExperiment(
            prompt=tuple(tokenizer.encode_chat(self.prompt)),
            neighbours=tuple(tuple(tokenizer.encode_chat(text)) for text in self.neighbours),
            batches=self.batches,
            length=self.length,
            teacher_forced=self.teacher_forced,
            arrive_every=self.arrive_every,
        )

    def as_json(self) -> dict[str, Any]:
        return dataclasses.asdict(self)


def start(
    settings: NeighbourSettings, load: Callable[[], LoadedModel]
) -> tuple[RunInfo, Iterator[TokenRecord | PairRecord | Failure]]:
    """The header and the records of this experiment, run here and now as the records are asked for.

    The lane is made before the model is loaded, so that a wrong setting is refused at once. Raises LabError.
    """
    lane = settings.arithmetic.make()
    loaded = load()
    experiment = settings.experiment(loaded.tokenizer)
    model = loaded.transformer
    info = traces.run_info("neighbours", loaded.name, lane.name, str(model.device), settings.as_json())
    return info, compare(model, experiment, lane, loaded.tokenizer)


def requests_of(
    prompts: Sequence[Prompt],
    length: int,
    loaded: LoadedModel,
    sampling: Sampling = GREEDY,
    seed: int = 0,
    stop: tuple[str, ...] = (),
    raw: bool = False,
) -> list[Request]:
    """One request a prompt, each text as one chat turn, or as it is (`raw`).

    `seed` is the first prompt's; each next prompt has the next number. Raises LabError for a prompt that
    cannot be decoded.
    """
    encode = loaded.tokenizer.encode if raw else loaded.tokenizer.encode_chat
    asked = [
        Request(p.name, tuple(encode(p.text)), length, sampling, seed + at, stop)
        for at, p in enumerate(prompts)
    ]
    check_requests(asked, loaded.transformer.config, loaded.name, least=1)
    return asked


def neighbour_settings(values: dict[str, Any]) -> NeighbourSettings:
    """Read `as_json` back. Raises LabError naming the value that does not fit."""
    return settings_from(NeighbourSettings, values)


def settings_from(kind: type[Settings], values: dict[str, Any]) -> Settings:
    """Read any experiment of that kind out of a trace's header. Raises LabError naming a value that does
    not fit."""
    try:
        return TypeAdapter(kind).validate_python(values)
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(map(str, first["loc"]))
        raise LabError(f"The setting {name} does not fit: {first['msg']}.", "Record the run again.") from None
