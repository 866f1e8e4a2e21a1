"""Property tests here time nothing: a busy machine is no failure."""

from hypothesis import settings

settings.register_profile("sims", deadline=None)
settings.load_profile("sims")
