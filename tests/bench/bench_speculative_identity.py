"""Greedy speculation in FP32 against plain greedy decoding on SmolLM2-135M; both caches after every round.

Run: `.venv/bin/python tests/bench/bench_speculative_identity.py`. It takes hours on 2 cores; `--prompts`,
`--tokens`, `--drafters`, `--gammas` and `--batches` choose a part. The last line is one JSON object:

- `greedy_identical_percent`: of all texts (a prompt with one drafter, γ and batch size), those whose tokens
  are those of plain decoding
- `caches_equal_percent`: of all cache rows after all rounds, those that hold the bits of a fresh pass over
  the committed tokens: the target's all but the last token, the draft's a beginning of them
- `texts`, `cache_rows`: how many there were; `accepted_percent` of the drafted tokens, by drafter: a draft
  that is never right would prove little

A fresh pass over a whole text holds that of each of its beginnings, so one pass a text serves all its rounds.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import torch

from lab.decode.batching import decode
from lab.decode.prompt_set import built_in
from lab.decode.requests import Request
from lab.decode.speculative.drafters import Drafter, ModelDrafter
from lab.decode.speculative.how import Speculative
from lab.decode.speculative.making import make_drafter
from lab.decode.speculative.policy import Fixed
from lab.decode.speculative.rounds import Speculation
from lab.models.cache import KVCache
from lab.models.draft import DEFAULT_DRAFT, shipped_drafts
from lab.models.loaded import LoadedModel, load_model
from lab.models.transformer import Transformer
from lab.numerics.lanes import FP32
from lab.records import TokenRecord

GROUP = 8  # prompts whose fresh caches are kept at a time; more than a batch, so that rows leave and join


@dataclass
class Tally:
    texts: int = 0
    identical: int = 0
    rows: int = 0
    equal: int = 0
    drafted: Counter[str] = field(default_factory=Counter)
    accepted: Counter[str] = field(default_factory=Counter)

    def percents(self) -> dict[str, object]:
        return {
            "greedy_identical_percent": round(100 * self.identical / self.texts, 4),
            "caches_equal_percent": round(100 * self.equal / self.rows, 4),
            "texts": self.texts,
            "cache_rows": self.rows,
            "accepted_percent": {
                name: round(100 * self.accepted[name] / count, 1) for name, count in self.drafted.items()
            },
        }


class Fresh:
    """Caches of fresh passes of one model, each over one whole text."""

    def __init__(self, model: Transformer, read: Callable[[Sequence[int]], list[int]] = list) -> None:
        self._model, self._read = model, read
        self._of: dict[str, tuple[list[int], KVCache]] = {}

    def matches(self, name: str, text: list[int], cache: KVCache, row: int) -> bool:
        """Whether a row holds the bits of a fresh pass over as much of the text as it has."""
        n = cache.lengths[row]
        if self._of[name][0][:n] != text[:n]:  # not the text of plain decoding
            self.know(name, text)
        fresh = self._of[name][1]
        return torch.equal(cache.k[:, row, :, :n], fresh.k[:, 0, :, :n]) and torch.equal(
            cache.v[:, row, :, :n], fresh.v[:, 0, :, :n]
        )

    def know(self, name: str, text: list[int]) -> None:
        cache = self._model.new_cache(1, len(text), FP32)
        self._model.forward([self._read(text)], cache, FP32)
        self._of[name] = text, cache


def fresh_of(drafter: Drafter) -> Fresh | None:
    if not isinstance(drafter, ModelDrafter):
        return None
    return Fresh(drafter.model, list if drafter.reduced is None else drafter.reduced.encode)


def plain_texts(loaded: LoadedModel, requests: Sequence[Request]) -> dict[str, list[int]]:
    texts: dict[str, list[int]] = {request.id: [] for request in requests}
    for step in decode(loaded.transformer, requests, FP32):
        for record in step.records:
            assert isinstance(record, TokenRecord), record
            texts[record.request].append(record.token)
    return texts


def measure(
    batch: Speculation, plain: dict[str, list[int]], target: Fresh, draft: Fresh | None, t: Tally
) -> None:
    """Decode to the end, comparing the caches after every round and the texts as they end."""
    name = batch.how.drafter.name
    while batch.admit():
        step = batch.step()
        assert all(isinstance(record, TokenRecord) for record in step.records), step.records
        for record in step.rounds:
            t.drafted[name] += len(record.drafted)
            t.accepted[name] += record.accepted
        for sequence in batch.running:
            text = [*sequence.request.prompt, *sequence.tokens]
            full = len(text) - 1
            equal = batch.cache.lengths[sequence.row] == full
            t.rows += 1
            t.equal += equal and target.matches(sequence.id, text, batch.cache, sequence.row)
            if draft is not None and batch.drafts.cache is not None:
                t.rows += 1
                equal = batch.drafts.cache.lengths[sequence.row] <= full
                t.equal += equal and draft.matches(sequence.id, text, batch.drafts.cache, sequence.row)
            if sequence.finish:
                t.texts += 1
                t.identical += sequence.tokens == plain[sequence.id]
        batch.leave({sequence.id for sequence in batch.running if sequence.finish})


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    shipped = [DEFAULT_DRAFT] if DEFAULT_DRAFT in shipped_drafts() else []
    parser.add_argument("--prompts", type=int, default=64)
    parser.add_argument("--tokens", type=int, default=64)
    parser.add_argument("--drafters", nargs="+", default=[*shipped, "trigram", "lookup"])
    parser.add_argument("--gammas", nargs="+", type=int, default=list(range(1, 9)))
    parser.add_argument("--batches", nargs="+", type=int, default=[1, 4])
    args = parser.parse_args()

    loaded = load_model(device="cpu")
    model, encode = loaded.transformer, loaded.tokenizer.encode_chat
    asked = [Request(p.name, tuple(encode(p.text)), args.tokens) for p in built_in()[: args.prompts]]
    drafters = {name: make_drafter(name, loaded) for name in args.drafters}
    tally = Tally()
    for start in range(0, len(asked), GROUP):
        group = asked[start : start + GROUP]
        plain = plain_texts(loaded, group)
        target = Fresh(model)
        drafts = {name: fresh_of(drafter) for name, drafter in drafters.items()}
        for request in group:
            for fresh in (target, *drafts.values()):
                if fresh is not None:
                    fresh.know(request.id, [*request.prompt, *plain[request.id]])
        for name, drafter in drafters.items():
            for gamma in args.gammas:
                how = Speculative(drafter, Fixed(gamma))
                for size in args.batches:
                    batch = Speculation(model, group, FP32, how, max_batch=size)
                    measure(batch, plain, target, drafts[name], tally)
            print(f"{start + len(group)} of {len(asked)} prompts, {name}: {tally.percents()}", flush=True)
    print(json.dumps(tally.percents()))


if __name__ == "__main__":
    main()
