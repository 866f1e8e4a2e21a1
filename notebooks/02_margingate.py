# %% [markdown]
# # 2. MarginGate
#
# *About 75 minutes. You need the lab's model, SmolLM2-135M (90 MB, fetched once), and no GPU.*
#
# Lesson 1 ended with a token that the size of the batch decides. Here you stop it. **MarginGate**
# (arXiv 2605.30218) decodes in fast BF16 and looks a second time only where the two best logits lie close
# together. You will:
#
# 1. see one prompt get two answers;
# 2. measure how close its calls are;
# 3. prove which calls are safe;
# 4. build the gate;
# 5. break it;
# 6. measure what it catches, and how sure that is;
# 7. find out why it cannot promise 100 %;
# 8. change one thing, and get 100 %;
# 9. count what that costs.
#
# Before most results stands a *prediction*. Write yours down first.

# %%
import sys
from pathlib import Path

# The lab is found from any folder below the repository's root.
sys.path.insert(0, str(next(p for p in [Path.cwd(), *Path.cwd().parents] if (p / "sims").is_dir())))

from collections.abc import Callable
from itertools import product

import numpy as np
import torch
from torch import Tensor

from lab import traces
from lab.decode.margingate.calibrate import clopper_pearson_upper
from lab.decode.margingate.run import committed, run
from lab.decode.margingate.settings import requests_of
from lab.decode.margingate.strategies import FP32_REFERENCE, Gate, Repair, Replay, Strategy
from lab.decode.margingate.watch import watch
from lab.decode.prompt_set import built_in
from lab.decode.sampling import greedy, top
from lab.models.cache import KVCache
from lab.models.loaded import load_model
from lab.numerics.lanes import FP32, bf16_emulated
from lab.numerics.machine import libraries_text
from lab.records import PairRecord, TokenRecord, VerdictRecord, VisitRecord
from notebooks.check import check

ROOT = Path(sys.path[0])
loaded = load_model()
model, tokenizer = loaded.transformer, loaded.tokenizer
print(libraries_text())
print("threads:", torch.get_num_threads(), "· model:", loaded.name, "on", model.device)

# %% [markdown]
# ## 1. One prompt, two answers
#
# Two arithmetics, two **lanes**:
#
# - `BF16`, the fast lane. Values are BF16, sums are FP32, and the order of the sums follows the batch, by
#   rules like a GPU's. Your machine computes this as an emulation, so its *bits* are a GPU's kind and its
#   *speed* is not.
# - `FP32`, the reference lane. Its order of sums never changes, so its tokens do not depend on the batch.
#
# `BF16.pinned(8)` takes the orders of a batch of 8, whatever the size of the pass. A prompt then gets the
# bits that it would get beside seven others, and the seven need not be there: nothing of them enters its
# row but how many they are, and how long the longest is.
#
# The eight prompts below are part of the lab's set of 128. They were chosen because flips happen in them;
# rates over these eight are therefore too high for other prompts.
#
# **Predict.** Each prompt is decoded for 16 tokens, once with the orders of batch 1 and once with those of
# batch 8. In how many of the eight do the two texts part?

# %%
NAMES = (
    *("question-05", "story-01", "story-04", "story-05"),
    *("question-04", "question-06", "code-04", "code-03"),
)
LENGTH = 16
BF16 = bf16_emulated()

prompts = {prompt.name: prompt for prompt in built_in()}
asked = requests_of([prompts[name] for name in NAMES], LENGTH, loaded)
prompt_of = {request.id: request.prompt for request in asked}


def decoded(strategy: Strategy, batch: int) -> list:
    """All records of the eight prompts under one strategy, in the orders of one batch size."""
    steps = run(model, asked, strategy.at(batch), tokenizer)
    return [record for step in steps for record in step.records]


def first_difference(a: list[int], b: list[int]) -> int | None:
    return next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), None)


plain = {batch: decoded(Strategy("bf16", BF16), batch) for batch in (1, 8)}
tokens = {batch: committed(records) for batch, records in plain.items()}
parted = {name: first_difference(tokens[1][name], tokens[8][name]) for name in NAMES}
for name, at in parted.items():
    print(f"{name:14}", "the same" if at is None else f"parts at step {at}")

