# %% [markdown]
# # 1. BF16 and the order of sums
#
# *About 60 minutes. You need Python, and no GPU and no model.*
#
# A language model at temperature 0 takes the token with the largest logit. That sounds as if nothing could
# change. Yet the same prompt can give another token when it is decoded beside other prompts. This lesson
# follows the cause from the bottom up:
#
# 1. one row of a matrix product, alone and in company;
# 2. which numbers BF16 has;
# 3. how a number is rounded to one of them;
# 4. what a sum loses, and why its order matters;
# 5. how a kernel cuts a sum into parts;
# 6. how a logit that moves a little decides a token;
# 7. how likely that is.
#
# **How to work.** Before most results stands a *prediction*. Write yours down first; being wrong is the
# useful case. Each exercise has a blank and a `check(…)`, which shows your results beside the specification.

# %%
import sys
from pathlib import Path

# The lab is found from any folder below the repository's root.
sys.path.insert(0, str(next(p for p in [Path.cwd(), *Path.cwd().parents] if (p / "sims").is_dir())))

import math

import numpy as np
import torch

from lab.numerics.machine import libraries_text
from lab.numerics.rounding import round_bf16
from notebooks.check import check
from sims.arithmetic import ALL_BF16, ALL_FP32, TENSOR_CORE
from sims.exact import exact_sum
from sims.flips import flip_probability, wilson_interval
from sims.formats import BF16
from sims.head import read, step_by_batch
from sims.kernels import SplitTable
from sims.noise import GaussianNoise
from sims.numbers import number
from sims.orders import SEQUENTIAL, split_k, sums
from sims.rounded_flips import rounded_flip

ROOT = Path(sys.path[0])
print(libraries_text())
print("threads:", torch.get_num_threads(), "· CPU:", torch.backends.cpu.get_cpu_capability())

# %% [markdown]
# ## 1. One row, alone and in company
#
# `a` and `b` are two matrices. The first row of the product depends on the first row of `a` and on `b`; no
# other row of `a` enters it. So these two are the same mathematics:
#
# - `torch.mm(a[:1], b)`: one row, alone;
# - `torch.mm(a, b)[:1]`: all rows, then the first one.
#
# **Predict.** Are they the same *numbers*, bit for bit? In FP32? In BF16?

# %%
SIZE = 1024
a = torch.linspace(-1000, 1000, SIZE * SIZE).reshape(SIZE, SIZE)
b = torch.linspace(-1000, 1000, SIZE * SIZE).reshape(SIZE, SIZE)

for dtype in (torch.float32, torch.bfloat16):
    alone = torch.mm(a[:1].to(dtype), b.to(dtype))
    beside = torch.mm(a.to(dtype), b.to(dtype))[:1]
    differ = int((alone != beside).sum())
    largest = float((alone - beside).abs().max())
    print(f"{dtype!s:15} {differ:4} of {SIZE} elements differ, by {largest:g} at most")

# %% [markdown]
# What you see belongs to *your* machine. With MKL on a CPU, nearly every FP32 element differs, and BF16 does
# not: such a CPU computes each BF16 element as a sum of its own, whatever the number of rows. On a GPU it is
# BF16 that differs. (The page *What this machine does* tries every number of rows from 1 to 64.)
#
# Nothing is random here. Run the cell again: the same bits come. The product is **repeatable** and still not
# **batch-invariant**. These are two different things.
#
# Where does the difference come from? From the order in which 1,024 products are added. To see that, we need
# to know what one addition does.

# %% [markdown]
# ## 2. Which numbers BF16 has
#
# A BF16 number has 16 bits: 1 sign, 8 exponent, 7 mantissa. So between one power of two and the next there
# are $2^7 = 128$ steps of equal width. In $[2^e, 2^{e+1})$ the gap between neighbours is $2^{e-7}$.

# %%
for value in (1.0, 20.0, 300.0, 0.1):
    x = number(value, BF16)
    print(f"{value:6} → {x.value:<12} bits {x.pattern}  gap {x.ulp:g}")

# %% [markdown]
# ### Exercise 1: the gap
#
# Write a function that gives the gap of BF16 at a positive, normal number `x`. `math.frexp(x)` returns
# $(m, k)$ with $x = m \cdot 2^k$ and $0.5 \le m < 1$.


# %%
def gap(x: float) -> float:
    """The distance between neighbouring BF16 numbers at x > 0."""
    # BEGIN SOLUTION
    _, k = math.frexp(x)
    return 2.0 ** (k - 1 - 7)
    # END SOLUTION


