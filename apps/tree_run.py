"""A run with token trees as the page *A tree of guesses* describes it: controls, and settings from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import accumulate
from operator import mul
from typing import Any

import streamlit as st

from apps import speculative_run
from apps.text import t
from apps.widgets import Choice, Controls, Number
from lab.decode.sampling import Sampling
from lab.decode.speculative.making import TREE_DRAFTERS
from lab.decode.speculative.settings import RULES, SpeculateSettings
from lab.decode.speculative.shapes import Dynamic
from lab.decode.speculative.shipped import TREES
from lab.decode.speculative.siblings import SIBLINGS
from lab.decode.speculative.tree import MAX_NODES

SHAPES = ("chain", "k-ary", "dynamic")
SHARED = ("run-prompt", "run-own", "run-temperature", "run-seed")
FIRST = Dynamic()

RECORDING = Choice("recording", tuple(TREES), texts="tree-recording-option")
PARAMETERS = (
    *(parameter for parameter in speculative_run.PARAMETERS if parameter.name in SHARED),
    Choice("run-draft", TREE_DRAFTERS, texts="tree-draft"),
    Choice("run-shape", SHAPES, initial="k-ary", texts="tree-shape"),
    Number("run-gamma", 4, 1, 8),
    Number("run-width", 3, 1, 8),
    Number("run-nodes", FIRST.nodes, 1, MAX_NODES),
    Choice("run-siblings", SIBLINGS, texts="tree-siblings"),
    Choice("run-rule", RULES, texts="tree-rule"),
    Number("run-length", 32, 8, 128),
)


def draw_controls(controls: Controls) -> None:
    """Folded away: a recorded run is shown first. A slider that a shape does not look at is left out."""
    with st.expander(t("tree-controls"), icon=":material/account_tree:"):
        controls.row("run-prompt", "run-draft")
        controls.draw("run-own")
        shape = controls.draw("run-shape")
        sliders = {"chain": 1, "k-ary": 2, "dynamic": 3}[shape]
        controls.row(*("run-gamma", "run-width", "run-nodes")[:sliders])
        if shape == "k-ary":
            widths = tapered(controls.values["run-gamma"], controls.values["run-width"])
            st.caption(t("tree-tapered", widths="·".join(map(str, widths)), nodes=count(widths)))
        controls.row("run-siblings", "run-rule")
        controls.row("run-temperature", "run-length", "run-seed")


def settings(values: Mapping[str, Any]) -> SpeculateSettings:
    """The run that the controls describe; a chain is a tree of width 1. Raises LabError."""
    shape, gamma = values["run-shape"], values["run-gamma"]
    made = SpeculateSettings(
        prompts=(speculative_run.chosen_prompt(values),),
        length=values["run-length"],
        drafter=values["run-draft"],
        sampling=Sampling(temperature=values["run-temperature"]),
        seed=values["run-seed"],
        plain=False,
        siblings=values["run-siblings"],
        rule=values["run-rule"],
    )
    form: dict[str, Any] = {"shape": "k-ary", "widths": (1,) * gamma}
    if shape == "k-ary":
        form = {"shape": "k-ary", "widths": tapered(gamma, values["run-width"])}
    elif shape == "dynamic":
        form = {name: values[f"run-{name}"] for name in ("gamma", "width", "nodes")} | {"shape": "dynamic"}
    made = replace(made, **form)
    made.check()
    return made


def tapered(levels: int, width: int) -> tuple[int, ...]:
    """Children a node, level by level: one fewer at each, never none."""
    return tuple(max(1, width - level) for level in range(levels))


def count(widths: tuple[int, ...]) -> int:
    """Nodes of the tree of these widths."""
    return sum(accumulate(widths, mul))
