"""The shipped drafts as plain values: which text, which shape, how long; and how to make them from it.

Part of the text is the target's greedy continuations, since that is what greedy speculation meets;
part is stories that it sampled. Changing a value makes a new draft; text that exists already is kept.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import torch
from torch import Tensor

from lab.decode.prompt_set import built_in
from lab.decode.sampling import GREEDY, Sampling
from lab.models import fetch
from lab.models.config import ModelConfig
from lab.models.draft import StoredDraft
from lab.models.loaded import LoadedModel
from lab.models.rope import RopeConfig
from lab.models.tokenizer import Tokenizer
from lab.training.distil import DistilSettings, draft_loss, start_weights
from lab.training.evaluate import Figures, Proposer, evaluate
from lab.training.lessons import Lesson, frequent_tokens, lessons
from lab.training.loop import Training
from lab.training.target_text import KEPT, Given, TargetText, Written, load_shard
from lab.training.text import Story, stories, training_prompts
from lab.training.trainable import TrainableLlama

SAMPLED = Sampling(temperature=1.0)
DOMAINS = {"stories": "story", "questions": "question", "code": "code"}
"""Domain: its kind in the lab's prompt set. Story prompts are the held-out ones instead."""


@dataclass(frozen=True)
class TextRecipe:
    """`prompts` are continued greedily, at most `length` tokens. Along `stories` of the training stories
    the target's laws are taken; `written` others are learnt as they stand, token by token."""

    prompts: int = 3072
    stories: int = 192
    written: int = 2141
    length: int = 128


@dataclass(frozen=True)
class Shape:
    """Of the draft: few wide layers, since a draft's time is that of its operators one after another."""

    vocabulary: int = 6143
    hidden: int = 192
    layers: int = 2
    heads: int = 6
    ffn: int = 448

    def config(self, target: ModelConfig, vocabulary: int) -> ModelConfig:
        """For a vocabulary of so many tokens, which may be fewer than asked for."""
        return ModelConfig(
            architecture="llama",
            vocab_size=vocabulary + 1,
            hidden_size=self.hidden,
            intermediate_size=self.ffn,
            layers=self.layers,
            heads=self.heads,
            kv_heads=self.heads,
            head_dim=self.hidden // self.heads,
            norm_eps=1e-5,
            rope=RopeConfig(),
            max_context=target.max_context,
            tied_head=True,
        )


def folder_of(target: LoadedModel) -> Path:
    """Where target text and checkpoints of this target's drafts lie."""
    return fetch.home() / "training" / target.name


def training_jobs(recipe: TextRecipe, tokenizer: Tokenizer) -> list[Written | Given]:
    prompts = islice(training_prompts(), recipe.prompts)
    greedy = Written("greedy", _encoded(prompts, tokenizer), GREEDY, recipe.length)
    return [greedy, Given("given", _told(tokenizer, slice(recipe.stories)))]


def as_written(recipe: TextRecipe, tokenizer: Tokenizer) -> list[TargetText]:
    """Stories whose laws are not taken: at each position all probability is on the token that is there."""
    return [
        TargetText(
            prompt,
            ids,
            torch.tensor(ids, dtype=torch.int32)[:, None].repeat(1, KEPT),
            torch.tensor([0.0] + [-torch.inf] * (KEPT - 1), dtype=torch.float16).repeat(len(ids), 1),
        )
        for prompt, ids in _told(tokenizer, slice(recipe.stories, recipe.stories + recipe.written))
    ]


@dataclass(frozen=True)
class Exam:
    """What a draft is measured on: texts of one domain, written at one temperature."""

    domain: str
    sampling: Sampling
    job: Written


def exams(tokenizer: Tokenizer, prompts: int, length: int) -> list[Exam]:
    """Every domain, greedy and at temperature 1; at most `prompts` prompts a domain."""
    made: list[Exam] = []
    for domain, kind in DOMAINS.items():
        texts = [prompt.text for prompt in built_in() if prompt.kind == kind]
        if domain == "stories":
            texts = [story.prompt for story in stories().held_out]
        encoded = _encoded(texts[:prompts], tokenizer)
        for sampling in (GREEDY, SAMPLED):
            name = f"exam-{domain}-t{sampling.temperature:.0f}"
            made.append(Exam(domain, sampling, Written(name, encoded, sampling, length)))
    return made


def read(paths: Sequence[Path]) -> list[TargetText]:
    return [text for path in paths for text in load_shard(path)]


def training(
    target: LoadedModel,
    texts: Sequence[TargetText],
    shape: Shape,
    settings: DistilSettings,
    start: StoredDraft | None = None,
) -> tuple[Training[Lesson], TrainableLlama, Tensor]:
    """A training of a draft for `target` on these texts, the draft, and its vocabulary [R].

    `start`: a draft to go on from, whose shape and vocabulary are kept.
    """
    model_config = target.transformer.config
    if start is None:
        vocabulary = frequent_tokens(texts, shape.vocabulary)
        config = shape.config(model_config, len(vocabulary))
        model = start_weights(config, target.transformer.embedding.cpu()[vocabulary], settings.seed)
    else:
        vocabulary, model = start.vocabulary, TrainableLlama(start.config)
        model.load_state_dict(start.tensors)
    source = lessons(texts, vocabulary, model_config.vocab_size)
    return (
        Training(model, source, draft_loss(model, settings), settings, folder_of(target)),
        model,
        vocabulary,
    )


def sit(
    exam: Exam, target: LoadedModel, proposers: Sequence[Proposer], paths: Sequence[Path]
) -> list[Figures]:
    """Measure drafts on an exam whose shards are made."""
    return evaluate(target.transformer, proposers, read(paths), exam.domain, exam.sampling)


def _encoded(prompts: Iterable[str], tokenizer: Tokenizer) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(tokenizer.encode_chat(prompt)) for prompt in prompts)


def _told(tokenizer: Tokenizer, span: slice) -> tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]:
    """Prompts and continuations of some training stories, of all in a random order."""
    order = list(stories().training)
    random.Random(1).shuffle(order)
    return tuple(
        (tuple(tokenizer.encode_chat(story.prompt)), _ids(story, tokenizer)) for story in order[span]
    )


def _ids(story: Story, tokenizer: Tokenizer) -> tuple[int, ...]:
    """A story's own token ids; for another tokenizer than it was written with, as many of its text's."""
    if max(story.ids) < tokenizer.vocab_size and tokenizer.decode(story.ids, skip_special=True) == story.text:
        return story.ids
    return tuple(tokenizer.encode(story.text)[: len(story.ids)])
