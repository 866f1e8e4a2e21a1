"""The exact check of trees can fail: what goes wrong with trees alone, one wrong line at a time.

Not here, because they change no law: what the draft itself reads of a tree (it costs acceptance; see
test_tree_drafts.py), the order of certain siblings, and how much of a drawn token is left for the next draw,
as long as each q is that of its draw.
"""

from __future__ import annotations

import pytest

from lab.decode.requests import Request
from lab.decode.sampling import GREEDY, Sampling
from lab.decode.speculative import branching, growing, rounds, siblings, walks, window
from lab.decode.speculative.branching import Several, TreeDrafter
from lab.decode.speculative.how import SpeculativeTree
from lab.decode.speculative.rounds import Speculation
from lab.decode.speculative.shapes import Dynamic, Shape, k_ary, parse_ranks
from lab.decode.speculative.siblings import How
from lab.decode.speculative.walks import Match, MultiStep, Rule
from lab.errors import LabError
from tests.lab.decode.speculative.enumeration import assert_exact
from tests.lab.decode.speculative.mutants import Mutation, loop_of, mutated, rule_of
from tests.lab.decode.speculative.toy import ToyModel, random_logits, toy_draft

V, EOS = 3, 2
TARGET = ToyModel(random_logits(30, V, spread=1.0), V, eos_ids=(EOS,))
MODEL, OTHER = (toy_draft(random_logits(seed, V), V) for seed in (31, 38))
WARM = Sampling(1.0)
Scenario = tuple[TreeDrafter, Shape, How, Request]


def asked(length: int, sampling: Sampling = WARM, ignore_eos: bool = False) -> Request:
    return Request("a", (0, 1), length, sampling, ignore_eos=ignore_eos)


SCENARIOS: tuple[Scenario, ...] = (
    (MODEL, k_ary((2, 2)), "top", asked(8, GREEDY)),
    (MODEL, k_ary((2, 2)), "top", asked(4, Sampling(0.8, frequency_penalty=1.5), ignore_eos=True)),
    (MODEL, parse_ranks("0 1 1,0"), "top", asked(4)),
    (MODEL, k_ary((3,)), "drawn", asked(3)),
    (MODEL, k_ary((3,)), "drawn-without", asked(3)),
    (Several((MODEL, OTHER)), k_ary((2,)), "drawn", asked(3)),
)

