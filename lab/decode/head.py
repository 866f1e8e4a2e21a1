"""The last product of a decoding step, recorded: the hidden state and the rows of its top candidates.

A logit is one sum: the final hidden state times one row of the output matrix. To watch how that sum
decides a token, a recording keeps for some steps the hidden state (after the final norm, BF16 values)
as it was under several split counts of every linear layer, and the rows of the candidates.

A prompt is decoded once with one split; the runs with more splits follow its tokens, so all see the
same context. Prompts are fed in one pass each, whose many rows no table splits: the split counts
differ in the decoding steps only. Attention and norms keep one order. `sims/head.py` reads the file.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from lab.decode.batching import decode
from lab.decode.requests import Request
from lab.models.tokenizer import Tokenizer
from lab.models.transformer import Transformer
from lab.numerics.lanes import BlockLane
from lab.numerics.rounding import round_bf16
from lab.numerics.schedule import Schedule, SplitK
from lab.numerics.weight import Weight
from lab.records import TokenRecord
from lab.traces import RunInfo

SPLITS = (1, 2, 4, 8)
CANDIDATES = 5


@dataclass(frozen=True)
class ListeningLane(BlockLane):
    """A lane that keeps what is multiplied by one weight."""

    weight: Weight | None = None
    heard: list[Tensor] = field(default_factory=list)

    def linear(self, x: Tensor, weight: Weight) -> Tensor:
        if weight is self.weight:
            self.heard.append(x)
        return super().linear(x, weight)


@dataclass(frozen=True)
class HeadStep:
    """One step under every split count of SPLITS. Rows and logits go by ascending token id."""

    prompt: str
    index: int
    before: str
    """What the model had written before this step."""
    ids: tuple[int, ...]
    texts: tuple[str, ...]
    hidden: Tensor  # [splits, hidden], BF16 values
    rows: Tensor  # [candidates, hidden], BF16 values
    logits: Tensor  # [splits, candidates] as the lane computed them
    choices: tuple[int, ...]
    """The token chosen under each split count."""
    margin: float
    """Top-1 minus top-2 logit under one split, of the unrounded products (FP64)."""
    gains: tuple[float, ...]
    """By how much the runner-up gains on the winner under each further split count, unrounded."""
    spacing: float
    """Between neighbouring BF16 numbers at the largest logit."""

    @property
    def flips(self) -> tuple[bool, ...]:
        """For each further split count, whether it chooses another token than one split."""
        return tuple(choice != self.choices[0] for choice in self.choices[1:])

    @property
    def tied(self) -> bool:
        """Whether the two largest logits are equal under one split."""
        top = self.logits[0].topk(2).values
        return bool(top[0] == top[1])


def head_steps(
    model: Transformer, tokenizer: Tokenizer, prompts: Mapping[str, str], length: int
) -> Iterator[HeadStep]:
    """Every step of every prompt, `length` tokens each at most."""
    for name, prompt in prompts.items():
        ids = tuple(tokenizer.encode_chat(prompt))
        runs = [_run(model, ids, SPLITS[0], length, ())]
        tokens = tuple(record.token for record, _, _ in runs[0])
        runs += [_run(model, ids, splits, len(tokens), tokens) for splits in SPLITS[1:]]
        for index, each in enumerate(zip(*runs, strict=False)):
            yield _step(model, tokenizer, name, index, tokenizer.decode(list(tokens[:index])), each)


_Heard = tuple[TokenRecord, Tensor, Tensor]  # record, hidden [hidden], logits [vocab]


def _run(
    model: Transformer, prompt: tuple[int, ...], splits: int, length: int, follow: tuple[int, ...]
) -> list[_Heard]:
    schedule = Schedule(linears=SplitK(((1, splits),)))
    lane = ListeningLane("bf16-emulated", round_bf16, schedule, weight=model.head)
    steps = decode(model, [Request("subject", prompt, length, follow=follow)], lane)
    return [
        (record, lane.heard[-1][-1].cpu(), step.logits["subject"])
        for step in steps
        for record in step.records
        if isinstance(record, TokenRecord)
    ]


def _step(
    model: Transformer, tokenizer: Tokenizer, name: str, index: int, before: str, runs: Sequence[_Heard]
) -> HeadStep:
    hidden = torch.stack([state for _, state, _ in runs])
    logits = torch.stack([each for _, _, each in runs])
    # The two best of every run, filled up with the best of the first.
    wanted = [int(i) for i in logits.topk(2).indices.flatten()] + logits[0].topk(
        2 * CANDIDATES
    ).indices.tolist()
    ids = sorted(list(dict.fromkeys(wanted))[:CANDIDATES])
    rows = round_bf16(model.head.stored[ids].float()).cpu()
    exact = hidden.double() @ rows.double().T  # [splits, candidates]
    first, second = exact[0].topk(2).indices.tolist()
    lead = exact[:, first] - exact[:, second]
    top = logits[0].max()
    return HeadStep(
        prompt=name,
        index=index,
        before=before,
        ids=tuple(ids),
        texts=tuple(tokenizer.decode([token]) for token in ids),
        hidden=hidden,
        rows=rows,
        logits=logits[:, ids],
        choices=tuple(record.choice for record, _, _ in runs),
        margin=float(lead[0]),
        gains=tuple((lead[0] - lead[1:]).tolist()),
        spacing=float(2.0 ** (torch.frexp(top).exponent - 8)),
    )


def choose(steps: Sequence[HeadStep]) -> dict[str, HeadStep]:
    """A few telling steps by name: flips (largest margin first), ties, near-ties that hold, clear ones."""
    near = sorted(steps, key=lambda step: step.margin)
    kinds = {
        "flip": [step for step in near[::-1] if any(step.flips)][:5],
        "tie": [step for step in near if step.tied and not any(step.flips)][:3],
        "near": [step for step in near if not step.tied and not any(step.flips)][:2],
        "clear": [near[len(near) // 2], near[3 * len(near) // 4]],
    }
    return {f"{kind}{at}": step for kind, chosen in kinds.items() for at, step in enumerate(chosen, start=1)}


def write(path: Path, info: RunInfo, prompts: Mapping[str, str], steps: Sequence[HeadStep]) -> None:
    """Write the chosen steps, and of all steps their margin, gains, flips and ties, to an .npz file."""
    chosen = choose(steps)
    about = {
        "info": dataclasses.asdict(info),
        "splits": SPLITS,
        "steps": [
            {
                "name": name,
                "prompt": prompts[step.prompt],
                "index": step.index,
                "before": step.before,
                "ids": step.ids,
                "texts": step.texts,
            }
            for name, step in chosen.items()
        ],
    }
    np.savez_compressed(
        path,
        about=np.array(json.dumps(about, ensure_ascii=False)),
        hidden=np.stack([_bits(step.hidden) for step in chosen.values()]),
        rows=np.stack([_bits(step.rows) for step in chosen.values()]),
        logits=np.stack([step.logits.numpy() for step in chosen.values()]),
        margins=np.array([step.margin for step in steps], np.float32),
        gains=np.array([step.gains for step in steps], np.float32),
        flips=np.array([step.flips for step in steps]),
        tied=np.array([step.tied for step in steps]),
        spacings=np.array([step.spacing for step in steps], np.float32),
    )


def _bits(values: Tensor) -> np.ndarray:
    """BF16 values as their 16 bits."""
    return values.to(torch.bfloat16).view(torch.int16).numpy().view(np.uint16)
