"""From logits to a law, and from a law to a token.

One transform serves every decoder, and target and draft alike. Temperature 0 is a one-hot law on the largest
logit; nothing is ever divided by zero. A tie goes to the lowest token id, in every lane.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from lab.errors import LabError

MOST_PENALTY = 1e4
"""Far beyond any use, and small enough that no logit becomes infinite."""


@dataclass(frozen=True)
class Sampling:
    """How a request draws its tokens. The defaults are greedy decoding.

    Order of application: penalties, bias, ban, temperature, top-k, top-p, min-p (each may be off).
    `repetition_penalty` divides a positive logit and multiplies a negative one, of every token of the prompt
    and of the answer so far; `frequency_penalty` is taken off once for each time that the answer has the
    token, `presence_penalty` once if it has it. `logit_bias`: (token, added to its logit); `banned` tokens
    get probability 0.
    """

    temperature: float = 0.0
    top_k: int | None = None
    top_p: float | None = None
    min_p: float | None = None
    repetition_penalty: float = 1.0
    frequency_penalty: float = 0.0
    presence_penalty: float = 0.0
    logit_bias: tuple[tuple[int, float], ...] = ()
    banned: tuple[int, ...] = ()

    @property
    def adjusts(self) -> bool:
        """Whether logits are changed before the law is made of them."""
        penalties = (self.repetition_penalty, self.frequency_penalty, self.presence_penalty)
        return penalties != (1.0, 0.0, 0.0) or bool(self.logit_bias or self.banned)

    def __post_init__(self) -> None:
        checks = {
            "temperature": (self.temperature, 0.0 <= self.temperature < float("inf"), "0 or more"),
            "top_k": (self.top_k, self.top_k is None or self.top_k >= 1, "1 or more"),
            "top_p": (self.top_p, self.top_p is None or 0.0 < self.top_p <= 1.0, "above 0 and at most 1"),
            "min_p": (self.min_p, self.min_p is None or 0.0 <= self.min_p <= 1.0, "from 0 to 1"),
            "repetition_penalty": (
                self.repetition_penalty,
                1 / MOST_PENALTY <= self.repetition_penalty <= MOST_PENALTY,
                f"from {1 / MOST_PENALTY:g} to {MOST_PENALTY:g}; 1 leaves all as it is",
            ),
        }
        biases = {f"logit_bias of token {token}": bias for token, bias in self.logit_bias}
        added = {
            "frequency_penalty": self.frequency_penalty,
            "presence_penalty": self.presence_penalty,
            **biases,
        }
        rule = f"of at most {MOST_PENALTY:g} in size; `banned` makes a token impossible"
        checks |= {name: (value, abs(value) <= MOST_PENALTY, rule) for name, value in added.items()}
        for name, (value, good, rule) in checks.items():
            if not good:
                raise LabError(f"{name} = {value} is not usable.", f"Give a number {rule}.")


GREEDY = Sampling()


@dataclass(frozen=True)
class Context:
    """The tokens before the one that is chosen: what penalties look at."""

    prompt: Sequence[int]
    answer: Sequence[int]


def law_after(
    logits: Tensor, sampling: Sampling, context: Context, vocabulary: Tensor | None = None
) -> Tensor | None:
    """The law [R] that `sampling` makes of finite logits [R] after `context`; None if all of them are banned.

    `vocabulary`: the token ids, rising, that the logits are of; None: all tokens of the model.
    """
    if sampling.adjusts:
        logits = adjusted(logits, sampling, context, vocabulary)
        if not bool(logits.isfinite().any()):
            return None
    return law(logits, sampling)


def adjusted(
    logits: Tensor, sampling: Sampling, context: Context, vocabulary: Tensor | None = None
) -> Tensor:
    """Logits [R] in FP64 after penalties and bias; those of banned tokens are -inf."""
    out = logits.double()
    if out is logits:
        out = logits.clone()
    answer = Counter(context.answer)
    seen, _ = _places(set(context.prompt) | set(answer), vocabulary, out)
    penalty = sampling.repetition_penalty
    out[seen] = torch.where(out[seen] > 0, out[seen] / penalty, out[seen] * penalty)
    made, tokens = _places(answer, vocabulary, out)
    times = torch.tensor([answer[token] for token in tokens], dtype=out.dtype, device=out.device)
    out[made] -= sampling.frequency_penalty * times + sampling.presence_penalty
    for token, bias in sampling.logit_bias:
        out[_places([token], vocabulary, out)[0]] += bias
    out[_places(sampling.banned, vocabulary, out)[0]] = -torch.inf
    return out


def _places(tokens: Iterable[int], vocabulary: Tensor | None, like: Tensor) -> tuple[Tensor, list[int]]:
    """Where those of `tokens` that have a logit stand among the logits, and which they are."""
    wanted = torch.tensor(sorted(tokens), dtype=torch.long, device=like.device)
    if vocabulary is None:
        wanted = wanted[wanted < like.shape[-1]]
        return wanted, wanted.tolist()
    places = torch.searchsorted(vocabulary, wanted).clamp_(max=len(vocabulary) - 1)
    found = vocabulary[places] == wanted
    return places[found], wanted[found].tolist()


def law(logits: Tensor, sampling: Sampling) -> Tensor:
    """Probabilities [..., vocab] in FP64 of logits [..., vocab]; what `adjusts` is left to `law_after`."""
    if sampling.temperature == 0.0:
        return torch.zeros_like(logits, dtype=torch.float64).scatter_(-1, greedy(logits)[..., None], 1.0)
    scores = logits.double()
    # Less the largest first: a logit divided by a tiny temperature is infinite, a gap of 0 stays 0.
    p = torch.softmax((scores - scores.amax(-1, keepdim=True)) / sampling.temperature, dim=-1)
    if sampling.top_k is not None and sampling.top_k < p.shape[-1]:
        p = _keep(p, _rank(p) < sampling.top_k)
    if sampling.top_p is not None:
        ordered, order = torch.sort(p, dim=-1, descending=True, stable=True)
        kept = ordered.cumsum(-1) - ordered < sampling.top_p  # the smallest set that reaches top_p
        p = _keep(p, torch.zeros_like(kept).scatter_(-1, order, kept))
    if sampling.min_p is not None:
        p = _keep(p, p >= sampling.min_p * p.amax(-1, keepdim=True))
    return p


def draw(p: Tensor, uniform: float) -> int:
    """The token of law p [vocab] at a number in [0, 1), by inverting the cumulative sum."""
    cumulative = p.cumsum(0)
    token = int(torch.searchsorted(cumulative, uniform * float(cumulative[-1]), right=True))
    if token < len(p) and float(p[token]) > 0.0:
        return token
    return int(p.nonzero()[-1])  # rounding of the last sum must not reach a token of probability 0


class Draws:
    """The random choices of one request, each kind from a stream of its own.

    So the tokens that the target draws do not depend on how many were drafted or tested, and one stream can
    be changed while the others stay.
    """

    def __init__(self, seed: int) -> None:
        self._target = np.random.Generator(np.random.Philox(seed))
        self._proposals, self._tests = (
            np.random.Generator(np.random.Philox(each)) for each in np.random.SeedSequence(seed).spawn(2)
        )

    def token(self, p: Tensor) -> int:
        """A token that the target emits: drawn from its own law or from a residual."""
        return draw(p, self._target.random())

    def proposal(self, p: Tensor) -> int:
        """A place in the draft's law."""
        return draw(p, self._proposals.random())

    def test(self) -> float:
        """The uniform number that a drafted token is tested with."""
        return float(self._tests.random())


