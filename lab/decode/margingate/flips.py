"""The flip study: how often does a batch shape change a token, where, and by how much?

Every shape is teacher-forced on the tokens of a base run, all of them step by step side by side, so each
step compares logits and new K/V columns on one context. Until its first flip a free run does the same, so
both ways of counting come from one study: all flips on a fixed sequence, or the first divergence only.

Prompts are fed alone and only once: the shapes differ in the decoding steps. A lane with a schedule is pinned
to each batch size, so that many prompts share a pass; another lane really runs in batches of that size.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import torch
from torch import Tensor

from lab.decode.batching import NOT_FINITE, all_finite, decode
from lab.decode.margingate.strategies import Reference
from lab.decode.prompt_set import Prompt
from lab.decode.requests import Request, check_requests
from lab.decode.sampling import greedy
from lab.models.cache import KVCache
from lab.models.tokenizer import Tokenizer
from lab.models.transformer import Transformer
from lab.numerics.lanes import BlockLane, Lane
from lab.records import Failure, FlipRecord, TokenRecord

NEAR = (0.25, 0.5, 1.0, 2.0)
"""Δ of N(Δ), as in MarginGate's Table 4."""

ROWS = 32
"""Prompts that go through the study side by side."""


@dataclass(frozen=True)
class Shape:
    """A batch size, and the one operator whose order follows it while the others keep the order of a
    sequence alone (None: all that the lane has on)."""

    batch: int
    only: str | None = None


@dataclass(frozen=True)
class StudyStep:
    """A step of all shapes is over: progress for a reader, not part of a trace."""

    prompts: int
    index: int


def shapes(batches: Sequence[int], attribute: Sequence[str] = (), at: int | None = None) -> list[Shape]:
    """Every batch size, then one shape an operator in `attribute`, at batch size `at` or the last."""
    return [Shape(b) for b in batches] + [Shape(at or batches[-1], name) for name in attribute]


def study(
    model: Transformer,
    prompts: Sequence[Prompt],
    fast: Lane,
    base: Reference,
    shapes: Sequence[Shape],
    length: int,
    tokenizer: Tokenizer,
    rows: int = ROWS,
) -> Iterator[FlipRecord | Failure | StudyStep]:
    """A FlipRecord for every prompt and shape, `rows` prompts at a time; a StudyStep after each step.

    Raises LabError before anything runs for a prompt that cannot be decoded.
    """
    texts = [tuple(tokenizer.encode_chat(prompt.text)) for prompt in prompts]
    asked = [Request(p.name, ids, length) for p, ids in zip(prompts, texts, strict=True)]
    check_requests(asked, model.config, model.name, least=1)
    pairs = list(zip(prompts, asked, strict=True))
    for chunk in (pairs[at : at + rows] for at in range(0, len(pairs), rows)):
        yield from _side_by_side(model, chunk, fast, base, shapes, tokenizer)


@dataclass
class _Run:
    """One shape, or the base run, over the chunk's rows."""

    lane: Lane
    cache: KVCache
    pass_rows: int
    """Rows that share a pass."""

    def step(self, model: Transformer, tokens: list[int]) -> Tensor:
        every = range(len(tokens))
        parts = [
            model.forward([[tokens[row]] for row in part], self.cache, self.lane, list(part))
            for part in (every[at : at + self.pass_rows] for at in every[:: self.pass_rows])
        ]
        return torch.cat(parts).cpu()

    def columns(self) -> tuple[Tensor, Tensor]:
        """The newest K and V of every row, [layers, rows, heads · d]."""
        at = torch.tensor(self.cache.lengths, device=self.cache.k.device) - 1
        rows = torch.arange(len(at), device=at.device)
        k, v = (x[:, rows, :, at].transpose(0, 1).flatten(2).float() for x in (self.cache.k, self.cache.v))
        return k, v


