"""The figures that Leviathan, Kalman and Matias print, and best γs computed from their theorem.

"Fast inference from transformers via speculative decoding", ICML 2023, arXiv 2211.17192 v2. Their targets,
drafts and machine: to be read beside a lab's own measurements, not subtracted from them. Nothing is
computed here; `speedup.py` has the formulas that give back what they call expected.
"""

from dataclasses import dataclass

SOURCE = "https://arxiv.org/abs/2211.17192"


@dataclass(frozen=True)
class Operations:
    """A row of Table 1: computed by the paper for c = ĉ = 0."""

    alpha: float
    gamma: int
    operations: float
    speedup: float


@dataclass(frozen=True)
class Measured:
    """A row of Tables 2 and 4: T5-XXL, 11 billion parameters, batch 1, one TPU-v4.

    `c` is the draft's step ÷ the target's from profiler traces; `expected` is Theorem 3.8 as printed, which
    in three rows is 0.1 above what the printed (rounded) α and c give; `measured` is wall time.
    """

    task: str
    draft: str
    draft_millions: int
    temperature: int
    gamma: int
    alpha: float
    c: float
    expected: float
    measured: float


@dataclass(frozen=True)
class Acceptance:
    """A row of Table 3: α = mean Σ min(p, q) over tokens that the target generated, at T = 0 and T = 1."""

    target: str
    task: str
    draft: str
    alpha_t0: float
    alpha_t1: float


@dataclass(frozen=True)
class Lenient:
    """A row of appendix A.5, EnDe: α at each of `LENIENCES`. Below 1 the output law is not the target's."""

    draft: str
    temperature: int
    alphas: tuple[float, ...]


SMALL, BASE, LARGE = "T5-small", "T5-base", "T5-large"

TABLE_1 = (
    Operations(0.6, 2, 1.53, 1.96),
    Operations(0.7, 3, 1.58, 2.53),
    Operations(0.8, 2, 1.23, 2.44),
    Operations(0.8, 5, 1.63, 3.69),
    Operations(0.9, 2, 1.11, 2.71),
    Operations(0.9, 10, 1.60, 6.86),
)

TABLES_2_AND_4 = (
    Measured("EnDe", SMALL, 77, 0, 7, 0.75, 0.02, 3.2, 3.4),
    Measured("EnDe", BASE, 250, 0, 7, 0.80, 0.04, 3.3, 2.8),
    Measured("EnDe", LARGE, 800, 0, 7, 0.82, 0.11, 2.5, 1.7),
    Measured("EnDe", SMALL, 77, 1, 7, 0.62, 0.02, 2.3, 2.6),
    Measured("EnDe", BASE, 250, 1, 5, 0.68, 0.04, 2.4, 2.4),
    Measured("EnDe", LARGE, 800, 1, 3, 0.71, 0.11, 2.0, 1.4),
    Measured("CNNDM", SMALL, 77, 0, 5, 0.65, 0.02, 2.4, 3.1),
    Measured("CNNDM", BASE, 250, 0, 5, 0.73, 0.04, 2.6, 3.0),
    Measured("CNNDM", LARGE, 800, 0, 3, 0.74, 0.11, 2.0, 2.2),
    Measured("CNNDM", SMALL, 77, 1, 5, 0.53, 0.02, 1.9, 2.3),
    Measured("CNNDM", BASE, 250, 1, 3, 0.55, 0.04, 1.8, 2.2),
    Measured("CNNDM", LARGE, 800, 1, 3, 0.56, 0.11, 1.6, 1.7),
)

TABLE_3 = (
    Acceptance("GPT-like 97M", "lm1b", "unigram", 0.03, 0.03),
    Acceptance("GPT-like 97M", "lm1b", "bigram", 0.05, 0.05),
    Acceptance("GPT-like 97M", "lm1b", "GPT-like 6M", 0.88, 0.89),
    Acceptance("T5-XXL 11B", "EnDe", "unigram", 0.08, 0.07),
    Acceptance("T5-XXL 11B", "EnDe", "bigram", 0.20, 0.19),
    Acceptance("T5-XXL 11B", "EnDe", SMALL, 0.75, 0.62),
    Acceptance("T5-XXL 11B", "EnDe", BASE, 0.80, 0.68),
    Acceptance("T5-XXL 11B", "EnDe", LARGE, 0.82, 0.71),
    Acceptance("T5-XXL 11B", "CNNDM", "unigram", 0.13, 0.08),
    Acceptance("T5-XXL 11B", "CNNDM", "bigram", 0.23, 0.16),
    Acceptance("T5-XXL 11B", "CNNDM", SMALL, 0.65, 0.53),
    Acceptance("T5-XXL 11B", "CNNDM", BASE, 0.73, 0.55),
    Acceptance("T5-XXL 11B", "CNNDM", LARGE, 0.74, 0.56),
    Acceptance("LaMDA 137B", "dialog", "LaMDA 100M", 0.61, 0.57),
    Acceptance("LaMDA 137B", "dialog", "LaMDA 2B", 0.71, 0.71),
    Acceptance("LaMDA 137B", "dialog", "LaMDA 8B", 0.75, 0.74),
)

LENIENCES = (1.0, 0.5, 0.3, 0.1)
LENIENT = (
    Lenient("unigram", 1, (0.07, 0.10, 0.11, 0.16)),
    Lenient("bigram", 1, (0.19, 0.23, 0.25, 0.32)),
    Lenient(SMALL, 1, (0.62, 0.71, 0.76, 0.84)),
    Lenient(BASE, 1, (0.68, 0.80, 0.83, 0.90)),
    Lenient(SMALL, 0, (0.75, 0.75, 0.80, 0.87)),
)
LENIENT_GREEDY = (8, 0.015, (3.3, 3.3, 3.9, 4.9))
"""γ, c and the expected speed-ups that the paper gives for the last row, by lenience."""

FIGURE_3 = {
    0.02: {0.6: 6, 0.7: 8, 0.8: 11, 0.9: 19},
    0.05: {0.6: 4, 0.7: 6, 0.8: 8, 0.9: 13},
    0.10: {0.6: 3, 0.7: 4, 0.8: 6, 0.9: 10},
    0.20: {0.6: 2, 0.7: 3, 0.8: 4, 0.9: 7},
}
"""Best γ by c and α: what Figure 3 draws, computed, since the paper prints no numbers there."""
