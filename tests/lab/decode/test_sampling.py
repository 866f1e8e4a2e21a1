from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from lab.decode.sampling import GREEDY, Context, Sampling, draw, greedy, law, law_after, top
from lab.errors import LabError
from tests.lab.decode.speculative.reference import slow_law

LOGITS = torch.tensor([1.0, 3.0, 2.0, 3.0, -1.0])


def test_zero_temperature_is_one_hot_on_the_lowest_of_equals() -> None:
    assert law(LOGITS, GREEDY).tolist() == [0, 1, 0, 0, 0]
    assert law(torch.tensor([1.0, 1.0, 0.0]), GREEDY).tolist() == [1, 0, 0]


@pytest.mark.parametrize("lane_dtype", [torch.float32, torch.bfloat16])
def test_tie_goes_to_token_0_alone_and_beside_random_rows(lane_dtype: torch.dtype) -> None:
    row = torch.tensor([1.0, 1.0, 0.0], dtype=lane_dtype)
    assert int(greedy(row)) == 0
    for n in range(1, 40):
        batch = torch.randn(n, 3).to(lane_dtype)
        batch[n // 2] = row
        assert int(greedy(batch)[n // 2]) == 0
        assert int(top(batch, 2)[1][n // 2, 0]) == 0


@pytest.mark.parametrize(
    ("sampling", "expected"),
    [
        (Sampling(1.0), np.exp(LOGITS.double().numpy())),
        (Sampling(2.0), np.exp(LOGITS.double().numpy() / 2)),
        (Sampling(1.0, top_k=2), np.exp([-np.inf, 3, -np.inf, 3, -np.inf])),
        (Sampling(1.0, top_k=1), np.exp([-np.inf, 3, -np.inf, -np.inf, -np.inf])),
        (Sampling(1.0, top_k=99), np.exp(LOGITS.double().numpy())),
        (Sampling(1.0, top_p=0.5), np.exp([-np.inf, 3, -np.inf, 3, -np.inf])),
        (Sampling(1.0, top_p=0.39), np.exp([-np.inf, 3, -np.inf, -np.inf, -np.inf])),
        (Sampling(1.0, top_p=1.0), np.exp(LOGITS.double().numpy())),
        (Sampling(1.0, min_p=0.3), np.exp([-np.inf, 3, 2, 3, -np.inf])),
        (Sampling(1.0, min_p=1.0), np.exp([-np.inf, 3, -np.inf, 3, -np.inf])),
    ],
)
def test_law(sampling: Sampling, expected: np.ndarray) -> None:
    """Against the definition, written out by hand for five tokens with a tie for the first place."""
    assert np.allclose(law(LOGITS, sampling).numpy(), expected / expected.sum(), atol=1e-12)


def test_draw_inverts_the_cumulative_sum() -> None:
    p = torch.tensor([0.0, 0.25, 0.0, 0.75, 0.0], dtype=torch.float64)
    assert [draw(p, u) for u in (0.0, 0.2499, 0.25, 0.9, 1 - 2**-53)] == [1, 1, 3, 3, 3]


def test_draw_is_as_fine_as_its_number() -> None:
    """A step of FP32 near 0.7 is 6e-8: both numbers are the same there."""
    p = torch.tensor([0.7 - 1e-9, 2e-9, 0.3 - 1e-9], dtype=torch.float64)
    assert [draw(p, u) for u in (0.7 - 2e-9, 0.7, 0.7 + 2e-9)] == [0, 1, 2]


def test_draw_follows_the_law() -> None:
    """100,000 draws; each frequency within 5 standard errors: 5 tokens, false alarm below 3e-6."""
    p = law(torch.randn(5, generator=torch.Generator().manual_seed(2)), Sampling(1.0))
    uniforms = np.random.default_rng(3).random(100_000)
    counts = np.bincount([draw(p, u) for u in uniforms], minlength=5) / 100_000
    assert np.all(np.abs(counts - p.numpy()) < 5 * np.sqrt(p.numpy() * (1 - p.numpy()) / 100_000))


def test_top_orders_equals_by_id_even_across_the_cut() -> None:
    generator = torch.Generator().manual_seed(4)
    for _ in range(200):
        logits = torch.randint(0, 6, (3, 40), generator=generator).float()
        values, ids = top(logits, 5)
        for row in range(3):
            expected = sorted(range(40), key=lambda i: (-float(logits[row, i]), i))[:5]
            assert ids[row].tolist() == expected
            assert values[row].tolist() == [float(logits[row, i]) for i in expected]
    assert top(torch.tensor([[2.0, 1.0]]), 5)[1].tolist() == [[0, 1]]


@pytest.mark.parametrize(
    "bad",
    [
        {"temperature": -1.0},
        {"temperature": float("nan")},
        {"temperature": float("inf")},
        {"top_k": 0},
        {"top_p": 0.0},
        {"top_p": 1.5},
        {"min_p": -0.1},
        {"min_p": 2.0},
        {"repetition_penalty": 0.0},
        {"repetition_penalty": float("inf")},
        {"frequency_penalty": float("nan")},
        {"presence_penalty": float("inf")},
    ],
)
def test_unusable_settings_are_named(bad: dict[str, float]) -> None:
    (name, value) = next(iter(bad.items()))
    with pytest.raises(LabError, match=f"{name} = {value}"):
        Sampling(**bad)  # type: ignore[arg-type]


def draw_sampling(draw: st.DrawFn) -> Sampling:
    """Each setting off or on, all kinds together."""
    tokens = st.integers(0, 4)
    number = st.floats(-2, 2).map(lambda x: round(x, 2))
    return Sampling(
        temperature=draw(st.sampled_from([0.0, 0.5, 1.0, 1.7])),
        top_k=draw(st.none() | st.integers(1, 6)),
        top_p=draw(st.none() | st.sampled_from([0.31, 0.62, 0.93, 1.0])),
        min_p=draw(st.none() | st.sampled_from([0.0, 0.07, 0.33])),
        repetition_penalty=draw(st.sampled_from([1.0, 0.6, 1.9])),
        frequency_penalty=draw(number),
        presence_penalty=draw(number),
        logit_bias=tuple(draw(st.lists(st.tuples(tokens, number), max_size=3))),
        banned=tuple(draw(st.lists(tokens, max_size=3))),
    )


@st.composite
def situations(draw: st.DrawFn) -> tuple[Tensor, Sampling, Context]:
    seed = draw(st.integers(0, 10_000))
    texts = st.lists(st.integers(0, 4), max_size=6)
    logits = torch.randn(5, generator=torch.Generator().manual_seed(seed)) * 2
    return logits, draw_sampling(draw), Context(draw(texts), draw(texts))


@given(situations())
def test_law_after_a_context_by_definition(situation: tuple[Tensor, Sampling, Context]) -> None:
    """Against a slow reference that takes one token after the other."""
    logits, sampling, context = situation
    before = logits.clone()
    got = law_after(logits, sampling, context)
    assert got is not None
    expected = slow_law(logits.tolist(), sampling, context.prompt, context.answer)
    assert got.tolist() == pytest.approx(expected, rel=0, abs=1e-12)
    assert torch.equal(logits, before)


@given(situations(), st.sets(st.integers(0, 4), min_size=1))
def test_law_over_a_part_of_the_vocabulary(
    situation: tuple[Tensor, Sampling, Context], part: set[int]
) -> None:
    """The law of the part alone: that of the whole vocabulary, with all other tokens banned."""
    logits, sampling, context = situation
    ids = sorted(part)
    got = law_after(logits[ids], sampling, context, torch.tensor(ids))
    others = tuple(token for token in range(5) if token not in part)
    if set(ids) <= set(sampling.banned):
        assert got is None
        return
    assert got is not None
    whole = replace(sampling, banned=(*sampling.banned, *others))
    expected = slow_law(logits.tolist(), whole, context.prompt, context.answer)
    assert got.tolist() == pytest.approx([expected[token] for token in ids], rel=0, abs=1e-12)


def test_penalties_by_hand() -> None:
    """Token 0 stood in the prompt, token 1 twice in the answer, token 2 in both, token 3 in neither."""
    logits = torch.tensor([2.0, -2.0, 2.0, 2.0])
    context = Context([0, 2], [1, 1, 2])
    scores = [
        (Sampling(1.0, repetition_penalty=2.0), [1.0, -4.0, 1.0, 2.0]),
        (Sampling(1.0, frequency_penalty=0.5), [2.0, -3.0, 1.5, 2.0]),
        (Sampling(1.0, presence_penalty=0.5), [2.0, -2.5, 1.5, 2.0]),
        (Sampling(1.0, logit_bias=((3, 1.0), (3, 1.0))), [2.0, -2.0, 2.0, 4.0]),
        (Sampling(1.0, banned=(0, 2)), [-torch.inf, -2.0, -torch.inf, 2.0]),
    ]
    for sampling, adjusted in scores:
        got = law_after(logits, sampling, context)
        assert got is not None
        assert torch.allclose(got, torch.softmax(torch.tensor(adjusted).double(), 0), atol=1e-12, rtol=0)


def test_a_tie_after_penalties_goes_to_the_lowest_token() -> None:
    got = law_after(torch.tensor([4.0, 2.0, 2.0]), Sampling(0.0, repetition_penalty=2.0), Context([0], []))
    assert got is not None
    assert got.tolist() == [1, 0, 0]


def test_where_all_is_banned_there_is_no_law() -> None:
    assert law_after(torch.zeros(2), Sampling(1.0, banned=(0, 1)), Context([0], [])) is None


@pytest.mark.parametrize("adjusts", [Sampling(), Sampling(0.7, 5, 0.9, 0.1)])
def test_what_changes_no_logit_is_told(adjusts: Sampling) -> None:
    assert not adjusts.adjusts
    assert replace(adjusts, repetition_penalty=1.1).adjusts
    assert replace(adjusts, presence_penalty=-0.1).adjusts
    assert replace(adjusts, frequency_penalty=0.1).adjusts
    assert replace(adjusts, logit_bias=((0, 0.0),)).adjusts
    assert replace(adjusts, banned=(3,)).adjusts


@pytest.mark.parametrize("temperature", [1e-308, 5e-324])
def test_the_smallest_temperatures_give_a_law(temperature: float) -> None:
    assert law(torch.tensor([20.0, 1.0]), Sampling(temperature)).tolist() == [1.0, 0.0]


def test_settings_may_name_tokens_that_a_smaller_draft_lacks() -> None:
    sampling = Sampling(1.0, banned=(5,), logit_bias=((4, 1.0),), repetition_penalty=2.0)
    got = law_after(torch.zeros(3), sampling, Context([5], [4]))
    assert got is not None
    assert got.tolist() == pytest.approx([1 / 3] * 3)


@pytest.mark.parametrize(
    "wrong",
    [
        {"repetition_penalty": 1e-308},
        {"frequency_penalty": -1e308},
        {"presence_penalty": float("nan")},
        {"logit_bias": ((7, float("inf")),)},
    ],
)
def test_penalties_that_make_no_law_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(LabError, match=next(iter(wrong))):
        Sampling(**wrong)
