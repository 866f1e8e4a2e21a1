"""What is timed: the right passes, in turns, each at the same context."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from lab.decode.sampling import GREEDY, Sampling
from lab.decode.speculative.drafters import ModelDrafter, ScriptedDrafter, UniformDrafter
from lab.decode.speculative.measure import relative_times
from lab.decode.speculative.pass_times import (
    DRAFT_WINDOW,
    WARM_UP,
    PassKind,
    draft_steps,
    measure_passes,
    target_passes,
)
from lab.errors import LabError
from lab.models.cache import KVCache
from lab.models.transformer import Transformer
from lab.numerics.lanes import FP32
from lab.round_records import PassTimeRecord


def record(positions: int, seconds: float = 0.0, role: str = "target", batch: int = 1) -> PassTimeRecord:
    temperature = None if role == "target" else 0.5
    return PassTimeRecord("m", role, positions, batch, 8, seconds, seconds, seconds, temperature)  # type: ignore[arg-type]


class Passes:
    """Sees what a model is fed: (rows' context before, rows' new tokens) of each pass."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.seen: list[tuple[list[int], list[list[int]]]] = []
        forward = Transformer.forward

        def watched(model, tokens, cache: KVCache, lane, rows=None, every_position=False):  # type: ignore[no-untyped-def]
            self.seen.append((list(cache.lengths), [list(chunk) for chunk in tokens]))
            return forward(model, tokens, cache, lane, rows, every_position)

        monkeypatch.setattr(Transformer, "forward", watched)


def test_target_passes(tiny: Transformer, monkeypatch: pytest.MonkeyPatch) -> None:
    passes = Passes(monkeypatch)
    kinds = target_passes(tiny, FP32, [1, 2, 3], 7, 2, [1, 3, 3])
    assert [(k.record.positions, k.record.batch, k.record.context) for k in kinds] == [(1, 2, 7), (3, 2, 7)]
    assert all(k.record.role == "target" and k.record.temperature is None for k in kinds)
    for kind in (*kinds, *kinds):
        assert kind.run() > 0
    one, three = ([7, 7], [[2]] * 2), ([7, 7], [[2, 3, 1]] * 2)
    assert passes.seen == [([0, 0], [[1, 2, 3, 1, 2, 3, 1]] * 2), one, three, one, three]


def test_draft_steps(tiny: Transformer, monkeypatch: pytest.MonkeyPatch) -> None:
    passes = Passes(monkeypatch)
    kinds = draft_steps(ModelDrafter("d", tiny), Sampling(0.5), [1, 2, 3], 7, 2)
    assert [(k.record.positions, k.record.temperature) for k in kinds] == [(1, 0.5), (2, 0.5)]
    for kind in (*kinds, *kinds):
        assert kind.run() > 0
    one, two = ([6, 6], [[1]] * 2), ([5, 5], [[3, 1]] * 2)
    first = passes.seen[::DRAFT_WINDOW]
    assert first == [([0, 0], [[1, 2, 3, 1, 2, 3, 1]] * 2), one, two, one, two]
    assert [held for held, _ in passes.seen[1:DRAFT_WINDOW]] == [[7, 7], [8, 8], [9, 9]]


def test_seconds_are_of_one_step(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(0, 1000, 10))
    monkeypatch.setattr("lab.decode.speculative.pass_times.time.perf_counter", lambda: float(next(clock)))
    whole = draft_steps(ScriptedDrafter(lambda text: torch.tensor([1.0])), GREEDY, [0], 7, 1)[0].run()
    silent = draft_steps(ScriptedDrafter(lambda text: None), GREEDY, [0], 7, 1)[0].run()
    # Of the clock's ticks of 10: the loop reads it twice a step, too.
    assert (whole, silent) == ((1 + 2 * DRAFT_WINDOW) * 10 / DRAFT_WINDOW, 30)


def test_a_draft_without_a_cache_has_one_width() -> None:
    (kind,) = draft_steps(UniformDrafter(259), GREEDY, [1, 2, 3], 7, 1)
    assert (kind.record.model, kind.record.positions, kind.record.temperature) == ("uniform", 1, 0.0)
    assert kind.run() > 0


def test_passes_take_turns_and_warm_up_is_left_out() -> None:
    made: list[str] = []
    fake = iter([100.0, 100.0] * WARM_UP + [1.0, 10.0, 2.0, 20.0, 3.0, 40.0])

    def kind(name: str, positions: int) -> PassKind:
        def run() -> float:
            made.append(name)
            return next(fake)

        return PassKind(record(positions), run)

    out = list(measure_passes([kind("a", 1), kind("b", 2)], 3))
    assert made == ["a", "b"] * (WARM_UP + 3)
    assert out[:-2] == [100.0, 100.0] * WARM_UP + [1.0, 10.0, 2.0, 20.0, 3.0, 40.0]
    assert out[-2:] == [
        replace(record(1), seconds=2.0, low=1.5, high=2.5),
        replace(record(2), seconds=20.0, low=15.0, high=30.0),
    ]


def test_relative_times() -> None:
    records = [
        record(1, 0.020),
        record(3, 0.030),
        record(4, 0.026),
        record(1, 0.002, "draft"),
        record(2, 0.003, "draft"),
        record(1, 0.1, batch=8),
        record(1, 0.05, "draft", batch=8),
    ]
    times = relative_times(records)
    assert set(times) == {("m", 0.5, 1), ("m", 0.5, 8)}
    assert times["m", 0.5, 1].c == pytest.approx(0.1)
    assert times["m", 0.5, 1].v == pytest.approx((1.0, 1.25, 1.5, 1.3))
    assert times["m", 0.5, 8].c == pytest.approx(0.5)
    assert times["m", 0.5, 8].v == (1.0,)


def test_a_context_beyond_the_models_is_one_message(tiny: Transformer) -> None:
    with pytest.raises(LabError, match="520 positions"):
        target_passes(tiny, FP32, [1], 512, 1, [8])
