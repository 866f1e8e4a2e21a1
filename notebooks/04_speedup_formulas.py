# %% [markdown]
# # 4. What speculation buys
#
# *About 60 minutes. You need the lab's model, SmolLM2-135M (90 MB, fetched once), and no GPU.*
#
# Lesson 3 made speculative decoding exact. This one asks what it buys. You will:
#
# 1. count the tokens of a round;
# 2. divide them by the time that it takes;
# 3. count the operations;
# 4. find the best γ, and what no γ can beat;
# 5. measure this machine;
# 6. predict a speedup, measure it, and explain the difference;
# 7. see where speculation loses.
#
# The formulas are those of Leviathan, Kalman and Matias (ICML 2023). Their letters: **α**, the mean chance
# that a drafted token stands; **γ**, drafted tokens a round; **c**, time of a draft step ÷ time of a target
# step. We add **v(γ)**, time of a target pass over γ + 1 positions ÷ over one.
#
# Before most results stands a *prediction*. Write yours down first.

# %%
import sys
from pathlib import Path

# The lab is found from any folder below the repository's root.
sys.path.insert(0, str(next(p for p in [Path.cwd(), *Path.cwd().parents] if (p / "sims").is_dir())))

from collections.abc import Generator, Sequence
from typing import Any

import numpy as np
import torch

from lab.decode.batching import decode
from lab.decode.prompt_set import built_in
from lab.decode.requests import Request
from lab.decode.sampling import GREEDY
from lab.decode.speculative.agreement import overlaps, pooled
from lab.decode.speculative.drafters import Drafter, ModelDrafter
from lab.decode.speculative.figures import round_figures
from lab.decode.speculative.formulas import expected_cost
from lab.decode.speculative.how import Speculative
from lab.decode.speculative.making import make_drafter
from lab.decode.speculative.measure import relative_times
from lab.decode.speculative.pass_times import draft_steps, measure_passes, target_passes
from lab.decode.speculative.policy import Fixed
from lab.decode.speculative.rounds import speculate
from lab.decode.speculative.timed_runs import Run, timed
from lab.models.loaded import load_model
from lab.numerics.lanes import FP32
from lab.numerics.machine import libraries_text
from lab.round_records import PassTimeRecord
from notebooks.check import check
from sims import speedup as formulas
from sims.leviathan import FIGURE_3, TABLE_1, TABLES_2_AND_4
from sims.roofline import Machine, Target, widening
from sims.rounds import accepted_law, simulate

loaded = load_model()
model, tokenizer = loaded.transformer, loaded.tokenizer
print(libraries_text())
print("threads:", torch.get_num_threads(), "· model:", loaded.name, "on", model.device)

# %% [markdown]
# ## 1. Tokens of a round
#
# Say that every drafted token stands with chance α, independently. A round of γ drafts accepts the tokens
# before the first rejection, and emits one token more: the correction, or the bonus.
#
# It emits *at least* $i + 1$ tokens if the first $i$ drafts stand: with chance $\alpha^i$. The mean of a
# count is the sum of such chances:
#
# $$E = 1 + \alpha + \dots + \alpha^\gamma = \frac{1 - \alpha^{\gamma+1}}{1 - \alpha}. \tag{Eq. 1}$$
#
# ### Exercise 1: expected tokens
#
# Mind α = 1. The check does not use the formula: it takes the chance of 0, 1, …, γ accepted, and adds up.


# %%
def expected_tokens(alpha: float, gamma: int) -> float:
    """Mean tokens of a round."""
    # BEGIN SOLUTION
    return sum(alpha**i for i in range(gamma + 1))
    # END SOLUTION


# %%
def counted(alpha: float, gamma: int) -> float:
    chances = accepted_law([alpha] * gamma)  # of 0, 1, …, γ accepted
    return float(sum((n + 1) * chance for n, chance in enumerate(chances)))


check(expected_tokens, counted, (0.8, 4), (0.8, 0), (0.0, 5), (1.0, 5), (0.37, 3), (0.95, 16), close=1e-9)

# %% [markdown]
# **Predict.** α = 0.8. How many tokens does a round give at γ = 4? At γ = 100?

