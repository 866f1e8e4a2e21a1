"""The flip study against an obviously right one: real batches of every size, one prompt at a time as base."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import pytest
import torch
from torch import Tensor

from lab.decode.batching import NOT_FINITE, decode
from lab.decode.margingate.figures import by_kind, by_shape, near_figures, whole_shapes
from lab.decode.margingate.flips import NEAR, Shape, StudyStep, shapes, study
from lab.decode.margingate.strategies import FP32_REFERENCE, Reference, solo
from lab.decode.prompt_set import Prompt
from lab.decode.requests import Request
from lab.errors import LabError
from lab.models.tiny import byte_tokenizer
from lab.models.transformer import Transformer
from lab.numerics.lanes import BF16_NATIVE, FP32, BlockLane, Lane, bf16_emulated
from lab.numerics.rounding import keep_fp32
from lab.numerics.schedule import NormBlock, Schedule, SplitK, SplitKV
from lab.records import Failure, FlipRecord, TokenRecord

# Rules so small that each of the three changes its order between 1 and 8 rows of this small model.
RULES = Schedule(SplitK(), SplitKV(sms=8), NormBlock(4, 64, 32), reduced_partials=True)
EAGER = bf16_emulated(RULES)
UNROUNDED = BlockLane("unrounded", keep_fp32, RULES)  # where the order of a norm's short sum shows too
TOKENIZER = byte_tokenizer()
LENGTH = 10
SIZES = (1, 2, 4, 8)
# All prompts reach into their second block of 64 positions and none leaves it: attention then sees as many
# blocks in a pass of all as in one of few.
WORDS = ("rain", "iron", "salt", "wool", "glass", "clay", "wind", "milk")
PROMPTS = tuple(
    Prompt(
        f"p{i}", ("odd", "even")[i % 2], f"{word} and {word}, of what is {word} made?".ljust(66 + 3 * i, ".")
    )
    for i, word in enumerate(WORDS)
)


def asked(prompts: Sequence[Prompt] = PROMPTS, length: int = LENGTH) -> list[Request]:
    return [Request(p.name, tuple(TOKENIZER.encode_chat(p.text)), length) for p in prompts]


def studied(model: Transformer, lane: Lane, base: Reference, of: Sequence[Shape], **more) -> list:  # type: ignore[no-untyped-def]
    prompts = more.pop("prompts", PROMPTS)
    found = study(model, prompts, lane, base, of, LENGTH, TOKENIZER, **more)
    return [record for record in found if not isinstance(record, StudyStep)]


Seen = dict[str, list[tuple[TokenRecord, Tensor]]]


def decoded(model: Transformer, requests: list[Request], lane: Lane, prompt_lane: Lane | None = None) -> Seen:
    seen: Seen = {}
    for step in decode(model, requests, lane, prompt_lane=prompt_lane):
        for record in step.records:
            assert isinstance(record, TokenRecord)
            seen.setdefault(record.request, []).append((record, step.logits[record.request]))
    return seen


def alone(model: Transformer, base: Reference, lane: Lane) -> Seen:
    """Every prompt by itself. The fast lane alone needs no pin: its batch is of one."""
    steps = FP32 if base.name == "fp32" else lane
    return {k: v for request in asked() for k, v in decoded(model, [request], steps).items()}


def together(model: Transformer, base: Seen, lane: Lane, batch: int) -> Seen:
    """Real batches of one size that follow the base's tokens."""
    led = [replace(r, follow=tuple(record.token for record, _ in base[r.id])) for r in asked()]
    return {k: v for at in range(0, 8, batch) for k, v in decoded(model, led[at : at + batch], lane).items()}


