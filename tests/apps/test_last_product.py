"""The page of the last product: what it makes of a recorded step, and of a law of the change."""

from __future__ import annotations

import numpy as np
import pytest

from apps import flip_chance, last_product
from apps.last_product import Watched
from apps.recordings import FOLDER
from apps.text.catalogue import LANGUAGES, has_text
from sims.head import HeadRecording, Reach, parse_split_table, read, step_by_batch
from sims.noise import GaussianNoise, MeasuredDifferences, UniformNoise
from tests.apps.opening import open_page


@pytest.fixture(scope="module")
def recording() -> HeadRecording:
    return read(FOLDER / "logits.npz")


def watch(
    recording: HeadRecording, name: str, batch: int, table: str = "1:4,8:2", reach: Reach = "model"
) -> Watched:
    step, rule = recording.steps[name], parse_split_table(table)
    return Watched(step, rule, step_by_batch(step, last_product.BATCHES, rule, reach), batch)


def plain(text: str) -> str:
    return text.replace("\u2068", "").replace("\u2069", "")


def test_every_recorded_step_has_a_name(recording: HeadRecording) -> None:
    assert all(has_text(f"token-step-{name}") for name in recording.steps)


def test_a_tie_is_told_with_its_rule_and_as_a_flip(recording: HeadRecording) -> None:
    told = plain(last_product.verdict(watch(recording, "flip4", 8)))
    assert "At batch size 8 the sums are cut into 2 parts." in told
    assert "**A tie**: `·its` and `·how` both have 24.125." in told
    assert "The lower id wins: 624 before 638." in told
    assert "Alone, `·how` wins: **the batch has flipped the token.**" in told


def test_a_swap_is_told_with_its_margin(recording: HeadRecording) -> None:
    told = plain(last_product.verdict(watch(recording, "flip3", 8)))
    assert "`·where` wins with 25.125; `·which` has 25, a margin of 0.125." in told
    assert "flipped" in told


def test_alone_is_compared_with_nothing(recording: HeadRecording) -> None:
    assert "Alone" not in last_product.verdict(watch(recording, "flip3", 1))
    assert "wins too." in last_product.verdict(watch(recording, "clear1", 8))


def test_tokens_that_markdown_would_swallow_are_code(recording: HeadRecording) -> None:
    step = recording.steps["flip1"]
    assert "*" in step.texts
    assert last_product.code(step, step.texts.index("*")) == "`*`"


def test_the_line_shows_the_chosen_token_as_a_flip_or_not(recording: HeadRecording) -> None:
    flipped = last_product.line_figure(watch(recording, "flip3", 8)).data[-1]
    assert (flipped.marker.symbol, list(flipped.x)) == ("diamond", [25.125])
    held = last_product.line_figure(watch(recording, "flip3", 1)).data[-1]
    assert (held.marker.symbol, list(held.x)) == ("circle", [25.0])


def test_the_line_stands_still_while_the_slider_moves(recording: HeadRecording) -> None:
    """The window and the candidates are those of all batch sizes, so that only the logits move."""
    figures = [last_product.line_figure(watch(recording, "tie1", batch)) for batch in (2, 8)]
    assert figures[0].layout.xaxis.range == figures[1].layout.xaxis.range
    axes = [
        last_product.line_figure(watch(recording, "flip3", b)).layout.yaxis.categoryarray for b in (1, 8, 64)
    ]
    assert axes[0] == axes[1] == axes[2]


@pytest.mark.parametrize("name", ["flip1", "tie2", "near2", "clear1", "clear2"])
def test_grid_lines_are_the_bf16_numbers(recording: HeadRecording, name: str) -> None:
    watched = watch(recording, name, 8)
    axis = last_product.line_figure(watched).layout.xaxis
    assert axis.minor.dtick == watched.spacing
    assert (axis.dtick / watched.spacing) % 1 == 0
    top = watched.now.logits.max()
    assert (top / watched.spacing) % 1 == 0


def test_the_batch_picture_marks_each_choice(recording: HeadRecording) -> None:
    figure = last_product.batch_figure(watch(recording, "flip4", 8))
    flips = [trace for trace in figure.data if trace.marker.symbol == "diamond"]
    assert list(flips[0].x) == [2, 4, 8]
    labels = [trace.text[0] for trace in figure.data if trace.mode == "text"]
    assert labels == ["S = 4", "S = 2", "S = 1"]