# %%
print("γ     formula   a million rounds")
for gamma in (1, 2, 4, 8, 16, 100):
    mean = simulate([0.8] * gamma, rounds=1_000_000).tokens.mean()
    print(f"{gamma:3}   {formulas.expected_tokens(0.8, gamma):7.3f}   {mean:16.3f}")

# %% [markdown]
# More drafts help less and less: nothing gets past $1/(1-\alpha) = 5$. Two mistakes are common here. Without
# the **bonus**, the sum stops at $\alpha^{\gamma-1}$ when all stand, and the gain looks too small. And with
# *accepted ÷ drafted* in place of α (lesson 3), it looks far too small.

# %% [markdown]
# ## 2. The time of a round
#
# Measure time in plain steps: one pass of the target over one position takes 1. Then γ draft steps take γc,
# and the verifying pass takes $v(\gamma)$. Plain decoding gives one token for 1; a round gives $E$ for
# $\gamma c + v$:
#
# $$\text{speedup} = \frac{E}{\gamma c + v(\gamma)}
# = \frac{1 - \alpha^{\gamma+1}}{(1-\alpha)(\gamma c + v(\gamma))}.$$
#
# **Theorem 3.8** of the paper is the case $v = 1$: a pass over γ + 1 positions costs as much as over one.
# This is nearly so where a pass waits for the weights. We keep $v$, and measure it later.
#
# ### Exercise 2: the speedup


# %%
def speedup(alpha: float, gamma: int, c: float, v: float = 1.0) -> float:
    """Plain time ÷ speculative time, for the same text."""
    # BEGIN SOLUTION
    return expected_tokens(alpha, gamma) / (gamma * c + v)
    # END SOLUTION


# %%
CASES = ((0.8, 4, 0.1), (0.8, 4, 0.1, 1.5), (0.5, 1, 0.5), (0.0, 3, 0.02), (1.0, 3, 1.0), (0.6, 0, 0.2))
check(speedup, formulas.speedup, *CASES, close=1e-9)

# %% [markdown]
# **Predict.** Look at case 5: the draft is perfect and as slow as the target. What is its speedup, and why?
#
# Now the paper's own experiment: T5-XXL with 11 billion parameters, with three drafts. `expected` is its
# column, `formula` is Theorem 3.8 with its rounded α and c.

# %%
print("task   draft      T   γ    α     c     formula  expected  measured")
for row in TABLES_2_AND_4:
    told = f"{row.task:6} {row.draft:9} {row.temperature:2}  {row.gamma:2}  {row.alpha:.2f}  {row.c:.2f}"
    ours = formulas.speedup(row.alpha, row.gamma, row.c)
    print(f"{told}  {ours:8.1f}  {row.expected:8.1f}  {row.measured:8.1f}")

# %% [markdown]
# The formula gives their expected column, within 0.1. The measured one is sometimes above and sometimes well
# below it: most of all for the largest draft. A formula of three numbers is not a machine.

# %% [markdown]
# ## 3. Operations
#
# Speculation is faster although it computes *more*. The target processes γ + 1 positions a round, and the
# draft γ. In units of one target position, with $\hat c$ the operations of a draft step ÷ of a target step:
#
# $$\text{operations a token} = \frac{\gamma \hat c + \gamma + 1}{E}. \tag{Theorem 3.11}$$
#
# ### Exercise 3: Table 1 of the paper
#
# The paper prints this and the speedup for $c = \hat c = 0$. The check is the printed table.


# %%
def operations(alpha: float, gamma: int, c_hat: float) -> float:
    """Operations a token, relative to plain decoding."""
    # BEGIN SOLUTION
    return (gamma * c_hat + gamma + 1) / expected_tokens(alpha, gamma)
    # END SOLUTION


# %%
PRINTED = {(row.alpha, row.gamma): (row.operations, row.speedup) for row in TABLE_1}


def row_of_table(alpha: float, gamma: int) -> tuple[float, float]:
    return round(operations(alpha, gamma, 0.0), 2), round(speedup(alpha, gamma, 0.0), 2)


