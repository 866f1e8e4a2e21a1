"""How long a pass takes by the roofline: bound by reading weights, or by arithmetic; and what v that gives.

A pass over few rows waits for the weights, a pass over many for the multiplications. Left out: launches,
activations, the arithmetic of attention, and whatever keeps a machine below its peak. So these times are
lower bounds, and their ratio v says how verification grows, not what a machine will measure.
"""

from dataclasses import dataclass

from sims.errors import InputError


@dataclass(frozen=True)
class Machine:
    """`bandwidth` in bytes a second and `peak` in operations a second; both above 0. Raises InputError."""

    bandwidth: float
    peak: float

    def __post_init__(self) -> None:
        if not (self.bandwidth > 0 and self.peak > 0):
            raise InputError(
                f"A machine of {self.bandwidth} bytes and {self.peak} operations a second does nothing.",
                "Give both above 0.",
            )


@dataclass(frozen=True)
class Target:
    """What a pass reads and computes with. Raises InputError for figures that make no sense.

    `shared` parameters serve every row; `routed` ones are spread over `experts`, `per_token` of which a row
    uses. A dense model has none routed. `cache_bytes`: K/V of one sequence's context, read once a pass.
    """

    shared: float
    routed: float = 0.0
    experts: int = 1
    per_token: int = 1
    bytes_each: float = 2.0
    cache_bytes: float = 0.0

    def __post_init__(self) -> None:
        if min(self.shared, self.routed, self.cache_bytes) < 0 or self.shared + self.routed <= 0:
            raise InputError("A model needs parameters.", "Give counts of 0 or more that are not all 0.")
        if self.bytes_each <= 0:
            raise InputError(
                f"A parameter of {self.bytes_each} bytes is none.", "Give 2 for BF16, 4 for FP32."
            )
        expected_experts(self.experts, self.per_token, 0)


def expected_experts(experts: int, per_token: int, tokens: int) -> float:
    r"""$N \big(1 - (1 - k/N)^t\big)$ distinct experts that t tokens read, k of N each, chosen evenly.

    A mixture-of-experts target reads more weights for γ + 1 positions than for one, so its v grows.
    """
    if not 1 <= per_token <= experts or tokens < 0:
        raise InputError(
            f"{per_token} of {experts} experts for {tokens} tokens make no sense.",
            "Use at least one expert a token, no more than there are.",
        )
    return experts * (1 - (1 - per_token / experts) ** tokens)


def pass_time(machine: Machine, target: Target, batch: int, positions: int) -> float:
    r"""$T(B, n) = \max\big(\frac{\text{bytes}}{BW}, \frac{2 P B n}{F}\big) + \frac{B \cdot KV}{BW}$, seconds.

    B sequences of n positions each: B·n rows share the weights, and each sequence's K/V is read once. Of a
    mixture of experts, the bytes are those of the distinct experts and P the parameters that a row uses.
    """
    if batch < 1 or positions < 1:
        raise InputError(f"A pass of {batch} × {positions} rows is none.", "Give both 1 or more.")
    rows = batch * positions
    read = target.shared + target.routed * (
        expected_experts(target.experts, target.per_token, rows) / target.experts
    )
    used = target.shared + target.routed * target.per_token / target.experts
    weights = max(read * target.bytes_each / machine.bandwidth, 2 * used * rows / machine.peak)
    return weights + batch * target.cache_bytes / machine.bandwidth


def widening(machine: Machine, target: Target, batch: int, gamma: int) -> float:
    r"""$v(\gamma) = T(B, \gamma + 1) / T(B, 1)$: what verifying γ drafts costs beside one plain step."""
    return pass_time(machine, target, batch, gamma + 1) / pass_time(machine, target, batch, 1)


def bend(machine: Machine, target: Target) -> float:
    r"""$\frac{F}{BW} \cdot \frac{\text{bytes each}}{2}$ rows: where a dense pass turns to arithmetic."""
    return machine.peak / machine.bandwidth * target.bytes_each / 2
