"""The page of the flip study: what it counts in its records, and what it makes of its controls."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from apps import flip_pictures, flip_study
from lab import cli
from lab.decode.margingate.flips import StudyStep
from lab.decode.margingate.settings import FlipSettings
from lab.decode.prompt_set import Prompt, built_in, read_prompts
from lab.decode.settings import SWITCHES, LaneSettings
from lab.errors import LabError
from lab.records import Failure
from tests.apps.flip_records import LINEARS, NORM, SAME, STUDY, record

VALUES: dict[str, Any] = {
    "set": "built-in",
    "own": "",
    "prompts": 8,
    "kinds": ("question", "arithmetic", "code", "story"),
    "batches": "2, 8, 32",
    "length": 16,
    "base": "bf16-solo",
    "attribute": False,
    "split-k": "1:4,8:2",
    "lane": "bf16-emulated",
    "count": "forced",
}


def test_controls_make_the_study() -> None:
    assert flip_study.settings(VALUES) == FlipSettings(built_in()[:8], (2, 8, 32), 16)
    other = VALUES | {
        "prompts": 4,
        "kinds": ("story",),
        "batches": "4",
        "length": 20,
        "base": "fp32",
        "attribute": True,
        "split-k": "1:8",
    }
    stories = tuple(prompt for prompt in built_in() if prompt.kind == "story")[:4]
    arithmetic = LaneSettings(split_k="1:8")
    assert flip_study.settings(other) == FlipSettings(
        stories, (4,), 20, "fp32", SWITCHES, arithmetic=arithmetic
    )
    assert flip_study.settings(other | {"lane": "fp32"}).attribute == ()


def test_own_prompts_are_lines() -> None:
    own = flip_study.prompts(VALUES | {"set": "own", "own": " Hello \n\nسلام\n"})
    assert own == (Prompt("line-1", "own", "Hello"), Prompt("line-2", "own", "سلام"))


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"set": "own", "own": " \n"}, "0 prompts"),
        ({"set": "own", "own": "x\n" * 33}, "33 prompts"),
        ({"kinds": ()}, "No kind"),
        ({"batches": "1"}, "'1' is no batch size"),
    ],
)
def test_what_cannot_be_run_is_named(values: dict[str, Any], message: str) -> None:
    with pytest.raises(LabError, match=message):
        flip_study.settings(VALUES | values)


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"attribute": True, "base": "fp32", "batches": "4", "prompts": 12, "split-k": "2:4"},
        {"lane": "fp32", "length": 20},
        {"set": "own", "own": 'It\'s "this" & that\n$HOME'},
        {"kinds": ("code",)},
    ],
)
def test_the_command_line_makes_the_same_study(
    values: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Run the line itself, as far as the start of the study."""
    asked: list[FlipSettings] = []

    def start(settings: FlipSettings, load: object) -> None:
        asked.append(settings)
        raise LabError("far enough", "")

    monkeypatch.setattr("lab.cli.flips.start_flips", start)
    monkeypatch.chdir(tmp_path)
    study = flip_study.settings(VALUES | values)
    line = flip_study.command(study, "smollm2-135m")
    Path("prompts.jsonl").write_text(flip_study.prompt_file(study), encoding="utf-8")
    CliRunner().invoke(cli.app, shlex.split(line)[3:])
    assert asked == [study]


def test_a_file_goes_with_prompts_that_are_no_beginning_of_the_set(tmp_path: Path) -> None:
    study = flip_study.settings(VALUES | {"kinds": ("story",)})
    assert "--file prompts.jsonl" in flip_study.command(study, "smollm2-135m")
    assert "--model other" in flip_study.command(study, "other")
    file = tmp_path / "prompts.jsonl"
    file.write_text(flip_study.prompt_file(study), encoding="utf-8")
    assert read_prompts(file) == study.prompts


def test_both_ways_of_counting() -> None:
    forced = flip_study.count(STUDY, "forced")
    assert (forced.flips, forced.steps, forced.parted, forced.cells) == (2, 24, 1, 4)
    assert (forced.epsilon, forced.median_delta, forced.largest_margin) == (1.5, 0.5, 0.25)
    first = flip_study.count(STUDY, "first")
    assert (first.flips, first.steps, first.parted) == (1, 21, 1)
    assert first.largest_margin == 0.125
    assert flip_study.count([STUDY[0]], "forced").largest_margin is None
    assert flip_study.count([STUDY[1]], "first").share == pytest.approx(1 / 3)
    assert flip_study.count([], "forced").share == 0


def test_cells_are_apart_from_attribution() -> None:
    records = [StudyStep(8, 0), *STUDY, LINEARS, NORM, Failure("c", 3, "NaN")]
    assert flip_study.cells_of(records) == STUDY
    assert flip_study.attribution_of(records) == [LINEARS, NORM]
    # A lane of one operator alone has no attribution: its records are the study.
    assert flip_study.cells_of([LINEARS]) == [LINEARS]
    assert flip_study.attribution_of([LINEARS]) == []


def test_operators_are_counted_beside_all_at_their_batch_size() -> None:
    found = flip_study.by_operator([*STUDY, LINEARS, NORM], "forced")
    assert {name: (each.flips, each.steps) for name, each in found.items()} == {
        "all": (2, 12),
        "linears": (2, 6),
        "norm": (0, 6),
    }
    assert flip_study.by_operator(STUDY, "forced") == {}