def columns(model: Transformer, tokens: dict[str, list[int]], lane: Lane, batch: int) -> dict[str, Tensor]:
    """[2 (K, V), steps, layers, heads · d]: every new column, out of passes of `batch` rows made by hand."""
    found = {}
    for at in range(0, 8, batch):
        requests = asked()[at : at + batch]
        cache = model.new_cache(batch, 128, lane)
        for row, request in enumerate(requests):
            model.forward([request.prompt], cache, lane, [row])
        for index in range(LENGTH - 1):
            model.forward([[tokens[r.id][index]] for r in requests], cache, lane)
        for row, request in enumerate(requests):
            span = slice(len(request.prompt), len(request.prompt) + LENGTH - 1)
            both = [x[:, row, :, span].float() for x in (cache.k, cache.v)]  # [layers, heads, steps, d]
            found[request.id] = torch.stack([x.permute(2, 0, 1, 3).flatten(2) for x in both])
    return found


CASES = {
    "solo": (EAGER, solo(EAGER)),
    "fp32": (EAGER, FP32_REFERENCE),
    "native": (BF16_NATIVE, FP32_REFERENCE),
    "native-solo": (BF16_NATIVE, solo(BF16_NATIVE)),
    "unrounded": (UNROUNDED, solo(UNROUNDED)),
}


@pytest.mark.parametrize(("lane", "base"), CASES.values(), ids=CASES)
def test_the_study_is_what_real_batches_give(flippy: Transformer, lane: Lane, base: Reference) -> None:
    first = alone(flippy, base, lane)
    tokens = {name: [record.token for record, _ in own] for name, own in first.items()}
    assert {len(own) for own in tokens.values()} == {LENGTH}  # no batch shrinks
    records = {(r.batch, r.prompt): r for r in studied(flippy, lane, base, shapes(SIZES))}
    assert len(records) == len(SIZES) * len(PROMPTS)
    base_columns = columns(flippy, tokens, FP32 if base.name == "fp32" else lane, 1)
    flips = 0
    for size in SIZES:
        real = together(flippy, first, lane, size)
        own_columns = columns(flippy, tokens, lane, size)
        for prompt in PROMPTS:
            record, base_steps, steps = records[size, prompt.name], first[prompt.name], real[prompt.name]
            assert record.tokens == tuple(tokens[prompt.name])
            assert record.choices == tuple(made.choice for made, _ in steps)
            assert record.margins == tuple(made.margin for made, _ in steps)
            assert record.base_margins == tuple(made.margin for made, _ in base_steps)
            assert record.max_deltas == tuple(
                float((here - there).abs().max())
                for (_, here), (_, there) in zip(steps, base_steps, strict=True)
            )
            assert record.near == tuple(
                tuple(int((logits >= logits.max() - delta).sum()) for delta in NEAR)
                for _, logits in base_steps
            )
            assert record.flips == tuple(made.index for made, _ in steps if made.choice != made.token)
            flips += len(record.flips)
            ours, theirs = own_columns[prompt.name], base_columns[prompt.name]
            moved = (ours - theirs).norm(dim=-1) / theirs.norm(dim=-1)
            # Step i > 0 writes the column of token i - 1. The step of the first flip still has one context.
            until = LENGTH - 1 if record.first is None else record.first
            k, v = moved[:, :until]
            assert record.k_deepest == pytest.approx(k[:, -1].tolist(), rel=1e-5)
            if until:
                assert record.k_change == pytest.approx(k.mean(0).tolist(), rel=1e-5)
                assert record.v_change == pytest.approx(v.mean(0).tolist(), rel=1e-5)
            else:
                assert record.k_change == record.v_change == ()
    if lane is BF16_NATIVE and base.name == "bf16-solo":
        return  # whether anything changes is this machine's affair
    assert max(max(r.max_deltas) for r in records.values() if r.batch > 1) > 0
    assert flips >= 3 or lane is UNROUNDED  # else the comparison would say little


def test_a_batch_of_one_is_the_solo_reference(flippy: Transformer) -> None:
    for record in studied(flippy, EAGER, solo(EAGER), shapes((1,))):
        assert record.choices == record.tokens
        assert set(record.max_deltas) == {0.0}
        assert {*record.k_change, *record.v_change, *record.k_deepest} == {0.0}
        assert record.margins == record.base_margins
        assert record.text == record.base_text


