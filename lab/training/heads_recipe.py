"""The shipped heads as plain values: how many, how long they learn; and how to make them.

They learn from the text with laws that drafts learn from (recipe.py) and the target's features along it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from torch import Tensor

from lab.models.loaded import LoadedModel
from lab.training.distil import DistilSettings
from lab.training.eagle import EagleSettings, eagle_loss, start_eagle
from lab.training.features import load_features
from lab.training.lessons import FeatureLesson, feature_lessons
from lab.training.loop import Training
from lab.training.muon import muon
from lab.training.recipe import folder_of
from lab.training.target_text import load_shard
from lab.training.trainable_eagle import TrainableEagle
from lab.training.trainable_medusa import TrainableMedusa, medusa_loss

HEADS = 4  # of Medusa
MEDUSA = DistilSettings(steps=1000, rows=8, rate=4e-3, warm_up=50)

FFN = 1024  # of EAGLE's layer
EAGLE = EagleSettings(steps=1300, rows=12, rate=3e-3, warm_up=10)


def last_tap(target: LoadedModel) -> tuple[int, ...]:
    """What the target's head reads: the feature of Medusa and of EAGLE."""
    return (target.transformer.config.layers,)


def medusa_training(
    target: LoadedModel, shards: Sequence[Path], vocabulary: Tensor, heads: int, settings: DistilSettings
) -> tuple[Training[FeatureLesson], TrainableMedusa]:
    """A training of Medusa heads on shards whose features are made, and the heads."""
    model = target.transformer
    long = [lesson for lesson in _lessons(target, shards, vocabulary) if len(lesson.top_ids) > heads]
    learning = TrainableMedusa(heads, model.head.stored[vocabulary.to(model.device)]).to(model.device)
    loss = medusa_loss(learning, settings)
    return Training(learning, long, loss, settings, folder_of(target), muon), learning


def eagle_training(
    target: LoadedModel, shards: Sequence[Path], vocabulary: Tensor, ffn: int, settings: EagleSettings
) -> tuple[Training[FeatureLesson], TrainableEagle]:
    """A training of an EAGLE draft on shards whose features are made, and the draft."""
    model = target.transformer
    lessons = list(_lessons(target, shards, vocabulary))
    learning = start_eagle(model, vocabulary, 1, ffn, lessons, settings.seed).to(model.device)
    loss = eagle_loss(learning, settings)
    return Training(learning, lessons, loss, settings, folder_of(target), muon), learning


def _lessons(target: LoadedModel, shards: Sequence[Path], vocabulary: Tensor) -> Iterator[FeatureLesson]:
    for shard in shards:
        texts = load_shard(shard)
        seen = load_features(shard, texts, target.transformer, last_tap(target))
        yield from feature_lessons(texts, seen, vocabulary, target.transformer.config.vocab_size)
