"""Both lanes side by side, against two runs made apart."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from lab.decode.batching import NOT_FINITE, decode
from lab.decode.margingate.strategies import FP32_REFERENCE, Reference, solo
from lab.decode.margingate.watch import watch
from lab.decode.requests import Request
from lab.models.tiny import byte_tokenizer
from lab.models.transformer import Transformer
from lab.numerics.lanes import FP32, Lane, bf16_emulated
from lab.records import Failure, PairRecord, TokenRecord
from tests.lab.decode.margingate.conftest import requests

FAST = bf16_emulated()
LENGTH = 20


def columns(model: Transformer, asked: list[Request], tokens: list[tuple[int, ...]], lane: Lane) -> list:
    """For each request, [K and V, layers, heads, tokens - 1, d] of the columns of its new tokens, all rows
    of one batch fed by hand."""
    cache = model.new_cache(len(asked), 128, lane)
    for row, request in enumerate(asked):
        model.forward([request.prompt], cache, lane, [row])
    for index in range(LENGTH - 1):
        model.forward([[own[index]] for own in tokens], cache, lane)
    return [
        torch.stack(
            [x[:, row, :, len(r.prompt) : len(r.prompt) + LENGTH - 1].float() for x in (cache.k, cache.v)]
        )
        for row, r in enumerate(asked)
    ]


@pytest.mark.parametrize("reference", [FP32_REFERENCE, solo(FAST)], ids=["fp32", "solo"])
def test_watching_is_two_runs_compared(flippy: Transformer, reference: Reference) -> None:
    asked = requests(5, LENGTH)
    lane = FP32 if reference.name == "fp32" else FAST  # alone, the fast lane needs no pin
    base = {r.id: list(decode(flippy, [r], lane)) for r in asked}
    tokens = {name: tuple(step.records[0].token for step in own) for name, own in base.items()}  # type: ignore[union-attr]
    led = [replace(r, follow=tokens[r.id]) for r in asked]
    beside = {
        (record.request, record.index): (record, step.logits[record.request])
        for step in decode(flippy, led, FAST)
        for record in step.records
        if isinstance(record, TokenRecord)
    }
    found = list(watch(flippy, asked, FAST, reference))
    pairs = [record for record in found if isinstance(record, PairRecord)]
    assert len(pairs) == len(beside) == 5 * LENGTH
    assert sum(isinstance(record, TokenRecord) for record in found) == 5 * LENGTH
    theirs = [columns(flippy, [r], [tokens[r.id]], lane)[0] for r in asked]
    ours = columns(flippy, asked, [tokens[r.id] for r in asked], FAST)
    for pair in pairs:
        name, index = pair.alone.request, pair.index
        first, second = base[name][index], beside[name, index]
        own = first.records[0]
        assert isinstance(own, TokenRecord)
        assert (pair.batch, pair.beside.batch) == (5, 1 if index == 0 else 5)
        assert (pair.alone.token, pair.alone.margin, pair.alone.top) == (own.token, own.margin, own.top)
        assert (pair.beside.choice, pair.beside.margin) == (second[0].choice, second[0].margin)
        assert pair.beside.token == own.token
        assert pair.max_delta == float((first.logits[name] - second[1]).abs().max())
        assert pair.flipped == (own.choice != second[0].choice)
        if index:
            at = [r.id for r in asked].index(name)
            old, new = ours[at][:, :, :, index - 1], FAST.round(theirs[at][:, :, :, index - 1])
            assert pair.kv_change == pytest.approx(float((new - old).norm() / old.norm()), rel=1e-5, abs=1e-9)
    if reference.name == "fp32":
        assert sum(bool(pair.flipped) for pair in pairs) >= 2


def test_rows_that_end_do_not_mix_the_columns_of_the_others(flippy: Transformer) -> None:
    """The first request is short; the others' pairs are those of a watch in which it is long, where the
    batch's orders are the same (a table with one split count for every size)."""
    lane = bf16_emulated(replace(FAST.schedule, linears=None, attention=None, norm=None))
    asked = requests(4, LENGTH)
    short = [replace(asked[0], max_new_tokens=3), *asked[1:]]

    def pairs(of: list[Request]) -> list[tuple]:
        found = (r for r in watch(flippy, of, lane, FP32_REFERENCE) if isinstance(r, PairRecord))
        return [(r.alone.request, r.index, r.max_delta, r.kv_change, r.beside.choice) for r in found]

    long_pairs, short_pairs = pairs(asked), pairs(short)
    assert sorted(short_pairs) == sorted(pair for pair in long_pairs if pair[0] != asked[0].id or pair[1] < 3)


def test_a_request_that_breaks_leaves_the_others(flippy: Transformer) -> None:
    embedding = flippy.embedding.clone()
    embedding[255] = float("nan")
    broken = object.__new__(Transformer)
    broken.__dict__.update(flippy.__dict__ | {"embedding": embedding})
    asked = [replace(r, prompt=tuple(t for t in r.prompt if t != 255)) for r in requests(3, 6)]
    ill = [asked[0], replace(asked[1], prompt=(*asked[1].prompt, 255)), asked[2]]
    found = list(watch(broken, ill, FAST, FP32_REFERENCE))
    assert [r for r in found if isinstance(r, Failure)] == [Failure("r1", 0, NOT_FINITE)]
    pairs = [r for r in found if isinstance(r, PairRecord)]
    assert {(pair.alone.request, pair.index) for pair in pairs} == {
        (n, i) for n in ("r0", "r2") for i in range(6)
    }
    assert {pair.batch for pair in pairs} == {2}
    every = [replace(r, prompt=(*r.prompt, 255)) for r in asked]
    found = list(watch(broken, every, FAST, FP32_REFERENCE))
    assert found == [Failure(r.id, 0, NOT_FINITE) for r in asked]


def test_texts_are_given_where_there_is_a_tokenizer(flippy: Transformer) -> None:
    pair = next(
        r
        for r in watch(flippy, requests(2, 2), FAST, FP32_REFERENCE, byte_tokenizer())
        if isinstance(r, PairRecord)
    )
    assert pair.alone.text
    assert pair.beside.text
