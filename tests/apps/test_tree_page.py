"""The page *A tree of guesses*: mask and cache against the core's own, settings, the page itself."""

from __future__ import annotations

import re
import shlex
from dataclasses import replace
from typing import Any

import pytest
from typer.testing import CliRunner

from apps import speculative_run, tree_pass, tree_picture, tree_run, tree_sizes
from apps.recordings import recording
from apps.speculative_run import by_token, command, run_of
from apps.tree_steps import moments, most_telling, path_of
from lab.decode.prompt_set import built_in
from lab.decode.sampling import Sampling
from lab.decode.speculative.rounds import Speculation
from lab.decode.speculative.settings import SpeculateSettings, start_speculate
from lab.decode.speculative.shipped import TREES
from lab.errors import LabError
from lab.models.branches import Branches
from lab.models.loaded import LoadedModel
from lab.models.tiny import byte_tokenizer
from lab.models.transformer import Transformer
from lab.round_records import FamilyRecord, PassTimeRecord, RoundRecord
from tests.apps.opening import open_page, told
from tests.apps.tree_records import BEFORE, DETOUR, FIRST

VALUES: dict[str, Any] = {parameter.name: parameter.default for parameter in tree_run.PARAMETERS}


@pytest.fixture
def loaded(tiny: Transformer) -> LoadedModel:
    return LoadedModel(tiny, byte_tokenizer(), "random")


def test_the_mask_by_hand() -> None:
    """Rows: the last token, then nodes 0 to 5; columns: six slots of the text, then those of the rows."""
    rows = tree_pass.cells(tree_pass.layout(moments(DETOUR)[-1]))
    signs = ["".join(".tax"[kind] for kind in row) for row in rows]
    assert signs == [
        "ttttttx......",
        "ttttttax.....",
        "tttttta.x....",
        "ttttttaa.x...",
        "ttttttaa..x..",
        "tttttta.a..x.",
        "tttttta.a..ax",
    ]


def test_the_mask_grows_with_the_tree() -> None:
    first, last = moments(DETOUR)[0], moments(DETOUR)[-1]
    small, large = (tree_pass.cells(tree_pass.layout(moment)) for moment in (first, last))
    assert small == [row[: len(small[0])] for row in large[: len(small)]]
    figure, _ = tree_pass.figure(last)
    assert [text[0] for text in figure.data[0].text] == ["9", "10", "10", "11", "11", "11", "12"]


def test_a_short_text_is_drawn_whole() -> None:
    rows = tree_pass.cells(Branches(2, (-1, 0)))
    assert rows == [[1, 1, 3, 0], [1, 1, 2, 3]]


