"""EAGLE: a draft that goes on from the target's features instead of starting from tokens.

One decoder layer reads, at position i, the target's feature there (what the target's head reads) and the
embedding of the token that was drawn from it, x_{i+1}; it predicts the feature at i + 1. Rows of the target's
own head make logits of that: a guess at x_{i+2}. Deeper guesses feed predicted features back.
Li et al., EAGLE (2401.15077), §3.1. With several taps the target's part is a combination of features of
several layers, as in EAGLE-3 (2503.01840), §3.1.

Norms stand before both inputs and after the layer, which EAGLE's own code does not have.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

import torch
from torch import Tensor

from lab.models.branches import Branches
from lab.models.cache import KVCache
from lab.models.checkpoint import check_shapes
from lab.models.config import ModelConfig
from lab.models.draft_file import Format
from lab.models.fields import count
from lab.models.heads import head_rows, read_heads
from lab.models.loaded import LoadedModel
from lab.models.stack import Layer, Stack
from lab.models.transformer import linear_shapes
from lab.numerics.kernels import choose_kernels
from lab.numerics.lanes import FP32
from lab.numerics.weight import Weight

EAGLE = Format("decoding-lab-eagle", "EAGLE draft", "python -m lab train eagle")
DEFAULT_EAGLE = "eagle"


@dataclass(frozen=True)
class Eagle:
    """On its target's device, in FP32. `vocabulary` [R] int64: the ids that it proposes, rising."""

    name: str
    target: str
    taps: tuple[int, ...]
    vocabulary: Tensor
    embedding: Tensor  # [V, hidden], the target's
    embedding_norm: Tensor  # [hidden]
    feature_norm: Tensor  # [hidden]
    combine: Weight | None  # [hidden, taps · hidden], where there are several taps
    fuse: Weight  # [hidden, 2 hidden]
    stack: Stack  # of one layer
    norm: Tensor  # [hidden]
    rows: Weight  # [R, hidden], of the target's head

    @property
    def parameters(self) -> int:
        """Of the draft alone; the rows are the target's."""
        layer = self.stack.layers[0]
        weights = [self.fuse, layer.qkv, layer.out, layer.gate_up, layer.down, self.combine]
        gains = [self.embedding_norm, self.feature_norm, layer.attention_norm, layer.ffn_norm, self.norm]
        return sum(w.stored.numel() for w in weights if w) + sum(gain.numel() for gain in gains)

    def new_cache(self, rows: int, positions: int, spare: int = 0) -> KVCache:
        """Empty, for pairs of a feature and a token; `spare`: slots for the nodes of a tree."""
        c = self.stack.config
        device = self.embedding.device
        return KVCache(1, rows, c.kv_heads, positions + spare, c.head_dim, FP32.dtype, device)

    @torch.inference_mode()
    def entering(self, features: Tensor) -> Tensor:
        """The target's features [n, taps · hidden] as they enter, [n, hidden]."""
        if self.combine is None:
            return features
        parts = features.unflatten(-1, (len(self.taps), -1))
        gain = torch.ones(parts.shape[-1], device=parts.device)
        return FP32.linear(FP32.rms_norm(parts, gain, self._eps).flatten(-2), self.combine)

    @torch.inference_mode()
    def forward(
        self,
        features: Tensor,
        tokens: Sequence[Sequence[int]],
        cache: KVCache,
        rows: Sequence[int],
        branches: Sequence[Branches] | None = None,
    ) -> Tensor:
        """Append pairs to the cache: features [n, hidden], entering or predicted, and the tokens after them.

        -> predicted features [n, hidden], row by row. Raises LabError for a full cache.
        """
        flat = torch.tensor(list(chain.from_iterable(tokens)), device=self.embedding.device)
        embedded = FP32.rms_norm(self.embedding[flat].float(), self.embedding_norm, self._eps)
        feature = FP32.rms_norm(features, self.feature_norm, self._eps)
        x = FP32.linear(torch.cat([embedded, feature], -1), self.fuse)
        work = self.stack.plan([len(row) for row in tokens], cache, rows, FP32, branches)
        x = self.stack.layer(0, x, work, cache, FP32)
        for row, length in zip(rows, work.lengths, strict=True):
            cache.lengths[row] = length
        return FP32.rms_norm(x, self.norm, self._eps)

    @torch.inference_mode()
    def logits(self, predicted: Tensor) -> Tensor:
        """Features [n, hidden] -> logits [n, R] of the token that is drawn from them."""
        return FP32.linear(predicted, self.rows)

    @property
    def _eps(self) -> float:
        return self.stack.config.norm_eps


