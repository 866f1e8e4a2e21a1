"""Every way in which weights and configuration can disagree is refused, naming the tensor."""

from dataclasses import replace

import pytest
import torch

from lab.errors import LabError
from lab.models.checkpoint import Checkpoint, validate
from lab.models.tiny import tiny_checkpoint

NAME = "model.layers.1.mlp.up_proj.weight"


def changed(tensors: dict[str, torch.Tensor | None]) -> Checkpoint:
    """A sound checkpoint with some tensors replaced, added, or (None) taken away."""
    sound = tiny_checkpoint(0)
    merged = sound.tensors | tensors
    return replace(sound, tensors={name: tensor for name, tensor in merged.items() if tensor is not None})


def test_a_sound_checkpoint_comes_back_as_it_is() -> None:
    sound = tiny_checkpoint(0)
    assert validate(sound) == sound


def test_buffers_and_a_second_copy_of_a_tied_head_are_dropped() -> None:
    extra = {
        "model.layers.0.self_attn.rotary_emb.inv_freq": torch.ones(8),
        "lm_head.weight": tiny_checkpoint(0).tensors["model.embed_tokens.weight"],
    }
    assert validate(changed(extra)).tensors.keys() == tiny_checkpoint(0).tensors.keys()


def test_the_head_of_an_untied_model_is_kept_and_needed() -> None:
    untied = tiny_checkpoint(0, tied_head=False)
    assert "lm_head.weight" in validate(untied).tensors
    del untied.tensors["lm_head.weight"]
    with pytest.raises(LabError, match=r"lm_head\.weight .* is missing"):
        validate(untied)


@pytest.mark.parametrize(
    ("tensors", "problem"),
    [
        ({NAME: None}, "is missing"),
        ({"model.layers.0.self_attn.q_proj.bias": torch.zeros(64)}, "does not belong"),
        ({NAME: torch.zeros(64, 96)}, r"has shape \[64, 96\] instead of \[96, 64\]"),
        ({NAME: torch.zeros(96, 64, dtype=torch.int8)}, "has dtype torch.int8"),
        ({NAME: torch.zeros(96, 64, dtype=torch.float64)}, "has dtype torch.float64"),
    ],
)
def test_refusals_name_the_tensor(tensors: dict, problem: str) -> None:
    name = next(iter(tensors))
    with pytest.raises(LabError, match=f"{name} of tiny-llama-0 {problem}"):
        validate(changed(tensors))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
@pytest.mark.parametrize("index", [(0, 0), (47, 31), (95, 63)])
def test_one_bad_number_anywhere_is_found(dtype: torch.dtype, value: float, index: tuple[int, int]) -> None:
    tensor = torch.randn(96, 64).to(dtype)
    tensor[index] = value
    with pytest.raises(LabError, match=f"{NAME} .* NaN or an infinity"):
        validate(changed({NAME: tensor}))


def test_the_largest_finite_numbers_pass() -> None:
    tensor = torch.full((96, 64), torch.finfo(torch.bfloat16).max, dtype=torch.bfloat16)
    validate(changed({NAME: tensor}))


def test_a_tokenizer_with_more_tokens_than_the_model_is_refused() -> None:
    sound = tiny_checkpoint(0)
    config = replace(sound.config, vocab_size=258, eos_ids=())
    tensors = sound.tensors | {"model.embed_tokens.weight": torch.zeros(258, 64)}
    with pytest.raises(LabError, match="259 tokens"):
        validate(replace(sound, config=config, tensors=tensors))
