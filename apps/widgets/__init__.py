"""The parts that pages are built from. A page imports what it needs from here and from `apps.text`."""

from apps.widgets.controls import Choice, Controls, Number, Text, Toggle, Try
from apps.widgets.errors import shown
from apps.widgets.figure import AGREE, AGREE_MARKER, FLIP, FLIP_MARKER, chart
from apps.widgets.live import Panel
from apps.widgets.origin import banner
from apps.widgets.page import formula, link_to, notice, title
from apps.widgets.table import table
from apps.widgets.tokens import Token, strip

__all__ = [
    "AGREE",
    "AGREE_MARKER",
    "FLIP",
    "FLIP_MARKER",
    "Choice",
    "Controls",
    "Number",
    "Panel",
    "Text",
    "Toggle",
    "Token",
    "Try",
    "banner",
    "chart",
    "formula",
    "link_to",
    "notice",
    "shown",
    "strip",
    "table",
    "title",
]