# %% [markdown]
# Look at one that parts: both texts, and the two best tokens of both runs at that step.

# %%
shown = next((name for name in NAMES if parted[name]), NAMES[0])
at = parted[shown] or 0
print(prompts[shown].text, "\n")
for batch in (1, 8):
    record = next(r for r in plain[batch] if (r.request, r.index) == (shown, at))
    best = ", ".join(f"{c.text!r} {c.logit}" for c in record.top[:2])
    print(f"batch {batch}: {tokenizer.decode(tokens[batch][shown])!r}")
    print(f"         step {at}: {best} → margin {record.margin}\n")

# %% [markdown]
# Up to that step the texts are the same, so both runs computed *the same thing* there. The logits differ by
# a grid step or two, and the order of the two best changes. From then on each run reads its own text, and
# nothing brings them together again.
#
# ## 2. How close are the calls?
#
# The **margin** of a step is its largest logit minus the second largest. A step with a small margin is a
# **near-tie**; margin 0 is an exact tie. Every lane of the lab gives a tie to the lowest token id.
#
# ### Exercise 1: a step's token and margin
#
# `logits` is one row of FP32 numbers. Return the chosen token and the margin. Mind ties: `torch.topk` does
# not say which of two equal logits comes first.


# %%
def call(logits: Tensor) -> tuple[int, float]:
    """The token with the largest logit (a tie goes to the lowest id), and the margin."""
    # BEGIN SOLUTION
    best = logits.topk(2).values
    return int((logits == best[0]).nonzero()[0]), float(best[0] - best[1])
    # END SOLUTION


# %%
def read_prompt(name: str) -> tuple[KVCache, Tensor]:
    """A BF16 cache of one row that holds the prompt, and the logits after it."""
    prompt = prompt_of[name]
    cache = model.new_cache(1, len(prompt) + LENGTH, BF16)
    return cache, model.forward([prompt], cache, BF16)[0].cpu()


def spec_call(logits: Tensor) -> tuple[int, float]:
    values, ids = top(logits[None], 2)
    return int(ids[0, 0]), float(values[0, 0] - values[0, 1])


first_logits = [read_prompt(name)[1] for name in NAMES[:3]]
check(
    call,
    spec_call,
    *(torch.tensor(x) for x in ([1.0, 3.0, 2.5], [1.0, 1.0, 0.0], [0.0, 2.0, 2.0, 2.0], [-1.0, -4.0])),
    *first_logits,
)

# %% [markdown]
# Now all steps. `watch` decodes each prompt in FP32; then BF16, in a real batch of eight, is fed *the same
# tokens* and makes its own choice at every step. So both lanes always stand on one context, and a **flip**
# is a step at which they choose differently.
#
# **Predict.** At which share of the steps is the BF16 margin 0.25 or less? And at which share do the lanes
# choose differently?

# %%
pairs = [r for r in watch(model, asked, BF16, FP32_REFERENCE, tokenizer) if isinstance(r, PairRecord)]
margins = np.array([pair.beside.margin for pair in pairs])
flipped = np.array([pair.flipped for pair in pairs])
reference = {name: [p.alone.token for p in pairs if p.alone.request == name] for name in NAMES}

print(f"{len(pairs)} steps, {flipped.sum()} flips\n")
print("margin at most   share of steps   of all flips")
for x in (0, 0.0625, 0.125, 0.25, 0.5, 1, 2, 4):
    print(f"{x:14}   {np.mean(margins <= x):14.1%}   {flipped[margins <= x].sum():4} of {flipped.sum()}")

# %% [markdown]
# Near-ties are rare, and the flips are all among them. That is the idea of the gate: **look again only
# where the margin is at most a threshold τ.**
#
# ## 3. Which calls are safe?
#
# Say that the batch changes no logit by more than $\varepsilon$. In the worst case the best logit falls by
# $\varepsilon$ and another rises by $\varepsilon$. For every token $j$ other than the best one:
#
# $$\ell_1 - \varepsilon > \ell_j + \varepsilon \iff \ell_1 - \ell_j > 2\varepsilon.$$
#
# So a margin above $2\varepsilon$ cannot flip. What happens at exactly $2\varepsilon$ depends on the tie.
#
# ### Exercise 2: can it flip?
#
# Return True if *some* change of at most $\varepsilon$ a logit makes another token win. The check does not
# argue: it tries every combination of $-\varepsilon$, 0 and $+\varepsilon$, all $3^V$ of them. (A change in
# between does no more than one at the ends.)


