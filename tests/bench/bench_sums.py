"""Sums at speed: `python tests/bench/bench_sums.py`. The last line is one JSON object.

`orders_1e5_s`: seconds for 10^5 random orders of 1,024 addends, the slowest of the arithmetics, each
the best of three runs, drawing the orders included. `slider_s`: median seconds from moving the step
slider of the page on sum orders to its new picture in Chromium, for the slowest of three stories; it
needs the browser of tests/browser (see harness.py).
"""

import json
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from sims.arithmetic import ARITHMETICS, Arithmetic
from sims.spread import spread
from tests.browser import harness
from tests.browser.timing import SUM_ORDER, slider_seconds

ORDERS, ADDENDS, RUNS = 100_000, 1_024, 3
STORIES = {  # the smallest, one whose tree follows the slider, and the longest
    "associativity": {},
    "tenth": {"sum-order-story": "tenth", "sum-order-walk": "pairwise"},
    "layer": {"sum-order-story": "layer", "sum-order-accumulator": "fp32", "sum-order-products": "true"},
}


def seconds(addends: np.ndarray, arithmetic: Arithmetic) -> float:
    """Wall time of one spread over ORDERS random orders."""
    start = time.perf_counter()
    result = spread(addends, ORDERS, seed=0, arithmetic=arithmetic)
    elapsed = time.perf_counter() - start
    assert result.counts.sum() == ORDERS
    return elapsed


def slider() -> dict[str, float]:
    """Median seconds from the slider to the picture, by story."""
    found = {}
    with harness.served() as address, harness.browser() as browser:
        for story, link in STORIES.items():
            page = browser.new_page(viewport={"width": 1280, "height": 900}, locale="en-US")
            harness.go(page, address, "sum-order", **link)
            page.wait_for_selector(".js-plotly-plot .scatterlayer .point")
            found[story] = slider_seconds(page, SUM_ORDER)
            page.close()
    return found


def main() -> None:
    addends = np.random.default_rng(0).normal(size=ADDENDS)
    best = {key: min(seconds(addends, kind) for _ in range(RUNS)) for key, kind in ARITHMETICS.items()}
    waits = slider()
    for key, value in (best | waits).items():
        print(f"{key:>18} {value:7.3f} s")
    print(
        json.dumps({"orders_1e5_s": round(max(best.values()), 3), "slider_s": round(max(waits.values()), 3)})
    )


if __name__ == "__main__":
    main()
