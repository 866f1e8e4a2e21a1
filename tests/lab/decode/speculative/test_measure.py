"""The whole measurement on small models: its records, its progress, its refusals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from lab import traces
from lab.decode.batching import decode
from lab.decode.prompt_set import Prompt
from lab.decode.settings import LaneSettings, settings_from
from lab.decode.speculative import measure
from lab.decode.speculative.measure import MeasureSettings, Progress, prompts_of_kinds, start_measure
from lab.errors import LabError
from lab.models.hub_folder import save_folder
from lab.models.loaded import LoadedModel, load_model
from lab.models.tiny import tiny_checkpoint
from lab.numerics.lanes import FP32
from lab.round_records import MeasureRecord, PassTimeRecord

PROMPTS = (
    Prompt("s1", "story", "Once"),
    Prompt("c1", "code", "def f"),
    Prompt("s2", "story", "A fox and a crow."),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    made = tmp_path_factory.mktemp("tiny")
    save_folder(tiny_checkpoint(0), made)
    return str(made)


@pytest.fixture(scope="module")
def settings(folder: str) -> MeasureSettings:
    return MeasureSettings(
        prompts=PROMPTS,
        length=9,
        drafters=(folder, "uniform"),
        temperatures=(0.0, 1.0),
        gammas=(0, 3),
        batches=(1, 2),
        repeats=2,
        passes=2,
        context=8,
    )


@pytest.fixture(scope="module")
def load(folder: str) -> Callable[[], LoadedModel]:
    return lambda: load_model(folder, "cpu")


@pytest.fixture(scope="module")
def run(settings: MeasureSettings, load: Callable[[], LoadedModel]) -> tuple[traces.RunInfo, list[object]]:
    info, made = start_measure(settings, load)
    return info, list(made)


def test_a_record_for_every_case(
    settings: MeasureSettings, run: tuple[traces.RunInfo, list[object]], folder: str
) -> None:
    records = [record for record in run[1] if isinstance(record, MeasureRecord)]
    assert [(r.kind, r.temperature, r.batch, r.draft, r.gamma) for r in records] == [
        (kind, t, batch, draft, gamma)
        for kind in ("story", "code")
        for t in (0.0, 1.0)
        for batch in (1, 2)
        for draft in (Path(folder).name, "uniform")
        for gamma in (0, 3)
    ]
    for record in records:
        prompts = 2 if record.kind == "story" else 1
        assert record.prompts == prompts
        assert record.tokens <= prompts * 8
        assert record.speedup_low <= record.speedup <= record.speedup_high
        assert record.seconds > 0
        assert record.plain_seconds > 0
        assert record.rounds <= record.tokens <= record.accepted + record.rounds
        if record.gamma == 0:
            assert record.rounds == record.tokens
        elif record.draft == "uniform":
            assert record.alpha is not None
            assert record.alpha < 0.9
            assert record.c_hat == 0.0
        else:  # the target itself
            assert record.alpha == pytest.approx(1.0, abs=1e-9)
            assert record.accepted == record.drafted
            assert record.c_hat == 1.0
            assert record.predicted == pytest.approx(4 / (3 * record.c + 1))


def test_passes(settings: MeasureSettings, run: tuple[traces.RunInfo, list[object]], folder: str) -> None:
    passes = [record for record in run[1] if isinstance(record, PassTimeRecord)]
    target = [(r.batch, r.positions) for r in passes if r.role == "target"]
    assert target == [(1, width) for width in range(1, 18)] + [(2, 1), (2, 4)]
    drafts = [(r.batch, r.temperature, r.model, r.positions) for r in passes if r.role == "draft"]
    name = Path(folder).name
    each = [(name, 1), (name, 2), ("uniform", 1)]
    assert drafts == [(batch, t, *one) for batch in (1, 2) for t in (0.0, 1.0) for one in each]
    assert all(0 < r.low <= r.seconds <= r.high and r.context == 8 for r in passes)
    records = [record for record in run[1] if isinstance(record, MeasureRecord)]
    for record in records:
        times = {r.positions: r.seconds for r in passes if r.role == "target" and r.batch == record.batch}
        step = next(
            r.seconds
            for r in passes
            if (r.model, r.batch, r.temperature, r.positions)
            == (record.draft, record.batch, record.temperature, 1)
        )
        assert record.c == pytest.approx(step / times[1])
        assert record.v == pytest.approx(times[record.gamma + 1] / times[1])


def test_counts_do_not_depend_on_the_clock(
    settings: MeasureSettings, run: tuple[traces.RunInfo, list[object]], load: Callable[[], LoadedModel]
) -> None:
    def counts(records: list[object]) -> list[tuple[object, ...]]:
        return [
            (r.alpha, r.alpha_error, r.conditional, r.accepted, r.drafted, r.rounds, r.tokens)
            for r in records
            if isinstance(r, MeasureRecord) and r.batch == 1
        ]

    _, again = start_measure(replace(settings, repeats=1, passes=1, batches=(1,)), load)
    assert counts(list(again)) == counts(run[1])
    _, other = start_measure(replace(settings, repeats=1, passes=1, batches=(1,), seed=50), load)
    assert counts(list(other)) != counts(run[1])


def test_texts_are_those_of_plain_decoding(
    settings: MeasureSettings, run: tuple[traces.RunInfo, list[object]], load: Callable[[], LoadedModel]
) -> None:
    loaded = load()
    for temperature in settings.temperatures:
        asked = [r for r in settings.requests(loaded, temperature) if r.id != "c1"]
        made = sum(len(step.records) for step in decode(loaded.transformer, asked, FP32))
        for record in run[1]:
            if not isinstance(record, MeasureRecord) or not record.gamma:
                continue
            if (record.kind, record.temperature) == ("story", temperature):
                assert record.alpha_tokens == made - len(asked)


def test_progress(settings: MeasureSettings, run: tuple[traces.RunInfo, list[object]]) -> None:
    first = run[1][0]
    assert first == Progress("passes", 0, sum(settings.totals.values()))
    marks = [thing for thing in run[1] if isinstance(thing, Progress)]
    assert all(a.done <= b.done <= b.total for a, b in pairwise(marks))
    assert {mark.stage for mark in marks} == {"passes", "texts", "runs"}
    assert marks[-1].done > 0.7 * marks[-1].total


def test_a_measurement_can_be_stopped(settings: MeasureSettings, load: Callable[[], LoadedModel]) -> None:
    _, made = start_measure(settings, load)
    for _ in range(3):
        next(made)
    made.close()  # type: ignore[attr-defined]
    assert next(made, None) is None


def test_a_trace_gives_the_records_back(
    settings: MeasureSettings, run: tuple[traces.RunInfo, list[object]], tmp_path: Path
) -> None:
    info, things = run
    records = [thing for thing in things if not isinstance(thing, Progress)]
    path = tmp_path / "measure.jsonl"
    traces.write(path, info, records)  # type: ignore[arg-type]
    trace = traces.read(path)
    assert list(trace.records) == records
    assert trace.info.kind == "measure"
    assert settings_from(MeasureSettings, trace.info.settings) == settings


def test_prompts_of_kinds() -> None:
    chosen = prompts_of_kinds(("story", "code"), 3)
    assert [prompt.kind for prompt in chosen] == ["story"] * 3 + ["code"] * 3
    assert len({prompt.name for prompt in chosen}) == 6
    for kinds, count in ((("poem",), 2), (("story",), 0)):
        with pytest.raises(LabError, match="There are no"):
            prompts_of_kinds(kinds, count)
    assert {prompt.kind for prompt in MeasureSettings().prompts} == set(measure.KINDS)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"gammas": (-1,)}, "γ = -1"),
        ({"gammas": ()}, "no gammas"),
        ({"drafters": ()}, "no drafters"),
        ({"temperatures": (-1.0,)}, "temperature = -1"),
        ({"length": 1}, "length = 1"),
        ({"repeats": 0}, "repeats = 0"),
        ({"passes": 0}, "passes = 0"),
        ({"context": 1}, "context = 1"),
        ({"batches": (4, 0)}, "batch = 0"),
        ({"arithmetic": LaneSettings("fp8")}, "no lane 'fp8'"),
    ],
)
def test_wrong_settings_are_refused_before_loading(change: dict[str, object], message: str) -> None:
    def load() -> LoadedModel:
        raise AssertionError("the model was loaded")

    with pytest.raises(LabError, match=message):
        start_measure(replace(MeasureSettings(), **change), load)  # type: ignore[arg-type]


def test_wrong_prompts_and_drafters_are_refused_at_once(
    settings: MeasureSettings, load: Callable[[], LoadedModel]
) -> None:
    for change, message in (
        ({"prompts": (PROMPTS[0], PROMPTS[0])}, "same id"),
        ({"length": 600}, "context"),
        ({"drafters": ("nobody",)}, "nobody"),
    ):
        with pytest.raises(LabError, match=message):
            start_measure(replace(settings, **change), load)  # type: ignore[arg-type]
