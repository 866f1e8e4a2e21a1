"""Trees of several forms and sizes on the same prompts: tokens a pass against nodes verified, and what a pass
over so many nodes takes.

Runs are those of the family, one prompt at a time. Passes are timed apart, over full trees of two children a
node; what is asked is the time, so their tokens are any.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from lab.decode.prompt_set import Prompt
from lab.decode.speculative.family import SERIAL, FamilySettings, start_family
from lab.decode.speculative.pass_times import WARM_UP, measure_passes, tree_passes
from lab.decode.speculative.settings import Load, SpeculateSettings
from lab.decode.speculative.tales import TALES
from lab.errors import LabError
from lab.models.loaded import LoadedModel
from lab.traces import RunInfo

CHAINS = (1, 2, 4, 6, 8)
WIDTHS = ((2, 1), (3, 1), (2, 2, 1), (3, 2, 1), (3, 2, 1, 1), (3, 2, 1, 1, 1), (3, 2, 2, 1), (4, 3, 2, 1))
DYNAMIC_NODES = (4, 8, 12, 16, 24, 32, 48, 64)
FORMS: dict[str, dict[str, Any]] = {
    **{f"chain {gamma}": {"shape": "k-ary", "widths": (1,) * gamma} for gamma in CHAINS},
    **{f"k-ary {'·'.join(map(str, each))}": {"shape": "k-ary", "widths": each} for each in WIDTHS},
    **{
        f"dynamic {nodes}": {"shape": "dynamic", "gamma": 6, "width": 4, "nodes": nodes}
        for nodes in DYNAMIC_NODES
    },
}
"""Each tree: fields of SpeculateSettings. The first word of a name is its form."""
TIMED_NODES = (0, 1, 2, 4, 8, 12, 16, 24, 32, 48, 64)


@dataclass(frozen=True)
class TreeSizeSettings(FamilySettings):
    """Trees of FORMS on the same prompts. `passes`: how often each pass is timed, after `context` tokens."""

    prompts: tuple[Prompt, ...] = TALES[8:11]
    length: int = 48
    methods: tuple[str, ...] = tuple(FORMS)
    drafter: str = "stories"
    passes: int = 15
    context: int = 128

    @property
    def total(self) -> int:
        """Tokens and passes, if no prompt ends early: progress marks."""
        return super().total + len(TIMED_NODES) * (self.passes + WARM_UP)

    def of(self, method: str) -> SpeculateSettings:
        """The settings of a tree by name. Raises LabError."""
        made = super().of(SERIAL)
        if method == SERIAL:
            return made
        if method not in FORMS:
            raise LabError(f"There is no tree {method!r}.", f"Use some of: {', '.join(FORMS)}.")
        return replace(made, drafter=self.drafter, **FORMS[method])


def start_tree_sizes(settings: TreeSizeSettings, load: Load) -> tuple[RunInfo, Iterator[Any]]:
    """The header and the records: all those of a family's run, then a PassTimeRecord a number of nodes, with
    the seconds of single passes before them. Raises LabError.
    """
    loaded = load()
    info, runs = start_family(settings, lambda: loaded)
    return replace(info, kind="tree-sizes"), _all(settings, loaded, runs)


def _all(settings: TreeSizeSettings, loaded: LoadedModel, runs: Iterator[Any]) -> Iterator[Any]:
    yield from runs
    lane = settings.arithmetic.make()
    text = [token for prompt in settings.prompts for token in loaded.tokenizer.encode_chat(prompt.text)]
    kinds = tree_passes(loaded.transformer, lane, text, settings.context, TIMED_NODES)
    yield from measure_passes(kinds, settings.passes)
