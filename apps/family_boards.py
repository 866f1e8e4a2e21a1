"""Two of Spec-Bench's boards against each other: which methods change places when the machine changes."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import pandas as pd  # type: ignore[import-untyped]
import plotly.graph_objects as go

from apps.paper_tables import COLOURS, GREY
from apps.text import n, t
from sims.spec_bench import BY_KEY, TASKS, Board, Entry

ALL = "all"
BLUE, VERMILION = COLOURS[:2]


def speedup(entry: Entry, task: str) -> float:
    """On one task, or over all of them."""
    return entry.speedup if task == ALL else entry.by_task[TASKS.index(task)]


@dataclass(frozen=True)
class Compared:
    """The methods that stand on both boards, and their speedups on each."""

    first: Board
    second: Board
    task: str

    @property
    def shared(self) -> tuple[tuple[Entry, Entry], ...]:
        """Fastest on the first board first."""
        pairs = [(own, other) for own in self.first.entries if (other := self.second.entry(own.method))]
        return tuple(sorted(pairs, key=lambda pair: -speedup(pair[0], self.task)))

    @property
    def swapped(self) -> int:
        """Pairs of methods of which each board puts another one ahead; equal speedups change nothing."""
        values = [(speedup(a, self.task), speedup(b, self.task)) for a, b in self.shared]
        return sum((a - c) * (b - d) < 0 for (a, b), (c, d) in combinations(values, 2))

    @property
    def farthest(self) -> tuple[str, int, int]:
        """The method that moves most, and its places, from 1."""
        after = sorted(self.shared, key=lambda pair: -speedup(pair[1], self.task))
        places = [(pair[0].method, place, after.index(pair) + 1) for place, pair in enumerate(self.shared, 1)]
        return max(places, key=lambda moved: abs(moved[1] - moved[2]))

    def told(self) -> str:
        """How many pairs change places, and who moves farthest."""
        methods = len(self.shared)
        if not self.swapped:
            return t("family-boards-told-none", methods=n(methods, "d"))
        mover, before, after = self.farthest
        pairs = methods * (methods - 1) // 2
        return t(
            "family-boards-told",
            swapped=self.swapped,
            pairs=n(pairs, "d"),
            mover=mover,
            before=n(before, "d"),
            after=n(after, "d"),
        )


def compared(first: str, second: str, task: str) -> Compared:
    """Of two boards by key."""
    return Compared(BY_KEY[first], BY_KEY[second], task)


def boards_figure(both: Compared) -> go.Figure:
    """A row a method: open circle on the first board, square on the second, a bar for tokens a pass."""
    pairs = both.shared[::-1]
    names = [own.method for own, _ in pairs]
    here = [speedup(own, both.task) for own, _ in pairs]
    there = [speedup(other, both.task) for _, other in pairs]
    figure = go.Figure()
    figure.add_scatter(
        x=[x for a, b in zip(here, there, strict=True) for x in (a, b, None)],
        y=[y for name in names for y in (name, name, None)],
        mode="lines",
        line={"color": GREY, "width": 2},
        hoverinfo="skip",
        showlegend=False,
    )
    marks = (
        (both.first, here, {"color": BLUE, "symbol": "circle-open", "size": 11, "line": {"width": 2}}),
        (both.second, there, {"color": VERMILION, "symbol": "square", "size": 10}),
    )
    for board, values, marker in marks:
        figure.add_scatter(
            x=values,
            y=names,
            mode="markers",
            name=f"{board.machine} · {board.model}",
            marker=marker,
            hovertemplate="%{y}: %{x:.2f}×<extra></extra>",
        )
    figure.add_scatter(
        x=[other.tokens for _, other in pairs],
        y=names,
        mode="markers",
        name=t("family-boards-tokens"),
        marker={"color": GREY, "symbol": "line-ns-open", "size": 12, "line": {"width": 2}},
        hovertemplate="%{y}: %{x:.2f}<extra></extra>",
    )
    figure.update_xaxes(title=t("family-axis-speedup"), rangemode="tozero", ticksuffix="×")
    figure.update_yaxes(type="category", categoryorder="array", categoryarray=names)
    return figure


def boards_frame(both: Compared) -> pd.DataFrame:
    """Both boards in full, a row a method and board."""
    return pd.DataFrame(
        [
            {
                "board": f"{board.machine} · {board.model}",
                "method": entry.method,
                **dict(zip(TASKS, entry.by_task, strict=True)),
                "tokens": entry.tokens,
                "speedup": entry.speedup,
            }
            for board in (both.first, both.second)
            for entry in board.entries
        ]
    )
