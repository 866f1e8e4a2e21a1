"""Lesson 3 as it is read: it runs on the real model, and its exercises tell mistakes from answers."""

from __future__ import annotations

import re

import pytest

from notebooks import make
from tests.notebooks.executed import Executed, names_of_answers

pytestmark = [pytest.mark.lesson03, pytest.mark.model]
SOURCE = make.FOLDER / "03_speculative_decoding.py"

MISTAKES = {
    "residual": (
        "missing / missing.sum() if missing.sum() > 0 else p",
        "np.exp(missing) / np.exp(missing).sum()",
    ),
    "emitted": ("* residual(p, q)", "* p"),
    "mended": ("(*window[:i], chance.draw(acceptance.residual(p, q)))", "(*window[:i], chance.draw(p))"),
    "trimmed": ("max(0, gamma - 1 - n)", "gamma - n"),
    "alpha": ("np.minimum(p, q).sum()", "(p * q).sum()"),
    "per_test": ("sum(n < drafted for drafted, n in rounds)", "len(rounds)"),
}


def test_the_solutions_pass_every_check_and_the_asserts_hold(lesson: Executed) -> None:
    lesson.assert_solved(len(MISTAKES))


@pytest.mark.parametrize("name", MISTAKES)
@pytest.mark.parametrize("kind", ["blank", "wrong"])
def test_a_blank_and_a_mistake_fail_their_check(lesson: Executed, kind: str, name: str) -> None:
    lesson.assert_unsolved(kind, name)


def test_what_is_only_read_needs_no_answer() -> None:
    assert names_of_answers(make.notebook(SOURCE)) == {}


def test_one_pass_gives_the_rows_of_many(told: str) -> None:
    assert "5 rows of 49152 logits; largest difference 0\n" in told


def test_only_the_exact_rule_has_no_error(told: str) -> None:
    table = told.split("chance to accept   error\n")[1].split("q = ")[0]
    error = {name: float(value) for name, value in re.findall(r"^(\S+) +\S+ +(\S+)$", table, re.MULTILINE)}
    assert error.pop("exact") == 0.0
    assert min(error, key=error.__getitem__) == "correct-from-target"
    assert min(error.values()) > 0.05


def test_the_listing_is_off_where_the_target_reads_and_only_there(told: str) -> None:
    reads, greedy, never = (
        [float(x) for x in re.findall(r"\d\.\d{4}", line)]
        for line in told.split("error of the listing")[1].splitlines()[1:4]
    )
    assert len(reads) == len(greedy) == len(never) == 3
    assert min(reads + greedy) > 0.04
    assert max(never) == 0.0
    assert re.search(r"^ +1 +3 +0\.\d+$", told, re.MULTILINE), "one stood and three came out"


def test_the_round_by_hand_ends_at_its_first_rejection(told: str) -> None:
    table = told.split("p/q        u\n")[1].split("one pass of the target")[0]
    ends = re.findall(r"(accepted|rejected)$", table, re.MULTILINE)
    accepted, emitted = ends.count("accepted"), int(re.findall(r"one pass of the target, (\d)", told)[0])
    assert emitted == accepted + 1
    assert ("from the residual" in table) == ("rejected" in ends) == (accepted < 4)
    for q, p, ratio, u, end in re.findall(
        r"(\S+) +(\S+) +(\S+) +(\S+)  (accepted|rejected)$", table, re.MULTILINE
    ):
        assert float(ratio) == pytest.approx(float(p) / float(q), rel=0.05, abs=0.002)
        assert (float(u) < float(ratio)) == (end == "accepted")
    full, kept, gone = map(int, re.findall(r"holds (\d+) positions and keeps (\d+): (\d+) go", told)[0])
    assert (full - kept, gone) == (4 - accepted, 4 - accepted)


def test_every_draft_writes_the_plain_text(told: str) -> None:
    rows = re.findall(r"^(\w+) +\d +(True|False) +(\S+) +\d+ of \d+$", told, re.MULTILINE)
    assert [name for name, *_ in rows] == ["uniform", "lookup", "trigram", "stories"]
    assert {same for _, same, _ in rows} == {"True"}
    tokens = {name: float(mean) for name, _, mean in rows}
    assert tokens["uniform"] == 1.0
    assert tokens["trigram"] > 1.1


def test_context_raises_alpha(told: str) -> None:
    table = told.split("α at T = 0        α at T = 1")[1]
    rows = re.findall(r"^(\w+) +(\d\.\d\d) ± \S+ +(\d\.\d\d) ± ", table, re.MULTILINE)
    for at in (1, 2):
        alpha = {row[0]: float(row[at]) for row in rows}
        assert alpha["uniform"] < alpha["unigram"] < alpha["bigram"]
        assert alpha["unigram"] < alpha["stories"]
        assert alpha["unigram"] < 0.2


def test_accepted_of_drafted_falls_with_gamma_and_accepted_of_tested_does_not(told: str) -> None:
    table = told.split("γ    accepted ÷ drafted   accepted ÷ tested\n")[1]
    rows = [[float(x) for x in line.split()] for line in table.splitlines()[:5]]
    drafted, tested = [row[1] for row in rows], [row[2] for row in rows]
    assert drafted == sorted(drafted, reverse=True)
    assert drafted[-1] < 0.25
    assert all(abs(x - 0.8) < 0.01 for x in tested)
    numbers = [
        float(re.findall(rf"{name} +(\S+)$", told, re.MULTILINE)[0])
        for name in ("α on the target's own text", "accepted ÷ tested", "accepted ÷ drafted")
    ]
    assert min(numbers) == numbers[2]
