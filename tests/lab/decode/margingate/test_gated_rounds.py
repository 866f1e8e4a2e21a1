"""Rounds behind margin-gated replay: several tokens a step, and the tokens are the reference run's own.

What differs from one token a step: a window may be over-full when the verifier looks, a round may end a
request in the middle, a correction drops tokens that a draft has fed, and the verifier's bonus is a token
that neither the fast lane nor the draft has fed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import replace
from functools import cache, partial

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from lab.decode.batching import Batch
from lab.decode.margingate.replay import ReplayVerifier
from lab.decode.margingate.run import GateStep, committed, run
from lab.decode.margingate.strategies import FP32_REFERENCE, Gate, Replay, Strategy, solo
from lab.decode.requests import Request
from lab.decode.speculative.drafters import Drafter, ModelDrafter
from lab.decode.speculative.how import Speculative
from lab.decode.speculative.policy import Adaptive, Fixed, Policy
from lab.decode.speculative.rounds import Speculation
from lab.models.cache import KVCache
from lab.models.tiny import byte_tokenizer
from lab.models.transformer import Transformer
from lab.numerics.lanes import FP32, Lane, bf16_emulated
from lab.numerics.schedule import GPU_LIKE
from lab.records import TokenRecord, VerdictRecord, VisitRecord
from lab.round_records import RoundRecord
from tests.lab.decode.margingate.conftest import plain, requests
from tests.lab.decode.speculative.near_ties import drafters, near_ties

COUNT, LENGTH = 3, 16
FAST = bf16_emulated(replace(GPU_LIKE, reduced_partials=True))
"""Rounded partial sums: on so small a model the order of exact ones seldom shows."""
DRAFTERS = drafters(near_ties())
GATES = st.builds(
    Gate,
    tau=st.none() | st.floats(0, 0.05),
    window=st.none() | st.integers(1, 20),
    pass_size=st.integers(1, 40),
)
POLICIES = st.builds(Fixed, st.integers(0, 6)) | st.just(Adaptive(2, low=1, high=7))


def rounds(drafter: Drafter, policy: Policy) -> Callable[..., Batch]:
    return partial(Speculation, how=Speculative(drafter, policy))


def decoded(
    model: Transformer,
    asked: list[Request],
    strategy: Strategy,
    make_batch: Callable[..., Batch],
    batch: int | None = None,
) -> tuple[dict[str, list[int]], list[GateStep]]:
    steps = list(run(model, asked, strategy, max_batch=batch, make_batch=make_batch))
    return committed([record for step in steps for record in step.records]), steps


@cache
def expected(model: Transformer, count: int, length: int, lane: Lane) -> dict[str, list[int]]:
    """`plain`, once for all examples: what must come out, or what a lane would give alone."""
    return plain(model, requests(count, length), lane)


def of(kind: type, steps: list[GateStep]) -> list:
    return [record for step in steps for record in step.records if isinstance(record, kind)]


def test_ungated_rounds_part_from_the_reference_and_from_plain_decoding(flippy: Transformer) -> None:
    """Otherwise the tests below would prove nothing."""
    asked = requests(6, 24)
    reference, bf16 = plain(flippy, asked, FP32), plain(flippy, asked, FAST)
    got, steps = decoded(flippy, asked, Strategy("bf16", FAST), rounds(DRAFTERS["near"], Fixed(4)), 1)
    assert sum(got[name] != tokens for name, tokens in reference.items()) >= 3
    assert sum(got[name] != tokens for name, tokens in bf16.items()) >= 2
    assert {r.accepted for r in of(RoundRecord, steps)} >= {0, 2, 4}


@settings(max_examples=20)
@given(
    gate=GATES,
    policy=POLICIES,
    drafter=st.sampled_from(sorted(DRAFTERS)),
    batch=st.integers(1, COUNT),
    arrive_every=st.sampled_from([0, 1, 5]),
    refresh=st.booleans(),
    bonus=st.booleans(),
)
def test_tokens_are_the_reference_runs_own(
    flippy: Transformer,
    gate: Gate,
    policy: Policy,
    drafter: str,
    batch: int,
    arrive_every: int,
    refresh: bool,
    bonus: bool,
) -> None:
    asked = requests(COUNT, LENGTH, arrive_every)
    strategy = Strategy("replay", FAST, Replay(gate, refresh, bonus))
    got, _ = decoded(flippy, asked, strategy, rounds(DRAFTERS[drafter], policy), batch)
    assert got == expected(flippy, COUNT, LENGTH, FP32)


@settings(max_examples=10)
@given(GATES, st.integers(1, 5), st.sampled_from([1, COUNT]))
def test_solo_reference_is_the_fast_lane_alone(
    flippy: Transformer, gate: Gate, gamma: int, batch: int
) -> None:
    """The gate gives plain BF16's own tokens back, where that is what counts as right."""
    asked = requests(COUNT, LENGTH)
    strategy = Strategy("replay", FAST, Replay(gate), solo(FAST))
    got, _ = decoded(flippy, asked, strategy, rounds(DRAFTERS["near"], Fixed(gamma)), batch)
    assert got == expected(flippy, COUNT, LENGTH, FAST)


