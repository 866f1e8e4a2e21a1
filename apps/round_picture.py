"""Pictures of a moment of a round, as HTML: the window with its tests, and both caches.

They are tables and lists, so a screen reader reads them as a sighted reader does.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from apps.lanes import marks
from apps.round_steps import PHASES, Column, Moment, cache, chance, uniform
from apps.text import n, t
from apps.widgets.tokens import VISIBLE
from lab.round_records import DraftedToken, Lengths

CURRENT = ' aria-current="step"'
TRACK = 100  # per cent of the meter: u runs from 0 to 1


def phases_html(moment: Moment) -> str:
    return row_of_phases(PHASES, moment.phase, "round-phase")


def row_of_phases(phases: Sequence[str], current: str, texts: str) -> str:
    """The phases of a round in a row; the one that the reader stands in is marked, in words too."""
    items = "".join(
        f"<li{CURRENT if phase == current else ''}>{escape(t(f'{texts}-{phase}'))}</li>" for phase in phases
    )
    return f'<ol class="phases">{items}</ol>'


def window_html(moment: Moment) -> str:
    """A column a drafted token and one for the token that only the target gives; a row a quantity."""
    one = moment.round
    positions = range(len(one.drafted))
    heads = [n(at + 1, "d") for at in positions] + [t("round-extra")]
    rows = {
        "drafted": [_token(moment, at) if at < moment.drafted else "" for at in positions] + [""],
        "q": [chance(one.drafted[at].p_draft) if at < moment.drafted else "" for at in positions] + [""],
        "p": [_known(moment, at) for at in positions] + [_spare(moment)],
        "ratio": [chance(one.drafted[at].acceptance) if at < moment.judged else "" for at in positions]
        + [""],
        "u": [uniform(one.drafted[at]) if at < moment.judged else "" for at in positions] + [""],
        "test": [_verdict(moment, at) for at in positions] + [""],
        "emitted": _emitted(moment, len(heads)),
    }
    head = "".join(f'<th scope="col">{escape(each)}</th>' for each in heads)
    body = "".join(
        f'<tr class="row-{name}"><th scope="row">{escape(t(f"round-row-{name}"))}</th>'
        + "".join(f'<td><bdi dir="ltr">{cell}</bdi></td>' for cell in cells)
        + "</tr>"
        for name, cells in rows.items()
    )
    label = escape(t("round-window-label", round=one.round))
    return (
        f'<div class="window phase-{moment.phase}" dir="ltr" tabindex="0" role="group" aria-label="{label}">'
        f'<table><thead><tr><th scope="col">{escape(t("round-row-position"))}</th>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _known(moment: Moment, at: int) -> str:
    """The target's probability once it is asked for; behind a rejection it is never asked for."""
    if at < moment.judged:
        return chance(moment.round.drafted[at].p_target)
    if moment.emitted:
        return "—"
    return _ready() if moment.verified else ""


def _spare(moment: Moment) -> str:
    """Whether the law behind the last drafted token is there, and still of a text that stands."""
    if moment.emitted and moment.round.ending != "bonus":
        return "—"
    return _ready() if moment.verified else ""


def _ready() -> str:
    return f'<span class="ready">{escape(t("round-ready"))}</span>'


def _verdict(moment: Moment, at: int) -> str:
    mark = moment.mark(at)
    if mark == "plain":
        return ""
    token = moment.round.drafted[at]
    return f"{meter_html(token) if mark != 'unjudged' else ''}<span>{escape(t(f'round-mark-{mark}'))}</span>"


def _token(moment: Moment, at: int) -> str:
    return token_html(moment.round.drafted[at].text, moment.mark(at))


def _emitted(moment: Moment, width: int) -> list[str]:
    """Under each position the token that the round emits there."""
    one = moment.round
    if not moment.emitted:
        return [""] * width
    cells = [token_html(text, mark) for text, mark in zip(one.texts, marks(one), strict=True)]
    return (cells + [""] * width)[:width]


def token_html(text: str, mark: str) -> str:
    """One token as a strip draws it."""
    return f'<span class="strip-token {mark}"><bdi>{_visible(text)}</bdi></span>'


def _visible(text: str) -> str:
    shown = escape(text.translate(VISIBLE)) or "∅"
    return f'<i aria-hidden="true">·</i>{shown[1:]}' if text[:1] == " " else shown


def meter_html(token: DraftedToken) -> str:
    """u on a line from 0 to 1 whose accepted part ends at min(1, p/q)."""
    if token.uniform is None or token.acceptance is None:
        return ""
    spoken = escape(t("round-meter", acceptance=n(token.acceptance, ".3f"), u=uniform(token)))
    return (
        f'<span class="meter" role="img" aria-label="{spoken}" title="{spoken}">'
        f'<b style="width:{TRACK * token.acceptance:.2f}%"></b>'
        f'<i style="left:{TRACK * token.uniform:.2f}%"></i></span>'
    )


def caches_html(moment: Moment, written: Sequence[str]) -> str:
    """Both K/V caches: what they held before, and each new column, kept or trimmed."""
    one = moment.round
    caches: list[tuple[str, Lengths | None]] = [("target", one.target_cache), ("draft", one.draft_cache)]
    parts = []
    for name, lengths in caches:
        title = escape(t(f"round-cache-{name}"))
        if lengths is None:
            parts.append(f'<div class="cache"><h4>{title}</h4><p>{escape(t("round-cache-none"))}</p></div>')
            continue
        held = cache(moment, lengths, written, draft=name == "draft")
        boxes = "".join(map(column_html, held.columns))
        before = escape(t("round-cache-before", positions=held.before))
        length = escape(t("round-cache-length", positions=held.length))
        parts.append(
            f'<div class="cache {name}"><h4>{title} <span>{length}</span></h4>'
            f'<ul dir="ltr"><li class="old"><bdi>{before}</bdi></li>{boxes}</ul></div>'
        )
    return f'<div class="caches">{"".join(parts)}</div>'


def column_html(each: Column, slot: str = "", source: str = "") -> str:
    """One column of a cache: its token and its fate; where wanted its slot, and the slot it came from."""
    spoken = escape(t(f"round-column-{each.fate}"))
    number = f"<small>{escape(slot)}</small>" if slot else ""
    moved = f"<small>{escape(source)}</small>" if source else ""
    return (
        f'<li class="{each.fate} {each.kind}" title="{spoken}">{number}<bdi>{_visible(each.text)}</bdi>'
        f'{moved}<span class="unseen">, {spoken}</span></li>'
    )
