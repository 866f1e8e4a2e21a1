"""Lesson 5 as it is read: it runs on the real model, and its exercises tell mistakes from answers.

Times are the machine's: nothing here asks how large they are.
"""

from __future__ import annotations

import re

import pytest

from notebooks import make
from tests.notebooks.executed import Executed, names_of_answers

pytestmark = [pytest.mark.lesson05, pytest.mark.model]
SOURCE = make.FOLDER / "05_trees_medusa_eagle.py"

MISTAKES = {
    "sees": ("seen[place] |= seen[parent]", "seen[place, parent] = True"),
    "positions": ("found[parent] + 1", "held + len(found)"),
    "walk": ("parent == path[-1] and ", ""),
    "compacted": ("columns[[held + place for place in path]]", "columns[held : held + len(path)]"),
    "given_siblings": ("p = acceptance.residual(p, q)", "p = p"),
    "passes": ("min(epsilon, delta * np.exp(-entropy))", "epsilon"),
    "eagle_inputs": ("embeddings[1:]", "embeddings[:-1]"),
    "grown": ("everything += level.values()", "everything = list(level.values())"),
}


def table(told: str, heading: str, rows: int) -> list[list[float]]:
    """The numbers of each of the lines that follow a heading."""
    lines = told.split(heading + "\n")[1].splitlines()[:rows]
    return [[float(x) for x in re.findall(r"(?<![\w.-])\d+(?:\.\d+)?(?!\w)", line)] for line in lines]


def test_the_solutions_pass_every_check_and_the_asserts_hold(lesson: Executed) -> None:
    lesson.assert_solved(len(MISTAKES))


@pytest.mark.parametrize("name", MISTAKES)
@pytest.mark.parametrize("kind", ["blank", "wrong"])
def test_a_blank_and_a_mistake_fail_their_check(lesson: Executed, kind: str, name: str) -> None:
    lesson.assert_unsolved(kind, name)


def test_what_is_only_read_needs_no_answer() -> None:
    assert names_of_answers(make.notebook(SOURCE)) == {}


def test_later_guesses_add_less_than_the_first(told: str) -> None:
    rows = table(told, "guess   right   right so far", 4)
    right = [row[1] for row in rows]
    assert 0.3 < right[0] < 0.8
    assert max(right[1:]) < right[0] / 2
    assert rows[-1][2] < 0.96, "more than SpecInfer's draft, of which the text says that ours is weaker"


def test_one_pass_over_the_tree_is_exact_and_the_mask_matters(told: str) -> None:
    rows = table(told, "place   token          tree − path   as a text − path", 6)
    assert [row[-2] for row in rows] == [0] * 6
    as_text = [row[-1] for row in rows]
    assert as_text[:2] == [0, 0]
    assert min(as_text[2:]) > 0.1


def test_the_walk_finds_what_a_chain_would_have_lost(told: str) -> None:
    walked, out = re.findall(r"^places \[(.*)\]; out come '(.*)', \d tokens", told, re.MULTILINE)[0]
    assert walked.startswith("0, 2")
    assert re.findall(r"plain decoding went on with '(.*)'", told) == [out]
    assert "a fresh pass over the text differs by 0\n" in told


def test_only_exact_methods_have_no_error_and_one_guess_hides_three_mistakes(told: str) -> None:
    rows = table(told, "two guesses                 chance to accept   error   error with one guess", 7)
    assert [row[-2] == 0 for row in rows] == [True] * 3 + [False] * 4
    assert min(row[-2] for row in rows[3:]) > 0.03
    assert [row[-1] == 0 for row in rows] == [True] * 6 + [False]


def test_multi_step_accepts_most_on_real_laws(told: str) -> None:
    for _, match, multi, top in table(told, "guesses   sample and match   multi-step   top", 4):
        assert match < top < multi


def test_the_best_tree_passes_the_limit_of_every_chain(told: str) -> None:
    rows = table(told, "nodes   chain   best tree   its depth", 7)
    tree = [row[2] for row in rows]
    assert tree == sorted(tree)
    assert all(chain <= best for _, chain, best, _ in rows)
    assert tree[-1] > rows[-1][1] + 0.3


def test_typical_acceptance_accepts_more_and_is_far_from_the_law(told: str) -> None:
    kept, exact = re.findall(r"kept in (\S+) of all places, by an exact rule in (\S+)$", told, re.MULTILINE)[
        0
    ]
    assert float(kept) > float(exact) + 0.1
    (mean,) = re.findall(r"distance from p: mean (\S+),", told)
    assert 0.1 < float(mean) < 0.9


def test_confident_guesses_are_right_more_often(told: str) -> None:
    right = [row[-1] for row in table(told, "confidence       guesses   right", 5) if len(row) == 4]
    assert len(right) >= 4
    assert right[0] < 0.1
    assert right[-1] > 0.7
    assert max(right[:2]) < min(right[2:])


def test_the_dynamic_tree_gains_where_there_is_a_choice(told: str) -> None:
    rows = table(told, "nodes   static   dynamic   best   (expected accepted length)", 5)
    gains = [dynamic - static for _, static, dynamic, _ in rows]
    assert gains[0] < 0.05
    assert max(gains[1:4]) > gains[-1] > 0.1
    assert all(best - dynamic < 0.3 for _, _, dynamic, best in rows)


def test_heads_guess_and_the_shift_matters(told: str) -> None:
    hits = {
        name: float(x) for name, x in re.findall(r"^(\S.*?) +first guess right: (\S+)$", told, re.MULTILINE)
    }
    heads = [hits[name] for name in sorted(hits) if name.startswith("Medusa")]
    assert heads[0] == max(heads)
    assert hits["EAGLE, depth 1"] > hits["EAGLE, not shifted"] + 0.1


def test_every_method_writes_the_plain_text_and_trees_need_fewer_passes(told: str) -> None:
    rows = re.findall(r"^(\S.*?) +(True|False) +(\S+) +(\S+) +\d+ +\d+ +\d+ +\S+$", told, re.MULTILINE)
    assert len(rows) == 7
    assert {same for _, same, _, _ in rows} == {"True"}
    tokens = {name: float(mean) for name, _, _, mean in rows}
    assert tokens["stories, static tree"] > tokens["stories, chain of 4"]
    assert tokens["EAGLE, static tree"] > tokens["EAGLE, chain of 4"]
    assert max(float(nodes) for _, _, nodes, _ in rows) <= 12


def test_a_free_tree_is_large(told: str) -> None:
    assert re.search(r"^fastest here: \d+ nodes, on the GPU: \d\d nodes$", told, re.MULTILINE)
    rows = table(told, "nodes   levels   a pass         v   speedup           v   speedup", 7)
    there = [row[-1] for row in rows]
    assert there == sorted(there)


def test_spec_bench_shows_the_same_of_two_gpus(told: str) -> None:
    rows = table(told, "           A100: tokens   speedup   RTX 3090: tokens   speedup", 4)
    draft, medusa = rows[0][-4:], rows[1][-4:]
    assert all(abs(row[-4] - row[-2]) < 0.05 for row in rows)
    assert medusa[2] > draft[2]
    assert medusa[3] < draft[3]
