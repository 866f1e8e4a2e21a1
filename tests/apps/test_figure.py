"""Charts: texts keep the order of their own language, the figure keeps its data."""

import plotly.graph_objects as go

from apps.text.catalogue import FIRST_STRONG, POP, isolated
from apps.widgets.figure import _set_in_reading_order


def test_names_and_titles_are_isolated_once() -> None:
    figure = go.Figure(go.Scatter(x=[1], y=[2], name="أكبر |Δ|، الدفعة 8"))
    figure.update_xaxes(title="الخطوة")
    for _ in range(2):
        _set_in_reading_order(figure)
    assert figure.data[0].name == f"{FIRST_STRONG}أكبر |Δ|، الدفعة 8{POP}"
    assert figure.layout.xaxis.title.text == f"{FIRST_STRONG}الخطوة{POP}"
    assert figure.layout.yaxis.title.text is None


def test_a_text_that_begins_and_ends_with_arguments_is_isolated_as_a_whole() -> None:
    assert isolated("x") == f"{FIRST_STRONG}x{POP}"
    assert isolated(isolated("x")) == isolated("x")
