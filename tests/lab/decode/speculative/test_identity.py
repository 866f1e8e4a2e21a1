"""Greedy speculation in FP32 gives the tokens of plain greedy decoding, whatever the windows and batch."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import replace

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from lab.decode.batching import Step, decode
from lab.decode.prompt_set import built_in
from lab.decode.requests import Request
from lab.decode.sampling import Sampling
from lab.decode.speculative.drafters import Drafter, LookupDrafter, ModelDrafter, NGramDrafter, UniformDrafter
from lab.decode.speculative.how import Speculative
from lab.decode.speculative.ngram import SHIPPED_NGRAM, load_ngram
from lab.decode.speculative.policy import Adaptive, Confident, Fixed, Optimal, Oracle, Policy
from lab.decode.speculative.rounds import speculate
from lab.models.checkpoint import Checkpoint
from lab.models.draft import DEFAULT_DRAFT, load_draft, shipped_drafts
from lab.models.loaded import LoadedModel
from lab.models.tiny import tiny_checkpoint
from lab.models.transformer import Transformer
from lab.numerics.lanes import FP32
from lab.records import TokenRecord
from tests.lab.decode.speculative.tiny_drafts import noisy


def tokens(steps: Iterable[Step]) -> dict[str, list[tuple[int, str | None]]]:
    """Each request's tokens, with how it finished."""
    out: dict[str, list[tuple[int, str | None]]] = {}
    for step in steps:
        for record in step.records:
            assert isinstance(record, TokenRecord)
            out.setdefault(record.request, []).append((record.token, record.finish))
    return out


@st.composite
def shapes(draw: st.DrawFn) -> dict[str, object]:
    kv_heads = draw(st.sampled_from([1, 2]))
    return {
        "layers": draw(st.integers(1, 3)),
        "heads": kv_heads * draw(st.sampled_from([1, 3])),
        "kv_heads": kv_heads,
        "head_dim": draw(st.sampled_from([8, 16])),
        "hidden_size": draw(st.sampled_from([24, 64])),
        "tied_head": draw(st.booleans()),
    }


@st.composite
def policies(draw: st.DrawFn) -> Policy:
    gamma = draw(st.integers(1, 8))
    return draw(
        st.sampled_from(
            [
                Fixed(gamma),
                Adaptive(gamma, low=1, high=8),
                Confident(gamma, threshold=0.03),
                Optimal(0.5, 0.05, tuple(1 + 0.05 * n for n in range(gamma + 1))),
            ]
        )
    )


@settings(max_examples=30)
@given(
    seed=st.integers(0, 999),
    architecture=st.sampled_from(["llama", "qwen2", "qwen3", "mistral"]),
    shape=shapes(),
    policy=policies(),
    noise=st.sampled_from([0.0, 0.1, 1.0]),
    batch=st.integers(1, 4),
    arrivals=st.lists(st.integers(0, 6), min_size=1, max_size=5),
    sampling=st.sampled_from([Sampling(), Sampling(0.0, repetition_penalty=1.4, banned=(7,))]),
)
def test_greedy_identity_on_random_models(
    seed: int,
    architecture: str,
    shape: dict[str, object],
    policy: Policy,
    noise: float,
    batch: int,
    arrivals: list[int],
    sampling: Sampling,
) -> None:
    """Drafts from the target itself to one that has nothing of it, rows that join and leave."""
    checkpoint = tiny_checkpoint(seed, architecture, torch.bfloat16, **shape)  # type: ignore[arg-type]
    target, draft = Transformer(checkpoint), Transformer(noisy(checkpoint, noise))
    numbers = random.Random(seed)
    requests = [
        Request(
            str(i),
            tuple(numbers.choices(range(256), k=numbers.randint(1, 70))),
            numbers.randint(1, 20),
            sampling,
            arrives=arrives,
        )
        for i, arrives in enumerate(arrivals)
    ]
    how = Speculative(ModelDrafter("draft", draft), policy)
    speculative = tokens(speculate(target, requests, FP32, how, max_batch=batch))
    assert speculative == tokens(decode(target, [replace(r, arrives=0) for r in requests], FP32))


@pytest.mark.parametrize("drafter", [LookupDrafter(), UniformDrafter(259)], ids=["lookup", "uniform"])
def test_a_text_that_repeats_itself(tiny: Transformer, drafter: Drafter) -> None:
    """Prompts with repeats, so that lookup has much to propose."""
    requests = [Request(str(i), (*range(60 + i, 66 + i),) * 4, 20, ignore_eos=True) for i in range(4)]
    how = Speculative(drafter, Fixed(6))
    assert tokens(speculate(tiny, requests, FP32, how)) == tokens(decode(tiny, requests, FP32))


def test_the_oracle_knows_and_drafts_nothing_in_vain(tiny: Transformer) -> None:
    requests = [Request(str(i), (70 + i, 80, 90), 18, ignore_eos=True) for i in range(2)]
    plain = tokens(decode(tiny, requests, FP32))
    texts = {name: [token for token, _ in made] for name, made in plain.items()}
    how = Speculative(ModelDrafter("itself", tiny), Oracle(5, texts))
    steps = list(speculate(tiny, requests, FP32, how))
    assert tokens(steps) == plain
    rounds = [record for step in steps for record in step.rounds]
    assert all(record.accepted == len(record.drafted) for record in rounds)
    assert max(record.accepted for record in rounds) == 5


def real_drafters(target: LoadedModel) -> dict[str, Drafter]:
    """Those that come with the lab, and lookup."""
    found: dict[str, Drafter] = {"lookup": LookupDrafter()}
    if SHIPPED_NGRAM.exists():
        found["trigram"] = NGramDrafter("trigram", load_ngram(SHIPPED_NGRAM, target))
    if DEFAULT_DRAFT in shipped_drafts():
        draft = load_draft(DEFAULT_DRAFT, target)
        found[DEFAULT_DRAFT] = ModelDrafter(DEFAULT_DRAFT, draft.transformer, reduced=draft)
    return found


@pytest.mark.model
def test_greedy_identity_on_smollm2(smollm2: Checkpoint, smollm2_model: Transformer) -> None:
    """4 prompts × 24 tokens, each shipped drafter, γ of 1, 4 and 8, batches of 2 and 4."""
    target = LoadedModel(smollm2_model, smollm2.tokenizer, smollm2.source)
    requests = [
        Request(prompt.name, tuple(target.tokenizer.encode_chat(prompt.text)), 24, ignore_eos=True)
        for prompt in built_in()[:4]
    ]
    plain = tokens(decode(smollm2_model, requests, FP32))
    accepted: dict[str, int] = {}
    for name, drafter in real_drafters(target).items():
        for gamma, batch in ((1, 4), (4, 2), (8, 4)):
            how = Speculative(drafter, Fixed(gamma))
            steps = list(speculate(smollm2_model, requests, FP32, how, max_batch=batch))
            assert tokens(steps) == plain, (name, gamma, batch)
            accepted[name] = accepted.get(name, 0) + accepted_in(steps)
    assert all(accepted.values()), accepted


def accepted_in(steps: Sequence[Step]) -> int:
    return sum(record.accepted for step in steps for record in step.rounds)
