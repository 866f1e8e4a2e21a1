"""What α, γ and c buy: speedups by formula, by roofline, by simulation, beside measured runs."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd  # type: ignore[import-untyped]
import streamlit as st

from apps import gains
from apps import speedup_pictures as pictures
from apps.gains import Setting
from apps.measured import RECORD, recorded
from apps.text import n, t
from apps.widgets import Choice, Controls, Number, Try, banner, chart, facts, formula, notice, table, title
from apps.widgets.errors import shown
from sims import rounds as process
from sims.acceptance import lenient_overlap
from sims.errors import InputError
from sims.leviathan import LENIENCES, LENIENT, SOURCE
from sims.roofline import expected_experts, pass_time
from sims.rounds import simulate, simulate_streaks
from sims.speedup import (
    expected_tokens,
    expected_tokens_by_position,
    operations_factor,
    oracle_speedup,
    speedup,
    speedups,
    weight_bytes_per_token,
)

VIEWS = ("map", "price", "simulation", "lenience")
PROCESSES = ("independent", "position", "streaks")
DRAFTS = {f"{row.draft}-t{row.temperature}": row for row in LENIENT}
BLOCKS = 100  # of simulated rounds: neighbouring rounds may be correlated, the means of blocks hardly are
measured = recorded()


def take_device() -> None:
    """Set the roofline by the device that was just picked."""
    device = gains.DEVICES[CONTROLS.values["device"]]
    st.session_state.update(
        CONTROLS.keyed(
            bandwidth=device.bandwidth,
            peak=device.peak,
            billions=device.billions,
            bytes=device.bytes_each,
            experts="dense",
        )
    )


def take_runs() -> None:
    """Set α, c, γ and the dial by the measured runs that were just picked."""
    picked = CONTROLS.values["runs"]
    if measured and picked in measured.series:
        run = measured.series[picked].fastest
        st.session_state.update(
            CONTROLS.keyed(
                alpha=round(run.alpha or 0.0, 2),
                gamma=min(run.gamma, gains.SHOWN),
                c=round(min(run.c, 1.0), 3),
                dial="machine",
                **{"machine-batch": str(run.batch)},
            )
        )


CONTROLS = Controls(
    "speedup",
    Choice("runs", ("fastest", *(measured.series if measured else ())), picked=take_runs),
    Number("alpha", 0.8, 0.0, 1.0, 0.01),
    Number("gamma", 4, 0, gains.SHOWN),
    Number("c", 0.05, 0.0, 1.0, 0.005, format="%.3f"),
    Choice("dial", gains.DIALS, look="segments"),
    Choice("machine-batch", tuple(map(str, measured.curves)) if measured and measured.curves else ("1",)),
    Choice("device", tuple(gains.DEVICES), picked=take_device),
    Number("batch", 1, 1, 512),
    Number("bandwidth", 4800.0, 1.0, 20000.0, 1.0, look="field", format="%.6g"),
    Number("peak", 989.0, 0.01, 10000.0, 1.0, look="field", format="%.6g"),
    Number("billions", 7.0, 0.01, 2000.0, 0.1, look="field", format="%.6g"),
    Choice("bytes", ("1", "2", "4"), initial="2"),
    Choice("experts", tuple(gains.EXPERTS)),
    Number("cache", 0.0, 0.0, 100000.0, 100.0, look="field", format="%.6g"),
    Choice("show", VIEWS, look="segments"),
    Number("size", 0.05, 0.0, 1.0, 0.005, format="%.3f"),
    Choice("process", PROCESSES, look="segments"),
    Number("rounds", 10_000, 1_000, 1_000_000, 1_000),
    Number("seed", 0, 0, 10**6, look="field"),
    Number("slope", -0.04, -0.1, 0.1, 0.01),
    Number("stay", 0.6, 0.0, 1.0, 0.01),
    Choice("lenient", tuple(DRAFTS), initial="T5-small-t1"),
)


def dials() -> Setting:
    """The controls of α, γ, c and v, and what they say."""
    if measured and measured.series:
        CONTROLS.draw("runs")
    CONTROLS.row("alpha", "gamma", "c")
    dial = CONTROLS.draw("dial")
    if dial == "roofline":
        CONTROLS.row("device", "batch")
        with st.expander(t("speedup-roofline"), icon=":material/tune:"):
            CONTROLS.row("bandwidth", "peak")
            CONTROLS.row("billions", "bytes")
            CONTROLS.row("experts", "cache")
            st.caption(t("speedup-roofline-note"))
        st.caption(gains.roofline_told(CONTROLS.values))
    elif dial == "machine":
        if measured and measured.curves:
            if len(measured.curves) > 1:
                CONTROLS.draw("machine-batch")
            banner(measured.info, live=False)
        else:
            st.info(t("speedup-no-recording"))
            st.code(RECORD, language="bash", wrap_lines=True)
    at = gains.setting(CONTROLS.values, measured)
    if at.gamma < CONTROLS.values["gamma"]:
        st.caption(t("speedup-cut", last=n(at.gamma, "d")))
    return at


def points(chosen: str) -> list[Any]:
    """The runs in the chart: all γs of the chosen series, or the fastest of each."""
    if not measured:
        return []
    if chosen in measured.series:
        return list(measured.series[chosen].runs)
    return [series.fastest for series in measured.series.values()]


def maps(at: Setting) -> None:
    st.caption(t("speedup-map-note", paper=f"[Leviathan et al.]({SOURCE})"))
    gain, best = pictures.map_figures(at, list(measured.series.values()) if measured else [])
    left, right = st.columns(2)
    with left:
        st.markdown(f"**{t('speedup-map-gain')}**")
        chart(gain, t("speedup-map-gain-alt"), height=400, key="speedup-map-gain")
    with right:
        st.markdown(f"**{t('speedup-map-best')}**")
        chart(best, t("speedup-map-best-alt"), height=400, key="speedup-map-best")


def price(at: Setting) -> None:
    size = CONTROLS.draw("size")
    told = {
        "gamma": n(at.gamma, "d"),
        "operations": n(operations_factor(at.alpha, at.gamma, size), ".2f"),
        "reads": n(100 * weight_bytes_per_token(at.alpha, at.gamma, 1.0, size), ".0f"),
        "verified": n(at.gamma + 1, "d"),
        "wasted": n(at.gamma + 1 - at.tokens(at.gamma), ".2f"),
    }
    st.markdown(t("speedup-price-told", **told))
    chart(pictures.price_figure(at, size), t("speedup-price-alt"), height=340, key="speedup-price")


def simulation(at: Setting) -> None:
    kind = CONTROLS.draw("process")
    count, seed = CONTROLS.row("rounds", "seed")
    if kind == "position":
        slope = CONTROLS.draw("slope")
        chances = [min(1.0, max(0.0, at.alpha + slope * place)) for place in range(at.gamma)]
        drawn = simulate(chances, count, seed)
    elif kind == "streaks":
        stay = CONTROLS.draw("stay")
        chances = process.streak_conditional(at.alpha, stay, at.gamma)
        drawn = simulate_streaks(at.alpha, stay, at.gamma, count, seed)
    else:
        chances = [at.alpha] * at.gamma
        drawn = simulate(chances, count, seed)
    simulated(at, kind, drawn, chances)


def simulated(at: Setting, kind: str, drawn: process.Rounds, chances: Sequence[float]) -> None:
    """Simulated rounds beside the formula that belongs to them, and beside Eq. 1."""
    blocks = drawn.tokens[: len(drawn.tokens) // BLOCKS * BLOCKS].reshape(BLOCKS, -1).mean(axis=1)
    mean, error = drawn.tokens.mean(), blocks.std() / np.sqrt(BLOCKS - 1)
    by_position = expected_tokens_by_position(chances)
    st.markdown(t(f"speedup-process-{kind}-told", gap=n(by_position - at.tokens(at.gamma), "+.2f")))
    facts(
        [
            (t("speedup-fact-simulated"), f"{mean:.3f} ± {2 * error:.3f}"),
            (t("speedup-fact-by-position"), f"{by_position:.3f}"),
            (t("speedup-fact-equation"), f"{at.tokens(at.gamma):.3f}"),
            (t("speedup-fact-simulated-gain"), f"{mean / at.cost(at.gamma):.2f}×"),
            (t("speedup-fact-ratio"), f"{drawn.accepted_per_draft:.3f}" if at.gamma else "—"),
        ]
    )
    left, right = st.columns(2)
    with left:
        st.markdown(f"**{t('speedup-rounds-title')}**")
        figure = pictures.rounds_figure(drawn, chances)
        chart(figure, t("speedup-rounds-alt"), height=320, key="speedup-rounds-chart")
    if at.gamma:
        with right:
            st.markdown(f"**{t('speedup-positions-title')}**")
            figure = pictures.positions_figure(drawn, at.alpha)
            chart(figure, t("speedup-positions-alt"), height=320, key="speedup-positions")


def lenience(at: Setting) -> None:
    st.warning(t("speedup-lenience-approximate"), icon=":material/warning:")
    row = DRAFTS[CONTROLS.draw("lenient")]
    st.caption(t("speedup-lenience-note", paper=f"[Leviathan et al.]({SOURCE})"))
    alphas, best = pictures.lenience_figures(row, at)
    left, right = st.columns(2)
    with left:
        st.markdown(f"**{t('speedup-lenience-alphas')}**")
        chart(alphas, t("speedup-lenience-alphas-alt"), height=320, key="speedup-lenient-alphas")
    with right:
        st.markdown(f"**{t('speedup-lenience-gains')}**")
        chart(best, t("speedup-lenience-gains-alt"), height=320, key="speedup-lenient-gains")
    found = speedups(row.alphas, [at.c], at.v)[:, 0, :]
    frame = pd.DataFrame(
        {
            "lenience": LENIENCES,
            "alpha": row.alphas,
            "distance": [alpha - row.alphas[0] for alpha in row.alphas],
            "gamma": found.argmax(axis=1),
            "speedup": found.max(axis=1),
        }
    )
    table(frame, "speedup", "lenience")


OWN = {
    "machine": ("machine-batch",) if measured and len(measured.curves) > 1 else (),
    "roofline": ("device", "batch", "bandwidth", "peak", "billions", "bytes", "experts", "cache"),
    "price": ("size",),
    "simulation": ("process", "rounds", "seed"),
    "simulation-position": ("slope",),
    "simulation-streaks": ("stay",),
    "lenience": ("lenient",),
}
"""The controls that a dial or a view shows beside the common ones."""
SHOW: dict[str, Callable[[Setting], None]] = {
    "map": maps,
    "price": price,
    "simulation": simulation,
    "lenience": lenience,
}


def unseen() -> None:
    """Draw what this dial and this view do not show out of sight.

    Streamlit forgets a widget that a run does not draw, and a preset could not write it into the address.
    """
    values = CONTROLS.values
    seen = {"runs", "alpha", "gamma", "c", "dial", "show", *OWN.get(values["dial"], ())}
    seen |= {*OWN.get(values["show"], ()), *OWN.get(f"{values['show']}-{values['process']}", ())}
    with st.container(key="address-speedup-unseen"):
        for name in CONTROLS.parameters:
            if name not in seen:
                CONTROLS.draw(name)


@st.fragment
def experiment() -> None:
    """Everything that follows the dials."""
    with shown(InputError):
        at = dials()
        st.markdown(" ".join(gains.verdict(at)))
        left, right = st.columns([3, 2])
        with left:
            figure = pictures.gain_figure(at, points(CONTROLS.values["runs"]))
            chart(figure, t("speedup-gain-alt"), height=400, key="speedup-gain")
        with right:
            chart(pictures.balance_figure(at), t("speedup-balance-alt"), height=400, key="speedup-balance")
        facts(gains.figures(at))
        SHOW[CONTROLS.draw("show")](at)
        unseen()
        with st.expander(t("speedup-table"), icon=":material/table:"):
            table(gains.frame(at, CONTROLS.values["size"]), "speedup", "speedup-by-gamma")


title("speedup")
experiment()
notice("speedup-notice-bonus", "speedup-notice-best", "speedup-notice-batch", "speedup-notice-price")
PLAIN: dict[str, Any] = {"dial": "paper", "show": "map"}
CONTROLS.try_this(
    Try("speedup-try-random", PLAIN | {"alpha": 0.02, "gamma": 4, "c": 0.05}),
    Try("speedup-try-large", PLAIN | {"alpha": 0.7, "gamma": 4, "c": 0.8}),
    Try(
        "speedup-try-batch",
        {
            "dial": "roofline",
            "device": "cpu",
            "batch": 32,
            "bandwidth": 20.0,
            "peak": 0.15,
            "billions": 0.135,
            "bytes": "4",
            "experts": "dense",
            "cache": 0.0,
            "alpha": 0.8,
            "gamma": 4,
            "c": 0.05,
        },
    ),
    Try(
        "speedup-try-streaks",
        {"show": "simulation", "process": "streaks", "stay": 0.8, "alpha": 0.6, "gamma": 8},
    ),
)
formula(
    (r"E = \frac{1 - \alpha^{\gamma+1}}{1 - \alpha}", expected_tokens),
    (r"\text{speedup} = \frac{E}{\gamma c + v}", speedup),
    (r"\text{operations} = \frac{\gamma \hat c + \gamma + 1}{E}", operations_factor),
    (r"\text{oracle} = \frac{1}{1 - \alpha + c\alpha}", oracle_speedup),
    (r"T(B, n) = \max\Big(\frac{\text{bytes}}{BW}, \frac{2PBn}{F}\Big) + \frac{B \cdot KV}{BW}", pass_time),
    (r"N\big(1 - (1 - k/N)^t\big)", expected_experts),
    (r"\alpha(l) = \sum_x \min\big(p(x)/l,\ q(x)\big)", lenient_overlap),
    (r"\Pr[n \text{ accepted}] \text{ by one uniform}", simulate),
)
