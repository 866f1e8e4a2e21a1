"""Heads: small networks that read a target's features and propose what it will say (Medusa, EAGLE).

Features are the target's own hidden states, and a head's logits come from rows of the target's own head:
such a file says something to one target alone. It carries a fingerprint of the target's weights, so that
heads of another model are refused even where the two models share a tokenizer.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from lab.errors import LabError
from lab.models import draft_file
from lab.models.draft_file import DraftFile, Format
from lab.models.loaded import LoadedModel
from lab.models.reduced import check_same_vocabulary
from lab.models.transformer import Transformer
from lab.numerics.kernels import Kernels
from lab.numerics.weight import Weight

PRINTED_ROWS = 16  # rows of a matrix that go into a fingerprint


def fingerprint(target: Transformer) -> str:
    """sha256 of the final norm's gain and of some rows of the embedding, the head and the last layer.

    Of the values, whatever dtype they are stored in. A fine-tuned model has another one.
    """
    digest = hashlib.sha256()
    matrices = (target.embedding, target.head.stored, target.stack.layers[-1].down.stored)
    for values in (target.norm, *(_some_rows(matrix) for matrix in matrices)):
        digest.update(values.float().cpu().numpy().tobytes())
    return digest.hexdigest()


def save_heads(
    path: Path,
    kind: Format,
    tensors: dict[str, Tensor],
    vocabulary: Tensor,
    taps: Sequence[int],
    target: LoadedModel,
    about: dict[str, Any],
) -> None:
    """Write heads on the features `taps` of `target`, rounded to BF16. `about`: what their reader needs."""
    shared = {
        "hidden": target.transformer.config.hidden_size,
        "taps": list(taps),
        "fingerprint": fingerprint(target.transformer),
    }
    draft_file.write(path, kind, tensors, vocabulary, target, {**shared, **about})


def read_heads(name: str, kind: Format, needed: Iterable[str], target: LoadedModel) -> DraftFile:
    """Shipped heads by name, or those in a file; `about` has `taps` and what is `needed`.

    The tensors are not looked at. Raises LabError for a name that is neither, a file that is damaged or of
    another kind, and heads that were trained for another model than `target`.
    """
    file = draft_file.read(name, kind, ("hidden", "taps", "fingerprint", *needed))
    made_for, digest = file.about["target"], file.about["digest"]
    check_same_vocabulary(file.path.stem, made_for, digest, target)
    if file.about["fingerprint"] != fingerprint(target.transformer):
        raise LabError(
            f"The heads in {file.path.name} read the features of {made_for} (width {file.about['hidden']}), "
            f"and the weights of {target.name} (width {target.transformer.config.hidden_size}) are others.",
            f"Use {made_for} as the target, or train heads for {target.name}: `{kind.command}`.",
        )
    draft_file.check_vocabulary(file.path, file.vocabulary, target)
    layers, taps = target.transformer.config.layers, file.about["taps"]
    if not isinstance(taps, list) or not taps or any(tap not in range(layers + 1) for tap in taps):
        raise LabError(
            f"The heads in {file.path.name} read features after layers {taps!r}.",
            f"They must be a list of layers from 0 to {layers}: write the file again, `{kind.command}`.",
        )
    return file


def head_rows(target: Transformer, vocabulary: Tensor, kernels: Kernels) -> Weight:
    """The rows of the target's head [R, hidden] that give the logits of `vocabulary` [R]."""
    return Weight(target.head.stored[vocabulary.to(target.device)], None, kernels)


def _some_rows(matrix: Tensor) -> Tensor:
    step = max(1, len(matrix) // PRINTED_ROWS)
    return matrix[torch.arange(0, len(matrix), step)]
