"""Pictures of sums: a running total, a reduction tree, orders side by side, a distribution over orders."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from apps.text import t
from apps.text.catalogue import FIRST_STRONG, POP
from apps.widgets import AGREE, AGREE_MARKER, FLIP, FLIP_MARKER
from sims.compare import Outcome
from sims.exact import running_sums
from sims.spread import Spread
from sims.steps import CompensatedStep, Step, Walk
from sims.trees import Tree

GREY = "#8A9097"
RING = {"size": 22, "color": "rgba(0,0,0,0)", "line": {"color": "#D55E00", "width": 3}}
MARKERS_UP_TO = 80  # points; beyond, a line alone
LABELS_UP_TO = 8  # leaves whose values stand beside the nodes
BARS_UP_TO = 60  # distinct results; beyond, they are binned


def running_figure(
    leaves: Sequence[float], totals: Sequence[float], swallowed: Sequence[bool], step: int
) -> go.Figure:
    """The total after each addend beside the exact one; `swallowed`: where an addend changed nothing."""
    count = np.arange(1, len(totals) + 1)
    mode = "lines+markers" if len(totals) <= MARKERS_UP_TO else "lines"
    exact = running_sums(leaves)
    figure = go.Figure()
    figure.add_scatter(
        x=count, y=exact, mode="lines", name=t("sum-order-exact-line"), line={"color": GREY, "dash": "dash"}
    )
    figure.add_scatter(
        x=count,
        y=list(totals),
        mode=mode,
        name=t("sum-order-running"),
        line={"color": AGREE, "width": 2.5},
        marker=AGREE_MARKER,
    )
    lost = [k for k, flag in enumerate(swallowed) if flag]
    if lost:
        figure.add_scatter(
            x=[count[k] for k in lost],
            y=[totals[k] for k in lost],
            mode="markers",
            marker=FLIP_MARKER | {"size": 11 if len(totals) <= MARKERS_UP_TO else 6},
            name=t("sum-order-swallowed"),
        )
    _ring(figure, step + 1, totals[step])
    _count_axis(figure, "sum-order-addends-so-far", len(totals))
    figure.update_yaxes(title=t("sum-order-total"), exponentformat=_exponents(totals))
    return figure


def errors_figure(steps: Sequence[Step], step: int) -> go.Figure:
    """What each addition of a tree lost: result minus exact sum of the two."""
    errors = [float(one.rounding.error or 0) for one in steps]
    figure = go.Figure()
    figure.add_bar(
        x=list(range(1, len(steps) + 1)),
        y=errors,
        marker={
            "color": FLIP,
            "pattern": {"shape": "/", "fgcolor": "#7A5200", "size": 6, "fillmode": "overlay"},
        },
        name=t("sum-order-lost"),
    )
    _ring(figure, step, errors[step - 1])
    _count_axis(figure, "sum-order-additions", len(steps))
    figure.update_yaxes(title=t("sum-order-lost"), exponentformat=_exponents(errors))
    return figure


def _count_axis(figure: go.Figure, title: str, count: int) -> None:
    """Fixed, or the ring would push the axis to and fro as it moves."""
    pad = max(0.5, count / 40)
    ticks = {"dtick": 1} if count <= 12 else {"nticks": 10}
    figure.update_xaxes(title=t(title), range=[1 - pad, count + pad], **ticks)


def _exponents(values: Sequence[float] | np.ndarray) -> str:
    """How an axis writes these values: in full where that is short (not 1.33M), else 1e+30."""
    largest = max((abs(float(value)) for value in values if np.isfinite(value)), default=0.0)
    return "none" if 1e-3 <= largest < 1e9 or not largest else "e"


def _ring(figure: go.Figure, x: float, y: float) -> None:
    figure.add_scatter(
        x=[x], y=[y], mode="markers", marker=RING, name=t("sum-order-this-step"), hoverinfo="skip"
    )


def tree_figure(tree: Tree, path: Walk, step: int | None = None) -> go.Figure:
    """The additions as a tree: addends below, the sum on top; exact, rounded and swallowed told apart.

    With a `step`, what comes after it is dotted and its own node is ringed.
    """
    x, y = tree.layout()
    figure = go.Figure()
    for edges, line, name in _edges(path, step or len(path.steps)):
        figure.add_scatter(
            x=[value for a, b in edges for value in (x[a], x[b], None)],
            y=[value for a, b in edges for value in (y[a], y[b], None)],
            mode="lines",
            line=line,
            hoverinfo="skip",
            name=name,
            showlegend=False,
        )
    texts = tree.leaves <= LABELS_UP_TO
    leaves = range(tree.leaves)
    _nodes(
        figure,
        [(x[k], y[k]) for k in leaves],
        [f"{path.leaves[k]:.4g}" for k in leaves],
        {"color": GREY, "symbol": "square", "size": 8},
        "sum-order-node-addend",
        "bottom center" if texts else "",
    )
    exact = [one for one in path.steps if one.rounding.error == 0]
    swallowed = [one for one in path.steps if one.swallowed]
    rounded = [one for one in path.steps if one.rounding.error != 0 and not one.swallowed]
    for steps, marker, name in (
        (exact, AGREE_MARKER | {"size": 10}, "exact"),
        (rounded, FLIP_MARKER, "rounded"),
        (swallowed, FLIP_MARKER | {"symbol": "x", "size": 9}, "swallowed"),
    ):
        _nodes(
            figure,
            [(x[one.node], y[one.node]) for one in steps],
            [f"{one.stored.value:.5g}" for one in steps],
            marker,
            f"sum-order-node-{name}",
            "top center" if texts else "",
        )
    if step:
        node = path.steps[step - 1].node
        _ring(figure, float(x[node]), float(y[node]))
    figure.update_xaxes(visible=False, range=[-0.8, tree.leaves - 0.2])
    figure.update_yaxes(visible=False, range=[-0.12 * tree.height - 0.2, 1.15 * tree.height + 0.2])
    return figure


def _edges(path: Walk, step: int) -> list[tuple[list[tuple[int, int]], dict[str, object], str]]:
    """Edges done by this step, solid, and those to come, dotted."""
    done: list[tuple[int, int]] = []
    waiting: list[tuple[int, int]] = []
    for index, one in enumerate(path.steps, 1):
        (done if index <= step else waiting).extend([(one.left, one.node), (one.right, one.node)])
    return [
        (waiting, {"color": GREY, "width": 1, "dash": "dot"}, "waiting"),
        (done, {"color": AGREE, "width": 1.5}, "done"),
    ]


def _nodes(
    figure: go.Figure,
    places: Sequence[tuple[float, float]],
    values: Sequence[str],
    marker: dict[str, object],
    name: str,
    text_position: str,
) -> None:
    if not places:
        return
    xs, ys = zip(*places, strict=True)
    figure.add_scatter(
        x=xs,
        y=ys,
        mode="markers+text" if text_position else "markers",
        text=values,
        textposition=text_position or None,
        textfont={"size": 11},
        marker=marker,
        name=t(name),
        hovertemplate="%{text}<extra></extra>",
    )


def outcomes_figure(names: Sequence[str], outcomes: Sequence[Outcome], exact: float) -> go.Figure:
    """The result of every order; those that are the exact sum's own rounding, and those that are not."""
    figure = go.Figure()
    _exact_line(figure, exact)
    for right, marker, name in ((True, AGREE_MARKER | {"size": 10}, "right"), (False, FLIP_MARKER, "off")):
        chosen = [k for k, outcome in enumerate(outcomes) if (outcome.ulps_off == 0) is right]
        if chosen:
            figure.add_scatter(
                x=[outcomes[k].result.value for k in chosen],
                y=[names[k] for k in chosen],
                mode="markers",
                marker=marker,
                name=t(f"sum-order-result-{name}"),
                hovertemplate="%{x:.9g}<extra>%{y}</extra>",
            )
    results = [outcome.result.value for outcome in outcomes]
    figure.update_xaxes(title=t("sum-order-result"), exponentformat=_exponents(results), nticks=6)
    _order_axis(figure, names)
    return figure


