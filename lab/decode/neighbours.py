"""The first experiment: one prompt alone, then the same prompt beside others.

Each batch is decoded twice over the same steps: the run alone gives the tokens and logits
to compare with. Free running, two runs may part, and from then on their contexts differ
and their logits cannot be compared. Teacher-forced, the batched run follows the tokens of
the run alone, so every step compares like with like.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, islice

from torch import Tensor

from lab.decode.batching import Step, decode
from lab.decode.requests import Request
from lab.errors import LabError
from lab.models.tokenizer import Tokenizer
from lab.models.transformer import Transformer
from lab.numerics.lanes import Lane
from lab.records import Failure, PairRecord, TokenRecord

SUBJECT = "subject"


@dataclass(frozen=True)
class NeighbourExperiment:
    """A prompt, its neighbours, and the batch sizes at which it is decoded again.

    `neighbours` are repeated in turn to fill a batch. With `arrive_every` = n > 0 they come one
    by one, n steps apart, so that the batch grows while the prompt decodes.
    """

    prompt: tuple[int, ...]
    neighbours: tuple[tuple[int, ...], ...]
    batches: tuple[int, ...] = (8,)
    length: int = 48
    teacher_forced: bool = False
    arrive_every: int = 0

    def __post_init__(self) -> None:
        if not self.batches or min(self.batches) < 2:
            raise LabError(
                f"Batch sizes {self.batches} leave nothing to compare.", "Give sizes of 2 or more."
            )
        if not self.neighbours:
            raise LabError("There are no neighbours.", "Give at least one other prompt.")

    def requests(self, batch: int, follow: tuple[int, ...]) -> list[Request]:
        """The subject first, to the end of what it follows; then neighbours that keep the batch full."""
        subject = Request(SUBJECT, self.prompt, len(follow) or self.length, follow=follow)
        others = islice(cycle(self.neighbours), batch - 1)
        return [subject] + [
            Request(f"neighbour {i}", prompt, self.length, ignore_eos=True, arrives=i * self.arrive_every)
            for i, prompt in enumerate(others, start=1)
        ]


@dataclass(frozen=True)
class _Alone:
    record: TokenRecord
    logits: Tensor


def compare(
    model: Transformer, experiment: NeighbourExperiment, lane: Lane, tokenizer: Tokenizer | None = None
) -> Iterator[TokenRecord | PairRecord | Failure]:
    """First the TokenRecords of the run alone, then for each batch size a PairRecord a step.

    A free-running pair goes on after the runs part, as long as both produce tokens. Raises
    LabError for an experiment that cannot run. `tokenizer` puts text into the records.
    """
    alone: list[_Alone] = []
    for step in decode(model, [Request(SUBJECT, experiment.prompt, experiment.length)], lane, tokenizer):
        for record in _of_subject(step):
            yield record
            if isinstance(record, Failure):
                return
            alone.append(_Alone(record, step.logits[SUBJECT]))
    for batch in experiment.batches:
        yield from _beside(model, experiment, lane, tokenizer, batch, alone)


def _beside(
    model: Transformer,
    experiment: NeighbourExperiment,
    lane: Lane,
    tokenizer: Tokenizer | None,
    batch: int,
    alone: list[_Alone],
) -> Iterator[PairRecord | Failure]:
    follow = tuple(step.record.token for step in alone) if experiment.teacher_forced else ()
    same_context = True
    for step in decode(model, experiment.requests(batch, follow), lane, tokenizer):
        for record in _of_subject(step):
            if isinstance(record, Failure):
                yield record
                return
            base = alone[record.index]
            delta = float((step.logits[SUBJECT] - base.logits).abs().max()) if same_context else None
            yield PairRecord(batch, record.index, base.record, record, delta)
            same_context = same_context and record.token == base.record.token
            if record.finish or record.index + 1 == len(alone):
                return


def _of_subject(step: Step) -> list[TokenRecord | Failure]:
    return [record for record in step.records if record.request == SUBJECT]


@dataclass(frozen=True)
class PairSummary:
    """One batch size against the run alone."""

    batch: int
    tokens: int
    """Steps in which both runs made a token."""
    compared: int
    """Steps on the same context: those whose logits can be compared."""
    first_difference: int | None
    """The first step, from 0, at which the runs' own choices differ; None if they never do."""
    flips: int
    """Compared steps whose choice differs."""
    epsilon: float
    """Largest max |Δlogit| of the compared steps."""
    smallest_margin: float
    """Of the run alone, over the compared steps."""


def summarise(pairs: Sequence[PairRecord]) -> list[PairSummary]:
    """One summary for each batch size, in the order in which they ran."""
    return [
        _summary(batch, [p for p in pairs if p.batch == batch])
        for batch in dict.fromkeys(p.batch for p in pairs)
    ]


def _summary(batch: int, pairs: list[PairRecord]) -> PairSummary:
    compared = [pair for pair in pairs if pair.max_delta is not None]
    flipped = [pair.index for pair in compared if pair.flipped]
    return PairSummary(
        batch=batch,
        tokens=len(pairs),
        compared=len(compared),
        first_difference=flipped[0] if flipped else None,
        flips=len(flipped),
        epsilon=max(pair.max_delta for pair in compared if pair.max_delta is not None),
        smallest_margin=min(pair.alone.margin for pair in compared),
    )
