"""Heads' files: what is saved is loaded, for the target that they were trained on and no other."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
import tokenizers
import torch
from safetensors import safe_open
from safetensors.torch import load_file, save_file

from lab.errors import LabError
from lab.models.draft import load_draft, shipped_drafts
from lab.models.draft_file import FOLDER, Format, shipped
from lab.models.heads import fingerprint, head_rows, save_heads
from lab.models.loaded import LoadedModel
from lab.models.medusa import MEDUSA, Medusa, load_medusa
from lab.models.tiny import tiny_checkpoint
from lab.models.tokenizer import Tokenizer
from lab.models.transformer import Transformer
from lab.numerics.lanes import BF16_NATIVE, FP32

VOCABULARY = torch.tensor([3, 10, 65, 66, 200, 258])
HEADS = 3


def loaded(seed: int = 0, **shape: int) -> LoadedModel:
    checkpoint = tiny_checkpoint(seed, **shape)
    return LoadedModel(Transformer(checkpoint), checkpoint.tokenizer, checkpoint.source)


@pytest.fixture(scope="module")
def target() -> LoadedModel:
    return loaded()


def tensors(hidden: int = 64) -> dict[str, torch.Tensor]:
    generator = torch.Generator().manual_seed(5)
    blocks = ((f"blocks.{k}.{part}", part) for k in range(HEADS) for part in ("weight", "bias"))
    return {
        name: 0.2 * torch.randn((hidden, hidden) if part == "weight" else (hidden,), generator=generator)
        for name, part in blocks
    }


def save(path: Path, target: LoadedModel, **changes: object) -> None:
    given = {
        "tensors": tensors(),
        "vocabulary": VOCABULARY,
        "taps": (2,),
        "about": {"heads": HEADS},
    } | changes
    save_heads(path, MEDUSA, target=target, **given)  # type: ignore[arg-type]


@pytest.fixture
def path(target: LoadedModel, tmp_path: Path) -> Path:
    path = tmp_path / "new" / "three.safetensors"
    save(path, target)
    return path


def test_logits_are_those_of_each_head_alone(path: Path, target: LoadedModel) -> None:
    heads: Medusa = load_medusa(str(path), target)
    assert (heads.name, heads.target, heads.heads, heads.taps) == ("three", "tiny-llama-0", 3, (2,))
    assert heads.vocabulary.equal(VOCABULARY)
    features = torch.randn(4, 64, generator=torch.Generator().manual_seed(1))
    rows = target.transformer.head.stored[VOCABULARY]
    stored = {name: tensor.bfloat16().float() for name, tensor in tensors().items()}
    logits = heads.logits(features)
    assert logits.shape == (4, 3, 6)
    for k in range(HEADS):
        step = features @ stored[f"blocks.{k}.weight"].T + stored[f"blocks.{k}.bias"]
        torch.testing.assert_close(logits[:, k], (features + step * step.sigmoid()) @ rows.T)
    assert heads.parameters == 3 * 64 * 65
    assert logits[1:2].equal(heads.logits(features[1:2]))  # bits do not depend on the neighbours
    native = heads.logits(features, BF16_NATIVE)
    torch.testing.assert_close(native, logits, atol=0.1, rtol=0.1)


def test_rows_of_the_target_give_its_own_logits(target: LoadedModel) -> None:
    model = target.transformer
    rows = head_rows(model, VOCABULARY, model.kernels)
    features = torch.randn(2, 64, generator=torch.Generator().manual_seed(1))
    assert FP32.linear(features, rows).equal(FP32.linear(features, model.head)[:, VOCABULARY])


def test_a_fingerprint_is_of_the_weights_values() -> None:
    one = fingerprint(Transformer(tiny_checkpoint(1, dtype=torch.bfloat16)))
    checkpoint = tiny_checkpoint(1, dtype=torch.bfloat16)
    wide = {name: tensor.float() for name, tensor in checkpoint.tensors.items()}
    assert fingerprint(Transformer(replace(checkpoint, tensors=wide))) == one
    assert fingerprint(Transformer(tiny_checkpoint(2, dtype=torch.bfloat16))) != one
    for name in ("model.norm.weight", "model.layers.1.mlp.down_proj.weight", "model.embed_tokens.weight"):
        tuned = {**wide, name: wide[name] * 1.01}
        assert fingerprint(Transformer(replace(checkpoint, tensors=tuned))) != one


def test_another_model_of_the_same_vocabulary_is_refused_by_both_names(path: Path) -> None:
    with pytest.raises(LabError, match=r"features of tiny-llama-0 .*weights of tiny-llama-9") as refused:
        load_medusa(str(path), loaded(9))
    assert "Use tiny-llama-0 as the target" in refused.value.remedy
    assert "python -m lab train medusa" in refused.value.remedy
    with pytest.raises(LabError, match=r"width 64.*tiny-llama-0 \(width 32\)"):
        load_medusa(str(path), loaded(0, hidden_size=32))


def test_another_vocabulary_is_refused(path: Path) -> None:
    backend = tokenizers.Tokenizer.from_str(tiny_checkpoint(0).tokenizer.backend.to_str())
    backend.add_tokens(["abc"])
    model = LoadedModel(Transformer(tiny_checkpoint(4, vocab_size=260)), Tokenizer(backend, ()), "test")
    with pytest.raises(LabError, match=r"tokens of tiny-llama-0.*tiny-llama-4 is not the same"):
        load_medusa(str(path), model)


def test_another_kind_of_file_is_refused(path: Path, target: LoadedModel, tmp_path: Path) -> None:
    with pytest.raises(LabError, match="is no draft of this lab"):
        load_draft(str(path), target)
    with pytest.raises(LabError, match="is no file of Medusa heads of this lab") as refused:
        load_medusa(str(FOLDER / "stories.safetensors"), target)
    assert "python -m lab train medusa" in refused.value.remedy
    with pytest.raises(LabError, match="no file of Medusa heads 'nothing'"):
        load_medusa("nothing", target)
    cut = tmp_path / "cut.safetensors"
    cut.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(LabError, match="cannot be read"):
        load_medusa(str(cut), target)


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"taps": (3,)}, r"features after layers \[3\]"),
        ({"taps": ()}, r"features after layers \[\]"),
        ({"about": {"heads": 0}}, "heads = 0"),
        ({"about": {"heads": "3"}}, "heads = '3'"),
        ({"about": {"heads": 4}}, r"blocks\.3\.weight of three is missing"),
        ({"about": {"heads": 2}}, r"blocks\.2\.\w+ of three does not belong to 2 Medusa heads"),
        ({"about": {}}, "no file of Medusa heads"),
        ({"tensors": tensors(32)}, r"shape \[32\] instead of \[64\]"),
        ({"tensors": {**tensors(), "blocks.1.bias": torch.full((64,), torch.nan)}}, "NaN"),
        ({"vocabulary": torch.tensor([3, 3])}, "rising"),
        ({"vocabulary": torch.tensor([3, 300])}, "rising"),
        ({"vocabulary": torch.tensor([], dtype=torch.long)}, "rising"),
        ({"vocabulary": torch.tensor([1.0, 2.0])}, "rising"),
    ],
)
def test_a_broken_file_is_refused(
    path: Path, target: LoadedModel, changes: dict[str, object], problem: str
) -> None:
    save(path, target, **changes)
    with pytest.raises(LabError, match=problem):
        load_medusa(str(path), target)


def test_taps_that_are_no_list_are_refused(path: Path, target: LoadedModel) -> None:
    with safe_open(path, framework="pt") as stored:
        about = json.loads(stored.metadata()[MEDUSA.mark])
    for taps in ("30", [2.5], [True, "x"], 3):
        told = {MEDUSA.mark: json.dumps(about | {"taps": taps})}
        save_file(load_file(path), path, metadata=told)
        with pytest.raises(LabError, match="read features after layers"):
            load_medusa(str(path), target)


def test_files_are_shipped_by_kind() -> None:
    assert "stories" in shipped_drafts()
    assert not {*shipped_drafts()} & {*shipped(MEDUSA)}
    assert shipped(Format("nothing", "", "")) == []
