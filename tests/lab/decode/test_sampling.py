import numpy as np
import pytest
import torch

from lab.decode.sampling import GREEDY, Sampling, draw, greedy, law, top
from lab.errors import LabError

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
    ],
)
def test_unusable_settings_are_named(bad: dict[str, float]) -> None:
    (name, value) = next(iter(bad.items()))
    with pytest.raises(LabError, match=f"{name} = {value}"):
        Sampling(**bad)  # type: ignore[arg-type]
