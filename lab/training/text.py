"""The stories that a draft learns from, and the prompts that it is measured on.

`stories.jsonl.xz` beside this file holds 2,592 stories, 543,292 tokens, that SmolLM2-135M-Instruct
(the pinned GGUF, weights rounded to BF16, FP32 arithmetic) wrote for prompts of two templates:
temperature 0.8, top-p 0.95 of the 64 likeliest tokens, at most 220 tokens, no system turn. One JSON
object a line: `prompt`, `ids` (token ids of the continuation; the last is 2 where the story ended by
itself) and `text`.

The last tenth is held out: nothing of it is trained on, and no prompt made here repeats one of its.
"""

from __future__ import annotations

import json
import lzma
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

STORIES = Path(__file__).with_name("stories.jsonl.xz")
HELD_OUT_SHARE = 10  # one story in ten

_STORY = "Write a short story about a {} {} who wants to {} a {}."
_FABLE = "Write a short fable with a moral about a {} and a {}."


@dataclass(frozen=True)
class Story:
    prompt: str
    ids: tuple[int, ...]  # SmolLM2's
    text: str


@dataclass(frozen=True)
class Split:
    """Stories to train on, and held-out ones whose prompts occur in no training story."""

    training: tuple[Story, ...]
    held_out: tuple[Story, ...]


@cache
def stories() -> Split:
    """The project's stories, the last tenth held out (259 of 2,592, of which 237 prompts are new)."""
    with lzma.open(STORIES, "rt", encoding="utf-8") as lines:
        entries = [json.loads(line) for line in lines]
    every = [Story(entry["prompt"], tuple(entry["ids"]), entry["text"]) for entry in entries]
    cut = len(every) - len(every) // HELD_OUT_SHARE
    training = tuple(every[:cut])
    seen = {story.prompt for story in training}
    return Split(training, tuple(story for story in every[cut:] if story.prompt not in seen))


def training_prompts(seed: int = 0) -> Iterator[str]:
    """Prompts without end and without repetition: those of the training stories in a random order, then
    new ones of the same templates and words. None is held out.
    """
    split = stories()
    given = list(dict.fromkeys(story.prompt for story in split.training))
    seen = {*given, *(story.prompt for story in split.held_out)}
    rng = np.random.default_rng(seed)
    yield from (given[at] for at in rng.permutation(len(given)))
    words = _words(given)
    while True:
        prompt = _made(words, rng)
        if prompt not in seen:
            seen.add(prompt)
            yield prompt


@dataclass(frozen=True)
class _Words:
    adjectives: list[str]
    nouns: list[str]
    verbs: list[str]


def _words(prompts: Sequence[str]) -> _Words:
    """The words that fill the templates' blanks in these prompts."""
    blanks = {form: re.compile(re.escape(form).replace(r"\{\}", r"(\w+)")) for form in (_STORY, _FABLE)}
    filled = {form: [m.groups() for p in prompts if (m := blanks[form].fullmatch(p))] for form in blanks}
    adjectives, heroes, verbs, things = zip(*filled[_STORY], strict=True)
    nouns = {*heroes, *things, *(noun for pair in filled[_FABLE] for noun in pair)}
    return _Words(sorted(set(adjectives)), sorted(nouns), sorted(set(verbs)))


def _made(words: _Words, rng: np.random.Generator) -> str:
    def pick(of: list[str]) -> str:
        return of[rng.integers(len(of))]

    if rng.random() < 0.5:
        return _STORY.format(pick(words.adjectives), pick(words.nouns), pick(words.verbs), pick(words.nouns))
    return _FABLE.format(pick(words.nouns), pick(words.nouns))
