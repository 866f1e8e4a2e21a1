"""The page where speculation meets the gate: what it makes of records, and the page on its recording."""

from __future__ import annotations

import re

import pytest

from apps import meeting_runs, partings
from apps.meeting_runs import Made
from apps.recordings import recording
from lab import traces
from lab.decode.settings import LaneSettings
from lab.decode.speculative.meeting import RUNS, MeetingSettings, start_meeting
from lab.decode.speculative.partings import compared
from lab.decode.speculative.shipped import MEETING
from lab.decode.speculative.tales import TALES
from lab.errors import LabError
from lab.round_records import MeetingRecord
from lab.traces import RunInfo, Trace
from tests.apps.opening import open_page, told
from tests.lab.decode.speculative import near_ties

VALUES = {
    "prompts": 4,
    "length": 32,
    "drafter": "stories",
    "gamma": 4,
    "batch": 1,
    "tau": 0.25,
    "window": 32,
    "pass-size": 16,
    "lane": "bf16-emulated",
    "split-k": "1:4,8:2",
}


@pytest.fixture(scope="module")
def live() -> tuple[RunInfo, list[Made]]:
    """A small real meeting, step by step."""
    asked = near_ties.parting_settings(prompts=near_ties.STORIES[:2], length=10)
    model = near_ties.loaded()
    info, records = start_meeting(asked, lambda: model)
    return info, list(meeting_runs.by_step(asked, records))


def record(run: str, request: str, *chosen: int, corrected: tuple[int, ...] = ()) -> MeetingRecord:
    texts = tuple(f" t{token}" for token in chosen)
    margins, rows = tuple(token / 8 for token in chosen), tuple(range(10, 10 + len(chosen)))
    return MeetingRecord(run, request, chosen, texts, margins, texts, rows, corrected, 2, 1, 3.0)


RECORDS = (
    record("fp32", "a", 1, 2, 3),
    record("fp32", "b", 1, 2, 3),
    record("bf16", "a", 1, 2, 4),
    record("bf16", "b", 1, 2, 3),
    record("bf16-speculative", "a", 1, 2, 4),
    record("bf16-speculative", "b", 1, 5, 3),
    record("bf16-speculative-gated", "a", 1, 2, 3, corrected=(2,)),
)


def test_the_verdict_is_about_bf16() -> None:
    assert partings.verdict(RECORDS[:4]) is None
    assert "Here it is" in str(partings.verdict(RECORDS[:5]))
    assert re.search(
        r"No\.\W.* in \W*1\W* of \W*2\W* prompts, first at token \W*1\W", str(partings.verdict(RECORDS))
    )
    assert partings.most_telling(RECORDS) == "b"
    assert partings.most_telling(RECORDS[:5]) == "a"


def test_prompts_against_runs() -> None:
    html = partings.matrix_html(RECORDS, "b")
    (head, *rows) = re.findall("<tr.*?</tr>", html)
    assert head.count("<th") == 5
    assert [row.count('class="equal"') for row in rows] == [2, 1]
    assert [row.count('class="parted"') for row in rows] == [1, 1]
    assert [row.count("…") for row in rows] == [1, 2], "runs that have not come"
    assert "aria-current" in rows[1]
    assert "aria-current" not in rows[0]
    facts = [value.strip("\u2068\u2069") for _, value in partings.equal_facts(RECORDS)]
    assert [re.sub("[\u2068\u2069]", "", value) for value in facts] == ["1 of 2", "1 of 2", "1 of 1"]


def marks(run: str, request: str) -> list[list[str]]:
    (pair,) = (p for p in compared(RECORDS) if (p.own.run, p.request) == (run, request))
    return [[token.mark for token in tokens] for _, tokens in partings.strips(pair)]


def test_texts_are_marked_where_they_part() -> None:
    """Both texts of a pair that parts; one of a pair that does not, with what the verifier corrected."""
    assert marks("bf16-speculative", "b") == [["agree", "flip", "after"]] * 2
    assert marks("bf16-speculative-gated", "a") == [["agree", "agree", "repaired"]]
    assert marks("bf16-speculative", "a") == [["agree"] * 3]
    pair = next(p for p in compared(RECORDS) if p.parted == 1)
    sentence = re.sub("[\u2068\u2069]", "", partings.place_told(pair))
    assert "token 1." in sentence
    assert "BF16, plain: “·t2”, margin 0.25 before “·t2”, rows of the pass: 11." in sentence
    assert "BF16, in rounds: “·t5”, margin 0.625" in sentence