# %%
check(gap, lambda x: number(x, BF16).ulp, 1.0, 1.99, 2.0, 20.0, 31.9, 300.0, 0.1, 1e-20)

# %% [markdown]
# Keep one of them in mind: **between 16 and 32 the gap is 0.125.** Logits of a language model often lie
# there. Two BF16 logits are then equal, or at least 0.125 apart.
#
# ## 3. Rounding
#
# A result that is no BF16 number becomes the nearest one. If it lies exactly in the middle, it becomes the
# neighbour whose last mantissa bit is 0 (“ties to even”).
#
# ### Exercise 2: round to BF16
#
# Round a positive, normal `x`. Use `gap`. Python's own `round` also rounds halves to even.


# %%
def to_bf16(x: float) -> float:
    """The BF16 number nearest to x > 0, ties to even."""
    # BEGIN SOLUTION
    return round(x / gap(x)) * gap(x)
    # END SOLUTION


# %%
check(
    to_bf16,
    lambda x: float(round_bf16(torch.tensor(x, dtype=torch.float64))),
    *(1.0, 0.1, math.pi, 257.0, 259.0, 20.06, 20.0625, 20.1875, 511.9),
)

# %% [markdown]
# Look at 257 and 259. Both lie in the middle of a gap of 2. One goes down and one goes up.
#
# ## 4. What a sum loses
#
# **Predict.** Start at 0 and add 1, five hundred and twelve times, rounding to BF16 after every addition.
# What is the total?

# %%
ones = np.ones(512)
print("every addition rounded to BF16:", sums(ones, SEQUENTIAL, ALL_BF16))
print("every addition rounded to FP32:", sums(ones, SEQUENTIAL, ALL_FP32))

# %% [markdown]
# At 256 the gap is 2. So $256 + 1$ lies in the middle, goes to the even neighbour, and that is 256 again.
# The addend is **swallowed**, and so is every one after it.
#
# What is swallowed depends on *when* an addend comes. So a sum depends on its order:
# $(a + b) + c$ need not be $a + (b + c)$. Rounded addition is **not associative**.
#
# ### Exercise 3: find three numbers
#
# Find BF16 numbers `p`, `q`, `r` for which the two ways of adding differ.

# %%
p = q = r = None  # three numbers of your choice
# BEGIN SOLUTION
p, q, r = 256.0, 1.0, 1.0
# END SOLUTION


# %%
def add(x: float, y: float) -> float:
    """x + y, rounded to BF16 once."""
    return float(round_bf16(torch.tensor(float(x) + float(y), dtype=torch.float64)))


def order_matters() -> bool:
    numbers = (p, q, r)
    assert all(number(float(x), BF16).value == x for x in numbers), "one of them is no BF16 number"
    return add(add(p, q), r) != add(p, add(q, r))


check(order_matters, lambda: True, ())

# %% [markdown]
# ## 5. What a kernel does
#
# A tensor core does *not* round to BF16 after every addition. It multiplies BF16 numbers exactly, adds the
# products in an FP32 accumulator, and rounds to BF16 once, at the end. That is far better: FP32 has 24
# significant bits, BF16 has 8.
#
# But the order still matters, a little, in the FP32 part. And the order depends on the batch. With few rows
# a GPU would stand idle, so the kernel cuts the sum over $K$ into parts, gives each part to another
# processor and adds the partial sums. This is **split-K**. With many rows there is work enough, and the sum
# stays in one part. Libraries do not publish their rule; here is the lab's:

# %%
RULE = SplitTable(((1, 4), (8, 2)))
for rows in (1, 2, 8, 9, 64):
    print(f"{rows:2} rows: {RULE.splits(rows)} part(s)")

# %% [markdown]
# ### Exercise 4: a dot product in parts
#
# Compute $\sum_k x_k w_k$ in FP32, cut into `parts` pieces of $\lceil K / \text{parts} \rceil$ products each.
# Add the products of a piece one by one, from left to right, then add the partial sums from left to right.
# Everything stays in `np.float32`: the sum of two `np.float32` numbers is rounded to FP32.


# %%
def split_dot(x: np.ndarray, w: np.ndarray, parts: int) -> np.float32:
    """The dot product of FP32 arrays (K,), summed in `parts` pieces."""
    products = x * w  # FP32, exact for BF16 inputs
    # BEGIN SOLUTION
    size = math.ceil(len(products) / parts)
    total = None
    for start in range(0, len(products), size):
        partial = products[start]
        for product in products[start + 1 : start + size]:
            partial = partial + product
        total = partial if total is None else total + partial
    return total
    # END SOLUTION


