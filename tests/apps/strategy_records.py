"""Records of a comparison that never ran: few, round figures, so that tests can work out what is shown."""

from __future__ import annotations

from dataclasses import replace

from lab.records import StrategyRecord

PLAIN = StrategyRecord(
    strategy="bf16",
    tau=None,
    window=None,
    pass_size=None,
    batch=8,
    emulated=False,
    sequences=("a", "b", "c", "d"),
    equal=(True, True, False, False),
    tokens=100,
    rows=100,
    steps=25,
    asked_rows=0,
    asked_steps=0,
    corrections=0,
    rolled_back=0,
    bonuses=0,
    visits=0,
    verified=0,
    seconds=1.0,
    visit_seconds=0.0,
)
ALL_EQUAL = (True,) * 4
ALWAYS = replace(
    PLAIN,
    strategy="every-step",
    window=1,
    pass_size=1,
    equal=ALL_EQUAL,
    asked_rows=100,
    asked_steps=25,
    corrections=2,
    visits=25,
    verified=100,
    seconds=2.0,
)
REPLAY = replace(
    ALWAYS,
    strategy="replay",
    tau=0.25,
    window=32,
    pass_size=32,
    asked_rows=10,
    asked_steps=8,
    rows=110,
    rolled_back=10,
    visits=4,
    seconds=1.25,
)
PAPER = replace(REPLAY, strategy="margingate", window=None, pass_size=1, equal=(True, True, True, False))
BEFORE = [PLAIN, ALWAYS, PAPER, REPLAY]
ALONE = [
    replace(PLAIN, batch=1, sequences=("a", "b", "x", "y"), seconds=2.0),
    replace(ALWAYS, batch=1, seconds=6.0),
    replace(REPLAY, batch=1, seconds=3.0),
]

GRID = [
    replace(REPLAY, tau=tau, window=window, pass_size=size, rolled_back=window, visits=40 // size)
    for tau in (0.125, 0.25, 0.5)
    for window in (8, 64)
    for size in (1, 16)
]
