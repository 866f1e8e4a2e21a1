import numpy as np
import pytest

from sims.arithmetic import REDUCED_PARTIALS, TENSOR_CORE, products
from sims.errors import InputError
from sims.formats import BF16
from sims.kernels import SplitTable
from sims.logits import logit_spacing, logits_by_batch
from sims.orders import split_k, sums
from sims.trees import SplitK

TABLE = SplitTable(((1, 8), (8, 4)))


def test_logits_are_the_sums_of_their_products() -> None:
    rng = np.random.default_rng(0)
    hidden, rows = rng.normal(size=576), rng.normal(size=(5, 576))
    steps = logits_by_batch(hidden, rows, [1, 4, 8, 64], TABLE.shape, REDUCED_PARTIALS)
    assert [step.batch for step in steps] == [1, 4, 8, 64]
    assert [step.shape for step in steps] == [SplitK(8), SplitK(4), SplitK(4), SplitK(1)]
    for step in steps:
        addends = products(rows, hidden, REDUCED_PARTIALS)
        expected = sums(addends, split_k(TABLE.splits(step.batch)), REDUCED_PARTIALS.of_products)
        np.testing.assert_array_equal(step.logits, expected)
        assert step.first == int(np.argmax(step.logits))
        assert step.margin == np.sort(step.logits)[-1] - np.sort(step.logits)[-2]


def test_a_batch_can_turn_a_margin_into_a_tie_and_a_tie_into_a_swap() -> None:
    """257 lies half-way between BF16 neighbours; tiny addends decide, if they survive."""
    tiny = 2.0**-17
    hidden = np.ones(6)
    rows = [[256, 0, 0, 0, 0, 0], [256, 1, tiny, tiny, tiny, tiny]]
    one, many = logits_by_batch(hidden, rows, [1, 64], SplitTable(((1, 2),)).shape)
    assert many.tied
    assert (many.first, many.second, many.margin) == (0, 1, 0)
    assert not one.tied
    assert (one.first, one.margin) == (1, 2)
    assert many.accumulated.tolist() == [256, 257]


def test_equal_rows_tie_and_the_lower_id_wins() -> None:
    rows = np.random.default_rng(1).normal(size=(1, 64)).repeat(3, axis=0)
    for step in logits_by_batch(rows[0], rows, [1, 2], TABLE.shape, TENSOR_CORE):
        assert (step.first, step.second, step.tied) == (0, 1, True)


def test_shapes_that_do_not_fit_are_refused() -> None:
    for hidden, rows in (
        (np.ones(3), np.ones((2, 4))),
        (np.ones(3), np.ones((1, 3))),
        (np.ones(3), np.ones(3)),
    ):
        with pytest.raises(InputError, match="shape"):
            logits_by_batch(hidden, rows, [1], TABLE.shape)


def test_logits_of_16_to_32_sit_on_an_eighth() -> None:
    assert [logit_spacing(v, BF16) for v in (8.0, 16.0, 31.8, 32.0)] == [0.0625, 0.125, 0.125, 0.25]
