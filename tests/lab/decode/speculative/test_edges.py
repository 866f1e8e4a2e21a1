"""Where windows, answers and contexts end: lengths, ends of text, stop strings, NaN, records."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import pytest
import torch
from torch import Tensor

from lab.decode.batching import Step, decode
from lab.decode.requests import Request
from lab.decode.sampling import Sampling
from lab.decode.speculative.drafters import Drafter, LookupDrafter, ModelDrafter, ScriptedDrafter
from lab.decode.speculative.how import Speculative
from lab.decode.speculative.policy import Adaptive, Confident, Fixed
from lab.decode.speculative.rounds import speculate
from lab.decode.speculative.walks import MultiStep
from lab.errors import LabError
from lab.models.tiny import byte_tokenizer, tiny_checkpoint
from lab.models.transformer import Transformer
from lab.numerics.lanes import FP32
from lab.records import Failure, TokenRecord
from lab.round_records import RoundRecord
from tests.lab.decode.speculative.enumeration import check_round
from tests.lab.decode.speculative.tiny_drafts import TARGET, drafters, noisy
from tests.lab.decode.speculative.toy import ToyModel, toy_draft

V = 8


def saying(text: Sequence[int], vocab: int = V) -> ToyModel:
    """A toy that is certain of `text` after a prompt of one token, whatever it has said before."""

    def logits(before: tuple[int, ...]) -> Tensor:
        at = min(len(before), len(text)) - 1
        return 9.0 * torch.nn.functional.one_hot(torch.tensor(text[at]), vocab).float()

    return ToyModel(logits, vocab, eos_ids=(0,))


def run(model: ToyModel, request: Request, drafter: Drafter, gamma: int) -> list[Step]:
    how = Speculative(drafter, Fixed(gamma))
    return list(speculate(model, [request], FP32, how, byte_tokenizer()))  # type: ignore[arg-type]


def made(steps: Iterable[Step]) -> list[int]:
    return [r.token for step in steps for r in step.records if isinstance(r, TokenRecord)]


def rounds_of(steps: Iterable[Step]) -> list[RoundRecord]:
    return [record for step in steps for record in step.rounds]


@pytest.mark.parametrize("gamma", range(5))
@pytest.mark.parametrize("noise", [0.0, 5.0], ids=["all accepted", "none accepted"])
def test_exactly_as_many_tokens_as_asked(tiny: Transformer, gamma: int, noise: float) -> None:
    draft = ModelDrafter("draft", Transformer(noisy(TARGET, noise)))
    for n in range(gamma + 3):
        request = Request("a", (65, 66, 67), n, ignore_eos=True)
        steps = list(speculate(tiny, [request], FP32, Speculative(draft, Fixed(gamma))))
        assert made(steps) == made(decode(tiny, [request], FP32))
        assert len(made(steps)) == n
        rounds = rounds_of(steps)
        assert all(len(each.drafted) <= n - each.start - 1 for each in rounds)
        assert all((each.stopped == "room") == (gamma > n - each.start - 1) for each in rounds)
        if noise == 0.0:
            assert len(rounds) == -(-max(n - 1, 0) // (gamma + 1))


def test_a_request_for_nothing_among_others(tiny: Transformer) -> None:
    requests = [Request("none", (65,), 0), Request("some", (66,), 5, ignore_eos=True)]
    steps = list(speculate(tiny, requests, FP32, Speculative(drafters()["model"], Fixed(3))))
    assert {r.request for step in steps for r in step.records} == {"some"}
    assert len(made(steps)) == 5


@pytest.mark.parametrize("room", [1, 2, 3, 6])
def test_prompts_at_the_context_limit(room: int) -> None:
    """The last position of the context is used, by target and draft alike, and none beyond it."""
    checkpoint = tiny_checkpoint(0, dtype=torch.bfloat16, max_context=64)
    target, draft = Transformer(checkpoint), Transformer(noisy(checkpoint, 0.1))
    request = Request("a", tuple(range(64 - room)), room, ignore_eos=True)
    how = Speculative(ModelDrafter("draft", draft), Fixed(8))
    steps = list(speculate(target, [request], FP32, how))
    assert made(steps) == made(decode(target, [request], FP32))
    assert len(made(steps)) == room
    with pytest.raises(LabError, match=r"the context of .* is 64"):
        next(speculate(target, [replace(request, max_new_tokens=room + 1)], FP32, how))


def test_a_draft_with_a_shorter_context_is_named_before_anything_runs(tiny: Transformer) -> None:
    short = ModelDrafter("short", Transformer(tiny_checkpoint(1, max_context=32)))
    with pytest.raises(LabError, match=r"40 positions.*tiny-llama-1 has a context of 32"):
        next(speculate(tiny, [Request("a", (65,) * 30, 10)], FP32, Speculative(short, Fixed(2))))


GAMMA = 4


@pytest.mark.parametrize("at", range(1, GAMMA + 2))
@pytest.mark.parametrize("drafted", [True, False], ids=["drafted", "not drafted"])
def test_end_of_text_at_every_offset_of_a_window(at: int, drafted: bool) -> None:
    """New token `at` is the end: the window is over tokens 1 to 4, and 5 is its bonus."""
    text = [1, 2, 3, 4, 5, 6, 7][:at]
    target = saying([*text, 0, 5, 5, 5])
    draft = saying([*text, 0 if drafted else 6, 5, 5, 5]).logits
    request = Request("a", (1,), 12)
    steps = run(target, request, toy_draft(draft, V), GAMMA)
    assert made(steps) == [*text, 0]
    last = steps[-1].records[-1]
    assert isinstance(last, TokenRecord)
    assert last.finish == "eos"
    (record,) = rounds_of(steps)
    check_round(record)
    assert record.finish == "eos"
    inside = at <= GAMMA
    expected = ("cut" if drafted else "correction") if inside else "bonus"
    assert record.ending == expected
    assert record.stopped == ("end" if inside and drafted else "gamma")
    assert record.accepted == (at - (not drafted) if inside else GAMMA)
    ignoring = run(target, replace(request, ignore_eos=True, max_new_tokens=9), toy_draft(draft, V), GAMMA)
    assert len(made(ignoring)) == 9
    assert all(each.stopped in ("gamma", "room") for each in rounds_of(ignoring))


def test_end_of_text_as_the_first_token() -> None:
    steps = run(saying([0, 1]), Request("a", (1,), 5), toy_draft(saying([0, 1]).logits, V), GAMMA)
    assert made(steps) == [0]
    assert rounds_of(steps) == []


@pytest.mark.parametrize("at", range(1, GAMMA + 2))
def test_a_stop_string_completed_at_every_offset_of_a_window(at: int) -> None:
    """The stop string begins one token earlier, perhaps in the token before the window."""
    text = [1, 2, 3, 4, 5, 6, 7, 7, 7, 7]
    request = Request("a", (1,), 9, stop=("".join(map(chr, text[at - 1 : at + 1])),))
    steps = run(saying(text), request, toy_draft(saying(text).logits, V), GAMMA)
    assert made(steps) == text[: at + 1]
    (record,) = rounds_of(steps)
    check_round(record)
    assert record.finish == "stop"
    assert record.ending == ("cut" if at <= GAMMA else "bonus")
    assert len(record.drafted) == GAMMA
    assert record.judged == min(at, GAMMA)


def nan_after(token: int, model: ToyModel) -> ToyModel:
    """The same, but NaN logits wherever the text has `token` among its new tokens."""

    def logits(text: tuple[int, ...]) -> Tensor:
        return model.logits(text) * float("nan") if token in text[1:] else model.logits(text)

    return ToyModel(logits, V, model.config.eos_ids)


@pytest.mark.parametrize("at", range(7))
def test_nan_logits_end_their_request_alone_wherever_they_come(at: int) -> None:
    """As in plain decoding: the tokens before it stand, and the failure has the index of the next."""
    text = [1, 2, 3, 1, 2, 3, 1, 2, 3]
    text[at] = 7
    model = nan_after(7, saying(text))
    bad, good = Request("bad", (1,), 9, ignore_eos=True), Request("good", (7,), 9, ignore_eos=True)
    plain_model = saying(text)

    def logits(before: tuple[int, ...]) -> Tensor:
        return plain_model.logits(before) if before[0] == 7 else model.logits(before)

    target = ToyModel(logits, V)
    how = Speculative(toy_draft(plain_model.logits, V), Fixed(3))
    steps = list(speculate(target, [bad, good], FP32, how))  # type: ignore[arg-type]
    failures = [r for step in steps for r in step.records if isinstance(r, Failure)]
    assert [(f.request, f.index) for f in failures] == [("bad", at + 1)]
    assert "NaN" in failures[0].error
    by_request = {
        name: [
            r.token
            for step in steps
            for r in step.records
            if isinstance(r, TokenRecord) and r.request == name
        ]
        for name in ("bad", "good")
    }
    assert by_request == {"bad": text[: at + 1], "good": text}


def test_nan_beyond_a_rejection_is_never_looked_at() -> None:
    """A drafted token that does not stand may have any logits after it."""
    text = [1, 2, 3, 4, 5, 6]
    model = nan_after(7, saying(text))
    steps = run(model, Request("a", (1,), 6), toy_draft(saying([1, 2, 7, 7, 7, 7]).logits, V), GAMMA)
    assert made(steps) == text


def test_a_drafters_nan_is_its_own_fault(tiny: Transformer) -> None:
    draft = toy_draft(lambda text: torch.full((259,), float("nan")), 259)
    with pytest.raises(LabError, match="Drafter 'toy draft' gives NaN"):
        list(speculate(tiny, [Request("a", (65,), 4)], FP32, Speculative(draft, Fixed(2))))


@pytest.mark.parametrize("policy", [Fixed(3), Adaptive(2, high=6), Confident(5, threshold=0.05)])
@pytest.mark.parametrize("drafter", ["model", "reduced", "lookup"])
def test_records_are_consistent(tiny: Transformer, drafter: str, policy: Fixed) -> None:
    requests = [
        Request(f"r{i}", (60 + i, 61, 62, 60 + i, 61), 20, Sampling(0.8, top_k=20), seed=i) for i in range(3)
    ]
    how = Speculative(drafters()[drafter], policy, keep_laws=6)
    steps = list(speculate(tiny, requests, FP32, how, byte_tokenizer()))
    for request in requests:
        tokens = [
            r for s in steps for r in s.records if isinstance(r, TokenRecord) and r.request == request.id
        ]
        rounds = [record for record in rounds_of(steps) if record.request == request.id]
        assert [r.index for r in tokens] == list(range(len(tokens)))
        assert [r.round for r in rounds] == list(range(len(rounds)))
        emitted = [token for record in rounds for token in record.emitted]
        assert [r.token for r in tokens[1:]] == emitted
        assert rounds[-1].finish == tokens[-1].finish is not None
        start = 1
        for record in rounds:
            check_round(record)
            assert record.start == start
            start += len(record.emitted)
            assert (record.draft_cache is None) == (drafter == "lookup")
            assert record.seconds >= record.verify_seconds + record.draft_seconds > 0
            check_laws(record)
    for step in steps:
        if step.rounds:
            positions = sum(1 + len(record.drafted) for record in step.rounds)
            assert {(r.batch, r.positions) for r in step.rounds} == {(len(step.rounds), positions)}


def check_laws(record: RoundRecord) -> None:
    for each in record.drafted:
        assert (each.law is None) == (each.accepted is None) == (each.uniform is None)
        assert each.p_draft > 0
        if each.law is None:
            assert each.p_target is each.acceptance is None
            continue
        assert each.p_target is not None
        assert each.uniform is not None
        assert each.accepted == (each.uniform < each.p_target / each.p_draft)
        known = {token.token: token for token in each.law.tokens}
        assert len(known) <= 6
        assert max(each.law.support) <= 20
        if each.token in known:
            assert (known[each.token].p_target, known[each.token].p_draft) == (each.p_target, each.p_draft)
        assert each.law.beta is not None
        assert 0 <= each.law.beta <= 1 + 1e-12
    assert (record.last_law is None) == (record.ending == "cut")
    if record.last_law is not None:
        assert (record.last_law.beta is None) == (record.ending == "bonus")


def test_lookup_proposes_what_followed_before() -> None:
    text = [1, 2, 3, 1, 2, 3, 1, 2, 3, 1]
    steps = run(saying(text), Request("a", (1,), 10), LookupDrafter(longest=2), GAMMA)
    assert made(steps) == text
    first, *_ = rounds_of(steps)
    assert [each.token for each in first.drafted] == [1, 1, 1, 1]  # all that stood before was 1, 1
    assert first.accepted == 0
    assert sum(record.accepted for record in rounds_of(steps)) >= 3


def test_nothing_to_propose_is_said() -> None:
    silent = ScriptedDrafter(lambda text: None)
    rounds = rounds_of(run(saying([1, 2, 3, 4]), Request("a", (1,), 4), silent, GAMMA))
    assert [record.stopped for record in rounds] == ["nothing", "nothing", "room"]
    assert {(record.drafted, record.ending) for record in rounds} == {((), "bonus")}


def test_greedy_lenience_goes_by_the_logits_after_bias() -> None:
    fixed, drafts = torch.tensor([5.0, 4.9, 0.0]), torch.tensor([10.0, 0.0, 0.0])
    how = Speculative(toy_draft(lambda text: drafts, 3), Fixed(2), MultiStep(0.9))
    request = Request("a", (2,), 4, Sampling(0.0, logit_bias=((0, -3.0),)))
    steps = speculate(ToyModel(lambda text: fixed, 3), [request], FP32, how)
    assert [record.token for step in steps for record in step.records] == [1, 1, 1, 1]
