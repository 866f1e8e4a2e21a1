"""The pages of the lab, once: navigation, the home page and the tests all read this list.

A page is a script in `apps/views/`. Its title and its one sentence of why are the messages `<id>-title` and
`<id>-why` of `apps/text/<language>/<id>.ftl`; the slug is its address, the same in every language. Sections
appear in the order of their first page, under the message `section-<section>`.
"""

from dataclasses import dataclass
from pathlib import Path

APPS = Path(__file__).parent
READERS = ("teacher", "student", "engineer")


@dataclass(frozen=True)
class Page:
    """One page: the id of its texts, the section it stands in, its address, and who should start with it."""

    id: str
    section: str
    slug: str
    first_for: str = ""

    @property
    def script(self) -> str:
        """The page's script, relative to the entry file as Streamlit wants it."""
        return f"views/{self.id.replace('-', '_')}.py"


HOME = Page("home", section="start", slug="")

PAGES: tuple[Page, ...] = (
    HOME,
    Page("bf16", section="numbers", slug="bf16", first_for="student"),
    Page("sum-order", section="numbers", slug="sum-order"),
    Page("token", section="numbers", slug="sum-to-token"),
    Page("machine-kernels", section="numbers", slug="this-machine", first_for="engineer"),
    Page("neighbours", section="batch", slug="neighbours", first_for="teacher"),
    Page("flips", section="batch", slug="flips"),
    Page("gate", section="repair", slug="gate"),
    Page("determinism", section="repair", slug="determinism"),
    Page("serial", section="speculation", slug="serial"),
    Page("round", section="speculation", slug="round"),
    Page("rule", section="speculation", slug="rule"),
    Page("speedup", section="speculation", slug="speedup"),
    Page("paper-results", section="speculation", slug="paper-results"),
    Page("tree", section="speculation", slug="tree"),
    Page("family", section="speculation", slug="family"),
    Page("meeting", section="speculation", slug="meeting"),
)