# %%
def can_flip(logits: tuple[float, ...], epsilon: float) -> bool:
    """Whether changes of at most epsilon a logit can change the choice (a tie goes to the lowest id)."""
    # BEGIN SOLUTION
    best = max(range(len(logits)), key=lambda i: (logits[i], -i))
    worst = logits[best] - epsilon
    others = [(x + epsilon, i) for i, x in enumerate(logits) if i != best]
    return any(x > worst or (x == worst and i < best) for x, i in others)
    # END SOLUTION


# %%
def every_change(logits: tuple[float, ...], epsilon: float) -> bool:
    changes = torch.tensor(list(product((-epsilon, 0.0, epsilon), repeat=len(logits))))
    return len(greedy(torch.tensor(logits) + changes).unique()) > 1


check(
    can_flip,
    every_change,
    ((2.0, 1.0, 0.0, 0.5), 0.25),
    ((2.0, 1.0, 0.0, 0.5), 0.75),
    ((2.0, 1.0, 0.0, 0.5), 0.5),
    ((1.0, 2.0, 0.0, 0.5), 0.5),
    ((0.5, 0.5, 0.5), 0.0),
    ((0.0, 3.0, 2.75, 2.875, 1.0), 0.0625),
    ((0.0, 3.0, 2.75, 2.5, 1.0), 0.0625),
)

# %% [markdown]
# Cases 3 and 4 have a margin of exactly $2\varepsilon$. The worst change ends in a tie, and the lowest id
# wins it: in case 3 that is the old winner, in case 4 the other token.
#
# The paper suggests $\tau = 2\varepsilon$ as a start. Now measure $\varepsilon$.
#
# **Predict.** Which share of the steps would $\tau = 2\varepsilon$ flag?

# %%
deltas = np.array([pair.max_delta for pair in pairs])
EPSILON = deltas.max()


def gain(pair: PairRecord) -> float:
    """By how much the runner-up of the FP32 lane gains on its winner in BF16; NaN if not in its top 5."""
    beside = {candidate.token: candidate.logit for candidate in pair.beside.top}
    first, second = pair.alone.top[:2]
    nothing = float("nan")
    return beside.get(second.token, nothing) - beside.get(first.token, nothing) + pair.alone.margin


gains = np.array([gain(pair) for pair in pairs])
print(f"largest change of any logit   ε = {EPSILON:.2f}   (median over steps {np.median(deltas):.2f})")
print(f"a gate at 2ε = {2 * EPSILON:.2f} flags      {np.mean(margins <= 2 * EPSILON):.0%} of the steps")
print(f"the largest margin that flipped   {margins[flipped].max(initial=0):g}")
print(f"what the runner-up gained: median {np.nanmedian(abs(gains)):.2f}, at most {np.nanmax(gains):.2f}")

# %% [markdown]
# $2\varepsilon$ is safe, and far too careful, for three reasons:
#
# - $\varepsilon$ is the worst of 49,152 logits. The worst one is hardly ever among the two best.
# - Only the **difference** of the two best counts. A change that both share cancels, and the difference
#   moves by much less than $2\varepsilon$: see the last line.
# - $\varepsilon$ is the worst step of all. A typical step has about a third of it.
#
# So $\tau$ is chosen from the flips themselves (part 6). The price: a flip may escape, and no inequality
# forbids it.
#
# ## 4. Build the gate
#
# Greedy decoding with a cache is a loop: feed the last token, get logits, choose. A step at position `at`
# writes one **column** of keys and values, the column of the token that was fed. The gate adds, after each
# step:
#
# 1. **flag** the step if its margin is at most τ;
# 2. if flagged, **verify**: copy the K/V before `at` into a scratch cache, feed the same token there in
#    FP32, and take FP32's choice;
# 3. on a mismatch, **repair**: commit FP32's token, and put FP32's column, rounded to BF16, in place of the
#    fast lane's.
#
# ### Exercise 3: the repair
#
# Both caches have one row, row 0. Replace the column at position `at` of `cache` by that of `scratch`,
# rounded to BF16. `scratch.column(0, at)` gives the pair k, v; `cache.replace_column(0, at, k, v)`
# overwrites one column in every layer; `BF16.round(k)` rounds.


