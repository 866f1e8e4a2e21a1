"""Rounds: draft a tree, verify it in one pass of the target, commit the path that stands and one token more.

`Speculation` is a batch whose decoding step is a round. Prompts are fed as in plain decoding, and the first
token comes from there; with γ = 0 all passes are those of plain decoding. A chain is the tree with one
branch. After every round the target's cache holds the committed tokens but the last. Leviathan et al. (ICML
2023), Algorithm 1; Miao et al., SpecInfer (2305.09781), Algorithm 2.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import torch
from torch import Tensor

from lab.decode.batching import (
    NOT_FINITE,
    Batch,
    Made,
    PromptFeeder,
    Running,
    Seen,
    Step,
    all_finite,
    rank,
    steps,
)
from lab.decode.requests import Request
from lab.decode.sampling import Context, adjusted, law_after
from lab.decode.speculative.drafting import check_vocabulary
from lab.decode.speculative.how import AnySpeculative
from lab.decode.speculative.rule import beta
from lab.decode.speculative.tree import ROOT, Tree
from lab.decode.speculative.walks import Test, Verdict
from lab.decode.speculative.window import Proposal, Window
from lab.models.branches import Branches
from lab.models.cache import KVCache
from lab.models.tokenizer import Tokenizer
from lab.models.transformer import Transformer
from lab.numerics.lanes import Lane
from lab.records import Failure
from lab.round_records import DraftedToken, Ending, LawRecord, LawToken, Lengths, RoundRecord


def speculate(
    model: Transformer,
    requests: Sequence[Request],
    lane: Lane,
    how: AnySpeculative,
    tokenizer: Tokenizer | None = None,
    max_batch: int | None = None,
    keep_top: int = 5,
) -> Iterator[Step]:
    """Decode as `batching.decode` does, in rounds. Each step's `rounds` tell what was drafted and what stood.

    Lossless in law for every drafter, shape and policy but `Oracle`, where the rule is exact; in the `fp32`
    lane a greedy request gives the tokens of plain decoding. Raises LabError before the first step for a
    request that cannot be decoded.
    """
    yield from steps(Speculation(model, requests, lane, how, tokenizer, max_batch, keep_top))


class Speculation(Batch):
    """A batch that decodes in rounds. `caches` has the draft's cache too, where the drafter keeps one."""

    def __init__(
        self,
        model: Transformer,
        requests: Sequence[Request],
        lane: Lane,
        how: AnySpeculative,
        tokenizer: Tokenizer | None = None,
        max_batch: int | None = None,
        keep_top: int = 5,
        prompt_lane: Lane | None = None,
        feed_prompt: PromptFeeder | None = None,
    ) -> None:
        self.how = how
        super().__init__(
            model, requests, lane, tokenizer, max_batch, "alone", keep_top, prompt_lane, feed_prompt
        )
        self.drafts = how.start(requests, self.size, self.longest, self.cache)
        self.caches += self.drafts.caches

    def _new_cache(self) -> KVCache:
        return self.model.new_cache(self.size, self.longest, self.lane, self.how.taps, self.how.nodes)

    def amend(self, sequence: Running, index: int, token: int) -> None:
        super().amend(sequence, index, token)
        self.drafts.cut(sequence)

    def _advance(self, group: list[Running]) -> Made:
        return self._round(group) if group[0].tokens else super()._advance(group)

    def _round(self, group: list[Running]) -> Made:
        started = time.perf_counter()
        before = self.drafts.lengths(group)
        windows = self.drafts.draft(group, self.model.config.eos_ids)
        check_vocabulary(windows, self.how.drafter.name, self.model.name, self.model.config.vocab_size)
        trees = [window.tree() for window in windows]
        drafted = time.perf_counter()
        chunks = [s.to_feed + w.tokens for s, w in zip(group, windows, strict=True)]
        logits = self._verify(group, chunks, trees)
        verified = time.perf_counter()
        seen = Seen(self.lane.name, len(group), sum(map(len, chunks)), verified - drafted)
        made = Made()
        for sequence, window, tree, own, old in zip(group, windows, trees, logits, before, strict=True):
            record = self._judge(sequence, window, tree, own, seen, made)
            lengths = self.drafts.cut(sequence, old)
            if record is not None:
                made.rounds.append(replace(record, draft_cache=lengths, draft_seconds=drafted - started))
        seconds = time.perf_counter() - started
        made.rounds = [replace(record, seconds=seconds) for record in made.rounds]
        return made

    def _verify(self, group: list[Running], chunks: list[list[int]], trees: list[Tree]) -> tuple[Tensor, ...]:
        """The target's logits [len(chunk), vocab] of every row: its last token's, then each node's."""
        rows = [sequence.row for sequence in group]
        branches = None
        if any(len(children) > 1 for tree in trees for children in tree.children.values()):
            branches = [
                _layout(self.cache.lengths[s.row], len(s.to_feed), tree)
                for s, tree in zip(group, trees, strict=True)
            ]
        logits = self.model.forward(chunks, self.cache, self.lane, rows, True, branches).cpu()
        parts = logits.split([len(chunk) for chunk in chunks])
        return tuple(part[len(s.to_feed) - 1 :] for part, s in zip(parts, group, strict=True))

    def _judge(
        self, sequence: Running, window: Window, tree: Tree, logits: Tensor, seen: Seen, made: Made
    ) -> RoundRecord | None:
        """Walk down the tree, commit the tokens that stand and one more, cut the cache to them."""
        request, start = sequence.request, len(sequence.tokens)
        base = len(request.prompt) + start  # the slot of node 0
        tests: dict[int, tuple[Test, LawRecord | None]] = {}
        path: list[int] = []
        texts: list[str] = []
        ending: Ending = "cut"
        last_law: LawRecord | None = None
        laws = _Laws(sequence, tuple(sequence.tokens), window, logits)
        try:
            for verdict in self.how.rule.walk(window, laws, sequence.draws):
                law = self._note(verdict, window, tests)
                row = logits[verdict.node + 1]
                (best,) = rank(row[None], max(self._keep_top, 2), self.tokenizer)
                assert best is not None  # the laws refuse what is not finite
                made.logits[request.id] = row
                record = self._commit(sequence, verdict.token, verdict.token, row, best, seen)
                made.records.append(record)
                texts.append(record.text)
                if verdict.child is None:
                    ending, last_law = ("correction" if verdict.tests else "bonus"), law
                    break
                path.append(verdict.child)
                if sequence.finish:
                    break
        except _NotFiniteError:
            made.records.append(Failure(request.id, len(sequence.tokens), NOT_FINITE))
            return None
        emitted = sequence.tokens[start:]
        self.drafts.past[request.id].append((max(tree.depths, default=0), len(path)))
        return RoundRecord(
            request=request.id,
            round=len(self.drafts.past[request.id]) - 1,
            start=start,
            drafted=self._drafted(window, tests, sequence.tokens[:start]),
            stopped=window.stopped,
            accepted=len(path),
            emitted=tuple(emitted),
            texts=tuple(texts),
            ending=ending,
            last_law=last_law,
            target_cache=self._cut_target(sequence, base, path),
            draft_cache=None,
            batch=seen.batch,
            positions=seen.rows,
            lane=seen.lane,
            draft_seconds=0.0,
            verify_seconds=seen.seconds,
            seconds=0.0,
            finish=sequence.finish,
            parents=None if tree.is_chain else tree.parents,
        )

    def _note(
        self, verdict: Verdict, window: Window, tests: dict[int, tuple[Test, LawRecord | None]]
    ) -> LawRecord | None:
        """Keep the tests of a verdict with their laws; give that of its last token."""
        law: LawRecord | None = None
        for test in verdict.tests:
            law = self._laws(test.p, window.proposals[test.node])
            tests[test.node] = (test, law)
        return law if verdict.tests else self._laws(verdict.p, None)

    def _drafted(
        self,
        window: Window,
        tests: dict[int, tuple[Test, LawRecord | None]],
        before: Sequence[int],
    ) -> tuple[DraftedToken, ...]:
        out = []
        for node, proposal in enumerate(window.proposals):
            test, law = tests.get(node, (None, None))
            out.append(
                DraftedToken(
                    proposal.token,
                    self._piece([*before[-3:], *window.words(node)]),
                    proposal.probability,
                    None if test is None else float(test.p[proposal.token]),
                    None if test is None else test.uniform,
                    None if test is None else test.stands,
                    proposal.seconds,
                    law,
                    proposal.confidence,
                )
            )
        return tuple(out)

    def _laws(self, p: Tensor, proposal: Proposal | None) -> LawRecord | None:
        """The likeliest tokens of both laws, if records keep them."""
        if not self.how.keep_laws:
            return None
        q = torch.zeros_like(p) if proposal is None else proposal.spread(len(p))
        likeliest = torch.maximum(p, q)
        support = int((likeliest > 0).sum())
        ids = likeliest.topk(min(self.how.keep_laws, support)).indices.tolist()
        tokens = tuple(
            LawToken(token, self._piece([token]), float(p[token]), float(q[token])) for token in ids
        )
        supports = (int((p > 0).sum()), int((q > 0).sum()))
        return LawRecord(tokens, None if proposal is None else beta(p, q), supports)

    def _cut_target(self, sequence: Running, base: int, path: list[int]) -> Lengths:
        """Keep the path's positions, in order, and forget the other nodes'; the last token has none yet."""
        row = sequence.row
        full = self.cache.lengths[row]
        kept = len(sequence.request.prompt) + len(sequence.tokens) - 1
        path = path[: kept - base]
        if path == list(range(len(path))):
            self.cache.truncate([row], [kept])
        else:
            self.cache.compact(row, base, path)
        return Lengths(base - 1, full, kept)