def test_the_chart_has_every_margin_and_every_place_of_parting() -> None:
    figure = partings.margins_figure(RECORDS, 0.25)
    curve, rounds, plain, tau = figure.data
    assert list(curve.x) == sorted([1 / 8, 2 / 8, 4 / 8, 1 / 8, 2 / 8, 3 / 8])
    assert curve.y[-1] == 100
    assert (list(rounds.x), list(plain.x), list(tau.x)) == ([2 / 8], [4 / 8], [0.25, 0.25])
    assert rounds.y[0] == pytest.approx(100 * 4 / 6)
    assert rounds.marker.symbol != plain.marker.symbol, "colour alone tells nothing apart"


def test_the_table_has_a_row_a_pair() -> None:
    frame = partings.frame(RECORDS)
    assert list(frame["parted"].fillna(-1)) == [2, -1, -1, 1, -1]
    assert list(frame["equal"]) == [False, True, True, False, True]
    assert frame["partner_token"][3] == " t2"


def test_controls_make_the_runs_and_their_command() -> None:
    assert meeting_runs.settings(VALUES) == MeetingSettings()
    assert meeting_runs.command(MeetingSettings(), "smollm2-135m", "auto") == (
        "python -m lab gate speculate --out meeting.jsonl"
    )
    own = meeting_runs.settings(
        VALUES | {"prompts": 2, "lane": "bf16-invariant", "split-k": "64:4", "tau": 0.5}
    )
    assert own.prompts == TALES[:2]
    assert own.arithmetic == LaneSettings("bf16-invariant", split_k="64:4")
    line = meeting_runs.command(own, "smollm2-135m", "cpu")
    assert "--prompts 2 --tau 0.5 --lane bf16-invariant --split-k 64:4 --device cpu" in line
    with pytest.raises(LabError, match="split-K table"):
        meeting_runs.settings(VALUES | {"split-k": "x"})


def test_a_real_meeting_reads_the_same_live_and_from_its_file(live: tuple[RunInfo, list[Made]]) -> None:
    info, made = live
    records = meeting_runs.met(made)
    assert list(dict.fromkeys(r.run for r in records)) == list(RUNS)
    text = "\n".join(traces.dumps(info, meeting_runs.all_records(made)))
    kept = meeting_runs.finished(traces.loads(text)).records
    assert kept[0].settings == made[0].settings
    assert meeting_runs.met(kept) == records
    assert partings.matrix_html(meeting_runs.met(kept), "") == partings.matrix_html(records, "")
    assert "…" not in partings.matrix_html(records, "")
    assert partings.cost_html(records).count("<tr") == 1 + len(RUNS)


def test_traces_without_runs_are_refused() -> None:
    info = traces.run_info("meeting", "tiny", "bf16-emulated", "cpu", {})
    with pytest.raises(LabError, match="no runs"):
        meeting_runs.finished(Trace(info, ()))


def test_the_recording_shows_what_the_page_says() -> None:
    kept = recording("meeting")
    assert kept is not None
    finished = meeting_runs.finished(kept)
    made = finished.records[0].settings
    assert (made.prompts, made.length, made.arithmetic) == (
        MEETING.prompts,
        MEETING.length,
        MEETING.arithmetic,
    )
    pairs = compared(meeting_runs.met(finished.records))
    equal = {run: [p.parted is None for p in pairs if p.own.run == run] for run in RUNS[1:]}
    assert all(equal["fp32-speculative"])
    assert all(equal["bf16-speculative-gated"])
    assert not all(equal["bf16-speculative"])
    assert {len(own) for own in equal.values()} == {len(MEETING.prompts)}
    margins = [own.margin for p in pairs if p.own.run == "bf16-speculative" and (own := p.choices[0])]
    assert max(margins) <= 0.5, "runs part at near-ties only"


def test_the_page_opens_on_the_recording() -> None:
    at = open_page("meeting")
    assert not at.exception
    assert not at.error
    assert "No." in told(at)
    assert "They part at token" in told(at)
    at = open_page("meeting", prompt=MEETING.prompts[-1].name)
    assert any(MEETING.prompts[-1].text[:20] in caption.value for caption in at.caption)


def test_bad_input_is_named() -> None:
    at = open_page("meeting", **{"split-k": "4"})
    assert not at.exception
    assert any("split-K table" in block.value for block in at.error)
