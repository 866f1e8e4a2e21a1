"""The runs whose traces are shipped with the pages; `python -m lab record` makes them anew."""

from __future__ import annotations

from lab.decode.sampling import Sampling
from lab.decode.speculative.meeting import MeetingSettings
from lab.decode.speculative.settings import SpeculateSettings
from lab.decode.speculative.tales import TALES

SPECULATED = {
    "greedy": SpeculateSettings(),
    "sampled": SpeculateSettings(sampling=Sampling(temperature=1.0)),
    "lookup": SpeculateSettings(drafter="lookup"),
    "uniform": SpeculateSettings(drafter="uniform"),
}

MEETING = MeetingSettings(prompts=TALES[:8], length=40)
