"""Pictures of the page of the gate: two lanes a prompt, rates against τ, policies against τ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from apps.gating import FATES, Step, visible
from apps.text import t
from apps.text.catalogue import isolated
from apps.widgets import AGREE, FLIP_MARKER
from lab.decode.margingate.calibrate import Caught, Observed
from lab.records import PairRecord, StrategyRecord

MOST_ROWS = 16  # prompts in the picture; the table has all
ROW = 54  # px of a prompt's two lanes and its name
INSPECTION = 0.42  # of a row, below its fast lane
GREEN, RED, GREY = "#009E73", "#D55E00", "#8A9097"
MARKERS: dict[str, dict[str, Any]] = {
    "passed": {"color": AGREE, "symbol": "circle", "size": 5},
    "flagged": {"color": AGREE, "symbol": "circle-open", "size": 8, "line": {"color": AGREE, "width": 1.5}},
    "confirmed": {"color": GREEN, "symbol": "square", "size": 7},
    "repaired": FLIP_MARKER,
    "missed": {"color": RED, "symbol": "x", "size": 11, "line": {"color": "#7A2E00", "width": 1}},
}
FADED = 0.3


def lanes_figure(steps: Sequence[Step], picked: PairRecord) -> go.Figure:
    """Each prompt's fast lane above its inspection lane; a flagged step has a mark in both.

    What follows a missed flip is faded. `customdata` of a mark begins with its prompt and step.
    """
    rows = {request: at for at, request in enumerate(requests(steps))}
    shown = [step for step in steps if step.request in rows]
    last = max(step.pair.index for step in shown)
    figure = go.Figure()
    _grounds(figure, rows, last)
    flagged = [step for step in shown if step.flagged]
    _connectors(figure, flagged, rows)
    for name in ("passed", "flagged", *FATES[1:]):
        own = flagged if name == "flagged" else [step for step in shown if step.fate == name]
        low = INSPECTION if name in ("confirmed", "repaired") else 0.0
        _marks(figure, name, [s for s in own if not s.left], rows, low, faded=False)
        _marks(figure, name, [s for s in own if s.left], rows, low, faded=True)
    if picked.alone.request in rows:
        figure.add_scatter(
            x=[picked.index],
            y=[rows[picked.alone.request] + INSPECTION / 2],
            mode="markers",
            marker={
                "symbol": "square-open",
                "size": 26,
                "color": GREY,
                "line": {"color": GREY, "width": 2},
            },
            hoverinfo="skip",
            showlegend=False,
        )
    figure.update_xaxes(title=t("gate-axis-step"), range=[-1, last + 1], showgrid=False, zeroline=False)
    figure.update_yaxes(range=[len(rows) - 0.3, -0.55], visible=False)
    return figure


def requests(steps: Sequence[Step]) -> list[str]:
    """The prompts in the picture."""
    return list(dict.fromkeys(step.request for step in steps))[:MOST_ROWS]


def height(steps: Sequence[Step]) -> int:
    return 110 + ROW * len(requests(steps))


def _grounds(figure: go.Figure, rows: dict[str, int], last: int) -> None:
    """The line of each lane, and each prompt's name above its two."""
    for low, dash in ((0.0, "solid"), (INSPECTION, "dot")):
        figure.add_scatter(
            x=[-0.5, last + 0.5, None] * len(rows),
            y=[y for row in rows.values() for y in (row + low, row + low, None)],
            mode="lines",
            line={"color": GREY, "width": 1, "dash": dash},
            opacity=0.45,
            hoverinfo="skip",
            showlegend=False,
        )
    figure.add_scatter(
        x=[-0.5] * len(rows),
        y=[row - 0.27 for row in rows.values()],
        mode="text",
        text=[isolated(request) for request in rows],
        textposition="middle right",
        hoverinfo="skip",
        showlegend=False,
    )


def _connectors(figure: go.Figure, flagged: Sequence[Step], rows: dict[str, int]) -> None:
    for faded in (False, True):
        x: list[float | None] = []
        y: list[float | None] = []
        for step in flagged:
            if step.left == faded:
                row = rows[step.request]
                x += [step.pair.index, step.pair.index, None]
                y += [row + 0.07, row + INSPECTION, None]
        if x:
            figure.add_scatter(
                x=x,
                y=y,
                mode="lines",
                line={"color": AGREE, "width": 1},
                opacity=FADED if faded else 0.7,
                hoverinfo="skip",
                showlegend=False,
            )


