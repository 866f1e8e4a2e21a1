from __future__ import annotations

import random
from dataclasses import replace

import pytest
import torch

from lab.decode.batching import Prefill, Step, decode
from lab.decode.requests import Request
from lab.decode.sampling import Sampling
from lab.errors import LabError
from lab.models.tiny import TURN_END, byte_tokenizer, tiny_checkpoint
from lab.models.transformer import Transformer
from lab.numerics.lanes import BF16_INVARIANT, FP32, LANES, make_lane
from lab.records import Failure, TokenRecord


def prompt(seed: int, n: int = 12) -> tuple[int, ...]:
    return tuple(random.Random(seed).choices(range(256), k=n))


def tokens(steps: list[Step]) -> dict[str, list[int]]:
    out: dict[str, list[int]] = {}
    for step in steps:
        for record in step.records:
            if isinstance(record, TokenRecord):
                out.setdefault(record.request, []).append(record.token)
    return out


def greedy_by_hand(model: Transformer, start: tuple[int, ...], n: int) -> list[int]:
    """The obviously right loop: a whole fresh pass for every token."""
    made: list[int] = []
    for _ in range(n):
        whole = [*start, *made]
        logits = model.forward([whole], model.new_cache(1, len(whole), FP32), FP32)[0].tolist()
        made.append(logits.index(max(logits)))
    return made


def test_greedy_equals_the_plain_loop(tiny: Transformer) -> None:
    requests = [Request(str(i), prompt(i, 5 + 7 * i), 10, ignore_eos=True) for i in range(5)]
    made = tokens(list(decode(tiny, requests, FP32)))
    assert made == {r.id: greedy_by_hand(tiny, r.prompt, 10) for r in requests}


@pytest.mark.parametrize("prefill", ["alone", "mixed"])
@pytest.mark.parametrize("max_batch", [1, 2, 3, 6])
def test_arrival_plan_and_batch_limit_change_no_token_in_fp32(
    tiny: Transformer, prefill: Prefill, max_batch: int
) -> None:
    """Requests join and leave at different steps, for slots that are fewer than they are."""
    requests = [
        Request(str(i), prompt(i, 4 + 9 * i), 3 + 2 * i, Sampling(0.8, top_k=50), seed=i, arrives=(5 * i) % 7)
        for i in range(6)
    ]
    together = tokens(list(decode(tiny, requests, FP32, max_batch=max_batch, prefill=prefill)))
    apart = {r.id: tokens(list(decode(tiny, [replace(r, arrives=0)], FP32)))[r.id] for r in requests}
    assert together == apart


def test_records_say_who_was_in_the_batch(tiny: Transformer) -> None:
    requests = [
        Request("a", prompt(1), 6, ignore_eos=True),
        Request("b", prompt(2), 2, ignore_eos=True, arrives=2),
    ]
    batches = {
        (r.request, r.index): (step.index, r.batch, r.rows)
        for step in decode(tiny, requests, FP32)
        for r in step.records
        if isinstance(r, TokenRecord)
    }
    assert batches["a", 0] == (0, 1, 12)
    assert batches["a", 1] == (1, 1, 1)
    assert batches["b", 0] == (2, 1, 12)  # its prompt is fed alone
    assert batches["a", 3] == (3, 2, 2)
    assert batches["b", 1] == (3, 2, 2)
    assert batches["a", 5] == (5, 1, 1)
    mixed = [step for step in decode(tiny, requests, FP32, prefill="mixed") if len(step.records) == 2]
    assert (mixed[0].records[0].batch, mixed[0].records[0].rows) == (2, 13)  # type: ignore[union-attr]


def test_record_fields(tiny: Transformer) -> None:
    for step in decode(tiny, [Request("a", prompt(3), 4, ignore_eos=True)], FP32, keep_top=4):
        (record,) = step.records
        assert isinstance(record, TokenRecord)
        logits = step.logits["a"]
        best = logits.sort(descending=True)
        assert record.token == record.choice == int(best.indices[0])
        assert record.logit == float(best.values[0])
        assert record.margin == float(best.values[0]) - float(best.values[1])
        assert [(c.token, c.logit) for c in record.top] == list(
            zip(best.indices[:4].tolist(), best.values[:4].tolist(), strict=True)
        )
        assert record.seconds > 0
        assert record.lane == "fp32"


def test_records_carry_their_text(tiny: Transformer) -> None:
    """A character over two tokens stands whole at the token that completes it."""
    follow = tuple("aé".encode())
    request = Request("a", prompt(3), 3, follow=follow, ignore_eos=True)
    records = [step.records[0] for step in decode(tiny, [request], FP32, byte_tokenizer())]
    assert all(isinstance(r, TokenRecord) and r.text for r in records)
    for r in records:
        assert isinstance(r, TokenRecord)
        shown = byte_tokenizer().pieces([*follow[: r.index], r.choice])[-1]
        assert r.text == shown
        assert [c.text for c in r.top] == [byte_tokenizer().pieces([c.token])[0] for c in r.top]


def test_teacher_forcing_commits_the_given_tokens(tiny: Transformer) -> None:
    free = tokens(list(decode(tiny, [Request("a", prompt(4), 6, ignore_eos=True)], FP32)))["a"]
    follow = (7, *free[1:])
    steps = list(decode(tiny, [Request("a", prompt(4), 6, follow=follow, ignore_eos=True)], FP32))
    records = [step.records[0] for step in steps]
    assert [r.token for r in records] == list(follow)  # type: ignore[union-attr]
    assert records[0].choice == free[0]  # type: ignore[union-attr]
    assert records[1].choice == greedy_by_hand(tiny, (*prompt(4), 7), 1)[0]  # type: ignore[union-attr]


