"""The pictures of the flip study: heat map, one cell's steps, N(Δ), K/V by layer, attribution.

Plain functions that make figures and HTML of FlipRecords; `apps.flip_study` counts. Nothing here draws.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

import plotly.graph_objects as go

from apps.flip_study import (
    Count,
    Counting,
    Parted,
    batches,
    by_layer,
    count,
    flipped,
    names,
    near_means,
    of,
)
from apps.text import n, t
from apps.text.catalogue import isolated
from apps.widgets import AGREE, AGREE_MARKER, FLIP, FLIP_MARKER
from apps.widgets.tokens import VISIBLE
from lab.decode.margingate.flips import NEAR
from lab.records import FlipRecord

ROW_PIXELS = 24
MARGIN_TOP = 3.0  # of a cell's chart: the margins that matter are small; larger ones run out of the picture
VERMILION = "#D55E00"
# From "no flip" to the strongest; a flip is orange from its first, so that one of many is not overlooked.
SCALE = [[0, AGREE], [0.2, AGREE], [0.2, "#FBE3B5"], [0.6, FLIP], [1, "#A85E00"]]


def map_height(cells: Sequence[FlipRecord]) -> int:
    """Pixels that the heat map needs."""
    return 110 + ROW_PIXELS * len(names(cells))


def heat_map(cells: Sequence[FlipRecord], counting: Counting, chosen: FlipRecord) -> go.Figure:
    """Prompts × batch sizes. In a cell: its flips, or the step at which it parts; blue without any.

    Unseen points above the cells take the clicks (a heat map cannot be selected); each carries its prompt
    and batch size.
    """
    rows, columns = names(cells), batches(cells)
    at = {(cell.prompt, cell.batch): cell for cell in cells}
    most = max(len(cell.flips) for cell in cells)
    grid = [[at.get((row, column)) for column in columns] for row in rows]
    figure = go.Figure()
    figure.add_heatmap(
        z=[[None if cell is None else _strength(cell, counting, most) for cell in line] for line in grid],
        text=[["" if cell is None else _mark(cell, counting) for cell in line] for line in grid],
        texttemplate="%{text}",
        colorscale=SCALE,
        zmin=0,
        zmax=1,
        showscale=False,
        hoverinfo="skip",
        xgap=2,
        ygap=2,
    )
    places = [(x, y) for y, row in enumerate(rows) for x, column in enumerate(columns) if (row, column) in at]
    own = [at[rows[y], columns[x]] for x, y in places]
    figure.add_scatter(
        x=[x for x, _ in places],
        y=[y for _, y in places],
        mode="markers",
        marker={"symbol": "square", "size": ROW_PIXELS - 4, "opacity": 0},
        selected={"marker": {"opacity": 0}},
        unselected={"marker": {"opacity": 0}},
        customdata=[[cell.prompt, cell.batch] for cell in own],
        text=[_hover(cell) for cell in own],
        hovertemplate="%{text}<extra></extra>",
        showlegend=False,
    )
    x, y = columns.index(chosen.batch), rows.index(chosen.prompt)
    for colour, width in (("#FFFFFF", 5), ("#000000", 2)):  # seen on every colour of a cell and of a page
        line = {"color": colour, "width": width}
        figure.add_shape(
            type="rect",
            x0=x - 0.48,
            x1=x + 0.48,
            y0=y - 0.45,
            y1=y + 0.45,
            line=line,
            fillcolor="rgba(0,0,0,0)",
        )
    ticks = [f"{n(column)}<br>{_share(cells, column, counting)}" for column in columns]
    figure.update_xaxes(
        title=t("flips-map-batch"),
        side="top",
        tickvals=list(range(len(columns))),
        ticktext=ticks,
        range=[-0.5, len(columns) - 0.5],
        **_BARE,
    )
    figure.update_yaxes(
        tickvals=list(range(len(rows))),
        ticktext=rows,
        range=[len(rows) - 0.5, -0.5],
        tickfont_size=11,
        **_BARE,
    )
    figure.update_layout(hovermode="closest", hoverdistance=-1, dragmode=False)
    return figure


_BARE = {"showgrid": False, "zeroline": False, "fixedrange": True}


def _strength(cell: FlipRecord, counting: Counting, most: int) -> float:
    """0 without a flip; else .3 to 1, rising with the flips or with how early the first one is."""
    if cell.first is None:
        return 0.0
    if counting == "forced":
        return 0.3 + 0.7 * (len(cell.flips) - 1) / max(most - 1, 1)
    return 1 - 0.7 * cell.first / max(len(cell.tokens) - 1, 1)


def _mark(cell: FlipRecord, counting: Counting) -> str:
    if cell.first is None:
        return "="
    return f"◆ {n(len(cell.flips) if counting == 'forced' else cell.first)}"


def _share(cells: Sequence[FlipRecord], batch: int, counting: Counting) -> str:
    found = count([cell for cell in cells if cell.batch == batch], counting)
    return f"{n(100 * found.share, '.1f')} %"


def _hover(cell: FlipRecord) -> str:
    where = t("flips-map-cell", prompt=cell.prompt, batch=cell.batch)
    first = t("flips-map-none") if cell.first is None else t("flips-map-first", step=cell.first)
    flips = t("flips-map-flips", flips=len(cell.flips), steps=len(cell.tokens))
    return "<br>".join(map(isolated, (where, flips, first)))


def text_html(label: str, text: Parted, spoken: str) -> str:
    """A labelled text with its parted word marked by colour, frame and sign; everything in it is escaped."""
    word = ""
    if text.word:
        inside = f'{escape(text.word.translate(VISIBLE))}<span class="unseen">{escape(spoken)}</span>'
        word = f'<mark class="strip-token flip" style="color:inherit">{inside}</mark>'
    return (
        f'<div class="strip-label">{escape(label)}</div>'
        f'<p dir="auto" style="white-space:pre-wrap;overflow-wrap:anywhere">'
        f"{escape(text.common)}{word}{escape(text.rest)}</p>"
    )


def steps_figure(cell: FlipRecord, counting: Counting) -> go.Figure:
    """Bars: the base run's margin. Line: max |Δlogit|. Diamonds: the flips that count."""
    steps = list(range(len(cell.tokens)))
    flips = flipped(cell, counting)
    figure = go.Figure()
    figure.add_bar(
        x=steps, y=cell.base_margins, name=t("flips-steps-margin"), marker_color=AGREE, opacity=0.55
    )
    figure.add_scatter(
        x=steps,
        y=cell.max_deltas,
        name=t("flips-steps-delta"),
        mode="lines",
        line={"width": 2, "color": VERMILION},
    )
    if flips:
        figure.add_scatter(
            x=flips,
            y=[cell.base_margins[step] for step in flips],
            name=t("flips-steps-flip"),
            mode="markers",
            marker=FLIP_MARKER,
        )
    figure.update_xaxes(title=t("flips-steps-step"))
    figure.update_yaxes(title=t("flips-steps-logits"), range=[0, MARGIN_TOP])
    return figure


