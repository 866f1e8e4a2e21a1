"""The page of a sum's order: presets, orders by hand, sentences, bad input, links."""

from functools import partial

import numpy as np
import pytest

from apps import sum_pictures, sums
from apps.text.catalogue import LANGUAGES
from sims.compare import agreement
from sims.errors import InputError
from sims.layer import logit_products
from sims.orders import CATALOGUE
from sims.spread import spread
from sims.stories import STORIES, linspace_products
from tests.apps.opening import facts, open_page, told

page = partial(open_page, "sum-order")


def preset(name: str) -> tuple[sums.Addends, sums.Arithmetic]:
    kind = sums.arithmetic(sums.PRESETS[name].values)
    return sums.read_addends(sums.PRESETS[name].text, kind)[1], kind


def test_every_story_is_a_preset_with_its_own_arithmetic() -> None:
    for story in STORIES:
        chosen = sums.PRESETS[story.key.replace("_", "-")]
        assert sums.arithmetic(chosen.values) == story.arithmetic
        assert tuple(sums.ORDERS[name] for name in chosen.orders) == story.orders


def test_dot_products_are_added_as_they_are() -> None:
    for name, addends in (("layer", logit_products()), ("linspace", linspace_products(256))):
        assert preset(name)[0] == tuple(addends.tolist())


def test_orders_are_those_of_the_simulations() -> None:
    assert set(sums.ORDERS.values()) <= set(CATALOGUE)


def test_positions_are_read_back() -> None:
    for positions in ((2, 0, 1), (0, 1, 2), tuple(range(40))[::-1]):
        assert sums.read_positions(sums.positions_text(positions), len(positions)) == positions
    assert sums.positions_text((0, 1, 2)) == ""
    assert sums.read_positions("٢, ۳; 1", 3) == (1, 2, 0)


@pytest.mark.parametrize("text", ["1 2", "1 2 2", "0 1 2", "1 2 4", "1 2 2.5", "1 2 nan", "a b c", ", ,"])
def test_what_is_no_order_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        sums.read_positions(text, 3)


def test_an_addend_beyond_its_format_is_named() -> None:
    kind = sums.arithmetic(sums.PRESETS["tenth"].values | {"format": "fp16"})
    with pytest.raises(InputError) as error:
        sums.read_addends("1 70000", kind)
    assert error.value.values == {"piece": "70000", "format": "FP16", "largest": "65504"}


def test_groups_have_a_letter_each() -> None:
    addends, kind = preset("swallowed")
    outcomes = sums.compared(addends, tuple(sums.ORDERS.values()), kind)
    letters = sums.group_letters(outcomes)
    assert set(letters.values()) == {"ABCDEFGH"[k] for k in range(len(agreement(outcomes)))}
    table = sums.outcomes_table([o.order.key for o in outcomes], outcomes)
    assert table.groupby("group")["result"].nunique().eq(1).all()
    assert (table["error"].abs() <= table["bound"]).all()


def test_the_tree_is_drawn_with_every_node() -> None:
    addends, kind = preset("tenth")
    walk = sums.walked(addends, sums.ORDERS["pairwise"], kind)
    figure = sum_pictures.tree_figure(sums.ORDERS["pairwise"].tree(10), walk, step=3)
    nodes = [trace for trace in figure.data if "markers" in (trace.mode or "") and trace.text is not None]
    assert sum(len(trace.x) for trace in nodes) == 19


def test_the_histogram_shows_all_orders() -> None:
    for name in ("associativity", "layer", "linspace"):
        addends, kind = preset(name)
        result = spread(addends, 500, 0, kind)
        for in_accumulator in (False, True):
            bars = sum_pictures.spread_figure(result, result.exact, in_accumulator).data
            assert sum(np.sum(b.y) for b in bars if b.type == "bar") == pytest.approx(100)


def test_an_overflow_in_a_random_order_is_left_out_of_the_picture() -> None:
    kind = sums.arithmetic(sums.PRESETS["cancellation"].values)
    result = spread((3e38, 3e38, -3e38), 200, 0, kind)
    assert not np.isfinite(result.sums).all()
    bars = sum_pictures.spread_figure(result, 0.0, sums=False).data
    assert 0 < sum(np.sum(b.y) for b in bars if b.type == "bar") < 100


def test_bounds_without_any_error_have_no_picture() -> None:
    kind = sums.arithmetic(sums.PRESETS["tenth"].values)
    outcomes = sums.compared((0.0, 0.0), (sums.ORDERS["sequential"],), kind)
    assert sum_pictures.bounds_figure(["one"], outcomes) is None


def test_the_default_story() -> None:
    at = page()
    assert not at.exception
    assert "**Swallowed.**" in told(at)
    assert at.dataframe[0].value["Result"].tolist() == [256, 256]
    assert at.dataframe[1].value["Result"].tolist() == [256, 258]
    assert at.dataframe[1].value["Group"].tolist() == ["A", "B"]


@pytest.mark.parametrize("story", sums.PRESETS)
def test_a_story_sets_the_page(story: str) -> None:
    at = page()
    at.selectbox(key="sum-order-story-seen").set_value(story).run()
    assert not at.exception
    assert not at.error
    wanted = sums.PRESETS[story]
    assert at.session_state["sum-order-format"] == wanted.arithmetic.output.key
    assert tuple(at.multiselect(key="sum-order-orders-seen").value) == wanted.orders
    assert at.dataframe[1].value["Name in the code"].tolist() == [
        sums.ORDERS[name].key for name in wanted.orders
    ]


