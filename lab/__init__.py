"""The decoding core: a real model, explicit arithmetic, and records of every step."""

import os

# Large pages for torch's large tensors, where the system grants them: a step reads every weight once, and
# address look-ups cost about a tenth of it. torch reads this when it first allocates.
os.environ.setdefault("THP_MEM_ALLOC_ENABLE", "1")

__version__ = "0.1.0"
