"""The page of neighbours: what it makes of its controls and of its records."""

from __future__ import annotations

import pytest

from apps import machine, pairs
from apps.recordings import FOLDER, recording
from lab.decode.prompts import NEIGHBOURS, PROMPTS
from lab.decode.settings import LaneSettings, NeighbourSettings, neighbour_settings
from lab.errors import LabError
from lab.records import PairRecord, TokenRecord
from tests.apps.opening import open_page

VALUES = {
    "prompt": "tides",
    "own-prompt": "",
    "company": "others",
    "own-company": "",
    "batches": "8",
    "length": 48,
    "lane": "bf16-emulated",
    "linears": True,
    "attention": True,
    "norm": True,
    "split-k": "1:4,8:2",
    "partials": False,
    "forced": False,
    "arrive": 0,
}


def token(index: int, choice: int, margin: float = 1.0) -> TokenRecord:
    return TokenRecord(
        "subject", index, choice, choice, 9.0, margin, (), 1, 1, "bf16-emulated", 0.1, f" t{choice}"
    )


def pair(index: int, alone: int, beside: int, delta: float | None, batch: int = 8) -> PairRecord:
    return PairRecord(batch, index, token(index, alone), token(index, beside), delta)


PARTING = [pair(0, 5, 5, 0.0), pair(1, 6, 6, 0.25), pair(2, 7, 8, 0.5), pair(3, 9, 1, None)]


def test_controls_make_the_experiment() -> None:
    assert pairs.settings(VALUES) == NeighbourSettings(prompt=PROMPTS["tides"], neighbours=NEIGHBOURS)
    own = VALUES | {
        "prompt": "own",
        "own-prompt": "سلام",
        "company": "own",
        "own-company": "one\n\n two \n",
        "batches": "2، ٨ 32",
        "attention": False,
        "norm": False,
        "split-k": "1:8",
        "partials": True,
        "forced": True,
        "arrive": 3,
    }
    arithmetic = LaneSettings("bf16-emulated", ("linears",), "1:8", True)
    assert pairs.settings(own) == NeighbourSettings(
        "سلام", ("one", "two"), (2, 8, 32), 48, True, 3, arithmetic
    )
    assert pairs.settings(VALUES | {"company": "copies"}).neighbours == (PROMPTS["tides"],)


@pytest.mark.parametrize("typed", ["", "1", "65", "x", "2,3,4,5,6,7", "8.5", "-2", "8 ⁸"])
def test_batch_sizes_that_cannot_be(typed: str) -> None:
    with pytest.raises(LabError, match="2, 8, 32"):
        pairs.batch_sizes(typed)


def marks(records: list[pairs.Shown]) -> list[tuple[str, list[str]]]:
    return [(label, [token.mark for token in tokens]) for label, tokens in pairs.strips(records)]


def test_strips_mark_the_flip_and_nothing_after_it() -> None:
    assert [row for _, row in marks(list(PARTING))] == [["agree", "agree", "flip", "plain"]] * 2


def test_strips_grow_while_a_run_goes_on() -> None:
    run: list[pairs.Shown] = [token(0, 5), token(1, 6)]
    assert [row for _, row in marks(run)] == [["plain", "plain"]]
    run.append(pair(0, 5, 5, 0.0))
    assert [row for _, row in marks(run)] == [["agree", "plain"], ["agree"]]


def test_verdicts_say_whether_where_and_by_how_much() -> None:
    (parted,) = pairs.verdicts(list(PARTING))
    assert "another token at step \u20682\u2069" in parted
    assert "One flip" in parted
    assert "0.5" in parted
    (same,) = pairs.verdicts([pair(0, 5, 5, 0.0), pair(1, 6, 6, 0.25)])
    assert "the same tokens, other logits" in same
    (bits,) = pairs.verdicts([pair(0, 5, 5, 0.0)])
    assert "the same bits" in bits
    assert len(pairs.verdicts([*PARTING, pair(0, 5, 5, 0.1, batch=32)])) == 2


def test_table_has_a_row_a_pair() -> None:
    frame = pairs.frame(list(PARTING))
    assert list(frame["flip"]) == [False, False, True, None]
    assert list(frame["alone_id"]) == [5, 6, 7, 9]
    assert list(frame["beside"]) == [" t5", " t6", " t8", " t1"]


def test_chart_shows_flips_and_every_batch() -> None:
    fig = pairs.figure([*PARTING, pair(0, 5, 5, 0.1, batch=32)])
    assert [trace.type for trace in fig.data] == ["bar", "scatter", "scatter", "scatter"]
    assert list(fig.data[3].x) == [2]


def test_recordings_are_the_experiments_they_name() -> None:
    """Every shipped trace is of the page's default settings, says where it comes from, and is whole."""
    files = sorted(path.stem for path in FOLDER.glob("neighbours-*.jsonl"))
    assert files == sorted(f"neighbours-{name}" for name in PROMPTS)
    for name in PROMPTS:
        trace = recording(f"neighbours-{name}")
        assert trace is not None
        settings = neighbour_settings(trace.info.settings)
        assert settings == pairs.settings(VALUES | {"prompt": name})
        assert trace.info.model == "smollm2-135m"
        assert trace.info.code.startswith("0.1.0+")
        found = pairs.pairs_of(trace.records)  # type: ignore[arg-type]
        assert found[0].max_delta == 0
        assert all(p.beside.batch == 8 for p in found[1:])
    assert any(p.flipped for p in pairs.pairs_of(recording("neighbours-lighthouse").records))  # type: ignore[union-attr,arg-type]


def test_page_opens_on_the_recording() -> None:
    at = open_page("neighbours")
    assert not at.exception
    assert any("Batch" in block.value for block in at.markdown)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"batches": "1"}, "'1' is no batch size"),
        ({"batches": "many"}, "'many' is no batch size"),
        ({"prompt": "own"}, "The text is empty"),
        ({"company": "own"}, "There are no neighbours"),
        ({"split-k": "4"}, "split-K table"),
    ],
)
@pytest.mark.usefixtures("at_once")
def test_bad_input_is_named(parameters: dict[str, str], message: str) -> None:
    at = open_page("neighbours", **parameters)
    if not at.error:
        at.button(key="neighbours-run-begin").click().run()
    assert not at.exception
    assert any(message in block.value for block in at.error), [block.value for block in at.error]


@pytest.mark.usefixtures("at_once")
def test_a_model_that_is_not_here_leaves_the_recording(
    monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    monkeypatch.setenv("DECODING_LAB_HOME", str(tmp_path))
    machine._loaded.clear()  # what another test has loaded
    at = open_page("neighbours")
    at.button(key="neighbours-run-begin").click().run()
    assert not at.exception
    assert any("make model" in block.value for block in at.error), [block.value for block in at.error]
    assert any("Batch" in block.value for block in at.markdown)
