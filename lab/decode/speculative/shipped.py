"""The runs whose traces are shipped with the pages; `python -m lab record` makes them anew."""

from __future__ import annotations

from lab.decode.sampling import Sampling
from lab.decode.speculative.meeting import STORIES, MeetingSettings
from lab.decode.speculative.settings import SpeculateSettings

SPECULATED = {
    "greedy": SpeculateSettings(),
    "sampled": SpeculateSettings(sampling=Sampling(temperature=1.0)),
    "lookup": SpeculateSettings(drafter="lookup"),
    "uniform": SpeculateSettings(drafter="uniform"),
}

MEETING = MeetingSettings(prompts=STORIES[:8], length=40)
