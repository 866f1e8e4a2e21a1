"""Against an independent implementation: transformers' assisted generation, greedy, of the same models."""

from __future__ import annotations

import random

import pytest
import torch
import transformers

from lab.decode.requests import Request
from lab.decode.speculative.drafters import ModelDrafter
from lab.decode.speculative.how import Speculative
from lab.decode.speculative.policy import Fixed
from lab.decode.speculative.rounds import speculate
from lab.models.checkpoint import Checkpoint
from lab.models.tiny import tiny_checkpoint
from lab.models.transformer import Transformer
from lab.numerics.lanes import FP32
from lab.records import TokenRecord
from tests.lab.decode.speculative.tiny_drafts import noisy

TOKENS = 24


def theirs(checkpoint: Checkpoint) -> transformers.LlamaForCausalLM:
    config = transformers.LlamaConfig(**checkpoint.config.to_hub(), attn_implementation="eager")
    model = transformers.LlamaForCausalLM(config).float().eval()
    model.load_state_dict({k: v.float() for k, v in checkpoint.tensors.items()}, strict=False)
    model.tie_weights()
    return model


@pytest.mark.parametrize(("gamma", "noise"), [(1, 0.15), (4, 0.15), (8, 0.0)])
def test_the_text_of_assisted_generation(gamma: int, noise: float) -> None:
    checkpoint = tiny_checkpoint(61)
    near = noisy(checkpoint, noise)
    target, draft = theirs(checkpoint), theirs(near)
    assert draft.generation_config is not None
    draft.generation_config.update(
        num_assistant_tokens=gamma, num_assistant_tokens_schedule="constant", assistant_confidence_threshold=0
    )
    how = Speculative(ModelDrafter("near", Transformer(near)), Fixed(gamma))
    model = Transformer(checkpoint)
    for seed in range(2):
        prompt = tuple(random.Random(seed).choices(range(256), k=10))
        out = target.generate(
            torch.tensor([prompt]),
            attention_mask=torch.ones(1, len(prompt), dtype=torch.long),
            assistant_model=draft,
            max_new_tokens=TOKENS,
            do_sample=False,
            eos_token_id=None,
            pad_token_id=0,
        )
        steps = list(speculate(model, [Request("a", prompt, TOKENS, ignore_eos=True)], FP32, how))
        mine = [r.token for step in steps for r in step.records if isinstance(r, TokenRecord)]
        assert mine == out[0, len(prompt) :].tolist()
        assert len(steps) < TOKENS
