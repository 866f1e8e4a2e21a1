"""The draft's half of a round: a window of proposals for every row.

Nothing is verified here. `Drafts` is what rounds ask; `ChainDrafts` drafts one token at a time, all rows
together, and growing.py a tree. The draft's cache holds a beginning of each row's committed tokens: after a
full acceptance it lacks the last drafted token as well as the new one, and is fed both with its next guess.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Sequence

from lab.decode.batching import Running, all_finite
from lab.decode.requests import Request
from lab.decode.sampling import law_after
from lab.decode.speculative.drafters import Drafter
from lab.decode.speculative.guess import Guess
from lab.decode.speculative.policy import Oracle, Policy
from lab.decode.speculative.window import Proposal, Window
from lab.errors import LabError
from lab.models.cache import KVCache
from lab.round_records import Lengths


class Drafts(ABC):
    """A drafter at work on the rows of a batch."""

    def __init__(self, requests: Sequence[Request], caches: Sequence[KVCache]) -> None:
        for request in requests:
            if request.follow:
                raise LabError(
                    f"Request {request.id!r} follows given tokens.",
                    "Speculation decodes freely: give none to follow.",
                )
        self.caches = list(caches)
        """The drafter's, whose rows are those of the batch."""
        self.past: dict[str, list[tuple[int, int]]] = {request.id: [] for request in requests}
        """(drafted, accepted) of each request's rounds."""

    @property
    def cache(self) -> KVCache | None:
        """The one that records tell the lengths of."""
        return self.caches[0] if self.caches else None

    def lengths(self, group: Sequence[Running]) -> list[int]:
        """Positions that the cache holds of each row; 0 without a cache."""
        cache = self.cache
        return [0 if cache is None else cache.lengths[sequence.row] for sequence in group]

    def cut(self, sequence: Running, before: int = 0) -> Lengths | None:
        """Forget the positions of tokens that do not stand; None without a cache."""
        cache, row = self.cache, sequence.row
        full = 0 if cache is None else cache.lengths[row]
        self._forget(row, len(sequence.request.prompt) + len(sequence.tokens))
        return None if cache is None else Lengths(before, full, cache.lengths[row])

    @abstractmethod
    def draft(self, group: Sequence[Running], eos_ids: Sequence[int]) -> list[Window]:
        """The windows of a round."""

    @abstractmethod
    def _forget(self, row: int, committed: int) -> None:
        """Cut the caches of a row with so many committed tokens, the last of them new."""


class ChainDrafts(Drafts):
    """Windows that are chains: every drafting row is asked for one token at a time."""

    def __init__(
        self, drafter: Drafter, policy: Policy, requests: Sequence[Request], rows: int, positions: int
    ) -> None:
        for request in requests:
            _check_oracle(request, policy)
        self._policy, self._name = policy, drafter.name
        self._drafting = drafter.start(rows, positions)
        super().__init__(requests, [] if self._drafting.cache is None else [self._drafting.cache])

    def _forget(self, row: int, committed: int) -> None:
        for cache in self.caches:
            cache.truncate([row], [min(cache.lengths[row], committed - 1)])

    def draft(self, group: Sequence[Running], eos_ids: Sequence[int]) -> list[Window]:
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
        window.add(Proposal(token, place, law, guess.vocabulary, seconds, len(window.proposals) - 1))
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


def _check_oracle(request: Request, policy: Policy) -> None:
    if isinstance(policy, Oracle) and request.sampling.temperature != 0.0:
        raise LabError(
            f"Request {request.id!r} samples at temperature {request.sampling.temperature}.",
            "The oracle throws tokens away by what they are, which is exact for greedy decoding alone.",
        )
