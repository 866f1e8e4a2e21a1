"""The output law of token trees is the target's, to 1e-12: all paths of the real loop are added up.

Where siblings are drawn, all joint draws of a tree are taken, so trees are small here; test_tree_nodes.py has
the large ones. Where they are certain, only tests and emitted tokens are random, and trees may be large.
"""

from __future__ import annotations

import math
import random
from itertools import product

import pytest
import torch

from lab.decode.requests import Request
from lab.decode.sampling import GREEDY, Sampling
from lab.decode.speculative.branching import Several, TreeDrafter
from lab.decode.speculative.drafters import NGramDrafter, ScriptedDrafter
from lab.decode.speculative.how import SpeculativeTree
from lab.decode.speculative.shapes import Dynamic, Shape, Static, k_ary, parse_ranks
from lab.decode.speculative.siblings import SIBLINGS, How
from lab.decode.speculative.walks import Match, MultiStep, Rule, Typical
from lab.models.tiny import byte_tokenizer
from tests.lab.decode.speculative.enumeration import assert_exact, assert_same_law, output_law
from tests.lab.decode.speculative.reference import answer_law
from tests.lab.decode.speculative.test_exact_law import TRANSFORMS, WARM, V, opened, random_script
from tests.lab.decode.speculative.toy import (
    ToyModel,
    random_logits,
    reduced_draft,
    tied_logits,
    toy_draft,
    toy_table,
)

MODEL = toy_draft(random_logits(2, V), V)
OTHER = toy_draft(random_logits(6, V), V)
SCRIPT = random_script(4)
DRAFTERS: dict[str, TreeDrafter] = {
    "model": MODEL,
    "model with a reduced vocabulary": reduced_draft(3, (0, 2)),
    "trigram": NGramDrafter("trigram", toy_table(range(V))),
    "bigram with a reduced vocabulary": NGramDrafter("bigram", toy_table((1, 2), order=2)),
    "scripted": ScriptedDrafter(random_script(4)),
    "often no idea": ScriptedDrafter(lambda text: None if sum(text) % 2 else SCRIPT(text)),
    "two models": Several((MODEL, OTHER)),
    "model and table": Several((reduced_draft(3, (0, 2)), NGramDrafter("trigram", toy_table(range(V))))),
}
RULES: dict[str, Rule] = {"multi-step": MultiStep(), "match": Match()}
SMALL: dict[str, tuple[Shape, int]] = {
    "2": (k_ary((2,)), 4),
    "3": (k_ary((3,)), 3),
    "1,2": (k_ary((1, 2)), 4),
    "2,1": (k_ary((2, 1)), 4),
    "a younger sibling's child": (parse_ranks("0 1 1,0"), 4),
}
"""Shapes with so few random draws that all can be taken, and the tokens to emit."""
K_ARY = [widths for depth in (1, 2, 3) for widths in product((1, 2, 3), repeat=depth)]


def irregular(seed: int) -> Static:
    """A random tree of up to 12 nodes, named by ranks."""
    numbers = random.Random(seed)
    known: list[tuple[int, ...]] = [()]
    width: dict[tuple[int, ...], int] = {}
    for _ in range(numbers.randint(4, 12)):
        above = numbers.choice([each for each in known if len(each) < 4])
        known.append((*above, width.get(above, 0)))
        width[above] = width.get(above, 0) + 1
    return Static(tuple(known[1:]))


IRREGULAR = {f"irregular {seed}": irregular(seed) for seed in range(6)}
DYNAMIC = {
    f"dynamic {width}, {depth}, {nodes}": Dynamic(width, depth, nodes)
    for width, depth, nodes in ((2, 3, 4), (3, 2, 5), (1, 3, 2), (3, 3, 9))
}
LARGE: dict[str, Shape] = (
    {"·".join(map(str, widths)): k_ary(widths) for widths in K_ARY} | IRREGULAR | DYNAMIC
)

TARGET = ToyModel(opened(random_logits(5, V, spread=1.0)), V)
PROMPT = (0, 2)


@pytest.mark.parametrize("how", ["drawn", "drawn-without"])
@pytest.mark.parametrize(("rule", "shape"), [*(("multi-step", shape) for shape in SMALL), ("match", "2")])
def test_drawn_siblings(monkeypatch: pytest.MonkeyPatch, rule: str, shape: str, how: How) -> None:
    tree, length = SMALL[shape]
    speculative = SpeculativeTree(MODEL, tree, RULES[rule], how)
    assert_exact(monkeypatch, TARGET, Request("a", PROMPT, length, WARM), speculative)


@pytest.mark.parametrize("how", SIBLINGS)
@pytest.mark.parametrize("drafter", DRAFTERS)
def test_every_drafter(monkeypatch: pytest.MonkeyPatch, drafter: str, how: How) -> None:
    """Three siblings of one draft, or of two in turn: the second may draw the first one's token."""
    for rule in RULES.values():
        shape = k_ary((3 if rule.name == "multi-step" else 2,))
        speculative = SpeculativeTree(DRAFTERS[drafter], shape, rule, how)
        assert_exact(monkeypatch, TARGET, Request("a", PROMPT, 3, WARM), speculative)


