"""Rounds: draft up to γ tokens, verify them in one pass of the target, commit what stands and one token more.

`Speculation` is a batch whose decoding step is a round. Prompts are fed as in plain decoding, and the first
token comes from there; with γ = 0 all passes are those of plain decoding. After every round the target's
cache holds the committed tokens but the last. Leviathan et al. (ICML 2023), Algorithm 1.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

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
    rank,
    steps,
)
from lab.decode.requests import Request
from lab.decode.sampling import adjusted, law_after
from lab.decode.speculative.drafting import Drafts, Proposal, Speculative, Window, check_vocabulary
from lab.decode.speculative.rule import accepts, beta, residual
from lab.models.tokenizer import Tokenizer
from lab.models.transformer import Transformer
from lab.numerics.lanes import Lane
from lab.records import Failure
from lab.round_records import DraftedToken, Ending, LawRecord, LawToken, Lengths, RoundRecord


def speculate(
    model: Transformer,
    requests: Sequence[Request],
    lane: Lane,
    how: Speculative,
    tokenizer: Tokenizer | None = None,
    max_batch: int | None = None,
    keep_top: int = 5,
) -> Iterator[Step]:
    """Decode as `batching.decode` does, in rounds. Each step's `rounds` tell what was drafted and what stood.

    Lossless in law for every drafter and policy but `Oracle`; in the `fp32` lane a greedy request gives the
    tokens of plain decoding. Raises LabError before the first step for a request that cannot be decoded.
    """
    yield from steps(Speculation(model, requests, lane, how, tokenizer, max_batch, keep_top))


class Speculation(Batch):
    """A batch that decodes in rounds. `caches` has the draft's cache too, where the drafter keeps one."""

    def __init__(
        self,
        model: Transformer,
        requests: Sequence[Request],
        lane: Lane,
        how: Speculative,
        tokenizer: Tokenizer | None = None,
        max_batch: int | None = None,
        keep_top: int = 5,
        prompt_lane: Lane | None = None,
        feed_prompt: PromptFeeder | None = None,
    ) -> None:
        super().__init__(
            model, requests, lane, tokenizer, max_batch, "alone", keep_top, prompt_lane, feed_prompt
        )
        self.how = how
        self.drafts = Drafts(how, requests, self.size, self.longest)
        if self.drafts.cache is not None:
            self.caches.append(self.drafts.cache)

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
        drafted = time.perf_counter()
        chunks = [s.to_feed + w.tokens for s, w in zip(group, windows, strict=True)]
        logits = self._verify(group, chunks)
        verified = time.perf_counter()
        seen = Seen(self.lane.name, len(group), sum(map(len, chunks)), verified - drafted)
        made = Made()
        for sequence, window, own, old in zip(group, windows, logits, before, strict=True):
            record = self._judge(sequence, window, own, seen, made)
            lengths = self.drafts.cut(sequence, old)
            if record is not None:
                made.rounds.append(replace(record, draft_cache=lengths, draft_seconds=drafted - started))
        seconds = time.perf_counter() - started
        made.rounds = [replace(record, seconds=seconds) for record in made.rounds]
        return made

    def _verify(self, group: list[Running], chunks: list[list[int]]) -> tuple[Tensor, ...]:
        """The target's logits [len(chunk), vocab] of every row: row i of them is after chunk[: i + 1]."""
        rows = [sequence.row for sequence in group]
        logits = self.model.forward(chunks, self.cache, self.lane, rows, every_position=True).cpu()
        return logits.split([len(chunk) for chunk in chunks])

    def _judge(
        self, sequence: Running, window: Window, logits: Tensor, seen: Seen, made: Made
    ) -> RoundRecord | None:
        """Test the drafted tokens in order, commit those that stand and one more, cut the cache to them."""
        request, start = sequence.request, len(sequence.tokens)
        tests: list[tuple[float, float, bool, LawRecord | None]] = []
        ending: Ending = "bonus"
        last_law: LawRecord | None = None
        for at in range(len(window.proposals) + 1):
            (best,) = rank(logits[at : at + 1], max(self._keep_top, 2), self.tokenizer)
            if best is None:
                made.records.append(Failure(request.id, len(sequence.tokens), NOT_FINITE))
                return None
            p = law_after(logits[at], request.sampling, sequence.context())
            assert p is not None  # check_requests refuses a request that bans every token
            if at == len(window.proposals):
                token, last_law = sequence.draws.token(p), self._laws(p, None)
            else:
                proposal = window.proposals[at]
                token, u = proposal.token, sequence.draws.test()
                stands = self._stands(sequence, p, logits[at], proposal, u)
                law = self._laws(p, proposal)
                tests.append((float(p[token]), u, stands, law))
                if not stands:
                    q = proposal.spread(len(p))
                    token, ending, last_law = (
                        sequence.draws.token(residual(p / self.how.lenience, q)),
                        "correction",
                        law,
                    )
            made.logits[request.id] = logits[at]
            made.records.append(self._commit(sequence, token, token, logits[at], best, seen))
            if ending == "correction":
                break
            if sequence.finish and at < len(window.proposals):
                ending = "cut"
                break
        emitted = sequence.tokens[start:]
        accepted = sum(stands for _, _, stands, _ in tests)
        self.drafts.past[request.id].append((len(window.proposals), accepted))
        return RoundRecord(
            request=request.id,
            round=len(self.drafts.past[request.id]) - 1,
            start=start,
            drafted=self._drafted(window, tests),
            stopped=window.stopped,
            accepted=accepted,
            emitted=tuple(emitted),
            texts=self._pieces(emitted),
            ending=ending,
            last_law=last_law,
            target_cache=self._cut_target(sequence, len(request.prompt) + start - 1),
            draft_cache=None,
            batch=seen.batch,
            positions=seen.rows,
            lane=seen.lane,
            draft_seconds=0.0,
            verify_seconds=seen.seconds,
            seconds=0.0,
            finish=sequence.finish,
        )

    def _stands(self, sequence: Running, p: Tensor, logits: Tensor, proposal: Proposal, u: float) -> bool:
        lenience, sampling = self.how.lenience, sequence.request.sampling
        if lenience < 1.0 and sampling.temperature == 0.0:
            # Appendix A.5: by the law before it is made one-hot, p(x) >= l · max p.
            scores = adjusted(logits, sampling, sequence.context())
            return float(scores[proposal.token]) >= float(scores.max()) + math.log(lenience)
        return accepts(float(p[proposal.token]) / lenience, proposal.probability, u)

    def _drafted(
        self, window: Window, tests: list[tuple[float, float, bool, LawRecord | None]]
    ) -> tuple[DraftedToken, ...]:
        out = []
        for at, (proposal, text) in enumerate(
            zip(window.proposals, self._pieces(window.tokens), strict=True)
        ):
            p, u, stands, law = tests[at] if at < len(tests) else (None, None, None, None)
            out.append(
                DraftedToken(proposal.token, text, proposal.probability, p, u, stands, proposal.seconds, law)
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
            LawToken(token, self._pieces([token])[0], float(p[token]), float(q[token])) for token in ids
        )
        supports = (int((p > 0).sum()), int((q > 0).sum()))
        return LawRecord(tokens, None if proposal is None else beta(p, q), supports)

    def _cut_target(self, sequence: Running, before: int) -> Lengths:
        """Forget the positions of tokens that do not stand; the last token has none yet."""
        full = self.cache.lengths[sequence.row]
        kept = len(sequence.request.prompt) + len(sequence.tokens) - 1
        self.cache.truncate([sequence.row], [kept])
        return Lengths(before, full, kept)

    def _pieces(self, tokens: Sequence[int]) -> tuple[str, ...]:
        return ("",) * len(tokens) if self.tokenizer is None else tuple(self.tokenizer.pieces(list(tokens)))
