"""What the page of the flip study reads out of its records: counts, facts, the chosen cell, tables.

Plain functions of FlipRecords (lab/decode/margingate/flips.py); `apps.flip_pictures` draws them. A study's
*cells* are its records with all operators following the batch; those with one operator alone are its
*attribution*.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, linear_regression, median
from typing import Any, Literal

import pandas as pd  # type: ignore[import-untyped]

from apps.pairs import batch_sizes
from apps.text import n, t
from apps.text.catalogue import LEFT_TO_RIGHT, POP, isolated
from lab.decode.margingate.flips import NEAR, StudyStep
from lab.decode.margingate.settings import FlipSettings
from lab.decode.prompt_set import Prompt, built_in
from lab.decode.settings import SWITCHES, LaneSettings
from lab.errors import LabError
from lab.models.zoo import DEFAULT_MODEL
from lab.records import Failure, FlipRecord
from lab.traces import RunInfo

Shown = FlipRecord | Failure | StudyStep
Counting = Literal["forced", "first"]
MAX_PROMPTS = 32
SLOPE_STEPS = 4
"""Fewest steps that a line is laid through."""


def settings(values: Mapping[str, Any]) -> FlipSettings:
    """The study that the controls describe. Raises LabError for values that cannot be run."""
    lane = values["lane"]
    return FlipSettings(
        prompts=prompts(values),
        batches=batch_sizes(values["batches"]),
        length=values["length"],
        base=values["base"],
        attribute=SWITCHES if values["attribute"] and lane == "bf16-emulated" else (),
        arithmetic=LaneSettings(lane, split_k=values["split-k"]),
    )


def prompts(values: Mapping[str, Any]) -> tuple[Prompt, ...]:
    """The reader's own prompts, or the first of the built-in set that are of the chosen kinds."""
    if values["set"] == "own":
        lines = [line.strip() for line in values["own"].splitlines() if line.strip()]
        if not 1 <= len(lines) <= MAX_PROMPTS:
            raise LabError(f"{len(lines)} prompts are given.", f"Write 1 to {MAX_PROMPTS}, one a line.")
        return tuple(Prompt(f"line-{at}", "own", text) for at, text in enumerate(lines, start=1))
    if not values["kinds"]:
        raise LabError("No kind of prompt is chosen.", "Choose at least one kind.")
    return tuple(p for p in built_in() if p.kind in values["kinds"])[: values["prompts"]]


def command(study: FlipSettings, model: str) -> str:
    """The command line that makes the same study; prompts that are no beginning of the set go in a file."""
    count = len(study.prompts)
    built_in_ones = study.prompts == built_in()[:count]
    parts = ["--prompts", str(count)] if built_in_ones else ["--file", "prompts.jsonl"]
    parts += [part for batch in study.batches for part in ("--batch", str(batch))]
    parts += ["--length", str(study.length), "--base", study.base, "--lane", study.arithmetic.lane]
    if study.arithmetic.lane == "bf16-emulated":
        parts += ["--split-k", study.arithmetic.split_k]
    parts.append("--attribute" if study.attribute else "--no-attribute")
    if model != DEFAULT_MODEL:
        parts += ["--model", model]
    return shlex.join(["python", "-m", "lab", "flips", *parts, "--out", "flips.jsonl"])


def prompt_file(study: FlipSettings) -> str:
    """The study's prompts as the JSONL file that the command line reads."""
    fields = ({"text": p.text, "name": p.name, "kind": p.kind} for p in study.prompts)
    return "".join(json.dumps(prompt, ensure_ascii=False) + "\n" for prompt in fields)


def told(info: RunInfo, records: Sequence[Shown]) -> str:
    """One line that says which study a recorded trace is."""
    cells = cells_of(records)
    return t(
        "flips-recorded",
        prompts=len(names(cells)),
        length=max((len(cell.tokens) for cell in cells), default=0),
        lane=info.lane,
        batches=", ".join(map(str, batches(cells))),
        base=str(info.settings.get("base", "–")),
    )


def cells_of(records: Iterable[Shown]) -> list[FlipRecord]:
    """The records with all of the lane's operators on: one for each prompt and batch size."""
    own = [record for record in records if isinstance(record, FlipRecord)]
    return [record for record in own if len(record.switches) != 1] or own


