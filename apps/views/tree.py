"""A tree of guesses, step by step: grown, verified in one pass, judged, and the cache compacted."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from apps import (
    speculative_run,
    stepping,
    tree_graph,
    tree_pass,
    tree_picture,
    tree_run,
    tree_sizes,
    tree_steps,
)
from apps.recordings import recording
from apps.registry import APPS, PAGES
from apps.speculative_run import Made
from apps.text import n, t
from apps.tree_steps import TreeMoment
from apps.widgets import Controls, Try, banner, chart, formula, link_to, notice, shown, table, title
from lab.decode.speculative.shapes import Dynamic, k_ary
from lab.decode.speculative.walks import MultiStep
from lab.models.branches import Branches

RECORD = "python -m lab record tree apps/recordings"
CONTEXT = 320  # characters of the text before a round


def picked() -> None:
    """Another recording is opened where it is most telling."""
    st.session_state.update(CONTROLS.keyed(**telling(CONTROLS.values["recording"])))


def telling(name: str) -> dict[str, int]:
    """The round to open a recording with, and its last step; nothing without the recording."""
    trace = recording(f"tree-{name}")
    if trace is None:
        return {}
    run = speculative_run.run_of(speculative_run.finished(trace).records)
    rounds = run.rounds(run.requests[0])
    at = tree_steps.most_telling(rounds)
    return {"round": at + 1, "step": len(tree_steps.moments(rounds[at]))}


CONTROLS = Controls(
    "tree", replace(tree_run.RECORDING, picked=picked), *tree_run.PARAMETERS, *stepping.PARAMETERS
)


def draw_run(made: Sequence[Made]) -> None:
    """The chosen moment of the chosen round."""
    opened = speculative_run.opened("tree", made)
    if opened is None:
        return
    run, request = opened
    rounds = run.rounds(request)
    texts = [token.text for token in run.tokens(request)]
    every = [tree_steps.moments(one, texts[one.start - 1]) for one in rounds]
    place = stepping.navigation(CONTROLS, list(map(len, every)), tree_steps.most_telling(rounds))
    moment = every[place.round][place.step]
    st.caption(t("round-context", text=before("".join(texts[: moment.round.start]))))
    st.html(tree_picture.phases_html(moment))
    st.markdown(tree_steps.told(moment))
    the_tree(moment)
    the_pass(moment)
    st.subheader(t("tree-cache-title"), anchor=False)
    st.html(tree_picture.caches_html(moment))
    st.caption(t("tree-cache-legend"))


def before(written: str) -> str:
    """The end of the text before a round."""
    text = speculative_run.literal(written[-CONTEXT:])
    return f"…{text}" if len(written) > CONTEXT else text


def the_tree(moment: TreeMoment) -> None:
    """The graph, and the same as a table."""
    one = moment.round
    figure, height = tree_graph.graph(moment)
    alt = t(
        "tree-graph-alt",
        round=one.round + 1,
        nodes=len(moment.nodes),
        levels=moment.grown,
        accepted=len(moment.path),
    )
    with st.container(key="tree-graph"):
        chart(figure, alt, height=height, key="tree-graph-chart")
    st.html(tree_picture.table_html(moment))
    st.caption(t("tree-legend"))


def the_pass(moment: TreeMoment) -> None:
    """Mask and positions of the pass over the nodes that have grown."""
    st.subheader(t("tree-pass-title"), anchor=False)
    st.markdown(t("tree-pass-text"))
    figure, height = tree_pass.figure(moment)
    first = moment.round.target_cache.before
    alt = t("tree-pass-alt", places=len(moment.nodes) + 1, first=first, last=first + moment.grown)
    with st.container(key="tree-mask"):
        chart(figure, alt, height=height, key="tree-mask-chart")
    st.caption(t("tree-mask-legend"))


def the_sizes() -> None:
    """Tokens a pass against nodes, and what the pass costs, as they were recorded."""
    st.header(t("tree-sizes-title"), anchor=False)
    trace = recording("tree-sizes")
    if trace is None:
        st.info(t("tree-sizes-none"))
        st.code(RECORD, language="bash")
        return
    found, v = tree_sizes.sizes(trace.records), tree_sizes.times(trace.records)
    best = max(found, key=lambda size: size.tokens)
    settings = trace.info.settings
    same = "yes" if all(size.same for size in found) else "no"
    banner(trace.info, live=False)
    st.markdown(t("tree-sizes-text", draft=settings["drafter"], prompts=len(settings["prompts"]), same=same))
    alt = t("tree-sizes-alt", tokens=n(best.tokens, ".2f"), nodes=n(best.nodes, ".0f"))
    chart(tree_sizes.tokens_figure(found), alt, key="tree-sizes-chart")
    if v:
        st.subheader(t("tree-times-title"), anchor=False)
        st.markdown(t("tree-times-text"))
        alt = t("tree-times-alt", v=n(v[-1], ".1f"))
        chart(tree_sizes.times_figure(v, found), alt, key="tree-times-chart")
    with st.expander(t("tree-sizes-table"), icon=":material/table:"):
        st.code(RECORD, language="bash")
        table(tree_sizes.frame(found, v), "tree", "tree-sizes")


def the_run() -> None:
    """One run, and what is kept of it."""
    with shown():
        seen = speculative_run.shown_as(
            CONTROLS,
            draw_run,
            tree_run.settings,
            tree_run.draw_controls,
            "tree",
            speculative_run.finished,
        )
        if seen:
            frame = tree_steps.frame(seen[0].rounds(seen[0].requests[0]))
            speculative_run.kept(*seen, frame, CONTROLS, "trees")


st.html(APPS / "style" / "speculation.css")
st.html(APPS / "style" / "tree.css")
title("tree")
the_run()
the_sizes()
notice("tree-notice-second", "tree-notice-mask", "tree-notice-compact", "tree-notice-cost")
CONTROLS.try_this(
    Try("tree-try-dynamic", {"recording": "dynamic", **telling("dynamic")}),
    Try("tree-try-sampled", {"recording": "sampled", **telling("sampled")}),
    Try("tree-try-large", {"run-shape": "k-ary", "run-gamma": 5, "run-width": 5}),
)
formula(
    (r"i \text{ sees } j \iff j \in \mathrm{text} \cup \mathrm{path}(i)", Branches.hidden),
    (r"\mathrm{position}(i) = \mathrm{base} + \mathrm{depth}(i)", Branches.positions),
    (
        r"u < \frac{p(x)}{q(x)}, \qquad p \leftarrow \frac{\max(0,\, p - q)}{\sum \max(0,\, p - q)}",
        MultiStep,
    ),
    (r"|T| = \sum_{i} \prod_{j \le i} w_j", k_ary),
    (r"\mathrm{value}(i) = \prod_{j \in \mathrm{path}(i)} c_j", Dynamic.kept),
)
st.caption(t("tree-to-round"))
link_to(next(page for page in PAGES if page.id == "round"))
