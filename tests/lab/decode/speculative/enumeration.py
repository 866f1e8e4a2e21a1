"""The exact output law of the real loop: every random choice is taken every way, with its probability.

What is replaced is the source of random numbers alone (`Draws`). The loop, its rule, its caches and its
records are those that users run. A state that several paths reach is gone on from once, with their total.
"""

from __future__ import annotations

import copy
from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

import pytest
from torch import Tensor

from lab.decode.requests import Request
from lab.decode.speculative.branching import Several
from lab.decode.speculative.drafters import ModelDrafter
from lab.decode.speculative.how import AnySpeculative, SpeculativeTree
from lab.decode.speculative.policy import Fixed
from lab.decode.speculative.rounds import Speculation
from lab.decode.speculative.staged import StagedDrafter
from lab.models.cache import KVCache
from lab.models.tokenizer import Tokenizer
from lab.numerics.lanes import FP32
from lab.records import TokenRecord
from lab.round_records import RoundRecord
from tests.lab.decode.speculative.reference import Answer, answer_law
from tests.lab.decode.speculative.toy import ToyModel, held

TOLERANCE = 1e-12
GRID = 2.0**-53
"""Uniform numbers of `Draws` are multiples of this."""


class Paths:
    """Stands for `Draws`: each replay takes another path through the choices, until all are taken."""

    def __init__(self) -> None:
        self._taken: list[list[int]] = []  # [option, options] of each choice of this path
        self._at = 0
        self.chance = 1.0

    def __deepcopy__(self, memo: object) -> Paths:
        return self

    def replays(self) -> Iterator[None]:
        """Once for every path of what the caller does with each item."""
        self._taken = []
        while True:
            self._at, self.chance = 0, 1.0
            yield
            while self._taken and self._taken[-1][0] == self._taken[-1][1] - 1:
                self._taken.pop()
            if not self._taken:
                return
            self._taken[-1][0] += 1

    def pick(self, chances: Sequence[float]) -> int:
        """An option of probability above 0."""
        assert abs(sum(chances) - 1.0) < 1e-9, f"no law: {chances}"
        assert min(chances) >= 0.0, f"no law: {chances}"
        possible = [option for option, chance in enumerate(chances) if chance > 0.0]
        if self._at == len(self._taken):
            self._taken.append([0, len(possible)])
        option = possible[self._taken[self._at][0]]
        self._at += 1
        self.chance *= chances[option]
        return option

    def token(self, p: Tensor) -> int:
        return self.pick(p.tolist())

    def proposal(self, p: Tensor) -> int:
        return self.pick(p.tolist())

    def test(self) -> Uniform:
        return Uniform(self)


@dataclass(frozen=True)
class Uniform:
    """A number in [0, 1) that is known by what it is compared with."""

    paths: Paths

    def __lt__(self, limit: float) -> bool:
        below = min(1.0, max(0.0, limit))
        return self.paths.pick([1.0 - below, below]) == 1

    def __le__(self, limit: float) -> bool:
        return self < limit + GRID


State = dict[Hashable, tuple[float, Speculation, tuple[tuple[str, Answer], ...]]]


def exact_law(start: Speculation, paths: Paths) -> dict[tuple[tuple[str, Answer], ...], float]:
    """Joint probability of all requests' answers, by request id; the caches are checked after every round."""
    out: dict[tuple[tuple[str, Answer], ...], float] = defaultdict(float)
    states: State = {0: (1.0, start, ())}
    while states:
        reached: State = {}
        for chance, batch, done in states.values():
            for _ in paths.replays():
                now = _copy(batch)
                if not now.admit():
                    out[done] += chance
                    continue
                ended = _turn(now)
                after = tuple(sorted((*done, *ended)))
                key = (_state(now), after)
                before = reached[key][0] if key in reached else 0.0
                reached[key] = (before + chance * paths.chance, now, after)
        states = reached
    return dict(out)


def _turn(batch: Speculation) -> list[tuple[str, Answer]]:
    """One step of `steps`: who has ended, with their answers."""
    step = batch.step()
    check_caches(batch)
    for record in step.records:
        assert isinstance(record, TokenRecord), record
    for each in step.rounds:
        check_round(each)
    ended = [(each.id, (tuple(each.tokens), each.finish)) for each in batch.running if each.finish]
    batch.leave({name for name, _ in ended})
    return ended