@settings(max_examples=10)
@given(
    gate=GATES,
    gamma=st.integers(0, 5),
    lengths=st.lists(st.integers(1, 9), min_size=3, max_size=3),
    batch=st.sampled_from([1, 2]),
)
def test_requests_of_any_length_leave_and_make_room(
    flippy: Transformer, gate: Gate, gamma: int, lengths: list[int], batch: int
) -> None:
    """Shorter than a window, one token only: each gets exactly what it asks for."""
    asked = [replace(r, max_new_tokens=n) for r, n in zip(requests(3, 1), lengths, strict=True)]
    strategy = Strategy("replay", FAST, Replay(gate))
    got, _ = decoded(flippy, asked, strategy, rounds(DRAFTERS["near"], Fixed(gamma)), batch)
    assert got == plain(flippy, asked, FP32)
    assert [len(got[request.id]) for request in asked] == lengths


@settings(max_examples=10)
@given(
    gate=GATES,
    gamma=st.integers(0, 6),
    ends=st.lists(st.integers(1, LENGTH - 2), min_size=2, max_size=2, unique=True),
    drafter=st.sampled_from(["near", "lookup"]),
    batch=st.sampled_from([1, COUNT]),
)
def test_an_end_of_text_anywhere_in_a_window(
    flippy: Transformer, gate: Gate, gamma: int, ends: list[int], drafter: str, batch: int
) -> None:
    """Tokens that the runs do make are declared ends: of the reference's, and of the fast lane's alone.

    A round ends a request early on an unverified token; the verifier takes that back, or confirms it.
    """
    reference, fast = (expected(flippy, COUNT, LENGTH, lane) for lane in (FP32, FAST))
    eos = (reference["r0"][ends[0]], fast["r1"][ends[1]])
    model = with_ends(flippy, eos)
    asked = [replace(request, ignore_eos=False) for request in requests(COUNT, LENGTH)]
    right = {name: cut(tokens, eos) for name, tokens in reference.items()}
    strategy = Strategy("replay", FAST, Replay(gate))
    got, _ = decoded(model, asked, strategy, rounds(DRAFTERS[drafter], Fixed(gamma)), batch)
    assert got == right


def with_ends(model: Transformer, eos: tuple[int, ...]) -> Transformer:
    """The same weights with other ends of text."""
    other = copy(model)
    other.config = replace(model.config, eos_ids=eos)
    return other


def cut(tokens: list[int], eos: tuple[int, ...]) -> list[int]:
    end = next((at for at, token in enumerate(tokens) if token in eos), len(tokens) - 1)
    return tokens[: end + 1]


@pytest.mark.parametrize("gamma", [1, 4])
@pytest.mark.parametrize("batch", [1, COUNT])
def test_stop_strings(flippy: Transformer, gamma: int, batch: int) -> None:
    """A stop string may end in the middle of a window, and may be one that a correction takes away."""
    tokenizer = byte_tokenizer()
    reference, fast = (expected(flippy, COUNT, LENGTH, lane) for lane in (FP32, FAST))
    stops = tuple(tokenizer.decode(own[9:11]) for run in (reference, fast) for own in run.values())
    asked = [replace(request, stop=stops) for request in requests(COUNT, LENGTH)]
    right = committed(
        [
            record
            for request in asked
            for step in run(flippy, [request], Strategy("fp32", FP32), tokenizer)
            for record in step.records
        ]
    )
    strategy = Strategy("replay", FAST, Replay(Gate(0.01, window=7, pass_size=9)))
    make_batch = rounds(DRAFTERS["near"], Fixed(gamma))
    steps = run(flippy, asked, strategy, tokenizer, max_batch=batch, make_batch=make_batch)
    assert committed([record for step in steps for record in step.records]) == right
    assert min(map(len, right.values())) < LENGTH


