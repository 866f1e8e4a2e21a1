"""The prompts that drafts are measured on are held out."""

from __future__ import annotations

from lab.decode.prompt_set import built_in
from lab.decode.speculative.tales import TALES
from lab.training.text import stories


def test_the_tales_are_held_out_and_named_apart() -> None:
    split = stories()
    texts = {tale.text for tale in TALES}
    assert texts <= {story.prompt for story in split.held_out}
    assert not texts & {story.prompt for story in split.training}
    assert not {tale.name for tale in TALES} & {prompt.name for prompt in built_in()}
