"""Trees of many sizes on the same prompts: what is recorded, and that passes are timed over real trees."""

from __future__ import annotations

from dataclasses import replace
from itertools import accumulate
from operator import mul
from typing import Any

import pytest

from lab.decode.prompt_set import built_in
from lab.decode.speculative.pass_times import full_tree, tree_passes
from lab.decode.speculative.tree_sizes import FORMS, TIMED_NODES, TreeSizeSettings, start_tree_sizes
from lab.errors import LabError
from lab.models.loaded import LoadedModel
from lab.models.tiny import byte_tokenizer
from lab.models.transformer import Transformer
from lab.numerics.lanes import FP32
from lab.round_records import FamilyRecord, PassTimeRecord

SMALL = TreeSizeSettings(built_in()[:2], 10, drafter="early-exit:1", passes=2, context=20)


def test_every_form_is_what_its_name_says() -> None:
    for name in FORMS:
        form, _, size = name.partition(" ")
        shape = SMALL.of(name).make_shape()
        if form == "dynamic":
            assert shape.nodes == int(size)
        else:
            widths = list(map(int, size.split("·"))) if form == "k-ary" else [1] * int(size)
            assert (shape.depth, shape.nodes) == (len(widths), sum(accumulate(widths, mul)))
    assert max(SMALL.of(name).make_shape().nodes for name in FORMS) == 64
    with pytest.raises(LabError, match="no tree 'oak'"):
        SMALL.of("oak")


def test_a_full_tree_by_hand() -> None:
    assert full_tree(7, 6).parents == (-1, 0, 0, 1, 1, 2, 2)
    assert full_tree(7, 6).depths == (0, 1, 1, 2, 2, 2, 2)
    assert full_tree(7, 0).parents == (-1,)


def test_a_run_records_every_tree_on_every_prompt_and_the_times(tiny: Transformer) -> None:
    """Greedy in FP32: every tree of every form writes plain decoding's text."""
    loaded = LoadedModel(tiny, byte_tokenizer(), "random")
    methods = ("chain 4", "k-ary 3·2·1", "dynamic 12")
    info, made = start_tree_sizes(replace(SMALL, methods=methods), lambda: loaded)
    records = list(made)
    assert info.kind == "tree-sizes"
    runs = [record for record in records if isinstance(record, FamilyRecord)]
    assert [record.method for record in runs] == [
        each for method in ("serial", *methods) for each in (method, method)
    ]
    assert all(record.same_as_plain for record in runs)
    assert all(record.passes < 9 for record in runs if record.method == "dynamic 12")
    times = [record for record in records if isinstance(record, PassTimeRecord)]
    assert [record.positions for record in times] == [nodes + 1 for nodes in TIMED_NODES]
    assert all(record.low <= record.seconds <= record.high for record in times)


def test_timed_passes_hold_a_tree_and_leave_the_text(
    tiny: Transformer, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[int, Any]] = []
    forward = Transformer.forward

    def noted(self: Transformer, tokens: Any, cache: Any, lane: Any, *rest: Any) -> Any:
        if rest:
            seen.append((cache.lengths[0], rest[2]))
        return forward(self, tokens, cache, lane, *rest)

    monkeypatch.setattr(Transformer, "forward", noted)
    kinds = tree_passes(tiny, FP32, [1, 2, 3], 8, (0, 1, 2, 64))
    for kind in [*kinds, *kinds]:
        assert kind.run() > 0
    assert seen == [(8, None), (8, None), (8, [full_tree(8, 2)]), (8, [full_tree(8, 64)])] * 2
