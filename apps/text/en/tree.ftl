tree-title = How can one pass check many guesses?
    .nav = A tree of guesses
tree-why = A chain of guesses is lost at the first wrong one. A tree has other guesses ready, and one pass of the target still checks them all: each token sees only its own ancestors. Deeper or wider, the pass grows by one row a node.

tree-recording = Recorded run
tree-recording-option-k-ary = the same tree each round, temperature 0
tree-recording-option-dynamic = a tree that follows the draft's confidence, temperature 0
tree-recording-option-sampled = sampled, siblings drawn without replacement, temperature 0.7
tree-recording-option-typical = typical acceptance, approximate, temperature 0.7
tree-recording-option-eagle = EAGLE with a dynamic tree, temperature 0
tree-recording-option-medusa = Medusa's heads, temperature 0

tree-controls = A run of your own: prompt, draft, form of the tree, rule
tree-run-draft = Draft
    .help = Who guesses. With a + between them, two drafts share the tree and take turns.
tree-draft-stories = stories, a small model
tree-draft-trigram = trigram table
tree-draft-bigram = bigram table
tree-draft-unigram = unigram table
tree-draft-early-exit = early exit: the target's first half
tree-draft-medusa = Medusa heads
tree-draft-eagle = EAGLE head
tree-run-shape = Form of the tree
tree-shape-chain = chain
tree-shape-k-ary = k-ary, narrower at each level
tree-shape-dynamic = dynamic, by confidence
tree-run-gamma = Levels (γ)
tree-run-width = Width
    .help = Children of the root; of a dynamic tree also the nodes of a level that grow on.
tree-run-nodes = Nodes to verify
    .help = Of all that has grown, those with the largest product of confidences are kept.
tree-tapered = Children a node, level by level: { $widths }. Nodes in all: { $nodes }.
tree-run-siblings = Siblings
    .help = How the children of a node are chosen. At temperature 0 they are always the likeliest.
tree-siblings-top = the likeliest
tree-siblings-drawn = drawn, a token may come twice
tree-siblings-drawn-without = drawn without replacement
tree-run-rule = Rule of acceptance
    .help = Multi-step sampling and matching keep the target's law. Typical acceptance is approximate: it changes the law.
tree-rule-multi-step = multi-step sampling, exact
tree-rule-match = sample and match, exact
tree-rule-typical = typical acceptance, approximate

tree-told = Draft: { $draft }. { $shape } Siblings: { $siblings }. Rule: { $rule }. Temperature { $temperature }, seed { $seed }, lane { $lane }.
tree-told-chain = A chain of { $nodes ->
    [one] one node.
   *[other] { $nodes } nodes.
}
tree-told-k-ary = Children a node, by level: { $widths }.
tree-told-ranks = A fixed tree of { $nodes ->
    [one] one node.
   *[other] { $nodes } nodes.
}
tree-told-dynamic = Dynamic tree: levels { $levels }, width { $width }, nodes { $nodes }.

tree-phase-grow = Grow
tree-phase-verify = Verify
tree-phase-judge = Accept or reject
tree-phase-emit = Correct or add
tree-phase-compact = Compact the cache
tree-told-grow = **Grow, level { $level }.** The draft guesses what follows { $parents ->
    [one] one node
   *[other] { $parents } nodes
} of the level before; { $fresh ->
    [one] one guess joins
   *[other] { $fresh } guesses join
} the tree. The target has not been asked.
tree-told-verify = **Verify.** One pass of the target over { $positions ->
    [one] one position: the last committed token.
   *[other] { $positions } positions: the last committed token and { $nodes ->
        [one] one node.
       *[other] { $nodes } nodes.
    }
} It gives the law p after each of them, as if each path had been fed alone.
tree-told-judge = **Level { $level }.** { $tested ->
    [one] One guess after “{ $parent }” is tested:
   *[other] { $tested } guesses after “{ $parent }” are tested in turn; a rejection leaves less of p to the next:
}
tree-told-test = “{ $token }”: p = { $p }, q = { $q }, accept with chance $\min(1, p/q)$ = { $acceptance }; u = { $u }: **{ $verdict }**.
tree-told-matched = “{ $token }”: p = { $p }: **{ $verdict }**.
tree-told-correction = **Correct.** None of the guesses after the last accepted token stands, so “{ $token }” is drawn from what they left of p. The pass gives { $emitted ->
    [one] one token,
   *[other] { $emitted } tokens,
} { $accepted ->
    [0] none of them guessed.
    [one] one of them guessed.
   *[other] { $accepted } of them guessed.
}
tree-told-bonus = **Add one.** The path went to a leaf of the tree, and the law after the leaf is known: “{ $token }” is drawn from it. The pass gives { $emitted ->
    [one] one token.
   *[other] { $emitted } tokens.
}
tree-told-cut = **Cut.** “{ $token }” ended the text. The pass gives { $emitted ->
    [one] one token.
   *[other] { $emitted } tokens.
}
tree-told-compact = **Compact the cache.** Of { $full ->
    [one] one slot
   *[other] { $full } slots
} after the pass, { $kept } stay: the columns of the accepted path move next to the text, in order, and { $dropped ->
    [0] none is
    [one] one is
   *[other] { $dropped } are
} dropped. The last emitted token has no column yet.

