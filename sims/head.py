"""Recorded steps of a real model at their last product: hidden state times output rows, again and again.

A recording holds a few steps with the hidden state as it was under several split counts of every
linear layer, and counts over many steps. Reading it needs numpy only. Where it comes from is told by
its provenance; nothing here runs a model.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sims.arithmetic import TENSOR_CORE, Arithmetic
from sims.errors import InputError
from sims.flips import tie_probability
from sims.formats import BF16, decode
from sims.kernels import SplitTable
from sims.logits import LogitStep, logits_by_batch
from sims.trees import SplitK

Reach = Literal["model", "product"]


@dataclass(frozen=True)
class Provenance:
    """Which model, machine and code made a recording, and when."""

    model: str
    machine: str
    date: str
    code: str


@dataclass(frozen=True, eq=False)
class RecordedStep:
    """One decoding step. Candidates go by ascending token id, so that the lower index is the lower id.

    `hidden`: by split count, (K,); `rows`: (V, K); `logits`: by split count, (V,), as the model gave them.
    """

    prompt: str
    index: int
    before: str
    ids: tuple[int, ...]
    texts: tuple[str, ...]
    hidden: dict[int, NDArray[np.float64]]
    rows: NDArray[np.float64]
    logits: dict[int, NDArray[np.float64]]

    @property
    def margin(self) -> float:
        """Top-1 minus top-2 logit under one split, before rounding."""
        second, first = np.sort(self.rows @ self.hidden[1])[-2:]
        return float(first - second)


@dataclass(frozen=True, eq=False)
class HeadRecording:
    """Chosen steps by name, and of all N recorded steps: `margins` (N,) under one split, before rounding;
    `gains` and `flips` by further split count, (N,): what the runner-up gained, and whether another token
    was chosen; `tied` and `spacings` (N,) under one split.
    """

    origin: Provenance
    steps: dict[str, RecordedStep]
    margins: NDArray[np.float64]
    gains: dict[int, NDArray[np.float64]]
    flips: dict[int, NDArray[np.bool_]]
    tied: NDArray[np.bool_]
    spacings: NDArray[np.float64]

    @property
    def all_gains(self) -> tuple[float, ...]:
        """Every measured change of a margin, of all steps and split counts."""
        return tuple(np.concatenate(list(self.gains.values())).tolist())

    @property
    def expected_ties(self) -> float:
        """The share of steps that tie, expected from the margins before rounding."""
        pairs = zip(self.margins, self.spacings, strict=True)
        return float(np.mean([tie_probability(margin, spacing) for margin, spacing in pairs]))


def read(path: Path) -> HeadRecording:
    """Read a recording that `python -m lab record logits` has written. Raises InputError."""
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = dict(file)
        about = json.loads(str(arrays["about"]))
        return _recording(about, arrays)
    except (OSError, EOFError, ValueError, KeyError) as error:
        raise InputError(
            f"{path.name} is no recording of logits ({error}).", "Write it anew: python -m lab record logits."
        ) from None


def _recording(about: dict, arrays: dict[str, NDArray]) -> HeadRecording:
    splits = about["splits"]
    hidden, rows = decode(arrays["hidden"], BF16), decode(arrays["rows"], BF16)
    steps = {
        step["name"]: RecordedStep(
            step["prompt"],
            step["index"],
            step["before"],
            tuple(step["ids"]),
            tuple(step["texts"]),
            dict(zip(splits, hidden[at], strict=True)),
            rows[at],
            dict(zip(splits, arrays["logits"][at].astype(np.float64), strict=True)),
        )
        for at, step in enumerate(about["steps"])
    }
    return HeadRecording(
        Provenance(*(about["info"][name] for name in ("model", "machine", "date", "code"))),
        steps,
        arrays["margins"].astype(np.float64),
        dict(zip(splits[1:], arrays["gains"].T.astype(np.float64), strict=True)),
        dict(zip(splits[1:], arrays["flips"].T, strict=True)),
        arrays["tied"],
        arrays["spacings"].astype(np.float64),
    )


def step_by_batch(
    step: RecordedStep,
    batches: Sequence[int],
    table: SplitTable,
    reach: Reach = "model",
    arithmetic: Arithmetic = TENSOR_CORE,
) -> tuple[LogitStep, ...]:
    """The candidates' logits at each batch size, split as `table` says.

    `reach`: "product" splits this last product only, of the hidden state under one split; "model" also
    takes the hidden state that the model had when every linear layer was split so. Raises InputError for
    a split count that was not recorded.
    """
    if reach == "product":
        return logits_by_batch(step.hidden[1], step.rows, batches, table.shape, arithmetic)
    found: dict[int, LogitStep] = {}
    for splits in sorted({table.splits(batch) for batch in batches}):
        if splits not in step.hidden:
            recorded = ", ".join(map(str, step.hidden))
            raise InputError(
                f"The model was not recorded with {splits} splits.",
                f"Use {recorded} splits in the table.",
                "split_count",
                count=splits,
                recorded=recorded,
            )
        (found[splits],) = logits_by_batch(step.hidden[splits], step.rows, [1], _always(splits), arithmetic)
    return tuple(_at(batch, found[table.splits(batch)]) for batch in batches)


def _always(splits: int) -> Callable[[int], SplitK]:
    return lambda _batch: SplitK(splits)


def _at(batch: int, step: LogitStep) -> LogitStep:
    return LogitStep(batch, step.shape, step.accumulated, step.logits, step.first, step.second, step.margin)


def parse_split_table(text: str) -> SplitTable:
    """Read `1:4,8:2`: at most 1 row, 4 splits; at most 8 rows, 2; above, 1. Raises InputError."""
    pairs = [pair.split(":") for pair in text.replace(" ", "").replace("،", ",").split(",") if pair]
    try:
        return SplitTable(tuple((int(rows), int(splits)) for rows, splits in pairs))
    except ValueError:  # InputError too: rows that do not rise, counts below 1
        raise InputError(
            f"The split table {text!r} cannot be read.",
            "Write rows:splits pairs with rising rows, such as 1:4,8:2.",
            "split_table",
            piece=text[:40],
        ) from None
