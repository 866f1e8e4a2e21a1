"""Flips, and every way of stopping them, on SmolLM2-135M in emulated BF16: what is equal, and what it costs.

Run: `.venv/bin/python tests/bench/bench_gate.py [--part identity|latency] [--prompts N] [--tokens N]`; all
of it takes about an hour on 2 cores. The last line is one JSON object, with `_` for `-` in names.

Identity: τ is the smallest that catches every flip of 64 calibration prompts; the figures are of 64 others,
64 tokens each, at batch shapes 1, 2, 4, 8, 16, 32. Shapes 8, 16 and 32 are real batches whose neighbours
change: requests arrive one by one and leave as they end, so a batch grows and shrinks while a prompt decodes.
Shapes 1, 2 and 4 are schedules of that size in wider passes (the tests hold them against real batches).
- `flip_percent`: teacher-forced on the run alone in BF16, over all shapes; `tau`, `epsilon`,
  `catch_percent` and `escape_bound_percent` (upper 95 %, of steps) of that τ on the report prompts
- `<strategy>_identical_percent`: sequences that are the same at all shapes *and* the FP32 reference's;
  `<strategy>_same_percent`: the same at all shapes, whatever they are
- `<strategy>_trigger_row_percent`, `<strategy>_trigger_step_percent`: tokens, and steps of real batches of 8,
  that asked for a look

Latency: seconds a token beyond BF16 alone, in real batches of 1, 8 and 32, medians over rounds in which the
strategies take turns. For replay the best gate of a few, for windows the best of 16, 32 and 64.
- `increment_vs_every_step_b<B>`: replay's increment over that of verifying every step (the aim is 1/2.23 =
  0.45 or less; below 0 replay is faster than BF16 alone, for its passes give tokens too and FP32 is no
  slower here than emulated BF16); `increment_vs_window_b<B>`: over the best window's
- `queued_vs_every_step_b<B>`, `queued_vs_window_b<B>`, `margingate_vs_every_step_b<B>`: the same of the
  paper's policy with a queue, and without; `no_bonus_vs_every_step_b<B>`: of replay whose passes give no
  token beyond those that they verify
- `<strategy>_increment_ms_b<B>`: the increments themselves
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from lab.decode.margingate.calibrate import caught, observed
from lab.decode.margingate.compare import Sequences, increment, measure, reference_run, summarise, warm_up
from lab.decode.margingate.settings import FlipSettings, requests_of, start_flips
from lab.decode.margingate.strategies import WINDOWS, Gate, Replay, Strategy, strategies
from lab.decode.prompt_set import Prompt, built_in, calibration_and_report
from lab.decode.requests import Request
from lab.models.loaded import LoadedModel, load_model
from lab.numerics.lanes import bf16_emulated
from lab.records import FlipRecord, StrategyRecord

SHAPES = (1, 2, 4, 8, 16, 32)
REAL = (8, 16, 32)
LATENCY = {1: 2, 8: 16, 32: 32}  # prompts of each batch size
Figures = dict[str, float]


def flips(loaded: LoadedModel, prompts: Sequence[Prompt], tokens: int, base: str) -> list[FlipRecord]:
    settings = FlipSettings(tuple(prompts), SHAPES, tokens, base)
    _, records = start_flips(settings, lambda: loaded)
    return [record for record in records if isinstance(record, FlipRecord)]


def reference(loaded: LoadedModel, requests: list[Request], strategy: Strategy) -> Sequences:
    run = reference_run(loaded.transformer, requests, strategy.reference)
    while True:
        try:
            next(run)
        except StopIteration as end:
            return dict(end.value)


def one(
    loaded: LoadedModel,
    requests: list[Request],
    strategy: Strategy,
    batch: int,
    expected: Sequences,
    real: bool,
) -> StrategyRecord:
    records = measure(loaded.transformer, requests, strategy, batch, expected, emulate=not real)
    record = next(each for each in records if isinstance(each, StrategyRecord))
    equal = f"{sum(record.equal)} of {len(record.equal)} equal"
    print(f"  {strategy.name} at {batch}: {equal}, {record.seconds:.0f} s", flush=True)
    return record


def staggered(requests: list[Request], batch: int) -> list[Request]:
    """The first batch arrives one request every other step; the others wait for a free row."""
    return [replace(r, arrives=2 * min(at, batch)) for at, r in enumerate(requests)]


def percent(part: float, whole: float = 1.0) -> float:
    return round(100 * part / whole, 2)


def identity(loaded: LoadedModel, prompts: int, tokens: int) -> Figures:
    calibration, report = (half[:prompts] for half in calibration_and_report(built_in()))
    print("Calibration", flush=True)
    tau = observed(flips(loaded, calibration, tokens, "fp32")).catching
    print("Report", flush=True)
    held_out = flips(loaded, report, tokens, "fp32")
    alone = observed(flips(loaded, report, tokens, "bf16-solo"))
    gate = caught(held_out, tau)
    figures = {
        "flip_percent": percent(sum(alone.flipped), len(alone.flipped)),
        "tau": tau,
        "epsilon": round(observed(held_out).epsilon, 3),
        "catch_percent": percent(gate.catch_rate),
        "escape_bound_percent": percent(gate.escape_bound),
    }
    print(figures, flush=True)
    requests = requests_of(report, tokens, loaded)
    chosen = strategies(bf16_emulated(), tau=tau)
    expected = reference(loaded, requests, chosen["fp32"])
    for name, strategy in chosen.items():
        records = []
        for batch in SHAPES:
            real = batch in REAL
            asked = staggered(requests, batch) if real else requests
            records.append(one(loaded, asked, strategy, batch, expected, real))
        figures |= _identity_figures(name, records)
        print(json.dumps(figures), flush=True)
    return figures


def _identity_figures(name: str, records: Sequence[StrategyRecord]) -> Figures:
    (summary,) = summarise(records)
    eight = next(record for record in records if record.batch == 8)
    key = name.replace("-", "_")
    return {
        f"{key}_identical_percent": percent(summary.equal),
        f"{key}_same_percent": percent(summary.identical),
        f"{key}_trigger_row_percent": percent(summary.trigger_rows),
        f"{key}_trigger_step_percent": percent(eight.asked_steps, eight.steps),
    }


def gates(tau: float, batch: int) -> dict[str, Gate]:
    """Gates worth trying for replay: rows alone are looked at when flagged, many rows fill a pass first."""
    sizes = {1: ((64, 1), (8, 1)), 8: ((8, 48), (16, 32)), 32: ((8, 64), (16, 128))}
    return {f"replay-{window}-{size}": Gate(tau, window, size) for window, size in sizes[batch]}


def latency(loaded: LoadedModel, tokens: int, tau: float, rounds: int) -> Figures:
    fast = bf16_emulated()
    figures: Figures = {}
    for batch, count in LATENCY.items():
        prompts = calibration_and_report(built_in())[1][:count]
        requests = requests_of(prompts, tokens, loaded)
        chosen = strategies(fast, tau=tau)
        names = ("bf16", "every-step", *(f"window-{w}" for w in WINDOWS), "margingate", "margingate-queued")
        tried = {name: chosen[name] for name in names} | {
            name: Strategy(name, fast, Replay(gate)) for name, gate in gates(tau, batch).items()
        }
        plain = next(iter(gates(tau, batch).values()))
        tried["no-bonus"] = Strategy("no-bonus", fast, Replay(plain, bonus=False))
        expected = reference(loaded, requests, chosen["fp32"])
        warm_up(loaded.transformer, [fast, chosen["fp32"].lane], [batch])
        taken: dict[str, list[StrategyRecord]] = {name: [] for name in tried}
        for _ in range(rounds):
            for name, strategy in tried.items():
                taken[name].append(one(loaded, requests, strategy, batch, expected, real=True))
        added = {name: _added(taken[name], taken["bf16"]) for name in tried if name != "bf16"}
        figures |= _latency_figures(added, batch)
        print(json.dumps(figures), flush=True)
    return figures


def _added(records: Sequence[StrategyRecord], plain: Sequence[StrategyRecord]) -> float:
    """Milliseconds a token beyond BF16 alone: the median over rounds."""
    return 1000 * statistics.median(increment(r, p) for r, p in zip(records, plain, strict=True))


def _latency_figures(added: dict[str, float], batch: int) -> Figures:
    def best(prefix: str) -> float:
        return min(value for name, value in added.items() if name.startswith(prefix))

    every, window, replay = added["every-step"], best("window"), best("replay")
    queued, paper, no_bonus = added["margingate-queued"], added["margingate"], added["no-bonus"]
    return {
        f"increment_vs_every_step_b{batch}": round(replay / every, 2),
        f"increment_vs_window_b{batch}": round(replay / window, 2),
        f"no_bonus_vs_every_step_b{batch}": round(no_bonus / every, 2),
        f"queued_vs_every_step_b{batch}": round(queued / every, 2),
        f"queued_vs_window_b{batch}": round(queued / window, 2),
        f"margingate_vs_every_step_b{batch}": round(paper / every, 2),
    } | {f"{name.replace('-', '_')}_increment_ms_b{batch}": round(ms, 2) for name, ms in added.items()}


def main(arguments: Iterable[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--part", choices=("identity", "latency", "all"), default="all")
    parser.add_argument("--prompts", type=int, default=64)
    parser.add_argument("--tokens", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=3, help="of latency")
    parser.add_argument("--tau", type=float, help="for latency alone; identity finds it by calibration")
    options = parser.parse_args(arguments)
    if options.part == "latency" and options.tau is None:
        parser.error("latency alone needs --tau, such as 0.1875")
    loaded = load_model(device="cpu")
    figures: Figures = {}
    if options.part != "latency":
        figures |= identity(loaded, options.prompts, options.tokens)
    if options.part != "identity":
        figures |= latency(loaded, options.tokens, options.tau or figures["tau"], options.rounds)
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