check(row_of_table, lambda alpha, gamma: PRINTED[alpha, gamma], *PRINTED, close=1e-9)

# %% [markdown]
# What shrinks is the number of *passes*, and each pass reads all weights. So the weights read for a token
# shrink by $E$, while operations grow. That is a good trade wherever reading is what takes the time: one
# user, a large model. It is a bad one wherever the arithmetic is busy already. Part 7 comes back to this.

# %% [markdown]
# ## 4. The best γ
#
# A larger γ gives more tokens a round and a longer round.
#
# ### Exercise 4: search
#
# Return the γ from 0 to 64 with the largest speedup; of equals, the smallest. (There is no closed form.) The
# check knows the best γ behind the paper's Figure 3, where v = 1.


# %%
def best_gamma(alpha: float, c: float) -> int:
    """The fastest γ for v = 1."""
    # BEGIN SOLUTION
    return max(range(65), key=lambda gamma: speedup(alpha, gamma, c))
    # END SOLUTION


# %%
KNOWN = {(alpha, c): gamma for c, row in FIGURE_3.items() for alpha, gamma in row.items()}
check(
    best_gamma,
    lambda alpha, c: KNOWN.get((alpha, c), 0),
    *list(KNOWN)[:8],
    (0.8, 0.2),
    (0.1, 0.2),
    (0.3, 0.3),
)

# %% [markdown]
# The last two: no drafting at all. One draft token gains $\alpha$ tokens and costs $c$. If $\alpha > c$, then
# γ = 1 already gives $\frac{1+\alpha}{1+c} > 1$ (Corollary 3.9). If $\alpha \le c$, no γ helps.
#
# **Predict.** Somebody tells you before each round how many drafts will stand: an *oracle*. You draft just
# these. How much faster is that than the best fixed γ, at α = 0.8 and c = 0.05?

# %%
print("α      c      best γ   speedup   oracle   oracle ÷ best")
for alpha, c in ((0.6, 0.05), (0.8, 0.05), (0.8, 0.02), (0.9, 0.05), (0.95, 0.05)):
    gamma = formulas.optimal_gamma(alpha, c)
    best, oracle = formulas.speedup(alpha, gamma, c), formulas.oracle_speedup(alpha, c)
    print(f"{alpha:<4}   {c:<4}   {gamma:6}   {best:7.2f}   {oracle:6.2f}   {oracle / best:13.2f}")

# %% [markdown]
# The oracle emits $1/(1-\alpha)$ tokens a round and drafts none in vain. No rule for γ can be better, and so
# this is what *adaptive* rules compete for: up to some 60 %. They see the past rounds, or how sure the draft
# is, and get a part of it.

# %% [markdown]
# ## 5. Measure this machine
#
# Now the numbers of *your* machine: passes of the target over 1 to 9 positions, and one step of four drafts.
# *itself* is the target as its own draft. All kinds of passes take turns, so that whatever else your machine
# does hits all alike. The table shows medians and quartiles.
#
# **Predict.** The weights are read once in every pass. Is $v(8)$ near 1, near 9, or where between?


# %%
LENGTH = 18
CHOSEN = ("story-06", "story-12")
stories = [prompt for prompt in built_in() if prompt.name in CHOSEN]
asked = [
    Request(prompt.name, tuple(tokenizer.encode_chat(prompt.text)), LENGTH, GREEDY, seed)
    for seed, prompt in enumerate(stories)
]
DRAFTERS: dict[str, Drafter] = {
    name: make_drafter(name, loaded) for name in ("uniform", "trigram", "stories")
}
DRAFTERS["itself"] = ModelDrafter("itself", model)
WIDTHS = (1, 2, 3, 4, 5, 9)


def measured(kinds: list, repeats: int) -> list[PassTimeRecord]:
    """The times of these passes, in turns."""
    return [made for made in measure_passes(kinds, repeats) if isinstance(made, PassTimeRecord)]


kinds = target_passes(model, FP32, asked[0].prompt, 64, 1, WIDTHS)
for drafter in DRAFTERS.values():
    kinds += draft_steps(drafter, GREEDY, asked[0].prompt, 64, 1)