def test_a_story_can_be_edited() -> None:
    at = page()
    at.button(key="sum-order-edit").click().run()
    assert at.text_area(key="sum-order-addends-seen").value == "256 1 1"
    at.text_area(key="sum-order-addends-seen").set_value("256, 1; 1\n٢").run()
    assert not at.exception
    assert len(at.dataframe[0].value) == 3
    at.selectbox(key="sum-order-story-seen").set_value("tenth").run()
    assert at.text_area(key="sum-order-addends-seen").value == ""


@pytest.mark.parametrize("walk", [*sums.ORDERS, sums.BY_HAND])
def test_every_order_can_be_walked(walk: str) -> None:
    at = page(story="tenth", walk=walk, step="4", positions="10 9 8 7 6 5 4 3 2 1")
    assert not at.exception
    assert not at.error
    assert at.slider(key="sum-order-step").value == 4


def test_the_step_moves_the_sentence() -> None:
    at = page(addends="1 2 4 8")
    assert "1\u2069 + \u20682\u2069" in told(at)
    at.slider(key="sum-order-step").set_value(3).run()
    assert "7\u2069 + \u20688\u2069" in told(at)
    at.text_area(key="sum-order-addends-seen").set_value("1 2 4").run()
    assert at.slider(key="sum-order-step").value == 2, "a shorter list ends sooner"


def test_an_order_by_hand_is_walked_and_compared() -> None:
    at = page(walk="byhand", positions="2 3 1")
    assert "258" in facts(at)
    assert at.dataframe[1].value["Order"].tolist() == ["one by one", "reversed", "by hand"]


def test_an_order_by_hand_for_another_list_is_set_aside_with_a_message() -> None:
    at = page(walk="byhand", positions="2 1")
    assert not at.exception
    assert "set aside" in at.error[0].value
    assert at.text_input(key="sum-order-positions").value == "2 1"
    assert "256" in facts(at)


def test_an_example_of_the_histogram_is_walked() -> None:
    at = page()
    at.button(key="sum-order-example-high").click().run()
    assert at.session_state["sum-order-walk"] == sums.BY_HAND
    assert "<dd><bdi dir='ltr'>258</bdi></dd>" in facts(at)


@pytest.mark.parametrize(
    ("addends", "message"),
    [
        (", ;", "The list is empty"),
        ("1 two 3", "is not a number"),
        ("1 nan", "no exact sum"),
        ("1e39 1", "beyond the largest number"),
        ("1 " * 1025, "Use at most \u20681,024"),
        ("3e38 3e38", "overflows"),
    ],
)
def test_bad_addends_are_a_message_and_stay(addends: str, message: str) -> None:
    at = page(addends=addends)
    assert not at.exception
    assert message in at.error[0].value
    assert at.text_area(key="sum-order-addends-seen").value == addends
    for code in ("ar", "fa"):
        translated = page(addends=addends, lang=code).error[0].value
        assert message not in translated


def test_ten_million_numbers_are_refused_unread() -> None:
    at = page()
    at.text_area(key="sum-order-addends-seen").set_value("1 " * 10**7).run()
    assert not at.exception
    assert "about \u206810,000,000\u2069 numbers" in at.error[0].value
    assert at.session_state["sum-order-addends"] == "…", "the address holds no such text"
    assert len(at.session_state["sum-order-addends-seen"]) == 2 * 10**7
    at.button(key="try-sum-order-try-kahan").click().run()
    assert not at.error


def test_one_addend_has_no_order() -> None:
    at = page(addends="5")
    assert not at.exception
    assert "at least two" in at.info[0].value


def test_no_order_chosen() -> None:
    at = page()
    at.multiselect(key="sum-order-orders-seen").set_value([]).run()
    assert not at.exception
    assert "at least one order" in at.info[0].value


def test_a_link_restores_the_experiment() -> None:
    link = {
        "addends": "0.5 0.25 1e-3 7",
        "format": "fp16",
        "accumulator": "fp32",
        "partials": "true",
        "walk": "splitk2",
        "step": "2",
        "orders": "pairwise,splitk2,kahan",
        "samples": "5000",
        "seed": "7",
        "view": "sums",
    }
    at = page(**link)
    assert not at.exception
    for name in ("addends", "format", "accumulator", "walk", "orders", "view"):
        assert at.session_state[f"sum-order-{name}"] == link[name]
    assert at.slider(key="sum-order-step").value == 2
    assert at.slider(key="sum-order-samples").value == 5000
    assert at.number_input(key="sum-order-seed").value == 7
    assert at.toggle(key="sum-order-partials").value


@pytest.mark.parametrize("idea", ["swallowed", "layer", "kahan"])
@pytest.mark.parametrize("code", LANGUAGES)
def test_try_this_sets_the_page(idea: str, code: str) -> None:
    at = page(lang=code)
    at.button(key=f"try-sum-order-try-{idea}").click().run()
    assert not at.exception
    assert not at.error
