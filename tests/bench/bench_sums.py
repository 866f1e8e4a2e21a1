"""How long 10^5 random orders of 1,024 addends take: `python tests/bench/bench_sums.py`.

The last line is one JSON object; `orders_1e5_s` (seconds) is the slowest of the arithmetics, each
the best of three runs, drawing the orders included.
"""

import json
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from sims.arithmetic import ARITHMETICS, Arithmetic
from sims.spread import spread

ORDERS, ADDENDS, RUNS = 100_000, 1_024, 3


def seconds(addends: np.ndarray, arithmetic: Arithmetic) -> float:
    """Wall time of one spread over ORDERS random orders."""
    start = time.perf_counter()
    result = spread(addends, ORDERS, seed=0, arithmetic=arithmetic)
    elapsed = time.perf_counter() - start
    assert result.counts.sum() == ORDERS
    return elapsed


def main() -> None:
    addends = np.random.default_rng(0).normal(size=ADDENDS)
    best = {key: min(seconds(addends, kind) for _ in range(RUNS)) for key, kind in ARITHMETICS.items()}
    for key, value in best.items():
        print(f"{key:>18} {value:7.3f} s")
    print(json.dumps({"orders_1e5_s": round(max(best.values()), 3)}))


if __name__ == "__main__":
    main()