def near_figure(cells: Sequence[FlipRecord], counting: Counting) -> go.Figure:
    """Mean N(Δ) on stable and on flipped steps, side by side."""
    figure = go.Figure()
    looks = ((False, "flips-near-stable", AGREE, ""), (True, "flips-near-flipped", FLIP, "/"))
    for of_flips, message, colour, pattern in looks:
        means = near_means(cells, counting, of_flips)
        if means is not None:
            stripes = {"shape": pattern, "fgcolor": "#7A5200", "bgcolor": colour}
            figure.add_bar(
                x=[n(delta) for delta in NEAR],
                y=means,
                text=[n(mean, ".2f") for mean in means],
                name=t(message),
                marker={"color": colour, "pattern": stripes},
                textposition="outside",
                cliponaxis=False,
            )
    figure.update_xaxes(title=t("flips-near-delta"), type="category")
    figure.update_yaxes(title=t("flips-near-tokens"), rangemode="tozero")
    return figure


def layers_figure(cells: Sequence[FlipRecord]) -> go.Figure:
    """The relative change of new K and V columns, layer by layer, before the first flip."""
    figure = go.Figure()
    looks = (
        ("K", [cell.k_change for cell in cells], AGREE, "solid", AGREE_MARKER["symbol"]),
        ("V", [cell.v_change for cell in cells], VERMILION, "dash", "square"),
    )
    for name, changes, colour, dash, symbol in looks:
        means = by_layer(changes)
        figure.add_scatter(
            x=list(range(1, len(means) + 1)),
            y=means,
            name=name,
            mode="lines+markers",
            line={"color": colour, "dash": dash, "width": 2},
            marker={"symbol": symbol, "size": 6},
        )
    figure.update_xaxes(title=t("flips-layers-layer"))
    figure.update_yaxes(title=t("flips-layers-change"), tickformat=".2~%", rangemode="tozero")
    return figure


def operators_figure(found: Mapping[str, Count]) -> go.Figure:
    """Flips ÷ steps for each operator alone, and for all together."""
    figure = go.Figure()
    figure.add_bar(
        x=[100 * each.share for each in found.values()],
        y=[isolated(t(f"flips-operator-{name}")) for name in found],
        text=[of(each.flips, each.steps) for each in found.values()],
        orientation="h",
        marker_color=[AGREE if each.flips == 0 else FLIP for each in found.values()],
        textposition="outside",
    )
    widest = max(100 * each.share for each in found.values())
    figure.update_xaxes(title=t("flips-operator-share"), range=[0, 1.6 * widest or 1])  # room for the texts
    figure.update_yaxes(autorange="reversed")
    return figure
