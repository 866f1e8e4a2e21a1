"""From a sum to a token: a recorded step of the model, its last product, and what the batch does to it."""

from dataclasses import replace

import streamlit as st

from apps import flip_chance, last_product
from apps.last_product import MAX_BATCH, Watched
from apps.recordings import FOLDER
from apps.text import n, t
from apps.widgets import (
    Choice,
    Controls,
    Number,
    Text,
    Toggle,
    Try,
    banner,
    chart,
    facts,
    formula,
    notice,
    shown,
    table,
    title,
)
from apps.widgets.errors import literal
from sims import flips, head
from sims.arithmetic import ARITHMETICS
from sims.errors import InputError
from sims.head import HeadRecording
from sims.kernels import SplitTable
from sims.logits import logits_by_batch
from sims.rounded_flips import rounded_flip, simulate_rounded


@st.cache_resource(show_spinner=False)
def recorded() -> HeadRecording:
    return head.read(FOLDER / "logits.npz")


@st.cache_data(show_spinner=False)
def watched(step: str, reach: head.Reach, table_text: str, arithmetic: str) -> Watched:
    rule = head.parse_split_table(table_text)
    one = recorded().steps[step]
    moments = head.step_by_batch(one, last_product.BATCHES, rule, reach, ARITHMETICS[arithmetic])
    return Watched(one, rule, moments, batch=1)


@st.cache_data(show_spinner=False)
def curve(kind: str, size: float, on_grid: bool, seed: int) -> flip_chance.FlipCurve:
    return flip_chance.flip_curve(flip_chance.noise(kind, size, recorded()), on_grid, seed)


@st.fragment
def the_step(base: Watched) -> None:
    """The batch size, the verdict, the number line, the same over all batch sizes.

    A fragment: moving the slider draws this part alone.
    """
    seen = replace(base, batch=CONTROLS.draw("batch"))
    step = seen.step
    before = literal(step.before[-160:]) or "…"
    st.caption(t("token-context", prompt=literal(step.prompt), before=before, step=step.index))
    st.markdown(last_product.verdict(seen))
    facts(
        [
            (t("token-splits"), n(seen.table.splits(seen.batch))),
            (t("token-chosen"), last_product.name(step, seen.now.first)),
            (t("token-margin"), n(seen.now.margin, "g")),
            (t("token-spacing"), n(seen.spacing, "g")),
        ]
    )
    told: dict[str, str | int] = {
        "batch": seen.batch,
        "first": last_product.name(step, seen.now.first),
        "margin": n(seen.now.margin, "g"),
    }
    chart(last_product.line_figure(seen), t("token-line-alt", **told), height=300, key="token-line")
    st.subheader(t("token-batches"), anchor=False)
    chart(last_product.batch_figure(seen), t("token-batches-alt"), height=300, key="token-batches")


def the_chance(base: Watched, recording: HeadRecording) -> None:
    """P(flip | margin): formula, Monte Carlo, recorded steps, and what is assumed."""
    st.header(t("token-chance"), anchor=False)
    st.markdown(t("token-chance-text"))
    kind, on_grid = CONTROLS.row("noise", "grid")
    if kind in ("gaussian", "uniform"):
        CONTROLS.row("size", "seed")
    else:
        CONTROLS.draw("seed")
    values = CONTROLS.values
    law = flip_chance.noise(kind, values["size"], recording)
    drawn = curve(kind, values["size"], on_grid, values["seed"])
    counted = flip_chance.observed(recording)
    bound = 2 * values["size"] if kind == "uniform" else None
    figure = flip_chance.flip_figure(drawn, counted, base.step.margin, bound)
    chart(figure, t("token-chance-alt"), height=360, key="token-chance")
    assumptions = (*law.assumptions, "any_margin", *(("phase",) if on_grid else ()))
    st.markdown(
        f"**{t('token-assumes')}**\n\n" + "\n".join(f"- {t(f'token-assumes-{key}')}" for key in assumptions)
    )
    count = len(recording.margins)
    st.markdown(
        t(
            "token-ties",
            steps=count,
            ties=int(recording.tied.sum()),
            expected=n(recording.expected_ties * count, ".0f"),
            flips=int(counted["flips"].sum()),
            pairs=count * len(recording.flips),
        )
    )
    table(flip_chance.flip_frame(drawn), "token", "flip-probability")


title("token")
with shown(InputError):
    recording = recorded()
    CONTROLS = Controls(
        "token",
        Choice("step", tuple(recording.steps), initial="flip3"),
        Number("batch", 8, 1, MAX_BATCH),
        Choice("reach", ("model", "product"), look="segments"),
        Text("table", "1:4,8:2", limit=200),
        Choice("arithmetic", ("tensor_core", "reduced_partials", "all_bf16")),
        Choice("noise", ("measured", "gaussian", "uniform")),
        Number("size", 0.06, 0.01, 0.5, 0.01),
        Toggle("grid", True),
        Number("seed", 0, 0, 10**6, look="field"),
    )
    CONTROLS.row("step", "reach")
    CONTROLS.row("table", "arithmetic")
    banner(recording.origin, live=False)
    values = CONTROLS.values
    with shown(InputError):
        base = watched(values["step"], values["reach"], values["table"], values["arithmetic"])
        the_step(base)
        table(last_product.frame(base), "token", "logits-by-batch")
        notice("token-notice-grid", "token-notice-tie", "token-notice-reach")
        usual = {"reach": "model", "arithmetic": "tensor_core", "table": "1:4,8:2"}
        CONTROLS.try_this(
            Try("token-try-tie", usual | {"step": "flip4", "batch": 8}),
            Try("token-try-product", usual | {"step": "flip3", "batch": 8, "reach": "product"}),
            Try(
                "token-try-partials",
                usual | {"step": "flip2", "batch": 16, "reach": "product", "arithmetic": "reduced_partials"},
            ),
            Try("token-try-clear", usual | {"step": "clear1", "batch": 8}),
        )
        the_chance(base, recording)
formula(
    (
        r"\ell_v = \operatorname{bf16}\Big(\sum_{s=1}^{S(M)} \sum_{k \in K_s} h_k\, w_{vk}\Big)",
        logits_by_batch,
    ),
    (r"S(M)", SplitTable.splits),
    (r"P(\text{flip} \mid m) = P(e_2 - e_1 > m)", flips.flip_probability),
    (r"P(\text{flip} \mid m) \text{ with both shapes rounded to a grid of spacing } \Delta", rounded_flip),
    (r"P(\text{tie}) = \max(0,\, 1 - |m| / \Delta)", flips.tie_probability),
    (r"\text{Monte Carlo}", simulate_rounded),
)
