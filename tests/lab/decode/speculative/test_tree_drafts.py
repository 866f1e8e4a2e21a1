"""What is drafted as a tree: each node by the draft's own law after its path; a chain is a tree."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import torch
from torch import Tensor

from lab.decode.requests import Request
from lab.decode.sampling import GREEDY, Sampling
from lab.decode.speculative.branching import TreeDrafter
from lab.decode.speculative.drafters import Drafter, ModelDrafter, NGramDrafter, ScriptedDrafter
from lab.decode.speculative.eagle_drafter import EagleDrafter
from lab.decode.speculative.how import AnySpeculative, Speculative, SpeculativeTree
from lab.decode.speculative.medusa_drafter import MedusaDrafter
from lab.decode.speculative.policy import Fixed
from lab.decode.speculative.rounds import speculate
from lab.decode.speculative.shapes import Dynamic, Shape, chain, k_ary, parse_ranks
from lab.models.transformer import Transformer
from lab.numerics.lanes import FP32
from lab.round_records import RoundRecord
from tests.lab.decode.speculative.enumeration import check_round
from tests.lab.decode.speculative.test_exact_law import random_script
from tests.lab.decode.speculative.test_tree_caches import SHAPES, requests
from tests.lab.decode.speculative.tiny_heads import CHECKPOINT, MODEL, VOCABULARY, tree_drafters

DRAFTERS = tree_drafters()
SCRIPT = random_script(8, VOCABULARY)
CHAINS: dict[str, Any] = {name: DRAFTERS[name] for name in ("model", "reduced", "table", "early exit")} | {
    "scripted": ScriptedDrafter(SCRIPT),
    "often no idea": ScriptedDrafter(lambda text: None if sum(text) % 3 == 0 else SCRIPT(text)),
}


def rounds_of(how: AnySpeculative, asked: list[Request], model: Transformer = MODEL) -> list[RoundRecord]:
    return [record for step in speculate(model, asked, FP32, how) for record in step.rounds]


def guess(drafter: TreeDrafter, text: list[int], path: list[int]) -> Tensor:
    """The draft's probabilities [vocab] after `path`, by passes over this one path alone."""
    logits, ids = _logits(drafter, text, path)
    return torch.zeros(VOCABULARY).index_copy_(0, ids, logits.softmax(0))


def _logits(drafter: TreeDrafter, text: list[int], path: list[int]) -> tuple[Tensor, Tensor]:
    if isinstance(drafter, NGramDrafter):
        return drafter.table.logits([*text, *path]), drafter.table.vocabulary
    if isinstance(drafter, ModelDrafter):
        tokens = [*text, *path]
        if drafter.reduced is not None:
            tokens = drafter.reduced.encode(tokens)
        logits = drafter.model.forward([tokens], drafter.model.new_cache(1, len(tokens), FP32), FP32)[0]
        if drafter.reduced is None:
            return logits, torch.arange(VOCABULARY)
        return logits[: drafter.reduced.size], drafter.reduced.vocabulary
    cache = MODEL.new_cache(1, len(text), FP32, drafter.taps)
    MODEL.forward([text[:-1]], cache, FP32)
    features = cache.features[0, : len(text) - 1]
    if isinstance(drafter, MedusaDrafter):
        return drafter.medusa.logits(features[-1:])[0, len(path)], drafter.medusa.vocabulary
    assert isinstance(drafter, EagleDrafter)
    own = drafter.eagle.new_cache(1, len(text) + len(path))
    made = drafter.eagle.forward(drafter.eagle.entering(features), [text[1:]], own, [0])
    for token in path:
        made = drafter.eagle.forward(made[-1:], [[token]], own, [0])
    return drafter.eagle.logits(made[-1:])[0], drafter.eagle.vocabulary


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("drafter", [name for name in DRAFTERS if "+" not in name])
def test_every_node_is_the_drafts_own_guess_after_its_path(drafter: str, shape: str) -> None:
    """Confidences are those of passes over each path alone; siblings are the likeliest, in order."""
    asked = {request.id: request for request in requests(2, Sampling(0.9), length=4)}
    own = DRAFTERS[drafter]
    texts: dict[str, list[int]] = {name: list(request.prompt) for name, request in asked.items()}
    nodes = 0
    for step in speculate(MODEL, list(asked.values()), FP32, SpeculativeTree(own, SHAPES[shape])):
        for record in step.rounds:
            check_round(record)
            words: dict[int, list[int]] = {-1: []}
            laws: dict[int, Tensor] = {}
            for node, (each, parent) in enumerate(zip(record.drafted, record.tree, strict=True)):
                if parent not in laws:
                    laws[parent] = guess(own, texts[record.request], words[parent])
                words[node] = [*words[parent], each.token]
                assert each.confidence == pytest.approx(float(laws[parent][each.token]), abs=1e-6)
                nodes += 1
            for parent, p in laws.items():
                children = [
                    each.token
                    for each, above in zip(record.drafted, record.tree, strict=True)
                    if above == parent
                ]
                assert children == sorted(children, key=lambda token: -float(p[token]))
                assert float(p[children].min()) >= float(p.topk(len(children)).values[-1]) - 1e-6
        for token in step.records:
            texts[token.request].append(token.token)  # type: ignore[union-attr]
    assert nodes > 15