def attribution_of(records: Iterable[Shown]) -> list[FlipRecord]:
    """The records in which one operator alone follows the batch."""
    own = [record for record in records if isinstance(record, FlipRecord)]
    alone = [record for record in own if len(record.switches) == 1]
    return alone if len(alone) < len(own) else []


def failures_of(records: Iterable[Shown]) -> list[Failure]:
    return [record for record in records if isinstance(record, Failure)]


def names(cells: Iterable[FlipRecord]) -> tuple[str, ...]:
    """The prompts, in the order of the study."""
    return tuple(dict.fromkeys(cell.prompt for cell in cells))


def batches(cells: Iterable[FlipRecord]) -> tuple[int, ...]:
    return tuple(sorted({cell.batch for cell in cells}))


def counted(record: FlipRecord, counting: Counting) -> range:
    """The steps that count: all, or those up to and with the first flip (a free run's, until it parts)."""
    every = range(len(record.tokens))
    return every if counting == "forced" or record.first is None else every[: record.first + 1]


def flipped(record: FlipRecord, counting: Counting) -> list[int]:
    """The flips among the steps that count."""
    return [step for step in counted(record, counting) if record.tokens[step] != record.choices[step]]


@dataclass(frozen=True)
class Count:
    """Flips and steps of some cells; `parted`: cells with a flip."""

    flips: int
    steps: int
    parted: int
    cells: int
    epsilon: float
    """Largest max |Δlogit| of a step; `median_delta` is the median."""
    median_delta: float
    largest_margin: float | None
    """Of the base run, at a flipped step."""

    @property
    def share(self) -> float:
        """Flips ÷ steps."""
        return self.flips / self.steps if self.steps else 0.0


def count(cells: Sequence[FlipRecord], counting: Counting) -> Count:
    """Flips ÷ steps on equal contexts, and the sizes that go with them."""
    own = [flipped(cell, counting) for cell in cells]
    deltas = [cell.max_deltas[step] for cell in cells for step in counted(cell, counting)]
    margins = [cell.base_margins[step] for cell, steps in zip(cells, own, strict=True) for step in steps]
    return Count(
        flips=sum(map(len, own)),
        steps=len(deltas),
        parted=sum(map(bool, own)),
        cells=len(cells),
        epsilon=max(deltas, default=0.0),
        median_delta=median(deltas) if deltas else 0.0,
        largest_margin=max(margins, default=None),
    )


def facts(cells: Sequence[FlipRecord], counting: Counting) -> list[tuple[str, str]]:
    found = count(cells, counting)
    margin = "–" if found.largest_margin is None else n(found.largest_margin, ".3g")
    return [
        (t("flips-fact-share"), f"{n(100 * found.share, '.2f')} %"),
        (t("flips-fact-flips"), of(found.flips, found.steps)),
        (t("flips-fact-parted"), of(found.parted, found.cells)),
        (t("flips-fact-epsilon"), n(found.epsilon, ".3g")),
        (t("flips-fact-median"), n(found.median_delta, ".3g")),
        (t("flips-fact-margin"), margin),
    ]


def of(part: int, whole: int) -> str:
    """`2 of 24` as one unit, also inside text that runs the other way."""
    return isolated(t("flips-of", part=part, whole=whole))


def verdict(records: Sequence[Shown]) -> str:
    """The study in one sentence; while a run goes on, what it is waiting for."""
    cells = cells_of(records)
    if not cells:
        return t("flips-coming")
    found = count(cells, "forced")
    told: dict[str, str | int] = {
        "steps": found.steps,
        "parted": found.parted,
        "cells": found.cells,
        "epsilon": n(found.epsilon, ".3g"),
    }
    if found.largest_margin is None:
        return t("flips-same-bits" if found.epsilon == 0 else "flips-same", **told)
    share, margin = n(100 * found.share, ".2g"), n(found.largest_margin, ".3g")
    return t("flips-differ", share=share, margin=margin, **told)


def telling(cells: Sequence[FlipRecord]) -> FlipRecord:
    """The cell to open with: the one that parts first, among those that part after a few words."""
    parting = [cell for cell in cells if cell.first is not None and cell.first >= SLOPE_STEPS]
    return min(parting, key=lambda cell: cell.first or 0, default=cells[0])


