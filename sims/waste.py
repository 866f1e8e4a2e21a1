"""What optimism costs: tokens decoded behind a flip that no one has seen yet, and thrown away.

A fast lane writes a window of tokens; a verifier then reads them and keeps them up to the first flip, its
correction included. Flips are taken as independent. A gate that looks at risky tokens is not modelled.
"""

from __future__ import annotations

from sims.errors import InputError


def expected_waste(flip_rate: float, window: int) -> float:
    """Tokens of a window that are rolled back on average: w − (1 − (1 − p)ʷ) / p.

    The second term is the mean number that is kept: min(first flip, w) tokens, where the first flip is
    geometric in `flip_rate` = p. Raises InputError for a rate outside 0 to 1 or a window below 1.
    """
    if not 0 <= flip_rate <= 1:
        raise InputError(f"flip_rate = {flip_rate} is no probability.", "Give a number from 0 to 1.")
    if window < 1:
        raise InputError(f"window = {window} holds no token.", "Give 1 or more.")
    if flip_rate == 0:
        return 0.0
    return window - (1 - (1 - flip_rate) ** window) / flip_rate
