"""Decoding speed on SmolLM2-135M against transformers, in one run on one machine.

Run: `.venv/bin/python tests/bench/bench_decode.py`. The last line is one JSON object:

- `batch1_vs_transformers`, `batch8_vs_transformers`: FP32 tokens a second of the lab over those of
  transformers. Each side as its users call it: `lab.decode.batching.decode` (records and all) and
  `generate`; greedy, the same prompts of different lengths, 64 tokens each, prompts included in the time
- `forward1_vs_transformers`, `forward8_vs_transformers`: the same for bare forward passes of one token a
  row, without choosing or recording
- `step5_over_step1`: time of a forward pass of 5 rows over that of 1 row
- `bandwidth_share`: weight bytes that a one-row pass reads a second, over the read bandwidth measured here
- `load_s`: loading the cached copy and packing it for FP32; `peak_memory_mb` of this process before
  transformers is loaded

All runs take turns; figures are medians after a warm-up.
"""

from __future__ import annotations

import json
import resource
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import torch

from lab.decode.batching import decode
from lab.decode.prompts import PROMPTS
from lab.decode.requests import Request
from lab.models.loaded import LoadedModel, load_model
from lab.models.zoo import load_checkpoint
from lab.numerics.lanes import FP32

TOKENS, PASSES, ROUNDS = 64, 24, 5
Run = Callable[[], float]


def transformers_model(loaded: LoadedModel) -> Any:
    """transformers' own model with the same weights in FP32."""
    import transformers

    checkpoint = load_checkpoint(loaded.name)
    model = transformers.LlamaForCausalLM(transformers.LlamaConfig(**checkpoint.config.to_hub()))
    model.load_state_dict({k: v.float() for k, v in checkpoint.tensors.items()}, strict=False)
    model.tie_weights()
    return model.float().eval()


def lab_generation(loaded: LoadedModel, prompts: list[list[int]]) -> Run:
    """Seconds for TOKENS greedy tokens of every prompt."""
    requests = [Request(str(i), tuple(p), TOKENS, ignore_eos=True) for i, p in enumerate(prompts)]

    def run() -> float:
        start = time.perf_counter()
        for _ in decode(loaded.transformer, requests, FP32, loaded.tokenizer):
            pass
        return time.perf_counter() - start

    return run


def their_generation(model: Any, prompts: list[list[int]]) -> Run:
    """The same through `generate`, shorter prompts padded on the left as it asks for."""
    width = max(map(len, prompts))
    ids = torch.tensor([[0] * (width - len(p)) + p for p in prompts])
    mask = torch.tensor([[0] * (width - len(p)) + [1] * len(p) for p in prompts])
    options = {"max_new_tokens": TOKENS, "do_sample": False, "eos_token_id": None, "pad_token_id": 0}

    @torch.inference_mode()
    def run() -> float:
        start = time.perf_counter()
        out = model.generate(ids, attention_mask=mask, **options)
        seconds = time.perf_counter() - start
        assert out.shape[1] == width + TOKENS
        return seconds

    return run


def lab_pass(loaded: LoadedModel, prompt: list[int], batch: int) -> Run:
    """Seconds of the median forward pass of one token a row."""

    def run() -> float:
        model = loaded.transformer
        cache = model.new_cache(batch, len(prompt) + PASSES, FP32)
        model.forward([prompt] * batch, cache, FP32)
        return _median_pass(lambda: model.forward([[1]] * batch, cache, FP32))

    return run


def their_pass(model: Any, prompt: list[int], batch: int) -> Run:
    @torch.inference_mode()
    def run() -> float:
        past = model(torch.tensor([prompt] * batch), use_cache=True).past_key_values
        token = torch.ones(batch, 1, dtype=torch.long)
        return _median_pass(lambda: model(token, past_key_values=past, use_cache=True))

    return run


def _median_pass(forward: Callable[[], object]) -> float:
    times = []
    for _ in range(PASSES):
        start = time.perf_counter()
        forward()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def read_bandwidth() -> float:
    """Bytes a second of reading a large FP32 array, best of several."""
    data = torch.ones(128 * 2**20)
    data.sum()
    times = []
    for _ in range(7):
        start = time.perf_counter()
        data.sum()
        times.append(time.perf_counter() - start)
    return data.numel() * data.element_size() / min(times)


def main() -> None:
    start = time.perf_counter()
    loaded = load_model(device="cpu")
    model = loaded.transformer
    model.forward([[1]], model.new_cache(1, 8, FP32), FP32)  # packs the weights
    load_s = time.perf_counter() - start
    prompts = [loaded.tokenizer.encode_chat(text) for text in PROMPTS.values()]
    lab_generation(loaded, prompts)()
    peak_memory_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

    theirs = transformers_model(loaded)
    runs: dict[str, Run] = {
        "lab1": lab_generation(loaded, prompts[:1]),
        "their1": their_generation(theirs, prompts[:1]),
        "lab8": lab_generation(loaded, prompts),
        "their8": their_generation(theirs, prompts),
        "lab pass 1": lab_pass(loaded, prompts[0], 1),
        "lab pass 5": lab_pass(loaded, prompts[0], 5),
        "lab pass 8": lab_pass(loaded, prompts[0], 8),
        "their pass 1": their_pass(theirs, prompts[0], 1),
        "their pass 8": their_pass(theirs, prompts[0], 8),
    }
    times: dict[str, list[float]] = {name: [] for name in runs}
    for round_ in range(ROUNDS + 1):
        for name, run in runs.items():
            seconds = run()
            if round_ > 0:  # the first round warms up
                times[name].append(seconds)
    middle = {name: statistics.median(values) for name, values in times.items()}
    for name, values in times.items():
        print(f"{name}: {middle[name] * 1e3:.1f} ms ({min(values) * 1e3:.1f}-{max(values) * 1e3:.1f})")
    bandwidth = read_bandwidth()
    weight_bytes = 4 * model.config.parameters  # FP32; the tied head is read once
    print(f"{torch.get_num_threads()} threads, {model.kernels.describe()}")
    print(f"read bandwidth {bandwidth / 1e9:.1f} GB/s, weights {weight_bytes / 1e6:.0f} MB in FP32")
    speeds = TOKENS / middle["lab1"], 8 * TOKENS / middle["lab8"]
    print(f"lab: {speeds[0]:.1f} tokens/s at batch 1, {speeds[1]:.1f} at batch 8")
    figures = {
        "batch1_vs_transformers": middle["their1"] / middle["lab1"],
        "batch8_vs_transformers": middle["their8"] / middle["lab8"],
        "forward1_vs_transformers": middle["their pass 1"] / middle["lab pass 1"],
        "forward8_vs_transformers": middle["their pass 8"] / middle["lab pass 8"],
        "step5_over_step1": middle["lab pass 5"] / middle["lab pass 1"],
        "bandwidth_share": weight_bytes / middle["lab pass 1"] / bandwidth,
        "load_s": load_s,
        "peak_memory_mb": peak_memory_mb,
    }
    print(json.dumps({name: round(value, 3) for name, value in figures.items()}))


if __name__ == "__main__":
    main()
