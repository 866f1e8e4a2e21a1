"""`speculate`: text, table, trace; what cannot run is one message, said before a long run where it can be."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab import traces
from lab.cli import main
from lab.decode.settings import settings_from
from lab.decode.speculative.settings import PLAIN, SpeculateSettings
from lab.models.hub_folder import save_folder
from lab.models.tiny import tiny_checkpoint
from lab.records import TokenRecord
from lab.round_records import RoundRecord
from tests.lab.cli.invoked import lab

SMALL = ("--max-new-tokens", "10", "--drafter", "lookup", "--gamma", "3")


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("tiny")
    save_folder(tiny_checkpoint(0), folder)
    return str(folder)


def refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What a refused command says on standard error; it must end with 2."""
    monkeypatch.setattr("sys.argv", ["lab", "speculate", "aaaa", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    return " ".join(capsys.readouterr().err.split())


def test_a_run_its_table_and_its_trace(model: str, tmp_path: Path) -> None:
    out = tmp_path / "run.jsonl"
    text = lab("speculate", "abcabcabc", *SMALL, "--model", model, "--out", str(out))
    trace = traces.read(out)
    settings = settings_from(SpeculateSettings, trace.info.settings)
    assert (settings.drafter, settings.gamma, settings.length) == ("lookup", 3, 10)
    rounds = [record for record in trace.records if isinstance(record, RoundRecord)]
    tokens = [record for record in trace.records if isinstance(record, TokenRecord)]
    plain = [record.token for record in tokens if record.request.startswith(PLAIN)]
    assert plain == [record.token for record in tokens if not record.request.startswith(PLAIN)]
    drafted = sum(len(record.drafted) for record in rounds)
    accepted = sum(record.accepted for record in rounds)
    for shown in (text, lab("trace", "show", str(out))):
        assert f"{accepted} / {drafted}" in shown
        assert f"target passes {len(rounds)}" in " ".join(shown.split())


def test_several_prompts_keep_their_names_and_json_is_untouched(model: str) -> None:
    text = lab("speculate", "one", "two :cat:", *SMALL, "--no-plain", "--model", model)
    assert "— one" in text
    assert "— two :cat:" in text
    assert ":cat:" in lab("speculate", "two :cat:", *SMALL, "--no-plain", "--model", model, "--json")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--gamma", "-1"), "γ = -1"),
        (("--gamma", "65", "--policy", "optimal"), "γ = 65"),
        (("--policy", "guess"), "no policy 'guess'"),
        (("--lenience", "0"), "lenience = 0"),
        (("--temperature", "nan"), "temperature = nan"),
        (("--out", "no-such-folder/run.jsonl"), "no-such-folder"),
        (("--out", "."), "is a folder"),
    ],
)
def test_settings_are_refused_before_a_model_is_loaded(
    arguments: tuple[str, ...],
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    said = refused(monkeypatch, capsys, "--model", "no-such-model", *arguments)
    assert message in said
    assert "no-such-model" not in said


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--drafter", "storys"), "use stories, trigram"),
        (("--drafter", " "), "no name"),
        (("--drafter", "[/x]"), "[/x]"),
        (("--seed", "-1"), "seed -1"),
        (("--stop", ""), "empty stop string"),
        (("--max-batch", "-1"), "batch of -1"),
        (("--max-new-tokens", "-2"), "asks for -2"),
        (("--policy", "oracle", "--no-plain"), "the target's own text"),
    ],
)
def test_what_the_model_cannot_do_is_one_message(
    arguments: tuple[str, ...],
    message: str,
    model: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert message in refused(monkeypatch, capsys, "--model", model, *SMALL, *arguments)
