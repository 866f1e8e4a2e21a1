"""The tables of speculative decoding, as commands and `trace show` print them."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table

from lab.cli.tables import narrow
from lab.decode.speculative.figures import plain_seconds, round_figures
from lab.decode.speculative.settings import PLAIN
from lab.records import TokenRecord
from lab.round_records import RoundRecord


def round_table(records: Sequence[object]) -> Table:
    """What the rounds of a run amount to; where a plain run stands beside it, the two compared."""
    figures = round_figures([record for record in records if isinstance(record, RoundRecord)])
    table = narrow("acceptance, pooled over all rounds")
    table.add_column("figure", no_wrap=True)
    table.add_column("value", justify="right", no_wrap=True)
    rows = {
        "target passes": str(figures.passes),
        "tokens a round": _number(figures.tokens_per_round),
        "drafted a round": _number(figures.drafted_per_round),
        "accepted / drafted": f"{figures.accepted} / {figures.drafted}",
        "accepted at each position, if reached": " ".join(map(_number, figures.conditional)),
        "accepted at each position, of all rounds": " ".join(map(_number, figures.unconditional)),
        "seconds: draft, verify, all": (
            f"{figures.draft_seconds:.2f}  {figures.verify_seconds:.2f}  {figures.seconds:.2f}"
        ),
    }
    plain = [r for r in records if isinstance(r, TokenRecord) and r.request.startswith(PLAIN)]
    if plain:
        rows |= _compared(records, plain, figures.seconds)
    for name, value in rows.items():
        table.add_row(name, value)
    return table


def _compared(records: Sequence[object], plain: list[TokenRecord], seconds: float) -> dict[str, str]:
    own = [r for r in records if isinstance(r, TokenRecord) and not r.request.startswith(PLAIN)]
    alone = {(r.request.removeprefix(PLAIN), r.index): r.token for r in plain}
    spoken = {(r.request, r.index): r.token for r in own}
    plainly = plain_seconds(plain)
    return {
        "plain seconds": f"{plainly:.2f}",
        "plain ÷ speculative": _number(plainly / seconds if seconds else None),
        "same tokens as plain (greedy must, sampling need not)": "yes" if alone == spoken else "no",
    }


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"
