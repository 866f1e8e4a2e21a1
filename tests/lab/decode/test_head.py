"""Recording the last product: what is heard is what was multiplied, and the file says it again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from lab import traces
from lab.decode.head import SPLITS, HeadStep, choose, head_steps, write
from lab.models.tiny import byte_tokenizer
from lab.models.transformer import Transformer
from lab.numerics.rounding import round_bf16
from sims import head
from sims.kernels import SplitTable

PROMPTS = {"one": "Tell me about the sea.", "two": "Count to ten."}


@pytest.fixture(scope="module")
def steps(tiny: Transformer) -> list[HeadStep]:
    return list(head_steps(tiny, byte_tokenizer(), PROMPTS, length=6))


def test_every_step_of_every_prompt_comes(steps: list[HeadStep]) -> None:
    assert {step.prompt for step in steps} == set(PROMPTS)
    for name in PROMPTS:
        assert [step.index for step in steps if step.prompt == name] == list(
            range(sum(step.prompt == name for step in steps))
        )


def test_hidden_times_rows_are_the_logits(steps: list[HeadStep]) -> None:
    for step in steps:
        assert torch.equal(step.hidden, round_bf16(step.hidden)), "BF16 values"
        exact = step.hidden.double() @ step.rows.double().T
        # One rounding to BF16, half an ulp, plus FP32 sums.
        assert torch.allclose(step.logits.double(), exact, rtol=2**-8, atol=1e-5)


def test_the_tokens_chosen_are_among_the_candidates(steps: list[HeadStep]) -> None:
    for step in steps:
        assert set(step.choices) <= set(step.ids)
        assert list(step.ids) == sorted(step.ids)
        for choice, logits in zip(step.choices, step.logits, strict=True):
            best = logits.max()
            assert choice == min(i for i, logit in zip(step.ids, logits, strict=True) if logit == best)


def test_margin_and_gains_are_those_of_the_unrounded_products(steps: list[HeadStep]) -> None:
    for step in steps:
        exact = (step.hidden.double() @ step.rows.double().T).numpy()
        first, second = np.argsort(-exact[0])[:2]
        assert step.margin == pytest.approx(exact[0, first] - exact[0, second])
        for gain, row in zip(step.gains, exact[1:], strict=True):
            assert gain == pytest.approx(step.margin - (row[first] - row[second]), abs=1e-12)


def test_the_spacing_is_the_bf16_gap_at_the_largest_logit(steps: list[HeadStep]) -> None:
    for step in steps:
        top = float(step.logits[0].max())
        assert step.spacing == 2.0 ** (np.floor(np.log2(abs(top))) - 7)


def test_the_file_is_read_back_by_the_simulations(steps: list[HeadStep], tmp_path: Path) -> None:
    path = tmp_path / "logits.npz"
    info = traces.run_info("head", "tiny", "bf16-emulated", "cpu", {})
    write(path, info, PROMPTS, steps)
    recording = head.read(path)
    assert recording.origin.model == "tiny"
    assert np.allclose(recording.margins, [step.margin for step in steps])
    assert recording.tied.tolist() == [step.tied for step in steps]
    for at, splits in enumerate(SPLITS[1:]):
        assert recording.flips[splits].tolist() == [step.flips[at] for step in steps]
        assert np.allclose(recording.gains[splits], [step.gains[at] for step in steps])
    for name, step in choose(steps).items():
        found = recording.steps[name]
        assert (found.ids, found.texts, found.index) == (step.ids, step.texts, step.index)
        assert found.prompt == PROMPTS[step.prompt]
        assert np.array_equal(found.rows, step.rows.double().numpy())
        for at, splits in enumerate(SPLITS):
            assert np.array_equal(found.hidden[splits], step.hidden[at].double().numpy())
            assert np.array_equal(found.logits[splits], step.logits[at].double().numpy())
            (moment,) = head.step_by_batch(found, [1], SplitTable(((1, splits),)))
            assert np.allclose(moment.logits, found.logits[splits], rtol=2**-7)


def made(margin: float, choices: tuple[int, ...], tied: bool = False) -> HeadStep:
    logits = torch.tensor([[2.0, 2.0 if tied else 1.0]] * 4)
    nothing = torch.zeros(4, 3)
    return HeadStep(
        "p", 0, "", (0, 1), ("a", "b"), nothing, nothing[:2], logits, choices, margin, (0.0,) * 3, 0.1
    )


def test_telling_steps_are_chosen_by_kind() -> None:
    flips = [made(0.1 * at, (0, 1, 0, 0)) for at in range(1, 8)]
    ties = [made(0.01, (0, 0, 0, 0), tied=True)]
    steady = [made(float(at), (0, 0, 0, 0)) for at in range(1, 8)]
    chosen = choose([*steady, *flips, *ties])
    assert chosen["flip1"].margin == pytest.approx(0.7), "the most surprising flip first"
    assert [name for name in chosen if name.startswith("flip")] == [f"flip{at}" for at in range(1, 6)]
    assert chosen["tie1"] is ties[0]
    assert chosen["near1"].margin == 1
    assert chosen["clear2"].margin > chosen["clear1"].margin
