"""How good drafts and heads are, on text that the target wrote for prompts that nobody trained on.

alpha is the mean over the target's tokens of β = Σ min(p, q), both laws after the sampling transform
(Leviathan et al., 2023, Definition 3.1 and §3.6 of arXiv:2211.17192): at temperature 0 the share of
tokens that the draft would have chosen too. Heads guess several tokens from one place: of every depth it
is also counted how often the target's choice is their first, second, third …, which trees are made from.
Nothing is decoded speculatively here: `lab measure` does.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields

import torch
import torch.nn.functional as F
from torch import Tensor

from lab.decode.sampling import Sampling, greedy, law, top
from lab.decode.speculative.ngram import NGramTable
from lab.models.draft import DraftModel
from lab.models.eagle import EAGLE, eagle_config
from lab.models.fields import count
from lab.models.heads import read_heads
from lab.models.loaded import LoadedModel
from lab.models.medusa import Medusa
from lab.models.transformer import Transformer
from lab.numerics.lanes import FP32
from lab.training.features import features
from lab.training.target_text import FORCED, TargetText
from lab.training.trainable_eagle import TrainableEagle

GAMMA = 8  # drafted tokens of the rounds that the acceptance by position is counted in
RANKS = 10  # choices of a law that are looked at


@dataclass(frozen=True)
class Proposer:
    """A draft or heads as an evaluation sees them. `along` gives logits [n, depths, R] for a prompt and its
    continuation: entry [j, d] is of continuation token `first` + j + d, after all that stands before token
    `first` + j and the true tokens since. A draft, which is asked for every token anew, has one depth; heads
    cannot guess the first token, which comes from the target's own pass over the prompt."""

    name: str
    vocabulary: Tensor  # [R] the target's ids
    along: Callable[[Sequence[int], Sequence[int]], Tensor]
    first: int = 0
    gamma: int = GAMMA


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
    """At temperature 0: share of the drafted tokens accepted at place 1, 2, … of a round, among the rounds
    that got there. Empty at other temperatures."""
    by_rank: tuple[tuple[float, ...], ...] = ()
    """At temperature 0, for each depth that the texts are long enough for: share of all tokens that are the
    first, second, … choice there."""

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
        return logits[-len(ids) :, None, : draft.size].cpu()

    return Proposer(draft.name, draft.vocabulary, along)


def medusa_proposer(heads: Medusa, target: Transformer) -> Proposer:
    def along(prompt: Sequence[int], ids: Sequence[int]) -> Tensor:
        [seen] = features(target, [(prompt, ids)], heads.taps)
        return heads.logits(seen[len(prompt) - 1 : -1].to(target.device)).cpu()

    return Proposer(heads.name, heads.vocabulary, along, first=1, gamma=heads.heads)


def eagle_proposer(name: str, target: LoadedModel) -> Proposer:
    """A stored EAGLE draft in the module that learns, which unrolls GAMMA guesses from every position.

    Raises LabError as `read_heads` does.
    """
    file, model = read_heads(name, EAGLE, ("ffn",), target), target.transformer
    config, taps = eagle_config(model.config, count(file.about, "ffn")), file.about["taps"]
    rows = model.head.stored[file.vocabulary.to(model.device)]
    draft = TrainableEagle(config, len(taps), model.embedding, rows).to(model.device)
    draft.load_state_dict(file.tensors)

    @torch.inference_mode()
    def along(prompt: Sequence[int], ids: Sequence[int]) -> Tensor:
        [seen] = features(model, [(prompt, ids)], taps)
        tokens, since, n = torch.tensor([[*prompt, *ids][1:]]), len(prompt) - 1, len(ids) - 1
        steps = draft.unroll(tokens.to(model.device), seen[None].to(model.device), GAMMA, since)
        chains = [F.pad(step[0, depth:n], (0, 0, 0, min(depth, n))) for depth, step in enumerate(steps)]
        return draft.logits(torch.stack(chains, 1)).cpu()

    return Proposer(file.path.stem, file.vocabulary, along, first=1)


def ngram_proposer(table: NGramTable) -> Proposer:
    def along(prompt: Sequence[int], ids: Sequence[int]) -> Tensor:
        text = [*prompt, *ids]
        return torch.stack([table.logits(text[:end])[None] for end in range(len(prompt), len(text))])

    return Proposer(f"{table.order}-gram", table.vocabulary, along)


