"""Muon's step: orthogonal, of AdamW's size, downhill; vectors as in torch's AdamW."""

from __future__ import annotations

import copy

import pytest
import torch

from lab.training.muon import RMS, Muon, orthogonal


@pytest.mark.parametrize("shape", [(24, 40), (40, 24), (32, 32)])
def test_singular_values_become_one(shape: tuple[int, int]) -> None:
    torch.manual_seed(0)
    matrix = torch.randn(shape)
    u, s, vt = torch.linalg.svd(matrix, full_matrices=False)
    s = s.clamp(min=s.max() / 20)
    made = orthogonal(u * s @ vt)
    values = torch.linalg.svdvals(made)
    assert values.min() > 0.6
    assert values.max() < 1.3
    # the directions are those of U Vᵀ
    along = torch.diagonal(u.T @ made @ vt.T)
    torch.testing.assert_close(along.sort().values, values.sort().values, atol=1e-4, rtol=1e-4)


def test_a_step_is_of_adamws_size() -> None:
    torch.manual_seed(0)
    weight = torch.nn.Parameter(torch.zeros(48, 80))
    optimizer = Muon([weight], lr=0.5)
    weight.grad = torch.randn(48, 80)
    optimizer.step()
    assert weight.detach().square().mean().sqrt().item() == pytest.approx(0.5 * RMS, rel=0.2)
    assert (weight.detach() * weight.grad).sum() < 0  # downhill


def test_vectors_move_as_in_adamw() -> None:
    torch.manual_seed(0)
    start = torch.randn(7)
    ours, theirs = (torch.nn.Parameter(start.clone()) for _ in range(2))
    muon = Muon([ours], lr=0.01, decay=0.1)
    adamw = torch.optim.AdamW([theirs], lr=0.01, betas=(0.9, 0.98), weight_decay=0.0)
    for _ in range(4):
        ours.grad = theirs.grad = torch.randn(7)
        muon.step()
        adamw.step()
    torch.testing.assert_close(ours, theirs)


def test_a_state_that_is_loaded_goes_on_alike() -> None:
    torch.manual_seed(0)
    gradients = [torch.randn(6, 9) for _ in range(4)]
    through = torch.nn.Parameter(torch.zeros(6, 9))
    optimizer = Muon([through], lr=0.1, decay=0.1)
    for at, gradient in enumerate(gradients):
        if at == 2:
            resumed = torch.nn.Parameter(through.detach().clone())
            again = Muon([resumed], lr=0.1, decay=0.1)
            again.load_state_dict(copy.deepcopy(optimizer.state_dict()))
        through.grad = gradient
        optimizer.step()
    for gradient in gradients[2:]:
        resumed.grad = gradient
        again.step()
    assert torch.equal(resumed, through)
