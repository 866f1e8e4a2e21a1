"""The law of every k-ary tree up to three levels of three drawn children: node by node, to 1e-12.

The joint draws of such a tree are too many to take all. But the walk looks at the children of one node at a
time, and those of nodes that it does not reach change nothing (`growing` draws each node's own, whatever the
others are). So all draws, tests and emitted tokens at one node are taken, with the project's own `siblings`
and rules; what a round emits follows from these, and with the target's own law of the rest it must be the
target's law of every string.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import product

import pytest
import torch
from torch import Tensor

from lab.decode.sampling import GREEDY, Context, Sampling, law_after
from lab.decode.speculative.guess import Guess
from lab.decode.speculative.siblings import SIBLINGS, How, siblings
from lab.decode.speculative.tree import ROOT
from lab.decode.speculative.walks import Match, MultiStep, Rule
from lab.decode.speculative.window import Window
from tests.lab.decode.speculative.enumeration import TOLERANCE, Paths
from tests.lab.decode.speculative.reference import slow_law
from tests.lab.decode.speculative.toy import Logits, random_logits

PROMPT = (0, 1)
Text = tuple[int, ...]


@dataclass(frozen=True)
class Guesser:
    """Drafts that share a tree: logits after a text, each of its own vocabulary."""

    drafts: tuple[tuple[Logits, tuple[int, ...] | None], ...]

    def after(self, text: Text) -> list[Guess]:
        return [
            Guess(logits(text), None if known is None else torch.tensor(known))
            for logits, known in self.drafts
        ]


@dataclass(frozen=True)
class OneNode:
    """The target after the root of a tree that has one level."""

    logits: Tensor
    sampling: Sampling
    context: Context

    @property
    def greedy(self) -> bool:
        return self.sampling.temperature == 0.0

    def law(self, node: int) -> Tensor:
        assert node == ROOT
        p = law_after(self.logits, self.sampling, self.context)
        assert p is not None
        return p

    def scores(self, node: int) -> Tensor:
        raise NotImplementedError  # of lenience, which is approximate


@dataclass(frozen=True)
class Case:
    target: Logits
    guesser: Guesser
    vocab: int
    sampling: Sampling
    how: How
    rule: Rule
    known: dict[tuple[Text, int], tuple[dict[int, float], dict[int, float]]] = field(default_factory=dict)

    def node(self, answer: Text, count: int) -> tuple[dict[int, float], dict[int, float]]:
        """Chances of going on to a child, and of ending with a token, by token, after `answer`."""
        if (answer, count) not in self.known:
            paths = Paths()
            stands: dict[int, float] = defaultdict(float)
            ends: dict[int, float] = defaultdict(float)
            context = Context(PROMPT, answer)
            laws = OneNode(self.target((*PROMPT, *answer)), self.sampling, context)
            guesses = self.guesser.after((*PROMPT, *answer))
            for _ in paths.replays():
                window = Window(1, "gamma")
                for child in siblings(guesses, self.sampling, context, count, self.how, paths):  # type: ignore[arg-type]
                    window.add(replace(child, parent=ROOT))
                assert len(window.draws.get(ROOT, ())) <= count
                verdict = next(iter(self.rule.walk(window, laws, paths)))  # type: ignore[arg-type]
                if verdict.child is not None:
                    assert window.proposals[verdict.child].token == verdict.token
                (ends if verdict.child is None else stands)[verdict.token] += paths.chance
            self.known[answer, count] = dict(stands), dict(ends)
        return self.known[answer, count]

    @cache  # noqa: B019 - cases live as long as the tests
    def p(self, answer: Text) -> tuple[float, ...]:
        """The target's law after `answer`, by definition."""
        logits = self.target((*PROMPT, *answer)).tolist()
        return tuple(slow_law(logits, self.sampling, PROMPT, answer))

    def emitted(self, widths: Sequence[int]) -> dict[Text, float]:
        """The probability of everything that a round may emit."""
        out: dict[Text, float] = {}
        level: dict[Text, float] = {(): 1.0}
        for depth in range(len(widths) + 1):
            below: dict[Text, float] = {}
            for answer, chance in level.items():
                stands, ends = self.node(answer, widths[depth] if depth < len(widths) else 0)
                out |= {(*answer, token): chance * end for token, end in ends.items()}
                below |= {(*answer, token): chance * stand for token, stand in stands.items()}
            level = below
        assert not level, "no node goes on below the last level"
        return out

    def __hash__(self) -> int:
        return id(self)


