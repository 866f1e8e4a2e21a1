"""The race of two lanes: times and tokens of a run by hand, simulations against the formula, what is told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from apps import lanes, race_player, race_told
from apps.lanes import Lane, Race
from lab.records import TokenRecord
from sims.errors import InputError
from sims.speedup import expected_tokens, speedup
from tests.apps.opening import open_page, told
from tests.apps.round_records import ROUNDS, run

ROUND = 3 * 0.01 + 0.12  # seconds of a round's passes


def test_plain_decoding_is_a_block_a_token_after_the_first() -> None:
    plain = lanes.race(run(), "a").plain
    assert [token.text for token in plain.tokens] == [f" t{i}" for i in range(8)]
    assert [token.at for token in plain.tokens] == pytest.approx([0.1 * i for i in range(8)])
    assert [block.kind for block in plain.blocks] == ["token"] * 7


def test_the_tokens_of_a_round_appear_when_its_pass_ends() -> None:
    ours = lanes.race(run(), "a").speculative
    assert [block.kind for block in ours.blocks] == ["draft", "draft", "draft", "verify"] * 3
    ends = [ROUND, ROUND, 2 * ROUND, 2 * ROUND, 2 * ROUND, 2 * ROUND, 3 * ROUND]
    assert [token.at for token in ours.tokens] == pytest.approx([0.0, *ends])
    marks = ["plain", "accepted", "corrected", "accepted", "accepted", "accepted", "bonus", "corrected"]
    assert [token.mark for token in ours.tokens] == marks


def test_blocks_follow_one_another() -> None:
    for lane in (lanes.race(run(), "a").plain, lanes.simulated(0.6, 3, 0.1, 1.3, 20, 0).speculative):
        for one, other in zip(lane.blocks, lane.blocks[1:], strict=False):
            assert one.end == other.start
            assert one.end > one.start


def test_readings_compare_the_same_tokens() -> None:
    race = lanes.race(run(), "a")
    at = race.at(2 * ROUND + 1e-9)
    assert (at.plain, at.speculative) == (4, 7)
    assert at.speedup == pytest.approx(0.6 / (2 * ROUND))
    assert race.at(0.0).speedup is None
    assert race.readings[0].at == 0
    assert race.at(race.end).speedup == pytest.approx(0.7 / (3 * ROUND))
    assert [reading.at for reading in race.readings] == sorted({r.at for r in race.readings})


def test_without_a_plain_run_there_is_nothing_to_compare() -> None:
    alone = run(plain=0)
    race = lanes.race(alone, "a")
    assert race.plain == Lane((), ())
    assert race.at(race.end).speedup is None
    assert race_told.verdicts(alone, "a") == []
    assert race_told.measured(alone, "a").c is None


def test_what_a_run_says_of_the_four_numbers() -> None:
    seen = race_told.measured(run(), "a")
    assert seen.alpha == pytest.approx(4 / 6), "1 of 2, 3 of 3 and 0 of 1 tests"
    assert seen.c == pytest.approx(0.1)
    assert seen.v == pytest.approx(1.2)
    assert race_told.as_sliders(run(), "a") == {"gamma": 3, "alpha": 0.67, "c": 0.1, "v": 1.2}
    rest = dict(race_told.run_facts(run(), "a"))["Between passes, not drawn, ms a round"]
    assert rest == "3.0"


@pytest.mark.parametrize(("step", "word"), [(0.2, "as fast here"), (0.03, "loses here")])
def test_the_verdict_follows_the_times(step: float, word: str) -> None:
    made = run()
    slower = [
        replace(r, seconds=step) if isinstance(r, TokenRecord) and r.request != "a" else r
        for r in made.records
    ]
    first, same = race_told.verdicts(replace(made, records=tuple(slower)), "a")
    assert word in first
    assert same == "Both lanes wrote the same tokens."


def test_texts_that_part_are_told_by_the_temperature() -> None:
    for temperature, word in ((0.0, "has rounded otherwise"), (1.0, "no mistake")):
        made = run(temperature=temperature)
        other = [
            replace(r, token=77) if isinstance(r, TokenRecord) and (r.request, r.index) == ("a", 5) else r
            for r in made.records
        ]
        told_of = race_told.verdicts(replace(made, records=tuple(other)), "a")[1]
        assert word in told_of
        assert "5" in told_of


@pytest.mark.parametrize(
    ("alpha", "gamma", "c", "v"), [(0.8, 4, 0.1, 1.2), (0.3, 2, 0.05, 1.0), (0, 3, 0.1, 1), (1, 3, 0.2, 2)]
)
def test_a_long_simulation_meets_the_formula(alpha: float, gamma: int, c: float, v: float) -> None:
    """20,000 tokens: within 3 % of the mean, more than 5 standard errors for each case."""
    race = lanes.simulated(alpha, gamma, c, v, 20_000, seed=1)
    assert len(race.plain.tokens) == len(race.speculative.tokens) == 20_000
    assert race.plain.end / race.speculative.end == pytest.approx(speedup(alpha, gamma, c, v), rel=0.03)
    rounds = len({block.round for block in race.speculative.blocks})
    assert 20_000 / rounds == pytest.approx(expected_tokens(alpha, gamma), rel=0.03)


def test_the_last_round_of_a_simulation_is_cut_to_the_length() -> None:
    race = lanes.simulated(1.0, 8, 0.1, 1.0, 12, 0)
    assert [token.text for token in race.speculative.tokens] == [str(i + 1) for i in range(12)]
    with pytest.raises(InputError):
        lanes.simulated(1.5, 2, 0.1, 1.0, 12, 0)


def test_the_table_has_every_block() -> None:
    race = lanes.race(run(), "a")
    frame = lanes.frame(race, "seconds")
    assert len(frame) == len(race.plain.blocks) + len(race.speculative.blocks)
    assert frame["tokens"].iloc[-1] == 8
    assert {"start_seconds", "end_seconds"} <= set(frame)


@pytest.mark.parametrize("end", [0.0, 0.003, 0.99, 1.0, 7.3, 48.0, 4258.0])
def test_ticks_are_few_round_and_inside(end: float) -> None:
    ticks = race_player.ticks(end)
    assert ticks[0] == 0
    assert len(ticks) <= race_player.MOST_TICKS + 1
    assert len(ticks) > 2 or end == 0
    assert max(ticks) <= 0.92 * end


def test_no_round_yet_is_an_empty_race() -> None:
    empty = Race(Lane((), ()), Lane((), ()))
    assert empty.end == 0
    assert len(empty.readings) == 1
    assert lanes.speculative_lane([], ROUNDS[:0]) == Lane((), ())


def test_the_sliders_tell_a_loss() -> None:
    at = open_page("serial", alpha="0.1", gamma="8", c="0.3", v="1.5")
    assert not at.exception
    assert not at.error
    assert "Here speculation loses" in told(at)
    at.button(key="try-serial-try-good").click().run()
    assert "Here speculation loses" not in told(at)
    assert at.slider(key="serial-alpha").value == 0.9
