"""Speculative decoding as plain values: what a link, a command line and a trace's header carry.

From these and a model, the same run can be made anywhere: `start_speculate` is how pages, the command line
and the recorder begin it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from lab import traces
from lab.decode.batching import decode
from lab.decode.generate import FP32_LANE
from lab.decode.prompt_set import Prompt
from lab.decode.requests import Request
from lab.decode.sampling import GREEDY, Sampling
from lab.decode.settings import LaneSettings, requests_of
from lab.decode.speculative.drafters import Drafter, LookupDrafter, ModelDrafter, NGramDrafter, UniformDrafter
from lab.decode.speculative.drafting import Speculative, check_exactness
from lab.decode.speculative.ngram import SHIPPED_NGRAM, load_ngram
from lab.decode.speculative.policy import (
    Adaptive,
    Confident,
    Fixed,
    Optimal,
    Oracle,
    Policy,
    check_gamma,
)
from lab.decode.speculative.rounds import speculate
from lab.decode.speculative.tales import TALES
from lab.errors import LabError
from lab.models.draft import load_draft, shipped_drafts
from lab.models.loaded import LoadedModel, load_model
from lab.models.reduced import check_same_vocabulary, vocabulary_digest
from lab.numerics.lanes import Lane
from lab.records import Failure, TokenRecord
from lab.round_records import RoundRecord
from lab.traces import RunInfo

NGRAMS = {"unigram": 1, "bigram": 2, "trigram": 3}
DRAFTERS = ("stories", *reversed(NGRAMS), "lookup", "uniform")
POLICIES = ("fixed", "adaptive", "confident", "optimal", "oracle")
PLAIN = "plain "
"""Begins the request ids of the plain run that is recorded beside a speculative one."""

Load = Callable[[], LoadedModel]
Spoken = TokenRecord | RoundRecord | Failure


@dataclass(frozen=True)
class SpeculateSettings:
    """Prompts decoded together with one drafter under one policy.

    `drafter`: a name of DRAFTERS, a draft's .safetensors file, or a model (`zoo.load_checkpoint`) of the
    target's tokenizer. `gamma`: tokens a round; of `adaptive` the first window, of the others the most.
    `threshold` is of `confident`; `alpha`, `c` and `v` (v[γ], γ = 0, 1, …) of `optimal`. `seed` is the first
    prompt's; each next prompt has the next number. `batch`: sequences at a time, None for all. `plain`:
    whether the same requests are first decoded plainly, to compare with (`oracle` needs it).
    """

    prompts: tuple[Prompt, ...] = TALES[:1]
    length: int = 48
    drafter: str = "stories"
    policy: str = "fixed"
    gamma: int = 4
    threshold: float = 0.4
    alpha: float = 0.6
    c: float = 0.05
    v: tuple[float, ...] = (1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8)
    sampling: Sampling = GREEDY
    seed: int = 0
    stop: tuple[str, ...] = ()
    raw: bool = False
    batch: int | None = None
    lenience: float = 1.0
    keep_laws: int = 8
    plain: bool = True
    arithmetic: LaneSettings = FP32_LANE

    def make_policy(self, texts: Mapping[str, Sequence[int]] | None = None) -> Policy:
        """Raises LabError for an unknown policy or a value that does not fit. `texts`: for the oracle."""
        if self.policy not in POLICIES:
            raise LabError(f"There is no policy {self.policy!r}.", f"Use one of: {', '.join(POLICIES)}.")
        if self.policy == "optimal":
            check_gamma(self.gamma)
            return Optimal(self.alpha, self.c, self.v[: self.gamma + 1])
        if self.policy == "adaptive":
            return Adaptive(self.gamma)
        if self.policy == "confident":
            return Confident(self.gamma, self.threshold)
        if self.policy == "oracle":
            return Oracle(self.gamma, texts)
        return Fixed(self.gamma)

    def requests(self, loaded: LoadedModel) -> list[Request]:
        """Raises LabError for a prompt that cannot be decoded."""
        return requests_of(self.prompts, self.length, loaded, self.sampling, self.seed, self.stop, self.raw)

    @property
    def total(self) -> int:
        """Tokens of all runs, if no prompt ends early: progress marks."""
        return (2 if self.plain else 1) * self.length * len(self.prompts)

    def as_json(self) -> dict[str, Any]:
        return dataclasses.asdict(self)


def make_drafter(
    name: str, target: LoadedModel, load: Callable[[str, str], LoadedModel] = load_model
) -> Drafter:
    """The drafter of that name for this target (`SpeculateSettings.drafter`). Raises LabError."""
    if name in NGRAMS:
        return NGramDrafter(name, load_ngram(SHIPPED_NGRAM, target, NGRAMS[name]))
    if name == "lookup":
        return LookupDrafter()
    if name == "uniform":
        return UniformDrafter(target.transformer.config.vocab_size)
    if name in shipped_drafts() or name.endswith(".safetensors"):
        draft = load_draft(name, target)
        return ModelDrafter(draft.name, draft.transformer, reduced=draft)
    if not name.strip():
        raise LabError("The drafter has no name.", f"Use one of: {', '.join(DRAFTERS)}, or a model.")
    try:
        other = load(name, str(target.transformer.device))
    except LabError as error:
        raise LabError(
            error.what, f"As a drafter use {', '.join(DRAFTERS)}; as a model: {error.remedy}"
        ) from None
    check_same_vocabulary(other.name, other.name, vocabulary_digest(other.tokenizer), target)
    small, large = other.transformer.config.vocab_size, target.transformer.config.vocab_size
    if small != large:
        raise LabError(
            f"Draft {other.name} has {small} logits, target {target.name} has {large}.",
            "Choose a draft whose vocabulary is padded to the same size.",
        )
    return ModelDrafter(other.name, other.transformer)


def start_speculate(settings: SpeculateSettings, load: Load) -> tuple[RunInfo, Iterator[Spoken]]:
    """The header and the records of this run: the plain run's tokens, then tokens and rounds in turn.

    Tokens of the plain run have request ids that begin with `PLAIN`. Settings that do not need the model are
    checked before it is loaded. Raises LabError.
    """
    lane = settings.arithmetic.make()
    texts: dict[str, list[int]] = {}  # of the plain run, which an oracle reads once they are written
    policy = settings.make_policy(texts)
    check_exactness(settings.lenience, settings.keep_laws)
    if isinstance(policy, Oracle) and not settings.plain:
        raise LabError("The oracle needs the target's own text.", "Let the plain run be made first.")
    loaded = load()
    asked = settings.requests(loaded)
    how = Speculative(make_drafter(settings.drafter, loaded), policy, settings.lenience, settings.keep_laws)
    device = str(loaded.transformer.device)
    info = traces.run_info("speculate", loaded.name, lane.name, device, settings.as_json())
    plain = _plain(settings, loaded, lane, asked, texts) if settings.plain else ()
    rounds = speculate(loaded.transformer, asked, lane, how, loaded.tokenizer, settings.batch)
    return info, chain(plain, (record for step in rounds for record in (*step.records, *step.rounds)))


def _plain(
    settings: SpeculateSettings,
    loaded: LoadedModel,
    lane: Lane,
    asked: Sequence[Request],
    texts: dict[str, list[int]],
) -> Iterator[Spoken]:
    """The plain run's records; its tokens are noted in `texts`, by request id."""
    for step in decode(loaded.transformer, asked, lane, loaded.tokenizer, settings.batch):
        for record in step.records:
            if isinstance(record, TokenRecord):
                texts.setdefault(record.request, []).append(record.token)
            yield dataclasses.replace(record, request=PLAIN + record.request)
