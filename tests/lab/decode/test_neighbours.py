from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from lab.decode.neighbours import NeighbourExperiment, compare, summarise
from lab.decode.settings import LaneSettings, NeighbourSettings, neighbour_settings
from lab.errors import LabError
from lab.models.tiny import byte_tokenizer
from lab.models.transformer import Transformer
from lab.numerics.lanes import BF16_INVARIANT, FP32, BlockLane, Lane
from lab.numerics.rounding import keep_fp32
from lab.numerics.schedule import Schedule, SplitK
from lab.records import PairRecord, TokenRecord

EXPERIMENT = NeighbourExperiment((72, 105), ((1, 2, 3), (4, 5)), batches=(2, 5), length=9)


def coarse(x: torch.Tensor) -> torch.Tensor:
    """Three bits of precision: a lane in which a small model flips often."""
    mantissa, exponent = torch.frexp(x)
    return torch.ldexp((mantissa * 16).round() / 16, exponent)


FLIPPING = BlockLane("coarse", coarse, Schedule(linears=SplitK(((1, 4),)), reduced_partials=True))


def pairs(model: Transformer, experiment: NeighbourExperiment, lane: Lane) -> list[PairRecord]:
    return [record for record in compare(model, experiment, lane) if isinstance(record, PairRecord)]


@pytest.mark.parametrize("lane", [FP32, BF16_INVARIANT])
@pytest.mark.parametrize("forced", [False, True])
def test_invariant_lanes_show_no_difference(tiny: Transformer, lane: Lane, forced: bool) -> None:
    experiment = NeighbourExperiment(
        (72, 105), ((1, 2, 3),), (2, 8), 12, teacher_forced=forced, arrive_every=2
    )
    for pair in pairs(tiny, experiment, lane):
        assert pair.max_delta == 0
        assert pair.flipped is False


def test_solo_tokens_come_first_then_each_batch(tiny: Transformer) -> None:
    records = list(compare(tiny, EXPERIMENT, FP32))
    assert all(isinstance(r, TokenRecord) for r in records[:9])
    assert [(r.batch, r.index) for r in records[9:]] == [(b, i) for b in (2, 5) for i in range(9)]  # type: ignore[union-attr]
    assert [r.beside.batch for r in records[10:18]] == [2] * 8  # type: ignore[union-attr]


def test_growing_batch(tiny: Transformer) -> None:
    experiment = NeighbourExperiment((72, 105), ((1, 2),), (4,), 10, arrive_every=2)
    assert [pair.beside.batch for pair in pairs(tiny, experiment, FP32)] == [1, 1, 1, 2, 2, 3, 3, 4, 4, 4]


def test_free_running_stops_comparing_when_the_contexts_part(tiny: Transformer) -> None:
    experiment = NeighbourExperiment((72, 105), ((1, 2),), (4,), 60)
    found = pairs(tiny, experiment, FLIPPING)
    first = next(i for i, pair in enumerate(found) if pair.alone.token != pair.beside.token)
    assert all(pair.max_delta is not None for pair in found[: first + 1])
    assert all(pair.max_delta is None and pair.flipped is None for pair in found[first + 1 :])
    (summary,) = summarise(found)
    assert summary.first_difference == first
    assert summary.compared == first + 1
    assert summary.flips == 1


def test_teacher_forced_compares_every_step(tiny: Transformer) -> None:
    experiment = NeighbourExperiment((72, 105), ((1, 2),), (4,), 60, teacher_forced=True)
    found = pairs(tiny, experiment, FLIPPING)
    assert all(pair.max_delta is not None for pair in found)
    assert all(pair.alone.token == pair.beside.token for pair in found)
    (summary,) = summarise(found)
    assert summary.flips == sum(pair.alone.choice != pair.beside.choice for pair in found) > 1
    deltas = [pair.max_delta for pair in found if pair.max_delta is not None]
    assert summary.epsilon == max(deltas)
    for pair in found:
        if pair.flipped:  # a flip needs a margin of at most twice the change
            assert pair.max_delta is not None
            assert pair.alone.margin <= 2 * pair.max_delta


def test_rounding_is_what_makes_small_changes_flip(tiny: Transformer) -> None:
    kept = BlockLane("kept", keep_fp32, replace(FLIPPING.schedule, reduced_partials=False))
    deltas = [pair.max_delta or 0 for pair in pairs(tiny, EXPERIMENT, kept)]
    assert 0 < max(deltas) < 1e-4


def test_settings_make_the_experiment_and_survive_json() -> None:
    settings = NeighbourSettings(
        "Hi", ("A", "B"), (2, 4), 5, True, 1, LaneSettings("bf16-emulated", ("linears",), "1:8")
    )
    assert neighbour_settings(settings.as_json()) == settings
    experiment = settings.experiment(byte_tokenizer())
    assert (experiment.batches, experiment.length, len(experiment.neighbours)) == ((2, 4), 5, 2)
    lane = settings.arithmetic.make()
    assert isinstance(lane, BlockLane)
    assert lane.schedule == Schedule(linears=SplitK(((1, 8),)))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: NeighbourExperiment((1,), ((2,),), ()), "leave nothing to compare"),
        (lambda: NeighbourExperiment((1,), ((2,),), (1,)), "leave nothing to compare"),
        (lambda: NeighbourExperiment((1,), ()), "no neighbours"),
        (lambda: LaneSettings("bf16-emulated", ("softmax",)).make(), "no switch 'softmax'"),
        (lambda: LaneSettings("fp8").make(), "no lane 'fp8'"),
        (lambda: NeighbourSettings("").experiment(byte_tokenizer()), "empty"),
        (lambda: NeighbourSettings("\ud800").experiment(byte_tokenizer()), "surrogate"),
        (lambda: neighbour_settings({"length": "many"}), "setting length"),
    ],
)
def test_bad_experiments_are_named(make: object, message: str) -> None:
    with pytest.raises(LabError, match=message):
        make()  # type: ignore[operator]