LEFT = "p = proposal.left_of(p) if self.exact else"
DRAWN = "for child, proposal in window.draws.get(node, ()):"
STANDS = "self._stands(proposal, p, node, laws, u)"
ROW = "self.logits[node + 1]"
COMPACT = "self.cache.compact(row, base, path)"
NODES = "fed - 1 if parent == ROOT else fed + parent"
MUTANTS: dict[str, Mutation] = {
    "a rejected sibling is not taken away": (walks, LEFT, "p = p if self.exact else"),
    "the first rejected sibling alone is taken away": (
        walks,
        LEFT,
        "p = p if len(tests) > 1 else proposal.left_of(p) if self.exact else",
    ),
    "the second sibling is tested against the first p": (
        walks,
        STANDS,
        STANDS.replace(" p,", " laws.law(node),"),
    ),
    "siblings are taken away from the first p": (
        walks,
        LEFT,
        "p = proposal.left_of(laws.law(node)) if self.exact else",
    ),
    "a token that is drawn again is skipped": (
        walks,
        "            if child not in tests:",
        "            if child in tests:\n                continue\n            if child not in tests:",
    ),
    "a token that another draft draws again has the first draft's law": (
        walks,
        DRAWN,
        f"{DRAWN}\n            proposal = window.proposals[child]",
    ),
    "a certain sibling is not taken away": (
        window,
        "if len(self.law) == 1 and float(p[self.token]) == 0.0:",
        "if len(self.law) == 1:",
    ),
    "without replacement, q of the first draw": (
        siblings,
        "yield _proposal(guess, place, left)",
        "yield _proposal(guess, place, law)",
    ),
    "with replacement, q without the first": (
        siblings,
        "            yield _proposal(guess, draws.proposal(law), law)",
        "            first = draws.proposal(law)\n"
        "            yield _proposal(guess, first, law)\n"
        "            law = law.clone()\n"
        "            law[first] *= 0.5\n"
        "            place = draws.proposal(law / law.sum())\n"
        "            yield _proposal(guess, place, law)",
    ),
    "drawn siblings called certain": (
        siblings,
        "yield _proposal(guess, draws.proposal(law), law)",
        "yield _proposal(guess, draws.proposal(law), law / law.max())",
    ),
    "a token that is drawn again is a node again": (
        window,
        "known = (node for node, drawn in siblings if drawn.token == proposal.token)",
        "known = iter(())",
    ),
    "no compaction": (rounds, COMPACT, "self.cache.truncate([row], [kept])"),
    "compaction one slot early": (rounds, COMPACT, "self.cache.compact(row, base - 1, path)"),
    "compaction one slot late": (rounds, COMPACT, "self.cache.compact(row, base + 1, path)"),
    "compaction of the next nodes": (
        rounds,
        COMPACT,
        "self.cache.compact(row, base, [node + (node < full - base - 1) for node in path])",
    ),
    "compaction never needed": (rounds, "if path == list(range(len(path))):", "if True:"),
    "compaction keeps the node that ended the text": (
        rounds,
        "path = path[: kept - base]",
        "path = path[: kept - base + 1]",
    ),
    "a node sees its elder cousin": (
        rounds,
        NODES,
        "fed - 1 if parent == ROOT else fed + max(parent - 1, 0)",
    ),
    "all nodes follow the root": (rounds, NODES, "fed - 1"),
    "nodes of the root do not see the last token": (rounds, NODES, NODES.replace("fed - 1 if", "fed - 2 if")),
    "the target reads the tree as a text": (rounds, "if any(len(children) > 1", "if all(len(children) > 9"),
    "logits of the next node": (rounds, ROW, "self.logits[min(node + 2, len(self.logits) - 1)]"),
    "logits of the parent": (rounds, ROW, "self.logits[([-1, *self.window.parents])[node + 1] + 1]"),
    "logits by depth": (rounds, ROW, "self.logits[len(self.window.words(node))]"),
    "the path is not in the penalties": (rounds, "[*self.before, *self.window.words(node)]", "self.before"),
    "all nodes before are in the penalties": (
        rounds,
        "*self.window.words(node)]",
        "*self.window.tokens[: node + 1]]",
    ),
    "room for one level too many": (growing, "len(sequence.tokens) - 1\n", "len(sequence.tokens)\n"),
    "the draft's cache keeps the tree": (
        branching,
        "min(held, trunk, committed - 1)",
        "min(held, committed - 1)",
    ),
}


def check(monkeypatch: pytest.MonkeyPatch, scenario: Scenario, loop: type[Speculation], rule: Rule) -> None:
    drafter, shape, how, request = scenario
    assert_exact(monkeypatch, TARGET, request, SpeculativeTree(drafter, shape, rule, how), loop=loop)


@pytest.mark.parametrize("rule", [MultiStep(), Match()], ids=lambda rule: rule.name)
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_without_a_mutation_every_scenario_is_exact(
    monkeypatch: pytest.MonkeyPatch, scenario: Scenario, rule: Rule
) -> None:
    check(monkeypatch, scenario, Speculation, rule)


@pytest.mark.parametrize("mutation", MUTANTS)
def test_a_mutation_is_found(monkeypatch: pytest.MonkeyPatch, mutation: str) -> None:
    mutant = mutated(monkeypatch, MUTANTS[mutation])

    def every_scenario() -> None:
        for scenario in SCENARIOS:
            check(monkeypatch, scenario, loop_of(mutant), rule_of(mutant, MultiStep()))

    with pytest.raises((AssertionError, LabError)):  # what is no tree, or no path, is refused
        every_scenario()


def test_a_match_that_goes_on_at_another_child_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    mutant = mutated(
        monkeypatch,
        (
            walks,
            "next((test.node for test in tests if test.stands), None)",
            "next(iter(window.children(node)), None)",
        ),
    )
    with pytest.raises((AssertionError, LabError)):
        check(monkeypatch, SCENARIOS[1], Speculation, rule_of(mutant, Match()))


@pytest.mark.parametrize("how", ["drawn", "drawn-without"])
def test_choosing_among_drawn_siblings_by_confidence_is_not_exact(
    monkeypatch: pytest.MonkeyPatch, how: How
) -> None:
    """What the refusal of dynamic trees with drawn siblings keeps out."""
    scenario: Scenario = (MODEL, Dynamic(2, 1, 1), how, asked(3))
    with pytest.raises(LabError, match="drawn at random"):
        check(monkeypatch, scenario, Speculation, MultiStep())
    mutated(monkeypatch, (growing, "if not shape.static and how", "if how is None and how"))
    with pytest.raises(AssertionError):
        check(monkeypatch, scenario, Speculation, MultiStep())
