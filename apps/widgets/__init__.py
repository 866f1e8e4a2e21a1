"""The parts that pages are built from. A page imports what it needs from here and from `apps.text`."""

from apps.widgets.arrange import arrange
from apps.widgets.controls import Choice, Controls, Held, LongText, Number, Several, Text, Toggle, Try
from apps.widgets.errors import shown
from apps.widgets.facts import facts
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
    "Held",
    "LongText",
    "Number",
    "Panel",
    "Several",
    "Text",
    "Toggle",
    "Token",
    "Try",
    "arrange",
    "banner",
    "chart",
    "facts",
    "formula",
    "link_to",
    "notice",
    "shown",
    "strip",
    "table",
    "title",
]
