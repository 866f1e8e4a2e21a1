"""Greedy speculation with trees in FP32 gives the tokens of plain greedy decoding."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from lab.decode.batching import decode
from lab.decode.prompt_set import built_in
from lab.decode.requests import Request
from lab.decode.sampling import Sampling
from lab.decode.speculative.branching import Several, TreeDrafter
from lab.decode.speculative.drafters import ModelDrafter
from lab.decode.speculative.eagle_drafter import EagleDrafter
from lab.decode.speculative.how import SpeculativeTree
from lab.decode.speculative.making import make_tree_drafter
from lab.decode.speculative.medusa_drafter import MedusaDrafter
from lab.decode.speculative.rounds import speculate
from lab.decode.speculative.shapes import Dynamic, Shape, k_ary
from lab.decode.speculative.siblings import SIBLINGS, How
from lab.decode.speculative.walks import Match, MultiStep, Rule, Typical
from lab.models.checkpoint import Checkpoint
from lab.models.draft_file import shipped
from lab.models.eagle import DEFAULT_EAGLE, EAGLE
from lab.models.loaded import LoadedModel
from lab.models.medusa import DEFAULT_MEDUSA, MEDUSA
from lab.models.tiny import tiny_checkpoint
from lab.models.transformer import Transformer
from lab.numerics.lanes import FP32
from tests.lab.decode.speculative.test_identity import accepted_in, tokens
from tests.lab.decode.speculative.test_tree_law import irregular
from tests.lab.decode.speculative.tiny_drafts import noisy, reduced
from tests.lab.decode.speculative.tiny_heads import eagle, medusa, small


def drafters(checkpoint: Checkpoint, target: Transformer, noise: float) -> dict[str, TreeDrafter]:
    near = ModelDrafter("draft", Transformer(noisy(checkpoint, noise)))
    half = reduced(checkpoint, torch.arange(0, target.config.vocab_size, 2), noise)
    heads = EagleDrafter(eagle(target, taps=(0, target.config.layers)))
    return {
        "model": near,
        "reduced": ModelDrafter("half", half.transformer, FP32, half),
        "early exit": ModelDrafter("early", target.exit_after(1)),
        "medusa": MedusaDrafter(medusa(target)),
        "eagle": heads,
        "several": Several((near, heads)),
    }


SHAPES = st.one_of(
    st.builds(k_ary, st.lists(st.integers(1, 3), min_size=1, max_size=3)),
    st.builds(irregular, st.integers(0, 99)),
    st.builds(Dynamic, st.integers(1, 4), st.integers(1, 4), st.integers(1, 20)),
)


@settings(max_examples=25)
@given(
    seed=st.integers(0, 999),
    architecture=st.sampled_from(["llama", "qwen2", "mistral"]),
    drafter=st.sampled_from(["model", "reduced", "early exit", "medusa", "eagle", "several"]),
    shape=SHAPES,
    how=st.sampled_from(SIBLINGS),
    rule=st.sampled_from([MultiStep(), Match(), Typical()]),
    noise=st.sampled_from([0.0, 0.3]),
    few=st.booleans(),
    batch=st.integers(1, 3),
    arrivals=st.lists(st.integers(0, 4), min_size=1, max_size=4),
    sampling=st.sampled_from([Sampling(), Sampling(0.0, repetition_penalty=1.4, banned=(7,))]),
)
def test_greedy_identity_on_random_models(
    seed: int,
    architecture: str,
    drafter: str,
    shape: Shape,
    how: How,
    rule: Rule,
    noise: float,
    few: bool,
    batch: int,
    arrivals: list[int],
    sampling: Sampling,
) -> None:
    """With few tokens whatever is drafted is often right, in the middle of a tree as at its edge."""
    checkpoint = tiny_checkpoint(seed, architecture, torch.bfloat16)  # type: ignore[arg-type]
    checkpoint = small(checkpoint) if few else checkpoint
    target = Transformer(checkpoint)
    numbers = random.Random(seed)
    requests = [
        Request(
            str(i),
            tuple(numbers.choices(range(target.config.vocab_size), k=numbers.randint(1, 70))),
            numbers.randint(1, 16),
            sampling,
            arrives=arrives,
        )
        for i, arrives in enumerate(arrivals)
    ]
    tree = SpeculativeTree(drafters(checkpoint, target, noise)[drafter], shape, rule, how)
    speculative = tokens(speculate(target, requests, FP32, tree, max_batch=batch))
    assert speculative == tokens(decode(target, [replace(r, arrives=0) for r in requests], FP32))


@pytest.mark.model
def test_greedy_identity_on_smollm2(smollm2: Checkpoint, smollm2_model: Transformer) -> None:
    """2 prompts × 12 tokens together, each drafter of trees that the lab has, with two shapes."""
    target = LoadedModel(smollm2_model, smollm2.tokenizer, smollm2.source)
    requests = [
        Request(prompt.name, tuple(target.tokenizer.encode_chat(prompt.text)), 12, ignore_eos=True)
        for prompt in built_in()[:2]
    ]
    plain = tokens(decode(smollm2_model, requests, FP32))
    names = ["stories+trigram", "early-exit:20"]
    names += ["medusa"] if DEFAULT_MEDUSA in shipped(MEDUSA) else []
    names += ["eagle"] if DEFAULT_EAGLE in shipped(EAGLE) else []
    accepted = 0
    for name in names:
        for shape in (k_ary((3, 2)), Dynamic(3, 3, 8)):
            how = SpeculativeTree(make_tree_drafter(name, target), shape)
            steps = list(speculate(smollm2_model, requests, FP32, how))
            assert tokens(steps) == plain, (name, shape.name)
            accepted += accepted_in(steps)
    assert accepted
