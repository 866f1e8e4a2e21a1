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
from lab.decode.speculative import shapes
from lab.decode.speculative.growing import check_drawn
from lab.decode.speculative.how import AnySpeculative, Speculative, SpeculativeTree, check_keep_laws
from lab.decode.speculative.making import HEADS, make_drafter, make_tree_drafter
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
from lab.decode.speculative.shapes import Dynamic, Shape, k_ary, parse_ranks
from lab.decode.speculative.siblings import How, check_siblings
from lab.decode.speculative.tales import TALES
from lab.decode.speculative.walks import Match, MultiStep, Rule, Typical
from lab.errors import LabError
from lab.models.loaded import LoadedModel
from lab.numerics.lanes import Lane
from lab.records import Failure, TokenRecord
from lab.round_records import RoundRecord
from lab.traces import RunInfo

POLICIES = ("fixed", "adaptive", "confident", "optimal", "oracle")
SHAPES = ("chain", "k-ary", "ranks", "dynamic")
RULES = ("multi-step", "match", "typical")
PLAIN = "plain "
"""Begins the request ids of the plain run that is recorded beside a speculative one."""

Load = Callable[[], LoadedModel]
Spoken = TokenRecord | RoundRecord | Failure


@dataclass(frozen=True)
class SpeculateSettings:
    """Prompts decoded together with one drafter: chains under a policy, or trees of a shape.

    `drafter`: a name of `making.DRAFTERS` or, for trees, of `making.TREE_DRAFTERS`, a draft's .safetensors
    file, or a model. `gamma`: tokens a round, levels of a dynamic tree; of `adaptive` the first window.
    `widths`: children a node, level by level, of `k-ary`; `ranks`: of `ranks` (shapes.parse_ranks); `width`
    and `nodes` of `dynamic`. `siblings`: how the children of a node are chosen (siblings.py). `rule`: what
    stands (walks.py); `lenience` is of `multi-step`, `epsilon` and `delta` of `typical`.
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
    shape: str = "chain"
    widths: tuple[int, ...] = (3, 2, 1, 1)
    ranks: str = "0 1 0,0"
    width: int = 4
    nodes: int = 24
    siblings: How = "top"
    rule: str = "multi-step"
    epsilon: float = Typical.epsilon
    delta: float = Typical.delta

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

    def make_shape(self) -> Shape:
        """Raises LabError for an unknown shape or a value that does not fit."""
        if self.shape not in SHAPES:
            raise LabError(f"There is no shape {self.shape!r}.", f"Use one of: {', '.join(SHAPES)}.")
        if self.shape == "k-ary":
            return k_ary(self.widths)
        if self.shape == "ranks":
            return parse_ranks(self.ranks)
        if self.shape == "dynamic":
            return Dynamic(self.width, self.gamma, self.nodes)
        return shapes.chain(self.gamma)

    def make_rule(self) -> Rule:
        """Raises LabError for an unknown rule or a value that does not fit."""
        if self.rule not in RULES:
            raise LabError(f"There is no rule {self.rule!r}.", f"Use one of: {', '.join(RULES)}.")
        if self.rule == "match":
            return Match()
        if self.rule == "typical":
            return Typical(self.epsilon, self.delta)
        return MultiStep(self.lenience)

    @property
    def drafts_trees(self) -> bool:
        """Whether a tree is grown: for another shape than a chain, and for heads, which guess by depth."""
        return self.shape != "chain" or "+" in self.drafter or self.drafter.partition(":")[0] in HEADS

    @property
    def form(self) -> str:
        """The shape of a round's window, in words. Raises LabError."""
        return self.make_shape().name if self.drafts_trees else f"chain of {self.gamma}"

    def check(self) -> None:
        """Raises LabError for a value that is unusable whatever the model."""
        check_keep_laws(self.keep_laws)
        check_siblings(self.siblings)
        self.make_policy()
        self.make_shape()
        self.make_rule()
        if self.drafts_trees:
            check_drawn(self.make_shape(), self.siblings, self.sampling)
        if self.drafts_trees and self.policy != "fixed":
            raise LabError(
                f"A tree has a shape and no policy such as {self.policy!r}.", "Let the policy be `fixed`."
            )

    def make_how(
        self, loaded: LoadedModel, texts: Mapping[str, Sequence[int]] | None = None
    ) -> AnySpeculative:
        """Raises LabError."""
        rule = self.make_rule()
        if not self.drafts_trees:
            drafter = make_drafter(self.drafter, loaded)
            return Speculative(drafter, self.make_policy(texts), rule, self.keep_laws)
        return SpeculativeTree(
            make_tree_drafter(self.drafter, loaded), self.make_shape(), rule, self.siblings, self.keep_laws
        )

    def requests(self, loaded: LoadedModel) -> list[Request]:
        """Raises LabError for a prompt that cannot be decoded."""
        return requests_of(self.prompts, self.length, loaded, self.sampling, self.seed, self.stop, self.raw)

    @property
    def total(self) -> int:
        """Tokens of all runs, if no prompt ends early: progress marks."""
        return (2 if self.plain else 1) * self.length * len(self.prompts)

    def as_json(self) -> dict[str, Any]:
        return dataclasses.asdict(self)


def start_speculate(settings: SpeculateSettings, load: Load) -> tuple[RunInfo, Iterator[Spoken]]:
    """The header and the records of this run: the plain run's tokens, then tokens and rounds in turn.

    Tokens of the plain run have request ids that begin with `PLAIN`. Settings that do not need the model are
    checked before it is loaded. Raises LabError.
    """
    lane = settings.arithmetic.make()
    texts: dict[str, list[int]] = {}  # of the plain run, which an oracle reads once they are written
    settings.check()
    if settings.policy == "oracle" and not settings.plain:
        raise LabError("The oracle needs the target's own text.", "Let the plain run be made first.")
    loaded = load()
    asked = settings.requests(loaded)
    how = settings.make_how(loaded, texts)
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