def test_seeds_are_a_requests_own(tiny: Transformer) -> None:
    warm = Sampling(1.5)
    one = Request("a", prompt(5), 20, warm, seed=1)
    assert tokens(list(decode(tiny, [one], FP32))) == tokens(list(decode(tiny, [one], FP32)))
    other = replace(one, seed=2)
    assert tokens(list(decode(tiny, [one], FP32))) != tokens(list(decode(tiny, [other], FP32)))


def eos_at(tiny: Transformer, n: int) -> Request:
    """A request whose n-th token is the end of a turn: follow its own tokens, then that one."""
    return Request("a", prompt(6), 10, follow=tuple([65] * n + [TURN_END] + [66] * (9 - n)))


@pytest.mark.parametrize("n", [0, 1, 5, 9])
def test_eos_ends_a_request_where_it_stands(tiny: Transformer, n: int) -> None:
    records = [step.records[0] for step in decode(tiny, [eos_at(tiny, n)], FP32)]
    assert len(records) == n + 1
    assert records[-1].finish == "eos"  # type: ignore[union-attr]
    ignoring = [step.records[0] for step in decode(tiny, [replace(eos_at(tiny, n), ignore_eos=True)], FP32)]
    assert len(ignoring) == 10
    assert ignoring[-1].finish == "length"  # type: ignore[union-attr]


def test_stop_strings_may_span_tokens(tiny: Transformer) -> None:
    request = Request("a", prompt(7), 6, follow=tuple(b"abcdef"), stop=("xx", "cd"))
    records = [step.records[0] for step in decode(tiny, [request], FP32, byte_tokenizer())]
    assert [r.finish for r in records] == [None, None, None, "stop"]  # type: ignore[union-attr]
    with pytest.raises(LabError, match="Stop strings need a tokenizer"):
        next(decode(tiny, [request], FP32))


def test_long_prompts_are_fed_in_chunks(tiny: Transformer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lab.decode.batching.PROMPT_CHUNK", 10)
    requests = [
        Request("long", prompt(8, 35), 4, ignore_eos=True),
        Request("short", prompt(9, 6), 8, ignore_eos=True),
    ]
    steps = list(decode(tiny, requests, FP32))
    assert tokens(steps) == {r.id: greedy_by_hand(tiny, r.prompt, r.max_new_tokens) for r in requests}
    assert [len(step.records) for step in steps][:4] == [1, 1, 1, 2]


def poisoned() -> Transformer:
    """A model whose token 200 makes NaN logits in its own row."""
    checkpoint = tiny_checkpoint(0, dtype=torch.bfloat16)
    model = Transformer(checkpoint)
    model.embedding = model.embedding.clone()
    model.embedding[200] = float("nan")
    return model


def test_nan_logits_stop_their_request_alone() -> None:
    model = poisoned()
    good = [Request(str(i), prompt(i + 20), 8, ignore_eos=True) for i in range(3)]
    good = [replace(r, prompt=tuple(t for t in r.prompt if t != 200)) for r in good]
    bad = Request("bad", (65, 66), 8, follow=(67, 200, 68, 69, 70, 71, 72, 73))
    steps = list(decode(model, [good[0], bad, *good[1:]], BF16_INVARIANT))
    failures = [r for step in steps for r in step.records if isinstance(r, Failure)]
    assert [(f.request, f.index) for f in failures] == [("bad", 2)]
    assert "NaN" in failures[0].error
    made = tokens(steps)
    assert len(made["bad"]) == 2
    assert {r.id: made[r.id] for r in good} == tokens(list(decode(model, good, BF16_INVARIANT)))


@pytest.mark.parametrize("lane", LANES)
def test_two_runs_are_equal_in_every_lane(tiny: Transformer, lane: str) -> None:
    requests = [Request(str(i), prompt(i), 8, Sampling(0.7), seed=i) for i in range(4)]
    first, second = (list(decode(tiny, requests, make_lane(lane))) for _ in "ab")
    assert tokens(first) == tokens(second)
    for a, b in zip(first, second, strict=True):
        assert all(torch.equal(a.logits[name], b.logits[name]) for name in a.logits)


@pytest.mark.parametrize(
    ("requests", "message"),
    [
        ([], "no request"),
        ([Request("a", (), 3)], "prompt of request 'a' is empty"),
        ([Request("a", (1,), -1)], "asks for -1 new tokens"),
        ([Request("a", (1,) * 500, 13)], "needs 500 prompt tokens and 13 new ones.*context.*512"),
        ([Request("a", (1, 999), 3)], "token 999"),
        ([Request("a", (1,), 3), Request("a", (1,), 3)], "same id"),
        ([Request("a", (1,), 3, follow=(1, 2))], "follows 2 tokens but asks for 3"),
        ([Request("a", (1,), 3, arrives=-1)], "arrives at step -1"),
    ],
)
def test_bad_requests_are_named_before_anything_runs(
    tiny: Transformer, requests: list[Request], message: str
) -> None:
    with pytest.raises(LabError, match=message):
        next(decode(tiny, requests, FP32))
