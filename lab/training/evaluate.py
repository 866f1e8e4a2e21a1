"""How good a draft is, on text that the target wrote for prompts that nobody trained on.

alpha is the mean over the target's tokens of β = Σ min(p, q), both laws after the sampling transform
(Leviathan et al., 2023, Definition 3.1 and §3.6 of arXiv:2211.17192): at temperature 0 the share of
tokens that the draft would have chosen too. Nothing is decoded speculatively here: `lab measure` does.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from lab.decode.sampling import Sampling, greedy, law
from lab.decode.speculative.ngram import NGramTable
from lab.models.draft import DraftModel
from lab.models.transformer import Transformer
from lab.numerics.lanes import FP32
from lab.training.target_text import FORCED, TargetText

GAMMA = 8  # drafted tokens of the rounds that the acceptance by position is counted in


@dataclass(frozen=True)
class Proposer:
    """A draft as an evaluation sees it. `along` gives its logits [len(ids), R] at each token of a
    continuation, after the prompt and the tokens before."""

    name: str
    vocabulary: Tensor  # [R] the target's ids
    along: Callable[[Sequence[int], Sequence[int]], Tensor]


@dataclass(frozen=True)
class Figures:
    """Of one draft on one set of texts, all written at one temperature."""

    draft: str
    domain: str
    temperature: float
    prompts: int
    tokens: int
    covered: float
    """Share of the tokens that are in the draft's vocabulary."""
    loss: float | None
    """Cross-entropy of the covered tokens under the draft's law at temperature 1, nats a token; None where
    none is covered."""
    alpha: float
    by_prompt: tuple[float, ...]
    """alpha of each prompt's tokens, in order: how far prompts differ."""
    by_position: tuple[float, ...]
    """At temperature 0: share of the drafted tokens accepted at place 1, 2, … of a round of GAMMA, among
    the rounds that got there. Empty at other temperatures."""

    @property
    def error(self) -> float:
        """Standard error of alpha, from the spread over prompts."""
        n = len(self.by_prompt)
        return statistics.stdev(self.by_prompt) / n**0.5 if n > 1 else math.nan


def draft_proposer(draft: DraftModel) -> Proposer:
    def along(prompt: Sequence[int], ids: Sequence[int]) -> Tensor:
        tokens = draft.encode([*prompt, *ids[:-1]])
        cache = draft.transformer.new_cache(1, len(tokens), FP32)
        logits = draft.transformer.forward([tokens], cache, FP32, every_position=True)
        return logits[-len(ids) :, : draft.size].cpu()

    return Proposer(draft.name, draft.vocabulary, along)


def ngram_proposer(table: NGramTable) -> Proposer:
    def along(prompt: Sequence[int], ids: Sequence[int]) -> Tensor:
        text = [*prompt, *ids]
        return torch.stack([table.logits(text[:end]) for end in range(len(prompt), len(text))])

    return Proposer(f"{table.order}-gram", table.vocabulary, along)


def evaluate(
    target: Transformer,
    proposers: Sequence[Proposer],
    texts: Sequence[TargetText],
    domain: str,
    sampling: Sampling,
) -> list[Figures]:
    """One set of figures a proposer. `texts` must have been written by the target with `sampling`."""
    seen: list[list[tuple[Tensor, Tensor, Tensor]]] = [[] for _ in proposers]
    for text, p in _laws(target, texts, sampling):
        for proposer, rows in zip(proposers, seen, strict=True):
            logits = proposer.along(text.prompt, text.ids)
            rows.append(
                (
                    _beta(p, logits, proposer.vocabulary, sampling),
                    *_surprise(text, logits, proposer.vocabulary),
                )
            )
    return [
        _figures(proposer.name, domain, sampling, rows)
        for proposer, rows in zip(proposers, seen, strict=True)
    ]


def accepted_by_position(hits: Sequence[bool], counts: list[list[int]]) -> None:
    """Walk one continuation in rounds of len(counts) drafted tokens, as greedy speculation would.

    A round drafts while its tokens are right; the wrong one's place, or the bonus after a full round, is
    the target's own token. Adds to counts[k]: (times that place k was reached, times accepted).
    """
    at = 0
    while at < len(hits):
        for place in range(len(counts)):
            if at == len(hits):
                return
            counts[place][0] += 1
            counts[place][1] += hits[at]
            at += 1
            if not hits[at - 1]:
                break
        else:
            at += 1  # the bonus


def _laws(
    target: Transformer, texts: Sequence[TargetText], sampling: Sampling
) -> Iterator[tuple[TargetText, Tensor]]:
    """Each text with the target's law [len(ids), vocab] FP64 along it, or at temperature 0 its choices
    [len(ids)], which the text holds already."""
    if sampling.temperature == 0.0:
        yield from ((text, text.top_ids[:, 0].long()) for text in texts)
        return
    for group in (texts[at : at + FORCED] for at in range(0, len(texts), FORCED)):
        rows = [[*text.prompt, *text.ids[:-1]] for text in group]
        cache = target.new_cache(len(rows), max(map(len, rows)), FP32)
        logits = target.forward(rows, cache, FP32, every_position=True).cpu()
        for text, part in zip(group, logits.split([len(row) for row in rows]), strict=True):
            yield text, law(part[-len(text.ids) :], sampling)


def _beta(p: Tensor, logits: Tensor, vocabulary: Tensor, sampling: Sampling) -> Tensor:
    """β [n] of the target's law or choices p and the draft's logits [n, R]."""
    if sampling.temperature == 0.0:
        return (vocabulary[greedy(logits)] == p).double()
    return torch.minimum(p[:, vocabulary], law(logits, sampling)).sum(-1)


def _surprise(text: TargetText, logits: Tensor, vocabulary: Tensor) -> tuple[Tensor, Tensor]:
    """−log q [n] of the text's tokens, and whether the draft has them [n]."""
    ids = torch.tensor(text.ids)
    places = torch.searchsorted(vocabulary, ids).clamp(max=len(vocabulary) - 1)
    covered = vocabulary[places] == ids
    return -logits.double().log_softmax(-1).gather(1, places[:, None])[:, 0], covered


def _figures(
    name: str, domain: str, sampling: Sampling, rows: Sequence[tuple[Tensor, Tensor, Tensor]]
) -> Figures:
    beta, surprise, covered = (torch.cat(column) for column in zip(*rows, strict=True))
    counts = [[0, 0] for _ in range(GAMMA)] if sampling.temperature == 0.0 else []
    for hits, _, _ in rows if counts else ():
        accepted_by_position([bool(hit) for hit in hits], counts)
    return Figures(
        draft=name,
        domain=domain,
        temperature=sampling.temperature,
        prompts=len(rows),
        tokens=len(beta),
        covered=float(covered.double().mean()),
        loss=float(surprise[covered].mean()) if covered.any() else None,
        alpha=float(beta.mean()),
        by_prompt=tuple(round(float(each.mean()), 6) for each, _, _ in rows),
        by_position=tuple(accepted / reached for reached, accepted in counts if reached),
    )
