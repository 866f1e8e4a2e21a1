"""Token strips: escaped, marked in three ways, named for screen readers."""

import re

from hypothesis import given, strategies

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


@given(strategies.text(), strategies.text(), strategies.text())
def test_text_never_becomes_markup(text: str, note: str, label: str) -> None:
    html = strip_html([Token(text, "flip", note)], label)
    tags = {tag.split()[0].strip("/") for tag in re.findall(r"<([^>]+)>", html)}
    assert tags <= {"div", "span", "bdi", "i"}
    for part in (text, note, label):
        if "<" in part:
            assert part not in html
