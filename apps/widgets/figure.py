"""Plotly figures in the lab's manner: one palette, readable at 400 px, named for screen readers.

Streamlit's Plotly theme takes fonts, grid and the eight Okabe–Ito colours from .streamlit/config.toml and
follows light and dark. Colour is never the only sign: a flip also has its own marker.
"""

from typing import Any, Literal

import plotly.graph_objects as go
import streamlit as st

from apps.text.catalogue import isolated

AGREE = "#0072B2"
FLIP = "#E69F00"
# Shapes that go with the two colours; the outline keeps orange readable on white (contrast 3:1).
AGREE_MARKER = {"color": AGREE, "symbol": "circle", "size": 7}
FLIP_MARKER = {"color": FLIP, "symbol": "diamond", "size": 11, "line": {"color": "#7A5200", "width": 1.5}}


def chart(
    figure: go.Figure,
    alt: str,
    *,
    height: int = 320,
    key: str | None = None,
    on_select: Literal["ignore", "rerun"] = "ignore",
) -> Any:
    """Draw `figure` with the lab's margins, legend and tool bar; `alt` says what it shows.

    Returns the selection where `on_select="rerun"` (give a `key` then). What a click does must also be
    possible with a widget: points of a chart cannot be reached by keyboard.
    """
    figure.update_layout(
        height=height,
        margin={"l": 56, "r": 8, "t": 36, "b": 8},
        legend={"orientation": "h", "x": 0, "xanchor": "left", "y": 1.02, "yanchor": "bottom", "title": None},
        hoverlabel={"align": "left"},
        modebar={"orientation": "v"},
        bargap=0.15,
    )
    _set_in_reading_order(figure)
    figure.update_xaxes(automargin=True, title_standoff=8)
    figure.update_yaxes(automargin=True, title_standoff=16)
    return st.plotly_chart(
        figure,
        alt=alt,
        key=key,
        on_select=on_select,
        config={"displaylogo": False, "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d"]},
    )


def _set_in_reading_order(figure: go.Figure) -> None:
    """Isolate names and titles: the chart runs left to right, an Arabic or Persian text in it does not."""
    figure.for_each_trace(lambda trace: trace.update(name=isolated(trace.name)) if trace.name else None)
    for update in (figure.for_each_xaxis, figure.for_each_yaxis):
        update(lambda axis: axis.update(title_text=isolated(axis.title.text)) if axis.title.text else None)