passes = measured(kinds, 5)
TIMES = {name: times for (name, _, _), times in relative_times(passes).items()}
V = TIMES["trigram"].v  # of γ = 0, 1, …, 8; a straight line where a width was not measured

base = passes[0].seconds
print("a pass of the target                     ms   quartiles        v")
for each in passes[: len(WIDTHS)]:
    quartiles = f"{1000 * each.low:.1f} – {1000 * each.high:.1f}"
    named = f"γ = {each.positions - 1}: {each.positions} position(s)"
    print(f"{named}  {1000 * each.seconds:22.1f}   {quartiles:15}  {each.seconds / base:.2f}")
print("\none step of a draft     c")
for name, times in TIMES.items():
    print(f"{name:20} {times.c:.3f}")

# %% [markdown]
# On a CPU $v$ rises well before γ = 8: the arithmetic of a few rows takes about as long as reading the
# weights. On a large GPU with one user it stays near 1 for long. So Theorem 3.8, which takes $v = 1$, is too
# hopeful here. Note *c* too: a table costs next to nothing, the small model something, and *itself* about 1.
#
# If your quartiles lie far apart, your machine is busy with other work. Run the cell again.
#
# ### Exercise 5: break even
#
# At which $c$ is the speedup exactly 1? Solve $E / (\gamma c + v) = 1$. (A negative answer means that even a
# free draft loses.)


# %%
def break_even(alpha: float, gamma: int, v: float) -> float:
    """The c at which nothing is gained and nothing lost."""
    # BEGIN SOLUTION
    return (expected_tokens(alpha, gamma) - v) / gamma
    # END SOLUTION


# %%
def at_break_even(alpha: float, gamma: int, v: float) -> float:
    return formulas.expected_tokens(alpha, gamma) / (gamma * break_even(alpha, gamma, v) + v)


check(at_break_even, lambda *_: 1.0, (0.8, 4, 1.0), (0.6, 2, 1.3), (0.3, 1, 1.0), (0.2, 4, 1.5), close=1e-9)

# %% [markdown]
# ## 6. Predict, then measure
#
# α first, as in lesson 3: the target writes two stories at temperature 0, and each draft is asked along. The
# two were chosen because the drafts guess them well. Set `CHOSEN` to story-01 and story-02 later, and see
# another end.