# %%
dice = np.random.default_rng(0)
K = 576  # the width of SmolLM2-135M
x, w = (round_bf16(torch.from_numpy(dice.normal(size=K))).numpy() for _ in range(2))


def spec(x: np.ndarray, w: np.ndarray, parts: int) -> np.float32:
    return sums(x * w, split_k(parts), ALL_FP32)


check(split_dot, spec, (x, w, 1), (x, w, 2), (x, w, 4), (x, w, 7))

# %% [markdown]
# The results agree to about seven digits, and may differ after that. Is this enough to change a BF16 output?
#
# **Predict.** Take 5,000 dot products of this kind, once in one part and once in four. In what share do the
# FP32 sums differ? In what share the BF16 outputs?

# %%
rows = round_bf16(torch.from_numpy(dice.normal(size=(5000, K)))).numpy()
products = (rows * x).astype(np.float32)
for arithmetic, name in ((ALL_FP32, "FP32 sums"), (TENSOR_CORE.of_products, "BF16 outputs")):
    one, four = sums(products, split_k(1), arithmetic), sums(products, split_k(4), arithmetic)
    print(f"{name:13} {np.mean(one != four):.2%} differ")

exact = np.array([float(exact_sum(row)) for row in products[:500]])
for parts in (1, 4):
    error = np.abs(sums(products[:500], split_k(parts), ALL_FP32) - exact).mean()
    print(f"{parts} part(s): mean error of the FP32 sum {error:.2e}")

# %% [markdown]
# Most FP32 sums differ, and hardly any BF16 output: the change is in the seventh digit, and BF16 keeps two
# or three. Only a sum that lies next to the middle of a gap falls on the other side.
#
# Neither order is the right one. Four parts are even a little *more* exact, since each addend goes through
# fewer additions. The batch does not make the result worse; it makes it *another* one.
#
# So why does it matter? Because a model has many layers. SmolLM2 has thirty, each with four large products,
# and each product rounds hundreds of numbers to BF16. One output that falls on the other side moves by a
# whole gap; the next layer reads it, and the change spreads.

# %% [markdown]
# ## 6. From a sum to a token
#
# The repository has a recording of SmolLM2-135M. Some prompts were decoded under 1, 2, 4 and 8 parts of every
# linear layer, on the same tokens. Here is one step. The hidden state enters the last product, and the
# candidates' logits come out.

# %%
recording = read(ROOT / "apps" / "recordings" / "logits.npz")
step = recording.steps["flip4"]
print(f"{step.prompt}\n…{step.before[-70:]!r}\n")
print("rows  parts  " + "  ".join(f"{text!r:>8}" for text in step.texts))
for moment in step_by_batch(step, (1, 8, 64), RULE):
    logits = "  ".join(f"{logit:8g}" for logit in moment.logits)
    print(f"{moment.batch:4}  {RULE.splits(moment.batch):5}  {logits}")

# %% [markdown]
# The logits lie on the grid of 0.125, and they move by whole steps of it. Two candidates can therefore be
# *equal*. A rule has to say who wins then. The lab's rule, in every arithmetic: **the lowest token id**.
#
# ### Exercise 5: greedy
#
# Choose the token. `ids` are token ids in any order, `logits` their logits.


# %%
def greedy(ids: tuple[int, ...], logits: tuple[float, ...]) -> int:
    """The id of the largest logit; among equals, the lowest id."""
    # BEGIN SOLUTION
    return min(zip(ids, logits, strict=True), key=lambda pair: (-pair[1], pair[0]))[0]
    # END SOLUTION


# %%
def spec_greedy(ids: tuple[int, ...], logits: tuple[float, ...]) -> int:
    return min(token for token, logit in zip(ids, logits, strict=True) if logit == max(logits))


check(
    greedy,
    spec_greedy,
    ((7, 3, 5), (1.0, 2.0, 0.5)),
    ((7, 3, 5), (2.0, 1.0, 2.0)),
    ((9, 4), (-1.0, -1.0)),
    *((step.ids, tuple(logits.tolist())) for logits in step.logits.values()),
)

# %% [markdown]
# **Predict.** In the recorded step, which part of the model makes the token flip: the order of *this last
# product*, or what the orders of *all layers before* have done to the hidden state?

# %%
for reach, told in (("product", "only the last product is cut"), ("model", "every layer is cut")):
    chosen = [step.texts[moment.first] for moment in step_by_batch(step, (1, 8, 64), RULE, reach)]
    print(f"{told:30} at 1, 8, 64 rows: {chosen}")