def check(case: Case, widths: Sequence[int]) -> None:
    """Of every string as long as the longest round: Σ P(e) p(rest | e) over its beginnings e is its p."""
    emitted = case.emitted(widths)
    assert math.fsum(emitted.values()) == pytest.approx(1.0, rel=0, abs=TOLERANCE)
    for text in product(range(case.vocab), repeat=len(widths) + 1):
        rest = 1.0  # p of what follows the beginning
        total = 0.0
        for length in range(len(text), 0, -1):
            total += emitted.get(text[:length], 0.0) * rest
            rest *= case.p(text[: length - 1])[text[length - 1]]
        assert total == pytest.approx(rest, rel=0, abs=TOLERANCE), text


RULES: dict[str, Rule] = {"multi-step": MultiStep(), "match": Match()}
WARM, PENALISED = Sampling(1.0), Sampling(0.8, top_p=0.95, frequency_penalty=0.7)
GUESSERS: dict[str, Guesser] = {
    "model": Guesser(((random_logits(41, 4), None),)),
    "reduced": Guesser(((random_logits(42, 2), (1, 3)),)),
    "two drafts": Guesser(((random_logits(41, 4), None), (random_logits(43, 3), (0, 1, 2)))),
}
K_ARY = [widths for depth in (1, 2, 3) for widths in product((1, 2, 3), repeat=depth)]


@cache
def case(guesser: str, sampling: Sampling, how: How, rule: str) -> Case:
    return Case(random_logits(40, 4, spread=1.0), GUESSERS[guesser], 4, sampling, how, RULES[rule])


@pytest.mark.parametrize("how", SIBLINGS)
@pytest.mark.parametrize("widths", K_ARY, ids=lambda widths: "·".join(map(str, widths)))
def test_every_shape(widths: tuple[int, ...], how: How) -> None:
    check(case("model", WARM, how, "multi-step"), widths)


@pytest.mark.parametrize("how", SIBLINGS)
@pytest.mark.parametrize("widths", [each for each in K_ARY if len(each) < 3], ids=str)
def test_shapes_that_are_matched(widths: tuple[int, ...], how: How) -> None:
    check(case("model", WARM, how, "match"), widths)


@pytest.mark.parametrize("sampling", [WARM, PENALISED, GREEDY], ids=["warm", "penalised", "greedy"])
@pytest.mark.parametrize("how", SIBLINGS)
@pytest.mark.parametrize("guesser", GUESSERS)
def test_every_drafter(guesser: str, how: How, sampling: Sampling) -> None:
    for widths in ((3,), (2, 3)):
        check(case(guesser, sampling, how, "multi-step"), widths)


@pytest.mark.parametrize("how", SIBLINGS)
@pytest.mark.parametrize("vocab", [3, 5])
def test_other_vocabularies(vocab: int, how: How) -> None:
    """Three siblings of three tokens: without replacement, every token is a child."""
    guesser = Guesser(((random_logits(51, vocab), None),))
    check(Case(random_logits(50, vocab), guesser, vocab, WARM, how, MultiStep()), (3, 2))


def mass(widths: tuple[int, ...], how: How, rule: str) -> float:
    """The chance that a child of the root stands."""
    return math.fsum(case("model", WARM, how, rule).node((), widths[0])[0].values())


@pytest.mark.parametrize("how", SIBLINGS)
@pytest.mark.parametrize("count", [1, 2, 3])
def test_matching_accepts_no_more_than_multi_step(count: int, how: How) -> None:
    """SpecInfer, Theorem 4.3; of certain siblings both accept the target's mass on them."""
    matched, stepped = (mass((count,), how, rule) for rule in ("match", "multi-step"))
    assert matched <= stepped + TOLERANCE
    if how == "top":
        assert matched == pytest.approx(stepped, rel=0, abs=TOLERANCE)
    if count > 1:
        assert mass((count - 1,), how, "multi-step") < stepped


def test_drawing_without_replacement_accepts_more() -> None:
    assert mass((3,), "drawn-without", "multi-step") > mass((3,), "drawn", "multi-step") + 0.01
