"""The shell in a real browser: languages, links, keyboard, narrow screens, nothing from outside."""

from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from apps.registry import PAGES
from apps.text.catalogue import LANGUAGES, text
from tests.browser.harness import go, parameters, wait_idle

pytestmark = pytest.mark.browser
Open = Callable[..., Page]


def document(page: Page) -> tuple[str, str]:
    root = page.locator("html")
    return root.get_attribute("lang") or "", root.get_attribute("dir") or ""


@pytest.mark.parametrize("code", LANGUAGES)
def test_home_opens_in_every_language(lab: str, open_page: Open, code: str) -> None:
    page = open_page(lab, lang=code)
    language = LANGUAGES[code]
    expect(page.get_by_role("heading", level=1)).to_have_text(text(language, "home-title"))
    assert document(page) == (code, language.direction)
    sidebar, main = (
        page.get_by_test_id("stSidebar").bounding_box(),
        page.get_by_test_id("stMain").bounding_box(),
    )
    assert sidebar
    assert main
    assert (sidebar["x"] > main["x"]) == (language.direction == "rtl")


def test_to_arabic_and_back(lab: str, open_page: Open) -> None:
    page = open_page(lab)
    assert document(page) == ("en", "ltr")
    page.get_by_role("radio", name="العربية").click()
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    expect(page.get_by_role("heading", level=1)).to_have_text(text(LANGUAGES["ar"], "home-title"))
    assert document(page) == ("ar", "rtl")
    assert parameters(page) == {"lang": "ar"}
    page.get_by_role("radio", name="English").click()
    expect(page.locator("html")).to_have_attribute("dir", "ltr")
    expect(page.get_by_role("heading", level=1)).to_have_text(text(LANGUAGES["en"], "home-title"))
    assert document(page) == ("en", "ltr")


def test_the_arabic_font_is_the_lab_s_own(lab: str, open_page: Open) -> None:
    page = open_page(lab, lang="fa")
    page.wait_for_function("document.fonts.check('16px \"Noto Sans Arabic\"', 'گ')")
    family = page.get_by_role("heading", level=1).evaluate("e => getComputedStyle(e).fontFamily")
    assert "Noto Sans Arabic" in family


def test_formulas_keep_their_order_in_arabic(lab: str, open_page: Open) -> None:
    page = open_page(lab, lang="ar")
    formula = page.locator(".katex", has_text="1").first
    assert formula.evaluate("e => getComputedStyle(e).direction") == "ltr"


@pytest.mark.parametrize("slug", [page.slug for page in PAGES])
def test_on_a_phone_nothing_scrolls_sideways_is_fetched_from_outside_or_fails(
    lab: str, context: BrowserContext, slug: str
) -> None:
    requested: list[str] = []
    errors: list[str] = []
    page = context.new_page()
    page.set_viewport_size({"width": 400, "height": 800})
    page.on("request", lambda request: requested.append(request.url))
    page.on("console", lambda m: errors.append(f"{m.text} {m.location}") if m.type == "error" else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    for code in LANGUAGES:
        go(page, lab, slug, lang=code)
        main = page.get_by_test_id("stMain")
        assert main.evaluate("e => e.scrollWidth - e.clientWidth") <= 0, code
        assert page.evaluate("document.documentElement.scrollWidth") <= 400, code
    page.close()
    hosts = {urlsplit(url).hostname for url in requested if not url.startswith(("data:", "blob:"))}
    assert hosts == {"127.0.0.1"}
    # Streamlit looks for its own server below the page's address first, by design.
    assert [error for error in errors if "/_stcore/" not in error] == []


def test_the_keyboard_reaches_language_links_and_machine(lab: str, open_page: Open) -> None:
    page = open_page(lab)
    reached = []
    for _ in range(15 + len(PAGES)):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("(e => e.ariaLabel || e.textContent)(document.activeElement)").strip())
    assert {"Decoding Lab", "English", "Model", "Device"} <= set(reached)
    # A group of segments is one stop; the arrows move in it.
    page.get_by_role("radio", name="English").press("ArrowRight")
    expect(page.get_by_role("radio", name="العربية")).to_be_focused()
    page.get_by_role("radio", name="فارسی").press("Enter")
    expect(page.locator("html")).to_have_attribute("lang", "fa")


def test_the_link_can_be_copied_by_keyboard_and_names_its_language(lab: str, open_page: Open) -> None:
    page = open_page(lab, device="cpu")
    page.get_by_role("button", name="Copy link").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Link copied")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    assert parse_qs(urlsplit(link).query) == {"device": ["cpu"], "lang": ["en"]}


def test_a_link_restores_a_whole_experiment(demo: str, open_page: Open) -> None:
    link = {
        "demo-tokens": 9,
        "demo-seed": 3,
        "demo-identical": "true",
        "demo-story": "sum",
        "demo-lane": "fp32",
    }
    page = open_page(demo, "demo", lang="fa", device="cpu", **{**link, "demo-prompt": "a & b"})
    expect(page.get_by_test_id("stSliderThumbValue")).to_have_text("9")
    expect(page.get_by_role("spinbutton")).to_have_value("3")
    expect(page.get_by_role("switch")).to_be_checked()
    expect(page.get_by_role("radio", name="fp32")).to_be_checked()
    expect(page.get_by_role("textbox", name="پرامپت")).to_have_value("a & b")
    expect(page.locator("html")).to_have_attribute("lang", "fa")


def test_controls_are_in_the_address_and_each_page_keeps_its_own(demo: str, open_page: Open) -> None:
    page = open_page(demo, "demo")
    page.get_by_role("slider").press("ArrowRight")
    page.get_by_role("radio", name="fp32").click()
    page.get_by_role("radio", name="فارسی").click()
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    wait_idle(page)
    experiment = {"demo-tokens": "25", "demo-lane": "fp32", "lang": "fa"}
    assert parameters(page) == experiment
    page.get_by_role("link", name="صفحه‌ای دیگر").click()
    expect(page.get_by_test_id("stSliderThumbValue")).to_have_text("5")
    wait_idle(page)
    assert parameters(page) == {"lang": "fa"}
    page.get_by_role("link", name="همهٔ بخش‌ها").click()
    expect(page.get_by_test_id("stSliderThumbValue")).to_have_text("25")
    wait_idle(page)
    assert parameters(page) == experiment


def test_try_this_changes_the_address(demo: str, open_page: Open) -> None:
    page = open_page(demo, "demo")
    page.get_by_role("button", name="Make 60 tokens").click()
    expect(page.get_by_test_id("stSliderThumbValue")).to_have_text("60")
    page.get_by_role("button", name="Take the lane").click()
    expect(page.get_by_role("radio", name="fp32")).to_be_checked()
    wait_idle(page)
    assert parameters(page) == {"demo-tokens": "60", "demo-lane": "fp32"}


def test_a_link_to_another_page_sets_its_experiment(demo: str, open_page: Open) -> None:
    page = open_page(demo, "other", lang="fa")
    page.get_by_test_id("stMain").get_by_role("link", name=text(LANGUAGES["fa"], "shell-name")).wait_for()
    page.get_by_role("link", name="آیا دو اجرای").click()
    expect(page.get_by_test_id("stSliderThumbValue")).to_have_text("7")
    expect(page.locator("html")).to_have_attribute("lang", "fa")
