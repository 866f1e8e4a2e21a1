"""What the page of α, γ and c shows of its dials: v, the verdict with its reason, the table; plain functions.

The formulas are those of `sims`; nothing is computed here that they have not, and nothing draws.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd  # type: ignore[import-untyped]

from apps.measured import Measured
from apps.text import n, t
from sims.roofline import Machine, Target, bend, widening
from sims.speedup import (
    expected_tokens,
    operations_factor,
    oracle_speedup,
    oracle_speedup_with,
    some_gamma_helps,
    speedup,
    wasted_share,
    weight_bytes_per_token,
)

SHOWN = 24
"""The largest γ of the slider and of the charts."""
SEARCHED = 64
"""The largest γ among which the best is sought, where v is not measured."""
DIALS = ("paper", "machine", "roofline")
EXPERTS = {"dense": (1, 1), "2-of-8": (8, 2), "8-of-256": (256, 8)}


@dataclass(frozen=True)
class Device:
    """Data-sheet figures: GB/s, TFLOP/s; and what fits it: billions of parameters, bytes each."""

    bandwidth: float
    peak: float
    billions: float
    bytes_each: str


DEVICES = {
    "h200": Device(4800.0, 989.0, 7.0, "2"),
    "h100": Device(3350.0, 989.0, 7.0, "2"),
    "a100": Device(2000.0, 312.0, 7.0, "2"),
    # Two AVX2 cores: a large read and a large FP32 product, measured.
    "cpu": Device(20.0, 0.15, 0.135, "4"),
}


@dataclass(frozen=True)
class Setting:
    """α, γ, c, and v[γ] for every γ that is looked at."""

    alpha: float
    gamma: int
    c: float
    v: tuple[float, ...]

    @property
    def at_papers_v(self) -> bool:
        return set(self.v) == {1.0}

    @property
    def shown(self) -> range:
        """The γs of the charts."""
        return range(min(SHOWN, len(self.v) - 1) + 1)

    def tokens(self, gamma: int) -> float:
        return expected_tokens(self.alpha, gamma)

    def cost(self, gamma: int) -> float:
        """Of a round, in plain steps."""
        return gamma * self.c + self.v[gamma]

    def gain(self, gamma: int) -> float:
        return speedup(self.alpha, gamma, self.c, self.v[gamma])

    @property
    def best(self) -> int:
        return max(range(len(self.v)), key=self.gain)

    @property
    def oracle(self) -> float:
        """What γ always just right would give; where v grows, also with the best cap on γ."""
        if self.at_papers_v:
            return oracle_speedup(self.alpha, self.c)
        caps = range(1, len(self.v) + 1)
        return max(oracle_speedup_with(self.alpha, self.c, self.v[:cap]) for cap in caps)


def setting(values: Mapping[str, Any], measured: Measured | None) -> Setting:
    """What the controls say. A γ beyond a measured curve is cut to its end. Raises InputError."""
    v = curve(values, measured)
    return Setting(values["alpha"], min(values["gamma"], len(v) - 1), values["c"], v)


def curve(values: Mapping[str, Any], measured: Measured | None) -> tuple[float, ...]:
    """v by the dial: the paper's 1, this machine's curve (1 where none is recorded), or a roofline."""
    if values["dial"] == "roofline":
        machine, target = Machine(values["bandwidth"] * 1e9, values["peak"] * 1e12), model(values)
        return tuple(widening(machine, target, values["batch"], gamma) for gamma in range(SEARCHED + 1))
    if values["dial"] == "machine" and measured and measured.curves:
        batch = int(values["machine-batch"])
        return measured.curves[batch if batch in measured.curves else min(measured.curves)]
    return (1.0,) * (SEARCHED + 1)


def model(values: Mapping[str, Any]) -> Target:
    """The roofline's target; all weights of a mixture of experts are taken to be the experts'."""
    experts, per_token = EXPERTS[values["experts"]]
    weights = values["billions"] * 1e9
    return Target(
        shared=weights if experts == 1 else 0.0,
        routed=0.0 if experts == 1 else weights,
        experts=experts,
        per_token=per_token,
        bytes_each=float(values["bytes"]),
        cache_bytes=values["cache"] * 1e6,
    )


def roofline_told(values: Mapping[str, Any]) -> str:
    """The figures in force, and the rows at which a dense pass turns from reading to arithmetic."""
    machine = Machine(values["bandwidth"] * 1e9, values["peak"] * 1e12)
    return t(
        "speedup-roofline-told",
        bandwidth=n(values["bandwidth"], ",.6g"),
        peak=n(values["peak"], ",.6g"),
        billions=n(values["billions"], ",.6g"),
        bytes=values["bytes"],
        rows=n(bend(machine, model(values)), ",.0f"),
    )


def verdict(at: Setting) -> list[str]:
    """What a round gives and costs at this γ, why it loses where it does, and the best γ."""
    gain = at.gain(at.gamma)
    figures = {
        "gamma": n(at.gamma, "d"),
        "tokens": n(at.tokens(at.gamma), ".2f"),
        "cost": n(at.cost(at.gamma), ".2f"),
        "gain": n(gain, ".2f"),
    }
    told = [t("speedup-verdict-loss" if gain < 1 else "speedup-verdict", **figures)]
    if gain < 1:
        told.append(reason(at))
    return [*told, best_told(at)]


def reason(at: Setting) -> str:
    """Why this γ loses: the wide pass alone, a draft that can never help, too many drafts, or both."""
    tokens, v = at.tokens(at.gamma), at.v[at.gamma]
    drafting = at.gamma * at.c
    figures = {
        "tokens": n(tokens, ".2f"),
        "v": n(v, ".2f"),
        "positions": n(at.gamma + 1, "d"),
        "drafting": n(drafting, ".2f"),
        "alpha": n(at.alpha, ".2f"),
        "c": n(at.c, ".3g"),
    }
    if tokens <= v:
        return t("speedup-reason-pass", **figures)
    if not some_gamma_helps(at.alpha, at.c):
        return t("speedup-reason-draft", **figures)
    if tokens <= drafting + 1:
        return t("speedup-reason-long", **figures)
    return t("speedup-reason-both", **figures)


def best_told(at: Setting) -> str:
    best = at.best
    if best == 0:
        return t("speedup-best-none", last=n(len(at.v) - 1, "d"))
    last = "yes" if best == len(at.v) - 1 else "no"
    return t("speedup-best", best=n(best, "d"), gain=n(at.gain(best), ".2f"), last=last)


def figures(at: Setting) -> list[tuple[str, str]]:
    """The row of facts."""
    return [
        (t("speedup-fact-tokens"), f"{at.tokens(at.gamma):.2f}"),
        (t("speedup-fact-cost"), f"{at.cost(at.gamma):.2f}"),
        (t("speedup-fact-v"), f"{at.v[at.gamma]:.2f}"),
        (t("speedup-fact-gain"), f"{at.gain(at.gamma):.2f}×"),
        (t("speedup-fact-best"), f"γ = {at.best}: {at.gain(at.best):.2f}×"),
        (t("speedup-fact-oracle"), f"{at.oracle:.2f}×"),
    ]


def frame(at: Setting, size: float) -> pd.DataFrame:
    """One row a γ; `size`: the draft's parameters ÷ the target's, for operations and reads."""
    return pd.DataFrame(
        [
            {
                "gamma": gamma,
                "tokens": at.tokens(gamma),
                "v": at.v[gamma],
                "cost": at.cost(gamma),
                "speedup": at.gain(gamma),
                "operations": operations_factor(at.alpha, gamma, size),
                "reads": weight_bytes_per_token(at.alpha, gamma, 1.0, size),
                "wasted_percent": 100 * wasted_share(at.alpha, gamma),
            }
            for gamma in at.shown
        ]
    ).round(4)
