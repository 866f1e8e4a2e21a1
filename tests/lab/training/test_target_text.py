"""Text of the target comes with the laws it was drawn from, and survives an interruption."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from lab.decode.sampling import GREEDY, Sampling
from lab.models.loaded import LoadedModel
from lab.numerics.lanes import FP32
from lab.training import target_text
from lab.training.target_text import (
    KEPT,
    Given,
    TargetText,
    Written,
    force,
    load_shard,
    save_shard,
    shard_count,
    shards,
    write,
)

Prompts = tuple[tuple[int, ...], ...]


def same(one: TargetText, other: TargetText) -> bool:
    return (
        (one.prompt, one.ids) == (other.prompt, other.ids)
        and torch.equal(one.top_ids, other.top_ids)
        and torch.equal(one.top_logprobs, other.top_logprobs)
    )


def test_laws_are_those_of_a_fresh_forward(target: LoadedModel, texts: list[TargetText]) -> None:
    text = texts[1]
    row = [*text.prompt, *text.ids[:-1]]
    model = target.transformer
    logits = model.forward([row], model.new_cache(1, len(row), FP32), FP32, every_position=True)
    logprobs = logits[-len(text.ids) :].log_softmax(-1)
    assert text.top_ids.shape == (len(text.ids), KEPT)
    gathered = logprobs.gather(1, text.top_ids.long())
    torch.testing.assert_close(text.top_logprobs.float(), gathered, atol=2e-3, rtol=1e-3)
    assert text.ids == tuple(logprobs.argmax(-1).tolist())
    # the kept ones are the likeliest: as much mass as a sort of the whole law gives
    best = logprobs.sort(-1, descending=True).values[:, :KEPT]
    torch.testing.assert_close(gathered, best)


def test_forced_and_written_laws_agree(target: LoadedModel, texts: list[TargetText]) -> None:
    again = force(target.transformer, [(text.prompt, text.ids) for text in texts])
    assert all(same(one, other) for one, other in zip(texts, again, strict=True))


def test_a_shard_is_read_back(texts: list[TargetText], tmp_path: Path) -> None:
    save_shard(tmp_path / "deep" / "a.safetensors", texts)
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["a.safetensors"]
    again = load_shard(tmp_path / "deep" / "a.safetensors")
    assert all(same(one, other) for one, other in zip(texts, again, strict=True))


def test_an_interrupted_job_goes_on_at_its_shard(
    target: LoadedModel, prompts: Prompts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(target_text, "BATCH", 2)
    job = Written("sampled", prompts, Sampling(1.0), 6)
    assert shard_count(job) == 3
    whole = list(shards(job, target.transformer, tmp_path / "whole"))
    broken = tmp_path / "broken"
    next(shards(job, target.transformer, broken))
    first = next(broken.iterdir()).stat().st_mtime_ns
    resumed = list(shards(job, target.transformer, broken))
    assert [path.name for path in whole] == [path.name for path in resumed]
    assert resumed[0].stat().st_mtime_ns == first
    for one, other in zip(whole, resumed, strict=True):
        assert one.read_bytes() == other.read_bytes()


def test_a_shard_of_another_job_is_not_taken(target: LoadedModel, prompts: Prompts, tmp_path: Path) -> None:
    jobs = [
        Written("a", prompts, GREEDY, 4),
        Written("a", prompts, GREEDY, 5),
        Written("a", prompts[1:], GREEDY, 4),
    ]
    made = {path for job in jobs for path in shards(job, target.transformer, tmp_path)}
    assert len(made) == 3
    texts = write(target.transformer, prompts, GREEDY, 4, seed=0)
    given = Given("b", tuple((text.prompt, text.ids) for text in texts))
    [path] = shards(given, target.transformer, tmp_path)
    assert all(same(one, other) for one, other in zip(texts, load_shard(path), strict=True))
