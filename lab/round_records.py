"""The records of speculative decoding: one round of one request, and what was measured over many.

A round is drafted tokens, one pass of the target over them, and what that pass let stand. Probabilities are
those after the sampling transform: p_target and p_draft are the laws that the rule of acceptance compares.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pydantic import FiniteFloat, PositiveFloat, PositiveInt


@dataclass(frozen=True)
class LawToken:
    """One token under both laws."""

    token: int
    text: str
    p_target: FiniteFloat
    p_draft: FiniteFloat


@dataclass(frozen=True)
class LawRecord:
    """Both laws at one position: the tokens that are likeliest under either, and the overlap of all."""

    tokens: tuple[LawToken, ...]
    """By the larger of the two probabilities, falling; the rest of each law is its tail."""
    beta: FiniteFloat | None
    """Σ min(p, q) over the entire vocabulary; None where nothing was drafted."""
    support: tuple[int, int]
    """Tokens of probability above 0: of the target's law, and of the draft's."""

    def residual(self, at: LawToken) -> float:
        """p′ = max(0, p − q) / (1 − β) of a token; p where nothing is left."""
        left = 1.0 - (self.beta or 0.0)
        return max(0.0, at.p_target - at.p_draft) / left if left > 1e-12 else at.p_target


@dataclass(frozen=True)
class DraftedToken:
    """One drafted token, and what became of it."""

    token: int
    text: str
    p_draft: FiniteFloat
    p_target: FiniteFloat | None
    """None where it was not reached: the pass has such laws, but given a token that does not stand."""
    uniform: FiniteFloat | None
    """The u of its test; None where it was not reached."""
    accepted: bool | None
    """None where it was not reached."""
    seconds: FiniteFloat
    """Of the draft's step, shared by the rows of the batch."""
    law: LawRecord | None = None
    confidence: FiniteFloat | None = None
    """The draft's own probability of the token before the sampling transform; None where it is not asked."""

    @property
    def acceptance(self) -> float | None:
        """min(1, p/q): the chance that this token is accepted; None where no u decides: it was not reached,
        or the rule is another."""
        if self.p_target is None or self.uniform is None:
            return None
        return min(1.0, self.p_target / self.p_draft)


Ending = Literal["correction", "bonus", "cut"]
Stopped = Literal["gamma", "room", "end", "confidence", "nothing", "oracle"]


@dataclass(frozen=True)
class Lengths:
    """Positions of a cache in one round: before it, after its passes, and after what did not stand is cut."""

    before: int
    full: int
    kept: int


@dataclass(frozen=True)
class RoundRecord:
    """One round of one request."""

    request: str
    round: int
    """Of this request, from 0."""
    start: int
    """Index of the first token that it emits, 0 for the first new token of the request."""
    drafted: tuple[DraftedToken, ...]
    stopped: Stopped
    """Why no more was drafted: `gamma`: the window was full; `room`: no more tokens may follow; `end`: an
    end-of-text was drafted; `confidence`: the draft was unsure; `nothing`: it had no token to propose;
    `oracle`: the next one would be rejected."""
    accepted: int
    """Drafted tokens that were committed."""
    emitted: tuple[int, ...]
    texts: tuple[str, ...]
    ending: Ending
    """The last emitted token: a `correction` drawn from the residual, the `bonus` of a round without a
    rejection, or an accepted token that ended the request and `cut` the rest."""
    last_law: LawRecord | None
    """Of the correction or bonus."""
    target_cache: Lengths
    draft_cache: Lengths | None
    """None for a drafter without a cache."""
    batch: int
    positions: int
    """Rows of the target's matrix products in this pass, all requests of the batch together."""
    lane: str
    draft_seconds: FiniteFloat
    """All draft steps of the batch in this round."""
    verify_seconds: FiniteFloat
    """The target's pass."""
    seconds: FiniteFloat
    """The whole round, the rule and the bookkeeping included."""
    finish: str | None = None
    parents: tuple[int, ...] | None = None
    """Of a tree: the node before each drafted token, -1 for the last committed token. None: a chain."""
    record: Literal["round"] = "round"

    @property
    def tree(self) -> tuple[int, ...]:
        """`parents`, of a chain too."""
        return tuple(range(-1, len(self.drafted) - 1)) if self.parents is None else self.parents

    @property
    def depths(self) -> tuple[int, ...]:
        """Of each drafted token; 1 for the first of a path."""
        depths: list[int] = []
        for parent in self.tree:
            depths.append(1 if parent < 0 else depths[parent] + 1)
        return tuple(depths)

    @property
    def judged(self) -> int:
        """Drafted tokens that the rule reached."""
        return sum(each.accepted is not None for each in self.drafted)


@dataclass(frozen=True)
class MeetingRecord:
    """One request in one of the runs that are held against each other: plain or in rounds, gated or not.

    Lists go by token, of what was committed in the end.
    """

    run: str
    """`fp32`, `fp32-speculative`, `bf16`, `bf16-speculative` or `bf16-speculative-gated`."""
    request: str
    tokens: tuple[int, ...]
    texts: tuple[str, ...]
    margins: tuple[FiniteFloat, ...]
    """Of the logits that chose the token."""
    runners_up: tuple[str, ...]
    """What a reader sees of the second largest logit's token."""
    rows: tuple[int, ...]
    """Positions in the pass that made those logits: M of its matrix products."""
    corrected: tuple[int, ...]
    """Indices at which the verifier overruled the fast lane."""
    passes: int
    """Of the lane over this request's tokens, the prompt's left out; all rows of a batch share a pass."""
    visits: int
    """Of the verifier to this request."""
    seconds: FiniteFloat
    """Of the whole run, shared by its requests."""
    record: Literal["meeting"] = "meeting"

    def __post_init__(self) -> None:
        lists = (self.tokens, self.texts, self.margins, self.runners_up, self.rows)
        if len(set(map(len, lists))) != 1:
            raise ValueError("tokens, texts, margins, runners_up and rows differ in length")


