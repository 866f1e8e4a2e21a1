"""The draft's half of a round: a window of proposals for every row, drafted one token at a time, together.

Nothing is verified here. The draft's cache holds a beginning of each row's committed tokens: after a full
acceptance it lacks the last drafted token as well as the new one, and is fed both with its next guess.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor

from lab.decode.batching import Running, all_finite
from lab.decode.requests import Request
from lab.decode.sampling import law_after
from lab.decode.speculative.drafters import Drafter, Guess
from lab.decode.speculative.policy import Oracle, Policy
from lab.errors import LabError
from lab.models.cache import KVCache
from lab.round_records import Lengths, Stopped


@dataclass
class Proposal:
    """A drafted token, at `place` of the law [R] that it was drawn from."""

    token: int
    place: int
    law: Tensor
    vocabulary: Tensor | None
    seconds: float

    @property
    def probability(self) -> float:
        return float(self.law[self.place])

    @property
    def last(self) -> int:
        """The largest token id that its law is of."""
        return len(self.law) - 1 if self.vocabulary is None else int(self.vocabulary[-1])

    def spread(self, vocab_size: int) -> Tensor:
        """The law over the target's entire vocabulary."""
        if self.vocabulary is None and len(self.law) == vocab_size:
            return self.law
        ids = torch.arange(len(self.law)) if self.vocabulary is None else self.vocabulary
        return torch.zeros(vocab_size, dtype=self.law.dtype).index_copy_(0, ids, self.law)


@dataclass
class Window:
    """What one request drafts in one round."""

    limit: int
    stopped: Stopped
    """Why drafting ends at the limit; another reason may come first."""
    proposals: list[Proposal] = field(default_factory=list)

    @property
    def tokens(self) -> list[int]:
        return [proposal.token for proposal in self.proposals]


@dataclass(frozen=True)
class Speculative:
    """How to speculate. `lenience` below 1 is approximate: no token's probability exceeds p/lenience.

    `keep_laws`: likeliest tokens of both laws that each record keeps; 0 for none (measuring takes time).
    """

    drafter: Drafter
    policy: Policy
    lenience: float = 1.0
    keep_laws: int = 0

    def __post_init__(self) -> None:
        check_exactness(self.lenience, self.keep_laws)


def check_exactness(lenience: float, keep_laws: int) -> None:
    """Raises LabError for a lenience or a number of kept tokens that is not usable."""
    if not 0.0 < lenience <= 1.0:
        raise LabError(f"lenience = {lenience} is not usable.", "Give a number above 0, at most 1 (exact).")
    if keep_laws < 0:
        raise LabError(f"keep_laws = {keep_laws} is not usable.", "Give 0 or more tokens.")


class Drafts:
    """A drafter and a policy at work on the rows of a batch."""

    def __init__(self, how: Speculative, requests: Sequence[Request], rows: int, positions: int) -> None:
        for request in requests:
            _check(request, how)
        self._policy, self._name = how.policy, how.drafter.name
        self._drafting = how.drafter.start(rows, positions)
        self.past: dict[str, list[tuple[int, int]]] = {request.id: [] for request in requests}
        """(drafted, accepted) of each request's rounds."""

    @property
    def cache(self) -> KVCache | None:
        return self._drafting.cache

    def lengths(self, group: Sequence[Running]) -> list[int]:
        """Positions that the cache holds of each row; 0 without a cache."""
        cache = self.cache
        return [0 if cache is None else cache.lengths[sequence.row] for sequence in group]

    def cut(self, sequence: Running, before: int = 0) -> Lengths | None:
        """Forget the positions of tokens that do not stand; None without a cache."""
        cache, row = self.cache, sequence.row
        if cache is None:
            return None
        full = cache.lengths[row]
        kept = min(full, len(sequence.request.prompt) + len(sequence.tokens) - 1)
        cache.truncate([row], [kept])
        return Lengths(before, full, kept)

    def draft(self, group: Sequence[Running], eos_ids: Sequence[int]) -> list[Window]:
        """The windows of a round: every drafting row is asked for one token at a time, together."""
        windows = [self._open(sequence) for sequence in group]
        drafting = [(s, w) for s, w in zip(group, windows, strict=True) if w.limit]
        while drafting:
            started = time.perf_counter()
            texts = [[*s.request.prompt, *s.tokens, *w.tokens] for s, w in drafting]
            guesses = self._drafting.guess([s.row for s, _ in drafting], texts)
            seconds = time.perf_counter() - started
            drafting = [
                (s, w)
                for (s, w), guess in zip(drafting, guesses, strict=True)
                if self._propose(s, w, guess, seconds, eos_ids)
            ]
        return windows

    def _open(self, sequence: Running) -> Window:
        # A round emits one token more than it accepts, so the last one that may follow is never drafted.
        room = sequence.request.max_new_tokens - len(sequence.tokens) - 1
        wanted = self._policy.window(self.past[sequence.id])
        return Window(min(wanted, room), "gamma" if wanted <= room else "room")

    def _propose(
        self, sequence: Running, window: Window, guess: Guess | None, seconds: float, eos_ids: Sequence[int]
    ) -> bool:
        """Draw a token from the guess and add it to the window; whether more may follow."""
        policy, request = self._policy, sequence.request
        if guess is None:
            window.stopped = "nothing"
            return False
        if not bool(all_finite(guess.logits)):
            raise LabError(f"Drafter {self._name!r} gives NaN or infinite logits.", "Check its weights.")
        if not policy.goes_on(guess.logits):
            window.stopped = "confidence"
            return False
        law = law_after(guess.logits, request.sampling, sequence.context(window.tokens), guess.vocabulary)
        if law is None:
            window.stopped = "nothing"
            return False
        place = sequence.draws.proposal(law)
        token = place if guess.vocabulary is None else int(guess.vocabulary[place])
        if not policy.keeps(request.id, len(sequence.tokens) + len(window.tokens), token):
            window.stopped = "oracle"
            return False
        window.proposals.append(Proposal(token, place, law, guess.vocabulary, seconds))
        if token in eos_ids and not request.ignore_eos:
            window.stopped = "end"
            return False
        return len(window.proposals) < window.limit


def check_vocabulary(windows: Sequence[Window], drafter: str, target: str, vocab_size: int) -> None:
    """Raises LabError, naming both, for a drafter with tokens that the target does not have."""
    for proposal in (each for window in windows for each in window.proposals):
        if proposal.last >= vocab_size:
            raise LabError(
                f"Drafter {drafter!r} has token {proposal.last}; the vocabulary of {target} ends at "
                f"{vocab_size - 1}.",
                "Use a drafter of the target's own tokenizer.",
            )


def _check(request: Request, how: Speculative) -> None:
    if request.follow:
        raise LabError(
            f"Request {request.id!r} follows given tokens.",
            "Speculation decodes freely: give none to follow.",
        )
    if isinstance(how.policy, Oracle) and request.sampling.temperature != 0.0:
        raise LabError(
            f"Request {request.id!r} samples at temperature {request.sampling.temperature}.",
            "The oracle throws tokens away by what they are, which is exact for greedy decoding alone.",
        )
