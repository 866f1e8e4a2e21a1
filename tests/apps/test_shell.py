"""The shell and its pages, run without a browser, in every language."""

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from apps.registry import APPS, HOME, PAGES, READERS, Page
from apps.text.catalogue import LANGUAGES, text
from tests.apps.opening import LAB, run

DEMO = APPS.parent / "tests" / "browser" / "demo" / "app.py"


@pytest.fixture
def demo() -> Callable[..., AppTest]:
    return lambda **parameters: run(DEMO, "views/demo.py", **parameters)


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.id)
def test_every_page_opens_in_every_language(page: Page, code: str) -> None:
    at = run(LAB, page.script if page != HOME else "", lang=code)
    assert not at.exception
    assert at.title[0].value == text(LANGUAGES[code], f"{page.id}-title")


def test_the_registry_is_sound() -> None:
    assert [page.slug for page in PAGES].count("") == 1, "one page is where the lab opens"
    for attribute in ("id", "slug"):
        values = [getattr(page, attribute) for page in PAGES]
        assert len(set(values)) == len(values)
        assert all(value.isascii() and value == value.lower() for value in values)
    for page in PAGES:
        assert (APPS / page.script).is_file()
        assert page.first_for in ("", *READERS)


@pytest.mark.parametrize(
    ("locale", "code"), [(None, "en"), ("de-DE", "en"), ("ar-EG", "ar"), ("fa", "fa"), ("en-GB", "en")]
)
def test_the_browser_chooses_the_first_language(locale: str | None, code: str) -> None:
    at = run(LAB, locale=locale)
    assert at.title[0].value == text(LANGUAGES[code], "home-title")


def test_a_link_outranks_the_browser() -> None:
    at = run(LAB, locale="ar-EG", lang="fa")
    assert at.title[0].value == text(LANGUAGES["fa"], "home-title")


def test_an_unknown_language_is_as_none() -> None:
    at = run(LAB, locale="ar-EG", lang="xx")
    assert not at.exception
    assert at.title[0].value == text(LANGUAGES["ar"], "home-title")


def test_a_model_that_this_machine_lacks_stays_chosen() -> None:
    at = run(LAB, model="some/model")
    assert at.selectbox(key="model-seen").value == "some/model"


def test_a_choice_speaks_the_language_and_is_held_by_its_name(demo: Callable[..., AppTest]) -> None:
    at = demo(lang="fa", demo_story="sum")
    assert at.selectbox(key="demo-story-seen").options == ["گردش روی ماه", "مجموع 0.1"]
    assert at.session_state["demo-story"] == "sum"
    at = demo(lang="en", demo_story="sum")
    assert at.selectbox(key="demo-story-seen").value == "sum"


def test_an_unknown_option_is_as_none(demo: Callable[..., AppTest]) -> None:
    at = demo(demo_story="nope", demo_tokens="999", demo_lane="fp32")
    assert not at.exception
    assert at.selectbox(key="demo-story-seen").value == "moon"
    assert at.slider(key="demo-tokens").value == 24
    assert at.session_state["demo-lane"] == "fp32"


def test_try_this_sets_the_controls(demo: Callable[..., AppTest]) -> None:
    at = demo()
    at.button(key="try-demo-try-long").click().run()
    assert at.slider(key="demo-tokens").value == 60


@pytest.mark.usefixtures("at_once")
def test_a_run_replaces_the_recording_and_can_be_forgotten(demo: Callable[..., AppTest]) -> None:
    at = demo(demo_tokens="2")
    assert len(at.dataframe[0].value) == 24
    assert 'class="origin recorded"' in "".join(html.value for html in at.html)
    at.button(key="demo-run-begin").click().run()
    assert not at.exception
    assert len(at.dataframe[0].value) == 2
    assert 'class="origin live"' in "".join(html.value for html in at.html)
    at.slider(key="demo-tokens").set_value(3).run()
    assert "settings have changed" in at.info[0].value
    assert len(at.dataframe[0].value) == 2
    at.button(key="demo-run-forget").click().run()
    assert len(at.dataframe[0].value) == 24


@pytest.mark.usefixtures("at_once")
def test_bad_input_is_a_message_without_a_traceback(demo: Callable[..., AppTest]) -> None:
    at = demo(demo_lane="broken")
    at.button(key="demo-run-begin").click().run()
    assert not at.exception
    assert "The lane 'broken' does not exist. Choose fp32" in at.error[0].value
    at = demo(demo_prompt="bad")
    assert not at.exception
    assert "'bad' is not a prompt." in at.error[0].value
