"""A model ready to decode text: the transformer on a device, and its tokenizer."""

from __future__ import annotations

from dataclasses import dataclass

from lab.device import choose_device
from lab.models.fetch import Progress
from lab.models.tokenizer import Tokenizer
from lab.models.transformer import Transformer
from lab.models.zoo import DEFAULT_MODEL, load_checkpoint


@dataclass(frozen=True)
class LoadedModel:
    transformer: Transformer
    tokenizer: Tokenizer
    source: str

    @property
    def name(self) -> str:
        return self.transformer.name


def load_model(
    name: str = DEFAULT_MODEL, device: str = "auto", progress: Progress | None = None, download: bool = True
) -> LoadedModel:
    """Load by zoo name, path or hub id (`zoo.load_checkpoint`) onto `device`. Raises LabError."""
    place = choose_device(device)
    checkpoint = load_checkpoint(name, progress, download)
    return LoadedModel(Transformer(checkpoint, place), checkpoint.tokenizer, checkpoint.source)
