"""A draft's file: what is saved is loaded, and it goes with its own target alone."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
import tokenizers
import torch
from safetensors.torch import load_file, save_file

from lab.errors import LabError
from lab.models.checkpoint import Checkpoint
from lab.models.draft import DRAFT, DraftModel, load_draft, save_draft, shipped_drafts
from lab.models.loaded import LoadedModel
from lab.models.tiny import tiny_checkpoint
from lab.models.tokenizer import Tokenizer
from lab.models.transformer import Transformer
from lab.numerics.lanes import FP32

VOCABULARY = torch.tensor([3, 10, 65, 66, 200, 258])


def loaded(seed: int = 0, **shape: int) -> LoadedModel:
    checkpoint = tiny_checkpoint(seed, **shape)
    return LoadedModel(Transformer(checkpoint), checkpoint.tokenizer, checkpoint.source)


@pytest.fixture(scope="module")
def target() -> LoadedModel:
    return loaded()


@pytest.fixture
def inner() -> Transformer:
    """The weights of a draft of six tokens, rounded as a file holds them."""
    return Transformer(shrunk(torch.bfloat16))


def shrunk(dtype: torch.dtype = torch.float32) -> Checkpoint:
    """A tiny model of seven rows, made past the check that its tokenizer fits it: a draft's need not."""
    whole = tiny_checkpoint(7, dtype=dtype)
    tensors = whole.tensors | {"model.embed_tokens.weight": whole.tensors["model.embed_tokens.weight"][:7]}
    return replace(whole, config=replace(whole.config, vocab_size=7, eos_ids=()), tensors=tensors)


@pytest.fixture
def path(target: LoadedModel, tmp_path: Path) -> Path:
    path = tmp_path / "new" / "small.safetensors"
    checkpoint = shrunk()
    save_draft(path, checkpoint.config, checkpoint.tensors, VOCABULARY, target)
    return path


def test_a_saved_draft_is_loaded(path: Path, target: LoadedModel, inner: Transformer) -> None:
    draft = load_draft(str(path), target)
    assert (draft.name, draft.target, draft.size) == ("small", target.name, 6)
    assert torch.equal(draft.vocabulary, VOCABULARY)
    assert draft.transformer.config.max_context == target.transformer.config.max_context
    tokens = [[0, 5, 6, 2]]
    expected = inner.forward(tokens, inner.new_cache(1, 4, FP32), FP32)
    assert torch.equal(
        draft.transformer.forward(tokens, draft.transformer.new_cache(1, 4, FP32), FP32), expected
    )
    assert expected.shape == (1, 7)


def test_ids_become_the_drafts_own(path: Path, target: LoadedModel) -> None:
    draft: DraftModel = load_draft(str(path), target)
    assert draft.encode([258, 3, 4, 66, 0, 257]) == [5, 0, 6, 3, 6, 6]
    assert draft.encode([]) == []


def test_another_vocabulary_is_refused_by_both_names(path: Path) -> None:
    other = tiny_checkpoint(0)
    backend = tokenizers.Tokenizer.from_str(other.tokenizer.backend.to_str())
    backend.add_tokens(["abc"])
    model = LoadedModel(Transformer(tiny_checkpoint(4, vocab_size=260)), Tokenizer(backend, ()), "test")
    with pytest.raises(LabError, match=r"tokens of tiny-llama-0.*tiny-llama-4 is not the same"):
        load_draft(str(path), model)


def test_another_model_of_the_same_vocabulary_will_do(path: Path) -> None:
    assert load_draft(str(path), loaded(9)).target == "tiny-llama-0"


def test_what_is_no_draft_is_refused(path: Path, target: LoadedModel, tmp_path: Path) -> None:
    with pytest.raises(LabError, match=r"no draft 'nothing'.*stories"):
        load_draft("nothing", target)
    plain = tmp_path / "plain.safetensors"
    save_file({"x": torch.zeros(2)}, plain)
    with pytest.raises(LabError, match="no draft"):
        load_draft(str(plain), target)
    plain.write_bytes(b"not safetensors at all")
    with pytest.raises(LabError, match="cannot be read"):
        load_draft(str(plain), target)


@pytest.mark.parametrize(
    ("vocabulary", "problem"),
    [
        (torch.tensor([3, 10, 65, 66, 200]), "has 7 rows for 5 tokens"),
        (torch.tensor([10, 3, 65, 66, 200, 258]), "rising"),
        (torch.tensor([3, 10, 65, 66, 200, 300]), "rising"),
        (torch.tensor([-1, 10, 65, 66, 200, 258]), "rising"),
    ],
)
def test_a_broken_vocabulary_is_refused(
    path: Path, target: LoadedModel, vocabulary: torch.Tensor, problem: str
) -> None:
    checkpoint = shrunk()
    save_draft(path, checkpoint.config, checkpoint.tensors, vocabulary, target)
    with pytest.raises(LabError, match=problem):
        load_draft(str(path), target)


def test_a_missing_tensor_is_named(path: Path, target: LoadedModel) -> None:
    checkpoint = shrunk()
    del checkpoint.tensors["model.norm.weight"]
    save_draft(path, checkpoint.config, checkpoint.tensors, VOCABULARY, target)
    with pytest.raises(LabError, match=r"model\.norm\.weight of small is missing"):
        load_draft(str(path), target)


def test_metadata_of_another_kind_is_refused(path: Path, target: LoadedModel) -> None:
    save_file(load_file(path), path, metadata={DRAFT.mark: json.dumps({"target": "x"})})
    with pytest.raises(LabError, match="no draft"):
        load_draft(str(path), target)


def test_a_draft_ships_with_the_lab() -> None:
    assert "stories" in shipped_drafts()
