"""Greedy speculation with token trees in FP32 against plain greedy decoding on SmolLM2-135M.

Run: `.venv/bin/python tests/bench/bench_tree_identity.py`. 32 prompts × 64 tokens with every drafter of trees
and every shape take hours on 2 cores; `--prompts`, `--tokens`, `--drafters`, `--shapes` and `--batch` choose
a part. The last line is one JSON object:

- `greedy_identical_percent`: of all texts (a prompt with one drafter and shape), those whose tokens are those
  of plain decoding
- `caches_equal_percent`: of all rows of the target's cache as their texts end, those that hold the bits of a
  fresh pass over all their tokens but the last
- `texts`: how many there were; `tokens_per_round` by drafter and shape: one that accepts nothing would prove
  little
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import torch

from lab.decode.batching import decode
from lab.decode.prompt_set import built_in
from lab.decode.requests import Request
from lab.decode.speculative.how import SpeculativeTree
from lab.decode.speculative.making import make_tree_drafter
from lab.decode.speculative.rounds import Speculation
from lab.decode.speculative.shapes import Dynamic, Shape, chain, k_ary, parse_ranks
from lab.models.draft_file import shipped
from lab.models.eagle import DEFAULT_EAGLE, EAGLE
from lab.models.loaded import load_model
from lab.models.medusa import DEFAULT_MEDUSA, MEDUSA
from lab.models.transformer import Transformer
from lab.numerics.lanes import FP32
from lab.records import TokenRecord

SHAPES: dict[str, Shape] = {
    "chain": chain(4),
    "k-ary": k_ary((3, 2, 1, 1)),
    "bush": k_ary((3, 3, 3)),
    "ranks": parse_ranks("0 1 2 0,0 0,1 1,0 0,0,0 0,0,1 0,0,0,0"),
    "dynamic": Dynamic(4, 5, 24),
}


def drafters() -> list[str]:
    """Those that need no training, and the heads that come with the lab."""
    heads = [DEFAULT_MEDUSA] if DEFAULT_MEDUSA in shipped(MEDUSA) else []
    heads += [DEFAULT_EAGLE] if DEFAULT_EAGLE in shipped(EAGLE) else []
    return ["stories", "trigram", "stories+trigram", "early-exit:20", *heads]


def plain_texts(model: Transformer, requests: Sequence[Request]) -> dict[str, list[int]]:
    texts: dict[str, list[int]] = {request.id: [] for request in requests}
    for step in decode(model, requests, FP32, max_batch=8):
        for record in step.records:
            assert isinstance(record, TokenRecord), record
            texts[record.request].append(record.token)
    return texts


class Tally:
    def __init__(self, model: Transformer, plain: dict[str, list[int]]) -> None:
        self._model, self._plain = model, plain
        self._texts = self._identical = self._equal = 0
        self._per_round: dict[str, float] = {}

    def run(self, name: str, batch: Speculation) -> None:
        """Decode to the end; compare each text and its cache as it ends."""
        rounds = emitted = 0
        while batch.admit():
            step = batch.step()
            rounds += len(step.rounds)
            emitted += sum(len(record.emitted) for record in step.rounds)
            ended = [sequence for sequence in batch.running if sequence.finish]
            for sequence in ended:
                text = [*sequence.request.prompt, *sequence.tokens]
                self._texts += 1
                self._identical += sequence.tokens == self._plain[sequence.id]
                self._equal += self._fresh(batch, sequence.row, text[:-1])
            batch.leave({sequence.id for sequence in ended})
        self._per_round[name] = round(emitted / rounds, 3)

    def _fresh(self, batch: Speculation, row: int, text: list[int]) -> bool:
        own, n = self._model.new_cache(1, len(text), FP32), len(text)
        self._model.forward([text], own, FP32)
        return batch.cache.lengths[row] == n and all(
            torch.equal(mine[:, row, :, :n], fresh[:, 0, :, :n])
            for mine, fresh in ((batch.cache.k, own.k), (batch.cache.v, own.v))
        )

    def percents(self) -> dict[str, object]:
        return {
            "greedy_identical_percent": round(100 * self._identical / self._texts, 4),
            "caches_equal_percent": round(100 * self._equal / self._texts, 4),
            "texts": self._texts,
            "tokens_per_round": self._per_round,
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--prompts", type=int, default=32)
    parser.add_argument("--tokens", type=int, default=64)
    parser.add_argument("--drafters", nargs="+", default=drafters())
    parser.add_argument("--shapes", nargs="+", choices=SHAPES, default=list(SHAPES))
    parser.add_argument("--batch", type=int, default=4)
    args = parser.parse_args()

    loaded = load_model(device="cpu")
    model, encode = loaded.transformer, loaded.tokenizer.encode_chat
    asked = [Request(p.name, tuple(encode(p.text)), args.tokens) for p in built_in()[: args.prompts]]
    tally = Tally(model, plain_texts(model, asked))
    for drafter in args.drafters:
        made = make_tree_drafter(drafter, loaded)
        for shape in args.shapes:
            how = SpeculativeTree(made, SHAPES[shape])
            tally.run(f"{drafter}, {shape}", Speculation(model, asked, FP32, how, max_batch=args.batch))
            print(f"{drafter}, {shape}: {tally.percents()}", flush=True)
    print(json.dumps(tally.percents()))


if __name__ == "__main__":
    main()
