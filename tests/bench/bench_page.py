"""Live runs with each page's own settings, and a slider, in a real browser on this machine.

Run: `.venv/bin/python tests/bench/bench_page.py`. The last line is one JSON object:

- `live_run_s`: page of neighbours, from the press of Run to the end of 48 tokens alone and 48 beside seven
  neighbours, with the model loaded (median of 3); `first_run_s`: in a new server, loading included;
  `progress_s`: from the press to the first sign of progress
- `gate_run_s` (8 rows x 32 tokens), `flips_run_s`, `determinism_run_s`: the same for those pages, one run
- `gate_slider_s`: from a move of the gate's threshold to the last picture (median of 15)
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from playwright.sync_api import Page, expect

from tests.browser import harness
from tests.browser.timing import GATE, slider_seconds

PATIENCE = 180_000  # ms


def run(page: Page, panel: str) -> tuple[float, float]:
    """Press Run; seconds to the first progress, and to the end."""
    start = time.perf_counter()
    page.locator(f".st-key-{panel}-run-begin button").click()
    expect(page.get_by_test_id("stProgress")).to_be_visible(timeout=PATIENCE)
    progress = time.perf_counter() - start
    page.wait_for_selector(f".st-key-{panel}-run-stop", state="detached", timeout=PATIENCE)
    return progress, time.perf_counter() - start


def main() -> None:
    with harness.served() as address, harness.browser() as browser:
        page = browser.new_context(locale="en-US").new_page()
        harness.go(page, address, "neighbours")
        runs = [run(page, "neighbours") for _ in range(4)]
        others = {}
        for panel in ("gate", "flips", "determinism"):
            harness.go(page, address, panel)
            others[panel] = run(page, panel)[1]
        harness.go(page, address, "gate")
        page.locator(".st-key-gate-curve .scatterlayer").wait_for()
        gate_slider = slider_seconds(page, GATE)
    for progress, total in runs:
        print(f"progress after {progress:.2f} s, done after {total:.2f} s")
    figures = {
        "live_run_s": statistics.median(total for _, total in runs[1:]),
        "first_run_s": runs[0][1],
        "progress_s": max(progress for progress, _ in runs),
        **{f"{panel}_run_s": seconds for panel, seconds in others.items()},
        "gate_slider_s": gate_slider,
    }
    print(json.dumps({name: round(value, 2) for name, value in figures.items()}))


if __name__ == "__main__":
    main()
