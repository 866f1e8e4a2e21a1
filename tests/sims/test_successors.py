"""The papers' figures agree with themselves: months with arXiv numbers, ranges, order, what the pages say."""

import pytest

from sims.spec_bench import BOARDS
from sims.spec_bench import BY_KEY as BY_BOARD
from sims.speedup import speedup
from sims.successors import BY_KEY, PAPERS, Paper, on_model


@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper.key)
def test_a_paper_agrees_with_itself(paper: Paper) -> None:
    year, month = paper.month.split("-")
    if "arxiv.org" in paper.source:
        assert paper.source.startswith(f"https://arxiv.org/abs/{year[2:]}{month}.")
    assert paper.claims
    for claim in paper.claims:
        assert (claim.low or 1) <= claim.high
        assert claim.tokens is None or claim.tokens > claim.high, "a pass costs more than plain decoding's"


def test_the_timeline_runs_forward_without_repeating_itself() -> None:
    assert [paper.month for paper in PAPERS] == sorted(paper.month for paper in PAPERS)
    assert len(BY_KEY) == len(PAPERS)
    assert len({paper.source for paper in PAPERS}) == len(PAPERS)


def test_the_bigram_figure_follows_from_the_formula() -> None:
    bigram = BY_KEY["leviathan"].claims[1]
    assert speedup(0.2, 3, 0) == pytest.approx(bigram.high, abs=0.005)


def test_methods_of_spec_bench_are_known_there() -> None:
    named = {paper.bench for paper in PAPERS if paper.bench}
    assert named <= {entry.method for entry in BOARDS[0].entries}


def test_eagles_keep_their_order_and_lose_a_third_or_more() -> None:
    """Vicuna-13B, the papers' own figures beside Spec-Bench's: 70, 58 and 55 per cent of them."""
    ratios = []
    for key in ("eagle", "eagle-2", "eagle-3"):
        claim, entry = on_model(BY_KEY[key], "Vicuna-13B"), BY_BOARD["a100-13b"].entry(BY_KEY[key].bench)
        assert claim
        assert entry
        ratios.append(entry.speedup / claim.high)
    assert ratios == pytest.approx([0.70, 0.58, 0.55], abs=0.006)


def test_conditions_leave_out_what_is_not_told() -> None:
    assert BY_KEY["leviathan"].headline.conditions == (
        "T5-XXL 11B · 1 × TPU-v4 · B=1 · T=0, 1 · EnDe, CNN/DM"
    )
    assert BY_KEY["draft-verify"].headline.conditions == "LLaMA-2"
    assert BY_KEY["draft-verify"].headline.told == "≤ 1.99×"
    assert BY_KEY["eagle"].headline.told == "2.7–3.5×"
    assert BY_KEY["staged"].headline.told == "3.16×"
