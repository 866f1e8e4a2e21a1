"""Every method on one prompt: the same greedy text, the figures of its own records, and what exact means."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from lab import traces
from lab.decode.prompt_set import Prompt
from lab.decode.sampling import Sampling
from lab.decode.settings import settings_from
from lab.decode.speculative.family import METHODS, SERIAL, FamilySettings, exactness, start_family
from lab.errors import LabError
from lab.models.checkpoint import Checkpoint
from lab.models.loaded import LoadedModel
from lab.models.tiny import tiny_checkpoint
from lab.models.transformer import Transformer
from lab.records import Failure, TokenRecord
from lab.round_records import FamilyRecord, RoundRecord

PROMPT = Prompt("abc", "own", "abcabcabcabc")


@pytest.fixture(scope="module")
def loaded() -> LoadedModel:
    checkpoint = tiny_checkpoint(0)
    return LoadedModel(Transformer(checkpoint), checkpoint.tokenizer, "tiny")


@pytest.fixture(scope="module")
def small() -> FamilySettings:
    return FamilySettings((PROMPT, Prompt("d", "own", "d")), length=12, methods=("lookup",))


def test_a_method_is_told_by_its_own_records(loaded: LoadedModel, small: FamilySettings) -> None:
    info, made = start_family(small, lambda: loaded)
    records = list(made)
    assert settings_from(FamilySettings, info.settings) == small
    family = [record for record in records if isinstance(record, FamilyRecord)]
    assert [(r.method, r.request) for r in family] == [
        (m, p.name) for m in (SERIAL, "lookup") for p in small.prompts
    ]
    for record in family:
        name = f"{record.method} {record.request}"
        tokens = [r.token for r in records if isinstance(r, TokenRecord) and r.request == name]
        rounds = [r for r in records if isinstance(r, RoundRecord) and r.request == name]
        assert record.tokens == tuple(tokens)
        assert len(tokens) == len(record.texts) <= 12
        assert record.same_as_plain
        assert record.exactness == "greedy-identical in FP32"
        assert record.seconds > 0
        if record.method == SERIAL:
            assert (record.passes, record.drafted, record.levels) == (len(tokens) - 1, 0, 0)
            assert record.tokens_per_pass == 1.0
            assert record.speedup == 1.0
        else:
            assert record.passes == len(rounds)
            assert record.drafted == sum(len(r.drafted) for r in rounds)
            assert record.accepted + record.passes == len(tokens) - 1
            assert record.draft_seconds + record.verify_seconds <= record.seconds
    assert len(records) == sum(isinstance(r, TokenRecord | RoundRecord | FamilyRecord) for r in records)


def test_the_trace_reads_back(loaded: LoadedModel, small: FamilySettings, tmp_path: Path) -> None:
    info, made = start_family(small, lambda: loaded)
    records = [record for record in made if isinstance(record, FamilyRecord | RoundRecord | Failure)]
    traces.write(tmp_path / "family.jsonl", info, records)
    assert list(traces.read(tmp_path / "family.jsonl").records) == records


@pytest.mark.parametrize("method", METHODS)
def test_what_exact_means(method: str) -> None:
    if method == SERIAL:
        assert exactness(FamilySettings().of(method), None) == "greedy-identical in FP32"
        return
    greedy = FamilySettings().of(method)
    rule = greedy.make_rule()
    how = type("How", (), {"rule": rule})()
    assert exactness(greedy, how) == "greedy-identical in FP32"
    warm = replace(greedy, sampling=Sampling(1.0))
    assert exactness(warm, how) == ("approximate" if method == "medusa" else "lossless in law")


def test_settings_are_checked_before_the_model_is_loaded() -> None:
    def load() -> LoadedModel:
        raise AssertionError("the model was loaded")

    with pytest.raises(LabError, match="no method 'magic'"):
        start_family(FamilySettings(methods=("magic",)), load)


def test_every_method_writes_the_greedy_text_of_smollm2(
    smollm2: Checkpoint, smollm2_model: Transformer
) -> None:
    loaded = LoadedModel(smollm2_model, smollm2.tokenizer, smollm2.source)
    _, made = start_family(FamilySettings(length=20), lambda: loaded)
    family = {record.method: record for record in made if isinstance(record, FamilyRecord)}
    assert list(family) == list(METHODS)
    assert all(record.same_as_plain for record in family.values())
    for method in ("specinfer", "eagle", "eagle-2", "medusa"):
        assert (family[method].tokens_per_pass or 0) > 1.2, method