@pytest.mark.parametrize("window", [1, 5])
@pytest.mark.parametrize("gamma", [0, 1, 4])
def test_a_window_bounds_what_waits_but_for_the_round_that_fills_it(
    flippy: Transformer, window: int, gamma: int
) -> None:
    strategy = Strategy("window", FAST, Replay(Gate(None, window=window)))
    make_batch = rounds(DRAFTERS["near"], Fixed(gamma))
    _, steps = decoded(flippy, requests(4, 16), strategy, make_batch, 3)
    unverified: dict[str, int] = {}
    most = 0
    for step in steps:
        for record in step.records:
            if isinstance(record, TokenRecord) and record.index:
                unverified[record.request] = unverified.get(record.request, 0) + 1
                most = max(most, unverified[record.request])
            elif isinstance(record, VerdictRecord):
                unverified[record.request] = 0
        assert max(unverified.values(), default=0) < window
    assert most <= window + gamma
    assert gamma == 0 or most > window, "no round came when the window was partly full"


def test_every_token_is_verified_once(flippy: Transformer) -> None:
    """Verdicts, drops and bonuses add up to the tokens that the rounds made."""
    strategy = Strategy("replay", FAST, Replay(Gate(0.002, window=8, pass_size=10)))
    got, steps = decoded(flippy, requests(6, 24), strategy, rounds(DRAFTERS["near"], Fixed(3)), 3)
    verdicts = of(VerdictRecord, steps)
    assert {(v.request, v.index): v.token for v in verdicts} == {
        (name, index): token for name, own in got.items() for index, token in enumerate(own) if index
    }
    assert len(verdicts) == len({(v.request, v.index) for v in verdicts})
    dropped, bonuses = sum(v.dropped for v in verdicts), sum(v.bonus for v in verdicts)
    assert dropped
    assert bonuses
    assert len(of(TokenRecord, steps)) == 6 * 24 + dropped - bonuses
    emitted = sum(len(record.emitted) for record in of(RoundRecord, steps))
    assert emitted == len(of(TokenRecord, steps)) - 6  # the first of each comes from its prompt
    assert all(v.positions >= 1 for v in of(VisitRecord, steps))


@settings(max_examples=10)
@given(
    gate=GATES,
    gamma=st.integers(0, 5),
    batch=st.integers(1, COUNT),
    refresh=st.booleans(),
    bonus=st.booleans(),
)
def test_all_three_caches_after_every_step_and_every_visit(
    flippy: Transformer, gate: Gate, gamma: int, batch: int, refresh: bool, bonus: bool
) -> None:
    """The verifier's and the draft's hold the bits of a fresh pass; the fast lane's has its length.

    With `refresh`, the fast lane's columns of verified tokens are the verifier's, rounded.
    """
    drafter = DRAFTERS["near"]
    assert isinstance(drafter, ModelDrafter)
    running = Speculation(
        flippy,
        requests(COUNT, LENGTH, arrive_every=2),
        FAST,
        Speculative(drafter, Fixed(gamma)),
        max_batch=batch,
        feed_prompt=lambda sequence, chunk: verifier.feed_prompt(sequence, chunk),
    )
    verifier = ReplayVerifier(running, Replay(gate, refresh, bonus), FP32_REFERENCE, 2)

    def check() -> None:
        for sequence in (s for s in running.running if s.tokens):
            text, row = [*sequence.request.prompt, *sequence.tokens], sequence.row
            verified = len(text) - (len(sequence.tokens) - verifier._verified[sequence.id])
            assert running.cache.lengths[row] == len(text) - 1
            assert verifier.cache.lengths[row] == verified - 1
            assert_fresh(flippy, FP32, verifier.cache, row, text)
            draft = running.drafts.cache
            assert draft is not None
            assert draft.lengths[row] < len(text)
            assert_fresh(drafter.model, drafter.lane, draft, row, text)
            if refresh:
                for fast, own in ((running.cache.k, verifier.cache.k), (running.cache.v, verifier.cache.v)):
                    span = slice(0, verified - 1)
                    assert torch.equal(fast[:, row, :, span], FAST.round(own[:, row, :, span]))

    while running.admit():
        step = running.step()
        by_id = {sequence.id: sequence for sequence in running.running}
        for record in step.records:
            assert isinstance(record, TokenRecord)
            verifier.note(by_id[record.request], record)
        check()
        while verifier.wanted():
            verifier.visit(step.index)
            check()
        running.leave({s.id for s in running.running if s.finish and verifier.settled(s)})
        check()


def assert_fresh(model: Transformer, lane: Lane, cache: KVCache, row: int, text: Sequence[int]) -> None:
    """What the row holds is, bit for bit, what one pass over that much of `text` puts into a new cache."""
    n = cache.lengths[row]
    if n:
        fresh = model.new_cache(1, n, lane)
        model.forward([text[:n]], fresh, lane)
        assert torch.equal(cache.k[:, row, :, :n], fresh.k[:, 0, :, :n])
        assert torch.equal(cache.v[:, row, :, :n], fresh.v[:, 0, :, :n])