def test_spans_cover_every_batch_size_once() -> None:
    assert last_product.spans(parse_split_table("1:4,8:2")) == [(1, 1, 4), (2, 8, 2), (9, 64, 1)]
    assert last_product.spans(parse_split_table("")) == [(1, 64, 1)]
    assert last_product.spans(parse_split_table("4:2,8:2")) == [(1, 8, 2), (9, 64, 1)]


def test_the_table_holds_every_batch_size_and_candidate(recording: HeadRecording) -> None:
    watched = watch(recording, "flip4", 8)
    frame = last_product.frame(watched)
    assert len(frame) == 64 * len(watched.step.ids)
    assert (frame.groupby("batch")["chosen"].sum() == 1).all()
    chosen = frame[frame["chosen"]].set_index("batch")["token"]
    assert [chosen[batch] for batch in (1, 8, 64)] == [" how", " its", " how"]


def test_laws_are_those_that_the_reader_chose(recording: HeadRecording) -> None:
    assert flip_chance.noise("gaussian", 0.2, recording) == GaussianNoise(0.2)
    assert flip_chance.noise("uniform", 0.2, recording) == UniformNoise(0.2)
    assert flip_chance.noise("measured", 0.2, recording) == MeasuredDifferences(recording.all_gains)
    for kind in ("gaussian", "uniform", "measured"):
        for key in flip_chance.noise(kind, 0.2, recording).assumptions:
            assert has_text(f"token-assumes-{key}"), "every assumption is told on the page"


@pytest.mark.parametrize("kind", ["measured", "gaussian", "uniform"])
@pytest.mark.parametrize("on_grid", [True, False])
def test_formula_and_monte_carlo_agree(recording: HeadRecording, kind: str, on_grid: bool) -> None:
    """Within 5 standard errors at all points: odds of a false alarm about 6e-7 a point, 17 points at most."""
    curve = flip_chance.flip_curve(flip_chance.noise(kind, 0.06, recording), on_grid, seed=0)
    frame = flip_chance.flip_frame(curve)
    assert set(frame["lower_id"]) == ({True, False} if on_grid else {False})
    spread = np.sqrt(np.maximum(frame["formula"] * (1 - frame["formula"]), 1e-5) / flip_chance.SAMPLES)
    assert ((frame["simulated"] - frame["formula"]).abs() <= 5 * spread + 5e-4).all()
    assert ((frame["low"] <= frame["simulated"]) & (frame["simulated"] <= frame["high"])).all()


def test_recorded_steps_are_counted_by_margin(recording: HeadRecording) -> None:
    counted = flip_chance.observed(recording)
    below_one = (recording.margins < 1).sum()
    assert counted["pairs"].sum() == 3 * below_one
    assert counted["flips"].sum() == sum(
        flips[recording.margins < 1].sum() for flips in recording.flips.values()
    )
    assert counted["flips"].sum() > 0


def test_the_curve_draws_the_bound_where_there_is_one(recording: HeadRecording) -> None:
    curve = flip_chance.flip_curve(UniformNoise(0.1), True, 0)
    seen = flip_chance.observed(recording)
    for bound, labels in ((0.2, {"2ε", "this step"}), (None, {"this step"})):
        figure = flip_chance.flip_figure(curve, seen, 0.1, bound)
        assert {plain(trace.text[1]) for trace in figure.data if trace.mode == "lines+text"} == labels


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_page_opens_with_a_flip(code: str) -> None:
    at = open_page("token", lang=code)
    assert not at.exception
    assert not at.error
    assert any("`·where`" in block.value for block in at.markdown)
    assert 'class="origin recorded"' in "".join(html.value for html in at.html)


@pytest.mark.parametrize("idea", ["tie", "product", "partials", "clear"])
def test_every_idea_does_what_it_says(idea: str) -> None:
    at = open_page("token", table="1:8", batch="64")
    at.button(key=f"try-token-try-{idea}").click().run()
    told = " ".join(block.value for block in at.markdown)
    assert ("the batch has flipped the token" in told) == (idea in ("tie", "partials"))
    assert ("**A tie**" in told) == (idea == "tie")


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"table": "1:3"}, "not recorded with"),
        ({"table": "8:2,1:4"}, "cannot be read"),
        ({"table": "nonsense"}, "cannot be read"),
    ],
)
def test_bad_input_is_a_message(parameters: dict[str, str], message: str) -> None:
    at = open_page("token", **parameters)
    assert not at.exception
    assert message in at.error[0].value


def test_a_link_with_values_that_are_not_there_opens_on_the_defaults() -> None:
    at = open_page("token", step="flip99", batch="1000", reach="sideways", noise="none")
    assert not at.exception
    assert not at.error
    assert at.slider(key="token-batch").value == 8
