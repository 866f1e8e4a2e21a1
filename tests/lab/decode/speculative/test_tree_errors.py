"""What is no tree, no shape, or no way to verify one is refused, with the value and a remedy; NaN logits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
import torch
from torch import Tensor

from lab.decode.requests import Request
from lab.decode.sampling import Sampling
from lab.decode.speculative.branching import Several
from lab.decode.speculative.drafters import LookupDrafter, ModelDrafter, ScriptedDrafter
from lab.decode.speculative.how import SpeculativeTree
from lab.decode.speculative.making import make_drafter, make_tree_drafter
from lab.decode.speculative.rounds import speculate
from lab.decode.speculative.settings import SpeculateSettings
from lab.decode.speculative.shapes import Dynamic, Static, k_ary, parse_ranks, parse_widths
from lab.decode.speculative.staged import StagedDrafter
from lab.decode.speculative.tree import Tree
from lab.decode.speculative.walks import Match, MultiStep, Rule, Typical
from lab.errors import LabError
from lab.models.loaded import LoadedModel
from lab.models.tiny import tiny_checkpoint
from lab.models.transformer import Transformer
from lab.numerics.lanes import FP32
from lab.records import Failure, TokenRecord
from tests.lab.decode.speculative.tiny_heads import MODEL, tree_drafters
from tests.lab.decode.speculative.toy import ToyModel, random_logits, toy_draft

HOW = SpeculativeTree(toy_draft(random_logits(0, 3), 3), k_ary((2,)))
SETTINGS = SpeculateSettings(shape="k-ary")


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Tree((1, 2), (1, 0)), "circle: 0 → 1 → 0"),
        (lambda: Tree((1,), (0,)), "circle: 0 → 0"),
        (lambda: Tree((1, 2, 3), (-1, 2, 1)), "circle: 1 → 2 → 1"),
        (lambda: Tree((1,), (1,)), "Node 0 has parent 1, which is no node"),
        (lambda: Tree((1,), (-2,)), "Node 0 has parent -2"),
        (lambda: Tree((1, 2), (-1,)), "2 tokens and 1 parents"),
        (lambda: Tree((4, 5, 5), (-1, -1, -1)), "Nodes 1 and 2 are siblings with the same token 5"),
        (lambda: Tree((1, 2, 3), (-1, 0, -1)), "Node 2 has depth 1 and stands after one of depth 2"),
        (lambda: Tree((1, 2), (1, -1)), "Node 1 has depth 1 and stands after one of depth 2"),
        (lambda: Tree(tuple(range(65)), tuple(range(-1, 64))), "65 nodes is too large"),
        (lambda: k_ary((3, 0)), r"Widths \(3, 0\)"),
        (lambda: k_ary((-1,)), r"Widths \(-1,\)"),
        (lambda: k_ary((4, 4, 4)), "A tree of widths 4, 4, 4 has more than 64"),
        (lambda: k_ary((10**9, 10**9)), "has more than 64 nodes"),
        (lambda: Dynamic(width=0), "width = 0"),
        (lambda: Dynamic(width=64, depth=64), "grows 258112 nodes"),
        (lambda: parse_widths(""), "'' cannot be read"),
        (lambda: parse_widths("3,,2"), "'3,,2' cannot be read"),
        (lambda: parse_ranks(" "), "cannot be read"),
        (lambda: Dynamic(depth=65), r"depth \(γ\) = 65"),
        (lambda: Dynamic(nodes=65), "nodes = 65"),
        (lambda: Dynamic(nodes=-1), "nodes = -1"),
        (lambda: Static(((),)), r"Ranks \(\) name no node"),
        (lambda: parse_ranks("0 -1"), r"Ranks \(-1,\) name no node"),
        (lambda: parse_ranks("0 0"), r"ranks \(0,\) is named twice"),
        (lambda: parse_ranks("0 1,0"), r"ranks \(1, 0\) has no parent"),
        (lambda: parse_ranks("0,0 0"), r"ranks \(0, 0\) has no parent"),
        (lambda: parse_ranks("1 0"), r"ranks \(1,\) lacks an elder sibling"),
        (lambda: parse_ranks("0 0,x"), "'0 0,x' cannot be read"),
        (lambda: parse_ranks("0,"), "'0,' cannot be read"),
        (lambda: parse_ranks(" ".join(map(str, range(65)))), "A tree of 65 nodes"),
        (lambda: Typical(epsilon=0.0), "epsilon = 0.0"),
        (lambda: Typical(delta=1.5), "delta = 1.5"),
        (lambda: Typical(epsilon=float("nan")), "epsilon = nan"),
        (lambda: replace(HOW, siblings="best"), "no way 'best' to choose siblings"),
        (lambda: replace(HOW, keep_laws=-1), "keep_laws = -1"),
        (lambda: Several(()), "A tree of no draft"),
        (lambda: replace(SETTINGS, shape="bush").check(), "no shape 'bush'"),
        (lambda: replace(SETTINGS, rule="luck").check(), "no rule 'luck'"),
        (lambda: replace(SETTINGS, siblings="best").check(), "no way 'best'"),
        (lambda: replace(SETTINGS, policy="adaptive").check(), "no policy such as 'adaptive'"),
        (
            lambda: replace(SETTINGS, shape="chain", drafter="eagle", policy="confident").check(),
            "'confident'",
        ),
        (lambda: replace(SETTINGS, widths=(9, 9)).check(), "A tree of widths 9, 9"),
        (lambda: replace(SETTINGS, shape="ranks", ranks="1").check(), "lacks an elder sibling"),
        (lambda: replace(SETTINGS, shape="dynamic", gamma=0).check(), r"depth \(γ\) = 0"),
    ],
)
def test_what_is_no_tree_is_refused_when_it_is_made(make: Callable[[], object], says: str) -> None:
    with pytest.raises(LabError, match=says) as caught:
        make()
    assert caught.value.remedy


@pytest.mark.parametrize("how", ["drawn", "drawn-without"])
def test_a_dynamic_tree_cannot_choose_among_drawn_siblings(how: str) -> None:
    tree = SpeculativeTree(HOW.drafter, Dynamic(2, 2, 3), siblings=how)  # type: ignore[arg-type]
    warm, greedy = Request("a", (0,), 4, Sampling(0.5)), Request("a", (0,), 4)
    with pytest.raises(LabError, match=f"'{how}' siblings are drawn at random"):
        next(speculate(ToyModel(random_logits(1, 3), 3), [warm], FP32, tree))  # type: ignore[arg-type]
    assert next(speculate(ToyModel(random_logits(1, 3), 3), [greedy], FP32, tree))  # type: ignore[arg-type]


def test_forced_tokens_cannot_be_speculated() -> None:
    with pytest.raises(LabError, match="Request 'a' follows given tokens"):
        next(speculate(ToyModel(random_logits(1, 3), 3), [Request("a", (0,), 2, follow=(1, 2))], FP32, HOW))  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def target() -> LoadedModel:
    checkpoint = tiny_checkpoint(0)
    return LoadedModel(Transformer(checkpoint), checkpoint.tokenizer, "random")


@pytest.mark.parametrize("name", ["lookup", "uniform"])
def test_a_drafter_of_chains_drafts_no_trees(target: LoadedModel, name: str) -> None:
    with pytest.raises(LabError, match=f"'{name}' drafts chains alone") as caught:
        make_tree_drafter(name, target)
    assert "medusa" in caught.value.remedy
    with pytest.raises(LabError, match=f"'{name}' drafts chains alone"):
        make_tree_drafter(f"early-exit + {name}", target)


@pytest.mark.parametrize("name", ["medusa", "eagle", " "])
def test_heads_draft_no_chains(target: LoadedModel, name: str) -> None:
    with pytest.raises(LabError, match=r"drafts trees alone|has no name"):
        make_drafter(name, target)


@pytest.mark.parametrize(("name", "says"), [("early-exit:9", "layer 9"), ("early-exit:x", "names no layer")])
def test_an_exit_that_there_is_not(target: LoadedModel, name: str, says: str) -> None:
    with pytest.raises(LabError, match=says):
        make_tree_drafter(name, target)


def test_a_tree_drafter_of_several_is_made_of_its_parts(target: LoadedModel) -> None:
    made = make_tree_drafter("early-exit:1 + early-exit:2", target)
    assert isinstance(made, Several)
    assert [drafter.name for drafter in made.drafters] == ["early-exit 1", "early-exit 2"]


def test_features_of_a_layer_that_there_is_not() -> None:
    with pytest.raises(LabError, match="after layer 3"):
        MODEL.new_cache(1, 8, FP32, taps=(3,))


def test_an_inner_drafter_that_keeps_a_cache() -> None:
    """Nobody would cut it."""
    model = ModelDrafter("own", MODEL)
    assert StagedDrafter(model, LookupDrafter()).start(1, 32)
    with pytest.raises(LabError, match="'own' keeps a cache"):
        StagedDrafter(model, model).start(1, 32)


def test_a_draft_with_tokens_that_the_target_lacks() -> None:
    def beyond(text: object) -> Tensor:
        return torch.tensor([0.0, 0.0, 0.25, 0.75], dtype=torch.float64)

    how = replace(HOW, drafter=ScriptedDrafter(beyond, name="mine"))
    with pytest.raises(LabError, match="Drafter 'mine' has token 3; the vocabulary of toy ends at 2"):
        list(speculate(ToyModel(random_logits(1, 3), 3), [Request("a", (0,), 4)], FP32, how))  # type: ignore[arg-type]


V = 4


def saying(token: int, nan_after: tuple[int, ...] = ()) -> ToyModel:
    """A toy that is certain of one token; after a text that ends with `nan_after`, its logits are NaN."""

    def logits(text: tuple[int, ...]) -> Tensor:
        made = 9.0 * torch.nn.functional.one_hot(torch.tensor(token), V).float()
        return made * float("nan") if nan_after and text[-len(nan_after) :] == nan_after else made

    return ToyModel(logits, V)


@pytest.mark.parametrize("rule", [MultiStep(), Match()], ids=lambda rule: rule.name)
@pytest.mark.parametrize("sampling", [Sampling(), Sampling(0.5)], ids=["greedy", "warm"])
def test_nan_at_a_node_that_is_not_walked_is_never_looked_at(rule: Rule, sampling: Sampling) -> None:
    """The target says 1; what would come after 2 is NaN, and 2 is in every tree."""
    draft = toy_draft(lambda text: torch.tensor([0.0, 2.0, 3.0, 1.0]), V)
    how = SpeculativeTree(draft, k_ary((3, 2)), rule)
    request = Request("a", (0,), 6, replace(sampling, banned=(2,) if sampling.temperature else ()))
    steps = list(speculate(saying(1, nan_after=(2,)), [request], FP32, how))  # type: ignore[arg-type]
    if not sampling.temperature:
        assert [r.token for step in steps for r in step.records] == [1] * 6  # type: ignore[union-attr]
    assert not [r for step in steps for r in step.records if isinstance(r, Failure)]


@pytest.mark.parametrize("rule", [MultiStep(), Match(), Typical()], ids=lambda rule: rule.name)
def test_nan_on_the_path_ends_its_request_alone(rule: Rule) -> None:
    """Of two rows with trees, the one that reaches 1 1 1 fails there, at the token after it."""
    model = saying(1, nan_after=(1, 1, 1))
    healthy = saying(3)

    def logits(text: tuple[int, ...]) -> Tensor:
        return healthy.logits(text) if text[0] == 3 else model.logits(text)

    draft = toy_draft(lambda text: torch.tensor([0.0, 3.0, 2.0, 3.0]), V)
    asked = [Request("bad", (0,), 8), Request("good", (3,), 8)]
    how = SpeculativeTree(draft, k_ary((3, 2, 1)), rule)
    records = [r for step in speculate(ToyModel(logits, V), asked, FP32, how) for r in step.records]  # type: ignore[arg-type]
    (failure,) = [r for r in records if isinstance(r, Failure)]
    assert (failure.request, "NaN" in failure.error) == ("bad", True)
    made = {
        name: [r.token for r in records if isinstance(r, TokenRecord) and r.request == name]
        for name in ("bad", "good")
    }
    assert made["good"] == [3] * 8
    assert made["bad"] == [1] * failure.index
    assert failure.index <= 3
    if rule.exact:  # the typical walk looks at the whole tree before it emits
        assert failure.index == 3


@pytest.mark.parametrize("name", ["model", "medusa", "eagle"])
def test_a_drafters_nan_is_its_own_fault(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    drafter = tree_drafters()[name]
    if name == "model":
        drafter = toy_draft(lambda text: torch.full((8,), float("nan")), 8)
    else:
        shape = (1, 3, 7) if name == "medusa" else (1, 7)
        heads = f"lab.models.{name}.{name.title()}.logits"
        monkeypatch.setattr(heads, lambda self, features: torch.full(shape, float("nan")))
    with pytest.raises(LabError, match=f"Drafter '{drafter.name}' gives NaN"):
        list(speculate(MODEL, [Request("a", (1,), 4)], FP32, SpeculativeTree(drafter, k_ary((2, 2)))))
