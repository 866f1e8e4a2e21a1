"""The exact check can fail: one wrong line in the rule or the loop, and it does.

Each mutant is the project's own source with one text replaced. Not here, because they change no law:
penalties that the draft does not see and drafting past an end of text (they cost acceptance and time, and are
tested as such), and a one-hot q for a sampled proposal (another exact rule). Those of trees alone are in
test_tree_mutations.py.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lab.decode.requests import Request
from lab.decode.sampling import GREEDY, Sampling
from lab.decode.speculative import drafting, rounds, rule, walks, window
from lab.decode.speculative.drafters import Drafter
from lab.decode.speculative.how import Speculative
from lab.decode.speculative.policy import Fixed, Policy
from lab.decode.speculative.rounds import Speculation
from lab.decode.speculative.walks import MultiStep, Rule
from lab.errors import LabError
from tests.lab.decode.speculative.enumeration import assert_exact
from tests.lab.decode.speculative.mutants import Mutation, loop_of, mutated, rule_of
from tests.lab.decode.speculative.toy import Logits, ToyModel, random_logits, reduced_draft, toy_draft

V, EOS = 3, 2
Check = Callable[[pytest.MonkeyPatch, type[Speculation], Policy, Rule], None]


def scenario(target: Logits, drafter: Drafter, sampling: Sampling) -> Check:
    model = ToyModel(target, V, eos_ids=(EOS,))
    request = Request("a", (0, 1), 4, sampling)

    def check(monkeypatch: pytest.MonkeyPatch, loop: type[Speculation], policy: Policy, rule: Rule) -> None:
        assert_exact(monkeypatch, model, request, Speculative(drafter, policy, rule), loop=loop)

    return check


SCENARIOS = [
    scenario(random_logits(30, V), toy_draft(random_logits(31, V), V), GREEDY),
    scenario(random_logits(32, V, (0, 1)), toy_draft(random_logits(33, V), V), Sampling(1.0)),
    scenario(random_logits(34, V), reduced_draft(35, (1, 2)), Sampling(0.6, frequency_penalty=1.5)),
    scenario(random_logits(36, V), toy_draft(random_logits(37, V), V), Sampling(0.7, top_k=2)),
]

P = "law_after(logits, self.sequence.request.sampling, self._context(node))"
ROW = "self.logits[node + 1]"
LEFT = "p = proposal.left_of(p) if self.exact else"
LAST = "return Verdict(node, tuple(tests.values()), None, draws.token(p), p)"
WORDS = "[*self.before, *self.window.words(node)]"
MUTANTS: dict[str, Mutation] = {
    "u ≤ p/q": (rule, "uniform < p_target / p_draft", "uniform <= p_target / p_draft"),
    "u < p": (rule, "uniform < p_target / p_draft", "uniform < p_target"),
    "always accepted": (rule, "return uniform < p_target / p_draft", "return True"),
    "residual not normalised": (rule, "return left / total if", "return left if"),
    "residual softmaxed": (rule, "return left / total if", "return torch.softmax(left, 0) if"),
    "residual of q − p": (rule, "(p_target - p_draft)", "(p_draft - p_target)"),
    "residual |p − q|": (rule, "clamp_(min=0.0)", "abs_()"),
    "correction from p": (walks, LEFT, "p = p if self.exact else"),
    "correction from q": (walks, LEFT, "p = proposal.spread(len(p)) if self.exact else"),
    "correction from the next row": (
        walks,
        LEFT,
        "p = residual(laws.law(child), proposal.spread(len(p))) if self.exact else",
    ),
    "bonus in place of a correction at the last position": (
        walks,
        LEFT,
        "p = laws.law(child) if child not in window.draws else proposal.left_of(p) if self.exact else",
    ),
    "going on after a rejection": (walks, LAST, LAST.replace("None", "next(iter(tests), None)")),
    "bonus never": (
        walks,
        "node = verdict.child",
        "node = verdict.child if verdict.child in window.draws else None",
    ),
    "bonus from the row before": (rounds, ROW, "self.logits[node + 1 - (0 < node + 2 == len(self.logits))]"),
    "every test one row late": (rounds, ROW, "self.logits[min(node + 2, len(self.logits) - 1)]"),
    "every test one row early": (rounds, ROW, "self.logits[max(node, 0)]"),
    "drafted tokens without penalties": (rounds, WORDS, "self.before"),
    "drafted tokens penalised twice": (rounds, WORDS, "[*self.sequence.tokens, *self.window.words(node)]"),
    "target before its transform": (
        rounds,
        P,
        P.replace("self.sequence.request.sampling", "type(self.sequence.request.sampling)(1.0)"),
    ),
    "going on after the end": (rounds, "if sequence.finish:", "if False:"),
    "target's cache not cut": (rounds, "self.cache.truncate([row], [kept])", "pass"),
    "target's cache cut by one too many": (rounds, "truncate([row], [kept])", "truncate([row], [kept - 1])"),
    "accepted counts the rejected": (rounds, "accepted=len(path)", "accepted=len(tests)"),
    "draft's cache not cut": (
        drafting,
        "cache.truncate([row], [min(cache.lengths[row], committed - 1)])",
        "pass",
    ),
    "draft's cache keeps the rejected": (drafting, "committed - 1)]", "committed)]"),
    "q before its transform": (
        drafting,
        "Proposal(token, place, law,",
        "Proposal(token, place, guess.logits.double().softmax(0),",
    ),
    "greedy draft, soft q": (drafting, "sequence.draws.proposal(law)", "int(law.argmax())"),
    "q of another token": (window, "self.law[self.place]", "self.law[self.place - 1]"),
    "draft's ids taken for the target's": (drafting, "int(guess.vocabulary[place])", "place"),
    "q spread over the draft's ids": (
        window,
        "torch.arange(len(self.law)) if self.vocabulary is None else self.vocabulary",
        "torch.arange(len(self.law))",
    ),
    "room for one token too many": (drafting, "len(sequence.tokens) - 1\n", "len(sequence.tokens)\n"),
}


def test_without_a_mutation_every_scenario_is_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    for check in SCENARIOS:
        check(monkeypatch, Speculation, Fixed(2), MultiStep())


@pytest.mark.parametrize("mutation", MUTANTS)
def test_a_mutation_is_found(monkeypatch: pytest.MonkeyPatch, mutation: str) -> None:
    mutant = mutated(monkeypatch, MUTANTS[mutation])

    def every_scenario() -> None:
        for check in SCENARIOS:
            check(monkeypatch, loop_of(mutant), Fixed(2), rule_of(mutant, MultiStep()))

    with pytest.raises((AssertionError, LabError)):  # the rule itself refuses q = 0
        every_scenario()


class Picky(Fixed):
    """Throws away a drawn token by what it is, as `Oracle` does."""

    def keeps(self, request: str, index: int, token: int) -> bool:
        return token != 1


def test_a_policy_that_looks_at_the_drawn_token_is_not_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(AssertionError):
        SCENARIOS[1](monkeypatch, Speculation, Picky(2), MultiStep())
