"""Spec-Bench's leaderboards: many drafters behind one harness, on one machine at a time.

Xia et al., "Unlocking efficiency in large language model inference: a comprehensive survey of speculative
decoding", arXiv 2401.07851; figures of `Leaderboard.md` at commit fd2c1cd of the benchmark's repository. All
rows: greedy, FP16, batch size 1, PyTorch 2.5.1, mean of three runs. Nothing is computed here.
"""

from collections.abc import Iterable
from dataclasses import dataclass

SOURCE = "https://github.com/hemingkx/Spec-Bench/blob/fd2c1cd7d2201ef71db4c5f4e455008f017967bf/Leaderboard.md"
TASKS = ("conversation", "translation", "summary", "question", "maths", "retrieval")


@dataclass(frozen=True)
class Entry:
    """One method: speedup over plain decoding by task (in the order of `TASKS`) and over all of them."""

    method: str
    by_task: tuple[float, ...]
    tokens: float
    """Mean tokens a target pass; plain decoding has 1."""
    speedup: float


@dataclass(frozen=True)
class Board:
    """One machine and one target."""

    key: str
    machine: str
    model: str
    entries: tuple[Entry, ...]

    def entry(self, method: str) -> Entry | None:
        return next((entry for entry in self.entries if entry.method == method), None)


def _entries(rows: Iterable[tuple[str, str]]) -> tuple[Entry, ...]:
    """Rows as they are printed: six tasks, tokens, overall."""
    entries = []
    for method, printed in rows:
        *by_task, tokens, speedup = map(float, printed.split())
        entries.append(Entry(method, tuple(by_task), tokens, speedup))
    return tuple(entries)


BOARDS = (
    Board(
        "a100-13b",
        "A100 80GB",
        "Vicuna-13B",
        _entries(
            (
                ("EAGLE-3", "3.48 2.36 3.14 2.94 3.42 2.78 5.71 3.02"),
                ("SAMD[EAGLE-2]", "3.38 2.11 2.96 2.35 3.16 2.67 4.52 2.77"),
                ("EAGLE-2", "2.95 1.96 2.43 2.20 2.95 2.25 4.43 2.46"),
                ("Hydra", "2.58 1.99 1.94 2.08 2.62 1.95 3.35 2.20"),
                ("Recycling", "2.30 2.02 2.10 2.05 2.60 1.94 2.73 2.17"),
                ("EAGLE", "2.52 1.84 2.12 1.91 2.52 2.01 3.64 2.16"),
                ("Medusa", "2.05 1.71 1.62 1.69 2.08 1.61 2.39 1.80"),
                ("PLD", "1.54 1.03 2.30 1.05 1.65 1.82 1.67 1.56"),
                ("SpS", "1.67 1.15 1.71 1.43 1.58 1.70 2.19 1.54"),
                ("REST", "1.52 1.17 1.37 1.53 1.19 1.55 1.82 1.38"),
                ("Lookahead", "1.43 1.09 1.28 1.18 1.59 1.21 1.63 1.30"),
            )
        ),
    ),
    Board(
        "a100-7b",
        "A100 80GB",
        "Vicuna-7B",
        _entries(
            (
                ("SAMD[EAGLE-2]", "3.30 2.01 3.19 2.36 2.96 2.52 4.58 2.73"),
                ("EAGLE-2", "2.84 1.88 2.34 2.15 2.79 2.13 4.34 2.36"),
                ("Recycling", "2.37 2.02 2.27 2.08 2.53 2.02 2.73 2.22"),
                ("EAGLE", "2.45 1.77 2.08 1.93 2.44 1.87 3.58 2.10"),
                ("Hydra", "2.43 1.89 1.83 1.97 2.45 1.80 3.26 2.07"),
                ("Medusa", "1.97 1.65 1.57 1.65 1.94 1.49 2.31 1.71"),
                ("PLD", "1.60 1.06 2.66 1.19 1.62 1.86 1.75 1.66"),
                ("SpS", "1.66 1.13 1.71 1.50 1.47 1.66 2.28 1.52"),
                ("REST", "1.63 1.31 1.36 1.66 1.21 1.73 1.82 1.48"),
                ("Lookahead", "1.47 1.14 1.36 1.25 1.57 1.22 1.64 1.34"),
            )
        ),
    ),
    Board(
        "3090-7b",
        "RTX 3090 24GB",
        "Vicuna-7B",
        _entries(
            (
                ("SAMD[EAGLE-2]", "2.85 1.83 2.64 2.15 2.63 2.10 4.61 2.38"),
                ("EAGLE-2", "2.56 1.78 2.09 2.07 2.66 1.86 4.35 2.19"),
                ("EAGLE", "2.31 1.72 2.00 1.91 2.38 1.75 3.57 2.03"),
                ("Hydra", "2.18 1.79 1.66 1.85 2.28 1.62 3.26 1.91"),
                ("SpS", "1.94 1.37 1.96 1.86 1.81 1.83 2.28 1.79"),
                ("PLD", "1.64 1.15 2.46 1.28 1.72 1.71 1.73 1.64"),
                ("Medusa", "1.61 1.39 1.28 1.40 1.64 1.25 2.32 1.44"),
                ("Recycling", "1.42 1.29 1.43 1.30 1.59 1.36 2.73 1.40"),
                ("REST", "1.44 1.15 1.17 1.35 1.30 1.26 1.63 1.28"),
                ("Lookahead", "1.17 1.00 1.11 1.06 1.32 1.06 1.64 1.13"),
            )
        ),
    ),
    Board(
        "a100-33b",
        "A100 80GB",
        "Vicuna-33B",
        _entries(
            (
                ("EAGLE-2", "3.01 2.10 2.51 2.27 3.30 2.29 4.05 2.59"),
                ("SAMD[EAGLE-2]", "3.10 2.07 2.69 2.21 3.13 2.33 4.07 2.59"),
                ("EAGLE", "2.75 2.04 2.42 2.16 2.97 2.20 3.39 2.43"),
                ("Hydra", "2.53 2.01 1.96 2.10 2.68 1.98 3.24 2.22"),
                ("Recycling", "1.88 1.67 1.84 1.71 2.15 1.69 2.62 1.83"),
                ("Medusa", "1.94 1.72 1.58 1.65 2.05 1.56 2.33 1.76"),
                ("SpS", "1.70 1.27 1.71 1.52 1.66 1.60 2.01 1.57"),
                ("REST", "1.63 1.27 1.45 1.61 1.30 1.61 1.80 1.48"),
                ("PLD", "1.42 1.06 1.93 1.07 1.54 1.42 1.54 1.40"),
                ("Lookahead", "1.32 1.10 1.20 1.17 1.56 1.15 1.61 1.25"),
            )
        ),
    ),
)
BY_KEY = {board.key: board for board in BOARDS}
