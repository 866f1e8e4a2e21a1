"""Lesson 2 as it is read: it runs on the real model, and its exercises tell mistakes from answers."""

from __future__ import annotations

import re

import pytest

from notebooks import make
from tests.notebooks.executed import Executed, names_of_answers

pytestmark = [pytest.mark.lesson02, pytest.mark.model]
SOURCE = make.FOLDER / "02_margingate.py"

MISTAKES = {
    "call": ("int((logits == best[0]).nonzero()[0])", "int((logits == best[0]).nonzero()[-1])"),
    "can_flip": ("x > worst or (x == worst and i < best)", "x > worst"),
    "repair": ("BF16.round(k), BF16.round(v)", "k, v"),
    "gated": ("scratch.lengths[0] = at", ""),
    "bound": ("0.05 ** (1 / n)", "0.05 / n"),
    "commit": ("checked[: same + 1]", "checked[:same]"),
}


def test_the_solutions_pass_every_check_and_the_asserts_hold(lesson: Executed) -> None:
    lesson.assert_solved(len(MISTAKES))


@pytest.mark.parametrize("name", MISTAKES)
@pytest.mark.parametrize("kind", ["blank", "wrong"])
def test_a_blank_and_a_mistake_fail_their_check(lesson: Executed, kind: str, name: str) -> None:
    lesson.assert_unsolved(kind, name)


def test_what_is_only_read_needs_no_answer() -> None:
    assert names_of_answers(make.notebook(SOURCE)) == {}


def rows(told: str, kind: str) -> dict[str, list[int]]:
    """The cost table: passes, positions, rolled back, bonus, right, of, by setting."""
    found = re.findall(rf"^({kind}, .*?)\s\s+(\d+.*)$", told, re.MULTILINE)
    return {setting: [int(number) for number in re.findall(r"\d+", line)] for setting, line in found}


def test_the_batch_parts_texts_and_flips_have_small_margins(told: str) -> None:
    assert "parts at step" in told
    steps, flips = map(int, re.findall(r"(\d+) steps, (\d+) flips", told)[0])
    assert 100 < steps <= 128
    assert flips >= 3
    largest = float(re.findall(r"largest margin that flipped\s+(\S+)", told)[0])
    flagged = int(re.findall(r"a gate at 2ε = \S+ flags\s+(\d+)%", told)[0])
    median, most = map(float, re.findall(r"runner-up gained: median (\S+), at most (\S+)", told)[0])
    epsilon = float(re.findall(r"ε = (\S+)", told)[0])
    assert largest <= 0.25
    assert flagged > 30, "2ε is far too careful"
    assert median < epsilon / 4
    assert most < epsilon


def test_a_small_threshold_misses_flips_and_a_large_one_does_not_promise_all(told: str) -> None:
    right = {setting: line[4] for setting, line in rows(told, "repair").items()}
    small, middle, large = right.values()
    assert small <= middle <= large < 8
    assert "the gate did not look" in told.split("τ = 0.03\n")[1].split("recorded:")[0]
    assert "looked, and let it pass" in told.split("τ = 1.0: ")[1]


def test_the_verifiers_keys_and_values_carry_most_of_the_error(told: str) -> None:
    fast, mixed = (float(x) for x in re.findall(r"largest change of a logit: (\S+)", told))
    assert fast / 2 < mixed < fast


def test_replay_is_right_under_every_gate_and_costs_as_the_text_says(told: str) -> None:
    table = rows(told, "replay")
    assert len(table) == 5
    assert {(line[4], line[5]) for line in table.values()} == {(8, 8)}
    small, middle, large, window, queued = table.values()
    assert small[0] < middle[0] < large[0], "passes rise with τ"
    assert small[2] > middle[2], "and rollbacks fall"
    assert window[2] == max(line[2] for line in table.values()), "without a gate the most is rolled back"
    assert queued[0] < middle[0], "a pass that waits is one of fewer"
