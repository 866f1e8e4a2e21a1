"""Features of the target along its own text: the hidden states that Medusa and EAGLE heads read.

Beside each shard of target text lies one file a tap with the features of every position, prompts included.
A tap is numbered as in `Transformer.new_cache`. Files are made once, written beside their place and renamed
into it; their names carry a digest of the target's weights, so that another model's are never taken.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from lab.models.heads import fingerprint
from lab.models.transformer import Transformer
from lab.numerics.lanes import FP32
from lab.training.target_text import FORCED, TargetText, load_shard

FEATURES = "features"


def feature_paths(shard: Path, target: Transformer, taps: Sequence[int]) -> list[Path]:
    """Where the features of a shard are, a path a tap."""
    digest = hashlib.sha256(fingerprint(target).encode()).hexdigest()[:8]
    return [shard.with_name(f"{shard.stem}-tap{tap}-{digest}.safetensors") for tap in taps]


def make_features(shards: Sequence[Path], target: Transformer, taps: Sequence[int]) -> Iterator[Path]:
    """Make the files that are missing, all of a shard in one go; yields each shard when it has its own."""
    for shard in shards:
        paths = feature_paths(shard, target, taps)
        missing = [(tap, path) for tap, path in zip(taps, paths, strict=True) if not path.exists()]
        if missing:
            texts = [(text.prompt, text.ids) for text in load_shard(shard)]
            made = torch.cat(features(target, texts, [tap for tap, _ in missing])).to(torch.bfloat16)
            for (_, path), part in zip(missing, made.chunk(len(missing), dim=-1), strict=True):
                beside = path.with_name(f"{path.name}.{os.getpid()}")
                save_file({FEATURES: part.contiguous()}, beside)
                beside.rename(path)
        yield shard


def load_features(
    shard: Path, texts: Sequence[TargetText], target: Transformer, taps: Sequence[int]
) -> list[Tensor]:
    """Of each text of the shard, BF16 [prompt + continuation − 1, taps · hidden]."""
    columns = [load_file(path)[FEATURES] for path in feature_paths(shard, target, taps)]
    joined = columns[0] if len(columns) == 1 else torch.cat(columns, -1)
    return list(joined.split([len(text.prompt) + len(text.ids) - 1 for text in texts]))


def features(
    target: Transformer, texts: Sequence[tuple[Sequence[int], Sequence[int]]], taps: Sequence[int]
) -> list[Tensor]:
    """For each prompt and continuation, FP32 [prompt + continuation − 1, taps · hidden] on the CPU: those of
    all tokens but the last."""
    made: list[Tensor] = []
    for group in (texts[at : at + FORCED] for at in range(0, len(texts), FORCED)):
        rows = [[*prompt, *ids[:-1]] for prompt, ids in group]
        cache = target.new_cache(len(rows), max(map(len, rows)), FP32, taps)
        target.forward(rows, cache, FP32)
        made += [cache.features[row, : len(tokens)].cpu() for row, tokens in enumerate(rows)]
    return made
