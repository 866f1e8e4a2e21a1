# %% [markdown]
# # 3. Speculative decoding
#
# *About 75 minutes. You need the lab's model, SmolLM2-135M (90 MB, fetched once), and no GPU.*
#
# A language model writes one token a pass, and each pass reads all its weights. **Speculative decoding**
# (Leviathan, Kalman and Matias, ICML 2023; Chen et al., 2023) lets a cheap *draft* guess a few tokens, and
# the model, now the *target*, checks all of them in one pass. The text that comes out has exactly the law
# of the target's own text. You will:
#
# 1. see why one pass can check many tokens;
# 2. derive the rule for one token, and prove it;
# 3. see why it also works at temperature 0;
# 4. find a mistake in a round of many tokens, and mend it;
# 5. make one round of a real model by hand;
# 6. keep two caches right;
# 7. compare greedy texts, token by token;
# 8. measure how good a draft is, and avoid a number that looks like it.
#
# Before most results stands a *prediction*. Write yours down first.

# %%
import sys
from pathlib import Path

# The lab is found from any folder below the repository's root.
sys.path.insert(0, str(next(p for p in [Path.cwd(), *Path.cwd().parents] if (p / "sims").is_dir())))

from collections.abc import Callable, Generator, Sequence
from typing import Any

import numpy as np
import torch

from lab.decode.batching import decode
from lab.decode.prompt_set import built_in
from lab.decode.requests import Request
from lab.decode.sampling import GREEDY, Draws, Sampling, law
from lab.decode.speculative import rule
from lab.decode.speculative.agreement import overlaps, pooled
from lab.decode.speculative.drafters import ModelDrafter
from lab.decode.speculative.figures import round_figures
from lab.decode.speculative.how import Speculative
from lab.decode.speculative.making import make_drafter
from lab.decode.speculative.policy import Fixed
from lab.decode.speculative.rounds import speculate
from lab.models.loaded import load_model
from lab.numerics.lanes import FP32
from lab.numerics.machine import libraries_text
from lab.round_records import RoundRecord
from notebooks.check import check
from sims import acceptance
from sims.mistakes import RULES
from sims.rounds import simulate

loaded = load_model()
model, tokenizer = loaded.transformer, loaded.tokenizer
print(libraries_text())
print("threads:", torch.get_num_threads(), "· model:", loaded.name, "on", model.device)

# %% [markdown]
# ## 1. One pass checks many tokens
#
# Feed a model five tokens at once, and it gives five rows of logits: row $i$ belongs to the text that ends
# with token $i$. Decoding uses the last row alone. The others come for free, and they are what a check of
# *given* tokens needs.
#
# **Predict.** Five tokens are fed in one pass, and then the same five one by one. Are the rows of logits the
# same numbers, in the lab's FP32 lane?

# %%
LENGTH = 24
stories = [prompt for prompt in built_in() if prompt.kind == "story"][:3]
prompt_ids = {prompt.name: tuple(tokenizer.encode_chat(prompt.text)) for prompt in stories}
prompt = prompt_ids[stories[0].name]

guessed = tokenizer.encode("Once upon a time,")[:5]
cache = model.new_cache(1, len(prompt) + LENGTH, FP32)
model.forward([prompt], cache, FP32)
together = model.forward([guessed], cache, FP32, every_position=True).cpu()
cache.truncate([0], [len(prompt)])  # forget the five
apart = torch.cat([model.forward([[token]], cache, FP32).cpu() for token in guessed])
largest = float((together - apart).abs().max())
print(f"{len(guessed)} rows of {together.shape[1]} logits; largest difference {largest:g}")

# %% [markdown]
# The FP32 lane adds every row in one fixed order, so nothing differs. (In BF16 on a GPU it does: five rows
# are another batch shape than one. That is lesson 1's subject, and it comes back in part 7.)
#
# Five rows cost less time than five passes, for the weights are read once. *How much* less is measured in
# lesson 4. First: what may be done with these rows?

