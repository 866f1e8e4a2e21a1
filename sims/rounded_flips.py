"""Flips between two batch shapes whose logits are both rounded to one grid, as BF16 logits are.

`flips.grid_flip` compares a rounded result with the winner *before* rounding. A batch shape never sees
that winner: both shapes round, and both break ties by the lowest token id. Two logits that round to a tie
in both shapes do not flip, so close calls flip less often than the unrounded law says.

The runner-up's rounded place is held fixed, and the change is the winner's: what moves both alike is left
out. Its place between two grid points is taken as uniform.
"""

import numpy as np

from sims.noise import DifferenceNoise

_MIDPOINTS = (np.arange(4_096) + 0.5) / 4_096


def rounded_flip(
    margin: float, noise: DifferenceNoise, spacing: float, runner_up_has_lower_id: bool
) -> float:
    r"""$P(\text{flip} \mid m)$ on a grid of spacing Δ, the average over $t \in (0, \Delta)$ of

    $P(d > m + t)$ if the winner has the lower id: a tie is still his;
    $P(d > m - t)$ where $t \le m$ and $P(d \le m - t)$ where $t > m$, if the runner-up has it: one of the
    two shapes has to lift the winner past the tie, and the other not.

    `margin`: $m \ge 0$ before rounding; d: what the runner-up gains. Averaged over 4,096 midpoints.
    """
    t = spacing * _MIDPOINTS
    if not runner_up_has_lower_id:
        return float(noise.exceeds(margin + t).mean())
    overtakes = noise.exceeds(margin - t)
    return float(np.where(t <= margin, overtakes, 1 - overtakes).mean())


def simulate_rounded(
    margin: float,
    noise: DifferenceNoise,
    spacing: float,
    runner_up_has_lower_id: bool,
    samples: int,
    seed: int,
) -> int:
    """How many of `samples` pairs of logits choose another token after the change: round, compare, count."""
    rng = np.random.default_rng(seed)
    runner_up = rng.uniform(0, spacing, samples)
    before = runner_up + margin
    after = before - noise.draw_differences(rng, samples)
    needed = 1 if runner_up_has_lower_id else 0  # grid points that the winner has to be ahead
    chosen = [np.rint(each / spacing) - np.rint(runner_up / spacing) >= needed for each in (before, after)]
    return int((chosen[0] != chosen[1]).sum())
