"""Wall time of runs, prompts left out, and the record of a draft at one γ: predicted beside measured.

Steps that feed prompts are not counted: both kinds of decoding share them.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from lab.decode.batching import Step
from lab.decode.speculative.agreement import Overlaps, pooled, sound
from lab.decode.speculative.drafters import Drafter
from lab.decode.speculative.figures import round_figures
from lab.decode.speculative.formulas import Cost, expected_cost, operations_factor, speedup
from lab.decode.speculative.policy import expected_tokens
from lab.errors import LabError
from lab.models.transformer import Transformer
from lab.numerics.lanes import FP32, Lane
from lab.round_records import MeasureRecord, RoundRecord


@dataclass(frozen=True)
class Run:
    """One run over all prompts of a kind: its decoding steps."""

    seconds: float
    tokens: int
    passes: int
    rounds: tuple[RoundRecord, ...]

    @property
    def seconds_per_token(self) -> float:
        return self.seconds / self.tokens


def clocked(steps: Iterator[Step]) -> Iterator[tuple[Step, float]]:
    """Each step with the seconds that it took to make, without what the caller does between two."""
    while True:
        started = time.perf_counter()
        step = next(steps, None)
        took = time.perf_counter() - started
        if step is None:
            return
        yield step, took


def timed(runs: Iterable[Iterator[Step]]) -> Generator[int, None, Run]:
    """Run these decodings one after the other; yields after each step how many tokens it made.

    What the caller does between two steps is not counted. Raises LabError for a request that fails, and where
    no step came after the prompts.
    """
    seconds, tokens, passes = 0.0, 0, 0
    rounds: list[RoundRecord] = []
    for steps in runs:
        for step, took in clocked(steps):
            made = sound(step)
            if made and all(record.index > 0 for record in made):
                seconds, tokens, passes = seconds + took, tokens + len(made), passes + 1
                rounds += step.rounds
            yield len(made)
    if tokens == 0:
        raise LabError("Every prompt ended with its first token.", "Choose other prompts, or more tokens.")
    return Run(seconds, tokens, passes, tuple(rounds))


@dataclass(frozen=True)
class Times:
    """Relative times at one batch size and temperature: c, and v[γ] for γ = 0, 1, …"""

    c: float
    v: tuple[float, ...]


@dataclass(frozen=True)
class Case:
    """What a record is of."""

    kind: str
    temperature: float
    gamma: int
    batch: int
    length: int
    """Most tokens of a prompt."""


def measure_record(
    case: Case,
    model: Transformer,
    lane: Lane,
    drafter: Drafter,
    along: Sequence[Overlaps],
    times: Times,
    runs: Sequence[tuple[Run, Run]],
) -> MeasureRecord:
    """`along`: the drafter on the target's own text, by prompt; `runs`: (plain, speculative), in turns."""
    plain, own = runs[0]
    gamma, c, v = case.gamma, times.c, times.v
    alpha, error, tokens = pooled(along)
    figures = round_figures(own.rounds)
    reached = (*figures.unconditional, *(0.0,) * gamma)[:gamma]
    weights, draft_weights = _weight_bytes(model, lane), drafter.parameters * FP32.dtype.itemsize
    ratios = [one.seconds_per_token / other.seconds_per_token for one, other in runs]
    low, middle, high = np.quantile(ratios, (0.25, 0.5, 0.75)).tolist()

    def by_text(limit: int, cost: Cost) -> float:
        costs = [expected_cost(each.chances, limit, case.length, cost) for each in along]
        return tokens / sum(costs)

    c_hat = drafter.parameters / model.config.parameters
    return MeasureRecord(
        draft=drafter.name,
        kind=case.kind,
        temperature=case.temperature,
        gamma=gamma,
        batch=case.batch,
        prompts=len(along),
        alpha=alpha if gamma else None,
        alpha_error=error if gamma else None,
        alpha_tokens=tokens if gamma else 0,
        conditional=(*figures.conditional, *(None,) * gamma)[:gamma],
        unconditional=reached,
        accepted=figures.accepted,
        drafted=figures.drafted,
        rounds=figures.rounds,
        tokens=figures.tokens,
        c=c,
        v=v[gamma],
        c_hat=c_hat,
        bytes_per_token=(figures.passes * weights + figures.draft_steps * draft_weights) / own.tokens,
        plain_bytes_per_token=plain.passes * weights / plain.tokens,
        predicted=speedup(expected_tokens(alpha, gamma), gamma, c),
        predicted_v=speedup(expected_tokens(alpha, gamma), gamma, c, v[gamma]),
        predicted_by_position=speedup(1.0 + sum(reached), gamma, c, v[gamma]),
        operations_factor=operations_factor(alpha, gamma, c_hat),
        speedup=middle,
        speedup_low=low,
        speedup_high=high,
        plain_seconds=float(np.median([one.seconds for one, _ in runs])),
        seconds=float(np.median([other.seconds for _, other in runs])),
        predicted_by_text=by_text(gamma, lambda window, accepted: window * c + v[window]),
        oracle=by_text(len(v) - 1, lambda window, accepted: accepted * c + v[accepted]),
    )


def _weight_bytes(model: Transformer, lane: Lane) -> int:
    """Of weights that a pass reads; those of an embedding that is no head are looked up, a row a token."""
    config = model.config
    looked_up = 0 if config.tied_head else config.vocab_size * config.hidden_size
    return (config.parameters - looked_up) * lane.dtype.itemsize