# %%
def repair(cache: KVCache, scratch: KVCache, at: int) -> None:
    """Put FP32's column in place of the fast lane's."""
    # BEGIN SOLUTION
    k, v = scratch.column(0, at)
    cache.replace_column(0, at, BF16.round(k), BF16.round(v))
    # END SOLUTION


# %%
def after(repair_of: Callable[[KVCache, KVCache, int], None], at: int) -> np.ndarray:
    """The fast lane's K and V of a prompt, repaired at one position with what FP32 computes there."""
    cache, _ = read_prompt(NAMES[0])
    scratch = model.new_cache(1, cache.capacity, FP32)
    model.forward([prompt_of[NAMES[0]]], scratch, FP32)
    repair_of(cache, scratch, at)
    return torch.stack([cache.k, cache.v]).cpu().numpy()


def spec_repair(cache: KVCache, scratch: KVCache, at: int) -> None:
    cache.k[..., at, :] = scratch.k[..., at, :].bfloat16().float()
    cache.v[..., at, :] = scratch.v[..., at, :].bfloat16().float()


check(lambda at: after(repair, at), lambda at: after(spec_repair, at), 7, 12)

# %% [markdown]
# ### Exercise 4: the gate
#
# Three blanks. You need:
#
# - `call(logits)`, your own;
# - `scratch.copy(cache, 0, 0, slice(0, n))`: copies the first `n` positions; then `scratch.lengths[0] = n`
#   says that they count;
# - `model.forward([[token]], scratch, FP32)[0].cpu()`: feeds one token in FP32 and gives the logits;
# - `repair`, your own.


# %%
def gated(name: str, tau: float, batch: int) -> list[tuple[int, bool]]:
    """Decode one prompt behind a gate: for every step the committed token, and whether it was flagged."""
    lane = BF16.pinned(batch)
    cache, logits = read_prompt(name)
    fed, steps = prompt_of[name][-1], []
    while True:
        token, flagged = int(greedy(logits)), False
        # Blank 1: set `flagged`.
        # BEGIN SOLUTION
        flagged = call(logits)[1] <= tau
        # END SOLUTION
        if flagged:
            at = cache.lengths[0] - 1  # the column that this step has written: that of `fed`
            scratch = model.new_cache(1, cache.capacity, FP32)
            verdict = token
            # Blank 2: set `verdict` to FP32's choice after the K/V before `at` and the token `fed`.
            # BEGIN SOLUTION
            scratch.copy(cache, 0, 0, slice(0, at))
            scratch.lengths[0] = at
            verdict = int(greedy(model.forward([[fed]], scratch, FP32)[0].cpu()))
            # END SOLUTION
            if verdict != token:
                # Blank 3: commit the verdict and repair the cache.
                # BEGIN SOLUTION
                token = verdict
                repair(cache, scratch, at)
                # END SOLUTION
        steps.append((token, flagged))
        if len(steps) == LENGTH or token in model.config.eos_ids:
            return steps
        fed = token
        logits = model.forward([[fed]], cache, lane)[0].cpu()


# %%
def lab_gated(name: str, tau: float, batch: int) -> list[tuple[int, bool]]:
    """The lab's own gate on the same prompt."""
    one = [request for request in asked if request.id == name]
    steps = run(model, one, Strategy("gate", BF16, Repair(Gate(tau))).at(batch))
    records = [record for step in steps for record in step.records]
    looked = {record.index for record in records if isinstance(record, VerdictRecord)}
    return [(token, index in looked) for index, token in enumerate(committed(records)[name])]


check(gated, lab_gated, (shown, 0.125, 8), (NAMES[-1], 0.5, 1))

# %% [markdown]
# The lab's gate takes many prompts at once and verifies the flagged rows of a step in one pass. It makes
# the same tokens as yours, so the rest of the lesson uses it.
#
# ## 5. Break it
#
# **Predict.** Between 16 and 32 BF16 logits lie on a grid of 0.125. Which steps does a gate at τ = 0.03
# flag there? Will it miss a flip?

# %%
gates = {tau: decoded(Strategy("gate", BF16, Repair(Gate(tau))), 8) for tau in (0.03, 0.25, 1.0)}


