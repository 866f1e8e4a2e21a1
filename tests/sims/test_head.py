"""Recorded steps of the last product: what the shipped file holds, and what is computed from it."""

import io
import json
from pathlib import Path

import numpy as np
import pytest

from sims.arithmetic import REDUCED_PARTIALS
from sims.errors import InputError
from sims.formats import BF16
from sims.head import HeadRecording, parse_split_table, read, step_by_batch
from sims.kernels import SplitTable
from sims.numbers import ordinals

FILE = Path(__file__).resolve().parents[2] / "apps" / "recordings" / "logits.npz"
RULE = SplitTable(((1, 4), (8, 2)))


@pytest.fixture(scope="module")
def recording() -> HeadRecording:
    return read(FILE)


def test_the_file_is_small_and_says_where_it_comes_from(recording: HeadRecording) -> None:
    assert FILE.stat().st_size < 300_000
    origin = recording.origin
    assert origin.model == "smollm2-135m"
    assert origin.code.startswith("0.1.0+")
    assert origin.machine
    assert origin.date.startswith("20")


def test_it_has_flips_ties_near_ties_and_clear_steps(recording: HeadRecording) -> None:
    kinds = [name.rstrip("0123456789") for name in recording.steps]
    assert [kinds.count(kind) for kind in ("flip", "tie", "near", "clear")] == [5, 3, 2, 2]
    for step in recording.steps.values():
        assert list(step.ids) == sorted(set(step.ids)), (
            "by ascending id, so that the lower index is the lower id"
        )
        assert step.rows.shape == (len(step.ids), 576)
        assert set(step.hidden) == {1, 2, 4, 8}


def test_the_model_s_own_logits_come_out(recording: HeadRecording) -> None:
    """Every candidate under every split count: at most one BF16 number off, and nearly always equal.

    The lane's own product adds in another order than one chain, so equality is not promised.
    """
    off = []
    for step in recording.steps.values():
        for splits, logits in step.logits.items():
            table = SplitTable(((1, splits),))
            (moment,) = step_by_batch(step, [1], table)
            off += np.abs(ordinals(moment.logits, BF16) - ordinals(logits, BF16)).tolist()
    assert max(off) <= 1
    assert np.mean(np.array(off) > 0) < 0.02


def test_the_named_steps_do_what_their_names_say(recording: HeadRecording) -> None:
    for name, step in recording.steps.items():
        moments = [step_by_batch(step, [1], SplitTable(((1, splits),)))[0] for splits in (1, 2, 4, 8)]
        flips = len({moment.first for moment in moments}) > 1
        assert flips == name.startswith("flip"), name
        if name.startswith("tie"):
            assert moments[0].tied


def test_the_last_product_alone_moves_none_of_these_logits(recording: HeadRecording) -> None:
    """What the page and the lesson say: with FP32 sums, only the hidden state moves the logits."""
    for step in recording.steps.values():
        one, *others = step_by_batch(step, (64, 8, 1), RULE, "product")
        assert all(np.array_equal(one.logits, other.logits) for other in others)
    reduced = step_by_batch(recording.steps["flip2"], (1, 16), RULE, "product", REDUCED_PARTIALS)
    assert reduced[0].first != reduced[1].first


def test_a_batch_size_gets_the_logits_of_its_split_count(recording: HeadRecording) -> None:
    step = recording.steps["flip3"]
    moments = step_by_batch(step, range(1, 65), RULE)
    assert [moment.batch for moment in moments] == list(range(1, 65))
    for splits, span in ((4, moments[:1]), (2, moments[1:8]), (1, moments[8:])):
        assert all(np.array_equal(moment.logits, span[0].logits) for moment in span)
        assert len({moment.shape for moment in span}) == 1
        assert span[0].shape == SplitTable(((1, splits),)).shape(1)


def test_counts_over_all_steps(recording: HeadRecording) -> None:
    count = len(recording.margins)
    assert count > 400
    assert (recording.margins >= 0).all()
    assert set(recording.flips) == set(recording.gains) == {2, 4, 8}
    assert len(recording.all_gains) == 3 * count
    # Margin beyond twice the largest change of a logit: no flip (both logits change by at most that).
    largest = max(abs(gain) for gain in recording.all_gains)
    for flips in recording.flips.values():
        assert not flips[recording.margins > largest + 0.25].any()
    # Ties are binomial given the margins, if the phase is uniform: 5 standard errors, odds about 1e-6.
    expected = recording.expected_ties
    spread = np.sqrt(expected * (1 - expected) / count)
    assert abs(recording.tied.mean() - expected) < 5 * spread


def test_a_split_count_that_was_not_recorded_is_named(recording: HeadRecording) -> None:
    step = recording.steps["tie1"]
    with pytest.raises(InputError, match=r"not recorded with 3 splits.*1, 2, 4, 8"):
        step_by_batch(step, [1], SplitTable(((1, 3),)))
    assert step_by_batch(step, [1], SplitTable(((1, 3),)), "product")[0].batch == 1


def test_margin_before_rounding(recording: HeadRecording) -> None:
    step = recording.steps["clear1"]
    products = sorted(sum(h * w for h, w in zip(step.hidden[1], row, strict=True)) for row in step.rows)
    assert step.margin == pytest.approx(products[-1] - products[-2], abs=1e-9)


@pytest.mark.parametrize(
    ("text", "table"),
    [("1:4,8:2", RULE), (" 1 : 4 ، 8:2,", RULE), ("", SplitTable(())), ("64:8", SplitTable(((64, 8),)))],
)
def test_split_tables_are_read(text: str, table: SplitTable) -> None:
    assert parse_split_table(text) == table


@pytest.mark.parametrize("text", ["1", "a:2", "1:2:3", "8:2,1:4", "0:4", "1:0", "1.5:2"])
def test_bad_tables_are_named(text: str) -> None:
    with pytest.raises(InputError, match=r"split table .*1:4,8:2"):
        parse_split_table(text)


def _npz(**arrays: np.ndarray) -> bytes:
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"not an archive",
        _npz(other=np.zeros(3)),
        _npz(about=np.array(json.dumps({"splits": [1]}))),
        _npz(about=np.array("{")),
    ],
)
def test_what_is_no_recording_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "logits.npz"
    path.write_bytes(content)
    with pytest.raises(InputError, match="no recording of logits"):
        read(path)
    with pytest.raises(InputError, match="no recording of logits"):
        read(tmp_path / "absent.npz")