# %%
def returned(work: Generator[Any, None, Any]) -> Any:
    """What a generator returns at its end."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            return end.value


GAMMA = 3
SOME = ("trigram", "stories")
ALONG = dict(
    zip(SOME, returned(overlaps(model, asked, FP32, [DRAFTERS[name] for name in SOME])), strict=True)
)
ALPHA = {name: pooled(along)[0] for name, along in ALONG.items()}
print("draft      α      c      v      γ   Theorem 3.8   with v   best γ with v")
for name in SOME:
    alpha, c = ALPHA[name], TIMES[name].c
    paper, ours = (formulas.speedup(alpha, GAMMA, c, v) for v in (1.0, V[GAMMA]))
    best = formulas.optimal_gamma(alpha, c, lambda gamma: V[gamma], len(V) - 1)
    print(
        f"{name:9} {alpha:.2f}   {c:.3f}  {V[GAMMA]:.2f}   {GAMMA}   {paper:11.2f}   {ours:6.2f}   {best:13}"
    )

# %% [markdown]
# **Predict.** Which of the two columns will the measurement come nearer to? Above it or below?
#
# Plain and speculative runs take turns, three times; the ratio is that of the medians. The pass over the
# prompt is left out: both need it.


# %%
def plain_run(some: Sequence[Request]) -> Run:
    return returned(timed(decode(model, [request], FP32, keep_top=2) for request in some))


def speculative_run(name: str, gamma: int, some: Sequence[Request]) -> Run:
    how = Speculative(DRAFTERS[name], Fixed(gamma))
    return returned(timed(speculate(model, [request], FP32, how, keep_top=2) for request in some))


plain_runs: list[Run] = []
own_runs: dict[str, list[Run]] = {name: [] for name in SOME}
for _ in range(3):
    plain_runs.append(plain_run(asked))
    for name, own in own_runs.items():
        own.append(speculative_run(name, GAMMA, asked))


def seconds(runs: Sequence[Run]) -> float:
    """Median seconds a token."""
    return float(np.median([run.seconds_per_token for run in runs]))


MEASURED = {name: seconds(plain_runs) / seconds(own) for name, own in own_runs.items()}
for name, ratio in MEASURED.items():
    print(f"{name:9} measured speedup {ratio:.2f}")

# %% [markdown]
# Now take the difference apart. Three things are not in the formula:
#
# 1. **$v$**: you have seen it.
# 2. **Places are not alike.** Eq. 1 takes α at every place of a window, and independent. A real text has easy
#    and hard passages, and the last window of a text is shorter.
# 3. **The rest of a round**: the rule, the records, the cut of the caches.
#
# ### Exercise 6: tokens by place
#
# `given[i]` is the chance that draft $i$ stands, given that all before it stood. Return the mean tokens of a
# round. If all are α, this is Eq. 1.


# %%
def tokens_by_place(given: list[float]) -> float:
    """1 + the sum over places of the chance that a round gets past it."""
    # BEGIN SOLUTION
    total = reached = 1.0
    for chance in given:
        reached *= chance
        total += reached
    return total
    # END SOLUTION


# %%
check(
    tokens_by_place,
    formulas.expected_tokens_by_position,
    *([0.8] * 4, [0.54, 0.66, 0.74], [], [0.5, 0.0, 1.0], [1.0, 1.0]),
    close=1e-9,
)

# %% [markdown]
# The second case is from a server's log: places of a window pass with 0.54, 0.66 and 0.74. Their mean number
# of tokens is 2.16. Eq. 1 with α = 0.54 says 2.00: too low, since a round that has passed one place stands in
# an easy passage.
#
# Here are your runs, step by step from the theorem to the clock.

# %%
print("                        ", "".join(f"{name:>10}" for name in SOME))
lines: dict[str, list[float]] = {}
for name in SOME:
    own, c, v = own_runs[name], TIMES[name].c, V[GAMMA]
    f = round_figures(own[0].rounds)
    drafted, tokens = f.drafted_per_round, f.tokens_per_round
    figures = [round_figures(run.rounds) for run in own]
    rest = [1 - (g.draft_seconds + g.verify_seconds) / g.seconds for g in figures]
    steps = {
        "tokens a round, Eq. 1": formulas.expected_tokens(ALPHA[name], GAMMA),
        "tokens a round, run": tokens,
        "Theorem 3.8": formulas.speedup(ALPHA[name], GAMMA, c),
        "… with v": formulas.speedup(ALPHA[name], GAMMA, c, v),
        "… and tokens of the run": tokens / (drafted * c + np.interp(drafted, range(len(V)), V)),
        "measured": MEASURED[name],
        "share of time, the rest": float(np.median(rest)),
    }
    for told, number in steps.items():
        lines.setdefault(told, []).append(number)
for told, numbers in lines.items():
    print(f"{told:25}", "".join(f"{number:10.2f}" for number in numbers))

# %% [markdown]
# On a CPU most of the way from Theorem 3.8 to the clock is $v$. The tokens of the run account for another
# part. What remains is the rest of a round, and a clock that is never still: on a busy machine it can be the
# largest part of all.
#
# One part of this can be known *exactly*. At temperature 0 a draft stands or it does not, and the target's
# text is fixed. So the measurement of α already knows at which tokens each round will end: **the number of
# rounds needs no run.**

# %%
ROUNDS = {}
for name in SOME:
    known = sum(expected_cost(text.chances, GAMMA, LENGTH, lambda *_: 1.0) for text in ALONG[name])
    ROUNDS[name] = known, len(own_runs[name][0].rounds)
    print(f"{name:9} rounds: {known:.0f} from the target's own text, {ROUNDS[name][1]} in the run")

# %% [markdown]
# ## 7. Where it loses
#
# **Predict.** Three cases: a draft that knows nothing (*uniform*); a perfect draft that is as slow as the
# target (*itself*); the trigram in a batch of 8. Which of them loses, and by how much?

# %%
one = [Request("short", asked[0].prompt, 10, GREEDY)]
plain_short = seconds([plain_run(one) for _ in range(2)])
print(f"γ = {GAMMA}     α     c      predicted   measured")
for name, alpha in (("uniform", 0.0), ("itself", 1.0)):
    predicted = formulas.speedup(alpha, GAMMA, TIMES[name].c, V[GAMMA])
    ratio = plain_short / seconds([speculative_run(name, GAMMA, one) for _ in range(2)])
    print(f"{name:9} {alpha:.1f}   {TIMES[name].c:.3f}  {predicted:9.2f}   {ratio:8.2f}")

batched = measured(target_passes(model, FP32, asked[0].prompt, 64, 8, (1, GAMMA + 1)), 3)
v_batch = batched[1].seconds / batched[0].seconds
print(f"\nv({GAMMA}): {V[GAMMA]:.2f} in a batch of 1, {v_batch:.2f} in a batch of 8")
for batch, v in ((1, V[GAMMA]), (8, v_batch)):
    predicted = formulas.speedup(ALPHA["trigram"], GAMMA, 0.0, v)
    print(f"the trigram, taken as free, in a batch of {batch}: predicted {predicted:.2f}")

# %% [markdown]
# - *uniform* pays for $v$ and gets one token a round: it loses $1 - 1/v$ and its own steps.
# - *itself* drafts γ tokens at the price of γ. The bonus comes with a pass that is wider, so nothing is won.
# - **In a batch** the rows of all requests share one reading of the weights. With 8 requests a plain pass
#   already has 8 rows, and γ + 1 positions make it 32. The arithmetic is what takes the time now, and $v$
#   rises.
#
# On a GPU the same happens later. The *roofline* says when: a pass takes as long as reading the weights or as
# its arithmetic, whichever is longer. Here is a GPU of 3.35 TB/s and $10^{15}$ operations a second, and a
# model of 7 billion parameters in BF16.

# %%
GPU, SEVEN = Machine(bandwidth=3.35e12, peak=1e15), Target(shared=7e9)
print("α = 0.8, γ = 3, c = 0.05")
print("batch        v   speedup")
for batch in (1, 8, 32, 64, 128, 256, 512):
    v = widening(GPU, SEVEN, batch, 3)
    print(f"{batch:5}   {v:6.2f}   {formulas.speedup(0.8, 3, 0.05, v):7.2f}")

# %% [markdown]
# Up to some batch size nothing changes; then the gain melts, and becomes a loss. A roofline is the best case:
# real machines bend earlier. (And a mixture of experts reads *more* weights for more positions, so its $v$
# rises from the first draft on.)
#
# Before you switch speculation on, know four numbers: α on *your* texts, $c$ and $v(\gamma)$ on *your*
# machine, and your batch size. The pages *What α, γ and c buy* and `python -m lab measure` take them.
#
# ## What you know now
#
# Each of these must hold on every machine.

# %%
# A round gives 1 to γ + 1 tokens.
assert expected_tokens(0.0, 4) == 1
assert expected_tokens(1.0, 4) == 5

# A perfect draft at the target's own price gains nothing; γ = 0 is plain decoding.
assert speedup(1.0, 3, 1.0) == 1
assert speedup(0.7, 0, 0.3) == 1

# α > c: one draft token helps. α ≤ c: none does.
assert speedup(0.4, 1, 0.2) > 1
assert best_gamma(0.2, 0.2) == 0

# Faster in time, and more operations.
assert speedup(0.8, 5, 0.0) > 3.6
assert operations(0.8, 5, 0.0) > 1.6

# No fixed γ beats the oracle.
assert speedup(0.8, best_gamma(0.8, 0.05), 0.05) < formulas.oracle_speedup(0.8, 0.05)

# Where acceptance rises along the window, Eq. 1 with the first place's is too low.
assert tokens_by_place([0.54, 0.66, 0.74]) > expected_tokens(0.54, 3)

# At temperature 0 the number of rounds is known without a run.
assert all(round(known) == made for known, made in ROUNDS.values())
