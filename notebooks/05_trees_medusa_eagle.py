# %% [markdown]
# # 5. Trees, Medusa, EAGLE
#
# *About 90 minutes. You need the lab's model, SmolLM2-135M (90 MB, fetched once), and no GPU.*
#
# In lesson 3 the draft guessed a *chain*: one token after another. At the first wrong guess the rest of the
# chain is lost. A **token tree** has a second and a third guess ready, and the target still checks all of it
# in one pass. You will:
#
# 1. see how often the second guess is the right one;
# 2. lay a tree out for one pass: who sees whom, and where each token stands;
# 3. walk down a tree, and compact the cache;
# 4. sample with siblings, exactly;
# 5. find the best tree of m nodes;
# 6. meet Medusa: heads in place of a draft, and a rule that is *approximate*;
# 7. meet EAGLE: whose feature, and whose token;
# 8. grow EAGLE-2's tree, which follows the draft's confidence;
# 9. run them all, and see why more tokens a pass can be slower.
#
# Before most results stands a *prediction*. Write yours down first.

# %%
import sys
from pathlib import Path

# The lab is found from any folder below the repository's root.
sys.path.insert(0, str(next(p for p in [Path.cwd(), *Path.cwd().parents] if (p / "sims").is_dir())))

import time
from collections.abc import Callable, Sequence
from itertools import pairwise, product

import numpy as np
import torch

from lab.decode.batching import decode
from lab.decode.prompt_set import built_in
from lab.decode.requests import Request
from lab.decode.sampling import GREEDY, Sampling, law
from lab.decode.speculative import shapes
from lab.decode.speculative.figures import round_figures
from lab.decode.speculative.how import AnySpeculative, SpeculativeTree
from lab.decode.speculative.making import make_drafter, make_tree_drafter
from lab.decode.speculative.rounds import speculate
from lab.decode.speculative.timed_runs import Run, timed
from lab.models.branches import Branches
from lab.models.cache import KVCache
from lab.models.loaded import load_model
from lab.numerics.lanes import FP32
from lab.numerics.machine import libraries_text
from notebooks.check import check
from sims import acceptance, dynamic_trees, spec_bench, token_trees
from sims.places import places
from sims.roofline import Machine, Target, widening
from sims.sibling_mistakes import EXACT, MISTAKES
from sims.siblings import Siblings, match_acceptance, multi_step_ranks, target_mass
from sims.typical import typical, typical_set

loaded = load_model()
model, tokenizer = loaded.transformer, loaded.tokenizer
print(libraries_text())
print("threads:", torch.get_num_threads(), "· model:", loaded.name, "on", model.device)

# %% [markdown]
# ## 1. The second guess
#
# The target writes three stories at temperature 0. At every token we ask the *stories* draft of lesson 3 for
# its four likeliest tokens, and look where the target's own token stands among them.
#
# **Predict.** How often is the draft's first guess right? And if it is wrong, how often is the second?

# %%
LENGTH, GUESSES = 24, 4
stories = [prompt for prompt in built_in() if prompt.kind == "story"][4:7]
asked = [
    Request(prompt.name, tuple(tokenizer.encode_chat(prompt.text)), LENGTH, GREEDY, seed)
    for seed, prompt in enumerate(stories)
]
SAMPLED = Sampling(temperature=1.0)


class Place:
    """One place of a text: the target's token and law, the draft's likeliest tokens and its law."""

    def __init__(self, token: int, logits: torch.Tensor, text: Sequence[int], row: int) -> None:
        (guess,) = along.guess([row], [text])
        best = guess.logits.topk(GUESSES).indices
        self.token = token
        self.guesses = guess.vocabulary[best].tolist()
        self.confidences = guess.logits.softmax(0)[best].tolist()
        self.p = law(logits, SAMPLED).numpy()  # at temperature 1
        self.q = np.zeros_like(self.p)
        self.q[guess.vocabulary.numpy()] = law(guess.logits, SAMPLED).numpy()


DRAFT = make_drafter("stories", loaded)
along = DRAFT.start(len(asked), 256)
row_of = {request.id: row for row, request in enumerate(asked)}
texts = {request.id: list(request.prompt) for request in asked}
plain: dict[str, list[int]] = {request.id: [] for request in asked}
PLACES: list[Place] = []
for step in decode(model, asked, FP32, keep_top=2):
    for record in step.records:
        name = record.request
        if record.index > 0:  # the first token comes with the prompt and is never drafted
            PLACES.append(Place(record.token, step.logits[name], texts[name], row_of[name]))
        texts[name].append(record.token)
        plain[name].append(record.token)

RANKS = [float(np.mean([place.guesses[rank] == place.token for place in PLACES])) for rank in range(GUESSES)]
print("guess   right   right so far")
for rank, share in enumerate(RANKS):
    print(f"{rank + 1:5}   {share:5.2f}   {sum(RANKS[: rank + 1]):12.2f}")
print(f"\n({len(PLACES)} tokens of {len(stories)} texts)")

# %% [markdown]
# A second guess is right less often than the first, but it costs one more *row* in a pass that is made
# anyway. SpecInfer's authors found the same on their models: a small draft's first guess matched the target
# in about 52 to 57 % of all places, and one of its first five in 96 to 97 %. Our draft is far smaller: its
# later guesses add less.
#
# A chain of four nodes has four chances that all hang on the first. How should four nodes be spent: deep or
# wide? Part 5 answers that. First, how can one pass check branches at all?

