"""What the page where speculation meets the gate shows of its runs: verdict, tables, strips, chart.

Plain functions of MeetingRecords; where two runs part is worked out in lab/decode/speculative/partings.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import pandas as pd  # type: ignore[import-untyped]
import plotly.graph_objects as go

from apps.gating import of
from apps.text import n, t
from apps.widgets import AGREE, FLIP_MARKER, Token
from apps.widgets.tokens import VISIBLE
from lab.decode.speculative.partings import PARTNERS, Choice, Compared, compared, run_figures
from lab.round_records import MeetingRecord

GREY, RED = "#8A9097", "#D55E00"
WIDEST = 3.0  # margin of the chart: those that matter are small


def run_name(run: str) -> str:
    return t(f"meeting-run-{run}")


def verdict(records: Sequence[MeetingRecord]) -> str | None:
    """One sentence on BF16 in rounds against plain BF16; None while these runs have not come."""
    pairs = [pair for pair in compared(records) if pair.own.run == "bf16-speculative"]
    if not pairs:
        return None
    parted = [pair.parted for pair in pairs if pair.parted is not None]
    if not parted:
        return t("meeting-verdict-equal", prompts=len(pairs))
    return t("meeting-verdict-parted", parted=len(parted), prompts=len(pairs), first=min(parted))


def equal_facts(records: Sequence[MeetingRecord]) -> list[tuple[str, str]]:
    """How many prompts of each run are their partner's, token by token."""
    pairs = compared(records)
    found = []
    for run, partner in PARTNERS.items():
        own = [pair.parted is None for pair in pairs if pair.own.run == run]
        if own:
            found.append(
                (
                    t("meeting-against", run=run_name(run), partner=run_name(partner)),
                    of(sum(own), len(own)),
                )
            )
    return found


def requests(records: Sequence[MeetingRecord]) -> list[str]:
    return list(dict.fromkeys(record.request for record in records))


def most_telling(records: Sequence[MeetingRecord]) -> str:
    """The prompt whose BF16 rounds part first; the first prompt where none does."""
    parted = {
        pair.request: pair.parted
        for pair in compared(records)
        if pair.own.run == "bf16-speculative" and pair.parted is not None
    }
    return min(parted, key=parted.__getitem__) if parted else requests(records)[0]


def matrix_html(records: Sequence[MeetingRecord], chosen: str) -> str:
    """Prompts × runs: equal to the partner, or the token where they part and the run's margin there."""
    cells = {(pair.request, pair.own.run): _cell(pair) for pair in compared(records)}
    heads = [
        f"{escape(run_name(run))}<small>{escape(t('meeting-than', partner=run_name(partner)))}</small>"
        for run, partner in PARTNERS.items()
    ]
    rows = [
        (request, [cells.get((request, run), "…") for run in PARTNERS], request == chosen)
        for request in requests(records)
    ]
    return _table(t("meeting-matrix"), t("meeting-column-prompt"), heads, rows)


def _cell(pair: Compared) -> str:
    if pair.parted is None:
        return f'<span class="equal">{escape(t("meeting-cell-equal"))}</span>'
    own, _ = pair.choices
    margin = t("meeting-cell-margin", margin=n(own.margin, ".3g")) if own else t("meeting-cell-ended")
    parted = t("meeting-cell-parted", step=pair.parted)
    return f'<span class="parted">{escape(parted)}</span><small>{escape(margin)}</small>'


def cost_html(records: Sequence[MeetingRecord]) -> str:
    """What each run took: passes of the lane, visits of the verifier, corrected tokens."""
    names = ("tokens", "passes", "per-pass", "visits", "corrected")
    rows = [
        (
            run_name(each.run),
            [
                n(each.tokens),
                n(each.passes),
                "—" if each.per_pass is None else n(each.per_pass, ".2f"),
                n(each.visits),
                n(each.corrected),
            ],
            False,
        )
        for each in run_figures(records)
    ]
    return _table(
        t("meeting-cost"), t("meeting-column-run"), [escape(t(f"meeting-cost-{x}")) for x in names], rows
    )


