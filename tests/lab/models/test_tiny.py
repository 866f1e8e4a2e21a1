"""Tiny models: repeatable, sound, and cheap."""

import pytest
import torch

from lab.errors import LabError
from lab.models.config import ARCHITECTURES
from lab.models.tiny import VOCABULARY, byte_tokenizer, tiny_checkpoint


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_a_seed_is_a_model(architecture: str) -> None:
    first, again, other = (tiny_checkpoint(seed, architecture) for seed in (4, 4, 5))
    assert first.config == other.config
    assert first.config.architecture == architecture
    for name, tensor in first.tensors.items():
        assert torch.equal(tensor, again.tensors[name])
        assert not torch.equal(tensor, other.tensors[name])


def test_overrides_change_the_shape_and_are_checked() -> None:
    untied = tiny_checkpoint(0, tied_head=False, layers=1, dtype=torch.bfloat16)
    assert untied.tensors["lm_head.weight"].dtype == torch.bfloat16
    with pytest.raises(LabError, match="kv_heads = 3"):
        tiny_checkpoint(0, kv_heads=3)
    with pytest.raises(TypeError, match="colour"):
        tiny_checkpoint(0, colour="red")


def test_a_byte_is_a_token() -> None:
    tokenizer = byte_tokenizer()
    assert tokenizer.vocab_size == VOCABULARY
    assert [tokenizer.encode(chr(byte)) for byte in range(128)] == [[byte] for byte in range(128)]
