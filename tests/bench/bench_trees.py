"""Trees and trained drafters on SmolLM2-135M: every method beside plain decoding, in one run.

Run: `.venv/bin/python tests/bench/bench_trees.py`; about 15 minutes on 2 cores. FP32, packed weights, all
cores, greedy, held-out story prompts, batch 1, prompts left out. The last line is one JSON object:

- `tokens_per_pass_<method>`: new tokens ÷ target passes, pooled; `_best`: the largest; a name that ends in
  `_chain` is the tree's own chain: the same drafter, as deep, one branch; `eagle-2_63` is the largest tree
- `nodes_per_pass_<method>`: nodes that a pass verifies
- `speedup_<method>`: seconds a token of plain decoding ÷ the method's, the median over turns
- `v_<nodes>`: a target pass over a tree of so many nodes and the token before it ÷ over one token
- `same_text_<method>`: share of the prompts whose text is plain decoding's (1 in FP32)

All runs take turns, after a warm-up.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import torch

from lab.decode.batching import decode
from lab.decode.requests import Request
from lab.decode.speculative.family import METHODS, SERIAL
from lab.decode.speculative.how import AnySpeculative
from lab.decode.speculative.pass_times import measure_passes, target_passes, tree_passes
from lab.decode.speculative.rounds import speculate
from lab.decode.speculative.settings import SpeculateSettings
from lab.decode.speculative.tales import TALES
from lab.decode.speculative.timed_runs import Run, timed
from lab.models.loaded import LoadedModel, load_model
from lab.numerics.lanes import FP32
from lab.records import TokenRecord
from lab.round_records import PassTimeRecord

CONTEXT = 128
NODES = (1, 3, 7, 15, 23, 31, 47, 63)
TREES = ("specinfer", "medusa", "eagle", "eagle-2")


def methods() -> dict[str, SpeculateSettings]:
    """Every method of the family, and the chain of each tree."""
    blank = SpeculateSettings(keep_laws=0, batch=1)
    made = {name: replace(blank, **fields) for name, fields in METHODS.items() if name != SERIAL}
    made["eagle-2_63"] = replace(made["eagle-2"], gamma=8, width=8, nodes=63)
    for name in TREES:
        depth = made[name].make_shape().depth
        made[f"{name}_chain"] = replace(made[name], shape="k-ary", widths=(1,) * depth)
    return made


def run(loaded: LoadedModel, requests: Sequence[Request], how: AnySpeculative | None) -> Run:
    """All prompts, one at a time."""
    model = loaded.transformer
    texts = (
        decode(model, [request], FP32, keep_top=2)
        if how is None
        else speculate(model, [request], FP32, how, keep_top=2)
        for request in requests
    )
    steps = timed(texts)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


def texts_of(loaded: LoadedModel, requests: Sequence[Request], how: AnySpeculative | None) -> list[list[int]]:
    model = loaded.transformer
    texts = []
    for request in requests:
        steps = (
            decode(model, [request], FP32, keep_top=2)
            if how is None
            else speculate(model, [request], FP32, how, keep_top=2)
        )
        records = [record for step in steps for record in step.records]
        texts.append([record.token for record in records if isinstance(record, TokenRecord)])
    return texts


def tree_times(loaded: LoadedModel, text: Sequence[int], passes: int) -> dict[str, float]:
    """v of trees by their nodes."""
    kinds = target_passes(loaded.transformer, FP32, text, CONTEXT, 1, (1,))
    kinds += tree_passes(loaded.transformer, FP32, text, CONTEXT, NODES)
    records = [made for made in measure_passes(kinds, passes) if isinstance(made, PassTimeRecord)]
    return {f"v_{r.positions - 1}": r.seconds / records[0].seconds for r in records[1:]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--prompts", type=int, default=8)
    parser.add_argument("--tokens", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--passes", type=int, default=15)
    parser.add_argument("--methods", nargs="*", help="some of the methods; all without it")
    options = parser.parse_args()
    loaded = load_model(device="cpu")
    print(f"{torch.get_num_threads()} threads, {loaded.transformer.kernels.describe()}", flush=True)
    blank = SpeculateSettings(prompts=TALES[: options.prompts], length=options.tokens)
    requests = blank.requests(loaded)
    wanted = {name: made for name, made in methods().items() if name in (options.methods or methods())}
    hows: dict[str, AnySpeculative | None] = {SERIAL: None}
    hows |= {name: made.make_how(loaded) for name, made in wanted.items()}

    figures = tree_times(loaded, [token for each in requests for token in each.prompt], options.passes)
    print(figures, flush=True)
    plain = texts_of(loaded, requests, None)
    for name, how in hows.items():  # warms up, too
        same = [a == b for a, b in zip(texts_of(loaded, requests, how), plain, strict=True)]
        figures[f"same_text_{name}"] = sum(same) / len(same)
    print(figures, flush=True)
    runs: dict[str, list[Run]] = {name: [] for name in hows}
    for _ in range(options.rounds):
        for name, how in hows.items():
            runs[name].append(run(loaded, requests, how))
    for name, own in runs.items():
        if name == SERIAL:
            continue
        first = own[0]
        passes = len(first.rounds)
        figures[f"tokens_per_pass_{name}"] = first.tokens / passes
        figures[f"nodes_per_pass_{name}"] = sum(len(r.drafted) for r in first.rounds) / passes
        ratios = [a.seconds_per_token / b.seconds_per_token for a, b in zip(runs[SERIAL], own, strict=True)]
        figures[f"speedup_{name}"] = statistics.median(ratios)
    figures["tokens_per_pass_best"] = max(v for k, v in figures.items() if k.startswith("tokens_per_pass"))
    print(json.dumps({name: round(value, 3) for name, value in figures.items()}))


if __name__ == "__main__":
    main()
