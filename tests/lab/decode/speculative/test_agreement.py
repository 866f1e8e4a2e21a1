"""α on the target's own text: against plain arithmetic, and against the rounds of real runs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
import torch
from torch import Tensor

from lab.decode.batching import decode
from lab.decode.requests import Request
from lab.decode.sampling import GREEDY, Sampling
from lab.decode.speculative.agreement import Along, Overlaps, overlaps, pooled
from lab.decode.speculative.drafters import (
    Drafter,
    LookupDrafter,
    ModelDrafter,
    NGramDrafter,
    ScriptedDrafter,
    UniformDrafter,
)
from lab.decode.speculative.formulas import expected_cost
from lab.decode.speculative.how import Speculative
from lab.decode.speculative.policy import Fixed, Oracle
from lab.decode.speculative.rounds import speculate
from lab.errors import LabError
from lab.models.tiny import tiny_checkpoint
from lab.models.transformer import Transformer
from lab.numerics.lanes import FP32
from lab.records import TokenRecord
from lab.round_records import RoundRecord
from tests.lab.decode.speculative.reference import slow_law
from tests.lab.decode.speculative.toy import ToyModel, random_logits, reduced_draft, toy_draft, toy_table

VOCAB = 6


def along(model: object, requests: Sequence[Request], drafters: Sequence[Drafter]) -> Along:
    run = overlaps(model, requests, FP32, drafters)  # type: ignore[arg-type]
    while True:
        try:
            next(run)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]


def requests(count: int, length: int, sampling: Sampling = GREEDY) -> list[Request]:
    return [Request(f"r{at}", (at % VOCAB, 1, 2), length, sampling, seed=at) for at in range(count)]


def texts(model: object, asked: Sequence[Request]) -> dict[str, list[int]]:
    out: dict[str, list[int]] = {request.id: [] for request in asked}
    for step in decode(model, asked, FP32):  # type: ignore[arg-type]
        for record in step.records:
            assert isinstance(record, TokenRecord)
            out[record.request].append(record.token)
    return out


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_a_draft_that_is_the_target_overlaps_wholly(tiny: Transformer, temperature: float) -> None:
    asked = [Request(f"r{at}", (65 + at, 66, 67), 12, Sampling(temperature), at) for at in range(3)]
    (own,) = along(tiny, asked, [ModelDrafter("itself", tiny)])
    alpha, error, tokens = pooled(own)
    assert tokens == 3 * 11
    assert alpha == pytest.approx(1.0, abs=1e-9)
    assert error == pytest.approx(0.0, abs=1e-9)
    assert all(chance == pytest.approx(1.0, abs=1e-9) for each in own for chance in each.chances)


@pytest.mark.parametrize("temperature", [0.0, 0.7, 1.0])
def test_overlaps_equal_plain_arithmetic(temperature: float) -> None:
    """Every drafter, texts of several lengths together, penalties that look at the text."""
    target = ToyModel(random_logits(3, VOCAB), VOCAB, eos_ids=(5,))
    sampling = Sampling(temperature, repetition_penalty=1.3, presence_penalty=0.2)
    asked = requests(5, 9, sampling)
    draft, vocabulary = random_logits(4, VOCAB), (0, 2, 3, 5)

    def law(text: Sequence[int]) -> Tensor | None:
        return None if text[-1] == 4 else torch.softmax(draft(tuple(text)).double(), 0)

    drafters = [
        toy_draft(draft, VOCAB),
        ScriptedDrafter(law),
        reduced_draft(7, vocabulary),
        NGramDrafter("table", toy_table(vocabulary)),
        UniformDrafter(VOCAB),
        LookupDrafter(),
    ]
    found = along(target, asked, drafters)
    answers = texts(target, asked)
    assert {len(text) for text in answers.values()} != {9}
    for drafter, own in zip(drafters, found, strict=True):
        for request, got in zip(asked, own, strict=True):
            text = answers[request.id]
            assert len(got.betas) == len(got.chances) == len(text) - 1
            for at in range(1, len(text)):
                before = (*request.prompt, *text[:at])
                p = slow_law(target.logits(before).tolist(), sampling, request.prompt, text[:at])
                q = draft_law(drafter, before, sampling, request.prompt, text[:at])
                assert got.betas[at - 1] == pytest.approx(np.minimum(p, q).sum(), abs=1e-6)
                expected = min(1.0, q[text[at]] / p[text[at]])
                assert got.chances[at - 1] == pytest.approx(expected, abs=1e-6)


def draft_law(
    drafter: Drafter, before: Sequence[int], sampling: Sampling, prompt: Sequence[int], answer: Sequence[int]
) -> np.ndarray:
    """q over the whole vocabulary, of a drafter that has not seen any text yet."""
    (guess,) = drafter.start(1, 32).guess([0], [list(before)])
    if guess is None:
        return np.zeros(VOCAB)
    logits = np.full(VOCAB, -1e9)
    logits[np.arange(VOCAB) if guess.vocabulary is None else guess.vocabulary.numpy()] = guess.logits
    return np.array(slow_law(logits.tolist(), sampling, prompt, answer))


def noisy(target: ToyModel, wrong: float) -> ScriptedDrafter:
    """Certain of the target's first choice, but for a share of the texts."""

    def law(text: Sequence[int]) -> Tensor:
        best = int(target.logits(tuple(text)).argmax())
        miss = np.random.default_rng([9, *text]).random() < wrong
        return torch.eye(VOCAB).double()[(best + miss) % VOCAB]

    return ScriptedDrafter(law)


