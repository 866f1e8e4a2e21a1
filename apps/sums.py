"""What the page of a sum's order works with: presets, orders by name, settings, results kept for a while.

Plain functions of `sims`; nothing here draws. Pictures stand in `apps.sum_pictures`.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd  # type: ignore[import-untyped]

from apps.bits import plain, shown
from apps.text import n, t
from sims.arithmetic import ALL_FP32, TENSOR_CORE, Arithmetic, as_inputs
from sims.compare import Outcome, agreement, compare
from sims.compensated import Kahan, Neumaier
from sims.errors import InputError
from sims.formats import FORMATS
from sims.layer import logit_products
from sims.orders import (
    ASCENDING,
    DESCENDING,
    KAHAN,
    NEUMAIER,
    PAIRWISE,
    REVERSED,
    SEQUENTIAL,
    Order,
    atomics,
    in_order,
    lanes,
    shuffled,
    split_k,
)
from sims.parse import Typed, finite_values, parse_list
from sims.spread import Spread, spread
from sims.steps import CompensatedStep, Step, Walk, compensated_walk, walk
from sims.stories import STORIES, linspace_products

Addends = tuple[float, ...]
MOST_ADDENDS = 1_024
MOST_LEAVES = 64  # of a tree that is drawn
MOST_CHIPS = 64  # of an order that is arranged by hand
BY_HAND = "byhand"
_ZEROS = re.compile(r"\.?0*p")

ORDERS: dict[str, Order] = {
    "sequential": SEQUENTIAL,
    "reversed": REVERSED,
    "ascending": ASCENDING,
    "descending": DESCENDING,
    "pairwise": PAIRWISE,
    "splitk2": split_k(2),
    "splitk4": split_k(4),
    "splitk8": split_k(8),
    "lanes8": lanes(8),
    "atomics8": atomics(8, seed=0),
    "shuffled": shuffled(0),
    "kahan": KAHAN,
    "neumaier": NEUMAIER,
}
_NAMES = {order: name for name, order in ORDERS.items()}


@dataclass(frozen=True)
class Preset:
    """A story with the settings that show it: the addends as a reader would type them, and the rest."""

    text: str
    arithmetic: Arithmetic
    orders: tuple[str, ...]
    products: bool = False

    @property
    def values(self) -> dict[str, Any]:
        """The parameters of the page that this preset sets, beside its own name."""
        return {
            "addends": "",
            "positions": "",
            "step": 1,
            "walk": "sequential",
            "format": self.arithmetic.output.key,
            "accumulator": self.arithmetic.accumulator.key,
            "partials": self.arithmetic.partials != self.arithmetic.accumulator,
            "products": self.products,
            "orders": ",".join(self.orders),
        }


def _text(values: Iterable[float]) -> str:
    """The values as hexadecimal numbers: exact, and short enough for an address."""
    return " ".join(_ZEROS.sub("p", float(value).hex()) for value in values)


PRESETS: dict[str, Preset] = {
    story.key.replace("_", "-"): Preset(
        " ".join(story.addends), story.arithmetic, tuple(_NAMES[order] for order in story.orders)
    )
    for story in STORIES
} | {
    "linspace": Preset(
        _text(linspace_products(256)),
        ALL_FP32,
        ("sequential", "reversed", "pairwise", "splitk2", "splitk4", "splitk8", "lanes8", "kahan"),
        products=True,
    ),
    "layer": Preset(
        _text(logit_products()),
        TENSOR_CORE,
        ("sequential", "reversed", "pairwise", "splitk2", "splitk4", "splitk8", "lanes8", "kahan"),
        products=True,
    ),
}


def arithmetic(values: Mapping[str, Any]) -> Arithmetic:
    """Where the sum rounds, as the controls say."""
    fmt, accumulator = FORMATS[values["format"]], FORMATS[values["accumulator"]]
    return Arithmetic(
        inputs=accumulator if values["products"] else fmt,
        accumulator=accumulator,
        partials=fmt if values["partials"] else accumulator,
        output=fmt,
    )


@lru_cache(maxsize=32)
def read_addends(text: str, rounding: Arithmetic) -> tuple[tuple[Typed, ...], Addends]:
    """The addends as typed, and as they are added: rounded to the inputs' format.

    Raises InputError for what is no list of finite numbers, and for one beyond the format.
    """
    typed = parse_list(text, MOST_ADDENDS)
    rounded = tuple(as_inputs(finite_values(typed), rounding).tolist())
    for number, value in zip(typed, rounded, strict=True):
        if not np.isfinite(value):
            raise InputError(
                f"{number.text!r} is beyond the largest number of {rounding.inputs.name}.",
                "Use a smaller addend or a wider format.",
                "input_overflow",
                piece=number.text,
                format=rounding.inputs.name,
                largest=f"{rounding.inputs.max_finite:g}",
            )
    return typed, rounded


def changed(typed: Sequence[Typed], addends: Addends) -> int:
    """How many addends are not stored as they were typed."""
    return sum(number.exact != value for number, value in zip(typed, addends, strict=True))


def read_text(typed: Sequence[Typed], addends: Addends, kind: Arithmetic) -> str:
    """What was read: how many addends, the first of them, how many the inputs' format changes."""
    # What was typed in hexadecimal is hard to read.
    pairs = list(zip(typed, addends, strict=True))[:12]
    start = " ".join(f"{value:.6g}" if "0x" in one.text.lower() else one.text for one, value in pairs)
    return t(
        "sum-order-read",
        count=len(addends),
        start=start[:80].replace("`", ""),
        more="yes" if len(typed) > 12 or len(start) > 80 else "no",
        changed=changed(typed, addends),
        format=kind.inputs.name,
    )


