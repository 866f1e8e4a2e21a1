"""What holds for every strategy: ties, numbers that are not finite, requests that cannot be verified."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from lab.decode.margingate.run import committed, run
from lab.decode.margingate.strategies import Gate, Replay, Strategy, solo, strategies
from lab.decode.sampling import Sampling
from lab.errors import LabError
from lab.models.transformer import Transformer
from lab.numerics.lanes import BF16_NATIVE, FP32, bf16_emulated, make_lane
from lab.numerics.lanes import LANES as LANE_NAMES
from lab.numerics.schedule import GPU_LIKE
from lab.records import Failure
from tests.lab.decode.margingate.conftest import plain, requests

FAST = bf16_emulated()
ALL = strategies(FAST, tau=0.05)
NAN_TOKEN = 255


def all_records(model: Transformer, strategy: Strategy, asked: list, batch: int | None = None) -> list:
    return [record for step in run(model, asked, strategy, max_batch=batch) for record in step.records]


LANES = {name: Strategy(name, make_lane(name)) for name in LANE_NAMES}


@pytest.mark.parametrize("name", ALL | LANES)
def test_a_tie_goes_to_the_lowest_id_alone_and_in_company(flippy: Transformer, name: str) -> None:
    """Logits [1, 1, 0, 0, …]: an output matrix whose first two rows are equal and the others zero."""

    class Tied(Transformer):
        def forward(self, tokens, cache, lane, rows=None, every_position=False):  # type: ignore[no-untyped-def]
            logits = torch.zeros_like(super().forward(tokens, cache, lane, rows, every_position))
            return logits + (torch.arange(logits.shape[-1]) < 2)

    tied = object.__new__(Tied)
    tied.__dict__.update(flippy.__dict__)
    for count in (1, 5):
        tokens = committed(all_records(tied, (ALL | LANES)[name], requests(count, 8)))
        assert all(own == [0] * 8 for own in tokens.values())


@pytest.mark.parametrize("name", ALL)
def test_logits_that_are_not_finite_stop_their_request_alone(flippy: Transformer, name: str) -> None:
    """One request's last prompt token has a NaN embedding; its neighbours get the tokens they get without."""
    embedding = flippy.embedding.clone()
    embedding[NAN_TOKEN] = float("nan")
    broken = object.__new__(Transformer)
    broken.__dict__.update(flippy.__dict__ | {"embedding": embedding})
    asked = [replace(r, prompt=tuple(t for t in r.prompt if t != NAN_TOKEN)) for r in requests(4, 12)]
    well = committed(all_records(broken, ALL[name], asked))
    ill = [*asked[:2], replace(asked[2], prompt=(*asked[2].prompt, NAN_TOKEN)), asked[3]]
    records = all_records(broken, ALL[name], ill)
    failures = [record for record in records if isinstance(record, Failure)]
    assert [failure.request for failure in failures] == ["r2"]
    assert "NaN or infinite" in failures[0].error
    got = committed(records)
    assert "r2" not in got
    # With a row fewer, the fast lane's schedule stays on the same side of its table (1:4, 8:2).
    assert got == {name: tokens for name, tokens in well.items() if name != "r2"}


@pytest.mark.parametrize("native", [True, False])
def test_the_native_lane_can_be_verified(flippy: Transformer, native: bool) -> None:
    fast = BF16_NATIVE if native else FAST
    for check in ("replay", "every-step", "window-16"):
        tokens = committed(all_records(flippy, strategies(fast)[check], requests(3, 16)))
        assert tokens == plain(flippy, requests(3, 16), FP32)
    assert committed(all_records(flippy, strategies(fast)["margingate"], requests(3, 16)))


def test_sampling_and_followed_tokens_are_refused(flippy: Transformer) -> None:
    hot = [replace(requests(1, 4)[0], sampling=Sampling(0.7))]
    led = [replace(requests(1, 4)[0], follow=(1, 2, 3, 4))]
    for asked in (hot, led):
        with pytest.raises(LabError, match="temperature 0"):
            list(run(flippy, asked, ALL["replay"]))


@pytest.mark.parametrize(
    ("values", "name"),
    [
        ({"tau": -0.1}, "tau"),
        ({"tau": float("nan")}, "tau"),
        ({"window": 0}, "window"),
        ({"pass_size": 0}, "pass"),
    ],
)
def test_a_gate_that_makes_no_sense_is_refused(values: dict, name: str) -> None:
    with pytest.raises(LabError, match=name):
        Gate(**values)


def test_pinned_is_what_a_batch_of_that_size_gets(flippy: Transformer) -> None:
    """One pass of 12 rows under the schedule of 1, 4 or 8 rows has the bits of passes of that size."""
    # Rounded partial sums, so that the split counts show in this small model.
    lane = bf16_emulated(replace(GPU_LIKE, reduced_partials=True))
    prompts = [list(request.prompt) for request in requests(12, 1)]
    made = {b: flippy.forward([[5]] * 12, _filled(flippy, prompts), lane.pinned(b)) for b in (1, 4, 8)}
    for batch, together in made.items():
        for at in range(0, 12, batch):
            rows = prompts[at : at + batch]
            if len(rows) == batch:
                apart = flippy.forward([[5]] * batch, _filled(flippy, rows), lane)
                assert torch.equal(together[at : at + batch], apart)
    assert not torch.equal(made[1], made[4])
    assert torch.equal(made[4], made[8])  # the table has one split count for both


def _filled(model: Transformer, prompts: list[list[int]]):  # type: ignore[no-untyped-def]
    cache = model.new_cache(len(prompts), 64, FAST)
    model.forward(prompts, cache, FP32)
    return cache


def test_a_verifier_needs_a_lane_whose_rows_do_not_depend_on_their_company(flippy: Transformer) -> None:
    strategy = replace(ALL["replay"], lane=BF16_NATIVE, reference=solo(BF16_NATIVE))
    with pytest.raises(LabError, match="bf16-native"):
        list(run(flippy, requests(2, 4), strategy))


def test_replay_equals_the_reference_while_the_batch_grows(flippy: Transformer) -> None:
    strategy = Strategy("replay", FAST, Replay(Gate(0.05, window=9, pass_size=11)))
    grown = committed(all_records(flippy, strategy, requests(9, 20, arrive_every=3)))
    assert grown == plain(flippy, requests(9, 20), FP32)