@pytest.mark.parametrize("transform", TRANSFORMS)
@pytest.mark.parametrize("how", SIBLINGS)
def test_every_sampling_transform(monkeypatch: pytest.MonkeyPatch, how: How, transform: str) -> None:
    request = Request("a", (1, 0), 3, TRANSFORMS[transform])
    drafter = DRAFTERS["bigram with a reduced vocabulary" if how == "drawn-without" else "two models"]
    tree = SpeculativeTree(drafter, k_ary((2, 2) if how == "top" else (2,)), siblings=how)
    assert_exact(monkeypatch, ToyModel(random_logits(1, V), V), request, tree)


@pytest.mark.parametrize("sampling", [Sampling(0.9, frequency_penalty=1.2), GREEDY])
@pytest.mark.parametrize("shape", LARGE)
def test_certain_siblings(monkeypatch: pytest.MonkeyPatch, shape: str, sampling: Sampling) -> None:
    """Every k-ary shape up to three levels of three children, irregular ones, and dynamic ones."""
    length = min(LARGE[shape].depth + 1, 3) if sampling.temperature else 8
    speculative = SpeculativeTree(DRAFTERS["model and table"], LARGE[shape])
    assert_exact(monkeypatch, TARGET, Request("a", PROMPT, length + 1, sampling), speculative)


@pytest.mark.parametrize("how", SIBLINGS)
@pytest.mark.parametrize("shape", ["2·2·2", "3·2·1", "irregular 3", "dynamic 3, 3, 9"])
def test_ties_at_temperature_0(monkeypatch: pytest.MonkeyPatch, shape: str, how: How) -> None:
    """Logits of 0, 1 or 2, over 27 prompts; nothing is drawn, whatever the siblings are asked to be."""
    target, draft = ToyModel(tied_logits(10, V), V), toy_draft(tied_logits(11, V), V)
    for text in product(range(3), repeat=3):
        assert_exact(
            monkeypatch, target, Request("a", text, 6), SpeculativeTree(draft, LARGE[shape], siblings=how)
        )


@pytest.mark.parametrize(("how", "vocab"), [("top", 4), ("top", 5), ("drawn", 4), ("drawn-without", 4)])
def test_larger_vocabularies(monkeypatch: pytest.MonkeyPatch, how: How, vocab: int) -> None:
    target, draft = ToyModel(random_logits(12, vocab), vocab), toy_draft(random_logits(13, vocab), vocab)
    shape = k_ary((3, 2) if how == "top" else (2,))
    assert_exact(
        monkeypatch, target, Request("a", (0,), 3, WARM), SpeculativeTree(draft, shape, siblings=how)
    )


@pytest.mark.parametrize("how", SIBLINGS)
@pytest.mark.parametrize(
    ("mine", "theirs"),
    [((0, 1), (2, 3)), ((0,), (1,)), ((0, 1, 2), (2, 3)), ((1,), (0, 1, 2, 3)), ((0, 1, 2, 3), (2,))],
    ids=["disjoint", "disjoint and certain", "one in common", "certain target", "certain draft"],
)
def test_supports(
    monkeypatch: pytest.MonkeyPatch, mine: tuple[int, ...], theirs: tuple[int, ...], how: How
) -> None:
    target, draft = ToyModel(random_logits(8, 4, mine), 4), toy_draft(random_logits(9, 4, theirs), 4)
    speculative = SpeculativeTree(draft, k_ary((3,)), siblings=how)
    assert_exact(monkeypatch, target, Request("a", (3,), 3, WARM), speculative)


@pytest.mark.parametrize("how", SIBLINGS)
@pytest.mark.parametrize("sampling", [WARM, GREEDY, Sampling(1.0, top_k=2)])
def test_equal_laws(monkeypatch: pytest.MonkeyPatch, sampling: Sampling, how: How) -> None:
    """p = q: a residual has nothing left, and a rejection of a drawn token probability 0."""
    logits = random_logits(7, V)
    speculative = SpeculativeTree(toy_draft(logits, V), k_ary((2,)), siblings=how)
    assert_exact(monkeypatch, ToyModel(logits, V), Request("a", (0,), 4, sampling), speculative)


ENDS = [("drawn", "2"), ("drawn-without", "1,2"), ("top", "3·3·3"), ("top", "irregular 2"), ("top", "3·1")]


@pytest.mark.parametrize(("how", "shape"), ENDS)
@pytest.mark.parametrize("ignore_eos", [False, True])
def test_end_of_text_anywhere(
    monkeypatch: pytest.MonkeyPatch, how: How, shape: str, ignore_eos: bool
) -> None:
    target = ToyModel(opened(random_logits(14, V, spread=1.0)), V, eos_ids=(2,))
    request = Request("a", (0, 1), 4, WARM, ignore_eos=ignore_eos)
    tree = SMALL[shape][0] if shape in SMALL else LARGE[shape]
    assert_exact(monkeypatch, target, request, SpeculativeTree(MODEL, tree, siblings=how))


