"""The pass over a tree: who sees whom, and at which position each token stands, as a small map.

Both are `lab.models.branches.Branches`, which the core lays its passes out with.
"""

from __future__ import annotations

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from apps.paper_tables import GREY
from apps.text import n, t
from apps.tree_graph import label
from apps.tree_steps import TreeMoment, name
from apps.widgets import AGREE, FLIP
from lab.decode.speculative.tree import ROOT
from lab.models.branches import Branches

TAIL = 6  # slots of the text that are drawn; all of it is seen
HIDDEN, TEXT, ABOVE, ITSELF = range(4)
SKY = "#9CCBE8"
COLOURS = ("rgba(128,128,128,0.12)", SKY, AGREE, FLIP)
CELL = 14  # px
NAMED = 40  # more places than that have no names beside them


def layout(moment: TreeMoment) -> Branches:
    """The slots of the pass over the nodes that have grown: the last committed token, then the nodes."""
    one = moment.round
    return Branches(one.target_cache.before, (ROOT, *(one.tree[node] + 1 for node in moment.nodes)))


def cells(branches: Branches) -> list[list[int]]:
    """What each place of the pass sees: of the text's last slots, then of the pass's own."""
    places = len(branches.parents)
    first = max(branches.base - TAIL, 0)
    hidden = branches.hidden(0, branches.base + places)[:, first:].tolist()
    shown = branches.base - first
    return [
        [
            HIDDEN if blind else TEXT if slot < shown else ITSELF if slot - shown == place else ABOVE
            for slot, blind in enumerate(row)
        ]
        for place, row in enumerate(hidden)
    ]


def figure(moment: TreeMoment) -> tuple[go.Figure, int]:
    """The mask with the positions beside it, and its height in px."""
    branches = layout(moment)
    places = len(branches.parents)
    rows = cells(branches)
    base, slots = branches.base, branches.base + places
    names = [label(name(moment.round, place - 1, moment.last), 9) for place in range(places)]
    positions = branches.positions(slots).tolist()[base:]
    columns = list(range(slots - len(rows[0]), slots))
    words = [t(f"tree-mask-{kind}") for kind in ("hidden", "text", "above", "itself")]
    made = make_subplots(cols=2, shared_yaxes=True, column_widths=[0.12, 0.88], horizontal_spacing=0.015)
    made.add_heatmap(
        z=[[depth] for depth in branches.depths],
        x=[t("tree-mask-position")],
        y=list(range(places)),
        text=[[n(position, "d")] for position in positions],
        texttemplate="%{text}",
        colorscale=[[0, "#E3F0F8"], [1, SKY]],
        showscale=False,
        hovertemplate="%{text}<extra></extra>",
        row=1,
        col=1,
    )
    scale = [[at / 4, colour] for at, colour in zip((0, 1, 1, 2, 2, 3, 3, 4), _twice(COLOURS), strict=True)]
    made.add_heatmap(
        z=rows,
        x=columns,
        y=list(range(places)),
        zmin=-0.5,
        zmax=3.5,
        xgap=1,
        ygap=1,
        colorscale=scale,
        showscale=False,
        customdata=[[words[kind] for kind in row] for row in rows],
        text=[[names[place]] * len(columns) for place in range(places)],
        hovertemplate=t("tree-mask-hover", token="%{text}", slot="%{x}") + ": %{customdata}<extra></extra>",
        row=1,
        col=2,
    )
    made.add_vline(x=base - 0.5, line={"color": GREY, "width": 1, "dash": "dash"}, row=1, col=2)
    every = range(places) if places <= NAMED else []
    made.update_yaxes(
        autorange="reversed",
        tickvals=list(every),
        ticktext=[names[place] for place in every],
        showgrid=False,
        zeroline=False,
        ticks="",
    )
    made.update_yaxes(showticklabels=False, row=1, col=2)
    made.update_xaxes(showgrid=False, zeroline=False)
    made.update_xaxes(title=t("tree-axis-slot"), row=1, col=2)
    made.update_xaxes(side="top", row=1, col=1)
    return made, CELL * places + 120


def _twice(colours: tuple[str, ...]) -> list[str]:
    return [colour for colour in colours for _ in range(2)]
