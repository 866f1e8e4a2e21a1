"""Nothing that is measured on is trained on."""

from __future__ import annotations

from itertools import islice

from lab.training.text import stories, training_prompts


def test_the_last_tenth_is_held_out() -> None:
    split = stories()
    assert len(split.training) == 2333
    assert len(split.held_out) == 237
    assert not {story.prompt for story in split.training} & {story.prompt for story in split.held_out}
    assert sum(len(story.ids) for story in split.training) > 480_000


def test_prompts_are_new_reproducible_and_never_held_out() -> None:
    made = list(islice(training_prompts(), 6000))
    assert made == list(islice(training_prompts(), 6000))
    assert len(set(made)) == len(made)
    held_out = {story.prompt for story in stories().held_out}
    assert not held_out & set(made)
    given = {story.prompt for story in stories().training}
    assert set(made[: len(given)]) == given  # those with a story come first
    assert made[: len(given)] != list(islice(training_prompts(seed=1), len(given)))
    assert all(prompt.startswith("Write a short ") for prompt in made)