def report(records: list) -> None:
    """Print where each prompt leaves the FP32 reference, and whether the gate had looked there."""
    made = committed(records)
    left = {name: first_difference(made[name], reference[name]) for name in NAMES}
    fast = {(r.request, r.index): r for r in records if isinstance(r, TokenRecord)}
    looked = {(r.request, r.index) for r in records if isinstance(r, VerdictRecord)}
    for name, at in left.items():
        if at is not None:
            told = "looked, and let it pass" if (name, at) in looked else "did not look"
            margin = fast[name, at].margin
            print(f"  {name:14} leaves FP32 at step {at:2}, margin {margin:<7g} the gate {told}")
    print(f"  {sum(at is None for at in left.values())} of {len(NAMES)} are FP32's sequence\n")


print("no gate")
report(plain[8])
print("τ = 0.03")
report(gates[0.03])

# %% [markdown]
# On that grid a margin is 0, or at least 0.125: τ = 0.03 flags exact ties and hardly anything else. A flip
# at 0.125 **escapes**.
#
# A missed flip is not one wrong token. It is committed, it is fed, and every later step stands on it. The
# gate goes on looking, and it now compares FP32 with BF16 *on the wrong text*. It can never notice.
#
# You will also see a line that says *looked, and let it pass*. Keep it for part 7.
#
# ## 6. What does it catch, and how sure is that?
#
# Three numbers describe a gate, all on the pairs of part 2, where both lanes stand on one context:
#
# - **trigger rate**: flagged steps ÷ steps;
# - **catch rate**: flagged flips ÷ flips;
# - **escapes**: flips that are not flagged.
#
# Choose τ on one set of prompts and report on *another*. A threshold always looks good on the flips that it
# was chosen from. Here your eight prompts are for choosing, and a recorded run on others of the set is for
# reporting.

# %%
recorded = traces.read(ROOT / "apps" / "recordings" / "gate.jsonl")
others = [r for r in recorded.records if isinstance(r, PairRecord) and r.beside.request not in NAMES]
print(f"recorded: {recorded.info.model}, {recorded.info.lane}, on {recorded.info.machine}\n")
print("      τ   trigger    caught          trigger    caught")
print("          rate       (your eight)    rate       (recorded)")
for tau in (0.03, 0.0625, 0.125, 0.25, 0.5, 1.0):
    line = f"{tau:7}"
    for some in (pairs, others):
        flagged = np.array([pair.beside.margin <= tau for pair in some])
        flips = np.array([pair.flipped for pair in some])
        line += f"   {flagged.mean():7.1%}    {(flips & flagged).sum():2} of {flips.sum():2}     "
    print(line)

flagged_steps = {pair.index for pair in pairs if pair.beside.margin <= 0.25}
print(f"\nτ = 0.25: {len(flagged_steps)} of the {LENGTH} steps of the batch have a flagged row")

# %% [markdown]
# The last line is what a server feels. A pass of the verifier runs when *any* of the eight rows is flagged,
# and that happens far more often than a row is.
#
# “No escape in $n$ steps” does not mean “no escapes”. If a step escapes with probability $p$, then $n$
# steps in a row pass without one with probability $(1-p)^n$. The **upper 95 % bound** is the largest $p$
# for which that is still at least 5 %.
#
# ### Exercise 5: the bound for nothing seen
#
# Solve $(1-p)^n = 0.05$ for $p$.


# %%
def bound(n: int) -> float:
    """The upper 95 % bound on the escape rate after 0 escapes in n steps."""
    # BEGIN SOLUTION
    return 1 - 0.05 ** (1 / n)
    # END SOLUTION


# %%
check(bound, lambda n: clopper_pearson_upper(0, n), 1, 10, len(pairs), len(others), 4096, close=1e-9)

# %% [markdown]
# For large $n$ this is nearly $3/n$, the *rule of three*. (For other counts Clopper and Pearson solve the
# same equation with the binomial sum.) For 300 steps it is 1 %: about the flip rate itself. So a few
# hundred steps can show that a gate is bad. To show that it is good takes many thousands, on *your* model
# and *your* prompts. And steps of one text are not independent, so the true bound is a little worse.
#
# ## 7. Why a larger τ does not give 100 %
#
# **Predict.** τ = 0.03 missed a flip. How many of the eight sequences does τ = 0.25 get right? And τ = 1?