def test_the_layout_is_that_of_the_core_and_so_is_what_the_cache_keeps(
    loaded: LoadedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A real run: in every round the page's Branches and its kept slots are those that the core used."""
    used: list[Branches] = []
    kept: list[list[int]] = []
    forward, cut = Transformer.forward, Speculation._cut_target

    def noted(self: Transformer, tokens: Any, cache: Any, lane: Any, *rest: Any) -> Any:
        if len(rest) > 2 and rest[2] is not None and self is loaded.transformer:
            used.extend(rest[2])
        return forward(self, tokens, cache, lane, *rest)

    def cuts(self: Speculation, sequence: Any, base: int, path: list[int]) -> Any:
        lengths = cut(self, sequence, base, path)
        kept.append([0, *(node + 1 for node in path)][: lengths.kept - base + 1])
        return lengths

    monkeypatch.setattr(Transformer, "forward", noted)
    monkeypatch.setattr(Speculation, "_cut_target", cuts)
    asked = SpeculateSettings(
        built_in()[:1], 16, drafter="early-exit:1", shape="k-ary", widths=(3, 2), plain=False
    )
    _, records = start_speculate(asked, lambda: loaded)
    rounds = [record for record in records if isinstance(record, RoundRecord)]
    branching = [one for one in rounds if one.parents is not None]
    assert branching
    assert [tree_pass.layout(moments(one)[-1]) for one in branching] == used
    assert [tree_picture.kept_slots(one) for one in rounds] == kept
    assert all(path_of(one) == sorted(path_of(one)) for one in rounds)


def test_the_cache_by_hand() -> None:
    moment = moments(DETOUR, " last")[-1]
    assert tree_picture.kept_slots(DETOUR) == [0, 2]
    html = tree_picture.caches_html(moment)
    slots = re.findall(r'<li class="(\w+) \w+"[^>]*><small>(\d+)</small>', html)
    fates = ["kept", "trimmed", "kept", "trimmed", "trimmed", "trimmed", "trimmed"]
    after = [("kept", "9"), ("kept", "10")]
    assert slots == [(fate, str(BEFORE + at)) for at, fate in enumerate(fates)] + after
    assert re.search(r"← \W*11", html)
    cut = replace(FIRST, ending="cut", emitted=(1, 2), texts=("a", "b"))
    cut = replace(cut, target_cache=replace(cut.target_cache, kept=BEFORE + 2))
    assert tree_picture.kept_slots(cut) == [0, 1]  # the last accepted token has no column yet


def test_the_cache_shows_nothing_before_its_time() -> None:
    every = [tree_picture.caches_html(moment) for moment in moments(DETOUR, " last")]
    assert [html.count("<h4>") for html in every] == [1, 1, 1, 2, 2, 2, 2, 3]
    assert "trimmed" not in every[5]
    assert every[6].count('class="trimmed') == 5


@pytest.mark.parametrize(
    ("values", "nodes"),
    [
        ({"run-shape": "chain", "run-gamma": 5}, 5),
        ({"run-shape": "k-ary", "run-gamma": 4, "run-width": 3}, 3 + 6 + 6 + 6),
        ({"run-shape": "k-ary", "run-gamma": 4, "run-width": 4}, 64),
        ({"run-shape": "dynamic", "run-nodes": 17}, 17),
    ],
)
def test_settings_follow_the_sliders(values: dict[str, Any], nodes: int) -> None:
    asked = tree_run.settings(VALUES | values)
    assert asked.make_shape().nodes == nodes
    assert asked.drafts_trees


def test_too_large_a_tree_is_refused() -> None:
    with pytest.raises(LabError, match="nodes"):
        tree_run.settings(VALUES | {"run-shape": "k-ary", "run-gamma": 5, "run-width": 5})


@pytest.mark.parametrize("name", TREES)
def test_the_command_makes_the_same_run(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the page shows to copy is read back by the command line to equal settings."""
    from lab.cli import app, speculate

    seen: list[SpeculateSettings] = []

    def caught(settings: SpeculateSettings, _load: object) -> Any:
        seen.append(settings)
        raise LabError("Enough.", "It was only read.")

    monkeypatch.setattr(speculate, "start_speculate", caught)
    asked = replace(TREES[name], gamma=6, nodes=20, rule="match", width=3, drafter="stories+trigram")
    words = shlex.split(command(asked))[3:]
    CliRunner().invoke(app, [word if word != "speculate.jsonl" else "/tmp/speculate.jsonl" for word in words])
    (read,) = seen
    assert replace(read, prompts=asked.prompts) == asked
    assert [prompt.text for prompt in read.prompts] == [prompt.text for prompt in asked.prompts]


def test_runs_are_told_by_their_form() -> None:
    for name, asked in TREES.items():
        text = speculative_run.told(speculative_run.Run(asked, ()))
        assert ("approximate" in text) == (name == "typical")
    ranks = replace(TREES["k-ary"], shape="ranks", ranks="0 1 0,0")
    assert re.search(r"fixed tree of \W*3", speculative_run.told(speculative_run.Run(ranks, ())))


def family(method: str, drafted: int, passes: int, tokens: int, same: bool = True) -> FamilyRecord:
    return FamilyRecord(
        method, "a", "d", method, "r", "lossless in law", tuple(range(tokens + 1)), ("",) * (tokens + 1),
        passes, drafted, 1, 1, 0.1, 0.1, 0.2, 0.4, same,
    )  # fmt: skip


def test_sizes_are_pooled_sums_before_the_division() -> None:
    records = [
        family("serial", 0, 9, 9),
        family("dynamic 8", 16, 2, 6),
        family("dynamic 8", 24, 4, 6, same=False),
        family("chain 2", 8, 4, 8),
        *(PassTimeRecord("m", "target", n, 1, 9, s, s, s) for n, s in ((1, 0.1), (3, 0.2), (5, 0.4))),
    ]
    chain, dynamic = tree_sizes.sizes(records)
    assert (chain.form, chain.nodes, chain.tokens) == ("chain", 2.0, 2.0)
    assert (dynamic.form, dynamic.nodes, dynamic.tokens, dynamic.same) == ("dynamic", 40 / 6, 2.0, False)
    v = tree_sizes.times(records)
    assert v == pytest.approx((1.0, 1.5, 2.0, 3.0, 4.0))
    frame = tree_sizes.frame([chain, dynamic], v)
    assert frame["v"][0] == pytest.approx(2.0)
    assert frame["v"].isna().tolist() == [False, True]
    assert len(tree_sizes.times_figure(v, [chain, dynamic]).data[1].x) == 1


def test_a_live_run_reads_like_a_recorded_one(loaded: LoadedModel) -> None:
    asked = replace(TREES["sampled"], prompts=built_in()[:1], length=8, drafter="early-exit:1")
    _, records = start_speculate(asked, lambda: loaded)
    run = run_of(list(by_token(asked, records)))
    (request,) = run.requests
    texts = [token.text for token in run.tokens(request)]
    for one in run.rounds(request):
        moment = moments(one, texts[one.start - 1])[-1]
        stands = [one.drafted[node].text for node in moment.path]
        own = [moment.own] if moment.own is not None else []
        assert [*stands, *own] == texts[one.start : one.start + len(one.emitted)]


def test_pages_of_chains_refuse_a_trace_of_trees() -> None:
    trees, chains = recording("tree-k-ary"), recording("speculate-greedy")
    assert trees is not None
    assert chains is not None
    with pytest.raises(LabError, match="trees"):
        speculative_run.of_chains(trees)
    assert speculative_run.of_chains(chains) == speculative_run.finished(chains)


def test_the_page_is_stepped_by_its_buttons() -> None:
    page = open_page("tree", round="1", step="1")
    assert not page.exception
    assert "Grow, level" in told(page)
    page.button(key="tree-go-forward").click().run()
    assert page.slider(key="tree-step").value == 2
    page.button(key="tree-go-next").click().run()
    assert (page.slider(key="tree-round").value, page.slider(key="tree-step").value) == (2, 1)
    page.button(key="tree-go-back").click().run()
    assert "Compact the cache" in told(page)
    page.button(key="try-tree-try-large").click().run()
    assert any("nodes" in block.value for block in page.error), [block.value for block in page.error]
    assert not page.exception


def test_the_place_follows_the_run_that_is_shown() -> None:
    """Another recording opens where it tells most; a round with fewer steps is entered at its last."""
    page = open_page("tree", recording="k-ary")
    for name in ("dynamic", "sampled", "eagle", "k-ary"):
        page.selectbox(key="tree-recording-seen").set_value(name).run()
        assert not page.exception
        place = page.slider(key="tree-round").value, page.slider(key="tree-step").value
        trace = recording(f"tree-{name}")
        assert trace is not None
        rounds = [record for record in trace.records if isinstance(record, RoundRecord)]
        at = most_telling(rounds)
        assert place == (at + 1, len(moments(rounds[at])))
    counts = [len(moments(one)) for one in rounds]
    page.slider(key="tree-step").set_value(1).run()
    page.slider(key="tree-round").set_value(counts.index(max(counts)) + 1).run()
    page.slider(key="tree-step").set_value(max(counts)).run()
    page.slider(key="tree-round").set_value(counts.index(min(counts)) + 1).run()
    assert page.slider(key="tree-step").value == min(counts)
    assert not page.exception


@pytest.mark.parametrize("name", TREES)
def test_every_recording_opens(name: str) -> None:
    page = open_page("tree", recording=name, round="900", step="70")
    assert not page.exception
    assert not page.error
    assert recording(f"tree-{name}") is not None


def test_sampling_settings_are_those_of_the_controls() -> None:
    asked = tree_run.settings(VALUES | {"run-temperature": 0.7, "run-siblings": "drawn", "run-rule": "match"})
    assert asked.sampling == Sampling(temperature=0.7)
    assert (asked.siblings, asked.rule) == ("drawn", "match")
