"""Speculative decoding of SmolLM2-135M with the shipped draft, against plain decoding and transformers.

Run: `.venv/bin/python tests/bench/bench_speculative.py`; about 15 minutes on 2 cores. FP32, packed weights,
all cores, greedy, held-out story prompts, batch 1 unless it is said otherwise. The last line is one JSON
object:

- `alpha_t0`, `alpha_t1`: mean Σ min(p, q) on the target's own text, with `_error` (standard error)
- `gamma`: the fastest by formula for these α, c and v; `c`: a draft step as the loop makes it ÷ a target
  pass; `v`: a target pass over γ + 1 positions ÷ over one
- `speedup_vs_own`: over plain decoding of the lab, prompts left out; `_whole`: prompts included
- `predicted` (Theorem 3.8), `predicted_v`, `predicted_by_position`, `predicted_by_text`; `prediction_error`:
  |predicted_v − speedup_vs_own| ÷ speedup_vs_own, `prediction_error_by_text`: the same of the other
- `speedup_vs_transformers`, `speedup_vs_transformers_assisted`: over `generate`, and over `generate` with the
  same draft as its assistant (in FP32, the unknown tokens' logits filled in after a head of the reduced size)
  and the same γ; the lab as its users call it, records and all; prompts included on all sides
- `loss_random_draft`: speedup with a draft that knows nothing; `loss_batch_32`: with the shipped draft where
  32 sequences decode together, and what v is there (`v_batch_32`)

All runs take turns; figures are medians after a warm-up. Prompts whose story ends early are left out, so that
all sides make equally many tokens.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable, Generator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import torch
from torch import Tensor, nn

from lab.decode.batching import decode
from lab.decode.requests import Request
from lab.decode.sampling import GREEDY, Sampling
from lab.decode.speculative.agreement import Overlaps, overlaps, pooled
from lab.decode.speculative.drafters import Drafter, ModelDrafter, UniformDrafter
from lab.decode.speculative.how import Speculative
from lab.decode.speculative.making import make_drafter
from lab.decode.speculative.measure import relative_times
from lab.decode.speculative.pass_times import draft_steps, measure_passes, target_passes
from lab.decode.speculative.policy import Fixed, optimal_gamma
from lab.decode.speculative.rounds import speculate
from lab.decode.speculative.timed_runs import Case, Run, Times, measure_record, timed
from lab.models.loaded import LoadedModel, load_model
from lab.numerics.lanes import FP32
from lab.records import TokenRecord
from lab.round_records import MeasureRecord, PassTimeRecord
from lab.training.text import stories
from tests.bench.bench_decode import transformers_model

R = TypeVar("R")
WIDEST, CONTEXT, ROWS = 16, 128, 8
LARGE, LARGE_TOKENS = 32, 32


def outcome(work: Generator[int, None, R]) -> R:
    while True:
        try:
            next(work)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]


def held_out(
    loaded: LoadedModel, count: int, tokens: int, temperature: float, seed: int = 0
) -> list[Request]:
    prompts = dict.fromkeys(story.prompt for story in stories().held_out)
    return [
        Request(f"{at}", tuple(loaded.tokenizer.encode_chat(text)), tokens, Sampling(temperature), seed + at)
        for at, text in enumerate(islice(prompts, count))
    ]


def along(loaded: LoadedModel, requests: Sequence[Request], drafter: Drafter) -> list[Overlaps]:
    found: list[Overlaps] = []
    for at in range(0, len(requests), ROWS):
        found += outcome(overlaps(loaded.transformer, requests[at : at + ROWS], FP32, [drafter]))[0]
    return found


def times(
    loaded: LoadedModel,
    drafter: Drafter,
    text: Sequence[int],
    batch: int,
    widths: Sequence[int],
    repeats: int,
) -> Times:
    kinds = target_passes(loaded.transformer, FP32, text, CONTEXT, batch, widths)
    kinds += draft_steps(drafter, GREEDY, text, CONTEXT, batch)
    records = [r for r in measure_passes(kinds, repeats) if isinstance(r, PassTimeRecord)]
    for r in records:
        spread = f"{1e3 * r.low:.2f}-{1e3 * r.high:.2f}"
        print(f"{r.role} × {r.positions} at batch {batch}: {1e3 * r.seconds:.2f} ms ({spread})", flush=True)
    return relative_times(records)[drafter.name, 0.0, batch]


class ReducedHead(nn.Module):
    """Logits of a reduced vocabulary, in a row of the whole one; the others' cannot win."""

    def __init__(self, weight: Tensor, vocabulary: Tensor, size: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(weight, requires_grad=False)
        self.vocabulary, self.size = vocabulary, size

    def forward(self, hidden: Tensor) -> Tensor:
        out = hidden.new_full((*hidden.shape[:-1], self.size), -1e9)
        out[..., self.vocabulary] = nn.functional.linear(hidden, self.weight)
        return out


def assistant(drafter: ModelDrafter, size: int) -> Any:
    """The shipped draft as transformers' own model, of the target's vocabulary: its unknown row stands for
    every token that it does not know."""
    import transformers

    assert drafter.reduced is not None
    known, reduced = drafter.reduced.vocabulary, drafter.model
    config = reduced.config.to_hub() | {"vocab_size": size, "tie_word_embeddings": False}
    model = transformers.LlamaForCausalLM(transformers.LlamaConfig(**config))
    embedding = reduced.embedding.float()
    rows = torch.full((size,), len(known))
    rows[known] = torch.arange(len(known))
    tensors = {"model.embed_tokens.weight": embedding[rows], "model.norm.weight": reduced.norm}
    for at, layer in enumerate(reduced.layers):
        prefix, c = f"model.layers.{at}.", reduced.config
        parts = layer.qkv.stored.split(
            [c.heads * c.head_dim, c.kv_heads * c.head_dim, c.kv_heads * c.head_dim]
        )
        gate, up = layer.gate_up.stored.chunk(2)
        tensors |= {
            prefix + "input_layernorm.weight": layer.attention_norm,
            prefix + "post_attention_layernorm.weight": layer.ffn_norm,
            prefix + "self_attn.o_proj.weight": layer.out.stored,
            prefix + "mlp.gate_proj.weight": gate,
            prefix + "mlp.up_proj.weight": up,
            prefix + "mlp.down_proj.weight": layer.down.stored,
        }
        tensors |= {f"{prefix}self_attn.{n}_proj.weight": p for n, p in zip("qkv", parts, strict=True)}
    missing = model.load_state_dict({k: v.float() for k, v in tensors.items()}, strict=False)
    assert missing.missing_keys == ["lm_head.weight"], missing
    model.lm_head = ReducedHead(embedding[: len(known)].clone(), known, size)
    return model.float().eval()


Tokens = dict[str, list[int]]
Side = Callable[[], tuple[float, Tokens, Run | None]]


def ours(loaded: LoadedModel, requests: Sequence[Request], how: Speculative | None, batch: int = 1) -> Side:
    """Seconds in all, tokens, and the decoding steps alone."""
    model = loaded.transformer

    def run() -> tuple[float, Tokens, Run | None]:
        made: Tokens = {request.id: [] for request in requests}

        def seen(steps: Any) -> Any:
            for step in steps:
                for record in step.records:
                    assert isinstance(record, TokenRecord)
                    made[record.request].append(record.token)
                yield step

        groups = [requests[at : at + batch] for at in range(0, len(requests), batch)]
        started = time.perf_counter()
        if how is None:
            steps = [decode(model, group, FP32, loaded.tokenizer) for group in groups]
        else:
            steps = [speculate(model, group, FP32, how, loaded.tokenizer) for group in groups]
        own = outcome(timed(map(seen, steps)))
        return time.perf_counter() - started, made, own

    return run


def theirs(model: Any, requests: Sequence[Request], helper: Any, gamma: int) -> Side:
    options: dict[str, Any] = {"do_sample": False, "eos_token_id": None, "pad_token_id": 0}
    if helper is not None:
        helper.generation_config.num_assistant_tokens = gamma
        helper.generation_config.num_assistant_tokens_schedule = "constant"
        helper.generation_config.assistant_confidence_threshold = 0.0
        options["assistant_model"] = helper

    @torch.inference_mode()
    def run() -> tuple[float, Tokens, Run | None]:
        made: Tokens = {}
        started = time.perf_counter()
        for request in requests:
            ids = torch.tensor([request.prompt])
            mask = torch.ones_like(ids)
            out = model.generate(ids, attention_mask=mask, max_new_tokens=request.max_new_tokens, **options)
            made[request.id] = out[0, len(request.prompt) :].tolist()
        return time.perf_counter() - started, made, None

    return run


def in_turns(sides: dict[str, Side], rounds: int) -> dict[str, list[tuple[float, Tokens, Run | None]]]:
    taken: dict[str, list[tuple[float, Tokens, Run | None]]] = {name: [] for name in sides}
    for round_ in range(rounds + 1):
        for name, side in sides.items():
            result = side()
            print(f"  {name}: {result[0]:.2f} s", flush=True)
            if round_ > 0:  # the first round warms up
                taken[name].append(result)
    return taken


def ratio(above: Sequence[float], below: Sequence[float]) -> float:
    return statistics.median(a / b for a, b in zip(above, below, strict=True))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--drafter", default="stories")
    parser.add_argument("--prompts", type=int, default=6, help="that are timed")
    parser.add_argument("--alpha-prompts", type=int, default=32)
    parser.add_argument("--tokens", type=int, default=128)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--passes", type=int, default=25)
    options = parser.parse_args()
    tokens, figures = options.tokens, dict[str, float]()
    loaded = load_model(device="cpu")
    model = loaded.transformer
    drafter = make_drafter(options.drafter, loaded)
    print(f"{torch.get_num_threads()} threads, {model.kernels.describe()}, draft {drafter.name}", flush=True)

    wanted = held_out(loaded, options.alpha_prompts, tokens, 0.0)
    texts = along(loaded, wanted, drafter)
    figures["alpha_t0"], error, _ = pooled(texts)
    figures["alpha_t0_error"] = error or 0.0
    sampled = along(loaded, held_out(loaded, options.alpha_prompts, tokens, 1.0), drafter)
    figures["alpha_t1"], error, _ = pooled(sampled)
    figures["alpha_t1_error"] = error or 0.0
    print(figures, flush=True)
    whole = [at for at, text in enumerate(texts) if len(text.betas) == tokens - 1][: options.prompts]
    requests, own_texts = [wanted[at] for at in whole], [texts[at] for at in whole]

    text = [token for request in wanted for token in request.prompt]
    relative = times(loaded, drafter, text, 1, range(1, WIDEST + 2), options.passes)
    gamma = optimal_gamma(figures["alpha_t0"], relative.c, relative.v)
    figures |= {"gamma": gamma, "c": relative.c, "v": relative.v[gamma]}
    print(figures, flush=True)

    other = transformers_model(loaded)
    reduced = isinstance(drafter, ModelDrafter) and drafter.reduced is not None
    helper = assistant(drafter, model.config.vocab_size) if reduced else None  # type: ignore[arg-type]
    sides = {
        "lab, plain": ours(loaded, requests, None),
        "lab, speculative": ours(loaded, requests, Speculative(drafter, Fixed(gamma))),
        "transformers, plain": theirs(other, requests, None, gamma),
        "transformers, assisted": theirs(other, requests, helper, gamma),
        "lab, random draft": ours(
            loaded, requests[:2], Speculative(UniformDrafter(model.config.vocab_size), Fixed(gamma))
        ),
        "lab, plain, beside it": ours(loaded, requests[:2], None),
    }
    taken = in_turns(sides, options.rounds)
    seconds = {name: [each[0] for each in own] for name, own in taken.items()}
    steps = {name: [each[2] for each in own if each[2]] for name, own in taken.items()}
    answers = {name: own[0][1] for name, own in taken.items()}
    assert answers["lab, plain"] == answers["lab, speculative"], "speculation changed a greedy answer"
    for name in ("transformers, plain", "transformers, assisted"):
        same = sum(answers[name][key] == value for key, value in answers["lab, plain"].items())
        print(f"{name}: {same} of {len(requests)} answers are the lab's")
    runs = list(zip(steps["lab, plain"], steps["lab, speculative"], strict=True))
    record = measure_record(
        Case("held-out story", 0.0, gamma, 1, tokens), model, FP32, drafter, own_texts, relative, runs
    )
    fast = seconds["lab, speculative"]
    figures |= predicted(record) | {
        "speedup_vs_own": record.speedup,
        "speedup_vs_own_whole": ratio(seconds["lab, plain"], fast),
        "speedup_vs_transformers": ratio(seconds["transformers, plain"], fast),
        "speedup_vs_transformers_assisted": ratio(seconds["transformers, assisted"], fast),
        "loss_random_draft": ratio(seconds["lab, plain, beside it"], seconds["lab, random draft"]),
    }
    print(record, flush=True)
    print(figures, flush=True)

    many = held_out(loaded, LARGE, LARGE_TOKENS, 0.0)
    large = times(loaded, drafter, text, LARGE, (1, gamma + 1), 3)
    figures["v_batch_32"] = large.v[gamma]
    taken = in_turns(
        {
            "batch 32, plain": ours(loaded, many, None, LARGE),
            "batch 32, speculative": ours(loaded, many, Speculative(drafter, Fixed(gamma)), LARGE),
        },
        max(1, options.rounds // 2),
    )
    runs32 = [[each[2].seconds for each in own if each[2]] for own in taken.values()]
    figures["loss_batch_32"] = ratio(*runs32)
    print(json.dumps({name: round(value, 3) for name, value in figures.items()}))


def predicted(record: MeasureRecord) -> dict[str, float]:
    """Of the timed prompts' own α; the error is that of the formula, not of the choice of prompts."""
    along_text = record.predicted_by_text or 0.0
    return {
        "alpha_t0_timed": record.alpha or 0.0,
        "tokens_per_pass": record.tokens_per_pass,
        "accepted_per_drafted": record.accepted_per_drafted or 0.0,
        "predicted": record.predicted,
        "predicted_v": record.predicted_v,
        "predicted_by_position": record.predicted_by_position,
        "predicted_by_text": along_text,
        "oracle": record.oracle or 0.0,
        "prediction_error": abs(record.predicted_v - record.speedup) / record.speedup,
        "prediction_error_by_text": abs(along_text - record.speedup) / record.speedup,
    }


if __name__ == "__main__":
    main()
