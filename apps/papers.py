"""Published figures that stand beside the lab's own, each with its source and its conditions.

They are other models on other machines with other verifiers: to be read beside ours, not subtracted from it.
Conditions are messages, `determinism-paper-<key>`, in the reader's language.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd  # type: ignore[import-untyped]

from apps.strategy_table import PAPERS_POLICY, costs_of, main_gates, sizes
from apps.text import n, t
from lab.decode.margingate.compare import summarise
from lab.records import StrategyRecord

MARGINGATE = "https://arxiv.org/abs/2605.30218"
LLM42 = "https://arxiv.org/abs/2601.17768"
THINKING_MACHINES = "https://thinkingmachines.ai/blog/defeating-nondeterminism-in-llm-inference/"


@dataclass(frozen=True)
class Verified:
    """MarginGate, abstract: τ calibrated on MATH500; per cent of rows flagged, per cent of sequences equal.

    `reduction`: LLM-42's latency increment ÷ MarginGate's, where the abstract gives it.
    """

    model: str
    trigger_percent: float
    identical_percent: float
    reduction: float | None


MARGINGATE_FIGURES = (
    Verified("Llama-3.1-8B", 18.56, 100, 2.23),
    Verified("Qwen2.5-14B", 15.05, 100, 1.99),
    Verified("DSR1-Distill-Qwen-7B", 49.50, 100, None),
)


@dataclass(frozen=True)
class Reported:
    """A cost that a source reports; `key` names the message of its conditions, `values` go into it."""

    key: str
    source: str
    url: str
    values: dict[str, float]


REPORTED = (
    Reported(
        "llm42-throughput", "LLM-42", LLM42, {"half": 0.56, "half_best": 0.94, "low": 0.46, "high": 0.90}
    ),
    Reported("llm42-grouping", "LLM-42", LLM42, {"alone": 0.16, "grouped": 1.00}),
    Reported("llm42-recompute", "LLM-42", LLM42, {"short": 3.9, "long": 92.1, "grouped": 2.9}),
    Reported("llm42-invariant", "LLM-42", LLM42, {"one": 3.05, "many": 1.35, "most": 1.51}),
    Reported(
        "thinking-machines",
        "Thinking Machines",
        THINKING_MACHINES,
        {"default": 26, "first": 55, "improved": 42},
    ),
)


def frame(records: Sequence[StrategyRecord], model: str) -> pd.DataFrame:
    """The paper's rows, then ours: flagged rows, equal sequences, and by how much the increment falls.

    The reduction is the paper's against LLM-42, ours against verifying every step.
    """
    rows = [
        {
            "who": "MarginGate (arXiv 2605.30218)",
            "model": figure.model,
            "trigger_percent": figure.trigger_percent,
            "identical_percent": float(figure.identical_percent),
            "reduction": figure.reduction,
        }
        for figure in MARGINGATE_FIGURES
    ]
    costs, several = costs_of(records), len(sizes(records)) > 1
    for summary in summarise(main_gates(records)):
        if summary.strategy not in (*PAPERS_POLICY, "replay"):
            continue
        batches: list[int | None] = [batch for name, batch in costs if name == summary.strategy] or [None]
        for batch in batches:
            cost = costs.get((summary.strategy, batch)) if batch else None
            rows.append(
                {
                    "who": t("determinism-paper-ours", strategy=summary.strategy, batch=batch or 0),
                    "model": model,
                    "trigger_percent": round(100 * summary.trigger_rows, 2),
                    "identical_percent": round(100 * summary.identical, 1) if several else None,
                    "reduction": round(cost.ratio, 2) if cost and cost.ratio else None,
                }
            )
    return pd.DataFrame(rows)


def reported() -> list[str]:
    """A sentence a figure: source with its link, the figure, its conditions."""
    return [
        f"[{figure.source}]({figure.url}): "
        + t(
            f"determinism-paper-{figure.key}",
            **{name: n(value, "g") for name, value in figure.values.items()},
        )
        for figure in REPORTED
    ]