@dataclass
class _Line:
    """What one prompt has shown so far at one shape."""

    choices: list[int] = field(default_factory=list)
    margins: list[float] = field(default_factory=list)
    deltas: list[float] = field(default_factory=list)
    changes: list[tuple[Tensor, Tensor]] = field(default_factory=list)


@dataclass
class _Base:
    """What one prompt has shown so far in the base run."""

    tokens: list[int] = field(default_factory=list)
    margins: list[float] = field(default_factory=list)
    near: list[tuple[int, ...]] = field(default_factory=list)


def _side_by_side(
    model: Transformer,
    chunk: Sequence[tuple[Prompt, Request]],
    fast: Lane,
    base: Reference,
    shapes: Sequence[Shape],
    tokenizer: Tokenizer,
) -> Iterator[FlipRecord | Failure | StudyStep]:
    requests = [request for _, request in chunk]
    count = len(chunk)
    together = count if isinstance(base.steps, BlockLane) else 1
    base_run, own = _prompted(model, requests, base.prompts, base.steps, together)
    shared, fast_first = (
        (base_run, own) if base.prompts == fast else _prompted(model, requests, fast, fast, count)
    )
    runs = [_shaped(model, shared, fast, shape, count) for shape in shapes]
    others = [fast_first] * len(runs)
    bases = [_Base() for _ in chunk]
    lines = [[_Line() for _ in chunk] for _ in shapes]
    live, broken = set(range(count)), set[int]()
    for index in range(requests[0].max_new_tokens):
        if index:
            fed = [each.tokens[-1] for each in bases]
            own, others = base_run.step(model, fed), [run.step(model, fed) for run in runs]
        finite = torch.stack([all_finite(x) for x in (own, *others)]).all(0).tolist()
        for row in [row for row in sorted(live) if not finite[row]]:
            yield Failure(requests[row].id, index, NOT_FINITE)
            live.discard(row)
            broken.add(row)
        _note_base(bases, live, own)
        for run, line, logits in zip(runs, lines, others, strict=True):
            _note(line, live, run, base_run if index else None, logits, own)
        yield StudyStep(len(live), index)
        live -= {row for row in live if bases[row].tokens[-1] in model.config.eos_ids}
        if not live:
            break
    kept = [row for row in range(count) if row not in broken]
    for shape, run, line in zip(shapes, runs, lines, strict=True):
        parted = [requests[row] for row in kept if not shape.only and _flips(line[row], bases[row])]
        free = _free(model, parted, run, fast)
        for row in kept:
            prompt, request = chunk[row]
            yield _record(prompt, shape, run, line[row], bases[row], free.get(request.id), tokenizer)


def _note_base(bases: list[_Base], live: set[int], logits: Tensor) -> None:
    """Add one step of the base run; a row that has ended is fed on, and nothing of it is kept."""
    logits = logits.nan_to_num(nan=-torch.inf)
    chosen = greedy(logits).tolist()
    best = logits.topk(2).values
    margins = (best[:, 0].double() - best[:, 1]).tolist()  # as a gate takes it
    near = torch.stack([(logits >= best[:, :1] - delta).float().sum(-1).int() for delta in NEAR], -1).tolist()
    for row, each in enumerate(bases):
        each.tokens.append(chosen[row])
        if row in live:
            each.margins.append(margins[row])
            each.near.append(tuple(near[row]))


def _prompted(
    model: Transformer, requests: Sequence[Request], prompts: Lane, steps: Lane, pass_rows: int
) -> tuple[_Run, Tensor]:
    """A run that has read its prompts, each in a pass of its own, and their last logits."""
    longest = max(len(request.prompt) + request.max_new_tokens for request in requests)
    cache = model.new_cache(len(requests), longest, steps)
    logits = [model.forward([request.prompt], cache, prompts, [row]) for row, request in enumerate(requests)]
    return _Run(steps, cache, pass_rows), torch.cat(logits).cpu()


