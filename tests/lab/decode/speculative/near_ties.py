"""A small model of near-equal logits, whose BF16 and FP32 lanes often choose differently; drafts for it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import torch

from lab.decode.prompt_set import built_in
from lab.decode.settings import LaneSettings
from lab.decode.speculative.drafters import Drafter, LookupDrafter, ModelDrafter
from lab.decode.speculative.meeting import MeetingSettings
from lab.models.checkpoint import Checkpoint
from lab.models.loaded import LoadedModel
from lab.models.tiny import byte_tokenizer, tiny_checkpoint
from lab.models.transformer import Transformer
from tests.lab.decode.speculative.tiny_drafts import noisy

STORIES = tuple(prompt for prompt in built_in() if prompt.kind == "story")
"""With some of these the lanes are known to part."""


def near_ties() -> Checkpoint:
    """The rows of its output matrix are nearly the same, so its margins are tiny."""
    checkpoint = tiny_checkpoint(3, dtype=torch.bfloat16, tied_head=False)
    head = checkpoint.tensors["lm_head.weight"].float()
    near = (0.95 * head[:1] + 0.05 * head).to(torch.bfloat16)
    return replace(checkpoint, tensors=checkpoint.tensors | {"lm_head.weight": near})


def drafters(checkpoint: Checkpoint) -> dict[str, Drafter]:
    """One that agrees often and has a cache, one that agrees seldom, and one without a cache."""
    return {
        "near": ModelDrafter("near", Transformer(noisy(checkpoint, 0.003))),
        "far": ModelDrafter("far", Transformer(noisy(checkpoint, 0.3))),
        "lookup": LookupDrafter(),
    }


def parting_settings(**changed: Any) -> MeetingSettings:
    """A meeting for this model whose BF16 rounds part from plain BF16: its partial sums are rounded."""
    lane = LaneSettings(reduced_partials=True)
    given = {"prompts": STORIES[:3], "length": 14, "drafter": "lookup", "window": 6, "arithmetic": lane}
    return MeetingSettings(**(given | changed))


def loaded() -> LoadedModel:
    return LoadedModel(Transformer(near_ties()), byte_tokenizer(), "random")
