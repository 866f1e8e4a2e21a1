"""Drafters by name: what a link, a command line and a settings record carry."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from lab.decode.speculative.branching import Several, TreeDrafter
from lab.decode.speculative.drafters import Drafter, LookupDrafter, ModelDrafter, NGramDrafter, UniformDrafter
from lab.decode.speculative.eagle_drafter import EagleDrafter
from lab.decode.speculative.medusa_drafter import MedusaDrafter
from lab.decode.speculative.ngram import SHIPPED_NGRAM, load_ngram
from lab.decode.speculative.staged import StagedDrafter
from lab.errors import LabError
from lab.models.draft import load_draft, shipped_drafts
from lab.models.eagle import DEFAULT_EAGLE, load_eagle
from lab.models.loaded import LoadedModel, load_model
from lab.models.medusa import DEFAULT_MEDUSA, load_medusa
from lab.models.reduced import check_same_vocabulary, vocabulary_digest

NGRAMS = {"unigram": 1, "bigram": 2, "trigram": 3}
DRAFTERS = ("stories", *reversed(NGRAMS), "lookup", "uniform", "staged", "early-exit")
HEADS = ("medusa", "eagle")
TREE_DRAFTERS = ("stories", *reversed(NGRAMS), "stories+trigram", "early-exit", *HEADS)

LoadModel = Callable[[str, str], LoadedModel]


def make_drafter(name: str, target: LoadedModel, load: LoadModel = load_model) -> Drafter:
    """The drafter of chains of that name for this target. Raises LabError.

    A name of DRAFTERS, a draft's .safetensors file, or a model (`zoo.load_checkpoint`) of the target's
    tokenizer. `early-exit:10` is the target's own first 10 layers; without a number, half of them.
    """
    if name in NGRAMS:
        return NGramDrafter(name, load_ngram(SHIPPED_NGRAM, target, NGRAMS[name]))
    if name == "lookup":
        return LookupDrafter()
    if name == "uniform":
        return UniformDrafter(target.transformer.config.vocab_size)
    if name == "staged":
        table = NGramDrafter("trigram", load_ngram(SHIPPED_NGRAM, target, NGRAMS["trigram"]))
        return StagedDrafter(_model_drafter("stories", target), table)
    if name.partition(":")[0] == "early-exit":
        return _early_exit(name, target)
    if name in shipped_drafts() or name.endswith(".safetensors"):
        return _model_drafter(name, target)
    if not name.strip() or name in HEADS:
        raise LabError(
            f"{name!r} drafts trees alone." if name.strip() else "The drafter has no name.",
            f"For chains use one of: {', '.join(DRAFTERS)}, or a model.",
        )
    try:
        other = load(name, str(target.transformer.device))
    except LabError as error:
        raise LabError(
            error.what,
            f"As a drafter use {', '.join(DRAFTERS)}, of trees {', '.join(TREE_DRAFTERS)}; "
            f"as a model: {error.remedy}",
        ) from None
    check_same_vocabulary(other.name, other.name, vocabulary_digest(other.tokenizer), target)
    small, large = other.transformer.config.vocab_size, target.transformer.config.vocab_size
    if small != large:
        raise LabError(
            f"Draft {other.name} has {small} logits, target {target.name} has {large}.",
            "Choose a draft whose vocabulary is padded to the same size.",
        )
    return ModelDrafter(other.name, other.transformer)


def make_tree_drafter(name: str, target: LoadedModel, load: LoadModel = load_model) -> TreeDrafter:
    """The drafter of trees of that name. Raises LabError.

    `medusa` and `eagle`, or their files: `medusa:FILE`, `eagle:FILE`; the chain drafters that can guess after
    many nodes at once; and several of these with + between them, whose guesses share a tree.
    """
    if "+" in name and not Path(name.partition(":")[2] or name).is_file():
        return Several(tuple(make_tree_drafter(part.strip(), target, load) for part in name.split("+")))
    kind, _, file = name.partition(":")
    if kind == "medusa":
        return MedusaDrafter(load_medusa(file or DEFAULT_MEDUSA, target))
    if kind == "eagle":
        return EagleDrafter(load_eagle(file or DEFAULT_EAGLE, target))
    drafter = make_drafter(name, target, load)
    if isinstance(drafter, ModelDrafter | NGramDrafter):
        return drafter
    raise LabError(
        f"Drafter {name!r} drafts chains alone.", f"For trees use one of: {', '.join(TREE_DRAFTERS)}."
    )


def _model_drafter(name: str, target: LoadedModel) -> ModelDrafter:
    draft = load_draft(name, target)
    return ModelDrafter(draft.name, draft.transformer, reduced=draft)


def _early_exit(name: str, target: LoadedModel) -> ModelDrafter:
    model = target.transformer
    number = name.partition(":")[2]
    if number and not number.isdecimal():
        raise LabError(f"{name!r} names no layer.", f"Write early-exit:{model.config.layers // 2}.")
    layers = int(number) if number else model.config.layers // 2
    return ModelDrafter(f"early-exit {layers}", model.exit_after(layers))