# %% [markdown]
# ## 2. One pass, many branches
#
# Six tokens, in places 0 to 5. Place 0 is the last token of the text, which is fed anyway. The others are
# guesses, each after its parent:
#
# ```
# 0 ─┬─ 1 ─┬─ 3
#    │     └─ 4
#    └─ 2 ─── 5
# ```
#
# So `parents` is (-1, 0, 0, 1, 1, 2). In plain decoding a token attends to everything before it. Here the
# token in place 5 must see the text, 0, 2 and itself; it must not see 1, 3 and 4, for they belong to other
# texts. The attention mask says so: this is **tree attention** (SpecInfer, 2023).
#
# ### Exercise 1: who sees whom
#
# Return an n × n array of bools: entry (i, j) is whether place i sees place j. Parents stand before their
# children.


# %%
def sees(parents: Sequence[int]) -> np.ndarray:
    """Whether place i sees place j: itself and what is above it."""
    # BEGIN SOLUTION
    seen = np.eye(len(parents), dtype=bool)
    for place, parent in enumerate(parents):
        if parent >= 0:
            seen[place] |= seen[parent]
    return seen
    # END SOLUTION


# %%
SMALL = (-1, 0, 0, 1, 1, 2)
CHAIN = (-1, 0, 1, 2, 3)
STAR = (-1, 0, 0, 0)
DEEP = (-1, 0, 0, 0, 1, 1, 2, 4, 4, 7)


def spec_sees(parents: Sequence[int]) -> np.ndarray:
    return ~Branches(0, tuple(parents)).hidden(0, len(parents)).numpy()


check(sees, spec_sees, (SMALL,), (CHAIN,), (STAR,), (DEEP,))

# %% [markdown]
# The text's own tokens are seen by all. For a chain, the mask is the ordinary causal one: a chain *is* a
# tree, and one program serves both.
#
# ### Exercise 2: where each token stands
#
# A transformer is told the *position* of every token (RoPE turns queries and keys by it). In memory the six
# tokens lie one after the other, in slots 0 to 5 behind the text. But the tokens in places 1 and 2 are both
# candidates for the *same* position. `held` tokens are in the cache already, so place 0 has position `held`.


# %%
def positions(held: int, parents: Sequence[int]) -> list[int]:
    """The position of each place."""
    # BEGIN SOLUTION
    found: list[int] = []
    for parent in parents:
        found.append(held if parent < 0 else found[parent] + 1)
    return found
    # END SOLUTION


# %%
def spec_positions(held: int, parents: Sequence[int]) -> list[int]:
    return Branches(held, tuple(parents)).positions(held + len(parents))[held:].tolist()


check(positions, spec_positions, (0, SMALL), (40, SMALL), (7, CHAIN), (7, STAR), (12, DEEP))

# %% [markdown]
# Now on the model. The draft's first two guesses stand in places 1 and 2, what it would say after them in 3,
# 4 and 5. We feed the tree in one pass, then each path by itself, and, to see what the mask is for, the same
# six tokens as if they were a text.
#
# **Predict.** Which rows are right in that last case?


# %%
def best_after(text: Sequence[int], count: int) -> list[int]:
    """The draft's likeliest next tokens."""
    (guess,) = DRAFT.start(1, len(text)).guess([0], [text])
    return guess.vocabulary[guess.logits.topk(count).indices].tolist()


prompt, written = list(asked[0].prompt), plain[asked[0].id]
later = (n for n in range(4, LENGTH - 3) if best_after(prompt + written[:n], 2)[1] == written[n])
START = next(later, 4)  # where the second guess is the right one
text = prompt + written[:START]
first = best_after(text, 2)
second = [best_after([*text, token], 2) for token in first]
TREE = [text[-1], *first, *second[0], second[1][0]]

held = len(text) - 1
cache = model.new_cache(1, len(text) + LENGTH, FP32, spare=len(TREE))
model.forward([text[:-1]], cache, FP32)
apart = []
for place in range(len(TREE)):
    path = [TREE[above] for above in range(len(TREE)) if spec_sees(SMALL)[place, above]]
    apart.append(model.forward([path], cache, FP32).cpu()[0])
    cache.truncate([0], [held])  # forget it
as_text = model.forward([TREE], cache, FP32, every_position=True).cpu()
cache.truncate([0], [held])
rows = model.forward([TREE], cache, FP32, every_position=True, branches=[Branches(held, SMALL)]).cpu()

print(f"…{tokenizer.decode(text[-6:])!r}\n")
print("place   token          tree − path   as a text − path")
for place, token in enumerate(TREE):
    tree_gap, text_gap = (float((those[place] - apart[place]).abs().max()) for those in (rows, as_text))
    print(f"{place:5}   {tokenizer.decode([token])!r:12}   {tree_gap:11.3g}   {text_gap:16.3g}")

# %% [markdown]
# One pass over the tree gives what six passes over its paths give, to the last bit in the lab's FP32 lane.
# Without mask and positions only places 0 and 1 are right: before them stands just what is above them.

# %% [markdown]
# ## 3. Down the tree, and into the cache
#
# At temperature 0 each row of logits says which token the target wants next. Start at place 0. Is there a
# child with that token? Go there, and look at *its* row. If there is none, stop: the token that the row
# wants comes out too. So a path of d guesses gives d + 1 tokens, as in a chain.
#
# ### Exercise 3: the walk
#
# `choices[i]` is what the target wants after place i. Return the places of the walk, place 0 first.