def _marks(
    figure: go.Figure, name: str, steps: Sequence[Step], rows: dict[str, int], low: float, *, faded: bool
) -> None:
    if not steps:
        return
    figure.add_scatter(
        x=[step.pair.index for step in steps],
        y=[rows[step.request] + low for step in steps],
        mode="markers",
        marker=MARKERS[name],
        opacity=FADED if faded else 1,
        # A click selects a point; the others stay as they are.
        unselected={"marker": {"opacity": FADED if faded else 1}},
        name=t(f"gate-mark-{name}"),
        legendgroup=name,
        showlegend=not faded,
        customdata=[_told(step) for step in steps],
        hovertemplate=t("gate-hover", **{k: f"%{{customdata[{at}]}}" for at, k in enumerate(TOLD)})
        + "<extra></extra>",
    )


TOLD = ("request", "step", "fast", "reference", "margin")


def _told(step: Step) -> list[str | int]:
    """What a mark tells on hover, in the order of TOLD; its first two are what a click chooses."""
    pair = step.pair
    margin = f"{pair.beside.margin:.3g}"
    return [step.request, pair.index, visible(pair.beside), visible(pair.alone), margin]


def clicked(event: Any) -> tuple[str, int] | None:
    """The prompt and step of the mark that a reader has chosen in the lanes."""
    points = event.selection.points if event else []
    data = next((point["customdata"] for point in points if point.get("customdata")), None)
    return (str(data[0]), int(data[1])) if data else None


def rates_figure(curve: Sequence[Caught], seen: Observed, tau: float) -> go.Figure:
    """Catch rate and trigger rate against τ, the flips' own margins, and three τ worth comparing."""
    figure = go.Figure()
    taus = [one.tau for one in curve]
    styles = (
        ("caught", [100 * one.catch_rate for one in curve], AGREE, "solid"),
        ("triggered", [100 * one.trigger_rate for one in curve], RED, "dash"),
    )
    for name, rates, color, dash in styles:
        figure.add_scatter(
            x=taus,
            y=rates,
            mode="lines",
            line={"color": color, "dash": dash, "width": 2.5, "shape": "hv"},
            name=t(f"gate-line-{name}"),
            hovertemplate="τ %{x:.4g}: %{y:.1f} %<extra></extra>",
        )
    margins = [m for m, flip in zip(seen.margins, seen.flipped, strict=True) if flip]
    figure.add_scatter(
        x=margins,
        y=[3] * len(margins),
        mode="markers",
        marker=FLIP_MARKER,
        name=t("gate-line-flips"),
        hovertemplate="%{x:.4g}<extra></extra>",
    )
    for value, dash, label in (
        (tau, "solid", t("gate-line-tau")),
        (seen.catching, "dot", t("gate-line-catching")),
        (seen.start, "dashdot", "2ε"),
    ):
        figure.add_scatter(
            x=[value, value],
            y=[-3, 106],
            mode="lines",
            line={"color": GREY, "width": 2, "dash": dash},
            name=label,
            hovertemplate="%{x:.4g}<extra></extra>",
        )
    figure.update_xaxes(title="τ", range=[-0.03, taus[-1]], zeroline=False)
    figure.update_yaxes(title=t("gate-axis-share"), range=[-3, 106], ticksuffix=" %", zeroline=False)
    return figure


POLICIES = {
    "replay": {"color": GREEN, "dash": "solid", "symbol": "square"},
    "margingate-step-reference": {"color": AGREE, "dash": "dash", "symbol": "circle"},
    "margingate-mismatch-reference": {"color": "#56B4E9", "dash": "longdash", "symbol": "diamond"},
    "margingate-step": {"color": GREY, "dash": "longdashdot", "symbol": "star"},
    "margingate-flagged": {"color": "#CC79A7", "dash": "dashdot", "symbol": "triangle-up"},
    "margingate-mismatch": {"color": RED, "dash": "dot", "symbol": "x"},
}


def policies_figure(records: Sequence[StrategyRecord]) -> go.Figure:
    """Per cent of sequences equal to the reference against τ, one line a policy."""
    figure = go.Figure()
    flagged = t("gate-hover-flagged") + " %{customdata[0]:.1f} %<extra></extra>"
    for name, style in POLICIES.items():
        own = sorted((r for r in records if r.strategy == name), key=lambda r: r.tau or 0.0)
        if own:
            figure.add_scatter(
                x=[r.tau for r in own],
                y=[100 * sum(r.equal) / len(r.equal) for r in own],
                mode="lines+markers",
                line={"color": style["color"], "dash": style["dash"], "width": 2.5},
                marker={"symbol": style["symbol"], "size": 9, "color": style["color"]},
                name=t(f"gate-line-{name}"),
                customdata=[[100 * r.asked_rows / r.rows] for r in own],
                hovertemplate="τ %{x:.4g}: %{y:.1f} %<br>" + flagged,
            )
    figure.update_xaxes(title="τ")
    figure.update_yaxes(title=t("gate-axis-equal"), range=[0, 106], ticksuffix=" %", zeroline=False)
    return figure