# %%
for tau, records in gates.items():
    print(f"τ = {tau}: {sum(isinstance(r, VerdictRecord) for r in records)} steps verified")
    report(records)

# %% [markdown]
# Some sequences stay wrong, whatever τ. And there the gate *looked*: the step was flagged, FP32 computed it
# again, and FP32 itself gave the wrong token. How can FP32 disagree with FP32?
#
# It computes one column in FP32. All columns before it are the fast lane's: BF16, never verified, never
# repaired, for a flip is rare and only its own column is replaced. Measure what that does to the logits.

# %%
fast_cache, _ = read_prompt(NAMES[0])
own_cache = model.new_cache(1, fast_cache.capacity, FP32)
model.forward([prompt_of[NAMES[0]]], own_cache, FP32)
mixed_cache = model.new_cache(1, fast_cache.capacity, FP32)
apart = {"BF16": [], "FP32 over the fast lane's K/V": []}
for token in reference[NAMES[0]][:12]:
    n = fast_cache.lengths[0]
    mixed_cache.copy(fast_cache, 0, 0, slice(0, n))
    mixed_cache.lengths[0] = n
    own = model.forward([[token]], own_cache, FP32)
    fast = model.forward([[token]], fast_cache, BF16.pinned(8))
    mixed = model.forward([[token]], mixed_cache, FP32)
    for told, logits in zip(apart, (fast, mixed), strict=True):
        apart[told].append(float((logits - own).abs().max()))
for told, values in apart.items():
    print(f"{told:30} largest change of a logit: {np.median(values):.2f} (median over {len(values)} steps)")

# %% [markdown]
# The verifier is closer to the reference than BF16 is, and not close. Most of the error sits in the K/V
# that it reads. Near a tie its verdict is a coin that is only a little better than the one it checks. A
# larger τ asks the same verifier more often; it does not give it better K/V.
#
# (The paper reports 100 % for its models and settings. It is a measurement there, not a consequence; here
# the same rule does not reach it.)
#
# ## 8. Replay: the verifier gets a cache of its own
#
# Change one thing. The verifier keeps an FP32 cache of the *committed* tokens. When the gate asks, it feeds
# **every** token since its last visit, in one pass, and so has FP32's choice after each of them. It commits
# up to the first mismatch, puts its own token there, and the rest is rolled back.
#
# The pass also feeds the newest token, so FP32 makes one choice more than there are tokens to verify. If
# all of them agree, this choice is a **bonus**: a token that the fast lane need not make. (Lesson 3 builds
# speculative decoding on just this.)
#
# ### Exercise 6: what a visit commits
#
# `fast` are the tokens since the last visit. `checked` is FP32's choice at each of their positions, and one
# more. Return the tokens that are committed. Why is nothing of `checked` behind the first mismatch of use?


# %%
def commit(fast: list[int], checked: list[int]) -> list[int]:
    """The tokens that are right for certain."""
    # BEGIN SOLUTION
    same = next((i for i, (a, b) in enumerate(zip(fast, checked[:-1], strict=True)) if a != b), len(fast))
    return checked[: same + 1]
    # END SOLUTION


# %%
def spec_commit(fast: list[int], checked: list[int]) -> list[int]:
    return [right for i, right in enumerate(checked) if fast[:i] == checked[:i]]


check(
    commit,
    spec_commit,
    ([5, 7, 9], [5, 7, 9, 2]),
    ([5, 7, 9], [5, 7, 8, 2]),
    ([5, 7, 9, 4], [5, 6, 9, 4, 3]),
    ([5, 7, 9, 4], [1, 7, 9, 4, 3]),
    ([3], [3, 8]),
)

# %% [markdown]
# Behind the first mismatch FP32 was fed a token that is now taken back, so its choices there belong to
# another text.
#
# Every visit commits at least one token, so decoding always goes on. And every committed token is FP32's
# choice after committed tokens: the first by the prompt, each further one by those before it. By induction
# the sequence is the FP32 reference's. **Where the gate looks does not enter this argument.** One last
# visit at the end verifies what is left.
#
# **Predict.** How many of the eight are right at τ = 0.03, at 0.25, at 1? What does τ still change?