def _exact_line(figure: go.Figure, exact: float) -> None:
    line = {"color": GREY, "width": 1.5, "dash": "dash"}
    figure.add_vline(x=exact, line=line)
    figure.add_scatter(x=[None], y=[None], mode="lines", line=line, name=t("sum-order-exact-line"))


def isolated(names: Sequence[str]) -> list[str]:
    """Names for an axis: a chart runs left to right, a name in its own direction."""
    return [f"{FIRST_STRONG}{name}{POP}" for name in names]


def bounds_figure(names: Sequence[str], outcomes: Sequence[Outcome]) -> go.Figure | None:
    """|error| of every order beside its bound, on a logarithmic axis; None where no order has either.

    An error of 0 has no place there: it is drawn at the left edge, hollow.
    """
    errors = [abs(outcome.error) if outcome.error is not None else np.nan for outcome in outcomes]
    bounds = [outcome.bound for outcome in outcomes]
    positive = [value for value in (*errors, *bounds) if 0 < value < np.inf]
    if not positive:
        return None
    edge = min(positive) / 10
    decades = np.log10(max(positive) / edge)
    figure = go.Figure()
    figure.add_scatter(
        x=[max(error, edge) for error in errors],
        y=list(names),
        mode="markers",
        marker=AGREE_MARKER
        | {"size": 10, "symbol": ["circle-open" if error == 0 else "circle" for error in errors]},
        customdata=errors,
        name=t("sum-order-error"),
        hovertemplate="%{customdata:.4g}<extra>%{y}</extra>",
    )
    finite = [k for k, bound in enumerate(bounds) if 0 < bound < np.inf]
    figure.add_scatter(
        x=[bounds[k] for k in finite],
        y=[names[k] for k in finite],
        mode="markers",
        marker={"symbol": "line-ns", "size": 16, "line": {"color": "#D55E00", "width": 3}},
        name=t("sum-order-bound"),
        hovertemplate="%{x:.4g}<extra>%{y}</extra>",
    )
    figure.update_xaxes(
        type="log",
        title=t("sum-order-error-axis"),
        exponentformat="power",
        dtick=max(1, round(decades / 5)),
        minor_ticks="",
    )
    _order_axis(figure, names)
    return figure


