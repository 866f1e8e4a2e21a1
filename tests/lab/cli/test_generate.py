"""`generate`: its trace's header is enough to run it again."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from lab import traces
from lab.cli import app
from lab.decode.generate import GenerateSettings, start_generate
from lab.decode.sampling import Sampling
from lab.decode.settings import LaneSettings, settings_from
from lab.errors import LabError
from lab.models.hub_folder import save_folder
from lab.models.loaded import LoadedModel, load_model
from lab.models.tiny import tiny_checkpoint
from lab.records import TokenRecord


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tiny")
    save_folder(tiny_checkpoint(0), path)
    return path


OPTIONS = (
    ["--temperature", "0.9", "--top-k", "40", "--top-p", "0.95", "--min-p", "0.01", "--seed", "7"],
    ["--lane", "bf16-emulated", "--switches", "linears", "--split-k", "1:2,4:3", "--max-batch", "2"],
    ["--raw", "--temperature", "1.3", "--stop", "e", "--stop", "\x01"],
    [],
)


@pytest.mark.parametrize("options", OPTIONS, ids=["sampling", "lane", "stop", "defaults"])
def test_a_header_runs_again_to_the_same_tokens(folder: Path, tmp_path: Path, options: list[str]) -> None:
    out = tmp_path / "run.jsonl"
    arguments = ["generate", "Hi", "there", "friend", "--max-new-tokens", "12", "--device", "cpu"]
    done = CliRunner().invoke(app, [*arguments, *options, "--model", str(folder), "--out", str(out)])
    assert done.exit_code == 0, done.output
    trace = traces.read(out)
    settings = settings_from(GenerateSettings, trace.info.settings)
    info, made = start_generate(settings, lambda: load_model(str(folder), "cpu"))
    again = [record for record in made if isinstance(record, TokenRecord)]

    def seen(records: object) -> list[tuple]:
        return [(r.request, r.index, r.token, r.logit, r.batch, r.finish) for r in records]  # type: ignore[attr-defined]

    assert again
    assert seen(again) == seen(trace.records)
    assert (info.kind, info.lane, info.settings) == ("decode", trace.info.lane, settings.as_json())


def test_the_options_are_what_the_header_says(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "run.jsonl"
    options = ["generate", "Hi", "--model", str(folder), "--max-new-tokens", "2", "--out", str(out)]
    for more in OPTIONS[:3]:
        options += more
    assert CliRunner().invoke(app, options).exit_code == 0
    assert settings_from(GenerateSettings, traces.read(out).info.settings) == GenerateSettings(
        prompts=("Hi",),
        max_new_tokens=2,
        max_batch=2,
        sampling=Sampling(1.3, 40, 0.95, 0.01),
        seed=7,
        stop=("e", "\x01"),
        raw=True,
        arithmetic=LaneSettings("bf16-emulated", ("linears",), "1:2,4:3"),
    )


def test_a_wrong_lane_is_refused_before_the_model_is_loaded() -> None:
    def no_model() -> LoadedModel:
        raise AssertionError

    with pytest.raises(LabError, match="no lane"):
        start_generate(GenerateSettings(("Hi",), arithmetic=LaneSettings("fp8")), no_model)