@dataclass(frozen=True)
class Parted:
    """A text cut where it leaves another: `common` + `word` + `rest` is the text."""

    common: str
    word: str
    rest: str


def part(text: str, other: str) -> Parted:
    """Cut `text` at the first word in which it differs from `other`; equal texts have no such word.

    The words are those of the texts: a record holds token ids, and their own cuts are the tokenizer's.
    """
    if text == other:
        return Parted(text, "", "")
    pairs = enumerate(zip(text, other, strict=False))
    start = next((at for at, (a, b) in pairs if a != b), min(len(text), len(other)))
    if any(re.match(r"\w", one[start : start + 1]) for one in (text, other)):  # inside a word: from its start
        start -= len(re.split(r"\W", text[:start])[-1])
    word = re.match(r"\s*(\w+|[^\w\s]*)", text[start:])
    end = start + (word.end() if word else 0)
    return Parted(text[:start], text[start:end], text[end:])


def near_means(cells: Sequence[FlipRecord], counting: Counting, of_flips: bool) -> list[float] | None:
    """Mean N(Δ) for each Δ of NEAR on flipped steps, or on stable ones; None where there are none.

    N(Δ) = tokens with a logit at most Δ below the top one, the top one among them: arXiv 2605.30218, Table 4.
    """
    chosen = [
        cell.near[step]
        for cell in cells
        for step in counted(cell, counting)
        if (cell.tokens[step] != cell.choices[step]) == of_flips
    ]
    return [fmean(row[at] for row in chosen) for at in range(len(NEAR))] if chosen else None


def by_layer(changes: Sequence[Sequence[float]]) -> list[float]:
    """The mean over records of a list by layer; records that parted at their first step have none."""
    kept = [change for change in changes if change]
    return [fmean(layer) for layer in zip(*kept, strict=True)]


def slope(changes: Sequence[float]) -> float | None:
    """Least-squares slope of a change against the step, per token; None over fewer than SLOPE_STEPS."""
    if len(changes) < SLOPE_STEPS:
        return None
    return linear_regression(range(len(changes)), changes).slope


def slopes(cells: Iterable[FlipRecord]) -> list[float]:
    """Of the deepest layer's K, one for each sequence that stays with the base run for long enough."""
    found = (slope(cell.k_deepest) for cell in cells)
    return [one for one in found if one is not None]


def slope_told(cells: Sequence[FlipRecord]) -> str:
    found = sorted(slopes(cells))
    if not found:
        return t("flips-slope-none", steps=SLOPE_STEPS)
    tenth = len(found) // 10
    low, middle, high = (
        f"{LEFT_TO_RIGHT}{n(each, '+.5f')}{POP}" for each in (found[tenth], median(found), found[-1 - tenth])
    )
    return t("flips-slope", median=middle, low=low, high=high, sequences=len(found))


def by_operator(records: Sequence[Shown], counting: Counting) -> dict[str, Count]:
    """Counts for each operator that followed the batch alone, and for all of them at the same batch size.

    Keys are the operators' names; `all` comes first, where the study has that batch size.
    """
    alone = attribution_of(records)
    if not alone:
        return {}
    together = [cell for cell in cells_of(records) if cell.batch == alone[0].batch]
    switches = dict.fromkeys(record.switches[0] for record in alone)
    groups = {name: [record for record in alone if record.switches == (name,)] for name in switches}
    if together:
        groups = {"all": together} | groups
    return {name: count(group, counting) for name, group in groups.items()}


def frame(records: Sequence[Shown]) -> pd.DataFrame:
    """A row for each prompt, batch size and set of operators."""
    return pd.DataFrame(
        [
            {
                "prompt": record.prompt,
                "kind": record.kind,
                "batch": record.batch,
                "operators": "+".join(record.switches),
                "steps": len(record.tokens),
                "flips": len(record.flips),
                "first": record.first,
                "epsilon": max(record.max_deltas, default=0.0),
                "median_delta": median(record.max_deltas) if record.max_deltas else 0.0,
                "smallest_margin": min(record.base_margins, default=None),
                "flipped_margin": max((record.base_margins[step] for step in record.flips), default=None),
            }
            for record in records
            if isinstance(record, FlipRecord)
        ]
    ).astype({"first": "Int64"})