def check_round(record: RoundRecord) -> None:
    """The accepted tokens are a path from the root; n of them give n + 1, unless one ended the request."""
    nodes, parents = record.drafted, record.tree
    path = [node for node, each in enumerate(nodes) if each.accepted]
    assert [parents[node] for node in path] == [-1, *path][:-1] if path else True
    walked = [-1, *path[:-1], *(path[-1:] if record.ending != "cut" else ())]
    judged = [node for node, each in enumerate(nodes) if each.accepted is not None]
    assert {parents[node] for node in judged} <= set(walked)
    below = [node for node, parent in enumerate(parents) if parent == walked[-1]]
    if record.ending == "cut":
        assert record.finish in ("eos", "stop")
        assert path
    else:
        assert record.ending == ("correction" if below else "bonus")
        assert set(below) <= set(judged)
    assert record.accepted == len(path)
    assert record.judged == len(judged)
    assert [nodes[node].token for node in path] == [*record.emitted][: len(path)]
    assert len(record.emitted) == len(record.texts) == len(path) + (record.ending != "cut")
    before, full, kept = (getattr(record.target_cache, name) for name in ("before", "full", "kept"))
    assert (full, kept) == (before + 1 + len(nodes), before + len(record.emitted))


def model_drafts(drafter: object) -> list[ModelDrafter]:
    """The drafters that keep a cache, in the order of the caches."""
    if isinstance(drafter, Several):
        return [each for part in drafter.drafters for each in model_drafts(part)]
    if isinstance(drafter, StagedDrafter):
        return [drafter.draft]
    return [drafter] if isinstance(drafter, ModelDrafter) else []


def check_caches(batch: Speculation) -> None:
    """The target's cache holds all committed tokens but the last, a draft's a beginning of them."""
    for sequence in batch.running:
        if not sequence.tokens:
            continue
        committed = (*sequence.request.prompt, *sequence.tokens)
        assert held(batch.cache, sequence.row) == committed[:-1]
        for drafter, cache in zip(model_drafts(batch.how.drafter), batch.drafts.caches, strict=True):
            assert cache.lengths[sequence.row] < len(committed)
            own = list(committed) if drafter.reduced is None else drafter.reduced.encode(committed)
            assert held(cache, sequence.row) == tuple(own[: cache.lengths[sequence.row]])


def _state(batch: Speculation) -> Hashable:
    """All that the rest of a run depends on. Neither a shape nor a fixed policy looks at the past."""
    forgets = isinstance(batch.how, SpeculativeTree) or type(batch.how.policy) is Fixed
    past = None if forgets else str(batch.drafts.past)
    rows = tuple(
        (
            each.id,
            each.row,
            tuple(each.to_feed),
            tuple(each.tokens),
            *(held(c, each.row) for c in batch.caches),
        )
        for each in batch.running
    )
    waiting = tuple(request.id for request in batch.waiting)
    return rows, past, waiting, batch.steps if waiting else 0


def _copy(batch: Speculation) -> Speculation:
    """A batch that goes its own way; what no step changes is shared."""
    drafter = batch.how.drafter
    parts = [drafter, *getattr(drafter, "drafters", ())]
    shared: list[object] = [batch.model, batch.lane, batch.tokenizer, *batch.waiting]
    shared += [each for owner in (batch.how, *parts) for each in (owner, *vars(owner).values())]
    shared += [each.request for each in batch.running]
    shared += [each.text._bytes for each in batch.running if each.text is not None]
    memo = {id(each): each for each in shared} | {id(cache): _copy_cache(cache) for cache in batch.caches}
    return copy.deepcopy(batch, memo)


def _copy_cache(cache: KVCache) -> KVCache:
    own = copy.copy(cache)
    own.k, own.lengths = cache.k.clone(), list(cache.lengths)  # a toy does not read the values
    return own


def output_law(
    monkeypatch: pytest.MonkeyPatch,
    target: ToyModel,
    requests: Sequence[Request],
    how: AnySpeculative,
    tokenizer: Tokenizer | None = None,
    loop: type[Speculation] = Speculation,
) -> dict[tuple[tuple[str, Answer], ...], float]:
    """`exact_law` of a run of these requests."""
    paths = Paths()
    monkeypatch.setattr("lab.decode.batching.Draws", lambda seed: paths)
    return exact_law(loop(target, requests, FP32, how, tokenizer), paths)  # type: ignore[arg-type]


def assert_exact(
    monkeypatch: pytest.MonkeyPatch,
    target: ToyModel,
    request: Request,
    how: AnySpeculative,
    tokenizer: Tokenizer | None = None,
    loop: type[Speculation] = Speculation,
) -> None:
    """The loop's answers have the target's own law, and no answer is possible that the target cannot give."""
    joint = output_law(monkeypatch, target, [request], how, tokenizer, loop)
    assert_same_law(
        {answer: chance for ((_, answer),), chance in joint.items()},
        answer_law(target.logits, request, target.config.eos_ids),
    )


def assert_same_law(got: dict[Answer, float], expected: dict[Answer, float]) -> None:
    impossible = got.keys() - expected.keys()
    assert not impossible, f"answers that the target cannot give: {sorted(impossible)[:3]}"
    worst = max(expected, key=lambda answer: abs(got.get(answer, 0.0) - expected[answer]))
    assert abs(got.get(worst, 0.0) - expected[worst]) <= TOLERANCE, (
        f"{worst}: {got.get(worst, 0.0)} and not {expected[worst]}"
    )