# %%
def walk(tokens: Sequence[int], parents: Sequence[int], choices: Sequence[int]) -> list[int]:
    """The places that stand, from 0 down."""
    # BEGIN SOLUTION
    path = [0]
    for place, parent in enumerate(parents):
        if parent == path[-1] and tokens[place] == choices[parent]:
            path.append(place)
    return path
    # END SOLUTION


# %%
def spec_walk(tokens: Sequence[int], parents: Sequence[int], choices: Sequence[int]) -> list[int]:
    """Of all paths on which every token is wanted, the longest."""
    paths = [[above for above in range(len(parents)) if seen[above]] for seen in spec_sees(parents)]
    wanted = [path for path in paths if all(choices[a] == tokens[b] for a, b in pairwise(path))]
    return max(wanted, key=len)


check(
    walk,
    spec_walk,
    ((9, 1, 2, 3, 4, 5), SMALL, (2, 3, 5, 8, 8, 8)),
    ((9, 1, 2, 3, 4, 5), SMALL, (1, 4, 5, 8, 8, 8)),
    ((9, 1, 2, 3, 4, 5), SMALL, (7, 3, 5, 8, 8, 8)),  # no child is right
    ((9, 5, 5, 5, 5), CHAIN, (5, 5, 6, 5, 5)),
    ((9, 1, 2, 3, 1, 2, 1, 1, 2, 1), DEEP, (1, 1, 1, 1, 1, 1, 1, 1, 1, 1)),
    (tuple(TREE), SMALL, tuple(rows.argmax(1).tolist())),
)

# %%
choices = rows.argmax(1).tolist()
PATH = spec_walk(TREE, SMALL, choices)
out = [*(TREE[place] for place in PATH[1:]), choices[PATH[-1]]]
print(f"places {PATH}; out come {tokenizer.decode(out)!r}, {len(out)} tokens of one pass")
print(f"plain decoding went on with {tokenizer.decode(written[START : START + len(out)])!r}")

# %% [markdown]
# A chain would have stopped at its first guess, with one token.
#
# Now the cache. It holds keys and values of all six places, in slots `held` to `held + 5`. Those on the path
# must stay, side by side, and the others go: the cache is **compacted**. (For a chain that is the cut of
# lesson 3.) A key carries its position inside. The kept ones had the position of their *depth*, and there
# they stand now. With the slot's number for a position, every key that moves would be wrong, and nothing
# would crash.
#
# ### Exercise 4: compact
#
# `columns` has one row a slot. Return the rows that remain. The check compares with the lab's own cache.


# %%
def compacted(columns: np.ndarray, held: int, path: Sequence[int]) -> np.ndarray:
    """The text's columns and those of the places in `path`."""
    # BEGIN SOLUTION
    return np.concatenate([columns[:held], columns[[held + place for place in path]]])
    # END SOLUTION


# %%
def spec_compacted(columns: np.ndarray, held: int, path: Sequence[int]) -> np.ndarray:
    slots, width = columns.shape
    own = KVCache(1, 1, 1, slots, width, torch.float64, torch.device("cpu"))
    own.k[0, 0, 0, :slots] = torch.from_numpy(columns)
    own.lengths[0] = slots
    own.compact(0, held, path)
    return own.read(0, slice(0, 1), own.lengths[0])[0][0, 0].numpy()


COLUMNS = np.arange(20.0).reshape(10, 2)
check(
    compacted,
    spec_compacted,
    *((COLUMNS, 4, (0, 2, 5)), (COLUMNS, 4, (0,)), (COLUMNS, 0, (0, 1, 3, 6)), (COLUMNS, 5, (0, 1, 2, 3, 4))),
)

# %%
cache.compact(0, held, PATH)
fresh = model.new_cache(1, len(text) + LENGTH, FP32)
model.forward([[*text, *out[:-1]]], fresh, FP32)
kept = cache.lengths[0]
gap = max(
    float((cache.read(layer, [0], kept)[part] - fresh.read(layer, [0], kept)[part]).abs().max())
    for layer in range(model.config.layers)
    for part in (0, 1)
)
print(f"{held} + {len(TREE)} slots before, {kept} kept; a fresh pass over the text differs by {gap:g}")

# %% [markdown]
# ## 4. Siblings, exactly
#
# With sampling, a token must come out whose law is $p$. For one guess you know the rule: accept $x$ with
# chance $\min(1, p(x)/q(x))$, else draw from the residual. Now there are two guesses, drawn from $q$ one
# after the other.
#
# **Multi-step speculative sampling** (SpecInfer, Algorithm 2) uses the same rule again. After the first
# rejection what is still owed is the residual $p'$. So test the second guess against $p'$ *as if that were
# the target's law*. If it is rejected too, draw from the residual of $p'$.
#
# ### Exercise 5: two siblings
#
# `first` and `second` are given. Add up every way in which a token can come out. Use
# `acceptance.residual(p, q)`. The notebook then adds over all pairs of guesses, and the check asks whether
# the law is $p$.


# %%
def given_siblings(p: np.ndarray, q: np.ndarray, first: int, second: int) -> np.ndarray:
    """The law (V,) of the token that comes out, for these two guesses from q."""
    # BEGIN SOLUTION
    law, left = np.zeros_like(p), 1.0
    for guess in (first, second):
        stands = min(1.0, p[guess] / q[guess])
        law[guess] += left * stands
        left *= 1 - stands
        p = acceptance.residual(p, q)
    return law + left * p
    # END SOLUTION


