"""What the papers on drafters say of themselves, 2022 to 2025, with the conditions under which they say it.

Each figure is a speedup over the authors' own baseline, on their model, machine and tasks: to be read beside
a lab's own run and beside one another with care. `spec_bench.py` has the same methods on one machine. Where a
condition is an empty text or None, the passages used here (abstract, tables, README) do not tell it.
"""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["chain", "tree", "trained", "matching"]
"""Who guesses: a smaller model or a part of the target, one token after another (`chain`) or in a tree
(`tree`); heads or a layer trained on the target's features (`trained`); text alone, no model (`matching`)."""


@dataclass(frozen=True)
class Claim:
    """One figure: the speedup from `low` to `high` (None: only an upper end is told)."""

    low: float | None
    high: float
    tokens: float | None = None
    """A target pass, mean."""
    model: str = ""
    machine: str = ""
    batch: str = ""
    temperature: str = ""
    task: str = ""

    @property
    def told(self) -> str:
        """Such as `2.7–3.5×`, or `≤ 1.99×`."""
        if self.low is None:
            return f"≤ {self.high:g}×"
        return f"{self.high:g}×" if self.low == self.high else f"{self.low:g}–{self.high:g}×"

    @property
    def conditions(self) -> str:
        """What is told of them, in a line; the same in every language."""
        batch = f"B={self.batch}" if self.batch else ""
        temperature = f"T={self.temperature}" if self.temperature else ""
        return " · ".join(part for part in (self.model, self.machine, batch, temperature, self.task) if part)


@dataclass(frozen=True)
class Paper:
    """A method as its authors publish it; `month` is that of the first public version."""

    key: str
    name: str
    month: str
    source: str
    kind: Kind
    exact: bool
    """Whether its output has the target's law by proof; Medusa's typical acceptance has not."""
    claims: tuple[Claim, ...]
    """The headline first."""
    bench: str = ""
    """The method's name in Spec-Bench."""

    @property
    def headline(self) -> Claim:
        return self.claims[0]


def on_model(paper: Paper, model: str) -> Claim | None:
    """The paper's own figure on exactly that model, without which a comparison compares models."""
    return next((claim for claim in paper.claims if claim.model == model), None)


MT_BENCH = "MT-bench"
PAPERS = (
    Paper(
        "leviathan",
        "Leviathan et al.",
        "2022-11",
        "https://arxiv.org/abs/2211.17192",
        "chain",
        True,
        (
            Claim(2, 3, None, "T5-XXL 11B", "1 × TPU-v4", "1", "0, 1", "EnDe, CNN/DM"),
            Claim(1.25, 1.25, None, "T5-XXL 11B", "", "", "", "EnDe, bigram, α=0.2, γ=3, c=0"),
        ),
        "SpS",
    ),
    Paper(
        "chen",
        "Chen et al.",
        "2023-02",
        "https://arxiv.org/abs/2302.01318",
        "chain",
        True,
        (Claim(2, 2.5, None, "Chinchilla 70B", "", "1", "", "XSum, HumanEval"),),
        "SpS",
    ),
    Paper(
        "specinfer",
        "SpecInfer",
        "2023-05",
        "https://arxiv.org/abs/2305.09781",
        "tree",
        True,
        (
            Claim(1.5, 2.8, None, "", "2 × 4 A10 24GB"),
            Claim(2.6, 3.5, None, "", "offloading"),
        ),
    ),
    Paper(
        "staged",
        "Staged",
        "2023-08",
        "https://arxiv.org/abs/2308.04623",
        "tree",
        True,
        (Claim(3.16, 3.16, None, "GPT-2-L 762M", "", "1"),),
    ),
    Paper(
        "draft-verify",
        "Draft & Verify",
        "2023-09",
        "https://arxiv.org/abs/2309.08168",
        "chain",
        True,
        (Claim(None, 1.99, None, "LLaMA-2"),),
    ),
    Paper(
        "lookup",
        "Prompt lookup",
        "2023-11",
        "https://github.com/apoorvumang/prompt-lookup-decoding",
        "matching",
        True,
        (Claim(2, 4, None, "Mistral-7B-Instruct-v0.1", "1 × A100 40GB", "", "0", "input-grounded"),),
        "PLD",
    ),
    Paper(
        "medusa",
        "Medusa",
        "2024-01",
        "https://arxiv.org/abs/2401.10774",
        "trained",
        False,
        (
            Claim(2.18, 2.18, None, "Vicuna-7B", "", "1", "", "Medusa-1"),
            Claim(2.83, 2.83, 3.47, "Vicuna-7B", "", "1", "", "Medusa-2"),
        ),
        "Medusa",
    ),
    Paper(
        "eagle",
        "EAGLE",
        "2024-01",
        "https://arxiv.org/abs/2401.15077",
        "trained",
        True,
        (
            Claim(2.7, 3.5, None, "LLaMA2-Chat 70B"),
            Claim(3.07, 3.07, None, "Vicuna-13B", "", "", "0", MT_BENCH),
            Claim(2.9, 2.9, 3.94, "Vicuna-7B", "", "", "0", MT_BENCH),
        ),
        "EAGLE",
    ),
    Paper(
        "lookahead",
        "Lookahead",
        "2024-02",
        "https://arxiv.org/abs/2402.02057",
        "matching",
        True,
        (
            Claim(None, 1.8, None, "", "", "", "", MT_BENCH),
            Claim(None, 4, None, "", "several GPUs", "", "", "code completion"),
        ),
        "Lookahead",
    ),
    Paper(
        "layerskip",
        "LayerSkip",
        "2024-04",
        "https://arxiv.org/abs/2404.16710",
        "chain",
        True,
        (Claim(1.82, 2.16, None, "Llama, trained for early exit", "", "", "", "code; CNN/DM"),),
    ),
    Paper(
        "eagle-2",
        "EAGLE-2",
        "2024-06",
        "https://arxiv.org/abs/2406.16858",
        "trained",
        True,
        (
            Claim(3.05, 4.26, None, "Vicuna, LLaMA2-Chat, LLaMA3-Instruct", "", "", "", "6 tasks"),
            Claim(4.26, 4.26, 4.83, "Vicuna-13B", "", "", "0", MT_BENCH),
        ),
        "EAGLE-2",
    ),
    Paper(
        "eagle-3",
        "EAGLE-3",
        "2025-03",
        "https://arxiv.org/abs/2503.01840",
        "trained",
        True,
        (
            Claim(3.0, 6.5, None, "", "", "", "", "5 tasks"),
            Claim(5.51, 5.51, 6.62, "Vicuna-13B", "", "", "0", "5 tasks"),
        ),
        "EAGLE-3",
    ),
)
BY_KEY = {paper.key: paper for paper in PAPERS}
