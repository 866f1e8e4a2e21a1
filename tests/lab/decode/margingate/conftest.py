from __future__ import annotations

import random
from dataclasses import replace

import pytest

from lab.decode.batching import decode
from lab.decode.margingate.run import GateStep
from lab.decode.requests import Request
from lab.models.transformer import Transformer
from lab.numerics.lanes import Lane
from lab.records import TokenRecord
from tests.lab.decode.speculative.near_ties import near_ties


@pytest.fixture(scope="session")
def flippy() -> Transformer:
    """A small random model whose BF16 and FP32 lanes often choose differently.

    The rows of its output matrix are nearly the same, so its logits are nearly equal and margins tiny.
    """
    return Transformer(near_ties())


def requests(count: int, tokens: int, arrive_every: int = 0) -> list[Request]:
    numbers = random.Random(7)
    return [
        Request(
            f"r{i}",
            tuple(numbers.choices(range(256), k=numbers.randint(3, 40))),
            tokens,
            ignore_eos=True,
            arrives=i * arrive_every,
        )
        for i in range(count)
    ]


def plain(model: Transformer, asked: list[Request], lane: Lane) -> dict[str, list[int]]:
    """What each request gives when it is decoded alone in one lane."""
    return {
        request.id: [
            record.token
            for step in decode(model, [replace(request, arrives=0)], lane)
            for record in step.records
            if isinstance(record, TokenRecord)
        ]
        for request in asked
    }


def records_of(steps: list[GateStep]) -> list[object]:
    return [record for step in steps for record in step.records]
