"""Ready-made lists of addends that each show one thing about rounding and order.

Addends are text, as a reader would type them, so that a page can put them into its own box. What
each story shows is said by the pages, in the reader's language.
"""

from dataclasses import dataclass

import numpy as np

from sims.arithmetic import ALL_BF16, ALL_FP32, TENSOR_CORE, Arithmetic
from sims.orders import ASCENDING, DESCENDING, KAHAN, NEUMAIER, PAIRWISE, REVERSED, SEQUENTIAL, Order, split_k
from sims.rounding import Singles


@dataclass(frozen=True)
class Story:
    """A preset of the sum page: addends as typed, where it rounds, and the orders to set side by side."""

    key: str
    addends: tuple[str, ...]
    arithmetic: Arithmetic
    orders: tuple[Order, ...]


STORIES: tuple[Story, ...] = (
    # (256 + 1) + 1 is 256 and 256 + (1 + 1) is 258.
    Story("associativity", ("256", "1", "1"), ALL_BF16, (SEQUENTIAL, REVERSED)),
    # No binary format has 0.1; ten of them are not 1.
    Story("tenth", ("0.1",) * 10, ALL_BF16, (SEQUENTIAL, PAIRWISE, KAHAN)),
    # A sequential total stops at 256 for ever; small groups do not.
    Story("swallowed", ("1",) * 512, ALL_BF16, (SEQUENTIAL, PAIRWISE, split_k(8), KAHAN)),
    # 2^24 + 1 is no FP32 number; what survives depends on when the large addends meet.
    Story(
        "cancellation",
        ("16777216", "1", "-16777216", "1"),
        ALL_FP32,
        (SEQUENTIAL, REVERSED, PAIRWISE, NEUMAIER),
    ),
    # Kahan loses what Neumaier keeps, where the addend is larger than the total.
    Story("kahan_fails", ("1", "1e30", "1", "-1e30"), ALL_FP32, (SEQUENTIAL, KAHAN, NEUMAIER)),
    # Small addends survive if they meet first.
    Story(
        "small_first",
        ("1024",) + ("1",) * 64,
        ALL_BF16,
        (DESCENDING, ASCENDING, PAIRWISE),
    ),
    # FP32 keeps tiny addends or swallows them, and the one rounding to BF16 makes a whole step of it:
    # four of 2^-17 lift 257, half-way between 256 and 258, off the tie.
    Story(
        "tie_break",
        ("256", "1", "0x1p-17", "0x1p-17", "0x1p-17", "0x1p-17"),
        TENSOR_CORE,
        (SEQUENTIAL, REVERSED, split_k(2)),
    ),
)


def linspace_products(size: int = 2048, column: int = 0) -> Singles:
    """The addends of one output of a product of two matrices filled by linspace(-1000, 1000), float32.

    Row 0 times column `column`, `size` x `size` each. Row 0 stays near -1000 while the column runs
    from -1000 to 1000, so that products of a million cancel: an order shows at once.
    """
    flat = np.linspace(-1000, 1000, size * size, dtype=np.float32).reshape(size, size)
    return flat[0] * flat[:, column]
