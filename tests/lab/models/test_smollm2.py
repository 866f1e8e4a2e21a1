"""The pinned model: equal to transformers, invariant where promised, variant where scheduled."""

from __future__ import annotations

import pytest
import torch
import transformers

from lab.decode.batching import decode
from lab.decode.requests import Request
from lab.models.checkpoint import Checkpoint
from lab.models.transformer import Transformer
from lab.numerics.lanes import BF16_INVARIANT, FP32, Lane, bf16_emulated
from lab.numerics.schedule import GPU_LIKE, INVARIANT

pytestmark = pytest.mark.model

PROMPTS = [
    "Why is the sky blue?",
    "What is 17 + 26?",
    "Write a short story about a lighthouse keeper.",
    "Write a Python function that reverses a list.",
    "List three uses of copper.",
    "Explain photosynthesis to a child.",
    "What is the capital of Kenya?",
    "Translate 'good morning' into French.",
    "Give me a recipe for lentil soup.",
    "Who wrote Don Quixote?",
]


@pytest.fixture(scope="module")
def theirs(smollm2: Checkpoint) -> transformers.LlamaForCausalLM:
    config = transformers.LlamaConfig(**smollm2.config.to_hub(), attn_implementation="eager")
    model = transformers.LlamaForCausalLM(config).float().eval()
    model.load_state_dict({k: v.float() for k, v in smollm2.tensors.items()}, strict=False)
    model.tie_weights()
    return model


@pytest.fixture(scope="module")
def prompts(smollm2: Checkpoint) -> list[tuple[int, ...]]:
    return [tuple(smollm2.tokenizer.encode_chat(text)) for text in PROMPTS]


def test_logits_and_greedy_text_equal_transformers(
    smollm2_model: Transformer, theirs: transformers.LlamaForCausalLM, prompts: list[tuple[int, ...]]
) -> None:
    """Ten prompts, 64 greedy tokens each, and the logits of one whole sequence."""
    requests = [Request(str(i), prompt, 64, ignore_eos=True) for i, prompt in enumerate(prompts)]
    ours: dict[str, list[int]] = {request.id: [] for request in requests}
    for step in decode(smollm2_model, requests, FP32):
        for record in step.records:
            ours[record.request].append(record.token)  # type: ignore[union-attr]
    for i, prompt in enumerate(prompts):
        ids = torch.tensor([prompt])
        with torch.no_grad():
            out = theirs.generate(
                ids,
                attention_mask=torch.ones_like(ids),  # or it masks the prompt's own token 2 as padding
                max_new_tokens=64,
                do_sample=False,
                eos_token_id=None,
                pad_token_id=2,
            )
        assert ours[str(i)] == out[0, len(prompt) :].tolist()
    whole = [*prompts[0], *ours["0"]]
    with torch.no_grad():
        expected = theirs(torch.tensor([whole])).logits[0]
    logits = smollm2_model.forward(
        [whole], smollm2_model.new_cache(1, len(whole), FP32), FP32, every_position=True
    )
    assert (logits - expected).abs().max() < 2e-4  # 1e-4 as measured; largest logit 37.5


@pytest.mark.parametrize(
    "lane", [FP32, BF16_INVARIANT, bf16_emulated(INVARIANT)], ids=["fp32", "invariant", "all off"]
)
@pytest.mark.parametrize("batch", [2, 3, 4, 7, 8, 16, 32])
def test_a_row_keeps_its_bits(
    smollm2_model: Transformer, prompts: list[tuple[int, ...]], lane: Lane, batch: int
) -> None:
    assert torch.equal(
        _decoded(smollm2_model, lane, prompts, 1), _decoded(smollm2_model, lane, prompts, batch)
    )


@pytest.mark.parametrize("operator", ["linears", "attention"])
def test_an_emulated_row_changes_by_the_switch_alone(
    smollm2_model: Transformer, prompts: list[tuple[int, ...]], operator: str
) -> None:
    lane = bf16_emulated(GPU_LIKE.only(operator))
    long = [prompt * 12 for prompt in prompts]  # long enough for split-KV to have blocks to deal
    assert not torch.equal(_decoded(smollm2_model, lane, long, 1), _decoded(smollm2_model, lane, long, 32))


def _decoded(model: Transformer, lane: Lane, prompts: list[tuple[int, ...]], batch: int) -> torch.Tensor:
    """Logits [3, vocab] of the first prompt after each of three decode steps in a batch."""
    cache = model.new_cache(batch, 400, lane)
    for row in range(batch):
        model.forward([prompts[row % len(prompts)]], cache, lane, [row])
    steps = [
        model.forward([[token + row] for row in range(batch)], cache, lane)[0] for token in (500, 600, 700)
    ]
    return torch.stack(steps)