def greedy(logits: Tensor) -> Tensor:
    """Index of the largest logit over the last dimension; the lowest index among equals."""
    return logits.argmax(-1)  # documented to give the first of several


def top(logits: Tensor, k: int) -> tuple[Tensor, Tensor]:
    """The k largest logits of [rows, vocab] and their token ids; equals in order of their ids.

    -> values [rows, k], ids [rows, k].
    """
    k = min(k, logits.shape[-1])
    values, ids = torch.topk(logits, min(k + 1, logits.shape[-1]), dim=-1)
    if not bool((values[:, 1:] == values[:, :-1]).any()):
        return values[:, :k], ids[:, :k]
    if k < logits.shape[-1] and bool((values[:, k - 1] == values[:, k]).any()):
        # Equal logits straddle the cut, and topk picks any of them: sort these rows in full.
        values, ids = torch.sort(logits, dim=-1, descending=True, stable=True)
        return values[:, :k], ids[:, :k]
    values, ids = values[:, :k], ids[:, :k]
    by_id = ids.argsort(dim=-1)
    values, ids = values.gather(-1, by_id), ids.gather(-1, by_id)
    by_value = values.argsort(dim=-1, descending=True, stable=True)
    return values.gather(-1, by_value), ids.gather(-1, by_value)


def _rank(p: Tensor) -> Tensor:
    """Place of each entry in falling order, equals in order of their ids."""
    order = torch.sort(p, dim=-1, descending=True, stable=True).indices
    return torch.empty_like(order).scatter_(-1, order, torch.arange(p.shape[-1]).expand_as(order))


def _keep(p: Tensor, kept: Tensor) -> Tensor:
    p = torch.where(kept, p, 0.0)
    return p / p.sum(-1, keepdim=True)
