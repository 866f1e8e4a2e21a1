"""Strategies as values: which lane decodes, when a token is looked at again, and what a look does.

Sources: MarginGate (arXiv 2605.30218) for `Repair`; LLM-42 (arXiv 2601.17768) for `Replay` on a fixed
window. `Replay` behind a margin gate is this lab's own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from lab.errors import LabError
from lab.numerics.lanes import BF16_INVARIANT, FP32, BlockLane, Lane

RepairWhat = Literal["mismatch", "flagged", "step"]
PromptBy = Literal["fast", "reference"]


@dataclass(frozen=True)
class Gate:
    """When the verifier looks.

    A row is *flagged* at a step whose margin is at most `tau` (None: never). A row is *due* once `window` of
    its tokens are unverified (None: at its end only). A pass of the verifier runs when flagged rows have
    `pass_size` positions to verify, or when a row is due or has ended.
    """

    tau: float | None = 0.25
    window: int | None = None
    pass_size: int = 1

    def __post_init__(self) -> None:
        checks = {
            "tau": (self.tau, self.tau is None or 0 <= self.tau < float("inf"), "a margin of 0 or more"),
            "window": (self.window, self.window is None or self.window >= 1, "1 token or more"),
            "pass_size": (self.pass_size, self.pass_size >= 1, "1 position or more"),
        }
        for name, (value, good, rule) in checks.items():
            if not good:
                raise LabError(f"{name} = {value} is not usable.", f"Give {rule}.")

    def flags(self, margin: float) -> bool:
        return self.tau is not None and margin <= self.tau

    def due(self, unverified: int) -> bool:
        return self.window is not None and unverified >= self.window


@dataclass(frozen=True)
class Replay:
    """The verifier has a cache of its own and replays every position since its last visit, in one pass.

    It commits up to the first mismatch, puts its own token there, and the rest is rolled back. Every token
    is verified in the end, whatever the gate: the gate decides when to look, not whether. `refresh`
    overwrites the fast lane's K/V of verified positions with the verifier's, rounded. `bonus`: where all of a
    row agrees, its newest token is fed as well, and the pass gives the row's next token too, as in
    speculative decoding.
    """

    gate: Gate
    refresh: bool = True
    bonus: bool = True


@dataclass(frozen=True)
class Repair:
    """MarginGate as its paper words it: only flagged steps are looked at, over the fast lane's own cache.

    On a mismatch the verifier's token is committed and the K/V column of that step is replaced in every
    layer. `what` widens the repair to every flagged column, or to all rows of a step with a flagged one.
    `prompt`: the lane that the prompt's K/V come from.
    """

    gate: Gate
    what: RepairWhat = "mismatch"
    prompt: PromptBy = "fast"


@dataclass(frozen=True)
class Reference:
    """The arithmetic that a verified run is compared with: for prompts, and for positions after them."""

    name: str
    prompts: Lane
    steps: Lane


FP32_REFERENCE = Reference("fp32", FP32, FP32)


def solo(lane: Lane) -> Reference:
    """The fast lane as it runs alone, one row at a time (`bf16-solo`)."""
    return Reference("bf16-solo", lane, lane.pinned(1) if isinstance(lane, BlockLane) else lane)


def check_verifier(reference: Reference) -> None:
    """Raises LabError for a reference that cannot compute several rows in one pass and give each its bits."""
    if not isinstance(reference.steps, BlockLane):
        raise LabError(
            f"The lane {reference.steps.name} gives a row other bits in other company: "
            "it cannot verify rows together.",
            "Use the reference fp32, or decode in bf16-emulated.",
        )


@dataclass(frozen=True)
class Strategy:
    """A way to decode. Without a `check` the lane's own tokens are the answer.

    `prompt_lane` is the lane's own for prompts, where that is another value: see `at`.
    """

    name: str
    lane: Lane
    check: Replay | Repair | None = None
    reference: Reference = FP32_REFERENCE
    prompt_lane: Lane | None = None

    def at(self, batch: int) -> Strategy:
        """This strategy with its decoding steps in the order of a batch of that size, however many share a
        pass. A lane without a schedule stays as it is."""
        if not isinstance(self.lane, BlockLane):
            return self
        return replace(self, lane=self.lane.pinned(batch), prompt_lane=self.lane)


WINDOWS = (16, 32, 64)
GROUP = 8


def strategies(
    fast: Lane,
    reference: Reference = FP32_REFERENCE,
    tau: float = 0.25,
    replay: Gate | None = None,
    queue: int = 8,
) -> dict[str, Strategy]:
    """Every strategy of the comparison by name, with one `tau` for all that have a gate.

    `replay`: the gate of margin-gated replay, if other than `tau` with a window of 16 and a pass of 32
    positions. `queue`: flagged positions that the paper's policy with a queue gathers for one pass.
    """
    gated = replay or Gate(tau, window=16, pass_size=32)
    checks: dict[str, Replay | Repair] = {
        "every-step": Replay(Gate(None, window=1), bonus=False),
        **{f"window-{w}": Replay(Gate(None, w, w * GROUP), bonus=False) for w in WINDOWS},
        "margingate": Repair(Gate(tau)),
        "margingate-queued": Repair(Gate(tau, window=gated.window, pass_size=queue)),
        "replay": Replay(gated),
    }
    plain = {
        "bf16": Strategy("bf16", fast, None, reference),
        "fp32": Strategy("fp32", FP32, None, reference),
        "bf16-invariant": Strategy("bf16-invariant", BF16_INVARIANT, None, reference),
    }
    return plain | {name: Strategy(name, fast, check, reference) for name, check in checks.items()}