# %% [markdown]
# ## 2. The rule for one token
#
# $p$ is the target's law of the next token, $q$ the draft's. (Chen et al. use the letters the other way
# round.) The draft draws $x$ from $q$. We may look at $p$ and decide. At the end a token must come out
# whose law is $p$, not $q$.
#
# Where the draft proposes $x$ too often, $q(x) > p(x)$, keep it only sometimes: with chance $p(x)/q(x)$.
# Where it proposes $x$ too rarely, keep it always. So **accept with chance $\min(1,\, p(x)/q(x))$**. In
# practice: draw $u$ from $[0, 1)$, accept if $u < p(x)/q(x)$.
#
# Token $x$ is drafted *and* accepted with chance
#
# $$q(x)\,\min\!\big(1, \tfrac{p(x)}{q(x)}\big) = \min(p(x), q(x)).$$
#
# To reach $p(x)$, this is missing:
#
# $$p(x) - \min(p(x), q(x)) = \max(0,\, p(x) - q(x)).$$
#
# It must come from the rejections. Their total chance is $1 - \beta$ with $\beta = \sum_x \min(p, q)$, and
# the missing parts add up to $1 - \beta$ too. So after a rejection draw from the **residual**
#
# $$p'(x) = \frac{\max(0,\, p(x) - q(x))}{\sum_y \max(0,\, p(y) - q(y))}.$$
#
# ### Exercise 1: the residual
#
# Mind one case: if $p = q$, nothing is missing, and nothing is ever rejected. Return $p$ then, not 0/0.