def bare(record: RoundRecord) -> RoundRecord:
    """Without times, the length of the draft's cache (a tree's is forgotten) and what chains do not tell."""
    drafted = tuple(replace(each, seconds=0.0, confidence=None) for each in record.drafted)
    return replace(
        record, drafted=drafted, draft_cache=None, draft_seconds=0.0, verify_seconds=0.0, seconds=0.0
    )


@pytest.mark.parametrize("sampling", [GREEDY, Sampling(0.9), Sampling(1.1, top_k=4, frequency_penalty=0.5)])
@pytest.mark.parametrize("name", CHAINS)
def test_a_chain_shape_gives_the_rounds_of_a_chain(name: str, sampling: Sampling) -> None:
    """The same draws, tests, endings and reasons to stop, with ends of text and a batch that shrinks."""
    checkpoint = replace(CHECKPOINT, config=replace(CHECKPOINT.config, eos_ids=(5,)))
    model, asked = Transformer(checkpoint), requests(3, sampling)
    for gamma in (1, 4):
        tree = SpeculativeTree(CHAINS[name], chain(gamma), siblings="drawn")
        grown = [bare(record) for record in rounds_of(tree, asked, model)]
        assert grown == [bare(r) for r in rounds_of(Speculative(CHAINS[name], Fixed(gamma)), asked, model)]
        assert grown


@pytest.mark.parametrize(
    "shape", [k_ary((2, 1, 1)), k_ary((3, 2, 2)), parse_ranks("0 0,0 0,0,0 1 1,0"), Dynamic(3, 3, 30)]
)
@pytest.mark.parametrize("name", ["model", "eagle", "medusa"])
def test_a_tree_emits_no_fewer_tokens_than_its_own_chain(name: str, shape: Shape) -> None:
    """At temperature 0 its first branch is the chain, so every round goes at least as far as the chain's."""
    asked = requests(2, GREEDY, length=16)
    tree, single = (
        rounds_of(SpeculativeTree(DRAFTERS[name], each), asked) for each in (shape, chain(shape.depth))
    )
    for request in asked:
        ends = [[r.start + len(r.emitted) for r in run if r.request == request.id] for run in (tree, single)]
        assert len(ends[0]) <= len(ends[1])
        assert all(mine >= other for mine, other in zip(*ends, strict=False))
    if name == "model":
        assert len(tree) < len(single)


def test_a_child_of_an_end_of_text_is_never_drafted() -> None:
    checkpoint = replace(CHECKPOINT, config=replace(CHECKPOINT.config, eos_ids=(5, 2)))
    how = SpeculativeTree(DRAFTERS["model"], k_ary((3, 3, 2)))
    ends = 0
    for record in rounds_of(how, requests(3, Sampling(1.0), 20), Transformer(checkpoint)):
        for parent in record.tree:
            assert parent < 0 or record.drafted[parent].token not in (5, 2)
        ends += sum(each.token in (5, 2) for each in record.drafted)
    assert ends


@pytest.mark.parametrize("how", ["top", "drawn"])
def test_a_draft_need_not_be_asked_for_what_has_no_room(how: Any) -> None:
    """Trees are no deeper than the tokens that may still follow, less the one that every round adds."""
    asked = [replace(request, max_new_tokens=n) for n, request in enumerate(requests(4, Sampling(0.7)), 1)]
    for record in rounds_of(SpeculativeTree(DRAFTERS["model"], k_ary((2, 2, 2)), siblings=how), asked):
        request = next(each for each in asked if each.id == record.request)
        assert max(record.depths, default=0) <= request.max_new_tokens - record.start - 1
        assert record.stopped == ("room" if request.max_new_tokens - record.start - 1 < 3 else "gamma")


def test_drawn_again_is_one_node() -> None:
    """A draft that is nearly certain draws one token thrice: one node, one test."""
    sure = torch.full((VOCABULARY,), 1e-9, dtype=torch.float64)
    sure[3] = 1 - 7e-9
    drafter: Drafter = ScriptedDrafter(lambda text: sure)
    how = SpeculativeTree(drafter, k_ary((3, 2)), siblings="drawn")  # type: ignore[arg-type]
    records = rounds_of(how, requests(1, Sampling(0.9), 12))
    assert {(len(record.drafted), record.tree) for record in records[:-2]} == {(2, (-1, 0))}
