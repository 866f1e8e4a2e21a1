"""The records that every decoder yields: one line each in a trace (lab/traces.py).

Pages, notebooks, the command line and tests read the same records.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pydantic import FiniteFloat


@dataclass(frozen=True)
class Candidate:
    """A token that might have been chosen, and its logit. `text` is what a reader sees of it."""

    token: int
    logit: FiniteFloat
    text: str = ""


@dataclass(frozen=True)
class TokenRecord:
    """One token of one request."""

    request: str
    index: int
    """0 for the first new token."""
    token: int
    """The token that was committed."""
    choice: int
    """The token that this run's own logits pick; differs from `token` only under teacher forcing."""
    logit: FiniteFloat
    """Of `choice`."""
    margin: FiniteFloat
    """Largest minus second largest logit; 0 is a tie."""
    top: tuple[Candidate, ...]
    """The largest logits, falling; equals by id."""
    batch: int
    """Sequences in the pass that made these logits."""
    rows: int
    """Positions in that pass: M of its matrix products."""
    lane: str
    seconds: FiniteFloat
    """Of that pass, shared by all its rows."""
    text: str = ""
    """What a reader sees of `choice`; empty in a run without a tokenizer."""
    finish: str | None = None
    """Why the request ended with this token: `eos`, `stop` or `length`; else None."""
    record: Literal["token"] = "token"


@dataclass(frozen=True)
class Failure:
    """A request that was stopped by an error of its own; the others went on."""

    request: str
    index: int
    error: str
    record: Literal["failure"] = "failure"


@dataclass(frozen=True)
class PairRecord:
    """One step of a prompt decoded alone and beside others."""

    batch: int
    """Sequences in the batch that it is compared with."""
    index: int
    alone: TokenRecord
    beside: TokenRecord
    max_delta: FiniteFloat | None
    """max over the vocabulary of |logit alone - logit beside|; None once the two contexts differ."""
    record: Literal["pair"] = "pair"

    @property
    def flipped(self) -> bool | None:
        """Whether the same context gave another choice; None where the contexts differ."""
        return None if self.max_delta is None else self.alone.choice != self.beside.choice


@dataclass(frozen=True)
class KernelRecord:
    """One operator at one number of rows M, against the same rows run alone."""

    operator: str
    """`matmul`, `rms_norm`, `attention` or `softmax`."""
    dtype: str
    kernel: str
    """`library`: torch's own; `lab`: the row-invariant product; `emulated`: split-K by the lab's rule."""
    rows: int
    row_elements: int
    """Elements of one row of the result."""
    changed: tuple[int, ...]
    """For each row, how many of its elements have other bits than alone; empty if no row has any."""
    median_ulps: FiniteFloat
    """Of the changed elements: how many numbers of the dtype apart."""
    max_ulps: int
    max_delta: FiniteFloat
    """Largest absolute change of an element."""
    repeats: bool
    """Whether a second run at the same M gave the same bits."""
    seconds: FiniteFloat
    record: Literal["kernel"] = "kernel"

    @property
    def changed_rows(self) -> int:
        return sum(count > 0 for count in self.changed)

    @property
    def changed_share(self) -> float:
        """Changed elements ÷ elements."""
        return sum(self.changed) / (self.rows * self.row_elements)
