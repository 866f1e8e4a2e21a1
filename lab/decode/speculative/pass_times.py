"""Times of forward passes: of the target over 1, 2, … positions, of a draft over one and two.

A target pass is its forward alone. A draft step is one as the loop makes it: the text put together, the
guess, the transform, the draw; and one of several in a row, since only the first finds the target's weights
in the processor's cache instead of its own. After a full acceptance a window begins with two tokens to feed:
the second width. All kinds take turns, so that whatever else the machine does hits all alike.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import cycle, islice

import numpy as np

from lab.decode.batching import Running
from lab.decode.requests import Request
from lab.decode.sampling import Draws, Sampling
from lab.decode.speculative.drafters import Drafter
from lab.decode.speculative.drafting import ChainDrafts
from lab.decode.speculative.policy import Fixed
from lab.models.branches import Branches
from lab.models.transformer import Transformer
from lab.numerics.lanes import Lane
from lab.round_records import PassTimeRecord

DRAFT_WIDTHS = (1, 2)
DRAFT_WINDOW = 4
"""Steps in a row of which the mean is taken."""
WARM_UP = 2


@dataclass(frozen=True)
class PassKind:
    """One pass to be timed. `run` makes it once more at the same context, and gives its seconds."""

    record: PassTimeRecord
    run: Callable[[], float]


def target_passes(
    model: Transformer, lane: Lane, text: Sequence[int], context: int, batch: int, widths: Sequence[int]
) -> list[PassKind]:
    """Passes over each of `widths` new positions of `batch` sequences, after `context` tokens of `text`.

    The text is repeated where it is shorter. Raises LabError for more positions than the model's context.
    """
    tokens = list(islice(cycle(text), context + max(widths)))
    cache = model.new_cache(batch, len(tokens), lane)
    rows = list(range(batch))
    model.forward([tokens[:context]] * batch, cache, lane)

    def timed(width: int) -> float:
        cache.truncate(rows, [context] * batch)
        chunks = [tokens[context : context + width]] * batch
        started = time.perf_counter()
        model.forward(chunks, cache, lane, rows, every_position=True).cpu()
        return time.perf_counter() - started

    return [
        PassKind(_blank(model.name, "target", width, batch, context), lambda width=width: timed(width))  # type: ignore[misc]
        for width in dict.fromkeys(widths)
    ]


def tree_passes(
    model: Transformer, lane: Lane, text: Sequence[int], context: int, nodes: Sequence[int]
) -> list[PassKind]:
    """Passes over one token and a tree of each of `nodes` nodes, after `context` tokens of `text`.

    The text is repeated where it is shorter. Raises LabError.
    """
    tokens = list(islice(cycle(text), context + 1 + max(nodes)))
    cache = model.new_cache(1, context + 1, lane, spare=max(nodes))
    model.forward([tokens[:context]], cache, lane)

    def timed(count: int) -> float:
        cache.truncate([0], [context])
        chunk = tokens[context : context + 1 + count]
        branches = [full_tree(context, count)] if count > 1 else None  # as rounds do
        started = time.perf_counter()
        model.forward([chunk], cache, lane, [0], True, branches).cpu()
        return time.perf_counter() - started

    return [
        PassKind(_blank(model.name, "target", count + 1, 1, context), lambda count=count: timed(count))  # type: ignore[misc]
        for count in dict.fromkeys(nodes)
    ]


def full_tree(base: int, nodes: int) -> Branches:
    """The slots from `base` on: the last token, then nodes with two children each, filled level by level."""
    return Branches(base, (-1, *(node // 2 for node in range(nodes))))


def draft_steps(
    drafter: Drafter, sampling: Sampling, text: Sequence[int], context: int, batch: int
) -> list[PassKind]:
    """Windows drafted after `context` tokens, of which the draft's cache lacks one or two; seconds a step."""
    tokens = list(islice(cycle(text), context))
    requests = [Request(f"row {at}", tuple(tokens[:-1]), 8, sampling, at) for at in range(batch)]
    drafts = ChainDrafts(drafter, Fixed(DRAFT_WINDOW), requests, batch, context + DRAFT_WINDOW)
    group = [Running(r, at, [], Draws(r.seed), None, tokens[-1:]) for at, r in enumerate(requests)]

    def timed(width: int) -> float:
        cache = drafts.cache
        if cache is not None and min(cache.lengths) >= context:
            cache.truncate(range(batch), [context - width] * batch)
        started = time.perf_counter()
        windows = drafts.draft(group, ())
        seconds = time.perf_counter() - started
        return seconds / max(len(w.proposals) + (w.stopped == "nothing") for w in windows)

    timed(1)  # feeds all the text
    widths = DRAFT_WIDTHS if drafts.cache is not None else DRAFT_WIDTHS[:1]
    return [
        PassKind(
            _blank(drafter.name, "draft", width, batch, context, sampling.temperature),
            lambda width=width: timed(width),  # type: ignore[misc]
        )
        for width in widths
    ]


def measure_passes(kinds: Sequence[PassKind], repeats: int) -> Iterator[float | PassTimeRecord]:
    """Every kind in turn, `repeats` times after a warm-up: the seconds of each pass, at last the records."""
    times: list[list[float]] = [[] for _ in kinds]
    for turn in range(-WARM_UP, repeats):
        for kind, own in zip(kinds, times, strict=True):
            seconds = kind.run()
            if turn >= 0:
                own.append(seconds)
            yield seconds
    for kind, own in zip(kinds, times, strict=True):
        low, middle, high = np.quantile(own, (0.25, 0.5, 0.75)).tolist()
        yield replace(kind.record, seconds=middle, low=low, high=high)


def _blank(
    model: str, role: str, positions: int, batch: int, context: int, temperature: float | None = None
) -> PassTimeRecord:
    return PassTimeRecord(model, role, positions, batch, context, 0.0, 0.0, 0.0, temperature)  # type: ignore[arg-type]
