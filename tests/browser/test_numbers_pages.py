"""The pages of numbers and sums in a real browser: controls, links, keyboard, narrow screens, speed."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from apps.text.catalogue import LANGUAGES, text
from tests.browser.harness import go, parameters, wait_idle
from tests.browser.timing import SUM_ORDER, slider_seconds

pytestmark = pytest.mark.browser
Open = Callable[..., Page]


def chips(page: Page) -> Locator:
    return page.locator("ol button")


def test_the_keyboard_turns_a_bit_over(lab: str, open_page: Open) -> None:
    page = open_page(lab, "bf16", **{"bf16-number": "256"})
    page.locator(".st-key-bf16-bit-15 button").focus()
    for _ in range(15):  # sixteen bits, one stop each
        page.keyboard.press("Tab")
    expect(page.locator(".st-key-bf16-bit-0 button")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("textbox", name="Number")).to_have_value("258")
    expect(page.locator(".st-key-bf16-bit-0 button")).to_be_focused()
    page.keyboard.press("Space")
    expect(page.get_by_role("textbox", name="Number")).to_have_value("256")


def test_a_pressed_bit_is_in_the_link(lab: str, open_page: Open) -> None:
    page = open_page(lab, "bf16", **{"bf16-number": "inf"})
    page.locator(".st-key-bf16-bit-3 button").click()
    expect(page.locator(".facts")).to_contain_text("0x7F88")
    wait_idle(page)
    assert parameters(page) == {"bf16-number": "nan", "bf16-pattern": "7f88"}
    again = open_page(lab, "bf16", **parameters(page))
    expect(again.locator(".facts")).to_contain_text("0x7F88")


def test_typing_a_number_changes_everything(lab: str, open_page: Open) -> None:
    page = open_page(lab, "bf16")
    field = page.get_by_role("textbox", name="Number")
    field.fill("۲۵۷")
    field.press("Enter")
    expect(page.locator(".facts")).to_contain_text("0x4380")
    expect(page.get_by_text("lies exactly half-way between")).to_be_visible()
    field.fill("abc")
    field.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("is not a number")
    expect(field).to_have_value("abc")


def test_a_story_and_a_step(lab: str, open_page: Open) -> None:
    page = open_page(lab, "sum-order")
    page.get_by_role("combobox", name="Story").click()
    page.get_by_role("option", name="The sum of ten times 0.1").click()
    expect(chips(page)).to_have_count(10)
    page.get_by_role("slider", name="Step").press("ArrowRight")
    expect(page.get_by_test_id("stSliderThumbValue").first).to_have_text("2")
    wait_idle(page)
    link = parameters(page)
    assert (link["sum-order-story"], link["sum-order-step"]) == ("tenth", "2")
    again = open_page(lab, "sum-order", **link)
    expect(again.get_by_test_id("stSliderThumbValue").first).to_have_text("2")
    expect(chips(again)).to_have_count(10)


def test_an_addend_is_moved_by_keyboard(lab: str, open_page: Open) -> None:
    page = open_page(lab, "sum-order")
    expect(chips(page)).to_have_text(["256", "1", "1"])
    chips(page).first.focus()
    page.keyboard.press("End")
    expect(chips(page)).to_have_text(["1", "1", "256"])
    expect(page.locator(".facts dd").first).to_have_text("258")
    wait_idle(page)
    assert parameters(page) == {"sum-order-walk": "byhand", "sum-order-positions": "2 3 1"}
    page.keyboard.press("ArrowLeft")  # the focus went along
    expect(page.locator(".facts dd").first).to_have_text("256")


def test_an_addend_is_dragged(lab: str, open_page: Open) -> None:
    page = open_page(lab, "sum-order")
    wait_idle(page)
    page.evaluate("() => document.fonts.ready")  # a font that arrives late moves the chips
    chips(page).first.scroll_into_view_if_needed()
    chips(page).first.hover()  # waits until the chip stands still and can be reached
    start, end = chips(page).first.bounding_box(), chips(page).last.bounding_box()
    assert start
    assert end
    page.mouse.move(start["x"] + 5, start["y"] + 5)
    page.mouse.down()
    page.mouse.move(end["x"] + end["width"] - 5, end["y"] + 5, steps=8)
    page.mouse.up()
    expect(page.locator(".facts dd").first).to_have_text("258")
    expect(chips(page)).to_have_text(["1", "1", "256"])


@pytest.mark.parametrize(
    ("slug", "values"),
    [
        ("bf16", {"bf16-number": "257", "bf16-zoom": "5"}),
        ("sum-order", {"sum-order-story": "tenth", "sum-order-walk": "pairwise"}),
    ],
)
def test_to_arabic_and_back(lab: str, open_page: Open, slug: str, values: dict[str, str]) -> None:
    page = open_page(lab, slug, **values)
    for code in ("ar", "fa", "en"):
        language = LANGUAGES[code]
        page.get_by_role("radio", name=language.name).click()
        expect(page.locator("html")).to_have_attribute("dir", language.direction)
        expect(page.get_by_role("heading", level=1)).to_have_text(text(language, f"{slug}-title"))
        wait_idle(page)
        assert {name: parameters(page).get(name) for name in values} == values
    assert page.get_by_test_id("stException").count() == 0


@pytest.mark.parametrize(
    ("slug", "values"),
    [
        ("bf16", {"bf16-number": "1e-40"}),
        ("sum-order", {"sum-order-story": "layer", "sum-order-products": "true"}),
        ("sum-order", {"sum-order-story": "swallowed", "sum-order-walk": "byhand"}),
    ],
)
def test_no_sideways_scrolling_on_a_phone(
    lab: str, open_page: Open, slug: str, values: dict[str, str]
) -> None:
    page = open_page(lab, slug)
    page.set_viewport_size({"width": 400, "height": 800})
    for code in LANGUAGES:
        go(page, lab, slug, lang=code, **values)
        main = page.get_by_test_id("stMain")
        assert main.evaluate("e => e.scrollWidth - e.clientWidth") <= 0, code


def test_ten_million_pasted_numbers(lab: str, open_page: Open) -> None:
    page = open_page(lab, "sum-order")
    field = page.get_by_role("textbox", name="Your own addends")
    field.evaluate(
        """e => {
          const value = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value")
          value.set.call(e, "1 ".repeat(1e7))
          e.dispatchEvent(new Event("input", { bubbles: true }))
        }"""
    )
    field.press("Control+Enter")
    expect(page.get_by_role("alert")).to_contain_text("10,000,000", timeout=60_000)
    assert field.evaluate("e => e.value.length") == 2 * 10**7
    page.get_by_role("button", name="Take a real logit").click()
    expect(page.locator(".facts dd").first).to_have_text("34", timeout=60_000)


def test_a_slider_is_followed_by_its_picture(lab: str, open_page: Open) -> None:
    page = open_page(lab, "sum-order", **{"sum-order-story": "tenth"})
    page.wait_for_selector(".st-key-sum-order-running .scatterlayer .point")
    assert slider_seconds(page, SUM_ORDER, moves=3) > 0  # how soon: tests/bench/bench_sums.py