class _NotFiniteError(Exception):
    """Logits that are NaN or infinite were asked for."""


@dataclass(frozen=True)
class _Laws:
    """The target's laws along a tree, made when they are asked for."""

    sequence: Running
    before: tuple[int, ...]
    """Tokens committed before the round; the walk commits more as it goes."""
    window: Window
    logits: Tensor
    """[1 + nodes, vocab], the root's first."""
    made: dict[int, Tensor] = field(default_factory=dict)

    @property
    def greedy(self) -> bool:
        return self.sequence.request.sampling.temperature == 0.0

    def law(self, node: int) -> Tensor:
        if node not in self.made:
            logits = self._finite(node)
            p = law_after(logits, self.sequence.request.sampling, self._context(node))
            assert p is not None  # check_requests refuses a request that bans every token
            self.made[node] = p
        return self.made[node]

    def scores(self, node: int) -> Tensor:
        return adjusted(self._finite(node), self.sequence.request.sampling, self._context(node))

    def _finite(self, node: int) -> Tensor:
        logits = self.logits[node + 1]
        if not bool(all_finite(logits)):
            raise _NotFiniteError
        return logits

    def _context(self, node: int) -> Context:
        return Context(self.sequence.request.prompt, [*self.before, *self.window.words(node)])


def _layout(held: int, fed: int, tree: Tree) -> Branches:
    """A tree's slots in the target's cache: `held` are in use, `fed` tokens come before the nodes."""
    trunk = tuple(range(ROOT, fed - 1))
    nodes = tuple(fed - 1 if parent == ROOT else fed + parent for parent in tree.parents)
    return Branches(held, trunk + nodes)
