"""Simulated rounds: `python tests/bench/bench_speculation_sims.py`. The last line is a JSON object.

`simulated_rounds_1e6_s`: seconds for 10^6 rounds of 8 drafts on one core, the slowest of three kinds of
acceptance, each the best of five. `speedup_slider_s`: median seconds from moving α to the new curve of
speedups in Chromium; it needs the browser of tests/browser (see harness.py).
"""

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from sims.rounds import Rounds, simulate, simulate_streaks
from tests.browser import harness
from tests.browser.timing import Watched, slider_seconds

ROUNDS, GAMMA, RUNS = 10**6, 8, 5
CASES: dict[str, Callable[[], Rounds]] = {
    "independent": lambda: simulate([0.8] * GAMMA, ROUNDS),
    "by position": lambda: simulate([0.9 - 0.05 * i for i in range(GAMMA)], ROUNDS),
    "in streaks": lambda: simulate_streaks(0.8, 0.6, GAMMA, ROUNDS),
}
SLIDER = Watched(
    "Acceptance rate α", """document.querySelector(".st-key-speedup-gain .scatterlayer").innerHTML"""
)


def seconds(case: Callable[[], Rounds]) -> float:
    start = time.perf_counter()
    assert len(case().accepted) == ROUNDS
    return time.perf_counter() - start


def slider() -> float:
    with harness.served() as address, harness.browser() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 900}, locale="en-US")
        harness.go(page, address, "speedup")
        page.locator(".st-key-speedup-gain .scatterlayer").wait_for()
        return slider_seconds(page, SLIDER)


def main() -> None:
    best = {name: min(seconds(case) for _ in range(RUNS)) for name, case in CASES.items()}
    for name, value in best.items():
        print(f"{name:>12} {value:6.3f} s")
    figures = {"simulated_rounds_1e6_s": max(best.values()), "speedup_slider_s": slider()}
    print(json.dumps({name: round(value, 3) for name, value in figures.items()}))


if __name__ == "__main__":
    main()