def test_texts_are_those_of_free_runs(flippy: Transformer) -> None:
    records = studied(flippy, EAGER, solo(EAGER), shapes(SIZES))
    base = alone(flippy, solo(EAGER), EAGER)
    differ = 0
    for size in SIZES:
        free: Seen = {}
        for at in range(0, 8, size):
            free |= decoded(flippy, asked()[at : at + size], EAGER)
        for record in (record for record in records if record.batch == size):
            assert record.base_text == TOKENIZER.decode([r.token for r, _ in base[record.prompt]])
            assert record.text == TOKENIZER.decode([r.token for r, _ in free[record.prompt]])
            own = [r.token for r, _ in free[record.prompt]]
            parts = [i for i, (a, b) in enumerate(zip(own, record.tokens, strict=True)) if a != b]
            assert (parts[0] if parts else None) == record.first
            differ += record.text != record.base_text
    assert differ >= 2


def test_chunks_change_nothing(flippy: Transformer) -> None:
    def by_name(records: list) -> list:
        return sorted(records, key=lambda record: (record.prompt, record.batch, record.switches))

    of = shapes((2, 8), ("linears",), 4)
    few, many = (studied(flippy, EAGER, solo(EAGER), of, rows=rows) for rows in (3, 32))
    assert few != many  # another order
    assert by_name(few) == by_name(many)


def test_attribution_switches_one_operator_and_holds_the_others(flippy: Transformer) -> None:
    names = ("linears", "attention", "norm")
    records = studied(flippy, UNROUNDED, solo(UNROUNDED), shapes((8,), names, 8))
    moved = {
        on: max(max(record.max_deltas) for record in records if record.switches == on)
        for on in {record.switches for record in records}
    }
    assert set(moved) == {names, *((name,) for name in names)}
    assert min(moved.values()) > 0
    assert moved["linears",] > 5 * moved["norm",]  # BF16 partials against an order of FP32 sums


def test_attribution_to_one_operator_is_a_lane_with_that_rule_alone(flippy: Transformer) -> None:
    """Where the other rules give one order for all sizes, switching one is all that the batch can do."""
    constant = Schedule(SplitK(((1, 4), (8, 2))), SplitKV(sms=1), NormBlock(1, 64, 32), reduced_partials=True)
    lane: BlockLane = bf16_emulated(constant)
    whole, alone_ = (
        [r for r in studied(flippy, lane, solo(lane), of) if r.prompt == "p0"]
        for of in (shapes((8,)), [Shape(8, "linears")])
    )
    assert [replace(record, text="", switches=()) for record in whole] == [
        replace(record, text="", switches=()) for record in alone_
    ]
    assert max(whole[0].max_deltas) > 0


def own_token(records: list[FlipRecord], tokens: dict[str, tuple[int, ...]]) -> tuple[str, int, int]:
    """A token that one prompt alone meets, once, in the middle: the prompt's name, the index, the token."""
    in_prompts = {token for request in asked() for token in request.prompt}
    return next(
        (name, index, token)
        for name, own in tokens.items()
        for index, token in enumerate(own[:-1])
        if index > 1
        and token not in in_prompts
        and own.count(token) == 1
        and not any(token in (*r.tokens, *r.choices) for r in records if r.prompt != name)
    )


def test_a_prompt_that_breaks_fails_alone(flippy: Transformer) -> None:
    well = studied(flippy, EAGER, solo(EAGER), shapes((2, 8)))
    tokens = {record.prompt: record.tokens for record in well}
    name, at, poison = own_token(well, tokens)  # its embedding breaks the step that it is fed to
    embedding = flippy.embedding.clone()
    embedding[poison] = float("nan")
    broken = object.__new__(Transformer)
    broken.__dict__.update(flippy.__dict__ | {"embedding": embedding})
    records = studied(broken, EAGER, solo(EAGER), shapes((2, 8)))
    assert [r for r in records if isinstance(r, Failure)] == [Failure(name, at + 1, NOT_FINITE)]
    kept = [replace(r, text="") for r in records if isinstance(r, FlipRecord)]  # a free run may meet it too
    assert kept == [replace(r, text="") for r in well if r.prompt != name]


