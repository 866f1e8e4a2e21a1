"""Decoding speed on SmolLM2-135M against transformers, in one run on one machine.

Run: `.venv/bin/python tests/bench/bench_decode.py`. The last line is one JSON object:

- `batch1_vs_transformers`, `batch8_vs_transformers`: FP32 tokens/s of the lab over transformers'
- `step5_over_step1`: time of a decode step of 5 rows over that of 1 row
- `bandwidth_share`: weight bytes that a one-row step reads a second, over the read bandwidth
  measured here
- `load_s`: loading the cached copy and making it ready for FP32; `peak_memory_mb` of this process
  before transformers is loaded

Both sides greedily decode the same prompts; times are per step after the prompt, medians, in turns.
"""

from __future__ import annotations

import json
import resource
import statistics
import time
from collections.abc import Callable

import torch

from lab.models.loaded import LoadedModel, load_model
from lab.numerics.lanes import FP32

PROMPT = "Write a short story about a lighthouse keeper who collects clocks."
STEPS, ROUNDS = 24, 5


def lab_step(loaded: LoadedModel, batch: int) -> Callable[[], float]:
    """A function that decodes STEPS greedy tokens and returns the seconds of the median step."""
    prompt = loaded.tokenizer.encode_chat(PROMPT)

    def run() -> float:
        model = loaded.transformer
        cache = model.new_cache(batch, len(prompt) + STEPS + 1, FP32)
        logits = model.forward([prompt] * batch, cache, FP32)
        times = []
        for _ in range(STEPS):
            start = time.perf_counter()
            tokens = logits.argmax(-1, keepdim=True).tolist()
            logits = model.forward(tokens, cache, FP32)
            times.append(time.perf_counter() - start)
        return statistics.median(times)

    return run


def transformers_step(loaded: LoadedModel, batch: int) -> Callable[[], float]:
    """The same through transformers, with its default attention and cache."""
    prompt = torch.tensor([loaded.tokenizer.encode_chat(PROMPT)] * batch)
    model = _transformers(loaded)

    @torch.inference_mode()
    def run() -> float:
        out = model(prompt, use_cache=True, logits_to_keep=1)
        times = []
        for _ in range(STEPS):
            start = time.perf_counter()
            tokens = out.logits[:, -1].argmax(-1, keepdim=True)
            out = model(tokens, past_key_values=out.past_key_values, use_cache=True)
            times.append(time.perf_counter() - start)
        return statistics.median(times)

    return run


def _transformers(loaded: LoadedModel, made: list[object] = []) -> object:  # noqa: B006
    """transformers' own model with the same weights, made once."""
    if not made:
        import transformers

        from lab.models.zoo import load_checkpoint

        checkpoint = load_checkpoint(loaded.name)
        model = transformers.LlamaForCausalLM(transformers.LlamaConfig(**checkpoint.config.to_hub()))
        model.load_state_dict({k: v.float() for k, v in checkpoint.tensors.items()}, strict=False)
        model.tie_weights()
        made.append(model.float().eval())
    return made[0]


def read_bandwidth() -> float:
    """Bytes a second of reading a large FP32 array once, best of several."""
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
    lab_step(loaded, 8)()
    peak_memory_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

    runs = {
        "lab1": lab_step(loaded, 1),
        "lab5": lab_step(loaded, 5),
        "lab8": lab_step(loaded, 8),
        "hf1": transformers_step(loaded, 1),
        "hf8": transformers_step(loaded, 8),
    }
    times: dict[str, list[float]] = {name: [] for name in runs}
    for round_ in range(ROUNDS + 1):
        for name, run in runs.items():
            seconds = run()
            if round_ > 0:  # the first round warms up
                times[name].append(seconds)
    step = {name: statistics.median(values) for name, values in times.items()}
    for name, values in times.items():
        spread = f"{min(values) * 1e3:.1f}-{max(values) * 1e3:.1f}"
        print(f"{name}: {step[name] * 1e3:.1f} ms a step ({spread}), {torch.get_num_threads()} threads")
    bandwidth = read_bandwidth()
    weight_bytes = 4 * model.config.parameters  # FP32, the tied head read once
    print(f"read bandwidth {bandwidth / 1e9:.1f} GB/s, weights {weight_bytes / 1e6:.0f} MB in FP32")
    print(model.kernels.describe())
    figures = {
        "batch1_vs_transformers": step["hf1"] / step["lab1"],
        "batch8_vs_transformers": step["hf8"] / step["lab8"],
        "step5_over_step1": step["lab5"] / step["lab1"],
        "bandwidth_share": weight_bytes / step["lab1"] / bandwidth,
        "load_s": load_s,
        "peak_memory_mb": peak_memory_mb,
    }
    print(json.dumps({name: round(value, 3) for name, value in figures.items()}))


if __name__ == "__main__":
    main()
