"""The recorded logit is what it says: BF16 factors, exact products, and the sum that the lane gave."""

import numpy as np

from sims.arithmetic import REDUCED_PARTIALS, TENSOR_CORE
from sims.compare import agreement, compare
from sims.exact import fsum
from sims.layer import HIDDEN_BITS, ROW_BITS, bf16_from_hex, logit_products
from sims.orders import CATALOGUE, SEQUENTIAL, split_k


def test_the_factors_are_576_bf16_numbers() -> None:
    for text in (HIDDEN_BITS, ROW_BITS):
        values = bf16_from_hex(text)
        assert values.shape == (576,)
        assert np.isfinite(values).all()
    assert bf16_from_hex("3f80c000").tolist() == [1.0, -2.0]


def test_the_products_are_exact() -> None:
    exact = bf16_from_hex(HIDDEN_BITS) * bf16_from_hex(ROW_BITS)  # 16-bit products, exact in float64
    np.testing.assert_array_equal(logit_products(), exact.astype(np.float32))
    np.testing.assert_array_equal(logit_products().astype(np.float64), exact)


def test_fp32_partials_give_one_logit_and_rounded_partials_several_sums() -> None:
    x = logit_products()
    assert abs(fsum(x) - 34) < 0.125  # half a step of BF16 at 34
    assert len(agreement(compare(x, CATALOGUE, TENSOR_CORE.of_products))) == 1
    rounded = compare(x, (SEQUENTIAL, split_k(2), split_k(4), split_k(8)), REDUCED_PARTIALS.of_products)
    assert len({outcome.accumulated for outcome in rounded}) == 4
