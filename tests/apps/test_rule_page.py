"""The page of the rule: positions of a run, bars of both laws, the playground, what a press does."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from apps import rule_pictures, rule_playground, rule_positions
from apps.rule_playground import PRESETS, Playground, playground, preset
from sims.errors import InputError
from sims.mistakes import RULES
from tests.apps.opening import open_page, told
from tests.apps.round_records import ROUNDS, drafted, law, round_of

POSITIONS = rule_positions.positions(ROUNDS)
VALUES = dict.fromkeys(rule_playground.WEIGHTS, 1) | {"size": 4, "rule": "exact", "gamma": 2}


def test_every_emitted_token_is_a_position() -> None:
    assert [one.text for one in POSITIONS] == [f" t{i}" for i in range(1, 8)]
    marks = ["accepted", "corrected", "accepted", "accepted", "accepted", "bonus", "corrected"]
    assert [one.mark for one in POSITIONS] == marks
    assert POSITIONS[1].tested == ROUNDS[0].drafted[1]
    assert POSITIONS[5].tested is None
    assert POSITIONS[5].law == ROUNDS[1].last_law
    assert POSITIONS[0].label == "✓ ·t1"


def test_no_two_labels_are_equal() -> None:
    """Streamlit would take a press on one for a press on the other."""
    twice = rule_positions.labels([POSITIONS[0], POSITIONS[1], POSITIONS[0], POSITIONS[0]])
    assert len(set(twice)) == 4
    assert [label.rstrip("\u2060") for label in twice] == [POSITIONS[at].label for at in (0, 1, 0, 0)]


def test_a_cut_round_ends_with_an_accepted_token() -> None:
    found = rule_positions.positions([round_of(0, 1, accepted=2, gamma=3, ending="cut")])
    assert [one.mark for one in found] == ["accepted", "accepted"]
    assert all(one.tested for one in found)


def test_each_way_out_is_told() -> None:
    words = {"accepted": "Accepted.", "corrected": "Rejected and corrected.", "bonus": "Bonus."}
    for one in POSITIONS:
        assert words[one.mark] in rule_positions.told(one)
    assert rule_positions.most_telling(POSITIONS) == 1


def test_bars_have_a_tail_where_mass_is_left() -> None:
    seen = rule_positions.bars(POSITIONS[1])
    assert seen is not None
    assert len(seen.names) == 3
    assert seen.p == pytest.approx((0.25, 0.5, 0.25))
    assert seen.q == pytest.approx((0.5, 0.25, 0.25))
    assert sum(seen.residual) == pytest.approx(1)
    whole = replace(POSITIONS[1], law=law((0.25, 0.75), (1.0, 0.0)))
    drawn = rule_positions.bars(whole)
    assert drawn is not None
    assert len(drawn.names) == 2
    assert drawn.residual == pytest.approx((0, 1))
    bonus = rule_positions.bars(POSITIONS[5])
    assert bonus is not None
    assert bonus.q == bonus.residual == ()


def test_the_tested_and_the_emitted_token_are_signed() -> None:
    tested = replace(drafted(0, False), law=law((0.25, 0.5), (0.5, 0.25)))
    one = replace(POSITIONS[1], tested=tested, law=tested.law, token=1)
    seen = rule_positions.bars(one)
    assert seen is not None
    assert seen.names[0].startswith("✕ ")
    assert seen.names[1].startswith("◆ ")


def test_a_run_without_laws_has_no_bars() -> None:
    assert rule_positions.bars(replace(POSITIONS[0], law=None)) is None
    assert rule_positions.facts(replace(POSITIONS[0], law=None))


def test_the_picture_has_all_three_laws() -> None:
    seen = rule_positions.bars(POSITIONS[1])
    assert seen is not None
    figure = rule_pictures.laws_figure(seen)
    assert [list(trace.x) for trace in figure.data] == [list(seen.p), list(seen.q), list(seen.residual)]


def test_the_table_has_every_token() -> None:
    frame = rule_positions.frame(POSITIONS)
    assert len(frame) == len(POSITIONS)
    assert frame["u"].isna().sum() == 1


@pytest.mark.parametrize("name", PRESETS)
def test_the_rule_is_exact_on_every_preset(name: str) -> None:
    seen = playground(VALUES | preset(name))
    assert rule_playground.verdict(seen).startswith("**Exact.**")
    figures = dict(rule_playground.round_facts(seen))
    assert figures["Tokens a round, enumerated"] == figures["Tokens a round, Eq. 1"]
    assert float(figures["First token: largest |law − p|"]) < 1e-12
    assert float(figures["Their sum"]) == pytest.approx(1)
    assert all(0 <= weight <= rule_playground.HEAVIEST for side in PRESETS[name] for weight in side)


def test_mistakes_are_named_with_their_worst_token() -> None:
    seen = playground(VALUES | preset("near") | {"rule": "accept-always"})
    assert "**Wrong law.** Token" in rule_playground.verdict(seen)
    assert "Token A" in re.sub("[\u2068\u2069]", "", rule_playground.verdict(seen))
    assert "0.300" in rule_playground.verdict(seen)
    hidden = playground(VALUES | preset("equal") | {"rule": "reversed-test"})
    assert "No error to see" in rule_playground.verdict(hidden)


def test_the_stacks_end_at_the_output_law() -> None:
    seen = playground(VALUES | preset("near"))
    figure = rule_pictures.parts_figure(seen.p, seen.q, seen.parts)
    stacked = np.array(figure.data[0].y) + np.array(figure.data[1].y)
    assert stacked == pytest.approx(seen.p)
    assert list(figure.data[2].y) == pytest.approx(list(seen.p))


def test_tables_of_the_playground() -> None:
    seen: Playground = playground(VALUES | preset("near"))
    frame = rule_playground.rules_frame(seen)
    assert len(frame) == len(RULES) + 2
    laws = frame[["A", "B", "C", "D"]].sum(axis=1)
    assert laws.to_numpy() == pytest.approx(np.ones(len(frame)))
    outcomes = rule_playground.outcomes_frame(seen)
    assert outcomes["probability"].sum() == pytest.approx(1)
    assert outcomes["probability"].is_monotonic_decreasing


def test_weights_that_are_all_zero_are_refused() -> None:
    with pytest.raises(InputError, match="weights of p"):
        playground(VALUES | {f"p{i}": 0 for i in range(1, 9)})


def test_a_press_on_a_token_moves_the_slider_and_back() -> None:
    page = open_page("rule", token="3")
    assert not page.exception
    assert page.slider(key="rule-token").value == 3
    assert page.button_group(key="rule-token-seen").value == 3
    for place in (0, 7):
        page.button_group(key="rule-token-seen").set_value(place).run()
        assert page.slider(key="rule-token").value == place
    page.slider(key="rule-token").set_value(2).run()
    assert page.button_group(key="rule-token-seen").value == 2
    assert not page.exception


def test_presets_and_mistakes_on_the_page() -> None:
    page = open_page("rule")
    assert "**Exact.**" in told(page)
    page.button(key="try-rule-try-softmax").click().run()
    assert "**Wrong law.**" in told(page)
    page.button(key="rule-preset-flat").click().run()
    assert page.slider(key="rule-q4").value == 5
    for at in range(1, 5):
        page.slider(key=f"rule-p{at}").set_value(0)
    page.run()
    assert not page.exception
    assert any("weights of" in block.value for block in page.error)