def run(model: ToyModel, asked: Sequence[Request], how: Speculative) -> list[RoundRecord]:
    return [record for step in speculate(model, asked, FP32, how) for record in step.rounds]  # type: ignore[arg-type]


@pytest.mark.parametrize("gamma", range(9))
@pytest.mark.parametrize("length", [2, 5, 24])
def test_rounds_of_any_gamma_follow_from_agreement(gamma: int, length: int) -> None:
    """Greedy: number of rounds, and of each what it could draft and what stood, without running them."""
    target = ToyModel(random_logits(11, VOCAB), VOCAB, eos_ids=(5,))
    asked, drafter = requests(6, length), noisy(target, 0.3)
    (own,) = along(target, asked, [drafter])
    rounds = run(target, asked, Speculative(drafter, Fixed(gamma)))
    for request, each in zip(asked, own, strict=True):
        real = [record for record in rounds if record.request == request.id]

        def count(window: int, accepted: int) -> float:
            return 1.0

        def told(window: int, accepted: int) -> float:
            return (window + 1) * 2.0 ** (6 * accepted / 9)

        assert expected_cost(each.chances, gamma, length, count) == len(real)
        windows = [min(gamma, length - record.start - 1) for record in real]
        paid = sum(told(window, record.accepted) for window, record in zip(windows, real, strict=True))
        assert expected_cost(each.chances, gamma, length, told) == pytest.approx(paid, rel=1e-12)


def test_the_oracle_follows_from_agreement() -> None:
    target = ToyModel(random_logits(11, VOCAB), VOCAB)
    asked, drafter = requests(6, 24), noisy(target, 0.3)
    (own,) = along(target, asked, [drafter])
    rounds = run(target, asked, Speculative(drafter, Oracle(8, texts(target, asked))))
    assert all(record.accepted == len(record.drafted) for record in rounds)
    verified = sum(expected_cost(each.chances, 8, 24, lambda window, n: n + 1.0) for each in own)
    assert verified == sum(len(record.drafted) + 1 for record in rounds)


def test_pooled() -> None:
    found = [Overlaps([1.0, 0.0, 0.5]), Overlaps([1.0]), Overlaps([0.25, 0.25])]
    alpha, error, tokens = pooled(found)
    assert (alpha, tokens) == (0.5, 6)
    # Sums less α times counts: 0, .5, -.5; n = 3 texts.
    assert error == pytest.approx((0.5 * 3 / 2) ** 0.5 / 6)
    assert pooled(found[:1]) == (0.5, None, 3)
    with pytest.raises(LabError, match="no token"):
        pooled([Overlaps()])


def test_nan_is_one_message() -> None:
    broken = ToyModel(lambda text: torch.full((VOCAB,), torch.nan), VOCAB)
    with pytest.raises(LabError, match="'r0', token 0: the logits are NaN"):
        along(broken, requests(1, 3), [UniformDrafter(VOCAB)])


def test_rows_do_not_mix() -> None:
    """Each request alone gives the same figures."""
    target = Transformer(tiny_checkpoint(5))
    draft = ModelDrafter("other", Transformer(tiny_checkpoint(6)))
    asked = [Request(f"r{at}", (70 + at,) * (at + 1), 7 + at, Sampling(1.0), at) for at in range(3)]
    (together,) = along(target, asked, [draft])
    for request, own in zip(asked, together, strict=True):
        ((alone,),) = along(target, [request], [draft])
        assert own == alone
