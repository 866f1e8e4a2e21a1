"""The output law of speculation is the target's, to 1e-12: all paths of the real loop are added up."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import Tensor

from lab.decode.requests import Request
from lab.decode.sampling import GREEDY, Sampling
from lab.decode.speculative.drafters import (
    Drafter,
    LookupDrafter,
    NGramDrafter,
    ScriptedDrafter,
    UniformDrafter,
)
from lab.decode.speculative.how import Speculative
from lab.decode.speculative.policy import Adaptive, Confident, Fixed, Optimal, Policy
from lab.decode.speculative.walks import MultiStep
from lab.models.tiny import byte_tokenizer
from tests.lab.decode.speculative.enumeration import assert_exact, assert_same_law, output_law
from tests.lab.decode.speculative.reference import answer_law
from tests.lab.decode.speculative.toy import (
    NEVER,
    Logits,
    ToyModel,
    random_logits,
    reduced_draft,
    tied_logits,
    toy_draft,
    toy_table,
)

V = 3
WARM = Sampling(1.0)


def random_script(seed: int, vocab: int = V) -> Callable[[Sequence[int]], Tensor]:
    """Laws that depend on the text; some tokens get probability 0, some laws are certain."""

    def law(text: Sequence[int]) -> Tensor:
        numbers = np.random.default_rng([seed, *text])
        weights = numbers.random(vocab) * (numbers.random(vocab) < 0.6)
        weights[numbers.integers(vocab)] += 0.1
        return torch.from_numpy(weights / weights.sum())

    return law


DRAFTERS: dict[str, Drafter] = {
    "model": toy_draft(random_logits(2, V), V),
    "model with a reduced vocabulary": reduced_draft(3, (0, 2)),
    "trigram": NGramDrafter("trigram", toy_table(range(V))),
    "bigram with a reduced vocabulary": NGramDrafter("bigram", toy_table((1, 2), order=2)),
    "lookup": LookupDrafter(),
    "uniform": UniformDrafter(V),
    "scripted": ScriptedDrafter(random_script(4)),
}
TRANSFORMS = {
    "temperature 0": GREEDY,
    "temperature 0.5": Sampling(0.5),
    "temperature 1": WARM,
    "top-k": Sampling(1.2, top_k=2),
    "top-p": Sampling(1.0, top_p=0.7),
    "min-p": Sampling(1.0, min_p=0.4),
    "repetition": Sampling(1.0, repetition_penalty=2.5),
    "frequency": Sampling(1.0, frequency_penalty=0.9),
    "presence": Sampling(1.0, presence_penalty=-1.1),
    "bias": Sampling(1.0, logit_bias=((0, 1.5), (2, -0.7))),
    "banned": Sampling(1.0, banned=(1,)),
    "temperature 0, penalties": Sampling(0.0, repetition_penalty=1.8, frequency_penalty=1.3, banned=(2,)),
    "all at once": Sampling(
        0.8, 2, 0.9, 0.1, 1.3, 0.4, 0.2, logit_bias=((1, 0.8),), banned=(0,)
    ),
}  # fmt: skip


def opened(logits: Logits) -> Logits:
    """The same, but the first new token after a prompt of two is certain, so that fewer paths remain."""
    return lambda text: torch.tensor([NEVER, 0.0, NEVER]) if len(text) == 2 else logits(text)


@pytest.mark.parametrize("transform", TRANSFORMS)
@pytest.mark.parametrize("drafter", DRAFTERS)
def test_every_drafter_under_every_sampling_transform(
    monkeypatch: pytest.MonkeyPatch, drafter: str, transform: str
) -> None:
    request = Request("a", (1, 0), 4, TRANSFORMS[transform])
    target = ToyModel(random_logits(1, V), V)
    assert_exact(monkeypatch, target, request, Speculative(DRAFTERS[drafter], Fixed(2)))


@pytest.mark.parametrize("gamma", range(5))
@pytest.mark.parametrize("drafter", DRAFTERS)
def test_every_drafter_at_every_window(monkeypatch: pytest.MonkeyPatch, drafter: str, gamma: int) -> None:
    """Long enough that a whole window is drafted and a bonus follows it."""
    target = ToyModel(opened(random_logits(5, V, spread=1.0)), V)
    request = Request("a", (0, 2), gamma + 2, WARM)
    assert_exact(monkeypatch, target, request, Speculative(DRAFTERS[drafter], Fixed(gamma)))


class Restless(Fixed):
    """Windows that look at nothing but how many rounds there were."""

    def window(self, past: Sequence[tuple[int, int]]) -> int:
        return (1, 0, 9, 2)[len(past) % 4]


POLICIES: dict[str, Policy] = {
    "adaptive": Adaptive(1, low=1, high=3),
    "confident": Confident(3, threshold=0.5),
    "optimal": Optimal(0.6, 0.15, (1.0, 1.05, 1.1, 1.15), weight=1.0),
    "restless": Restless(),
}


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("drafter", DRAFTERS)
def test_every_drafter_under_every_policy(monkeypatch: pytest.MonkeyPatch, drafter: str, policy: str) -> None:
    target = ToyModel(opened(random_logits(6, V, spread=1.0)), V)
    request = Request("a", (2, 0), 5, WARM)
    assert_exact(monkeypatch, target, request, Speculative(DRAFTERS[drafter], POLICIES[policy]))


@pytest.mark.parametrize("sampling", [WARM, GREEDY, Sampling(1.0, top_k=2)])
def test_equal_laws(monkeypatch: pytest.MonkeyPatch, sampling: Sampling) -> None:
    """p = q: a residual has nothing left, and a rejection probability 0."""
    logits = random_logits(7, V)
    request = Request("a", (0,), 4, sampling)
    assert_exact(monkeypatch, ToyModel(logits, V), request, Speculative(toy_draft(logits, V), Fixed(2)))


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [((0, 1), (2, 3)), ((0,), (1,)), ((0, 1, 2), (2, 3)), ((1,), (0, 1, 2, 3)), ((0, 1, 2, 3), (2,))],
    ids=["disjoint", "disjoint and certain", "one in common", "certain target", "certain draft"],
)
@pytest.mark.parametrize("gamma", [1, 2, 3])
def test_supports(
    monkeypatch: pytest.MonkeyPatch, mine: tuple[int, ...], theirs: tuple[int, ...], gamma: int
) -> None:
    target = ToyModel(random_logits(8, 4, mine), 4)
    draft = toy_draft(random_logits(9, 4, theirs), 4)
    assert_exact(monkeypatch, target, Request("a", (3,), 4, WARM), Speculative(draft, Fixed(gamma)))


@pytest.mark.parametrize("draft_seed", [10, 11])
def test_ties_at_temperature_0(monkeypatch: pytest.MonkeyPatch, draft_seed: int) -> None:
    """Logits of 0, 1 or 2: target and draft often agree, often by a tie, over 27 prompts."""
    target = ToyModel(tied_logits(10, V), V)
    for prompt in range(27):
        text = (prompt // 9, prompt // 3 % 3, prompt % 3)
        how = Speculative(toy_draft(tied_logits(draft_seed, V), V), Fixed(3))
        assert_exact(monkeypatch, target, Request("a", text, 6), how)


@pytest.mark.parametrize("vocab", [4, 5, 6])
def test_larger_vocabularies(monkeypatch: pytest.MonkeyPatch, vocab: int) -> None:
    target = ToyModel(random_logits(12, vocab), vocab)
    how = Speculative(toy_draft(random_logits(13, vocab), vocab), Fixed(1))
    assert_exact(monkeypatch, target, Request("a", (0,), 3, WARM), how)


@pytest.mark.parametrize("drafter", ["model", "uniform", "lookup"])
@pytest.mark.parametrize("ignore_eos", [False, True])
def test_end_of_text_anywhere(monkeypatch: pytest.MonkeyPatch, drafter: str, ignore_eos: bool) -> None:
    """Drafted, accepted, corrected to or drawn as a bonus, at every offset of a window of three."""
    target = ToyModel(opened(random_logits(14, V, spread=1.0)), V, eos_ids=(2,))
    request = Request("a", (0, 1), 5, WARM, ignore_eos=ignore_eos)
    assert_exact(monkeypatch, target, request, Speculative(DRAFTERS[drafter], Fixed(3)))


@pytest.mark.parametrize("stop", [("\x01\x02",), ("\x00", "\x02\x02\x01")])
@pytest.mark.parametrize("drafter", ["model", "lookup"])
def test_stop_strings(monkeypatch: pytest.MonkeyPatch, drafter: str, stop: tuple[str, ...]) -> None:
    target = ToyModel(opened(random_logits(15, V, spread=1.0)), V)
    request = Request("a", (0, 1), 5, WARM, stop=stop)
    assert_exact(monkeypatch, target, request, Speculative(DRAFTERS[drafter], Fixed(3)), byte_tokenizer())


@pytest.mark.parametrize("length", range(1, 5))
def test_answers_shorter_than_a_window(monkeypatch: pytest.MonkeyPatch, length: int) -> None:
    target = ToyModel(random_logits(16, V), V)
    how = Speculative(DRAFTERS["model with a reduced vocabulary"], Fixed(8))
    assert_exact(monkeypatch, target, Request("a", (0, 1), length, WARM), how)


def test_a_ban_of_all_that_the_draft_can_say(monkeypatch: pytest.MonkeyPatch) -> None:
    request = Request("a", (0, 1), 4, Sampling(1.0, banned=(0, 2)))
    how = Speculative(DRAFTERS["model with a reduced vocabulary"], Fixed(2))
    assert_exact(monkeypatch, ToyModel(random_logits(17, V), V), request, how)


def test_a_drafter_that_often_has_no_idea(monkeypatch: pytest.MonkeyPatch) -> None:
    script = random_script(18)
    drafter = ScriptedDrafter(lambda text: None if sum(text) % 2 else script(text))
    target = ToyModel(opened(random_logits(19, V)), V)
    assert_exact(monkeypatch, target, Request("a", (0, 2), 5, WARM), Speculative(drafter, Fixed(3)))


def test_records_of_laws_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    target = ToyModel(random_logits(1, V), V)
    how = Speculative(DRAFTERS["model"], Fixed(2), keep_laws=3)
    assert_exact(monkeypatch, target, Request("a", (1, 0), 4, Sampling(1.0, top_k=2)), how)


@pytest.mark.parametrize("arrives", [0, 1])
def test_rows_of_a_batch_are_independent(monkeypatch: pytest.MonkeyPatch, arrives: int) -> None:
    """Two requests with settings of their own: the joint law is the product, and so is each one alone."""
    target = ToyModel(random_logits(20, V), V, eos_ids=(1,))
    first = Request("a", (0, 2), 3, Sampling(0.7))
    second = Request("b", (2,), 3, Sampling(1.0, top_k=2), arrives=arrives)
    how = Speculative(DRAFTERS["model with a reduced vocabulary"], Fixed(2))
    joint = output_law(monkeypatch, target, [first, second], how)
    one, two = (answer_law(target.logits, replace(each), (1,)) for each in (first, second))
    for ((_, mine), (_, other)), chance in joint.items():
        assert chance == pytest.approx(one[mine] * two[other], rel=0, abs=1e-12)
    assert math.fsum(joint.values()) == pytest.approx(1.0, rel=0, abs=1e-12)


def test_lenience_is_approximate(monkeypatch: pytest.MonkeyPatch) -> None:
    """No answer of one window is likelier than p / lenience, and the law is another: the check can fail."""
    logits = random_logits(21, V)(())
    target, request = ToyModel(opened(lambda text: logits), V), Request("a", (0, 1), 3, WARM)
    how = Speculative(toy_draft(random_logits(22, V), V), Fixed(1), MultiStep(0.5))
    joint = output_law(monkeypatch, target, [request], how)
    got = {answer: chance for ((_, answer),), chance in joint.items()}
    expected = answer_law(target.logits, request, ())
    with pytest.raises(AssertionError):
        assert_same_law(got, expected)
    p = torch.softmax(logits.double(), 0)
    for token in range(V):
        second = sum(chance for (tokens, _), chance in got.items() if tokens[1] == token)
        assert second <= float(p[token]) / 0.5 + 1e-12
