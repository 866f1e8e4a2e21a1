"""The runs whose traces are shipped with the pages; `python -m lab record` makes them anew."""

from __future__ import annotations

from lab.decode.sampling import Sampling
from lab.decode.speculative.measure import MeasureSettings, prompts_of_kinds
from lab.decode.speculative.meeting import MeetingSettings
from lab.decode.speculative.settings import SpeculateSettings
from lab.decode.speculative.tales import TALES

SPECULATED = {
    "greedy": SpeculateSettings(),
    "sampled": SpeculateSettings(sampling=Sampling(temperature=1.0)),
    "lookup": SpeculateSettings(drafter="lookup"),
    "uniform": SpeculateSettings(drafter="uniform"),
}

MEASURED = MeasureSettings(
    prompts=(*TALES[:2], *prompts_of_kinds(("question", "code"), 1)),
    length=32,
    gammas=(2, 4),
    drafters=("stories", "trigram", "lookup", "uniform"),
)

MEETING = MeetingSettings(prompts=TALES[:8], length=40)