Exactness = Literal["lossless in law", "greedy-identical in FP32", "approximate"]


@dataclass(frozen=True)
class FamilyRecord:
    """One method on one prompt: what it wrote and what that took. The first token is the prompt's pass's."""

    method: str
    request: str
    drafter: str
    """Empty for `serial`."""
    shape: str
    rule: str
    exactness: Exactness
    tokens: tuple[int, ...]
    texts: tuple[str, ...]
    passes: int
    """Of the target, without those over the prompt."""
    drafted: int
    """Nodes that were verified."""
    accepted: int
    levels: int
    """Steps of the draft, one after the other: levels of its trees."""
    draft_seconds: FiniteFloat
    verify_seconds: FiniteFloat
    seconds: FiniteFloat
    """All, but the passes over the prompt."""
    plain_seconds: FiniteFloat
    """Of `serial` on this prompt in the same run."""
    same_as_plain: bool
    """Whether the tokens are those of `serial`; sampled ones need not be."""
    record: Literal["family"] = "family"

    @property
    def tokens_per_pass(self) -> float | None:
        return (len(self.tokens) - 1) / self.passes if self.passes else None

    @property
    def nodes_per_pass(self) -> float | None:
        return self.drafted / self.passes if self.passes else None

    @property
    def speedup(self) -> float | None:
        return self.plain_seconds / self.seconds if self.seconds else None


@dataclass(frozen=True)
class PassTimeRecord:
    """Time of one forward pass over `positions` new tokens of each of `batch` sequences."""

    model: str
    role: Literal["target", "draft"]
    positions: int
    batch: int
    context: int
    """Positions that the cache held."""
    seconds: PositiveFloat
    """Median."""
    low: FiniteFloat
    """First quartile."""
    high: FiniteFloat
    """Third quartile."""
    temperature: FiniteFloat | None = None
    """Of a draft's step, which makes a law and draws from it; None: a pass of the target alone."""
    record: Literal["pass-time"] = "pass-time"


@dataclass(frozen=True)
class MeasureRecord:
    """One draft on one kind of prompt, at one temperature and one γ: acceptance, prediction, wall time."""

    draft: str
    kind: str
    """Of prompts: `story`, `question`, `code`, or a name of one's own."""
    temperature: FiniteFloat
    gamma: int
    batch: int
    prompts: int
    alpha: FiniteFloat | None
    """Mean Σ min(p, q) over tokens that the target generated by itself; None at γ = 0."""
    alpha_error: FiniteFloat | None
    """Standard error of `alpha` over prompts."""
    alpha_tokens: int
    """Tokens that `alpha` is a mean of."""
    conditional: tuple[FiniteFloat | None, ...]
    """Acceptance at each position of a window, given that it was reached; None where none was."""
    unconditional: tuple[FiniteFloat, ...]
    """Share of rounds in which each position was accepted."""
    accepted: int
    drafted: int
    rounds: PositiveInt
    """Target passes without those over prompts."""
    tokens: int
    """Emitted by these rounds."""
    c: FiniteFloat
    """Time of a draft step ÷ time of a target step."""
    v: FiniteFloat
    """Time of a target pass over γ + 1 positions ÷ over one."""
    c_hat: FiniteFloat
    """Operations of a draft step ÷ those of a target step, by parameters."""
    bytes_per_token: FiniteFloat
    """Weight bytes of target and draft that are read for one token."""
    plain_bytes_per_token: FiniteFloat
    predicted: FiniteFloat
    """Theorem 3.8: α, γ, c."""
    predicted_v: FiniteFloat
    """The same with this machine's v."""
    predicted_by_position: FiniteFloat
    """With v and the measured acceptance at each position."""
    operations_factor: FiniteFloat
    """Theorem 3.11."""
    speedup: FiniteFloat
    """Median of plain seconds a token ÷ speculative seconds a token over repeated, alternating runs."""
    speedup_low: FiniteFloat
    speedup_high: FiniteFloat
    """Quartiles."""
    plain_seconds: FiniteFloat
    """Of one run of plain decoding (median), prompts left out."""
    seconds: FiniteFloat
    """Of one speculative run (median), prompts left out."""
    predicted_by_text: FiniteFloat | None = None
    """With v and the acceptance at each token of the target's own text (`formulas.expected_cost`)."""
    oracle: FiniteFloat | None = None
    """The same, if each round drafted just what will be accepted: no γ does better."""
    record: Literal["measure"] = "measure"

    @property
    def tokens_per_pass(self) -> float:
        return self.tokens / self.rounds

    @property
    def accepted_per_drafted(self) -> float | None:
        """Not α: tokens after a rejection were drafted and never had a chance."""
        return self.accepted / self.drafted if self.drafted else None
