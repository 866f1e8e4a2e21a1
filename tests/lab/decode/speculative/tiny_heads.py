"""Random heads on a tiny random target, and drafts of all kinds for it.

Its vocabulary is so small that whatever has learnt nothing is often right by chance, at any place of a tree.
"""

from __future__ import annotations

from dataclasses import replace

import torch
from torch import Tensor

from lab.decode.speculative.branching import Several, TreeDrafter
from lab.decode.speculative.drafters import ModelDrafter, NGramDrafter
from lab.decode.speculative.eagle_drafter import EagleDrafter
from lab.decode.speculative.medusa_drafter import MedusaDrafter
from lab.models.checkpoint import Checkpoint
from lab.models.eagle import Eagle, eagle_config
from lab.models.heads import head_rows
from lab.models.medusa import Medusa
from lab.models.stack import Layer, Stack
from lab.models.tiny import tiny_checkpoint
from lab.models.transformer import Transformer, linear_shapes
from lab.numerics.kernels import choose_kernels
from lab.numerics.lanes import FP32, Lane
from lab.numerics.weight import Weight
from tests.lab.decode.speculative.tiny_drafts import noisy, reduced
from tests.lab.decode.speculative.toy import toy_table

VOCABULARY = 8


def small(checkpoint: Checkpoint) -> Checkpoint:
    """The model of the first tokens alone."""
    config = replace(checkpoint.config, vocab_size=VOCABULARY, eos_ids=())
    name = "model.embed_tokens.weight"
    tensors = checkpoint.tensors | {name: checkpoint.tensors[name][:VOCABULARY]}
    return replace(checkpoint, config=config, tensors=tensors)


CHECKPOINT = small(tiny_checkpoint(0, dtype=torch.bfloat16))
MODEL = Transformer(CHECKPOINT)


def medusa(model: Transformer = MODEL, heads: int = 3, seed: int = 1) -> Medusa:
    generator = torch.Generator().manual_seed(seed)
    hidden = model.config.hidden_size
    vocabulary = torch.arange(0, model.config.vocab_size - 1)
    kernels = choose_kernels(
        model.device, [(hidden, heads * hidden), (hidden, len(vocabulary))], model.config.head_dim
    )
    weight = torch.randn(heads * hidden, hidden, generator=generator) / hidden**0.5
    blocks = Weight(weight, torch.zeros(heads * hidden), kernels)
    rows = head_rows(model, vocabulary, kernels)
    return Medusa("random medusa", model.name, heads, blocks, rows, vocabulary, (model.config.layers,))


def eagle(model: Transformer = MODEL, taps: tuple[int, ...] = (), seed: int = 2) -> Eagle:
    """With one tap, the last; or the combination of several."""
    taps = taps or (model.config.layers,)
    config = eagle_config(model.config, 40)
    hidden, ffn = config.hidden_size, config.intermediate_size
    vocabulary = torch.arange(1, config.vocab_size)
    shapes = [*linear_shapes(config)[:-1], (2 * hidden, hidden), (hidden, len(vocabulary))]
    kernels = choose_kernels(model.device, [*shapes, (len(taps) * hidden, hidden)], config.head_dim)
    generator = torch.Generator().manual_seed(seed)

    def weight(rows: int, columns: int) -> Weight:
        return Weight(torch.randn(rows, columns, generator=generator) / columns**0.5, None, kernels)

    def gain() -> Tensor:
        return 1 + 0.1 * torch.randn(hidden, generator=generator)

    layer = Layer(
        attention_norm=gain(),
        qkv=weight(config.q_size + 2 * config.kv_size, hidden),
        qk_norm=None,
        out=weight(hidden, config.q_size),
        ffn_norm=gain(),
        gate_up=weight(2 * ffn, hidden),
        down=weight(hidden, ffn),
    )
    return Eagle(
        name="random eagle",
        target=model.name,
        taps=taps,
        vocabulary=vocabulary,
        embedding=model.embedding,
        embedding_norm=gain(),
        feature_norm=gain(),
        combine=weight(hidden, len(taps) * hidden) if len(taps) > 1 else None,
        fuse=weight(hidden, 2 * hidden),
        stack=Stack([layer], config, kernels, model.device),
        norm=gain(),
        rows=head_rows(model, vocabulary, kernels),
    )


def tree_drafters(lane: Lane = FP32) -> dict[str, TreeDrafter]:
    """All kinds; those of models compute in `lane`."""
    near = ModelDrafter("noisy", Transformer(noisy(CHECKPOINT, 0.3)), lane)
    half = reduced(CHECKPOINT, torch.arange(0, VOCABULARY, 2), 0.3)
    made: dict[str, TreeDrafter] = {
        "model": near,
        "reduced": ModelDrafter("reduced", half.transformer, lane, half),
        "table": NGramDrafter("trigram", toy_table(range(6))),
        "early exit": ModelDrafter("exit 1", MODEL.exit_after(1), lane),
        "medusa": MedusaDrafter(medusa()),
        "eagle": EagleDrafter(eagle()),
        "eagle, two taps": EagleDrafter(eagle(taps=(1, 2))),
    }
    return made | {"model + eagle + medusa": Several((near, made["eagle, two taps"], made["medusa"]))}
