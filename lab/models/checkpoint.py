"""A model ready to decode with: its configuration, its weights as they are stored, its tokenizer.

Checks the weights against the configuration before anything runs. Does not read files and does not
convert weights: `hub_folder` and `gguf_file` read, the lanes convert.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import torch

from lab.errors import LabError
from lab.models.config import ModelConfig, expected_tensors
from lab.models.tokenizer import Tokenizer

# For each dtype that weights are stored in: integers of its size, and the bit pattern of its infinity.
_PATTERNS = {
    torch.float32: (torch.int32, np.uint32, 0x7F800000),
    torch.float16: (torch.int16, np.uint16, 0x7C00),
    torch.bfloat16: (torch.int16, np.uint16, 0x7F80),
}

# Buffers that older checkpoints store beside their weights; the frequencies come from the configuration.
_BUFFER = re.compile(r".*\.rotary_emb\.inv_freq$")


@dataclass(frozen=True)
class Checkpoint:
    """`tensors` are in the hub's names and in the dtypes of the file. `source` says where they came from."""

    config: ModelConfig
    tensors: dict[str, torch.Tensor]
    tokenizer: Tokenizer
    name: str
    source: str


def validate(checkpoint: Checkpoint) -> Checkpoint:
    """The checkpoint with exactly the tensors that its configuration asks for, all finite.

    Raises LabError as `checked_tensors` does, and for a tokenizer with more tokens than the model.
    """
    config, name = checkpoint.config, checkpoint.name
    tensors = checked_tensors(checkpoint.tensors, config, name)
    size = checkpoint.tokenizer.vocab_size
    if size > config.vocab_size:
        raise LabError(
            f"The tokenizer of {name} has {size} tokens, its model {config.vocab_size}.",
            "Use the tokenizer that the model was trained with.",
        )
    return replace(checkpoint, tensors=tensors)


def checked_tensors(
    stored: Mapping[str, torch.Tensor], config: ModelConfig, name: str
) -> dict[str, torch.Tensor]:
    """The tensors that the configuration asks for, by the hub's names.

    Drops rotary buffers, and the copy of the embedding that some files store as the head of a tied
    model. Raises LabError naming the first tensor that is missing, unexpected, of a wrong shape or
    dtype, or not finite.
    """
    tensors = {key: tensor for key, tensor in stored.items() if not _droppable(key, config)}
    what = f"a {config.architecture} model of this configuration"
    check_shapes(tensors, expected_tensors(config), name, what)
    return tensors


def check_shapes(
    tensors: Mapping[str, torch.Tensor],
    expected: Mapping[str, tuple[int, ...]],
    name: str,
    what: str,
    remedy: str = "Fetch the model again, or choose another one.",
) -> None:
    """Raise LabError naming the first tensor that is missing from `expected` or not in it, of a wrong shape
    or dtype, or not finite. `what`: a word for what the expected tensors make up."""

    def bad(key: str, problem: str) -> LabError:
        return LabError(f"Tensor {key} of {name} {problem}.", remedy)

    for key in expected:
        if key not in tensors:
            raise bad(key, "is missing")
    for key, tensor in tensors.items():
        if key not in expected:
            raise bad(key, f"does not belong to {what}")
        if tuple(tensor.shape) != expected[key]:
            raise bad(key, f"has shape {list(tensor.shape)} instead of {list(expected[key])}")
        if tensor.dtype not in _PATTERNS:
            raise bad(key, f"has dtype {tensor.dtype}, not one of float32, float16, bfloat16")
        if not _is_finite(tensor):
            raise bad(key, "holds a NaN or an infinity")


def _droppable(key: str, config: ModelConfig) -> bool:
    return bool(_BUFFER.match(key)) or (key == "lm_head.weight" and config.tied_head)


def _is_finite(tensor: torch.Tensor) -> bool:
    """Without its sign, the bit pattern of a finite number is below that of infinity, a NaN's above.

    In numpy, on one thread: torch's parallel reductions wait for each other on a busy machine, tensor by
    tensor, and made loading several times slower there.
    """
    signed, unsigned, infinity = _PATTERNS[tensor.dtype]
    bits = tensor.view(signed).numpy().view(unsigned)
    return bool((bits << 1).max() < infinity << 1)  # the shift drops the sign