def _table(label: str, corner: str, heads: Sequence[str], rows: list[tuple[str, list[str], bool]]) -> str:
    """An HTML table; `heads` and cells are HTML, row names are text."""
    top = "".join(f'<th scope="col">{head}</th>' for head in heads)
    body = "".join(
        f'<tr{" aria-current=true" if current else ""}><th scope="row"><bdi>{escape(name)}</bdi></th>'
        + "".join(f"<td>{cell}</td>" for cell in cells)
        + "</tr>"
        for name, cells, current in rows
    )
    return (
        f'<div class="met" role="region" tabindex="0" aria-label="{escape(label)}"><table>'
        f'<thead><tr><th scope="col">{escape(corner)}</th>{top}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def pairs_of(records: Sequence[MeetingRecord], request: str) -> list[Compared]:
    return [pair for pair in compared(records) if pair.request == request]


def strips(pair: Compared) -> list[tuple[str, list[Token]]]:
    """The texts of a pair: one where all tokens are equal, else both, with the place where they part."""
    names = run_name(pair.own.run), run_name(pair.partner.run)
    if pair.parted is None:
        label = t("meeting-strip-both", run=names[0], partner=names[1])
        return [(label, _tokens(pair.own, len(pair.own.tokens)))]
    return [
        (t("meeting-strip", run=name), _tokens(record, pair.parted))
        for name, record in zip(reversed(names), (pair.partner, pair.own), strict=True)
    ]


def _tokens(record: MeetingRecord, parted: int) -> list[Token]:
    made = []
    for at, text in enumerate(record.texts):
        note = t(
            "meeting-note",
            margin=n(record.margins[at], ".3g"),
            runner=visible(record.runners_up[at]),
            rows=record.rows[at],
        )
        if at == parted:
            made.append(Token(text, "flip", note))
        elif at > parted:
            made.append(Token(text, "after", t("meeting-note-after")))
        elif at in record.corrected:
            made.append(Token(text, "repaired", f"{t('meeting-note-corrected')}; {note}"))
        else:
            made.append(Token(text, "agree", note))
    return made


def place_told(pair: Compared) -> str:
    """What both runs chose where they part, their margins, runners-up and rows; or that they are equal."""
    if pair.parted is None:
        tokens, corrected = len(pair.own.tokens), len(pair.own.corrected)
        if pair.own.visits:
            return t("meeting-place-verified", tokens=tokens, corrected=corrected)
        return t("meeting-place-equal", tokens=tokens)
    own, partner = pair.choices
    return t(
        "meeting-place-parted",
        step=pair.parted,
        partner=_choice_told(pair.partner.run, partner),
        own=_choice_told(pair.own.run, own),
    )


def _choice_told(run: str, made: Choice | None) -> str:
    if made is None:
        return t("meeting-choice-ended", run=run_name(run))
    return t(
        "meeting-choice",
        run=run_name(run),
        token=visible(made.text),
        margin=n(made.margin, ".3g"),
        runner=visible(made.runner_up),
        rows=made.rows,
    )


def visible(text: str) -> str:
    """A token's text with its leading space and line breaks to be seen."""
    text = text.translate(VISIBLE)
    return ("·" + text[1:] if text[:1] == " " else text) or "∅"


MARKS = {
    "bf16-speculative": FLIP_MARKER,
    "bf16": {"color": RED, "symbol": "x", "size": 10, "line": {"color": "#7A2E00", "width": 1}},
}
"""By run: the mark of a place where it parts from its partner."""


def margins_figure(records: Sequence[MeetingRecord], tau: float) -> go.Figure:
    """The share of plain BF16's steps up to each margin; on that curve, the steps where runs part."""
    margins = sorted(m for record in records if record.run == "bf16" for m in record.margins)
    figure = go.Figure()
    figure.add_scatter(
        x=margins,
        y=[100 * (at + 1) / len(margins) for at in range(len(margins))],
        mode="lines",
        line={"color": AGREE, "width": 2.5, "shape": "hv"},
        name=t("meeting-line-all"),
        hovertemplate="%{x:.3g}: %{y:.1f} %<extra></extra>",
    )
    for run, marker in MARKS.items():
        places = [(pair, _bf16_margin(pair)) for pair in compared(records) if pair.own.run == run]
        shown = [(pair, margin) for pair, margin in places if margin is not None]
        if shown:
            figure.add_scatter(
                x=[margin for _, margin in shown],
                y=[100 * sum(m <= margin for m in margins) / len(margins) for _, margin in shown],
                mode="markers",
                marker=marker,
                name=t(f"meeting-mark-{run}"),
                customdata=[[pair.request, pair.parted] for pair, _ in shown],
                hovertemplate="%{customdata[0]}, %{customdata[1]}: %{x:.3g}<extra></extra>",
            )
    figure.add_scatter(
        x=[tau, tau],
        y=[0, 100],
        mode="lines",
        line={"color": GREY, "width": 2, "dash": "dash"},
        name=t("meeting-line-tau", tau=n(tau, ".6g")),
        hovertemplate="%{x:.4g}<extra></extra>",
    )
    figure.update_xaxes(title=t("meeting-axis-margin"), range=[-0.05, WIDEST], zeroline=False)
    figure.update_yaxes(title=t("meeting-axis-share"), range=[-3, 103], ticksuffix=" %", zeroline=False)
    return figure


def _bf16_margin(pair: Compared) -> float | None:
    """The margin of plain BF16 where a pair parts; None where it does not, or has ended."""
    own, partner = pair.choices
    plain = own if pair.own.run == "bf16" else partner
    return plain.margin if plain else None


def frame(records: Sequence[MeetingRecord]) -> pd.DataFrame:
    """A row a prompt and run: whether it is its partner's, and if not, what both chose where they part."""
    return pd.DataFrame([_row(pair) for pair in compared(records)])


def _row(pair: Compared) -> dict[str, object]:
    own, partner = pair.choices
    return {
        "prompt": pair.request,
        "run": pair.own.run,
        "partner": pair.partner.run,
        "equal": pair.parted is None,
        "parted": pair.parted,
        "token": own.text if own else None,
        "partner_token": partner.text if partner else None,
        "margin": own.margin if own else None,
        "partner_margin": partner.margin if partner else None,
        "runner_up": own.runner_up if own else None,
        "rows": own.rows if own else None,
        "partner_rows": partner.rows if partner else None,
        "passes": pair.own.passes,
        "visits": pair.own.visits,
        "corrected": len(pair.own.corrected),
    }