def test_near_counts_on_stable_and_on_flipped_steps() -> None:
    assert flip_study.near_means(STUDY, "forced", of_flips=True) == [3, 3, 5, 9]
    assert flip_study.near_means(STUDY, "first", of_flips=True) == [2, 2, 4, 8]
    assert flip_study.near_means([STUDY[1]], "first", of_flips=False) == [1, 1.5, 1.5, 2]
    assert flip_study.near_means([STUDY[0]], "forced", of_flips=True) is None


def test_change_by_layer_leaves_out_records_without_one() -> None:
    assert flip_study.by_layer([(0.0, 0.25), (), (0.5, 0.75)]) == [0.25, 0.5]
    assert flip_study.by_layer([()]) == []


def test_slope_is_of_a_line() -> None:
    assert flip_study.slope([0.25, 0.5, 0.75, 1.0]) == pytest.approx(0.25)
    assert flip_study.slope([1.0, 1.0, 1.0]) is None
    assert flip_study.slopes(STUDY) == pytest.approx([0.25, 0.25, -0.25])
    assert "+0.25000" in flip_study.slope_told(STUDY)
    assert "no slope" in flip_study.slope_told([STUDY[1]])


@pytest.mark.parametrize(
    ("text", "other", "parts"),
    [
        ("the sky is", "the sky was", ("the sky ", "is", "")),
        ("the sky is", "the skyline is", ("the ", "sky", " is")),
        ("it is. So", "it is so", ("it is", ".", " So")),
        ("it is so", "it is. So", ("it is", " so", "")),
        ("in 145 days", "in 146 days", ("in ", "145", " days")),
        ("it", "it is", ("it", "", "")),
        ("one\n\nTwo", "one two", ("one", "\n\nTwo", "")),
        ("same", "same", ("same", "", "")),
        ("", "word", ("", "", "")),
    ],
)
def test_texts_are_cut_at_their_first_different_word(
    text: str, other: str, parts: tuple[str, str, str]
) -> None:
    found = flip_study.part(text, other)
    assert (found.common, found.word, found.rest) == parts
    assert "".join(parts) == text


def test_text_is_escaped_and_its_word_marked() -> None:
    found = flip_pictures.text_html("<b>", flip_study.Parted("a <i> ", "\nx&", " b"), "differs")
    assert "<b>" not in found
    assert "<i>" not in found
    assert "⏎x&amp;" in found
    assert "differs" in found
    assert "<mark" not in flip_pictures.text_html("", flip_study.Parted("same", "", ""), "differs")


@pytest.mark.parametrize(("counting", "mark"), [("forced", "◆ 1"), ("first", "◆ 4")])
def test_map_has_a_mark_in_every_cell(counting: flip_study.Counting, mark: str) -> None:
    once = record("a", 8, (10, 11, 12, 13, 98, 15))
    heat, clicks = flip_pictures.heat_map([STUDY[0], once, *STUDY[2:]], counting, once).data
    assert [list(row) for row in heat.text] == [["=", mark], ["=", "="]]
    assert heat.z[0][1] > 0.2 > heat.z[0][0] == heat.z[1][0] == 0
    assert [list(cell) for cell in clicks.customdata] == [["a", 2], ["a", 8], ["b", 2], ["b", 8]]


def test_map_leaves_a_missing_cell_empty() -> None:
    """A prompt that failed at one batch size."""
    heat, clicks = flip_pictures.heat_map(STUDY[:3], "forced", STUDY[0]).data
    assert heat.text[1][1] == ""
    assert heat.z[1][1] is None
    assert len(clicks.x) == 3


def test_charts() -> None:
    steps = flip_pictures.steps_figure(STUDY[1], "first")
    assert list(steps.data[2].x) == [2]
    assert len(flip_pictures.steps_figure(STUDY[0], "forced").data) == 2
    assert [len(trace.y) for trace in flip_pictures.near_figure(STUDY, "forced").data] == [4, 4]
    assert [list(trace.y) for trace in flip_pictures.layers_figure(STUDY).data] == [[0, 0.375], [0, 0.5]]
    shares = flip_pictures.operators_figure(flip_study.by_operator([*STUDY, NORM], "forced")).data[0]
    assert list(shares.x) == pytest.approx([100 * 2 / 12, 0])


def test_verdict() -> None:
    assert "4\u2069 answers part" in flip_study.verdict(list(STUDY))
    assert "No token flips" in flip_study.verdict([STUDY[0]])
    assert "The same bits" in flip_study.verdict([record("a", 2, SAME, max_deltas=(0.0,) * 6)])
    assert "step by step" in flip_study.verdict([StudyStep(8, 0)])


def test_table_has_a_row_a_record() -> None:
    frame = flip_study.frame([StudyStep(8, 0), *STUDY, LINEARS])
    assert list(frame["flips"]) == [0, 2, 0, 0, 2]
    assert frame["first"].to_list()[1] == 2
    assert frame["first"].isna().sum() == 3
    assert list(frame["flipped_margin"].dropna()) == [0.25, 0.25]
    assert list(frame["operators"])[-1] == "linears"