# %% [markdown]
# One product alone does not move these logits. The flip comes with the hidden state, out of thirty layers.
#
# ## 7. How likely is a flip?
#
# The **margin** is the largest logit minus the second. Suppose the batch adds an independent Gaussian change
# with standard deviation $\sigma$ to each logit. The runner-up overtakes if it gains more than the margin
# $m$:
#
# $$P(\text{flip} \mid m) = P(e_2 - e_1 > m), \qquad e_2 - e_1 \sim N(0,\, 2\sigma^2).$$
#
# ### Exercise 6: the formula
#
# For a standard normal $Z$, $P(Z > z) = \tfrac12 \operatorname{erfc}(z / \sqrt 2)$; Python has `math.erfc`.


# %%
def p_flip(margin: float, sigma: float) -> float:
    """P(flip) at this margin, for independent Gaussian changes of standard deviation sigma."""
    # BEGIN SOLUTION
    return 0.5 * math.erfc(margin / (2 * sigma))
    # END SOLUTION


# %%
check(
    p_flip,
    lambda margin, sigma: float(flip_probability(margin, GaussianNoise(sigma))),
    *((0.0, 0.06), (0.125, 0.06), (0.25, 0.06), (0.25, 0.12), (0.5, 0.06)),
    close=1e-12,
)

# %% [markdown]
# A formula rests on assumptions. What the model does is for the recording to say: 471 steps, each under three
# further ways to cut the sums. Below stands the share that flipped beside the formula, with $\sigma$ from the
# recorded changes.
#
# **Predict.** Will the formula be too high or too low for the smallest margins?

# %%
sigma = float(np.std(recording.all_gains)) / math.sqrt(2)
law = GaussianNoise(sigma)


def on_the_grid(margin: float) -> float:
    """P(flip) if both batch shapes round to the grid of 0.125; either candidate may have the lower id."""
    return (rounded_flip(margin, law, 0.125, True) + rounded_flip(margin, law, 0.125, False)) / 2


print(f"σ of one logit: {sigma:.3f}\n")
print("margin           formula   on the grid   recorded, 95 % interval")
for low, high in ((0, 0.0625), (0.0625, 0.125), (0.125, 0.25), (0.25, 0.5), (0.5, 1)):
    inside = (recording.margins >= low) & (recording.margins < high)
    middle = float(recording.margins[inside].mean())
    flips = sum(int(flipped[inside].sum()) for flipped in recording.flips.values())
    pairs = int(inside.sum()) * len(recording.flips)
    interval = " – ".join(f"{end:.1%}" for end in wilson_interval(flips, pairs))
    print(
        f"{low:6} – {high:6}  {float(flip_probability(middle, law)):7.2%}  {on_the_grid(middle):12.2%}   "
        f"{flips:2} of {pairs:3}: {interval}"
    )

# %% [markdown]
# At the smallest margins the formula is too high. It forgets the grid: two logits that close usually round to
# the *same* number, in both batch shapes, and the lowest id wins both times. The second column rounds both
# shapes to the grid, and agrees better.
#
# Three assumptions remain: the two changes are independent, they are Gaussian, and they are equally large at
# every step. The recorded changes have heavier tails than a Gaussian. The page *From a sum to a token* has
# other laws. (And steps of one text are not independent, so the intervals are a little too narrow.)
#
# One thing needs no law at all. If no logit changes by more than $\varepsilon$, a margin above
# $2\varepsilon$ cannot flip. Lesson 2 builds a gate on that.
#
# ## What you know now
#
# Each of these must hold on every machine.

# %%
# The gap between 16 and 32, where many logits lie.
assert gap(16.0) == gap(31.9) == 0.125

# A tie goes to the even neighbour.
assert to_bf16(257.0) == 256.0
assert to_bf16(259.0) == 260.0

# Rounded addition is not associative.
assert order_matters()

# Another cut is another order: the FP32 sums differ and stay close.
assert split_dot(x, w, 1) != split_dot(x, w, 4)
assert abs(split_dot(x, w, 1) - split_dot(x, w, 4)) < 1e-3

# A tie goes to the lowest id.
assert greedy((9, 4), (1.0, 1.0)) == 4

# At margin 0 the runner-up gains as often as it loses; far beyond the changes nothing flips.
assert p_flip(0.0, 0.06) == 0.5
assert p_flip(1.0, 0.06) < 1e-12