# %%
LAWS = (  # pairs p, q over four tokens
    (np.array([0.4, 0.3, 0.2, 0.1]), np.array([0.1, 0.2, 0.3, 0.4])),
    (np.array([0.5, 0.3, 0.2, 0.0]), np.array([0.2, 0.4, 0.1, 0.3])),
    (np.array([0.1, 0.2, 0.3, 0.4]), np.array([0.1, 0.2, 0.3, 0.4])),
    (np.array([0.0, 1.0, 0.0, 0.0]), np.array([0.3, 0.4, 0.2, 0.1])),
    (np.array([0.25, 0.25, 0.25, 0.25]), np.array([0.97, 0.01, 0.01, 0.01])),
)


def law_of_two(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Over all pairs of guesses, the same token twice among them."""
    pairs = product(np.flatnonzero(q), repeat=2)
    return sum(q[first] * q[second] * given_siblings(p, q, first, second) for first, second in pairs)


check(law_of_two, lambda p, q: p, *LAWS, close=1e-12)

# %% [markdown]
# Why is this right? The first step emits $\min(p, q)$ and owes the rest; the residual is the rest, made a
# law. The second guess does not know what the first was, so the second step is the rule again, with $p'$ for
# $p$. By induction it works for any number of guesses (Theorem 4.2 of the paper).
#
# Siblings may also be drawn **without replacement**, so that none comes twice. Then $q$ loses each token
# drawn and is made a law again. Or they are simply the **top** of $q$. A token that is chosen for certain has
# a one-hot law: it stands with chance $p(x)$, and a rejection takes it out of $p$.
#
# **Predict.** Which of these mistakes could you see with one guess alone?

# %%
print("two guesses                 chance to accept   error   error with one guess")
p, q = LAWS[0]
for name, method in {**EXACT, **MISTAKES}.items():
    two, one = method.parts(p, q, 2), method.parts(p, q, 1)
    print(f"{name:26} {two.acceptance:17.2f}   {two.error(p):5.3f}   {one.error(p):20.3f}")

# %% [markdown]
# Three of the four are exact with one guess: a test that knows only chains would have passed them.
#
# - *forget-to-subtract*: the second guess is tested against $p$ instead of $p'$.
# - *subtract-without-dividing*: against $\max(0, p - q)$, which is no law.
# - *stale-law*: drawn without replacement, and divided by a $q$ from which nothing was taken.
# - *top-with-soft-law*: the likeliest tokens, tested as if they had been drawn.
#
# There is a simpler exact rule. Let the target draw a token by itself, and look whether it is among the
# siblings: **sample and match**. No $q$ is needed. It accepts $\sum_x p(x)\,(1 - (1 - q(x))^k)$ with $k$
# draws.
#
# **Predict.** On real laws at temperature 1: which accepts more, sample-and-match or multi-step? And the top
# of $q$, which has no chance in it?

# %%
print("guesses   sample and match   multi-step   top")
ACCEPTED = {}
for count in range(1, GUESSES + 1):
    ACCEPTED[count] = (
        float(np.mean([match_acceptance(place.p, place.q, count) for place in PLACES])),
        float(np.mean([multi_step_ranks(place.p, place.q, count).sum() for place in PLACES])),
        float(np.mean([target_mass(place.p, place.guesses[:count]) for place in PLACES])),
    )
    match, multi, top = ACCEPTED[count]
    print(f"{count:7}   {match:16.3f}   {multi:10.3f}   {top:.3f}")

# %% [markdown]
# Multi-step never accepts less than sample-and-match (Theorem 4.3). With one guess it is $\sum \min(p, q)$
# against $\sum p\,q$. All three are exact: they differ in speed, never in law. The top of $q$ gets just the
# mass that $p$ has there, which at temperature 1 is not much. At temperature 0 all of it is on one token, and
# the top of the draft is all that one can want.

# %% [markdown]
# ## 5. The best tree of m nodes
#
# Say that the guess of rank r is right with chance $a_r$ at every node. A node's *value* is the chance that
# the walk comes to it: the product of the $a$'s on its path. A pass gives
#
# $$E = 1 + \sum_{\text{nodes}} \prod_{\text{path}} a_r .$$
#
# Which m nodes are best? Begin with none, and always add the node of largest value whose parent is there.
# This is Medusa's way. It is the best there is: a child is never worth more than its parent, so the m largest
# of *all* values, taken in order, never lack a parent.
#
# **Predict.** With the shares of part 1, what are the first four nodes of the best tree? How far behind is a
# chain at 16 nodes?

# %%
FALLING = np.minimum.accumulate(RANKS).tolist()  # in a few texts a later guess may look better by chance
ACCURACIES = [FALLING] * 8  # the same at eight depths
BEST = token_trees.best_tree(ACCURACIES, 63)


def named(node: Sequence[int]) -> str:
    """A node by ranks from 1 on: 1·2 is the second guess after the first."""
    return "·".join(str(rank + 1) for rank in node)


print("the best tree begins with", ", ".join(named(node) for node in BEST[:8]), "…\n")
print("nodes   chain   best tree   its depth")
BY_NODES = token_trees.tokens_by_nodes(ACCURACIES, 63)
for nodes in (1, 2, 4, 8, 16, 32, 63):
    deep = token_trees.tokens_a_pass(token_trees.chain(nodes), [FALLING[:1]] * nodes)
    print(f"{nodes:5}   {deep:5.2f}   {BY_NODES[nodes]:9.2f}   {token_trees.depth_of(BEST[:nodes]):9}")

# %% [markdown]
# (1·2 is the second guess after the first.) A chain gets no further than $1/(1-a_1)$. The best tree is wide
# at the root and thin at the tips. Every further node adds less than the one before, so the question of
# lesson 4 comes back: what does a node *cost*? That is part 9.

# %% [markdown]
# ## 6. Medusa
#
# A draft model is a second model to train, load and keep in step. **Medusa** (Cai et al., 2024) has none. The
# target's last hidden state $f_t$ goes through its own head and gives the next token $x_{t+1}$. Beside it
# stand K small *heads*: head k reads the same $f_t$ and guesses $x_{t+1+k}$.
#
# All heads are asked at once, after the pass that has just been made. But head 2 does not know what head 1
# guessed: all children of a level are the same, whatever their parent. So accuracy falls with depth.
#
# Medusa's other idea is about the rule. At a high temperature an exact rule accepts little. **Typical
# acceptance** keeps a guess that the target finds likely enough:
#
# $$p(x) > \min\big(\epsilon,\; \delta\, e^{-H(p)}\big), \qquad \epsilon = 0.09,\; \delta = 0.3,$$
#
# where $H = -\sum p \ln p$. A kept guess needs no luck, so no $q$ appears, and the law is no longer $p$.
#
# ### Exercise 6: what is typical
#
# Return for each token whether it passes. (0 ln 0 is 0.)


# %%
def passes(p: np.ndarray, epsilon: float = 0.09, delta: float = 0.3) -> np.ndarray:
    """Whether each token passes: bool (V,)."""
    # BEGIN SOLUTION
    inside = p[p > 0]
    entropy = -(inside @ np.log(inside))
    return p > min(epsilon, delta * np.exp(-entropy))
    # END SOLUTION


# %%
check(
    passes,
    typical_set,
    *(np.array([0.91, 0.085, 0.005]), np.array([0.0, 1.0, 0.0]), np.full(20, 0.05)),
    (np.array([0.5, 0.3, 0.1, 0.06, 0.04]), 0.09, 0.3),
    (np.array([0.5, 0.3, 0.1, 0.06, 0.04]), 0.05, 0.9),
    *(place.p for place in PLACES[:2]),
)

# %% [markdown]
# How far is the law from $p$? At each of our places the draft's two likeliest tokens are the siblings, and of
# those that pass, the one likeliest to the target is kept. If none passes, the target draws. The distance is
# the total variation of lesson 3: no event has a chance that is off by more.
#
# **Predict.** Between 0 (exact) and 1 (never the same): what is the mean distance at temperature 1?

# %%
PARTS = [(place.p, typical(place.p, Siblings(tuple(place.guesses[:2]), ()))) for place in PLACES]
DISTANCES = [parts.error(p) for p, parts in PARTS]
kept_share = float(np.mean([parts.acceptance for _, parts in PARTS]))
print(f"a guess is kept in {kept_share:.2f} of all places, by an exact rule in {ACCEPTED[2][2]:.2f}")
print(f"distance from p: mean {np.mean(DISTANCES):.2f}, largest {np.max(DISTANCES):.2f}")
exact_places = float(np.mean([not parts.accepted.any() for _, parts in PARTS]))
print(f"places where no guess passes, and the law is p: {exact_places:.2f}")

# %% [markdown]
# It accepts more, and what it gives is another text than the target's. Wherever a guess passes, *all* the
# chance goes to one token. The text becomes less varied than at temperature 1, and tokens that the draft
# never guesses come out too rarely. It may still read well. But it is **approximate**, and a log that prints
# its tokens a pass beside those of an exact method compares two different things. (At temperature 0 the rule
# is the greedy walk, and that is exact.)

# %% [markdown]
# ## 7. EAGLE: whose feature, whose token
#
# **EAGLE** (Li et al., 2024) drafts one level after the other, like a draft model, but thinks in the target's
# *features*: a feature $f_i$ is what the target's head reads at position i. One small layer is fed pairs and
# predicts the next feature; the target's own head turns that into a guess.
#
# Now mind the time. $f_i$ has read $x_0 \dots x_i$, and the target's head guesses $x_{i+1}$ from it. At
# temperature 1 that token is *drawn*, so $f_i$ alone cannot say which of several texts goes on. EAGLE
# therefore pairs the feature with the token that came **out** of it:
#
# $$(f_i,\; x_{i+1}) \;\longrightarrow\; \hat f_{i+1} \;\longrightarrow\; \text{a guess of } x_{i+2}.$$
#
# After a pass the text is $x_0 \dots x_{t+1}$, and the newest token $x_{t+1}$ has no feature yet: that comes
# with the next pass. So there are just as many pairs as features.
#
# ### Exercise 7: the pairs
#
# `features` is (t + 1, d), `embeddings` (t + 2, d): one row a token. Return the layer's inputs, (t + 1, 2d).


# %%
def eagle_inputs(features: np.ndarray, embeddings: np.ndarray) -> np.ndarray:
    """Each feature beside the embedding of the token that came out of it."""
    # BEGIN SOLUTION
    return np.concatenate([features, embeddings[1:]], axis=1)
    # END SOLUTION


# %%
def spec_inputs(features: np.ndarray, embeddings: np.ndarray) -> np.ndarray:
    return np.stack([np.concatenate([f, embeddings[i + 1]]) for i, f in enumerate(features)])


def numbered(tokens: int, width: int) -> tuple[np.ndarray, np.ndarray]:
    """Features 0, 1, … and embeddings 100, 101, … of a text."""
    ones = np.ones(width)
    return np.outer(np.arange(tokens - 1), ones), np.outer(np.arange(100, 100 + tokens), ones)


check(eagle_inputs, spec_inputs, numbered(2, 1), numbered(3, 1), numbered(6, 4))

# %% [markdown]
# The shift is worth much. In the paper's own ablation a chain gave 1.5 tokens from tokens alone, 1.9 from
# features, and 2.8 from features with the *shifted* token.
#
# Deeper in the tree there is no true feature. The predicted $\hat f$ takes its place, beside the node's
# token: so children differ with their parent, unlike Medusa's.

# %% [markdown]
# ## 8. EAGLE-2: a tree that follows confidence
#
# The best tree of part 5 is **static**: the same shape at every place. But some places are easy and some are
# hard, and the draft often knows which. Is its confidence worth anything? Here are all guesses of part 1,
# sorted by the probability that the draft gave them.

# %%
CONFIDENCES = np.array([place.confidences for place in PLACES]).ravel()
RIGHT = np.array([[guess == place.token for guess in place.guesses] for place in PLACES]).ravel()
print("confidence       guesses   right")
CALIBRATION = []
for low, high in ((0, 0.05), (0.05, 0.2), (0.2, 0.5), (0.5, 0.8), (0.8, 1.0)):
    own = (low < CONFIDENCES) & ~(high < CONFIDENCES)
    if own.any():
        CALIBRATION.append(float(RIGHT[own].mean()))
        print(f"{low:.2f} to {high:.2f}   {own.sum():10}   {CALIBRATION[-1]:5.2f}")

# %% [markdown]
# A confident guess is right more often. (The EAGLE-2 paper reports the same of its draft: below 0.05 some 4 %
# of its guesses were right, above 0.95 some 98 %.) If confidences were exactly **calibrated**, the product
# along a path would be the chance that the walk comes to a node.
#
# EAGLE-2 (Li et al., 2024) grows its tree by that product, the node's value:
#
# 1. **Expand.** The root gets its k likeliest children. Of each level, the k nodes of largest value get k
#    children each.
# 2. **Rerank.** Of *all* nodes, keep the m of largest value. Only they are verified.
#
# ### Exercise 8: grow it
#
# `confidences(path)` gives the chances of the children after a node, the largest first; the root is `()`, its
# first child `(0,)`, that one's second child `(0, 1)`. Return the sum of the values of the m kept nodes: the
# expected accepted length.


# %%
def grown(confidences: Callable, k: int, levels: int, m: int) -> float:
    """The expected accepted length of EAGLE-2's tree."""
    # BEGIN SOLUTION
    level, everything = {(): 1.0}, []
    for _ in range(levels):
        best = sorted(level, key=level.get, reverse=True)[:k]
        level = {
            (*node, rank): level[node] * chance
            for node in best
            for rank, chance in enumerate(confidences(node)[:k])
        }
        everything += level.values()
    return sum(sorted(everything, reverse=True)[:m])
    # END SOLUTION


# %%
TABLE = {(): [0.6, 0.3, 0.1], (0,): [0.6, 0.4, 0.0], (1,): [0.4, 0.4, 0.2], (2,): [1.0, 0.0, 0.0]}
MIXED = places([(0.5, [90, 6, 4]), (0.5, [40, 35, 25])])  # half the places are easy, half are hard
TEXTS = {"by hand": TABLE.__getitem__, "mixed": MIXED.drawn(np.random.default_rng(1))}

check(
    lambda name, k, levels, m: grown(TEXTS[name], k, levels, m),
    lambda name, k, levels, m: dynamic_trees.grow(TEXTS[name], k, levels, m).accepted,
    *(("by hand", 2, 2, 5), ("by hand", 2, 1, 1), ("by hand", 3, 2, 20)),
    *(("mixed", 2, 5, 8), ("mixed", 3, 4, 12), ("mixed", 1, 6, 4)),
    close=1e-9,
)

# %% [markdown]
# Does it pay? In a made-up text half the places are easy (chances 0.90, 0.06, 0.04) and half are hard (0.40,
# 0.35, 0.25). The static tree knows the mean, the dynamic one sees which is which. *Best* may look at every
# place of the tree before it chooses: a bound that no drafter reaches in a few steps.
#
# **Predict.** How much longer are the accepted paths of the dynamic tree, at 8 nodes?

# %%
generator = np.random.default_rng(0)
LEVELS, WIDTH, TRIALS = 6, 3, 300
seen_texts = [MIXED.drawn(generator) for _ in range(TRIALS)]
GAINS = {}
print("nodes   static   dynamic   best   (expected accepted length)")
for nodes in (2, 4, 8, 16, 32):
    shape = token_trees.best_tree(MIXED.accuracies(LEVELS), nodes)
    static = token_trees.tokens_a_pass(shape, MIXED.accuracies(LEVELS)) - 1
    dynamic = np.mean([dynamic_trees.grow(own, WIDTH, LEVELS, nodes).accepted for own in seen_texts])
    limit = [
        lambda path, own=own: own(path) if len(path) < LEVELS else ()  # the same depth for all
        for own in seen_texts
    ]
    best = np.mean([token_trees.values(token_trees.best_first(own, nodes), own).sum() for own in limit])
    GAINS[nodes] = (static, dynamic, best)
    print(f"{nodes:5}   {static:6.2f}   {dynamic:7.2f}   {best:.2f}")

# %% [markdown]
# Two nodes leave nothing to choose, and with very many nodes every shape holds the likely paths. Between the
# two the dynamic tree gains, and it is near the bound.
#
# One warning. To choose *which* tokens are verified by what they are is harmless where nothing is drawn, as
# here. If siblings were *drawn* from $q$ and then thrown away for being unlikely, the law of what remains
# would no longer be $q$, and the test would divide by the wrong number. The lab refuses that combination.

# %% [markdown]
# ## 9. All of them, on this machine
#
# First the two kinds of heads, which the lab trained on texts of this model. They guess along the three
# stories: Medusa's head k at depth k, and EAGLE with pairs as they should be; once also with the mistake that
# exercise 7 is about, each feature beside the token that went *in*.
#
# **Predict.** Which of Medusa's heads is right most often? What is left of EAGLE with the mistake?

# %%
medusa, eagle = make_tree_drafter("medusa", loaded).medusa, make_tree_drafter("eagle", loaded).eagle
HITS: dict[str, list[bool]] = {"stories, depth 1": [place.guesses[0] == place.token for place in PLACES]}


def hit(told: str, guesses: torch.Tensor, ids: Sequence[int], ahead: int, begin: int) -> None:
    """Whether guess i is token i + ahead, for the tokens from `begin` on."""
    pairs = zip(guesses.tolist()[begin - ahead :], ids[begin:], strict=False)
    HITS.setdefault(told, []).extend(guess == token for guess, token in pairs)


for request in asked:
    ids, begin = [*request.prompt, *plain[request.id]], len(request.prompt) + 1
    tapped = model.new_cache(1, len(ids), FP32, taps=(*medusa.taps, *eagle.taps))
    model.forward([ids], tapped, FP32)
    rows_of, slots = [0] * (len(ids) - 1), range(len(ids) - 1)
    heads = medusa.logits(tapped.tapped(rows_of, slots, medusa.taps)).argmax(2)  # (tokens, K)
    for k in range(medusa.heads):
        hit(f"Medusa, head {k + 1}", medusa.vocabulary[heads[:, k]], ids, k + 2, begin)
    features = eagle.entering(tapped.tapped(rows_of, slots, eagle.taps))
    for told, tokens in (("EAGLE, depth 1", ids[1:]), ("EAGLE, not shifted", ids[:-1])):
        predicted = eagle.forward(features, [tokens], eagle.new_cache(1, len(ids)), [0])
        hit(told, eagle.vocabulary[eagle.logits(predicted).argmax(1)], ids, 2, begin)
for told, right in HITS.items():
    print(f"{told:20} first guess right: {np.mean(right):.2f}")

# %% [markdown]
# Now the runs: two stories at temperature 0, one after the other. All write the plain text; what differs is
# how many passes they need, and how long each takes. *nodes* and *tokens* are means of a pass. The static
# tree has the best 12 nodes of part 5 (of Medusa as many as it has heads for), the dynamic one up to 12.
#
# **Predict.** Which has the most tokens a pass? Is it the fastest?


# %%
def run(how: AnySpeculative | None) -> Run:
    """Plain or speculative decoding of the first two stories, without the passes over their prompts."""
    work = timed(
        decode(model, [request], FP32, keep_top=2)
        if how is None
        else speculate(model, [request], FP32, how, keep_top=2)
        for request in asked[:2]
    )
    while True:
        try:
            next(work)
        except StopIteration as end:
            return end.value


NODES = 12
ranked = sorted(token_trees.best_tree(ACCURACIES, NODES), key=lambda node: (len(node), node))
STATIC, DYNAMIC = shapes.Static(tuple(ranked)), shapes.Dynamic(width=3, depth=5, nodes=NODES)
BY_HEADS = shapes.Static(tuple(node for node in ranked if len(node) <= medusa.heads))
METHODS = {
    "stories, chain of 4": ("stories", shapes.chain(4)),
    "stories, static tree": ("stories", STATIC),
    "stories, dynamic tree": ("stories", DYNAMIC),
    "Medusa, static tree": ("medusa", BY_HEADS),
    "EAGLE, chain of 4": ("eagle", shapes.chain(4)),
    "EAGLE, static tree": ("eagle", STATIC),
    "EAGLE-2, dynamic tree": ("eagle", DYNAMIC),
}
step_seconds = run(None).seconds_per_token
SAME, SPEEDUPS = {}, {}
print(f"plain decoding: 1 token a pass, {1000 * step_seconds:.0f} ms a token\n")
print("                         same   nodes   tokens   draft   verify   ms a token   speedup")
for told, (name, shape) in METHODS.items():
    made = run(SpeculativeTree(make_tree_drafter(name, loaded), shape))
    f = round_figures(made.rounds)
    SAME[told] = all(
        plain[request.id][1:]
        == [token for each in made.rounds if each.request == request.id for token in each.emitted]
        for request in asked[:2]
    )
    SPEEDUPS[told] = step_seconds / made.seconds_per_token
    draft, verify = (1000 * seconds / f.rounds for seconds in (f.draft_seconds, f.verify_seconds))
    print(
        f"{told:22} {SAME[told]!s:>6}   {f.drafted_per_round:5.1f}   {f.tokens_per_round:6.2f}   {draft:5.0f}"
        f"   {verify:6.0f}   {1000 * made.seconds_per_token:10.0f}   {SPEEDUPS[told]:7.2f}"
    )

# %% [markdown]
# Compare a chain with the trees of the same drafter. A tree needs fewer passes, and each of its passes takes
# longer. Here is that price, apart from all else: one pass over the best tree of m nodes. *v* is its time ÷
# that of a plain step.
#
# A tree of L levels whose drafter takes c for each gives a speedup of
#
# $$\frac{E}{L c + v(m)} .$$
#
# The table takes E from part 5 and c = 0.05. Beside your machine stands a roofline as in lesson 4: a GPU of
# 3.35 TB/s and $10^{15}$ operations a second, and a model of 7 billion parameters.

# %%
CONTEXT, SIZES = 64, (0, 2, 4, 8, 16, 32, 63)
timed_cache = model.new_cache(1, CONTEXT, FP32, spare=64)
model.forward([[*texts[asked[0].id], *texts[asked[1].id]][:CONTEXT]], timed_cache, FP32)


def pass_seconds(nodes: int) -> float:
    """One pass over the best tree of so many nodes, and the root."""
    order = tuple(sorted(BEST[:nodes], key=lambda node: (len(node), node)))
    layout = Branches(CONTEXT, (-1, *(parent + 1 for parent in token_trees.parents(order))))
    started = time.perf_counter()
    model.forward([[1] * (nodes + 1)], timed_cache, FP32, every_position=True, branches=[layout])
    took = time.perf_counter() - started
    timed_cache.truncate([0], [CONTEXT])
    return took


taken = np.array([[pass_seconds(nodes) for nodes in SIZES] for _ in range(6)])
V = np.median(taken[1:], axis=0) / np.median(taken[1:, 0])  # the first of each is a warm-up
GPU, SEVEN = Machine(bandwidth=3.35e12, peak=1e15), Target(shared=7e9)
GPU_V = [widening(GPU, SEVEN, 1, nodes) for nodes in SIZES]
COST = 0.05
print("            tokens            this machine         a large GPU, one user")
print("nodes   levels   a pass         v   speedup           v   speedup")
for nodes, v, gpu_v in zip(SIZES, V, GPU_V, strict=True):
    levels, tokens = token_trees.depth_of(BEST[:nodes]), BY_NODES[nodes]
    here, there = (token_trees.tree_speedup(tokens, levels, COST, each) for each in (v, gpu_v))
    print(f"{nodes:5}   {levels:6}   {tokens:6.2f}   {v:7.2f}   {here:7.2f}   {gpu_v:9.2f}   {there:7.2f}")
dense = np.interp(range(SIZES[-1] + 1), SIZES, V).tolist()
BEST_HERE = token_trees.fastest_tree(ACCURACIES, COST, dense)
BEST_THERE = token_trees.fastest_tree(ACCURACIES, COST, np.interp(range(64), SIZES, GPU_V).tolist())
print(f"\nfastest here: {len(BEST_HERE.shape)} nodes, on the GPU: {len(BEST_THERE.shape)} nodes")

# %% [markdown]
# This is why *tokens a pass* is not speed. On a large GPU with one user a pass waits for the weights, and 64
# rows are nearly as cheap as one: a big tree is free, and the family of EAGLE was made for that. On a CPU a
# few rows fill the arithmetic. Every node is paid for, and the best tree is small, often just a chain. A busy
# server is in between: its batch has filled the rows already.
#
# Others have seen the same. Spec-Bench runs all methods with one program; here with Vicuna-7B, greedy, one
# user, on two GPUs. *SpS* is a draft model with a chain, as in lesson 3.

# %%
print("           A100: tokens   speedup   RTX 3090: tokens   speedup")
for name in ("SpS", "Medusa", "EAGLE", "EAGLE-2"):
    large, small = (spec_bench.BY_KEY[key].entry(name) for key in ("a100-7b", "3090-7b"))
    told = f"{large.tokens:12.2f}   {large.speedup:7.2f}   {small.tokens:16.2f}   {small.speedup:7.2f}"
    print(f"{name:10} {told}")

# %% [markdown]
# The tokens a pass hardly depend on the machine, and the speedups do. On the smaller GPU Medusa has more
# tokens a pass than the plain draft model, and is slower.
#
# ## What you know now
#
# Each of these must hold on every machine.

# %%
# A chain is a tree: its mask is the causal one. A tree's place sees just its path.
assert (sees(CHAIN) == np.tril(np.ones((5, 5)))).all()
assert sees(SMALL)[5].tolist() == [True, False, True, False, False, True]

# Two candidates for one position share its number.
assert positions(10, STAR) == [10, 11, 11, 11]

# One pass over a tree gives what its paths give, and the compacted cache is that of the text alone.
assert all(torch.equal(row, own) for row, own in zip(rows, apart, strict=True))
assert gap == 0

# A walk of d guesses gives d + 1 tokens of the plain text.
assert walk(TREE, SMALL, choices) == PATH
assert written[START : START + len(out)] == out

# Two siblings give the target's law; forgetting to subtract does not, and one guess would not show it.
assert all(np.allclose(law_of_two(p, q), p, atol=1e-12, rtol=0) for p, q in LAWS)
assert MISTAKES["forget-to-subtract"].parts(*LAWS[0], 2).error(LAWS[0][0]) > 0.1
assert MISTAKES["forget-to-subtract"].parts(*LAWS[0], 1).error(LAWS[0][0]) < 1e-12

# Multi-step accepts no less than sample and match.
assert all(multi >= match for match, multi, _ in ACCEPTED.values())

# Typical acceptance always lets the likeliest token pass, and is not exact.
assert all(passes(place.p)[place.p.argmax()] for place in PLACES)
assert max(DISTANCES) > 0.1

# No tree of given confidences beats the best-first one; the dynamic tree is not behind the static one.
assert all(static <= dynamic + 0.05 and dynamic <= best + 1e-9 for static, dynamic, best in GAINS.values())

# Every method writes the plain text.
assert all(SAME.values())
