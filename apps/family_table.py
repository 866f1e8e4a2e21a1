"""What stands beside each method of the family's run, and the table of it: this run, its paper, Spec-Bench.

Plain functions of FamilyRecords and of the published figures. Cells tell the conditions under each figure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import pandas as pd  # type: ignore[import-untyped]

from apps.text import n, t
from lab.decode.speculative.family import SERIAL
from lab.round_records import FamilyRecord
from sims.spec_bench import Board, Entry
from sims.successors import BY_KEY, Claim, Paper

DASH = "—"


@dataclass(frozen=True)
class Beside:
    """The published figures that a method is held against: a paper's `claim`, and its row on a board."""

    key: str = ""
    claim: int = 0
    on_board: bool = True

    @property
    def paper(self) -> Paper | None:
        return BY_KEY[self.key] if self.key else None

    @property
    def figure(self) -> Claim | None:
        return self.paper.claims[self.claim] if self.paper else None

    def entry(self, board: Board) -> Entry | None:
        return board.entry(self.paper.bench) if self.paper and self.on_board else None


BESIDE = {
    "serial": Beside(),
    "chain": Beside("leviathan"),
    "ngram": Beside("leviathan", 1, on_board=False),
    "lookup": Beside("lookup"),
    "early-exit": Beside("layerskip"),
    "staged": Beside("staged"),
    "specinfer": Beside("specinfer"),
    "medusa": Beside("medusa"),
    "eagle": Beside("eagle", 1),
    "eagle-2": Beside("eagle-2", 1),
}
EXACTNESS = {
    "lossless in law": "law",
    "greedy-identical in FP32": "greedy",
    "approximate": "approximate",
}


def method_name(method: str) -> str:
    return t(f"family-method-{method}")


def drafting(records: Sequence[FamilyRecord]) -> list[FamilyRecord]:
    """All but serial decoding, with at least one pass."""
    return [record for record in records if record.method != SERIAL and record.passes]


def fastest(records: Sequence[FamilyRecord]) -> FamilyRecord | None:
    return max(drafting(records), key=lambda record: record.speedup or 0.0, default=None)


def densest(records: Sequence[FamilyRecord]) -> FamilyRecord | None:
    """Most tokens a pass."""
    return max(drafting(records), key=lambda record: record.tokens_per_pass or 0.0, default=None)


def verdict(records: Sequence[FamilyRecord], board: Board) -> str | None:
    """Who is fastest here, who gets most from a pass, who loses, and who leads on the board."""
    quick, dense = fastest(records), densest(records)
    if quick is None or dense is None or quick.speedup is None or dense.tokens_per_pass is None:
        return None
    slower = [method_name(r.method) for r in drafting(records) if (r.speedup or 0.0) < 1.0]
    parts = [
        t(
            "family-verdict-gain" if quick.speedup > 1.0 else "family-verdict-loss",
            method=method_name(quick.method),
            speedup=n(quick.speedup, ".2f"),
        ),
        t(
            "family-verdict-tokens",
            method=method_name(dense.method),
            tokens=n(dense.tokens_per_pass, ".2f"),
        ),
    ]
    if slower and quick.speedup > 1.0:
        parts.append(t("family-verdict-slower", methods=t("family-comma").join(slower)))
    placed = [(entry.speedup, r) for r in drafting(records) if (entry := BESIDE[r.method].entry(board))]
    if placed:
        ahead, first = max(placed, key=lambda pair: pair[0])
        parts.append(t("family-verdict-board", method=method_name(first.method), speedup=n(ahead, ".2f")))
    return " ".join(parts)