# %%
def residual(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """The law of the token after a rejection, for laws p and q (V,)."""
    # BEGIN SOLUTION
    missing = np.maximum(0.0, p - q)
    return missing / missing.sum() if missing.sum() > 0 else p
    # END SOLUTION


# %%
LAWS = (  # pairs p, q over four tokens
    (np.array([0.5, 0.3, 0.2, 0.0]), np.array([0.2, 0.4, 0.1, 0.3])),
    (np.array([0.1, 0.2, 0.3, 0.4]), np.array([0.1, 0.2, 0.3, 0.4])),
    (np.array([0.5, 0.5, 0.0, 0.0]), np.array([0.0, 0.0, 0.7, 0.3])),
    (np.array([0.0, 1.0, 0.0, 0.0]), np.array([0.3, 0.4, 0.2, 0.1])),
    (np.array([0.25, 0.25, 0.25, 0.25]), np.array([0.97, 0.01, 0.01, 0.01])),
)
check(residual, acceptance.residual, *LAWS, close=1e-12)

# %% [markdown]
# ### Exercise 2: the law that comes out
#
# Do not draw. *Add up* every way in which a token can come out: drafted and accepted, or drawn after a
# rejection. The check knows nothing of your formula. It asks whether you get $p$.


# %%
def emitted(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """The law (V,) of the token that the rule gives."""
    # BEGIN SOLUTION
    accepted = np.minimum(p, q)
    return accepted + (1 - accepted.sum()) * residual(p, q)
    # END SOLUTION


# %%
check(emitted, lambda p, q: p, *LAWS, close=1e-12)

# %% [markdown]
# This is a proof for these five pairs, and the formulas above are one for all pairs. A sum over every way
# has no sampling error: a wrong rule cannot hide in noise. Here are wrong rules that have stood in real
# programs.
#
# **Predict.** Which of them has the smallest error? (The error is the total variation
# $\tfrac12\sum|\text{law} - p|$: no event has a chance that is off by more.)

# %%
print("                     chance to accept   error")
for name, parts in ((name, make(*LAWS[0])) for name, make in RULES.items()):
    print(f"{name:20} {parts.acceptance:17.2f}   {parts.error(LAWS[0][0]):.3f}")

# %% [markdown]
# A small error is the dangerous kind: texts look fine. `correct-from-target` is the most natural mistake:
# after a rejection, why not simply draw from $p$? Because the tokens that the draft likes have had their
# share already.

# %% [markdown]
# ## 3. Temperature 0
#
# Greedy decoding is a law too: one-hot on the largest logit. Nothing new is needed.
#
# **Predict.** $p$ is one-hot on token 1, and the draft still *draws* from $q$. When is token $x$ accepted?
# What is the residual? What is $\beta$?

# %%
for q in (np.array([0.3, 0.4, 0.2, 0.1]), np.array([0.0, 1.0, 0.0, 0.0]), np.array([1.0, 0.0, 0.0, 0.0])):
    p = np.array([0.0, 1.0, 0.0, 0.0])
    chances = [f"{chance:g}" for chance in acceptance.acceptance(p, q)]
    left = acceptance.residual(p, q)
    print(f"q = {q}: accept with {', '.join(chances)}; residual {left}; β = {acceptance.overlap(p, q):g}")

# %% [markdown]
# The ratio $p/q$ is 0 for every token but the target's own, and at least 1 for that one. So the rule becomes:
# *accept if it is the target's choice; else emit the target's choice*. A greedy draft is best here, since
# one-hot against one-hot has the largest $\beta$ that a guess can have.
#
# (Chances where $q$ is 0 do not matter: such a token is never drafted. And $u < p/q$ is strict: with
# $u \le p/q$, a token with $p = 0$ would pass at $u = 0$.)
#
# The same holds for top-k, top-p and any other transform: $p$ and $q$ are the laws *after* it, and the rule
# never asks how they were made. But $q$ must be the law that the draft really drew from.

# %% [markdown]
# ## 4. A round, and a mistake in it
#
# A **round**: draft γ tokens, verify them in one pass, keep them up to the first rejection. There the
# correction comes, from the residual. If all γ stand, the pass has one row more, and a **bonus** token is
# drawn from it. So a round emits 1 to γ + 1 tokens.
#
# To test a round exactly, we run it in *every* way that it can go. The code asks `chance` whenever it draws
# or accepts. `every_way` follows each answer in turn and multiplies the chances.

# %%
Tokens = tuple[int, ...]


class Chance:
    """One way through a random program: choices as told, then the first of each further one."""

    def __init__(self, told: list[int]) -> None:
        self.told, self.chance = told, 1.0
        self.taken: list[int] = []  # which of the options, choice by choice
        self.options: list[int] = []  # how many there were
        self.answers: list[int] = []  # the tokens; for a test 1 or 0

    def draw(self, law: Sequence[float]) -> int:
        """A token of this law."""
        possible = [token for token, chance in enumerate(law) if chance > 0]
        place = self.told[len(self.taken)] if len(self.taken) < len(self.told) else 0
        self.taken.append(place)
        self.options.append(len(possible))
        self.answers.append(possible[place])
        self.chance *= float(law[possible[place]])
        return possible[place]

    def accept(self, chance: float) -> bool:
        """True with this chance."""
        return self.draw([1 - chance, chance]) == 1


def every_way(program: Callable[[Chance], Tokens]) -> dict[Tokens, float]:
    """The chance of each result of a random program, exactly."""
    results: dict[Tokens, float] = {}
    told: list[int] | None = []
    while told is not None:
        way = Chance(told)
        result = program(way)
        results[result] = results.get(result, 0.0) + way.chance
        told = way.taken
        while told and told[-1] + 1 == way.options[len(told) - 1]:
            told = told[:-1]  # all options of the last choice are done
        told = [*told[:-1], told[-1] + 1] if told else None
    return results


# Laws of the next token over a vocabulary of four: row t is the law after token t.
P = np.array([[0.5, 0.3, 0.2, 0.0], [0.1, 0.6, 0.1, 0.2], [0.25, 0.25, 0.25, 0.25], [0.0, 0.2, 0.3, 0.5]])
Q = np.array([[0.2, 0.4, 0.1, 0.3], [0.3, 0.3, 0.4, 0.0], [0.7, 0.1, 0.1, 0.1], [0.0, 0.0, 0.0, 1.0]])
GREEDY_P = np.eye(4)[[1, 2, 0, 3]]
print(every_way(lambda chance: (chance.draw(P[0]),)))

# %% [markdown]
# Here is a round as one finds it written. `target` and `draft` are tables such as `P` and `Q`. Read it, and
# do not run it yet.
#
# **Predict.** Is it exact?


# %%
def listing(chance: Chance, target: np.ndarray, draft: np.ndarray, text: Tokens, gamma: int) -> Tokens:
    """One round: the tokens that it emits after `text`."""
    window: Tokens = ()
    for _ in range(gamma):
        window = (*window, chance.draw(draft[(text + window)[-1]]))
    laws = [target[(text + window[:i])[-1]] for i in range(gamma + 1)]  # of a real model: one pass

    out: Tokens = ()
    for i, token in enumerate(window):
        p, q = laws[i], draft[(text + window[:i])[-1]]
        if chance.accept(min(1.0, p[token] / q[token])):
            out = (*out, token)
        else:
            out = (*out, chance.draw(acceptance.residual(p, q)))
            break
    if len(out) == gamma:  # the whole window: the last law gives one more
        out = (*out, chance.draw(laws[gamma]))
    return out


# %% [markdown]
# An exactness test for rounds. Rounds emit different numbers of tokens, so we let the *target* go on after
# each until there are $\gamma + 1$ tokens, and compare the law of these with the target's own.

# %%
Round = Callable[[Chance, np.ndarray, np.ndarray, Tokens, int], Tokens]


def law_of_next(one_round: Round, target: np.ndarray, draft: np.ndarray, gamma: int) -> np.ndarray:
    """The law (4, …, 4) of the first γ + 1 tokens after token 0."""

    def program(chance: Chance) -> Tokens:
        made = one_round(chance, target, draft, (0,), gamma)
        while len(made) <= gamma:
            made = (*made, chance.draw(target[((0, *made))[-1]]))
        return made

    out = np.zeros((4,) * (gamma + 1))
    for tokens, chance in every_way(program).items():
        out[tokens] += chance
    return out


def own_law(target: np.ndarray, gamma: int) -> np.ndarray:
    """The target's own: no drafts."""
    return law_of_next(lambda *_: (), target, target, gamma)


def error(one_round: Round, target: np.ndarray, draft: np.ndarray, gamma: int) -> float:
    """Total variation between what rounds give and the target's own."""
    return float(abs(law_of_next(one_round, target, draft, gamma) - own_law(target, gamma)).sum() / 2)


FORGETFUL = np.tile(P[0], (4, 1))  # a target that never looks at the text
print("error of the listing     γ = 1    γ = 2    γ = 3")
for name, table in {
    "a target that reads": P,
    "at temperature 0": GREEDY_P,
    "one that never does": FORGETFUL,
}.items():
    print(f"{name:22}", *(f"{error(listing, table, Q, gamma):8.4f}" for gamma in (1, 2, 3)))

# %% [markdown]
# It is not exact, not even at temperature 0. And note the last line: with a target that does not read its
# text, the mistake is *invisible*. A test whose laws do not depend on the text would have passed.
#
# Where is it? Look at the rounds by how many drafted tokens stood.
#
# **Predict.** Two tokens are drafted and the second is rejected. How many tokens may the round emit? How many
# does it emit here?


# %%
def outcome(chance: Chance) -> tuple[int, int]:
    """(drafted tokens that stood, tokens emitted) of a round of the listing with γ = 2."""
    made = listing(chance, P, Q, (0,), 2)
    tests = chance.answers[2:4]  # the first two answers are the drafts
    return (tests.index(0) if 0 in tests else 2), len(made)


print("stood   emitted   chance")
for (stood, length), chance in sorted(every_way(outcome).items()):
    print(f"{stood:5}   {length:7}   {chance:.3f}")

# %% [markdown]
# One stood, and *three* came out: the accepted token, a correction, and a bonus that nobody has earned. The
# listing asks how *long* its output is. After a rejection at the last place the length is γ as well. The
# bonus is then drawn from the law after the **rejected** token, a text that does not exist.
#
# It also flatters: more tokens a round than the rule allows. A mistake that makes the figures better is the
# kind to look for.
#
# ### Exercise 3: mend it
#
# Write the second half anew. `laws[i]` is the target's law at place `i`, `laws[gamma]` the bonus's. Use
# `acceptance.residual`, or your own. The check compares with the *target's own law*, for γ = 0 to 3.


# %%
def mended(chance: Chance, target: np.ndarray, draft: np.ndarray, text: Tokens, gamma: int) -> Tokens:
    """One round: the tokens that it emits after `text`."""
    window: Tokens = ()
    for _ in range(gamma):
        window = (*window, chance.draw(draft[(text + window)[-1]]))
    laws = [target[(text + window[:i])[-1]] for i in range(gamma + 1)]
    # BEGIN SOLUTION
    for i, token in enumerate(window):
        p, q = laws[i], draft[(text + window[:i])[-1]]
        if not chance.accept(min(1.0, p[token] / q[token])):
            return (*window[:i], chance.draw(acceptance.residual(p, q)))
    return (*window, chance.draw(laws[gamma]))
    # END SOLUTION


# %%
def law_of_mended(target: np.ndarray, draft: np.ndarray, gamma: int) -> np.ndarray:
    return law_of_next(mended, target, draft, gamma)


check(
    law_of_mended,
    lambda target, draft, gamma: own_law(target, gamma),
    *((P, Q, gamma) for gamma in (0, 1, 2, 3)),
    (P, P, 2),
    (GREEDY_P, Q, 2),
    (P, np.full((4, 4), 0.25), 2),
    close=1e-12,
)

# %% [markdown]
# The last case is a draft that knows nothing: exact all the same. **The draft decides how fast it goes,
# never what is written.**

# %% [markdown]
# ## 5. One round by hand
#
# Now the real model, at temperature 1. The draft is a *trigram* table: what followed the last two tokens, in
# text that SmolLM2 wrote. Its file has some 400 KB. The lab's `rule.accepts` and `rule.residual` are
# exercises 1 and 2 for tensors.
#
# **Predict.** How many of four trigram guesses will stand?

# %%
SAMPLED = Sampling(temperature=1.0)
NAMES = ("uniform", "unigram", "bigram", "trigram", "lookup", "stories")
DRAFTERS = {name: make_drafter(name, loaded) for name in NAMES}
VOCAB = model.config.vocab_size
draws = Draws(seed=11)


def trigram_law(text: Sequence[int]) -> torch.Tensor:
    """q [vocab] of the trigram table at temperature 1, after a text."""
    (guess,) = DRAFTERS["trigram"].start(1, len(text)).guess([0], [text])
    q = torch.zeros(VOCAB, dtype=torch.float64)
    q[guess.vocabulary] = law(guess.logits, SAMPLED)  # it knows a part of the vocabulary; the rest has q = 0
    return q


cache = model.new_cache(1, len(prompt) + LENGTH, FP32)
first = draws.token(law(model.forward([prompt], cache, FP32)[0].cpu(), SAMPLED))
text = [*prompt, first]  # the cache holds all of it but `first`

window, qs = [], []
for _ in range(4):
    qs.append(trigram_law(text + window))
    window.append(draws.proposal(qs[-1]))
rows = model.forward([[first, *window]], cache, FP32, every_position=True).cpu()

print(f"so far: {tokenizer.decode([first])!r}; the draft guesses {tokenizer.decode(window)!r}\n")
print("token              q        p      p/q        u")
emitted_tokens = []
for i, token in enumerate(window):
    p, q, u = law(rows[i], SAMPLED), qs[i], draws.test()
    stands = rule.accepts(float(p[token]), float(q[token]), u)
    numbers = f"{q[token]:7.4f}  {p[token]:7.4f}  {p[token] / q[token]:7.3f}  {u:7.3f}"
    print(f"{tokenizer.decode([token])!r:12} {numbers}  {'accepted' if stands else 'rejected'}")
    emitted_tokens.append(token if stands else draws.token(rule.residual(p, q)))
    if not stands:
        print(f"from the residual: {tokenizer.decode(emitted_tokens[-1:])!r}")
        break
else:
    emitted_tokens.append(draws.token(law(rows[-1], SAMPLED)))
    print(f"bonus: {tokenizer.decode(emitted_tokens[-1:])!r}")
print(f"\none pass of the target, {len(emitted_tokens)} token(s): {tokenizer.decode(emitted_tokens)!r}")

# %% [markdown]
# ## 6. Two caches
#
# After the pass, the target's cache holds keys and values of *all* five fed tokens. Those of rejected tokens
# belong to a text that does not exist, and must go. Forget this, and everything looks right but for the
# quality. It is a common bug.
#
# The rule to keep is simple: **a cache holds the committed tokens but the last**, for the last is fed next. A
# draft *model* has a cache too, and it fed one token less: the last drafted token was never fed to it.

# %%
full, kept = cache.lengths[0], len(text) + len(emitted_tokens) - 1
print(f"the target's cache holds {full} positions and keeps {kept}: {full - kept} go")
cache.truncate([0], [kept])


def requests(sampling: Sampling, length: int = LENGTH) -> list[Request]:
    return [Request(name, ids, length, sampling, seed) for seed, (name, ids) in enumerate(prompt_ids.items())]


def in_rounds(asked: list[Request], how: Speculative) -> tuple[dict[str, list[int]], list[RoundRecord]]:
    """Texts and rounds of a speculative run."""
    texts: dict[str, list[int]] = {request.id: [] for request in asked}
    rounds: list[RoundRecord] = []
    for step in speculate(model, asked, FP32, how, tokenizer, keep_top=2):
        for record in step.records:
            texts[record.request].append(record.token)
        rounds += step.rounds
    return texts, rounds


# The stories draft, and the target as its own draft: that one is always right.
itself = ModelDrafter("itself", model)
_, cached = in_rounds(requests(GREEDY, 12), Speculative(DRAFTERS["stories"], Fixed(4)))
cached += in_rounds(requests(GREEDY, 9)[:1], Speculative(itself, Fixed(3)))[1]
cached = [record for record in cached if record.ending != "cut" and record.drafted]

print("\n                     the target's cache     the draft's cache")
print("drafted  accepted   before  full  kept     before  full  kept")
for record in [*cached[:3], cached[-1]]:
    lengths = [
        f"{own.before:6}  {own.full:4}  {own.kept:4}" for own in (record.target_cache, record.draft_cache)
    ]
    print(f"{len(record.drafted):7}  {record.accepted:8}   {lengths[0]}     {lengths[1]}")

# %% [markdown]
# ### Exercise 4: how much to trim
#
# γ were drafted, $n$ of them accepted. How many positions go from the target's cache, and how many from the
# draft's? The check compares with the lab's own rounds. (What does the draft lack after $n = \gamma$? It is
# fed two tokens next time.)


# %%
def trimmed(gamma: int, n: int) -> tuple[int, int]:
    """(positions that the target forgets, positions that the draft forgets)."""
    # BEGIN SOLUTION
    return gamma - n, max(0, gamma - 1 - n)
    # END SOLUTION


# %%
SEEN = {
    (len(r.drafted), r.accepted): (
        r.target_cache.full - r.target_cache.kept,
        r.draft_cache.full - r.draft_cache.kept,
    )
    for r in cached
}
check(trimmed, lambda gamma, n: SEEN[gamma, n], *sorted(SEEN))

# %% [markdown]
# ## 7. Greedy: the same text, token by token
#
# At temperature 0 “the same law” means *the same tokens*. In the lab's FP32 lane, where rows do not depend on
# how many there are, this must hold exactly.
#
# **Predict.** Which draft needs the fewest passes? Can a draft need *more* passes than plain decoding?

# %%
asked = requests(GREEDY)
plain: dict[str, list[int]] = {request.id: [] for request in asked}
for step in decode(model, asked, FP32, keep_top=2):
    for record in step.records:
        plain[record.request].append(record.token)

runs = {}
print(f"plain: {sum(map(len, plain.values()))} tokens of {len(plain)} stories\n")
print("draft        γ   same text   tokens a round   accepted of drafted")
for name, gamma in (("uniform", 2), ("lookup", 3), ("trigram", 4), ("stories", 4)):
    texts, rounds = in_rounds(asked, Speculative(DRAFTERS[name], Fixed(gamma)))
    runs[name], f = (texts, rounds), round_figures(rounds)
    told = f"{texts == plain!s:9}   {f.tokens_per_round:14.2f}"
    print(f"{name:10} {gamma:3}   {told}   {f.accepted:8} of {f.drafted}")

# %% [markdown]
# Every text is the same. A round emits at least one token, so no draft makes more *passes* than plain
# decoding. (It can still be slower: its passes are wider. Lesson 4.)
#
# In BF16 on a GPU, γ + 1 rows are summed in another order than one, and a near-tie may flip. Then greedy
# speculation is *not* bit for bit the same, and it is no mistake of the rule. The page *Speculation meets the
# gate* shows it, and MarginGate (lesson 2) mends it.
#
# With sampling, the texts differ even in FP32: the random numbers are used in another way. What stays the
# same is the *law*, and one text cannot show a law. That is why part 4 enumerates.

# %% [markdown]
# ## 8. How good is a draft?
#
# $\beta = \sum_x \min(p, q)$ is the chance that a drafted token stands, at one place of a text. **α** is its
# mean over the text that the *target* writes. To measure it, no speculation is needed: let the target write,
# and at every token ask the draft for its law.
#
# ### Exercise 5: α
#
# `laws` is a list of pairs $(p, q)$ along one text.


# %%
def alpha(laws: list[tuple[np.ndarray, np.ndarray]]) -> float:
    """The mean chance that a drafted token stands."""
    # BEGIN SOLUTION
    return float(np.mean([np.minimum(p, q).sum() for p, q in laws]))
    # END SOLUTION


# %%
def along(request: Request) -> list[tuple[np.ndarray, np.ndarray]]:
    """(p, q) at every token that the target draws after its first."""
    text, pairs = list(request.prompt), []
    for step in decode(model, [request], FP32, keep_top=2):
        if step.records[0].index > 0:
            p = law(step.logits[request.id], SAMPLED)
            pairs.append((p.numpy(), trigram_law(text).numpy()))
        text.append(step.records[0].token)
    return pairs


def spec_alpha(laws: list[tuple[np.ndarray, np.ndarray]]) -> float:
    return sum(rule.beta(torch.from_numpy(p), torch.from_numpy(q)) for p, q in laws) / len(laws)


own_pairs = along(requests(SAMPLED, 12)[0])
check(alpha, spec_alpha, [LAWS[0]], list(LAWS), own_pairs[:4], own_pairs, close=1e-9)

# %% [markdown]
# **Predict.** Order the six drafts by α: every token equally likely (*uniform*); how often a token comes
# (*unigram*); given one token before (*bigram*); given two (*trigram*); what followed the last tokens earlier
# in this text (*lookup*); a small transformer for stories. Is α larger at temperature 0 or at 1?


# %%
def returned(work: Generator[Any, None, Any]) -> Any:
    """What a generator returns at its end."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            return end.value


ALPHAS = {}
for sampling in (GREEDY, SAMPLED):
    found = returned(overlaps(model, requests(sampling), FP32, list(DRAFTERS.values())))
    for name, texts in zip(DRAFTERS, found, strict=True):
        ALPHAS[name, sampling.temperature] = pooled(texts)

print("draft       α at T = 0        α at T = 1       parameters")
for name, drafter in DRAFTERS.items():
    told = [f"{a:.2f} ± {e:.2f}" for a, e, _ in (ALPHAS[name, t] for t in (0.0, 1.0))]
    print(f"{name:10}  {told[0]:16}  {told[1]:16} {drafter.parameters:10,}")
print(f"\n({ALPHAS['uniform', 1.0][2]} tokens of {len(stories)} texts; ± is a standard error over texts)")

# %% [markdown]
# Three texts are few: look at the errors before you call one draft better. What is safe to say: uniform and
# unigram are nearly useless, and context helps. `lookup` is good where a text repeats itself (code,
# summaries), and a story hardly does. At T = 0 α is the share of tokens on which both *agree*; at T = 1 it is
# an overlap of laws.
#
# ### What accepted ÷ drafted is not
#
# Logs of servers print *accepted ÷ drafted*. It looks like α and is not.
#
# **Predict.** Every drafted token is accepted with chance 0.8, independently, and γ = 8. What is
# accepted ÷ drafted?

# %%
print("γ    accepted ÷ drafted   accepted ÷ tested")
for gamma in (1, 2, 4, 8, 16):
    log = simulate([0.8] * gamma, rounds=100_000)
    tested = log.accepted.sum() + (log.accepted < gamma).sum()
    print(f"{gamma:2}   {log.accepted_per_draft:18.3f}   {log.accepted.sum() / tested:17.3f}")

# %% [markdown]
# Tokens behind a rejection were drafted and never *tested*. So the ratio falls with γ, though the draft is
# the same. (Here accepted ÷ tested is right, because all places are alike. In a real text it depends on γ a
# little, too: a round that goes on is in an easy passage.)
#
# ### Exercise 6: read a log
#
# A log gives (drafted, accepted) for each round. Return accepted ÷ tested. A round with a rejection tested
# one token more than it accepted.


# %%
def per_test(rounds: list[tuple[int, int]]) -> float:
    """Accepted tokens ÷ tested tokens."""
    # BEGIN SOLUTION
    accepted = sum(n for _, n in rounds)
    return accepted / (accepted + sum(n < drafted for drafted, n in rounds))
    # END SOLUTION


# %%
def spec_per_test(rounds: list[tuple[int, int]]) -> float:
    tests = [place < n for drafted, n in rounds for place in range(min(n + 1, drafted))]
    return sum(tests) / len(tests)


real_log = [(len(record.drafted), record.accepted) for record in runs["trigram"][1]]
check(
    per_test,
    spec_per_test,
    *([(4, 2), (4, 4)], [(4, 0)], [(3, 3), (3, 3)], [(0, 0), (2, 1)], real_log),
    close=1e-12,
)

# %% [markdown]
# Compare on the same stories, with the trigram draft at temperature 0: three numbers for one draft.

# %%
f = round_figures(runs["trigram"][1])
print(f"α on the target's own text    {ALPHAS['trigram', 0.0][0]:.3f}")
print(f"accepted ÷ tested             {sum(f.passed) / sum(f.reached):.3f}")
print(f"accepted ÷ drafted            {f.accepted_per_drafted:.3f}")
print("\nplace   reached   accepted, if reached   accepted, of all rounds")
places = zip(f.reached, f.conditional, f.unconditional, strict=True)
for place, (reached, given, whole) in enumerate(places, 1):
    print(f"{place:5}   {reached:7}   {'—' if given is None else f'{given:.2f}':>20}   {whole:23.2f}")

# %% [markdown]
# Accepted ÷ drafted is the smallest: use it for waste, never for α. Lesson 4 puts α into formulas and asks
# how much faster decoding becomes.
#
# ## What you know now
#
# Each of these must hold on every machine.

# %%
# The residual gives what is missing, and only that.
assert np.allclose(residual(np.array([0.5, 0.5]), np.array([0.8, 0.2])), [0.0, 1.0])

# The law that comes out is the target's, for any draft.
assert all(np.allclose(emitted(p, q), p, atol=1e-12, rtol=0) for p, q in LAWS)

# The listing is off, and only a target that reads its text shows it.
assert error(listing, P, Q, 2) > 0.01
assert error(listing, FORGETFUL, Q, 2) < 1e-12

# The mended round is exact, whatever the draft.
assert error(mended, P, Q, 3) < 1e-12
assert error(mended, GREEDY_P, Q, 3) < 1e-12

# After a full acceptance neither cache forgets anything.
assert trimmed(4, 4) == (0, 0)
assert trimmed(4, 1) == (3, 2)

# In FP32 greedy speculation writes the plain text, with every draft.
assert all(texts == plain for texts, _ in runs.values())

# α of a draft that is the target is 1; accepted ÷ drafted is below accepted ÷ tested.
assert abs(alpha([(p, p) for p, _ in LAWS]) - 1) < 1e-12
assert per_test([(4, 1), (4, 1)]) > 2 / 8
