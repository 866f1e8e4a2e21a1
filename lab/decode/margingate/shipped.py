"""The experiments whose traces are shipped with the pages; `python -m lab record` runs them anew."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from lab.decode.margingate.compare import Progress, measure, reference_run
from lab.decode.margingate.settings import (
    REPAIRS,
    CompareSettings,
    FlipSettings,
    GateSettings,
    Load,
    begin,
)
from lab.decode.margingate.strategies import Gate, strategies
from lab.decode.prompt_set import built_in
from lab.decode.settings import SWITCHES, requests_of
from lab.models.loaded import LoadedModel
from lab.numerics.lanes import bf16_emulated
from lab.records import Failure, StrategyRecord
from lab.traces import RunInfo

FLIPS = FlipSettings(
    prompts=built_in()[:32], batches=(2, 4, 8, 16, 32), length=48, attribute=SWITCHES, attribute_at=32
)

WATCH = GateSettings(prompts=built_in()[:8], length=48)

STRATEGIES = CompareSettings(
    prompts=built_in()[:8],
    length=32,
    batches=(1, 8),
    strategies=tuple(strategies(bf16_emulated())),
    replays=tuple(
        Gate(tau, window, pass_size)
        for tau, window, pass_size in product((0.0625, 0.125, 0.25), (8, 16, 32), (1, 32))
        if (tau, window, pass_size) != (0.25, 16, 32)  # replay's own gate among the strategies
    ),
    replays_at=8,
)

RUNS = {policy: GateSettings(policy=policy) for policy in ("margingate", "replay")}

SWEPT = GateSettings(prompts=built_in()[:16], length=48)
SWEPT_BATCH = 8
SWEPT_TAUS = (0.0, 0.0625, 0.125, 0.25, 0.5, 1.0)
SWEPT_POLICIES = {
    "replay": replace(SWEPT, policy="replay", window=32, pass_size=32),
    **{f"margingate-{what}": replace(SWEPT, what=what) for what in REPAIRS},
    "margingate-mismatch-reference": replace(SWEPT, prompt="reference"),
    "margingate-step-reference": replace(SWEPT, what="step", prompt="reference"),
}


def start_sweep(load: Load) -> tuple[RunInfo, Iterator[StrategyRecord | Failure | Progress]]:
    """The paper's policy, its wider repairs and replay at every τ, in the order of a batch of 8."""
    settings = SWEPT.as_json() | {"taus": SWEPT_TAUS, "policies": list(SWEPT_POLICIES), "batch": SWEPT_BATCH}
    info, loaded = begin("strategies", SWEPT.strategy().lane, load, settings)
    return info, _swept(loaded)


def _swept(loaded: LoadedModel) -> Iterator[StrategyRecord | Failure | Progress]:
    asked, model = requests_of(SWEPT.prompts, SWEPT.length, loaded), loaded.transformer
    expected = yield from reference_run(model, asked, SWEPT.strategy().reference)
    for (name, settings), tau in product(SWEPT_POLICIES.items(), SWEPT_TAUS):
        strategy = replace(replace(settings, tau=tau).strategy(), name=name)
        yield from measure(model, asked, strategy, SWEPT_BATCH, expected, emulate=True)
