"""The runs whose traces are shipped with the pages; `python -m lab record` makes them anew."""

from __future__ import annotations

from dataclasses import replace

from lab.decode.sampling import Sampling
from lab.decode.speculative.family import METHODS, FamilySettings
from lab.decode.speculative.measure import MeasureSettings, prompts_of_kinds
from lab.decode.speculative.meeting import MeetingSettings
from lab.decode.speculative.settings import SpeculateSettings
from lab.decode.speculative.tales import TALES
from lab.decode.speculative.tree_sizes import TreeSizeSettings

SPECULATED = {
    "greedy": SpeculateSettings(),
    "sampled": SpeculateSettings(sampling=Sampling(temperature=1.0)),
    "lookup": SpeculateSettings(drafter="lookup"),
    "uniform": SpeculateSettings(drafter="uniform"),
}

_TREE = SpeculateSettings(length=32, plain=False)
_SAMPLED = replace(_TREE, shape="k-ary", widths=(3, 2, 1), sampling=Sampling(temperature=0.7))
TREES = {
    "k-ary": replace(_TREE, shape="k-ary", widths=(3, 2, 1, 1)),
    "dynamic": replace(_TREE, shape="dynamic", gamma=5, width=4, nodes=16),
    "sampled": replace(_SAMPLED, siblings="drawn-without"),
    "typical": replace(_SAMPLED, rule="typical"),
    "eagle": replace(_TREE, **METHODS["eagle-2"]),
    "medusa": replace(_TREE, **METHODS["medusa"] | {"rule": "multi-step"}),
}

TREE_SIZES = TreeSizeSettings()

MEASURED = MeasureSettings(
    prompts=(*TALES[:2], *prompts_of_kinds(("question", "code"), 1)),
    length=32,
    gammas=(2, 4),
    drafters=("stories", "trigram", "lookup", "uniform"),
)

FAMILY = FamilySettings()

MEETING = MeetingSettings(prompts=TALES[:8], length=40)
