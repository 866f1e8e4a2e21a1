"""The exact check can fail: one wrong line in the rule or the loop, and it does.

Each mutant is the project's own source with one text replaced. Not here, because they change no law:
penalties that the draft does not see and drafting past an end of text (they cost acceptance and time, and are
tested as such), and a one-hot q for a sampled proposal (another exact rule).
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from types import ModuleType

import pytest

from lab.decode.requests import Request
from lab.decode.sampling import GREEDY, Sampling
from lab.decode.speculative import drafting, rounds, rule
from lab.decode.speculative.drafters import Drafter
from lab.decode.speculative.drafting import Speculative
from lab.decode.speculative.policy import Fixed, Policy
from lab.decode.speculative.rounds import Speculation
from lab.errors import LabError
from tests.lab.decode.speculative.enumeration import assert_exact
from tests.lab.decode.speculative.toy import Logits, ToyModel, random_logits, reduced_draft, toy_draft

V, EOS = 3, 2
Check = Callable[[pytest.MonkeyPatch, type[Speculation], Policy], None]


def scenario(target: Logits, drafter: Drafter, sampling: Sampling) -> Check:
    model = ToyModel(target, V, eos_ids=(EOS,))
    request = Request("a", (0, 1), 4, sampling)

    def check(monkeypatch: pytest.MonkeyPatch, loop: type[Speculation], policy: Policy) -> None:
        assert_exact(monkeypatch, model, request, Speculative(drafter, policy), loop=loop)

    return check


SCENARIOS = [
    scenario(random_logits(30, V), toy_draft(random_logits(31, V), V), GREEDY),
    scenario(random_logits(32, V, (0, 1)), toy_draft(random_logits(33, V), V), Sampling(1.0)),
    scenario(random_logits(34, V), reduced_draft(35, (1, 2)), Sampling(0.6, frequency_penalty=1.5)),
    scenario(random_logits(36, V), toy_draft(random_logits(37, V), V), Sampling(0.7, top_k=2)),
]

P = "p = law_after(logits[at], request.sampling, sequence.context())"
FROM_RESIDUAL = "residual(p / self.how.lenience, q)"
MUTANTS: dict[str, tuple[ModuleType, str, str]] = {
    "u ≤ p/q": (rule, "uniform < p_target / p_draft", "uniform <= p_target / p_draft"),
    "u < p": (rule, "uniform < p_target / p_draft", "uniform < p_target"),
    "always accepted": (rule, "return uniform < p_target / p_draft", "return True"),
    "residual not normalised": (rule, "return left / total if", "return left if"),
    "residual softmaxed": (rule, "return left / total if", "return torch.softmax(left, 0) if"),
    "residual of q − p": (rule, "(p_target - p_draft)", "(p_draft - p_target)"),
    "residual |p − q|": (rule, "clamp_(min=0.0)", "abs_()"),
    "correction from p": (rounds, FROM_RESIDUAL, "p"),
    "correction from q": (rounds, FROM_RESIDUAL, "q"),
    "correction from the next row": (
        rounds,
        FROM_RESIDUAL,
        "residual(law_after(logits[at + 1], request.sampling, sequence.context()), q)",
    ),
    "bonus after a rejection at the last position": (
        rounds,
        'if ending == "correction":',
        'if ending == "correction" and at + 1 < len(window.proposals):',
    ),
    "going on after a rejection": (rounds, 'if ending == "correction":', "if False:"),
    "bonus never": (rounds, "range(len(window.proposals) + 1)", "range(len(window.proposals) or 1)"),
    "bonus from the row before": (
        rounds,
        P,
        P.replace("[at]", "[at - (0 < at == len(window.proposals))]"),
    ),
    "every test one row late": (rounds, P, P.replace("[at]", "[min(at + 1, len(logits) - 1)]")),
    "every test one row early": (rounds, P, P.replace("[at]", "[max(at - 1, 0)]")),
    "drafted tokens without penalties": (
        rounds,
        P,
        P.replace("sequence.context()", "type(sequence.context())(request.prompt, sequence.tokens[:start])"),
    ),
    "target before its transform": (rounds, P, P.replace("request.sampling", "type(request.sampling)(1.0)")),
    "going on after the end": (rounds, "if sequence.finish and", "if False and"),
    "target's cache not cut": (rounds, "self.cache.truncate([sequence.row], [kept])", "pass"),
    "target's cache cut by one too many": (rounds, "[sequence.row], [kept])", "[sequence.row], [kept - 1])"),
    "accepted counts the rejected": (rounds, "accepted = sum(stands for", "accepted = sum(True for"),
    "draft's cache not cut": (drafting, "cache.truncate([row], [kept])", "pass"),
    "draft's cache keeps the rejected": (drafting, "len(sequence.tokens) - 1)", "len(sequence.tokens))"),
    "q before its transform": (
        drafting,
        "Proposal(token, place, law,",
        "Proposal(token, place, torch.softmax(guess.logits.double(), 0),",
    ),
    "greedy draft, soft q": (drafting, "sequence.draws.proposal(law)", "int(law.argmax())"),
    "q of another token": (drafting, "self.law[self.place]", "self.law[self.place - 1]"),
    "draft's ids taken for the target's": (drafting, "int(guess.vocabulary[place])", "place"),
    "q spread over the draft's ids": (drafting, "if self.vocabulary is None else self.vocabulary", ""),
    "room for one token too many": (drafting, "len(sequence.tokens) - 1\n", "len(sequence.tokens)\n"),
}


def loop_with(monkeypatch: pytest.MonkeyPatch, module: ModuleType, old: str, new: str) -> type[Speculation]:
    """The loop, made of sources of which one has `new` in place of `old`."""
    source = inspect.getsource(module)
    assert source.count(old) == 1, f"{old!r} stands {source.count(old)} times in {module.__name__}"
    mutant = ModuleType(f"{module.__name__}_mutant")
    monkeypatch.setitem(sys.modules, mutant.__name__, mutant)
    exec(compile(source.replace(old, new), mutant.__name__, "exec"), mutant.__dict__)
    if module is rounds:
        return mutant.Speculation
    for name, value in list(vars(rounds).items()):
        if getattr(value, "__module__", None) == module.__name__:
            monkeypatch.setattr(rounds, name, getattr(mutant, name))
    return Speculation


def test_without_a_mutation_every_scenario_is_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    for check in SCENARIOS:
        check(monkeypatch, Speculation, Fixed(2))


@pytest.mark.parametrize("mutation", MUTANTS)
def test_a_mutation_is_found(monkeypatch: pytest.MonkeyPatch, mutation: str) -> None:
    loop = loop_with(monkeypatch, *MUTANTS[mutation])

    def every_scenario() -> None:
        for check in SCENARIOS:
            check(monkeypatch, loop, Fixed(2))

    with pytest.raises((AssertionError, LabError)):  # the rule itself refuses q = 0
        every_scenario()


class Picky(Fixed):
    """Throws away a drawn token by what it is, as `Oracle` does."""

    def keeps(self, request: str, index: int, token: int) -> bool:
        return token != 1


def test_a_policy_that_looks_at_the_drawn_token_is_not_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(AssertionError):
        SCENARIOS[1](monkeypatch, Speculation, Picky(2))