tree-state-root = last committed token
tree-state-waiting = not judged yet
tree-state-accepted = accepted
tree-state-rejected = rejected
tree-state-unjudged = never judged
tree-state-correction = correction
tree-state-bonus = one more (bonus)
tree-axis-level = level
tree-hover-root = level 0, fed in this pass
tree-hover-place = node { $node }, level { $level }, position { $position }
tree-hover-own = the target's own, position { $position }
tree-hover-confidence = draft's confidence { $confidence }, product along the path { $product }
tree-hover-test = q = { $q }, p = { $p }, u = { $u }
tree-hover-laws = likeliest tokens:
tree-hover-law = { $token }: p = { $p }, q = { $q }
tree-graph-alt = The tree of round { $round }: { $nodes } nodes on { $levels } levels, { $accepted } accepted. The table below has every node.

tree-table-label = The nodes of round { $round }
tree-head-node = node
tree-head-token = token
tree-head-level = level
tree-head-parent = after
tree-head-confidence = confidence
tree-head-product = product
tree-head-q = q
tree-head-p = p
tree-head-u = u
tree-head-verdict = verdict
tree-head-laws = laws
tree-root = last token
tree-own = own
tree-laws = { $tokens ->
    [one] 1 token
   *[other] { $tokens } tokens
}
tree-legend = Confidence: the draft's own probability of the token, before temperature. q: the law that the guess was drawn from; 1 for one that is simply taken. p: the target's law, after what rejected siblings took from it.

tree-pass-title = The pass: who sees whom
tree-pass-text = A row a token of the pass, a column a slot of the cache. Each token sees the text, its ancestors and itself. Its position is that of its depth, not of its slot: siblings share one.
tree-pass-alt = The mask of the pass over { $places } tokens: each sees the text, its ancestors and itself. Positions run from { $first } to { $last }.
tree-axis-slot = slot of the cache
tree-mask-position = position
tree-mask-hidden = hidden
tree-mask-text = text, seen
tree-mask-above = ancestor, seen
tree-mask-itself = itself
tree-mask-hover = { $token }, slot { $slot }
tree-mask-legend = Sky blue: text, of which the last slots are drawn. Blue, left of the diagonal: ancestors. Orange diagonal: the token itself. Grey: hidden.

tree-cache-title = The cache: before the pass, after it, compacted
tree-cache-before = Before the pass
tree-cache-full = After the pass
tree-cache-kept = Compacted
tree-cache-slots = { $slots ->
    [one] one slot
   *[other] { $slots } slots
}
tree-slot-from = ← { $slot }
tree-cache-legend = The number in a box is its slot. Solid frame: kept. Struck out: dropped. ←: the slot that the column was moved from.

tree-sizes-title = Tokens a pass, against nodes verified
tree-sizes-text = Draft *{ $draft }* on { $prompts ->
    [one] one held-out story
   *[other] { $prompts } held-out stories
} at temperature 0. A point is one tree, pooled over all passes: { $same ->
    [yes] every text is plain decoding's own, token for token.
   *[no] not every text is plain decoding's own.
}
tree-sizes-alt = Tokens a pass against nodes verified, for chains, k-ary and dynamic trees. Best: { $tokens } tokens with { $nodes } nodes.
tree-sizes-none = This chart is drawn from a recording, which this copy of the lab does not have. This makes it:
tree-axis-nodes = nodes verified in a pass
tree-axis-tokens = tokens a pass
tree-axis-both = tokens a pass, and v
tree-times-title = What the pass costs
tree-times-text = Time of a pass over a tree, as a multiple of a pass over one token (v), beside the tokens that the best tree of that size gives. The draft's own time comes on top.
tree-times-alt = Time of a pass against nodes, from 1 to { $v } times, beside the tokens a pass.
tree-line-v = time of the pass, v
tree-line-best = tokens a pass, best tree
tree-sizes-table = Every tree as a table
tree-column-request = prompt
tree-column-round = round
tree-column-node = node
tree-column-parent = after node
tree-column-level = level
tree-column-token = token
tree-column-confidence = confidence
tree-column-product = product along the path
tree-column-verdict = verdict
tree-column-form = form
tree-column-shape = tree
tree-column-nodes = nodes a pass
tree-column-tokens = tokens a pass
tree-column-passes = passes
tree-column-same = same text as plain

tree-notice-second = Look at accepted nodes that are not their parent's first child: a chain of first guesses would have ended there.
tree-notice-mask = Siblings have the same position and do not see each other. So each path gets what it would get alone, in one pass.
tree-notice-compact = The accepted path is rarely contiguous in the cache. What is kept moves; what is dropped was computed for nothing.
tree-notice-cost = More nodes give more tokens a pass, each less than the one before, while the pass takes longer with every node. On a CPU the best tree is small.
tree-try-dynamic = Show the dynamic tree: it grows deep where the draft is sure, and wide where it is not.
tree-try-sampled = Show the sampled run: now u decides, and a rejection changes p for the next sibling.
tree-try-large = Ask for levels 5 and width 5: too large a tree is refused before it runs.
tree-to-round = One branch alone, token by token, with both caches:

tree-round = { round-round }
tree-step = { round-step }
    .help = Levels that grow, the target's pass, levels that are judged, the emitted tokens, the cache.
tree-request = { speculate-prompt }
tree-run-prompt = { speculate-prompt }
tree-run-own = { speculate-own }
    .help = { speculate-own.help }
tree-run-temperature = { speculate-temperature }
tree-run-length = { speculate-length }
tree-run-seed = { speculate-seed }
