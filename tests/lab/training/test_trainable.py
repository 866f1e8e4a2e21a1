"""The trainable model is the transformer that decodes."""

from __future__ import annotations

import pytest
import torch

from lab.errors import LabError
from lab.models.tiny import tiny_checkpoint
from lab.models.transformer import Transformer
from lab.numerics.lanes import FP32
from lab.training.trainable import TrainableLlama


@pytest.mark.parametrize("shape", [{}, {"heads": 4, "kv_heads": 4}, {"layers": 3, "head_dim": 8}])
def test_logits_equal_the_transformers(shape: dict[str, int]) -> None:
    checkpoint = tiny_checkpoint(5, **shape)
    model = TrainableLlama(checkpoint.config)
    model.load_state_dict(checkpoint.tensors)
    rows = [[1, 2, 3, 4, 5, 6, 7], [200, 100, 3]]
    transformer = Transformer(checkpoint)
    cache = transformer.new_cache(2, 8, FP32)
    expected = transformer.forward(rows, cache, FP32, every_position=True).split([7, 3])
    padded = torch.tensor([rows[0], rows[1] + [0] * 4])
    with torch.no_grad():
        logits = model(padded)
    torch.testing.assert_close(logits[0], expected[0], atol=2e-5, rtol=1e-5)
    torch.testing.assert_close(logits[1, :3], expected[1], atol=2e-5, rtol=1e-5)


@pytest.mark.parametrize("change", [{"architecture": "qwen2"}, {"tied_head": False}])
def test_other_architectures_are_refused(change: dict[str, object]) -> None:
    with pytest.raises(LabError, match="cannot be trained"):
        TrainableLlama(tiny_checkpoint(0, **change).config)  # type: ignore[arg-type]
