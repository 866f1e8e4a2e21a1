"""Sums that carry their own rounding error along: Kahan and Neumaier.

Both add one addend after another in one format (the accumulator's) and keep a second number
beside the total. A compiler that reassociates would delete them.
"""

from dataclasses import dataclass

import numpy as np

from sims.arithmetic import Arithmetic, add, subtract
from sims.rounding import Singles


@dataclass(frozen=True)
class Kahan:
    """Compensated summation. Source: Kahan, CACM 8(1), 1965; Higham (2002), algorithm 4.2."""

    def running(self, leaves: Singles, arithmetic: Arithmetic) -> tuple[Singles, Singles]:
        r"""Totals and corrections after each addend, both (n, R), for leaves (n, R).

        $y = x_i - c,\quad t = s + y,\quad c = (t - s) - y,\quad s = t$: c is what s has just lost,
        with its sign turned.
        """
        fmt, mode = arithmetic.accumulator, arithmetic.mode
        totals, lost = [leaves[0]], [np.zeros_like(leaves[0])]
        for addend in leaves[1:]:
            y = subtract(addend, lost[-1], fmt, mode)
            totals.append(add(totals[-1], y, fmt, mode))
            lost.append(subtract(subtract(totals[-1], totals[-2], fmt, mode), y, fmt, mode))
        return np.stack(totals), np.stack(lost)

    def total(self, leaves: Singles, arithmetic: Arithmetic) -> Singles:
        """The sum, shape (R,): the last running total (its correction is not added)."""
        return self.running(leaves, arithmetic)[0][-1]


@dataclass(frozen=True)
class Neumaier:
    """Kahan-Babuška summation: also right where the addend is larger than the total.

    Source: Neumaier, ZAMM 54, 1974.
    """

    def running(self, leaves: Singles, arithmetic: Arithmetic) -> tuple[Singles, Singles]:
        r"""Totals and corrections after each addend, both (n, R), for leaves (n, R).

        $t = s + x_i,\quad c \mathrel{+}= (\text{larger} - t) + \text{smaller},\quad s = t$, where
        larger and smaller are s and x_i by magnitude.
        """
        fmt, mode = arithmetic.accumulator, arithmetic.mode
        totals, lost = [leaves[0]], [np.zeros_like(leaves[0])]
        for addend in leaves[1:]:
            total, new = totals[-1], add(totals[-1], addend, fmt, mode)
            swap = np.abs(total) < np.abs(addend)
            larger, smaller = np.where(swap, addend, total), np.where(swap, total, addend)
            error = add(subtract(larger, new, fmt, mode), smaller, fmt, mode)
            totals.append(new)
            lost.append(add(lost[-1], error, fmt, mode))
        return np.stack(totals), np.stack(lost)

    def total(self, leaves: Singles, arithmetic: Arithmetic) -> Singles:
        """The sum, shape (R,): the last running total plus all that was lost on the way."""
        totals, lost = self.running(leaves, arithmetic)
        return add(totals[-1], lost[-1], arithmetic.accumulator, arithmetic.mode)