def arranged(addends: Addends, order: Order) -> tuple[int, ...]:
    """Which addend stands at each place of the order."""
    rows = np.array([addends], np.float32)
    return tuple(order.arrangement.indices(rows)[0].tolist())


def read_positions(text: str, count: int) -> tuple[int, ...]:
    """An order by hand, places 1 … count as typed, as positions 0 … count - 1.

    An empty text is the order as given. Raises InputError for anything but a permutation.
    """
    if not text.strip():
        return tuple(range(count))
    places = [number.exact for number in parse_list(text, MOST_ADDENDS)]
    if None in places or sorted(filter(None, places)) != list(range(1, count + 1)):
        raise InputError(
            f"{text[:40]!r} is no order of {count} addends.",
            f"Name every place from 1 to {count} once.",
            "positions",
            count=count,
        )
    return tuple(int(place) - 1 for place in places if place is not None)


def positions_text(positions: Sequence[int]) -> str:
    """The text that `read_positions` reads back; empty for the order as given."""
    return "" if list(positions) == sorted(positions) else " ".join(str(p + 1) for p in positions)


def named(name: str, positions: tuple[int, ...]) -> Order:
    """The order of that name; the one by hand has these positions."""
    return in_order(positions) if name == BY_HAND else ORDERS[name]


def is_compensated(order: Order) -> bool:
    return isinstance(order.shape, Kahan | Neumaier)


# Streamlit runs the page anew at every step of a slider: what has been worked out is kept.
walked = lru_cache(maxsize=32)(walk)
compensated = lru_cache(maxsize=32)(compensated_walk)
compared = lru_cache(maxsize=32)(compare)
spread_over = lru_cache(maxsize=8)(spread)


def step_text(step: Step, accumulator: str) -> str:
    """One addition in a sentence: the exact sum, what it becomes, and whether an addend vanished."""
    rounding = step.rounding
    if step.swallowed or rounding.error == 0:
        told = "swallowed" if step.swallowed else "exact"
    else:
        told = "tie" if rounding.tie else "rounded"
    sentence = t(
        f"sum-order-step-{told}",
        left=plain(step.left_value),
        right=plain(step.right_value),
        sum=plain(rounding.exact),
        below=shown(rounding.below),
        above=shown(rounding.above),
        result=shown(rounding.result),
        format=accumulator,
    )
    if step.partial and step.stored != rounding.result and step.stored.value != rounding.result.value:
        sentence += " " + t("sum-order-step-partial", stored=shown(step.stored), format=step.stored.fmt.name)
    return sentence


def compensated_text(before: CompensatedStep, step: CompensatedStep) -> str:
    """One addend of a compensated sum in a sentence."""
    return t(
        "sum-order-step-compensated",
        left=shown(before.total),
        right=plain(step.addend),
        result=shown(step.total),
        correction=shown(step.correction),
    )


def steps_table(path: Walk) -> pd.DataFrame:
    """Every addition, in the order of execution."""
    return pd.DataFrame(
        {
            "step": range(1, len(path.steps) + 1),
            "left": [step.left_value for step in path.steps],
            "right": [step.right_value for step in path.steps],
            "exact": [float(step.rounding.exact) for step in path.steps],
            "result": [step.stored.value for step in path.steps],
            "error": [float(step.rounding.error or 0) for step in path.steps],
            "error_gaps": [float(step.rounding.error_ulps or 0) for step in path.steps],
            "tie": ["◆" if step.rounding.tie else "" for step in path.steps],
            "swallowed": ["◆" if step.swallowed else "" for step in path.steps],
        }
    )


def compensated_table(steps: Sequence[CompensatedStep]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "step": range(len(steps)),
            "right": [step.addend for step in steps],
            "result": [step.total.value for step in steps],
            "correction": [step.correction.value for step in steps],
        }
    )


def group_letters(outcomes: Sequence[Outcome]) -> dict[str, str]:
    """Orders whose results have the same bits share a letter; A is the largest group."""
    return {
        outcome.order.key: chr(ord("A") + min(index, 25))
        for index, group in enumerate(agreement(outcomes))
        for outcome in group
    }


def outcomes_table(names: Sequence[str], outcomes: Sequence[Outcome]) -> pd.DataFrame:
    """Every order: its result, how far off, the bound beside it, and the group it agrees with."""
    letters = group_letters(outcomes)
    return pd.DataFrame(
        {
            "group": [letters[outcome.order.key] for outcome in outcomes],
            "order": list(names),
            "result": [outcome.result.value for outcome in outcomes],
            "accumulated": [outcome.accumulated for outcome in outcomes],
            "error": [outcome.error for outcome in outcomes],
            "bound": [outcome.bound for outcome in outcomes],
            "ulps_off": [outcome.ulps_off for outcome in outcomes],
            "height": [outcome.height for outcome in outcomes],
            "key": [outcome.order.key for outcome in outcomes],
        }
    )


def groups_text(names: Mapping[str, str], outcomes: Sequence[Outcome]) -> str:
    """Which orders agree, a line a group; `names`: the orders' keys with their names for the reader."""
    groups = agreement(outcomes)
    lines = [t("sum-order-groups", orders=len(outcomes), results=len(groups)), ""]
    for index, group in enumerate(groups):
        letter = chr(ord("A") + min(index, 25))
        told = t("sum-order-group", letter=letter, value=shown(group[0].result))
        lines.append(f"- {told} " + " / ".join(names[one.order.key] for one in group))
    return "\n".join(lines)


def spread_text(result: Spread) -> str:
    """What the random orders came to, in numbers."""
    share = result.counts.max() / result.counts.sum()
    return t(
        "sum-order-spread",
        count=n(int(result.counts.sum())),
        results=len(result.results),
        sums=result.distinct_sums,
        commonest=plain(result.commonest),
        share=f"{100 * share:.1f}%",
    )
