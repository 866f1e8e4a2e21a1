"""The family's run on its page: what stands beside what, verdict, table, strips, command, a live run."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from apps import family_charts, family_run, family_table, family_texts
from apps.family_run import DRAFTING
from apps.family_table import BESIDE
from apps.recordings import recording
from lab import traces
from lab.decode.prompt_set import Prompt
from lab.decode.sampling import Sampling
from lab.decode.speculative.family import METHODS, SERIAL, FamilySettings, start_family
from lab.errors import LabError
from lab.models.loaded import LoadedModel
from lab.models.tiny import tiny_checkpoint
from lab.models.transformer import Transformer
from lab.round_records import Exactness, FamilyRecord
from lab.traces import Trace
from sims.spec_bench import BOARDS
from tests.apps.opening import open_page, told
from tests.apps.round_records import ROUNDS

BOARD = BOARDS[0]
PROMPT = Prompt("abc", "own", "abcabcabcabc")
VALUES = {
    "run-prompt": "tale-01",
    "run-own": "",
    "run-methods": DRAFTING,
    "run-temperature": 0.0,
    "run-length": 64,
    "run-seed": 0,
}
GREEDY: Exactness = "greedy-identical in FP32"


def record(
    method: str,
    passes: int,
    seconds: float,
    tokens: tuple[int, ...] = tuple(range(9)),
    kind: Exactness = GREEDY,
) -> FamilyRecord:
    """Nine tokens; serial decoding takes 8 passes and 0.8 s."""
    texts = tuple(f" t{token}" for token in tokens)
    drafter = "" if method == SERIAL else "stories"
    same = tokens == tuple(range(9))
    counts = (passes, 3 * passes, 8 - passes, passes, seconds / 4, seconds / 2, seconds, 0.8)
    return FamilyRecord(method, "a", drafter, "chain of 3", "multi-step", kind, tokens, texts, *counts, same)


PLAIN = record(SERIAL, 8, 0.8)
CHAIN = record("chain", 4, 0.5)
EAGLE = record("eagle-2", 2, 1.0)
TYPICAL = record("medusa", 4, 0.4, (0, 1, 2, 30, 4, 5, 6, 7, 8), "approximate")
ALL = (PLAIN, CHAIN, EAGLE, TYPICAL)


@pytest.fixture(scope="module")
def loaded() -> LoadedModel:
    checkpoint = tiny_checkpoint(0)
    return LoadedModel(Transformer(checkpoint), checkpoint.tokenizer, "tiny")


def flat(text: str) -> str:
    return text.translate({0x2068: None, 0x2069: None})


def test_every_method_has_figures_beside_it_and_a_name() -> None:
    assert list(BESIDE) == list(METHODS)
    for method, beside in BESIDE.items():
        assert family_table.method_name(method)
        assert (beside.figure is None) == (method == SERIAL)
    on_board = {method for method, beside in BESIDE.items() if beside.entry(BOARD)}
    assert on_board == {"chain", "lookup", "medusa", "eagle", "eagle-2"}


def test_the_verdict() -> None:
    assert family_table.verdict([PLAIN], BOARD) is None
    said = flat(str(family_table.verdict(ALL, BOARD)))
    assert "Fastest here: Medusa, 2.00 times" in said
    assert "Most tokens a pass: EAGLE-2, 4.00" in said
    assert "Slower than serial decoding: EAGLE-2." in said
    assert "has EAGLE-2 first, 2.46 times" in said
    lost = flat(str(family_table.verdict((PLAIN, EAGLE), BOARD)))
    assert "No method is faster" in lost
    assert "0.80" in lost
    assert "Slower than" not in lost


def rows(html: str) -> list[list[str]]:
    """The cells of a table, without their tags."""
    cells = [re.findall(r"<t[hd].*?</t[hd]>", row) for row in html.split("<tr>")[1:]]
    return [[re.sub(r"<[^>]+>", "|", cell).replace("|", " ").strip() for cell in row] for row in cells]


def test_the_table_tells_conditions_and_marks_the_best() -> None:
    html = family_table.table_html(ALL, BOARD)
    head, serial, chain, eagle, typical = rows(html)
    assert {len(row) for row in (head, serial, chain, eagle, typical)} == {9}
    assert "A100 80GB · Vicuna-13B" in head[-1]
    assert serial[-2:] == ["—", "—"]
    assert "1.60×" in chain[1]
    assert "T5-XXL 11B · 1 × TPU-v4 · B=1" in chain[-2]
    assert "4.26× · 4.83" in eagle[-2]
    assert "2.46× · 4.43" in eagle[-1]
    assert "approximate" in typical[6]
    assert "another text" in typical[6]
    assert "serial decoding’s text" in chain[6]
    assert html.count('class="number best"') == 2
    assert "https://arxiv.org/abs/2406.16858" in html


def test_the_file_has_all_of_it() -> None:
    frame = family_table.frame(ALL, BOARD)
    assert list(frame["method"]) == [record.method for record in ALL]
    assert frame.loc[2, "tokens_per_pass"] == 4.0
    assert frame.loc[2, "paper_high"] == 4.26
    assert frame.loc[2, "bench_speedup"] == 2.46
    assert frame.loc[3, "text"] == "".join(TYPICAL.texts)
    assert frame["paper"].isna().tolist() == [True, False, False, False]


def test_the_picture_has_a_row_a_method() -> None:
    papers, board, tokens, here = family_charts.run_figure(ALL, BOARD).data
    assert list(here.x) == [2.0, 0.8, 1.6, 1.0]
    assert list(tokens.x) == [2.0, 4.0, 2.0, 1.0]
    assert list(board.x) == [1.80, 2.46, 1.54]
    assert len(papers.x) == 3 * 3
    assert len(set(here.y)) == 4


def test_a_strip_shows_passes_and_the_place_where_texts_part() -> None:
    assert family_texts.parted(CHAIN, PLAIN) is None
    assert family_texts.parted(TYPICAL, PLAIN) == 3
    assert family_texts.parted(record("chain", 2, 1, (0, 1)), PLAIN) == 2
    marks = [token.mark for token in family_texts.strip_of(CHAIN, ROUNDS, PLAIN)]
    assert marks[:8] == [
        "plain",
        "accepted",
        "corrected",
        "accepted",
        "accepted",
        "accepted",
        "bonus",
        "corrected",
    ]
    tokens = family_texts.strip_of(TYPICAL, (), PLAIN)
    assert (tokens[3].mark, tokens[3].text) == ("flip", " t30")
    assert " t3" in tokens[3].note
    longer = family_texts.strip_of(PLAIN, (), record(SERIAL, 2, 1, (0, 1)))
    assert "has ended" in longer[2].note


def test_controls_make_the_run_and_its_command() -> None:
    assert family_run.settings(VALUES).wanted == FamilySettings().wanted
    assert family_run.command(FamilySettings(), "smollm2-135m", "auto") == (
        "python -m lab family --out family.jsonl "
        "'Write a short story about a blue fox who wants to find a library.'"
    )
    own = family_run.settings(
        VALUES
        | {"run-own": " -x ", "run-methods": ("eagle", "lookup"), "run-temperature": 1.0, "run-seed": 3}
    )
    assert own.methods == ("lookup", "eagle")
    assert own.sampling == Sampling(temperature=1.0)
    assert family_run.command(own, "smollm2-135m", "cpu").endswith(
        "--temperature 1 --seed 3 --device cpu --methods lookup,eagle -- -x"
    )
    with pytest.raises(LabError, match="No method is chosen"):
        family_run.settings(VALUES | {"run-methods": ()})


def test_a_real_run_reads_the_same_live_and_from_its_file(loaded: LoadedModel) -> None:
    asked = FamilySettings((PROMPT, replace(PROMPT, name="d")), length=10, methods=("lookup",))
    info, records = start_family(asked, lambda: loaded)
    live = list(family_run.by_token(asked, records))
    assert len(live) <= asked.total
    done = family_run.compared(live)
    assert [(r.method, r.request) for r in done] == [(SERIAL, "abc"), ("lookup", "abc")]
    text = "\n".join(traces.dumps(info, family_run.all_records(live)))
    kept = family_run.finished(traces.loads(text)).records
    assert kept[0].settings == asked
    assert family_run.compared(kept) == done
    rounds = family_run.rounds_of(kept, done[1])
    assert len(rounds) == done[1].passes
    strip = family_texts.strip_of(done[1], rounds, done[0])
    assert sum(token.mark == "accepted" for token in strip[1:]) + len(rounds) >= len(done[1].tokens) - 1


def test_traces_without_methods_are_refused() -> None:
    info = traces.run_info("family", "tiny", "fp32", "cpu", {})
    with pytest.raises(LabError, match="compares no methods"):
        family_run.finished(Trace(info, ()))


def test_the_recording_shows_what_the_page_says() -> None:
    kept = recording("family")
    assert kept is not None
    records = family_run.compared(family_run.finished(kept).records)
    assert [record.method for record in records] == list(METHODS)
    assert all(record.same_as_plain for record in records), "at temperature 0, in FP32"
    at = open_page("family")
    assert not at.exception
    assert "Fastest here" in told(at) or "No method is faster" in told(at)


def finished(*records: FamilyRecord) -> Trace:
    info = traces.run_info("family", "tiny", "fp32", "cpu", FamilySettings().as_json())
    return Trace(info, (*records, *ROUNDS))


def test_the_text_of_each_method_can_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apps.recordings.recording", lambda name: finished(*ALL))
    at = open_page("family")
    assert not at.exception
    assert at.selectbox(key="family-text-of-seen").value == "medusa", "the fastest at first"
    at.selectbox(key="family-text-of-seen").select("eagle-2").run()
    assert at.session_state["family-text-of"] == "eagle-2"
    assert any('<div class="strip-label">EAGLE-2</div>' in html.value for html in at.html)


@pytest.mark.usefixtures("at_once")
def test_a_live_run_takes_the_place_of_the_recording(
    monkeypatch: pytest.MonkeyPatch, loaded: LoadedModel
) -> None:
    monkeypatch.setattr("apps.machine.loaded", lambda: loaded)
    monkeypatch.setattr("apps.recordings.recording", lambda name: finished(*ALL))
    at = open_page("family", **{"run-methods": "lookup", "run-length": "8", "run-own": "abcabcabc"})
    at.button(key="family-run-begin").click().run()
    assert not at.exception
    assert any('class="origin live"' in html.value for html in at.html)
    table = next(html.value for html in at.html if "met family" in html.value)
    assert len(rows(table)) == 3


def test_bad_input_is_named() -> None:
    at = open_page("family", **{"run-methods": "none"})
    assert not at.exception
    assert any("No method is chosen" in block.value for block in at.error)


def test_settings_are_told_in_a_line() -> None:
    assert "Temperature 0, up to 64 new tokens, seed 0, lane fp32" in flat(family_run.told(FamilySettings()))
