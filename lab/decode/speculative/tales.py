"""Story prompts that the shipped draft has not seen: held out from its training's two templates.

Drafts are measured on these, and pages open with one. On text of another kind the stories draft accepts less;
the model card has both.
"""

from __future__ import annotations

from lab.decode.prompt_set import Prompt

_TEXTS = (
    "Write a short story about a blue fox who wants to find a library.",
    "Write a short fable with a moral about a fox and a lion.",
    "Write a short fable with a moral about a bell and a garden.",
    "Write a short story about a curious moon who wants to rescue a library.",
    "Write a short fable with a moral about a moon and a dog.",
    "Write a short story about a brave camel who wants to dig a lantern.",
    "Write a short fable with a moral about a drum and a lion.",
    "Write a short story about a curious crow who wants to help a library.",
    "Write a short fable with a moral about a letter and a star.",
    "Write a short story about a golden lantern who wants to laugh a ship.",
    "Write a short fable with a moral about a tower and a bee.",
    "Write a short story about a stubborn bridge who wants to hide a flute.",
    "Write a short fable with a moral about a forest and a palm.",
    "Write a short story about a shy bell who wants to dream a well.",
    "Write a short fable with a moral about a book and a market.",
    "Write a short story about a tiny bridge who wants to race a bread.",
)

TALES = tuple(Prompt(f"tale-{number:02}", "story", text) for number, text in enumerate(_TEXTS, start=1))