def _shaped(model: Transformer, shared: _Run, fast: Lane, shape: Shape, count: int) -> _Run:
    """A run at one shape, with a copy of the prompts' K and V."""
    lane = shaped_lane(fast, shape)
    cache = model.new_cache(count, shared.cache.capacity, fast)
    cache.k.copy_(shared.cache.k)
    cache.v.copy_(shared.cache.v)
    cache.lengths[:] = shared.cache.lengths
    return _Run(lane, cache, count if isinstance(lane, BlockLane) else shape.batch)


def shaped_lane(fast: Lane, shape: Shape) -> Lane:
    """The lane with its schedule set to the shape; a lane without a schedule as it is."""
    if not isinstance(fast, BlockLane):
        return fast
    if shape.only is None:
        return fast.pinned(shape.batch)
    return replace(fast, schedule=fast.schedule.pinned_for(shape.only, shape.batch))


def _switches(lane: Lane, shape: Shape) -> tuple[str, ...]:
    if shape.only:
        return (shape.only,)
    return lane.schedule.switches if isinstance(lane, BlockLane) else ()


def _note(
    line: list[_Line], live: set[int], run: _Run, base: _Run | None, logits: Tensor, own: Tensor
) -> None:
    """Add one step of one shape to its lines."""
    choices = greedy(logits.nan_to_num(nan=-torch.inf)).tolist()
    best = logits.topk(2).values
    margins = (best[:, 0].double() - best[:, 1]).tolist()  # as a gate takes it
    deltas = (logits - own).abs().amax(-1).tolist()
    changes = None
    if base is not None:
        pairs = zip(run.columns(), base.columns(), strict=True)
        changes = [(ours - theirs).norm(dim=-1) / theirs.norm(dim=-1) for ours, theirs in pairs]
    for row in live:
        each = line[row]
        each.choices.append(choices[row])
        each.margins.append(margins[row])
        each.deltas.append(deltas[row])
        if changes is not None:
            each.changes.append((changes[0][:, row].cpu(), changes[1][:, row].cpu()))


def _flips(line: _Line, base: _Base) -> bool:
    return any(a != b for a, b in zip(line.choices, base.tokens, strict=False))


def _free(model: Transformer, requests: list[Request], run: _Run, prompts: Lane) -> dict[str, list[int]]:
    """The tokens of free runs at the shape of `run`, by request id."""
    made: dict[str, list[int]] = {}
    if requests:
        steps = decode(model, requests, run.lane, max_batch=run.pass_rows, keep_top=2, prompt_lane=prompts)
        for record in (record for step in steps for record in step.records):
            if isinstance(record, TokenRecord):
                made.setdefault(record.request, []).append(record.token)
    return made


def _record(
    prompt: Prompt,
    shape: Shape,
    run: _Run,
    line: _Line,
    base: _Base,
    free: list[int] | None,
    tokenizer: Tokenizer,
) -> FlipRecord:
    steps = len(base.margins)
    tokens = base.tokens[:steps]
    first = next((i for i, (a, b) in enumerate(zip(tokens, line.choices, strict=True)) if a != b), steps)
    # Step i > 0 computed the column of the token before it; the first step's belongs to the shared prompt.
    before = line.changes[:first]
    k = torch.stack([k for k, _ in before]) if before else torch.zeros(0, run.cache.k.shape[0])
    v = torch.stack([v for _, v in before]) if before else k
    text = tokenizer.decode(tokens)
    return FlipRecord(
        prompt=prompt.name,
        kind=prompt.kind,
        batch=shape.batch,
        switches=_switches(run.lane, shape),
        tokens=tuple(tokens),
        choices=tuple(line.choices),
        base_margins=tuple(base.margins),
        margins=tuple(line.margins),
        max_deltas=tuple(line.deltas),
        near=tuple(base.near),
        k_change=tuple(k.mean(0).tolist()) if before else (),
        v_change=tuple(v.mean(0).tolist()) if before else (),
        k_deepest=tuple(k[:, -1].tolist()),
        base_text=text,
        text=text if free is None else tokenizer.decode(free),
    )
