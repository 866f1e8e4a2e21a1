"""What cannot be speculated is refused, with the value and both names where there are two."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
import torch
from tokenizers import AddedToken
from torch import Tensor

from lab.decode.requests import Request
from lab.decode.sampling import Sampling
from lab.decode.speculative.drafters import Drafter, LookupDrafter, ScriptedDrafter, UniformDrafter
from lab.decode.speculative.how import Speculative
from lab.decode.speculative.making import make_drafter
from lab.decode.speculative.policy import Adaptive, Confident, Fixed, Optimal, Oracle
from lab.decode.speculative.rounds import speculate
from lab.decode.speculative.walks import MultiStep
from lab.errors import LabError
from lab.models.loaded import LoadedModel
from lab.models.tiny import byte_tokenizer, tiny_checkpoint
from lab.models.tokenizer import Tokenizer
from lab.models.transformer import Transformer
from lab.numerics.lanes import FP32
from tests.lab.decode.speculative.toy import random_logits, toy_draft

HOW = Speculative(LookupDrafter(), Fixed(2))


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Fixed(-1), "γ = -1"),
        (lambda: Fixed(65), "γ = 65.*"),
        (lambda: Confident(-3), "γ = -3"),
        (lambda: Confident(3, threshold=1.2), "threshold = 1.2"),
        (lambda: Confident(3, threshold=float("nan")), "threshold = nan"),
        (lambda: Adaptive(2, low=0), "from 0 to 16 that begins at 2"),
        (lambda: Adaptive(9, high=8), "from 1 to 8 that begins at 9"),
        (lambda: Adaptive(1, high=99), "γ = 99"),
        (lambda: Optimal(1.2, 0.1, (1.0,)), "α = 1.2"),
        (lambda: Optimal(-0.1, 0.1, (1.0,)), "α = -0.1"),
        (lambda: Optimal(float("nan"), 0.1, (1.0,)), "α = nan"),
        (lambda: Optimal(0.5, -0.1, (1.0,)), "c = -0.1"),
        (lambda: Optimal(0.5, float("nan"), (1.0,)), "c = nan"),
        (lambda: Optimal(0.5, 0.1, ()), r"v = \(\)"),
        (lambda: Optimal(0.5, 0.1, (1.0, 0.0)), "v = "),
        (lambda: Optimal(0.5, 0.1, (1.0, float("nan"))), "v = "),
        (lambda: Optimal(0.5, 0.1, (1.0,) * 66), "γ = 65"),
        (lambda: Optimal(0.5, 0.1, (1.0, 1.1), weight=0.0), "weight = 0.0"),
        (lambda: MultiStep(0.0), "lenience = 0.0"),
        (lambda: MultiStep(1.5), "lenience = 1.5"),
        (lambda: MultiStep(float("nan")), "lenience = nan"),
        (lambda: replace(HOW, keep_laws=-1), "keep_laws = -1"),
        (lambda: LookupDrafter(longest=1, shortest=2), "match of 2 to 1 tokens"),
        (lambda: LookupDrafter(shortest=0), "match of 0 to 3 tokens"),
    ],
)
def test_settings_are_refused_when_they_are_made(make: Callable[[], object], says: str) -> None:
    with pytest.raises(LabError, match=says):
        make()


def start(model: Transformer, request: Request, how: Speculative = HOW) -> None:
    next(speculate(model, [request], FP32, how))


def test_forced_tokens_cannot_be_speculated(tiny: Transformer) -> None:
    with pytest.raises(LabError, match="Request 'a' follows given tokens"):
        start(tiny, Request("a", (65,), 2, follow=(1, 2)))


def test_the_oracle_is_for_greedy_decoding(tiny: Transformer) -> None:
    how = Speculative(LookupDrafter(), Oracle(2, {"a": (1, 2)}))
    with pytest.raises(LabError, match=r"Request 'a' samples at temperature 0\.7"):
        start(tiny, Request("a", (65,), 2, Sampling(0.7)), how)


@pytest.mark.parametrize(
    ("law", "says"),
    [
        (torch.full((4,), 0.5), "sums to 2"),
        (torch.full((4,), 0.125), "sums to 0.5"),
        (torch.tensor([1.5, -0.5]), "least probability is -0.5"),
        (torch.tensor([float("nan"), 1.0]), "sums to nan"),
    ],
)
def test_a_scripted_law_that_is_none(tiny: Transformer, law: Tensor, says: str) -> None:
    how = Speculative(ScriptedDrafter(lambda text: law, name="mine"), Fixed(2))
    with pytest.raises(LabError, match=f"The law of drafter 'mine'.*{says}"):
        list(speculate(tiny, [Request("a", (65,), 4)], FP32, how))


def beyond(text: Sequence[int]) -> Tensor:
    """A law whose token 259, which the target lacks, is possible and not likely."""
    law = torch.zeros(260, dtype=torch.float64)
    law[65], law[259] = 1 - 1e-6, 1e-6
    return law


@pytest.mark.parametrize(
    "drafter",
    [
        UniformDrafter(300),
        toy_draft(random_logits(0, 300), 300),
        ScriptedDrafter(beyond),
    ],
    ids=["uniform", "toy draft", "scripted"],
)
def test_a_draft_with_tokens_that_the_target_lacks(tiny: Transformer, drafter: Drafter) -> None:
    request = Request("a", (65,), 4, Sampling(1.0))
    with pytest.raises(LabError, match=f"Drafter '{drafter.name}' has token .* tiny-llama-0 ends at 258"):
        list(speculate(tiny, [request], FP32, Speculative(drafter, Fixed(2))))


def loaded(tokenizer: Tokenizer | None = None, **overrides: Any) -> LoadedModel:
    checkpoint = tiny_checkpoint(0, **overrides)
    return LoadedModel(Transformer(checkpoint), tokenizer or checkpoint.tokenizer, "random")


def test_a_draft_of_another_tokenizer_names_both() -> None:
    other = byte_tokenizer()
    other.backend.add_special_tokens([AddedToken("<|more|>", special=True)])
    draft = loaded(other)
    draft.transformer.name = "stranger"
    with pytest.raises(LabError, match=r"(?s)stranger.*tiny-llama-0"):
        make_drafter("stranger", loaded(), lambda name, device: draft)


@pytest.mark.parametrize(("mine", "own"), [(300, 259), (259, 300)])
def test_a_draft_of_another_vocabulary_size_names_both(mine: int, own: int) -> None:
    """One tokenizer, and logits padded to different sizes."""
    draft, target = loaded(vocab_size=mine), loaded(vocab_size=own)
    draft.transformer.name = "stranger"
    with pytest.raises(LabError, match=f"stranger has {mine} logits.*tiny-llama-0 has {own}"):
        make_drafter("stranger", target, lambda name, device: draft)


def test_a_draft_of_the_same_tokenizer_is_taken() -> None:
    draft = loaded()
    drafter = make_drafter("own", loaded(), lambda name, device: draft)
    assert drafter.parameters == draft.transformer.config.parameters


def test_a_negative_seed_is_named() -> None:
    with pytest.raises(LabError, match="seed -1"):
        list(speculate(toy_draft(random_logits(0, 3), 3).model, [Request("a", (0,), 2, seed=-1)], FP32, HOW))
