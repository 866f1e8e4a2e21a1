"""A second page: a parameter with the name of one of the first page, and a link to an experiment there."""

from apps.registry import Page
from apps.widgets import Controls, Number, link_to, title

title("demo-other")
Controls("demo-other", Number("tokens", 5, 1, 8)).draw("tokens")
FIRST = Controls("demo", Number("tokens", 24, 1, 96))
link_to(Page("demo", section="demo", slug="demo"), **FIRST.keyed(tokens=7))