def evaluate(
    target: Transformer,
    proposers: Sequence[Proposer],
    texts: Sequence[TargetText],
    domain: str,
    sampling: Sampling,
) -> list[Figures]:
    """One set of figures a proposer. `texts` must have been written by the target with `sampling`; those
    too short for a proposer's guess are left out of its figures."""
    seen: list[list[_Answers]] = [[] for _ in proposers]
    for text, p in _laws(target, texts, sampling):
        for proposer, answers in zip(proposers, seen, strict=True):
            if len(text.ids) > proposer.first:
                answers.append(_answers(proposer, text, p, sampling))
    return [
        _figures(proposer, domain, sampling, answers)
        for proposer, answers in zip(proposers, seen, strict=True)
    ]


def accepted_by_position(right: Callable[[int, int], bool], length: int, counts: list[list[int]]) -> None:
    """Walk `length` tokens in rounds of len(counts) drafted tokens, as greedy speculation would.

    right(at, place): whether token `at` is guessed when it is at that place of a round, all before it being
    right. A round drafts while its tokens are right; the wrong one's place, or the bonus after a full round,
    is the target's own token. Adds to counts[k]: (times that place k was reached, times accepted).
    """
    at = 0
    while at < length:
        for place in range(len(counts)):
            if at == length:
                return
            accepted = right(at, place)
            counts[place][0] += 1
            counts[place][1] += accepted
            at += 1
            if not accepted:
                break
        else:
            at += 1  # the bonus


@dataclass(frozen=True)
class _Answers:
    """Of one text; n: the tokens that are guessed."""

    beta: Tensor  # [n] at depth 1
    surprise: Tensor  # [n] −log q of the tokens
    covered: Tensor  # [n] whether they can be proposed
    ranks: Tensor  # [n, depths] place of the token that lies there among the choices; RANKS: further down

    def right(self, at: int, place: int) -> bool:
        depth = min(place, self.ranks.shape[1] - 1)
        return bool(self.ranks[at - depth, depth] == 0)


def _answers(proposer: Proposer, text: TargetText, p: Tensor, sampling: Sampling) -> _Answers:
    logits = proposer.along(text.prompt, text.ids)
    ids = torch.tensor(text.ids[proposer.first :])
    return _Answers(
        _beta(p[proposer.first :], logits[:, 0], proposer.vocabulary, sampling),
        *_surprise(ids, logits[:, 0], proposer.vocabulary),
        _ranks(ids, logits, proposer.vocabulary),
    )


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


def _surprise(ids: Tensor, logits: Tensor, vocabulary: Tensor) -> tuple[Tensor, Tensor]:
    """−log q [n] of tokens, and whether the draft has them [n]."""
    places = torch.searchsorted(vocabulary, ids).clamp(max=len(vocabulary) - 1)
    covered = vocabulary[places] == ids
    return -logits.double().log_softmax(-1).gather(1, places[:, None])[:, 0], covered


def _ranks(ids: Tensor, logits: Tensor, vocabulary: Tensor) -> Tensor:
    """[n, depths]: the rank from 0 of token j + d among the choices of logits[j, d]. −1 beyond the text."""
    n, depths, size = logits.shape
    _, choices = top(logits.flatten(0, 1), min(RANKS, size))
    chosen = vocabulary[choices].unflatten(0, (n, depths))
    places = torch.arange(n)[:, None] + torch.arange(depths)
    hits = chosen == ids[places.clamp(max=n - 1)][..., None]
    ranks = torch.where(hits.any(-1), hits.int().argmax(-1), RANKS)
    return ranks.masked_fill(places >= n, -1)


def _figures(proposer: Proposer, domain: str, sampling: Sampling, answers: Sequence[_Answers]) -> Figures:
    beta, surprise, covered, ranks = (
        torch.cat([getattr(each, column.name) for each in answers]) for column in fields(_Answers)
    )
    counts = [[0, 0] for _ in range(proposer.gamma)] if sampling.temperature == 0.0 else []
    for each in answers if counts else ():
        accepted_by_position(each.right, len(each.beta), counts)
    return Figures(
        draft=proposer.name,
        domain=domain,
        temperature=sampling.temperature,
        prompts=len(answers),
        tokens=len(beta),
        covered=float(covered.double().mean()),
        loss=float(surprise[covered].mean()) if covered.any() else None,
        alpha=float(beta.mean()),
        by_prompt=tuple(round(float(each.beta.mean()), 6) for each in answers),
        by_position=tuple(accepted / reached for reached, accepted in counts if reached),
        by_rank=tuple(_shares(column) for column in ranks.T if counts and (column >= 0).any()),
    )


def _shares(ranks: Tensor) -> tuple[float, ...]:
    """Of ranks [n], the share that is 0, 1, … RANKS − 1 among those within their text."""
    within = ranks[ranks >= 0]
    return tuple(round(float((within == rank).double().mean()), 6) for rank in range(RANKS))
