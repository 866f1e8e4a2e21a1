"""Spec-Bench's boards: typed as printed, and what the page says of them holds."""

import pytest

from sims.spec_bench import BOARDS, BY_KEY, TASKS, Board


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.key)
def test_a_board_is_whole(board: Board) -> None:
    speedups = [entry.speedup for entry in board.entries]
    assert speedups == sorted(speedups, reverse=True)
    assert len({entry.method for entry in board.entries}) == len(board.entries)
    for entry in board.entries:
        assert len(entry.by_task) == len(TASKS)
        assert min(entry.by_task) <= entry.speedup <= max(entry.by_task)
        assert entry.tokens > entry.speedup, "no pass is cheaper than plain decoding's"


def test_machines_move_speed_and_leave_tokens() -> None:
    """Same target, two GPUs; REST alone moves in tokens."""
    here, there = BY_KEY["3090-7b"], BY_KEY["a100-7b"]
    for entry in here.entries:
        other = there.entry(entry.method)
        assert other
        assert entry.method == "REST" or entry.tokens == pytest.approx(other.tokens, abs=0.04)
    draft = [board.entry("SpS").speedup for board in (here, there)]  # type: ignore[union-attr]
    heads = [board.entry("Medusa").speedup for board in (here, there)]  # type: ignore[union-attr]
    assert draft == [1.79, 1.52]
    assert heads == [1.44, 1.71]


def test_a_board_knows_its_methods_only() -> None:
    assert BY_KEY["a100-7b"].entry("EAGLE-3") is None
