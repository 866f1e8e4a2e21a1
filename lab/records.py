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
    """One step of a prompt decoded twice: alone and beside others, or in a reference and in a fast lane."""

    batch: int
    """Sequences in the batch that it is compared with."""
    index: int
    alone: TokenRecord
    beside: TokenRecord
    max_delta: FiniteFloat | None
    """max over the vocabulary of |logit alone - logit beside|; None once the two contexts differ."""
    kv_change: FiniteFloat | None = None
    """‖alone - beside‖ ÷ ‖beside‖ of the K/V column that this step wrote, all layers; None if not taken."""
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


@dataclass(frozen=True)
class VerdictRecord:
    """One position that a verifier looked at again."""

    request: str
    index: int
    """Of the token, 0 for the first new one."""
    fast: int
    """The token that the fast lane had committed."""
    token: int
    """The verifier's choice, committed in its place."""
    margin: FiniteFloat
    """Of the verifier's logits."""
    top: tuple[Candidate, ...]
    """The verifier's largest logits, falling."""
    dropped: int
    """Tokens after this one that were rolled back; 0 where both lanes agree."""
    kv_change: FiniteFloat | None
    """‖new - old‖ ÷ ‖old‖ of the fast lane's K/V column here, over all layers; None where it was left."""
    finish: str | None = None
    """Why the request ends with this token; None if it goes on."""
    bonus: bool = False
    """The token after the last verified one: the verifier's pass gave it, the fast lane made none."""
    record: Literal["verdict"] = "verdict"

    @property
    def corrected(self) -> bool:
        return self.fast != self.token


@dataclass(frozen=True)
class VisitRecord:
    """One forward pass of a verifier."""

    step: int
    """Of the batch, from 0: the step after which the pass ran."""
    requests: tuple[str, ...]
    positions: int
    """Rows of its matrix products."""
    prompt: bool
    """Whether it fed a prompt."""
    seconds: FiniteFloat
    record: Literal["visit"] = "visit"


@dataclass(frozen=True)
class SequenceRecord:
    """All tokens of one request in the reference lane."""

    request: str
    lane: str
    tokens: tuple[int, ...]
    texts: tuple[str, ...]
    """What a reader sees of each."""
    record: Literal["sequence"] = "sequence"


@dataclass(frozen=True)
class FlipRecord:
    """One prompt at one batch shape, teacher-forced on the tokens of its base run. Lists go by step."""

    prompt: str
    """The prompt's name in its set."""
    kind: str
    batch: int
    """Sequences that the lane's orders were chosen for."""
    switches: tuple[str, ...]
    """Operators whose order followed the batch."""
    tokens: tuple[int, ...]
    """The base run's choices: what both runs were fed."""
    choices: tuple[int, ...]
    """This shape's own choices on the same context."""
    base_margins: tuple[FiniteFloat, ...]
    margins: tuple[FiniteFloat, ...]
    """Of this shape: what a gate sees."""
    max_deltas: tuple[FiniteFloat, ...]
    """max over the vocabulary of |logit here - logit of the base run|."""
    near: tuple[tuple[int, ...], ...]
    """N(Δ) of the base run: tokens within .25, .5, 1 and 2 of its top logit."""
    k_change: tuple[FiniteFloat, ...]
    """‖k - k of the base run‖ ÷ ‖k of the base run‖ of a new column, by layer: mean up to the first flip."""
    v_change: tuple[FiniteFloat, ...]
    k_deepest: tuple[FiniteFloat, ...]
    """The same of the deepest layer's K, by step up to the first flip."""
    base_text: str
    text: str
    """What this shape writes when it runs free; equal to `base_text` where nothing flips."""
    record: Literal["flip"] = "flip"

    @property
    def flips(self) -> tuple[int, ...]:
        """Steps at which this shape chooses another token on the same context."""
        return tuple(i for i, (a, b) in enumerate(zip(self.tokens, self.choices, strict=True)) if a != b)

    @property
    def first(self) -> int | None:
        """Where a free run parts from the base run."""
        return self.flips[0] if self.flips else None


@dataclass(frozen=True)
class StrategyRecord:
    """One strategy on one workload at one batch shape."""

    strategy: str
    tau: FiniteFloat | None
    window: int | None
    pass_size: int | None
    batch: int
    emulated: bool
    """Whether the shape was set as a schedule in wider passes; its times then say nothing."""
    sequences: tuple[str, ...]
    """A digest of each request's tokens, in the workload's order."""
    equal: tuple[bool, ...]
    """For each request, whether its tokens are the reference run's."""
    tokens: int
    """Committed in the end."""
    rows: int
    """Tokens that the lane made, those rolled back included."""
    steps: int
    asked_rows: int
    """Tokens that asked for a look: by their margin, or because the row's window was full."""
    asked_steps: int
    corrections: int
    rolled_back: int
    """Tokens dropped after a correction."""
    visits: int
    """Passes of the verifier, without those over prompts."""
    verified: int
    """Positions in those passes."""
    seconds: FiniteFloat
    """Of the whole run, prompts included."""
    visit_seconds: FiniteFloat
    bonuses: int = 0
    """Tokens that the verifier's passes gave beyond the verified ones."""
    record: Literal["strategy"] = "strategy"