def _order_axis(figure: go.Figure, names: Sequence[str]) -> None:
    figure.update_yaxes(categoryorder="array", categoryarray=list(names)[::-1], type="category")


def spread_figure(result: Spread, correct: float, sums: bool) -> go.Figure:
    """How often each result came over the random orders; `sums`: before the output rounding."""
    if sums:
        values, counts = np.unique(result.sums.astype(np.float64), return_counts=True)
    else:
        values, counts = result.results, result.counts
    total = counts.sum()
    counts, values = counts[np.isfinite(values)], values[np.isfinite(values)]  # an overflow is told in words
    if len(values) > BARS_UP_TO:
        counts, borders = np.histogram(values, bins=BARS_UP_TO, weights=counts)
        values = (borders[:-1] + borders[1:]) / 2
    gap = float(np.diff(values).min()) if len(values) > 1 else max(abs(float(values.sum())) / 100, 1e-9)
    share = 100 * counts / total
    right = np.abs(values - correct) < gap / 4
    figure = go.Figure()
    for mask, marker, name in (
        (right, {"color": AGREE}, "right"),
        (
            ~right,
            {
                "color": FLIP,
                "pattern": {"shape": "/", "fgcolor": "#7A5200", "size": 6, "fillmode": "overlay"},
            },
            "off",
        ),
    ):
        if mask.any():
            figure.add_bar(
                x=values[mask],
                y=share[mask],
                width=0.8 * gap,
                marker=marker,
                name=t(f"sum-order-result-{name}"),
                hovertemplate="%{x:.9g}: %{y:.2f} %<extra></extra>",
            )
    _exact_line(figure, result.exact)
    if len(values) == 1:  # a lone bar would fill the picture
        figure.update_xaxes(range=[values[0] - 3 * gap, values[0] + 3 * gap])
    figure.update_xaxes(title=t("sum-order-result"), exponentformat=_exponents(values), nticks=6)
    figure.update_yaxes(title=t("sum-order-share"), ticksuffix=" %")
    return figure


def compensated_totals(steps: Sequence[CompensatedStep]) -> list[float]:
    """The running totals of a compensated sum."""
    return [step.total.value for step in steps]
