"""Each story shows what it is there to show."""

import numpy as np

from sims.arithmetic import ALL_FP32
from sims.compare import compare
from sims.orders import CATALOGUE, PAIRWISE, SEQUENTIAL, split_k, sums
from sims.parse import finite_values, parse_list
from sims.stories import STORIES, linspace_products

RESULTS = {
    "associativity": {"sequential": 256, "reversed": 258},
    "tenth": {"sequential": 1.0078125, "pairwise": 1, "kahan": 1},
    "swallowed": {"sequential": 256, "pairwise": 512, "split_8": 512, "kahan": 512},
    "cancellation": {"sequential": 1, "reversed": 2, "pairwise": 1, "neumaier": 2},
    "kahan_fails": {"sequential": 0, "kahan": 0, "neumaier": 2},
    "small_first": {"descending": 1024, "ascending": 1088, "pairwise": 1080},
    "tie_break": {"sequential": 256, "reversed": 258, "split_2": 258},
}


def test_every_story_ends_as_told() -> None:
    assert [story.key for story in STORIES] == list(RESULTS)
    for story in STORIES:
        addends = finite_values(parse_list(" ".join(story.addends)))
        outcomes = compare(addends, story.orders, story.arithmetic)
        assert {o.order.key: o.result.value for o in outcomes} == RESULTS[story.key]


def test_the_linspace_product_shows_its_order() -> None:
    x = linspace_products(512)
    assert x.shape == (512,)
    full = np.linspace(-1000, 1000, 512 * 512, dtype=np.float32).reshape(512, 512)
    np.testing.assert_array_equal(x, full[0] * full[:, 0])
    results = {float(sums(x, order, ALL_FP32)) for order in (SEQUENTIAL, PAIRWISE, split_k(4))}
    assert max(results) - min(results) > 1
    assert len({o.result.bits for o in compare(x, CATALOGUE, ALL_FP32)}) > 5