@pytest.mark.parametrize(("how", "shape"), ENDS)
@pytest.mark.parametrize("stop", [("\x01\x02",), ("\x00", "\x02\x02\x01")])
def test_stop_strings(monkeypatch: pytest.MonkeyPatch, stop: tuple[str, ...], how: How, shape: str) -> None:
    target = ToyModel(opened(random_logits(15, V, spread=1.0)), V)
    tree = SMALL[shape][0] if shape in SMALL else LARGE[shape]
    speculative = SpeculativeTree(MODEL, tree, siblings=how)
    assert_exact(monkeypatch, target, Request("a", (0, 1), 4, WARM, stop=stop), speculative, byte_tokenizer())


@pytest.mark.parametrize("how", SIBLINGS)
@pytest.mark.parametrize("length", range(1, 5))
def test_answers_shorter_than_a_path(monkeypatch: pytest.MonkeyPatch, length: int, how: How) -> None:
    shape = k_ary((3, 3, 2)) if how == "top" else k_ary((1, 2))
    target = ToyModel(opened(random_logits(16, V)), V)
    speculative = SpeculativeTree(DRAFTERS["model with a reduced vocabulary"], shape, siblings=how)
    assert_exact(monkeypatch, target, Request("a", (0, 1), length, WARM), speculative)


@pytest.mark.parametrize(("how", "shape"), [("top", k_ary((2, 2))), ("drawn", k_ary((2,)))])
def test_rows_of_a_batch_are_independent(monkeypatch: pytest.MonkeyPatch, how: How, shape: Shape) -> None:
    """Two requests with settings of their own, one of them later: the joint law is the product."""
    target = ToyModel(random_logits(20, V), V, eos_ids=(1,))
    first = Request("a", (0, 2), 3, Sampling(0.7))
    second = Request("b", (2,), 3, Sampling(1.0, top_k=2), arrives=1)
    speculative = SpeculativeTree(DRAFTERS["model with a reduced vocabulary"], shape, siblings=how)
    joint = output_law(monkeypatch, target, [first, second], speculative)
    one, two = (answer_law(target.logits, each, (1,)) for each in (first, second))
    for ((_, mine), (_, other)), chance in joint.items():
        assert chance == pytest.approx(one[mine] * two[other], rel=0, abs=1e-12)
    assert math.fsum(joint.values()) == pytest.approx(1.0, rel=0, abs=1e-12)


def test_records_of_laws_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    speculative = SpeculativeTree(MODEL, k_ary((2, 2)), keep_laws=3)
    assert_exact(monkeypatch, TARGET, Request("a", (1, 0), 4, Sampling(1.0, top_k=2)), speculative)


@pytest.mark.parametrize("rule", [Typical(), Typical(0.3, 0.6), MultiStep(0.5)])
def test_approximate_rules_are_noticed(monkeypatch: pytest.MonkeyPatch, rule: Rule) -> None:
    """At temperature 1 the check fails; at temperature 0 the typical walk is the greedy one."""
    assert not rule.exact
    speculative = SpeculativeTree(MODEL, k_ary((2, 2)), rule)
    with pytest.raises(AssertionError):
        assert_exact(monkeypatch, TARGET, Request("a", PROMPT, 4, WARM), speculative)
    if isinstance(rule, Typical):
        for shape in LARGE.values():
            greedy = SpeculativeTree(MODEL, shape, rule)
            assert_exact(monkeypatch, TARGET, Request("a", PROMPT, 8), greedy)


def test_typical_never_emits_what_is_rare_from_the_draft(monkeypatch: pytest.MonkeyPatch) -> None:
    """A drafted token of small p never stands, and one that is typical always does."""
    logits = torch.tensor([0.9, 0.06, 0.04]).log()
    target = ToyModel(opened(lambda text: logits), V)
    for token, stands in ((0, True), (1, False)):
        drafter = ScriptedDrafter(lambda text, token=token: torch.eye(V, dtype=torch.float64)[token])
        speculative = SpeculativeTree(drafter, k_ary((1,)), Typical(0.09, 0.3))
        joint = output_law(monkeypatch, target, [Request("a", PROMPT, 3, WARM)], speculative)
        got = {answer: chance for ((_, answer),), chance in joint.items()}
        second = math.fsum(chance for (tokens, _), chance in got.items() if tokens[1] == token)
        assert second == pytest.approx(1.0 if stands else 0.06, rel=0, abs=1e-7)
        if stands:
            with pytest.raises(AssertionError):
                assert_same_law(got, answer_law(target.logits, Request("a", PROMPT, 3, WARM), ()))
