"""One round as moments: what is seen when, both caches by hand and against the real core's, the page."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from apps import round_picture, round_steps
from apps.round_steps import Moment, cache, moments
from apps.speculative_run import by_token, command, finished, run_of
from apps.stepping import Place, moved
from lab import traces
from lab.decode.prompt_set import built_in
from lab.decode.speculative.settings import SpeculateSettings, start_speculate
from lab.errors import LabError
from lab.models.loaded import LoadedModel
from lab.models.tiny import byte_tokenizer
from lab.models.transformer import Transformer
from lab.round_records import RoundRecord
from tests.apps.opening import open_page, told
from tests.apps.round_records import PROMPT, ROUNDS, round_of

WRITTEN = [f" t{i}" for i in range(7)]


def at(one: RoundRecord, phase: str) -> Moment:
    """The last moment of that phase."""
    return [moment for moment in moments(one) if moment.phase == phase][-1]


def test_the_moments_of_a_round() -> None:
    phases = [moment.phase for moment in moments(ROUNDS[0])]
    assert phases == ["draft"] * 3 + ["verify"] + ["judge"] * 2 + ["emit", "trim"]
    assert [moment.drafted for moment in moments(ROUNDS[0])] == [1, 2, 3, 3, 3, 3, 3, 3]
    assert [moment.judged for moment in moments(ROUNDS[0])] == [0, 0, 0, 0, 1, 2, 2, 2]
    plain = round_of(0, 1, accepted=0, gamma=0)
    assert [moment.phase for moment in moments(plain)] == ["verify", "emit", "trim"]


def test_a_token_is_marked_when_it_is_judged_and_not_before() -> None:
    marks = [[moment.mark(i) for i in range(3)] for moment in moments(ROUNDS[0])]
    assert marks[3] == ["plain", "plain", "plain"]
    assert marks[4] == ["accepted", "plain", "plain"]
    assert marks[5] == ["accepted", "rejected", "plain"]
    assert marks[6] == ["accepted", "rejected", "unjudged"]


def test_stepping_crosses_rounds_and_stops_at_both_ends() -> None:
    counts = [len(moments(one)) for one in ROUNDS]
    place, seen = Place(0, 0), 1
    while (further := moved(counts, place, 1)) != place:
        assert moved(counts, further, -1) == place
        place, seen = further, seen + 1
    assert seen == sum(counts)
    assert place == Place(2, counts[2] - 1)
    assert moved(counts, Place(0, 0), -1) == Place(0, 0)


def test_the_round_to_open_with_has_every_fate() -> None:
    assert round_steps.most_telling(ROUNDS) == 0


def fates(one: RoundRecord, phase: str, *, draft: bool) -> tuple[int, str]:
    lengths = one.draft_cache if draft else one.target_cache
    assert lengths is not None
    held = cache(at(one, phase), lengths, WRITTEN[: one.start], draft=draft)
    return held.length, " ".join(f"{c.text.strip()}:{c.fate}" for c in held.columns)


def test_the_targets_cache_by_hand() -> None:
    """Round 0 starts after the prompt and token t0: the pass feeds t0 and three drafts, one is accepted."""
    assert fates(ROUNDS[0], "draft", draft=False) == (PROMPT, "")
    assert fates(ROUNDS[0], "verify", draft=False) == (PROMPT + 4, "t0:new d100:new d101:new d102:new")
    kept = "t0:kept d100:kept d101:trimmed d102:trimmed"
    assert fates(ROUNDS[0], "trim", draft=False) == (PROMPT + 2, kept)
    full = fates(ROUNDS[1], "trim", draft=False)
    assert full == (PROMPT + 6, "t2:kept d100:kept d101:kept d102:kept")


def test_the_drafts_cache_by_hand() -> None:
    """The last proposal has no column; the prompt of the first round counts as held; a lag is fed first."""
    assert fates(ROUNDS[0], "draft", draft=True) == (PROMPT + 3, "t0:new d100:new d101:new")
    lengths = ROUNDS[0].draft_cache
    assert lengths is not None
    first = cache(moments(ROUNDS[0])[0], lengths, WRITTEN[:1], draft=True)
    assert [column.text for column in first.columns] == [" t0"]
    assert fates(ROUNDS[0], "trim", draft=True) == (PROMPT + 2, "t0:kept d100:kept d101:trimmed")
    assert fates(ROUNDS[1], "trim", draft=True) == (PROMPT + 5, "t2:kept d100:kept d101:kept")
    lagging = fates(ROUNDS[2], "trim", draft=True)
    assert lagging == (PROMPT + 7, "t5:kept t6:kept d100:trimmed d101:trimmed")


def test_every_moment_is_told_and_drawn() -> None:
    cut = round_of(0, 1, accepted=2, gamma=3, ending="cut")
    without = replace(ROUNDS[1], draft_cache=None, stopped="end")
    for one in (*ROUNDS, cut, without, round_of(0, 1, accepted=0, gamma=0)):
        for moment in moments(one):
            assert round_steps.told(moment).startswith("**")
            html = round_picture.window_html(moment) + round_picture.caches_html(moment, WRITTEN[: one.start])
            assert html.count("<tr") == 8
            current = re.findall(r'aria-current="step">([^<]*)', round_picture.phases_html(moment))
            assert len(current) == 1
    assert "end of the text" in round_steps.told(at(without, "verify"))
    assert "no bonus is drawn" in round_steps.told(at(cut, "emit"))
    assert "looks at the text alone" in round_picture.caches_html(at(without, "trim"), [])


def test_the_window_shows_nothing_before_its_time() -> None:
    def cells(moment: Moment, row: str) -> list[str]:
        html = round_picture.window_html(moment)
        body = re.search(rf'row-{row}">(.*?)</tr>', html)
        assert body is not None
        return [re.sub("<[^>]*>", "", cell) for cell in re.findall(r"<td>(.*?)</td>", body[1])]

    steps = moments(ROUNDS[0])
    assert cells(steps[0], "q") == ["0.500", "", "", ""]
    assert cells(steps[2], "p") == ["", "", "", ""]
    assert cells(steps[3], "p") == ["known"] * 4
    assert cells(steps[4], "u") == ["0.100", "", "", ""]
    assert cells(steps[-1], "p") == ["0.250", "0.250", "—", "—"]
    assert cells(steps[-1], "ratio") == ["0.500", "0.500", "", ""]
    assert cells(steps[-1], "test") == ["accepted", "rejected", "never judged", ""]
    assert [cell.strip() for cell in cells(steps[-1], "emitted")] == ["·t1", "·t2", "", ""]


def test_text_never_becomes_markup() -> None:
    evil = replace(ROUNDS[0].drafted[0], text="<b>&")
    one = replace(ROUNDS[0], drafted=(evil, *ROUNDS[0].drafted[1:]), texts=("<i>", "</td>"))
    html = round_picture.window_html(moments(one)[-1]) + round_picture.caches_html(moments(one)[-1], ["<u>"])
    assert "<b>&" not in html
    assert "<u>" not in html
    assert "&lt;b&gt;&amp;" in html


def test_the_table_has_every_drafted_token_and_what_ended_the_round() -> None:
    frame = round_steps.frame(ROUNDS)
    assert len(frame) == 9 + 3
    assert list(frame["verdict"])[:4] == ["accepted", "rejected", "never judged", "correction"]


@pytest.fixture
def loaded(tiny: Transformer) -> LoadedModel:
    return LoadedModel(tiny, byte_tokenizer(), "random")


def test_a_real_run_reads_the_same_live_and_from_its_file(loaded: LoadedModel) -> None:
    """Uniform drafts of a tiny model; in every round the cache's columns are the text's own tokens."""
    asked = SpeculateSettings(built_in()[:2], 12, drafter="lookup", gamma=3)
    head, records = start_speculate(asked, lambda: loaded)
    live = list(by_token(asked, records))
    assert len(live) == asked.total
    run = run_of(live)
    kept = run_of(finished(traces.loads("\n".join(traces.dumps(head, run.records)))).records)
    assert kept == run
    assert run.requests == tuple(prompt.name for prompt in asked.prompts)
    for request in run.requests:
        texts = [token.text for token in run.tokens(request)]
        assert [token.token for token in run.tokens(request)] == [t.token for t in run.plain(request)]
        for one in run.rounds(request):
            held = cache(at(one, "trim"), one.target_cache, texts[: one.start], draft=False)
            stays = [column.text for column in held.columns if column.fate == "kept"]
            assert held.length == one.target_cache.kept
            assert stays == texts[one.start - 1 : one.start - 1 + len(stays)]
    assert command(asked).endswith("".join(f" '{prompt.text}'" for prompt in asked.prompts))


def test_a_trace_without_rounds_is_refused(loaded: LoadedModel) -> None:
    asked = SpeculateSettings(built_in()[:1], 1, drafter="uniform")
    head, records = start_speculate(asked, lambda: loaded)
    with pytest.raises(LabError, match="no rounds"):
        finished(traces.loads("\n".join(traces.dumps(head, records))))


def test_the_buttons_go_forward_and_back() -> None:
    page = open_page("round", round="1", step="1")
    assert not page.exception
    assert "Draft, token" in told(page)
    page.button(key="round-go-forward").click().run()
    assert page.slider(key="round-step").value == 2
    page.button(key="round-go-next").click().run()
    assert (page.slider(key="round-round").value, page.slider(key="round-step").value) == (2, 1)
    page.button(key="round-go-back").click().run()
    assert page.slider(key="round-round").value == 1
    assert "Cut the cache" in told(page)
    assert not page.exception


def test_a_link_beyond_the_run_opens() -> None:
    page = open_page("round", round="900", step="70")
    assert not page.exception
    assert not page.error


@pytest.mark.usefixtures("at_once")
def test_settings_that_do_not_fit_are_named() -> None:
    page = open_page("round", **{"run-policy": "oracle", "run-temperature": "1.0", "run-length": "8"})
    page.button(key="round-run-begin").click().run()
    assert not page.exception
    assert any("oracle" in block.value for block in page.error), [block.value for block in page.error]
