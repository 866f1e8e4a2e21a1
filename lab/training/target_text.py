"""Text of the target with its laws: what the target wrote, and how likely each next token was to it.

At every position of a continuation the likeliest `KEPT` tokens are kept with their log-probabilities
at temperature 1; a draft is distilled from those. Two ways to get them: decode (greedy or sampled)
and keep the laws, or run a text that exists already through the target (teacher forcing).

Work is cut into shards, files of one batch each. A shard is written beside its place and renamed
into it, and one that exists is not made again: an interrupted run goes on at the shard it was in.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from lab.decode.batching import decode
from lab.decode.requests import Request
from lab.decode.sampling import Sampling, top
from lab.errors import LabError
from lab.models.transformer import Transformer
from lab.numerics.lanes import FP32
from lab.records import Failure

KEPT = 32  # likeliest tokens kept of a law
BATCH = 96  # sequences a shard
FORCED = 4  # sequences in one teacher-forced pass: its logits take 200 MB


@dataclass(frozen=True)
class TargetText:
    """One continuation. Laws are of the continuation's positions: token `ids[i]` was drawn from law i."""

    prompt: tuple[int, ...]
    ids: tuple[int, ...]
    top_ids: Tensor  # [len(ids), KEPT] int32, likeliest first
    top_logprobs: Tensor  # [len(ids), KEPT] FP16, natural log, at temperature 1


@dataclass(frozen=True)
class Written:
    """Text that the target is to write for the prompts: decoded with `sampling`, `length` tokens at most."""

    name: str
    prompts: tuple[tuple[int, ...], ...]
    sampling: Sampling
    length: int


@dataclass(frozen=True)
class Given:
    """Text that exists: prompts and their continuations, to be run through the target."""

    name: str
    texts: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]


def shards(job: Written | Given, model: Transformer, folder: Path) -> Iterator[Path]:
    """Make the job's shards that are not in `folder` yet; yields the path of each, made now or before."""
    parts = job.prompts if isinstance(job, Written) else job.texts
    for number, start in enumerate(range(0, len(parts), BATCH)):
        span = slice(start, start + BATCH)
        path = folder / f"{job.name}-{number:04}-{_digest(job, span)}.safetensors"
        if not path.exists():
            if isinstance(job, Written):
                texts = write(model, job.prompts[span], job.sampling, job.length, seed=start)
            else:
                texts = force(model, job.texts[span])
            save_shard(path, texts)
        yield path


def shard_count(job: Written | Given) -> int:
    return -(-len(job.prompts if isinstance(job, Written) else job.texts) // BATCH)


def _digest(job: Written | Given, span: slice) -> str:
    """Of what a shard is made from: a shard of another job is never taken for it."""
    if isinstance(job, Written):
        made_from = repr((job.prompts[span], job.sampling, job.length))
    else:
        made_from = repr(job.texts[span])
    return hashlib.sha256(made_from.encode()).hexdigest()[:8]


def write(
    model: Transformer, prompts: Sequence[tuple[int, ...]], sampling: Sampling, length: int, seed: int
) -> list[TargetText]:
    """Continuations that the target decodes in one batch, with its laws; row i draws from seed + i."""
    requests = [Request(str(i), prompt, length, sampling, seed + i) for i, prompt in enumerate(prompts)]
    ids: list[list[int]] = [[] for _ in prompts]
    laws: list[list[tuple[Tensor, Tensor]]] = [[] for _ in prompts]
    for step in decode(model, requests, FP32, prefill="mixed", keep_top=1):
        rows = [int(record.request) for record in step.records]
        kept = kept_law(torch.stack([step.logits[record.request] for record in step.records]))
        for at, (row, record) in enumerate(zip(rows, step.records, strict=True)):
            if isinstance(record, Failure):
                raise LabError(record.error, "Use another target.")
            ids[row].append(record.token)
            laws[row].append((kept[0][at], kept[1][at]))
    return [
        TargetText(
            prompt,
            tuple(ids[row]),
            torch.stack([each[0] for each in laws[row]]),
            torch.stack([each[1] for each in laws[row]]),
        )
        for row, prompt in enumerate(prompts)
    ]


def force(model: Transformer, texts: Sequence[tuple[tuple[int, ...], tuple[int, ...]]]) -> list[TargetText]:
    """The target's laws along continuations that exist."""
    made: list[TargetText] = []
    for group in (texts[at : at + FORCED] for at in range(0, len(texts), FORCED)):
        rows = [[*prompt, *ids[:-1]] for prompt, ids in group]
        cache = model.new_cache(len(rows), max(map(len, rows)), FP32)
        logits = model.forward(rows, cache, FP32, every_position=True)
        for (prompt, ids), part in zip(group, logits.split([len(row) for row in rows]), strict=True):
            made.append(TargetText(prompt, ids, *kept_law(part[-len(ids) :])))
    return made


def kept_law(logits: Tensor) -> tuple[Tensor, Tensor]:
    """Ids and log-probabilities [rows, KEPT] of the likeliest tokens of logits [rows, vocab]."""
    values, ids = top(logits, KEPT)
    logprobs = values - logits.logsumexp(-1, keepdim=True)
    return ids.to(torch.int32).cpu(), logprobs.to(torch.float16).cpu()


def save_shard(path: Path, texts: Sequence[TargetText]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    flat = {
        "prompts": torch.tensor([token for text in texts for token in text.prompt], dtype=torch.int32),
        "prompt_lengths": torch.tensor([len(text.prompt) for text in texts], dtype=torch.int32),
        "ids": torch.tensor([token for text in texts for token in text.ids], dtype=torch.int32),
        "lengths": torch.tensor([len(text.ids) for text in texts], dtype=torch.int32),
        "top_ids": torch.cat([text.top_ids for text in texts]),
        "top_logprobs": torch.cat([text.top_logprobs for text in texts]),
    }
    beside = path.with_name(f"{path.name}.{os.getpid()}")
    save_file(flat, beside)
    beside.rename(path)


def load_shard(path: Path) -> list[TargetText]:
    flat = load_file(path)
    lengths, prompt_lengths = flat["lengths"].tolist(), flat["prompt_lengths"].tolist()
    columns = (
        flat["prompts"].split(prompt_lengths),
        flat["ids"].split(lengths),
        flat["top_ids"].split(lengths),
        flat["top_logprobs"].split(lengths),
    )
    return [
        TargetText(tuple(prompt.tolist()), tuple(ids.tolist()), top_ids, top_logprobs)
        for prompt, ids, top_ids, top_logprobs in zip(*columns, strict=True)
    ]
