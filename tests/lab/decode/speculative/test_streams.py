"""Random numbers: three separate streams a request, and the law that real draws give."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pytest
import torch

from lab.decode.batching import Step, decode
from lab.decode.requests import Request
from lab.decode.sampling import Draws, Sampling
from lab.decode.speculative.drafters import Drafter, LookupDrafter, ModelDrafter, ScriptedDrafter
from lab.decode.speculative.how import Speculative
from lab.decode.speculative.policy import Fixed
from lab.decode.speculative.rounds import speculate
from lab.models.transformer import Transformer
from lab.numerics.lanes import FP32
from lab.records import TokenRecord
from tests.lab.decode.speculative.reference import answer_law
from tests.lab.decode.speculative.tiny_drafts import drafters
from tests.lab.decode.speculative.toy import ToyModel, random_logits, toy_draft

WARM = Sampling(0.9, top_k=50, repetition_penalty=1.2)


def plain_parts(steps: Iterable[Step]) -> list[tuple[TokenRecord, torch.Tensor]]:
    """Token records without their times, and the logits that each was chosen from."""
    return [
        (replace(record, seconds=0.0), step.logits[record.request])
        for step in steps
        for record in step.records
        if isinstance(record, TokenRecord)
    ]


def same(a: list[tuple[TokenRecord, torch.Tensor]], b: list[tuple[TokenRecord, torch.Tensor]]) -> bool:
    return [r for r, _ in a] == [r for r, _ in b] and all(
        torch.equal(x, y) for (_, x), (_, y) in zip(a, b, strict=True)
    )


def requests(count: int = 3) -> list[Request]:
    return [Request(f"r{i}", (65 + i, 70, 80), 15, WARM, seed=i, ignore_eos=True) for i in range(count)]


@pytest.mark.parametrize("drafter", ["model", "lookup"])
def test_no_window_is_plain_sampling_bit_for_bit(tiny: Transformer, drafter: str) -> None:
    how = Speculative(drafters()[drafter], Fixed(0))
    speculative = plain_parts(speculate(tiny, requests(), FP32, how))
    assert same(speculative, plain_parts(decode(tiny, requests(), FP32)))


@pytest.mark.parametrize("gamma", [1, 4, 8])
def test_where_nothing_is_drafted_gamma_changes_nothing(tiny: Transformer, gamma: int) -> None:
    how = Speculative(ScriptedDrafter(lambda text: None), Fixed(gamma))
    speculative = plain_parts(speculate(tiny, requests(), FP32, how))
    assert same(speculative, plain_parts(decode(tiny, requests(), FP32)))


@pytest.mark.parametrize("drafter", ["model", "reduced", "lookup"])
def test_a_row_does_not_depend_on_its_neighbours(tiny: Transformer, drafter: str) -> None:
    how = Speculative(drafters()[drafter], Fixed(3))
    together = plain_parts(speculate(tiny, requests(), FP32, how, max_batch=2))
    for request in requests():
        alone = plain_parts(speculate(tiny, [request], FP32, how))
        mine = [(r, logits) for r, logits in together if r.request == request.id]
        assert [r.token for r, _ in alone] == [r.token for r, _ in mine]


def test_a_seed_repeats_and_another_does_not(tiny: Transformer) -> None:
    how = Speculative(drafters()["model"], Fixed(3))
    first, again, other = (
        [r.token for r, _ in plain_parts(speculate(tiny, [replace(requests(1)[0], seed=seed)], FP32, how))]
        for seed in (1, 1, 2)
    )
    assert first == again != other


def test_streams_do_not_move_one_another() -> None:
    p = torch.full((1000,), 1e-3, dtype=torch.float64)
    alone, mixed = Draws(5), Draws(5)
    tokens = [alone.token(p) for _ in range(50)]
    proposals = [alone.proposal(p) for _ in range(50)]
    tests = [alone.test() for _ in range(50)]
    for i in range(50):
        assert mixed.test() == tests[i]
        assert mixed.token(p) == tokens[i]
        assert mixed.proposal(p) == proposals[i]


def test_streams_are_unlike() -> None:
    """No two of the three, nor of neighbouring seeds, correlate: |r| < 0.05 over 10,000 numbers of each.

    15 pairs with a standard error of 0.01: false alarm below 1e-5.
    """
    p = torch.full((4096,), 1 / 4096, dtype=torch.float64)
    streams = []
    for seed in (0, 1):
        draws = Draws(seed)
        streams += [
            [draws.token(p) for _ in range(10_000)],
            [draws.proposal(p) for _ in range(10_000)],
            [4096 * draws.test() for _ in range(10_000)],
        ]
    correlations = np.corrcoef(np.array(streams)) - np.eye(6)
    assert np.abs(correlations).max() < 0.05


def chi_square(counts: Counter[tuple[int, ...]], law: dict[tuple[int, ...], float], runs: int) -> float:
    assert counts.keys() <= law.keys()
    return sum((counts[key] - runs * p) ** 2 / (runs * p) for key, p in law.items())


@pytest.mark.parametrize("drafter", ["model", "lookup"])
def test_real_draws_follow_the_law(drafter: str) -> None:
    """2,000 seeds, answers of 3 tokens over 3: the enumeration leaves out only the numbers themselves.

    χ² with 26 degrees of freedom exceeds 80 with probability 2e-7, so a false alarm is below 1e-6.
    """
    runs, vocab = 2000, 3
    logits = random_logits(51, vocab, spread=0.7)
    target = ToyModel(logits, vocab)
    choices: dict[str, Drafter] = {
        "model": toy_draft(random_logits(52, vocab), vocab),
        "lookup": LookupDrafter(),
    }
    asked = [Request(str(seed), (0, 1, 0), 3, Sampling(1.0), seed=seed) for seed in range(runs)]
    how = Speculative(choices[drafter], Fixed(2))
    answers: dict[str, list[int]] = {request.id: [] for request in asked}
    for step in speculate(target, asked, FP32, how, max_batch=250):  # type: ignore[arg-type]
        for record in step.records:
            assert isinstance(record, TokenRecord)
            answers[record.request].append(record.token)
    law = {tokens: p for (tokens, _), p in answer_law(logits, asked[0], ()).items()}
    assert len(law) == 27
    assert min(law.values()) * runs > 5
    assert chi_square(Counter(map(tuple, answers.values())), law, runs) < 80


@pytest.mark.parametrize(
    "sampling",
    [
        Sampling(0.8),
        Sampling(1.0, top_k=5),
        Sampling(1.3, top_p=0.8),
        Sampling(1.0, min_p=0.1),
        Sampling(0.0, repetition_penalty=1.5),
        Sampling(1.0, repetition_penalty=1.5, frequency_penalty=0.4, presence_penalty=0.7),
        Sampling(1.0, logit_bias=((65, 3.0),), banned=(66, 67)),
    ],
)
def test_both_laws_have_the_same_transform(tiny: Transformer, sampling: Sampling) -> None:
    """The target as its own draft: p = q at every position, so every drafted token stands."""
    asked = [replace(request, sampling=sampling) for request in requests(2)]
    how = Speculative(ModelDrafter("itself", tiny), Fixed(4), keep_laws=5)
    rounds = [record for step in speculate(tiny, asked, FP32, how) for record in step.rounds]
    for record in rounds:
        assert record.accepted == len(record.drafted)
        for each in record.drafted:
            assert each.p_target == each.p_draft
            assert each.law is not None
            assert each.law.beta == pytest.approx(1.0, abs=1e-12)
