"""Lesson 4 as it is read: it runs on the real model, and its exercises tell mistakes from answers.

Times are the machine's: nothing here asks how large they are.
"""

from __future__ import annotations

import re

import pytest

from notebooks import make
from tests.notebooks.executed import Executed, names_of_answers

pytestmark = [pytest.mark.lesson04, pytest.mark.model]
SOURCE = make.FOLDER / "04_speedup_formulas.py"

MISTAKES = {
    "expected_tokens": ("range(gamma + 1)", "range(gamma)"),
    "speedup": ("(gamma * c + v)", "(gamma * c + 1)"),
    "operations": ("gamma * c_hat + gamma + 1", "gamma * c_hat + gamma"),
    "best_gamma": ("range(65)", "range(1, 65)"),
    "break_even": ("- v) / gamma", "- 1) / gamma"),
    "tokens_by_place": ("reached *= chance", "reached = chance"),
}


def number(told: str, line: str) -> list[float]:
    """The numbers of a line, after the words it begins with."""
    (rest,) = re.findall(rf"^{re.escape(line)}(.*)$", told, re.MULTILINE)
    return [float(x) for x in rest.split()]


def test_the_solutions_pass_every_check_and_the_asserts_hold(lesson: Executed) -> None:
    lesson.assert_solved(len(MISTAKES))


@pytest.mark.parametrize("name", MISTAKES)
@pytest.mark.parametrize("kind", ["blank", "wrong"])
def test_a_blank_and_a_mistake_fail_their_check(lesson: Executed, kind: str, name: str) -> None:
    lesson.assert_unsolved(kind, name)


def test_what_is_only_read_needs_no_answer() -> None:
    assert names_of_answers(make.notebook(SOURCE)) == {}


def test_a_million_rounds_meet_the_formula(told: str) -> None:
    table = told.split("a million rounds\n")[1].splitlines()[:6]
    for line in table:
        _, formula, mean = map(float, line.split())
        assert abs(formula - mean) < 0.03  # a standard error is at most 0.005


def test_the_formula_gives_the_papers_expected_column(told: str) -> None:
    table = told.split("formula  expected  measured\n")[1].splitlines()[:12]
    rows = [[float(x) for x in line.split()[2:]] for line in table]
    assert all(abs(formula - expected) <= 0.1 + 1e-9 for *_, formula, expected, _ in rows)
    off = {row[4] == row[5] for row in rows}
    assert off == {True, False}, "printed inputs are rounded"


def test_an_oracle_beats_the_best_gamma_by_up_to_some_sixty_percent(told: str) -> None:
    table = told.split("oracle ÷ best\n")[1].splitlines()[:5]
    ratios = [float(line.split()[-1]) for line in table]
    assert min(ratios) > 1
    assert 1.5 < max(ratios) < 1.65


def test_the_drafts_are_ordered_in_cost(told: str) -> None:
    costs = "\n".join(told.split("one step of a draft     c\n")[1].splitlines()[:4])
    c = {name: number(costs, name)[0] for name in ("uniform", "trigram", "stories", "itself")}
    assert max(c["uniform"], c["trigram"], c["stories"]) < c["itself"]


def test_prediction_and_measurement_stand_side_by_side(told: str) -> None:
    paper, ours = number(told, "Theorem 3.8 "), number(told, "… with v")
    eq, run = number(told, "tokens a round, Eq. 1"), number(told, "tokens a round, run")
    assert len(paper) == len(ours) == len(number(told, "measured ")) == 2
    assert all(1 <= tokens <= 4 for tokens in eq + run)
    assert all(0 <= share < 1 for share in number(told, "share of time, the rest"))


def test_the_number_of_rounds_is_known_before_the_run(told: str) -> None:
    found = re.findall(r"rounds: (\d+) from the target's own text, (\d+) in the run", told)
    assert len(found) == 2
    assert all(known == made for known, made in found)


def test_a_large_batch_loses_on_the_roofline(told: str) -> None:
    table = told.split("batch        v   speedup\n")[1].splitlines()[:7]
    gains = [float(line.split()[-1]) for line in table]
    assert gains == sorted(gains, reverse=True)
    assert gains[0] > 2.5
    assert gains[-1] < 1
