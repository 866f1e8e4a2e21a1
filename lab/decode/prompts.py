"""Prompts of the first experiment, written for this lab; `prompt_set` holds those of the flip study."""

from __future__ import annotations

PROMPTS: dict[str, str] = {
    "lighthouse": "Write a short story about a lighthouse keeper who collects clocks.",
    "sky": "Why is the sky blue?",
    "sum": "What is 17 + 26? Explain each step.",
    "reverse": "Write a Python function that reverses a list without using built-in methods.",
    "copper": "List three uses of copper and say why it suits each of them.",
    "letter": "Write a polite letter that asks a neighbour to trim a hedge.",
    "tides": "What causes the tides?",
    "soup": "Give me a recipe for lentil soup for two people.",
}

NEIGHBOURS: tuple[str, ...] = (
    "Describe a market in the early morning.",
    "How do bees find their way home?",
    "Write a limerick about a tired printer.",
    "What is 144 divided by 12?",
    "Explain what a hash table is.",
    "Tell me a story about two rivers that meet.",
    "Name four planets and one fact about each.",
    "How can I fall asleep faster?",
)