def eagle_config(target: ModelConfig, ffn: int) -> ModelConfig:
    """Of the draft's one layer: the target's, with a feed-forward of its own width, and no window."""
    return replace(target, layers=1, intermediate_size=ffn, sliding_window=None)


def load_eagle(name: str, target: LoadedModel) -> Eagle:
    """A shipped EAGLE draft by name, or the one in a .safetensors file, on the target's device.

    Raises LabError as `heads.read_heads` does, and for tensors that do not fit.
    """
    file = read_heads(name, EAGLE, ("ffn",), target)
    model, taps = target.transformer, tuple(file.about["taps"])
    config = eagle_config(model.config, count(file.about, "ffn"))
    expected, remedy = _expected(config, len(taps)), f"Write the file again: `{EAGLE.command}`."
    check_shapes(file.tensors, expected, file.path.stem, "an EAGLE draft of this target", remedy)
    hidden = config.hidden_size
    shapes = [*linear_shapes(config)[:-1], (2 * hidden, hidden), (hidden, len(file.vocabulary))]
    shapes += [(len(taps) * hidden, hidden)] if len(taps) > 1 else []
    kernels = choose_kernels(model.device, shapes, config.head_dim)

    def weight(*names: str) -> Weight:
        stored = torch.cat([file.tensors[f"{each}.weight"] for each in names])
        return Weight(stored.to(model.device), None, kernels)

    def gain(name: str) -> Tensor:
        return file.tensors[f"{name}.weight"].to(model.device).float()

    attention, ffn = "layer.attention.", "layer.feed_forward."
    layer = Layer(
        attention_norm=gain("layer.attention_norm"),
        qkv=weight(*(f"{attention}{each}_proj" for each in "qkv")),
        qk_norm=None,
        out=weight(f"{attention}o_proj"),
        ffn_norm=gain("layer.feed_forward_norm"),
        gate_up=weight(f"{ffn}gate_proj", f"{ffn}up_proj"),
        down=weight(f"{ffn}down_proj"),
    )
    return Eagle(
        name=file.path.stem,
        target=file.about["target"],
        taps=taps,
        vocabulary=file.vocabulary,
        embedding=model.embedding,
        embedding_norm=gain("embedding_norm"),
        feature_norm=gain("feature_norm"),
        combine=weight("combine") if len(taps) > 1 else None,
        fuse=weight("fuse"),
        stack=Stack([layer], config, kernels, model.device),
        norm=gain("norm"),
        rows=head_rows(model, file.vocabulary, kernels),
    )


def _expected(c: ModelConfig, taps: int) -> dict[str, tuple[int, ...]]:
    """Shapes of the tensors by name."""
    hidden, attention, ffn = c.hidden_size, "layer.attention.", "layer.feed_forward."
    norms = ("embedding_norm", "feature_norm", "layer.attention_norm", "layer.feed_forward_norm", "norm")
    return {
        **({"combine.weight": (hidden, taps * hidden)} if taps > 1 else {}),
        **{f"{name}.weight": (hidden,) for name in norms},
        "fuse.weight": (hidden, 2 * hidden),
        f"{attention}q_proj.weight": (c.q_size, hidden),
        f"{attention}k_proj.weight": (c.kv_size, hidden),
        f"{attention}v_proj.weight": (c.kv_size, hidden),
        f"{attention}o_proj.weight": (hidden, c.q_size),
        f"{ffn}gate_proj.weight": (c.intermediate_size, hidden),
        f"{ffn}up_proj.weight": (c.intermediate_size, hidden),
        f"{ffn}down_proj.weight": (hidden, c.intermediate_size),
    }