# %%
settings = (
    *(Gate(0.03), Gate(0.25), Gate(1.0)),
    *(Gate(None, window=12), Gate(0.25, window=12, pass_size=16)),
)
replays = {gate: decoded(Strategy("replay", BF16, Replay(gate)), 8) for gate in settings}


def right(records: list) -> str:
    made = committed(records)
    return f"{sum(made[name] == reference[name] for name in NAMES)} of {len(NAMES)}"


for gate, records in replays.items():
    told = f"τ = {gate.tau!s:5} window {gate.window!s:5} pass {gate.pass_size:2}"
    print(f"{told}: {right(records)} are FP32's sequence")

# %% [markdown]
# A `window` of 12 asks for a look as soon as 12 tokens of a row are unverified (None: at its end only).
# With τ = None there is no gate but the window, as in LLM-42 (arXiv 2601.17768). With `pass_size` 16,
# flagged rows wait until a pass has 16 positions, and decode on meanwhile.
#
# All of them are right. The gate decides *when* to look, no longer *whether*.
#
# ## 9. What it costs
#
# A **pass** of the verifier reads all weights once. Each **position** in it costs arithmetic. On a GPU with
# few rows the reading dominates, so ten positions in one pass cost little more than one. **Rolled-back**
# tokens are fast steps for nothing: the longer a flip goes unseen, the more of them. A bonus saves a fast
# step.
#
# **Predict.** Which of these has the fewest passes? Which the fewest rolled-back tokens?

# %%
rows = {f"repair, τ = {tau}": records for tau, records in gates.items()}
for gate, records in replays.items():
    rows[f"replay, τ = {gate.tau}, window {gate.window}, pass {gate.pass_size}"] = records

print(f"{'':38} passes  positions  rolled back  bonus  right")
for told, records in rows.items():
    visits = [record for record in records if isinstance(record, VisitRecord) and not record.prompt]
    positions = sum(visit.positions for visit in visits)
    verdicts = [record for record in records if isinstance(record, VerdictRecord)]
    lost, bonus = sum(verdict.dropped for verdict in verdicts), sum(verdict.bonus for verdict in verdicts)
    print(f"{told:38} {len(visits):6}  {positions:9}  {lost:11}  {bonus:5}  {right(records)}")

# %% [markdown]
# How to choose:
#
# - **Repair** verifies the fewest positions. Take it where “nearly always the same” is enough, and say so.
# - **Replay** verifies every position once, and that is the price of certainty. A small τ gathers them in
#   few passes, and an escaped flip is found late: more is rolled back. A large τ finds flips at once and
#   pays with passes. τ near the largest margin that flips (0.125 to 0.25 here) gets most of both.
# - Without a gate (τ = None) every flip waits for the window, and the most is rolled back.
# - The **window** bounds how long a token stays unverified. That is also how long a user waits before it
#   may be shown for certain. It also bounds what one flip can cost.
# - The **pass size** lets flagged rows wait for each other. Passes fall again, and rollbacks rise a little.
#
# The page *What does determinism cost?* measures times, over all three, beside the other strategies.
#
# ## What you know now
#
# Each of these must hold on every machine.

# %%
# A tie goes to the lowest id, and its margin is 0.
assert call(torch.tensor([0.0, 2.0, 2.0])) == (1, 0.0)

# Above 2ε nothing flips; at exactly 2ε the tie decides.
assert not can_flip((2.0, 0.75, 0.0), 0.5)
assert not can_flip((2.0, 1.0, 0.0), 0.5)
assert can_flip((1.0, 2.0, 0.0), 0.5)

# Your gate is the lab's; a gate that never looks is the fast lane.
assert [token for token, _ in gated(shown, -1.0, 1)] == tokens[1][shown]

# Nothing seen in n steps is not nothing: the bound is nearly 3 / n.
assert abs(bound(1000) - 3 / 1000) < 1e-5

# A visit commits at least one token, and the verifier's at the first mismatch.
assert commit([5, 7, 9], [5, 6, 9, 2]) == [5, 6]

# No flip's margin is above 2ε.
assert all(margins[flipped] <= 2 * EPSILON)

# Replay gives the reference's sequences, whatever the gate.
for records in replays.values():
    assert committed(records) == reference
