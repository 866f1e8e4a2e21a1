"""An EAGLE draft computes what its training computed, alone and in trees, and says what does not fit."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from lab.errors import LabError
from lab.models.branches import Branches
from lab.models.eagle import EAGLE, Eagle, eagle_config, load_eagle
from lab.models.heads import save_heads
from lab.models.loaded import LoadedModel
from lab.models.tiny import tiny_checkpoint
from lab.models.transformer import Transformer
from lab.training.trainable_eagle import TrainableEagle

FFN, HIDDEN, POSITIONS, STEPS = 40, 64, 10, 4
VOCABULARY = torch.arange(20, 90, 2)


@pytest.fixture(scope="module")
def target() -> LoadedModel:
    checkpoint = tiny_checkpoint(2)
    return LoadedModel(Transformer(checkpoint), checkpoint.tokenizer, checkpoint.source)


def _trainable(target: LoadedModel, taps: int) -> TrainableEagle:
    torch.manual_seed(7)
    model = target.transformer
    made = TrainableEagle(
        eagle_config(model.config, FFN), taps, model.embedding, model.head.stored[VOCABULARY]
    )
    with torch.no_grad():
        for weight in made.parameters():
            noise = torch.randn_like(weight)
            values = 1 + 0.3 * noise if weight.dim() == 1 else noise / weight.shape[1] ** 0.5
            weight.copy_(values.to(torch.bfloat16))  # as the file will have it
    return made


@pytest.fixture(scope="module", params=[(2,), (1, 2)])
def pair(
    request: pytest.FixtureRequest, target: LoadedModel, tmp_path_factory: pytest.TempPathFactory
) -> tuple[TrainableEagle, Eagle]:
    """The trainable one, and the one that decodes, loaded from the other's file."""
    trained = _trainable(target, len(request.param))
    path = tmp_path_factory.mktemp("eagle") / "small.safetensors"
    save_heads(path, EAGLE, trained.state_dict(), VOCABULARY, request.param, target, {"ffn": FFN})
    return trained, load_eagle(str(path), target)


def _text(taps: int) -> tuple[torch.Tensor, torch.Tensor]:
    torch.manual_seed(11)
    return torch.randint(0, 259, (POSITIONS,)), torch.randn(POSITIONS, taps * HIDDEN)


@torch.no_grad()
def test_a_text_gives_the_trainable_modules_features_and_logits(
    pair: tuple[TrainableEagle, Eagle],
) -> None:
    trained, eagle = pair
    tokens, features = _text(len(eagle.taps))
    (expected,) = trained.unroll(tokens[None], features[None], 1)
    cache = eagle.new_cache(2, POSITIONS)
    made = eagle.forward(eagle.entering(features), [tokens.tolist()], cache, [1])
    torch.testing.assert_close(made, expected[0], atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(eagle.logits(made), trained.logits(expected[0]), atol=1e-5, rtol=1e-5)
    assert cache.lengths == [0, POSITIONS]


@torch.no_grad()
def test_guesses_fed_back_are_the_unrolled_steps(pair: tuple[TrainableEagle, Eagle]) -> None:
    trained, eagle = pair
    tokens, features = _text(len(eagle.taps))
    steps = trained.unroll(tokens[None], features[None], STEPS)
    for root in (0, 3, POSITIONS - STEPS):
        cache = eagle.new_cache(1, POSITIONS)
        true = eagle.entering(features[: root + 1])
        made = eagle.forward(true, [tokens[: root + 1].tolist()], cache, [0])[-1:]
        for step, expected in enumerate(steps):
            torch.testing.assert_close(made[0], expected[0, root + step], atol=1e-5, rtol=1e-5)
            if step < STEPS - 1:
                made = eagle.forward(made, [[int(tokens[root + step + 1])]], cache, [0])


@torch.no_grad()
def test_a_tree_is_each_of_its_paths(pair: tuple[TrainableEagle, Eagle]) -> None:
    """Bit for bit in predicted features: two levels at once, of two rows with trees of their own."""
    _, eagle = pair
    tokens, features = _text(len(eagle.taps))
    true = eagle.entering(features)
    trees = [(-1, -1, 0, 0, 1), (-1, 0)]
    words = [[30, 31, 32, 33, 34], [40, 41]]
    texts = [tokens[:6].tolist(), tokens[:4].tolist()]
    cache = eagle.new_cache(2, POSITIONS, spare=8)
    entering = torch.cat([true[:6], true[:4]])
    roots = eagle.forward(entering, texts, cache, [0, 1]).split([6, 4])
    level = [torch.stack([roots[0][-1]] * 2), roots[1][-1:]]
    upper = [Branches(6, trees[0][:2]), Branches(4, trees[1][:1])]
    first = eagle.forward(torch.cat(level), [words[0][:2], words[1][:1]], cache, [0, 1], upper)
    nodes = [[*first[:2]], [*first[2:]]]
    before = [nodes[row][parent] for row in range(2) for parent in trees[row][len(nodes[row]) :]]
    whole = [Branches(6, trees[0]), Branches(4, trees[1])]
    second = eagle.forward(torch.stack(before), [words[0][2:], words[1][1:]], cache, [0, 1], whole)
    nodes = [[*nodes[0], *second[:3]], [*nodes[1], *second[3:]]]
    for row, (parents, text) in enumerate(zip(trees, texts, strict=True)):
        for node in range(len(parents)):
            path = [node]
            while parents[path[0]] >= 0:
                path.insert(0, parents[path[0]])
            alone = eagle.new_cache(1, POSITIONS)
            made = eagle.forward(true[: len(text)], [text], alone, [0])[-1:]
            for each in path:
                made = eagle.forward(made, [[words[row][each]]], alone, [0])
            assert torch.equal(made[0], nodes[row][node])


def test_parameters_are_those_of_the_file(pair: tuple[TrainableEagle, Eagle]) -> None:
    trained, eagle = pair
    assert eagle.parameters == sum(weight.numel() for weight in trained.parameters())


Change = Callable[[dict[str, torch.Tensor]], object]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda tensors: tensors.pop("fuse.weight"), "fuse.weight of bad is missing"),
        (lambda tensors: tensors.update(extra=torch.zeros(2)), "extra of bad does not belong"),
        (lambda tensors: tensors["norm.weight"].fill_(torch.nan), "NaN"),
        (lambda tensors: tensors.update({"norm.weight": torch.ones(3)}), "shape"),
    ],
)
def test_tensors_that_do_not_fit_are_named(
    change: Change, message: str, target: LoadedModel, tmp_path: Path
) -> None:
    tensors = {name: weight.clone() for name, weight in _trainable(target, 1).state_dict().items()}
    change(tensors)
    path = tmp_path / "bad.safetensors"
    save_heads(path, EAGLE, tensors, VOCABULARY, (2,), target, {"ffn": FFN})
    with pytest.raises(LabError, match=message):
        load_eagle(str(path), target)


def test_another_models_draft_is_refused(target: LoadedModel, tmp_path: Path) -> None:
    path = tmp_path / "small.safetensors"
    state = _trainable(target, 1).state_dict()
    save_heads(path, EAGLE, state, VOCABULARY, (2,), target, {"ffn": FFN})
    checkpoint = tiny_checkpoint(3)
    other = LoadedModel(Transformer(checkpoint), checkpoint.tokenizer, checkpoint.source)
    with pytest.raises(LabError, match=checkpoint.name):
        load_eagle(str(path), other)