def test_a_prompt_that_ends_keeps_its_steps_and_leaves_the_others(flippy: Transformer) -> None:
    well = studied(flippy, EAGER, solo(EAGER), shapes((2, 8)))
    tokens = {record.prompt: record.tokens for record in well}
    name, at, end = own_token(well, tokens)
    short = object.__new__(Transformer)
    short.__dict__.update(flippy.__dict__ | {"config": replace(flippy.config, eos_ids=(end,))})
    records = studied(short, EAGER, solo(EAGER), shapes((2, 8)))
    for record, whole in zip(records, well, strict=True):
        if record.prompt == name:
            assert record.tokens == whole.tokens[: at + 1]
            assert record.max_deltas == whole.max_deltas[: at + 1]
            assert record.near == whole.near[: at + 1]
        else:
            assert replace(record, text="") == replace(whole, text="")


def test_progress_counts_the_steps(flippy: Transformer) -> None:
    marks = [
        each
        for each in study(flippy, PROMPTS[:5], EAGER, solo(EAGER), shapes((2,)), 4, TOKENIZER, rows=2)
        if isinstance(each, StudyStep)
    ]
    assert [(mark.prompts, mark.index) for mark in marks] == [
        (count, index) for count in (2, 2, 1) for index in range(4)
    ]


def test_a_prompt_that_does_not_fit_is_refused_before_anything_runs(flippy: Transformer) -> None:
    long = Prompt("long", "own", "x" * 600)
    with pytest.raises(LabError, match="'long'"):
        next(iter(study(flippy, [*PROMPTS, long], EAGER, solo(EAGER), shapes((2,)), 4, TOKENIZER)))


def made(batch: int, kind: str, switches: tuple[str, ...], tokens: str, choices: str, **more) -> FlipRecord:  # type: ignore[no-untyped-def]
    """A record by hand: a letter a token; margin .1, .2, … by step; max |Δ| ten times that."""
    count = len(tokens)
    return FlipRecord(
        prompt=f"{kind}-{tokens}",
        kind=kind,
        batch=batch,
        switches=switches,
        tokens=tuple(map(ord, tokens)),
        choices=tuple(map(ord, choices)),
        base_margins=(0.0,) * count,
        margins=tuple((i + 1) / 8 for i in range(count)),
        max_deltas=tuple((i + 1) / 4 for i in range(count)),
        near=tuple((i + 1, 10, 20, 30) for i in range(count)),
        k_change=(),
        v_change=(),
        k_deepest=(),
        base_text=tokens,
        text=choices,
    )


@cache
def by_hand() -> list[FlipRecord]:
    both = ("linears", "norm")
    return [
        made(2, "a", both, "xyz", "xyz"),
        made(2, "b", both, "xyzw", "xqzq"),
        made(8, "a", both, "xyz", "qyz"),
        made(8, "b", both, "xyzw", "xyzq"),
        made(8, "a", ("norm",), "xyz", "xyq"),
    ]


def test_figures_by_shape_by_kind_and_of_near_tokens() -> None:
    records = by_hand()
    two = by_shape(records)[2, ("linears", "norm")]
    assert (two.sequences, two.parted, two.steps, two.flips) == (2, 1, 7, 2)
    assert (two.first, two.epsilon, two.largest_margin) == (1, 1.0, 0.5)
    eight = by_shape(records)[8, ("linears", "norm")]
    assert (eight.parted, eight.first, eight.flip_rate) == (2, 1.5, 2 / 7)
    assert by_shape(records)[8, ("norm",)].flips == 1
    whole = whole_shapes(records)
    assert whole == records[:4]
    kinds = by_kind(whole)
    assert {kind: (f.sequences, f.flips, f.steps) for kind, f in kinds.items()} == {
        "a": (2, 1, 6),
        "b": (2, 3, 8),
    }
    assert by_kind(records[:1])["a"].first is None
    near = near_figures(whole)
    assert [figures.delta for figures in near] == list(NEAR)
    assert near[0].flipped == (2 + 4 + 1 + 4) / 4
    assert near[0].stable == pytest.approx((6 + 6 + 10 + 10 - 11) / 10)
    assert (near[1].stable, near[1].flipped) == (10, 10)
    assert near_figures(records[:1])[0].flipped is None
