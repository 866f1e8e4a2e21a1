"""Token strips: escaped, marked in three ways, named for screen readers."""

import re
from html.parser import HTMLParser

from hypothesis import example, given, strategies

from apps.widgets.tokens import Token, strip_html


def test_a_flip_is_marked_by_class_and_in_words() -> None:
    html = strip_html([Token(" moon", "agree"), Token(" sun", "flip", "margin 0.03")], "Alone")
    assert 'class="strip-token agree"' in html
    assert 'class="strip-token flip"' in html
    words = re.sub("[\u2068\u2069]", "", html)
    assert "token 1, flip" in words
    assert "margin 0.03" in words


def test_a_token_with_a_note_can_be_reached_by_keyboard() -> None:
    html = strip_html([Token("a"), Token("b", "flip", "here")], "Alone")
    assert html.count('tabindex="0"') == 1


def test_what_cannot_be_seen_is_shown() -> None:
    html = strip_html([Token(" x"), Token("\n"), Token("")], "Alone")
    assert '<i aria-hidden="true">·</i>x' in html
    assert "⏎" in html
    assert "∅" in html


def test_strips_run_left_to_right_unless_told() -> None:
    assert 'dir="ltr"' in strip_html([Token("a")], "Alone")
    assert 'dir="rtl"' in strip_html([Token("سلام")], "Alone", direction="rtl")


class Structure(HTMLParser):
    """The tags of a piece of HTML with the names of their attributes, and its text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, ...]] = []
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, *(name for name, _ in attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


@given(strategies.text(), strategies.text(), strategies.text())
@example("</bdi><script>", "'\"><img>", '" onclick="x" <b>')
def test_text_never_becomes_markup(text: str, note: str, label: str) -> None:
    plain = Structure(strip_html([Token("x", "flip", "x")], "x"))
    drawn = Structure(strip_html([Token(f"x{text}", "flip", f"x{note}")], label))
    assert drawn.tags == plain.tags
    assert label in drawn.text
    assert note in drawn.text
