"""The paper's tables and this machine's, filtered, with what Theorem 3.8 gives today; tables and pictures.

The figures are those of `sims.leviathan`; the recording is read by `apps.measured`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd  # type: ignore[import-untyped]
import plotly.graph_objects as go

from apps.text import t
from apps.text.catalogue import isolated
from apps.widgets import AGREE
from lab.round_records import MeasureRecord
from sims.leviathan import (
    LENIENCES,
    LENIENT,
    LENIENT_GREEDY,
    TABLE_1,
    TABLE_3,
    TABLES_2_AND_4,
    Acceptance,
    Measured,
)
from sims.speedup import operations_factor, speedup

ALL = "all"
TASKS = tuple(dict.fromkeys(row.task for row in TABLE_3))
DRAFTS = tuple(dict.fromkeys(row.draft for row in TABLE_3))
TEMPERATURES = ("0", "1")
GREY = "#808080"
COLOURS = (AGREE, "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "cross", "star")


@dataclass(frozen=True)
class Filter:
    """What is shown of the paper: each a value, or `ALL`."""

    task: str = ALL
    draft: str = ALL
    temperature: str = ALL

    def takes(self, row: Measured | Acceptance) -> bool:
        return self.task in (ALL, row.task) and self.draft in (ALL, row.draft)

    @property
    def temperatures(self) -> tuple[str, ...]:
        return TEMPERATURES if self.temperature == ALL else (self.temperature,)

    def speedups(self) -> list[Measured]:
        """Rows of Tables 2 and 4."""
        return [
            row for row in TABLES_2_AND_4 if self.takes(row) and str(row.temperature) in self.temperatures
        ]

    def acceptances(self) -> list[Acceptance]:
        """Rows of Table 3."""
        return [row for row in TABLE_3 if self.takes(row)]


def expected(row: Measured) -> float:
    """Theorem 3.8 at the printed α, γ and c."""
    return speedup(row.alpha, row.gamma, row.c)


def speedups_frame(rows: Sequence[Measured]) -> pd.DataFrame:
    """Tables 2 and 4: what is printed, what the theorem gives, what was measured."""
    return pd.DataFrame(
        [
            {
                "task": row.task,
                "draft": f"{row.draft} {row.draft_millions}M",
                "temperature": row.temperature,
                "gamma": row.gamma,
                "alpha": row.alpha,
                "c": row.c,
                "recomputed": round(expected(row), 2),
                "printed": row.expected,
                "measured": row.measured,
                "ratio": round(row.measured / expected(row), 2),
            }
            for row in rows
        ]
    )


def acceptances_frame(shown: Filter) -> pd.DataFrame:
    """Table 3, one column a temperature."""
    return pd.DataFrame(
        [
            {"target": row.target, "task": row.task, "draft": row.draft}
            | {f"alpha_t{at}": _alpha(row, at) for at in shown.temperatures}
            for row in shown.acceptances()
        ]
    )


def operations_frame() -> pd.DataFrame:
    """Table 1, printed beside recomputed."""
    return pd.DataFrame(
        [
            {
                "alpha": row.alpha,
                "gamma": row.gamma,
                "operations_printed": row.operations,
                "operations": round(operations_factor(row.alpha, row.gamma, 0), 3),
                "speedup_printed": row.speedup,
                "speedup": round(speedup(row.alpha, row.gamma, 0), 3),
            }
            for row in TABLE_1
        ]
    )


def lenience_frame() -> pd.DataFrame:
    """Appendix A.5: α, one column a lenience."""
    return pd.DataFrame(
        [
            {"draft": row.draft, "temperature": row.temperature}
            | {f"l={lenience:g}": alpha for lenience, alpha in zip(LENIENCES, row.alphas, strict=True)}
            for row in LENIENT
        ]
    )


def lenient_speedups_frame() -> pd.DataFrame:
    """The row at temperature 0 again: what is printed as expected beside what the theorem gives."""
    gamma, c, printed = LENIENT_GREEDY
    alphas = LENIENT[-1].alphas
    return pd.DataFrame(
        {
            "lenience": LENIENCES,
            "alpha": alphas,
            "distance": [round(alpha - alphas[0], 2) for alpha in alphas],
            "recomputed": [round(speedup(alpha, gamma, c), 2) for alpha in alphas],
            "printed": printed,
        }
    )


def own_frame(runs: Sequence[MeasureRecord]) -> pd.DataFrame:
    """The same table from this machine: three predictions beside the wall time and its quartiles."""
    return pd.DataFrame(
        [
            {
                "kind": run.kind,
                "draft": run.draft,
                "temperature": run.temperature,
                "batch": run.batch,
                "gamma": run.gamma,
                "alpha": run.alpha,
                "alpha_error": run.alpha_error,
                "c": run.c,
                "v": run.v,
                "tokens": run.tokens_per_pass,
                "recomputed": run.predicted,
                "with_v": run.predicted_v,
                "by_position": run.predicted_by_position,
                "measured": run.speedup,
                "low": run.speedup_low,
                "high": run.speedup_high,
                "ratio": run.speedup / run.predicted_v,
            }
            for run in runs
        ]
    ).round(3)


def speedups_figure(rows: Sequence[Measured]) -> go.Figure:
    """Expected (x) against measured (y); on the line the theorem is right.

    Symbol: draft; colour: task; open at T = 1.
    """
    figure = go.Figure()
    top = 1.1 * max([1.0, *(max(expected(row), row.measured) for row in rows)])
    _diagonal(figure, top)
    symbols = dict(zip(dict.fromkeys(row.draft for row in TABLES_2_AND_4), SYMBOLS, strict=False))
    colours = dict(zip(dict.fromkeys(row.task for row in TABLES_2_AND_4), COLOURS, strict=False))
    for row in rows:
        figure.add_scatter(
            x=[expected(row)],
            y=[row.measured],
            mode="markers",
            marker={
                "color": colours[row.task],
                "symbol": symbols[row.draft] + ("-open" if row.temperature else ""),
                "size": 12,
                "line": {"width": 2, "color": colours[row.task]},
            },
            hovertemplate=(
                f"{row.draft}, {row.task}, T={row.temperature}<br>γ={row.gamma}, α={row.alpha}, c={row.c}<br>"
                "%{x:.2f}× → %{y:.1f}×<extra></extra>"
            ),
            showlegend=False,
        )
    seen = {row.draft: GREY for row in rows}, {row.task: colours[row.task] for row in rows}
    for names in seen:
        for name, colour in names.items():
            marker = {"color": colour, "symbol": symbols.get(name, "square"), "size": 11}
            figure.add_scatter(x=[None], y=[None], mode="markers", name=name, marker=marker)
    return _square(figure, top)


def own_figure(runs: Sequence[MeasureRecord]) -> go.Figure:
    """Each run twice: Theorem 3.8 (open), and with the measured v (filled), against the measured speedup."""
    figure = go.Figure()
    top = 1.1 * max([1.0, *(max(run.predicted, run.predicted_v, run.speedup_high) for run in runs)])
    _diagonal(figure, top)
    for at, draft in enumerate(dict.fromkeys(run.draft for run in runs)):
        own = [run for run in runs if run.draft == draft]
        colour, symbol = COLOURS[at % len(COLOURS)], SYMBOLS[at % len(SYMBOLS)]
        said = [f"{run.kind}, T={run.temperature:g}, γ={run.gamma}" for run in own]
        hover = "%{text}: %{x:.2f}× → %{y:.2f}×<extra></extra>"
        figure.add_scatter(
            x=[run.predicted for run in own],
            y=[run.speedup for run in own],
            name=t("paper-results-point-theorem", draft=draft),
            mode="markers",
            marker={"color": colour, "symbol": f"{symbol}-open", "size": 9, "line": {"width": 1.5}},
            text=said,
            hovertemplate=hover,
        )
        figure.add_scatter(
            x=[run.predicted_v for run in own],
            y=[run.speedup for run in own],
            error_y={
                "array": [run.speedup_high - run.speedup for run in own],
                "arrayminus": [run.speedup - run.speedup_low for run in own],
                "width": 3,
                "thickness": 1,
            },
            name=t("paper-results-point-with-v", draft=draft),
            mode="markers",
            marker={"color": colour, "symbol": symbol, "size": 9},
            text=said,
            hovertemplate=hover,
        )
    return _square(figure, top)


def acceptances_figure(shown: Filter) -> go.Figure:
    """α of each draft, one row each; filled at T = 0, open at T = 1."""
    rows = list(reversed(shown.acceptances()))
    names = [isolated(f"{row.draft} · {row.task}") for row in rows]
    figure = go.Figure()
    for at in shown.temperatures:
        figure.add_scatter(
            x=[_alpha(row, at) for row in rows],
            y=names,
            name=f"T = {at}",
            mode="markers",
            marker={
                "color": AGREE,
                "symbol": "circle" if at == "0" else "circle-open",
                "size": 10,
                "line": {"width": 2},
            },
            hovertemplate="%{y}: α=%{x:.2f}<extra></extra>",
        )
    figure.update_layout(showlegend=True)
    figure.update_xaxes(title="α", range=[0, 1])
    return figure


def _alpha(row: Acceptance, temperature: str) -> float:
    return row.alpha_t0 if temperature == "0" else row.alpha_t1


def _diagonal(figure: go.Figure, top: float) -> None:
    figure.add_scatter(
        x=[0, top],
        y=[0, top],
        mode="lines",
        line={"color": GREY, "dash": "dash", "width": 1},
        name=t("paper-results-diagonal"),
        hoverinfo="skip",
    )


def _square(figure: go.Figure, top: float) -> go.Figure:
    figure.update_xaxes(title=t("paper-results-axis-expected"), range=[0.8, top], ticksuffix="×")
    figure.update_yaxes(title=t("paper-results-axis-measured"), range=[0.8, top], ticksuffix="×")
    return figure
