"""What is known of a draft or of heads: a JSON file beside it, written by the command that made it.

`markdown` is the same as a table: the model card shows it, and a test holds the two equal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from lab.errors import LabError
from lab.training.evaluate import Figures


@dataclass(frozen=True)
class Card:
    """How a draft was made and how good it is. `recipe`: the options of the command that made it."""

    target: str
    parameters: int
    """0 for a table."""
    vocabulary: int
    texts: int
    tokens: int
    """Of the continuations that it learnt from."""
    recipe: dict[str, Any] = field(default_factory=dict)
    figures: tuple[Figures, ...] = ()


_CARD = TypeAdapter(Card)
_COLUMNS = (
    "draft",
    "prompts",
    "T",
    "tokens",
    "covered",
    "loss",
    "α ± standard error",
    "accepted at place 1, 2, …",
)


def card_path(draft: Path) -> Path:
    return draft.with_suffix(".json")


def write_card(draft: Path, card: Card) -> None:
    card_path(draft).write_bytes(_CARD.dump_json(card, indent=1) + b"\n")


def read_card(draft: Path) -> Card:
    """The card of a draft's file. Raises LabError."""
    try:
        return _CARD.validate_json(card_path(draft).read_bytes())
    except (OSError, ValidationError) as error:
        raise LabError(
            f"{card_path(draft)} is no draft's card: {error}.", "Train the draft again."
        ) from error


def markdown(figures: Sequence[Figures]) -> str:
    """A table with a line for every set of figures."""
    lines = [_line(_COLUMNS), _line(("---",) * len(_COLUMNS))]
    for each in figures:
        places = " ".join(f"{share:.2f}".lstrip("0") for share in each.by_position)
        lines.append(
            _line(
                (
                    each.draft,
                    f"{each.prompts} {each.domain}",
                    f"{each.temperature:g}",
                    f"{each.tokens:,}",
                    f"{each.covered:.3f}",
                    "" if each.loss is None else f"{each.loss:.2f}",
                    f"{each.alpha:.3f} ± {each.error:.3f}",
                    places,
                )
            )
        )
    return "\n".join(lines) + "\n"


def rank_table(figures: Sequence[Figures]) -> str:
    """How often heads' first, second … choice is the target's, at each depth, where that was counted."""
    counted = [each for each in figures if each.by_rank]
    ranks = len(counted[0].by_rank[0])
    columns = ("draft", "prompts", "depth", *(f"choice {rank}" for rank in range(1, ranks + 1)))
    lines = [_line(columns), _line(("---",) * len(columns))]
    for each in counted:
        for depth, shares in enumerate(each.by_rank, 1):
            told = (f"{share:.3f}".lstrip("0") for share in shares)
            lines.append(_line((each.draft, f"{each.prompts} {each.domain}", str(depth), *told)))
    return "\n".join(lines) + "\n"


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