def table_html(records: Sequence[FamilyRecord], board: Board) -> str:
    """A row a method."""
    names = ("method", "speedup", "tokens", "passes", "nodes", "time", "promise", "paper")
    heads = [t(f"family-head-{name}") for name in names]
    machine = f"{board.machine} · {board.model}"
    top = "".join(f'<th scope="col">{escape(head)}</th>' for head in heads)
    top += f'<th scope="col">Spec-Bench<small><bdi>{escape(machine)}</bdi></small></th>'
    best = {"speedup": fastest(records), "tokens": densest(records)}
    body = "".join(_row(record, board, best) for record in records)
    label = escape(t("family-table-label"))
    return (
        f'<div class="met family" role="region" tabindex="0" aria-label="{label}"><table>'
        f"<thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _row(record: FamilyRecord, board: Board, best: dict[str, FamilyRecord | None]) -> str:
    beside = BESIDE.get(record.method, Beside())
    numbers = (
        _number(record.speedup, ".2f", best["speedup"] is record, "×"),
        _number(record.tokens_per_pass, ".2f", best["tokens"] is record),
        _number(record.passes, "d"),
        _number(record.drafted, "d"),
        _number(record.seconds, ".2f") + _drafting(record),
    )
    how = f'<small dir="ltr">{escape(how_told(record))}</small>' if record.drafter else ""
    name = f'<th scope="row"><bdi>{escape(method_name(record.method))}</bdi>{how}</th>'
    cells = [f"<td>{cell}</td>" for cell in numbers]
    wide = (_promise(record), paper_cell(beside), bench_cell(beside, board))
    cells += [f'<td class="wide">{cell}</td>' for cell in wide]
    return f"<tr>{name}{''.join(cells)}</tr>"


def how_told(record: FamilyRecord) -> str:
    """Drafter, shape and rule as the run names them."""
    return " · ".join((record.drafter, record.shape, record.rule))


def _number(value: float | None, spec: str, best: bool = False, unit: str = "") -> str:
    if value is None:
        return DASH
    kind = "number best" if best else "number"
    return f'<bdi class="{kind}">{n(value, spec)}{unit}</bdi>'


def _drafting(record: FamilyRecord) -> str:
    """The share of the time that went into guesses."""
    if not record.seconds or not record.drafter:
        return ""
    share = n(record.draft_seconds / record.seconds, ".0%")
    return f"<small>{escape(t('family-drafting', share=share))}</small>"


def _promise(record: FamilyRecord) -> str:
    """What holds of the text by construction, and whether it is serial decoding's here."""
    kind = EXACTNESS[record.exactness]
    promise = f'<span class="{kind}">{escape(t(f"family-promise-{kind}"))}</span>'
    if record.method == SERIAL:
        return promise
    found = "equal" if record.same_as_plain else "parted"
    return f'{promise}<small><span class="{found}">{escape(t(f"family-text-{found}"))}</span></small>'


def paper_cell(beside: Beside) -> str:
    """Speedup and tokens a pass as the paper has them, its name as a link, its conditions."""
    paper, claim = beside.paper, beside.figure
    if paper is None or claim is None:
        return DASH
    tokens = f" · {claim.tokens:g}" if claim.tokens else ""
    link = f'<a href="{paper.source}" target="_blank" rel="noopener">{escape(paper.name)}</a>'
    told = f" · {escape(claim.conditions)}" if claim.conditions else ""
    figure = f'<bdi class="number" dir="ltr">{claim.told}{tokens}</bdi>'
    return f'{figure}<small dir="ltr">{link}{told}</small>'


def bench_cell(beside: Beside, board: Board) -> str:
    """Speedup and tokens a pass on the board."""
    entry = beside.entry(board)
    if entry is None:
        return DASH
    return (
        f'<bdi class="number" dir="ltr">{entry.speedup:.2f}× · {entry.tokens:.2f}</bdi>'
        f'<small dir="ltr">{escape(entry.method)}</small>'
    )


def frame(records: Sequence[FamilyRecord], board: Board) -> pd.DataFrame:
    """The same to take away: this run, the paper's figure with its conditions, the board's."""
    rows = []
    for record in records:
        beside = BESIDE.get(record.method, Beside())
        paper, claim, entry = beside.paper, beside.figure, beside.entry(board)
        rows.append(
            {
                "method": record.method,
                "drafter": record.drafter,
                "shape": record.shape,
                "rule": record.rule,
                "exactness": record.exactness,
                "new_tokens": len(record.tokens),
                "passes": record.passes,
                "tokens_per_pass": record.tokens_per_pass,
                "nodes": record.drafted,
                "levels": record.levels,
                "seconds": record.seconds,
                "draft_seconds": record.draft_seconds,
                "verify_seconds": record.verify_seconds,
                "run_speedup": record.speedup,
                "equal": record.same_as_plain,
                "paper": paper.name if paper else None,
                "paper_low": claim.low if claim else None,
                "paper_high": float(claim.high) if claim else None,
                "paper_tokens": claim.tokens if claim else None,
                "conditions": claim.conditions if claim else None,
                "source": paper.source if paper else None,
                "bench_speedup": entry.speedup if entry else None,
                "bench_tokens": entry.tokens if entry else None,
                "board": f"{board.machine} · {board.model}" if entry else None,
                "text": "".join(record.texts),
            }
        )
    return pd.DataFrame(rows)
