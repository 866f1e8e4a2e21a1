"""A part of the rows: near tokens exact, the sum over all of them right on average."""

from __future__ import annotations

import torch

from lab.training.distil import losses
from lab.training.some_rows import NEAR, STRIDE, some_rows

ROWS, WIDTH, KEPT = 400, 8, 12


def laws() -> tuple[torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(1)
    ids = torch.stack([torch.randperm(ROWS + 1, generator=generator)[:KEPT] for _ in range(5)])
    p = torch.rand(5, KEPT, generator=generator).sort(descending=True).values
    return ids, p / (p.sum(-1, keepdim=True) * 1.2)


def test_near_tokens_keep_their_logits_and_the_rest_counts_as_often_as_it_is_left_out() -> None:
    head = torch.randn(ROWS, WIDTH, generator=torch.Generator().manual_seed(0))
    hidden = torch.randn(5, WIDTH, generator=torch.Generator().manual_seed(2))
    ids, p = laws()
    some = some_rows(head, ids)
    whole, part = hidden @ head.T, some.logits(hidden)
    near = {token for token in ids[:, :NEAR].flatten().tolist() if token < ROWS}
    assert {token for token in range(ROWS) if some.places[token] < len(some.rows)} == near
    others = (ROWS - len(near)) / STRIDE
    assert others - 1 < len(some.rows) - len(near) < others + 1
    for token in near:
        torch.testing.assert_close(part[:, some.places[token]], whole[:, token])
    for at in range(len(near), len(some.rows)):
        [token] = (head == some.rows[at]).all(-1).nonzero()[:, 0].tolist()
        assert token not in near
        torch.testing.assert_close(part[:, at], whole[:, token] + torch.tensor(STRIDE).log())
    inner, law = some.law(ids, p)
    assert (inner[ids == ROWS] == len(some.rows)).all()
    assert law[ids == ROWS].equal(p[ids == ROWS])  # a token that the head does not have stays one
    left_out = (inner == len(some.rows)) & (ids < ROWS)
    assert left_out.any()
    assert (law[left_out] == 0).all()
    assert law[~left_out].equal(p[~left_out])


def test_all_starts_together_see_every_row_once() -> None:
    """The sum of the softmax, averaged over the STRIDE ways to start, is the whole one."""
    head = torch.randn(ROWS, WIDTH, generator=torch.Generator().manual_seed(0)).double()
    hidden = torch.randn(1, WIDTH, generator=torch.Generator().manual_seed(2)).double()
    ids = torch.arange(KEPT).repeat(2, 1)
    sums = []
    for start in range(STRIDE):
        ids[1, -1] = 100 + start  # far down the law: it changes the start alone
        some = some_rows(head, ids)
        sums.append(some.logits(hidden).exp().sum())
    torch.testing.assert_close(torch.stack(sums).mean(), (hidden @ head.T).exp().sum())


def test_the_loss_over_few_rows_is_the_loss() -> None:
    """Where the rows are few enough to be all near, nothing is left out."""
    head = torch.randn(NEAR, WIDTH, generator=torch.Generator().manual_seed(0))
    hidden = torch.randn(3, WIDTH, generator=torch.Generator().manual_seed(2))
    ids, p = torch.arange(NEAR).repeat(3, 1), torch.full((3, NEAR), 1 / NEAR)
    some = some_rows(head, ids)
    for one, other in zip(
        losses(some.logits(hidden), *some.law(ids, p)), losses(hidden @ head.T, ids, p), strict=True
    ):
        torch.testing.assert_close(one, other)
