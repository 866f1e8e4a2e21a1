round-title = What happens in one round?
    .nav = One round, step by step
round-why = A round drafts, verifies, accepts or rejects, and then corrects or adds a token. Most bugs of real implementations sit in the two caches: this page shows which columns are kept and which are cut.

round-round = Round
round-step = Step
    .help = Draft steps, the target's pass, a test for each drafted token that is reached, the emitted tokens, the caches.
round-forward = Next step
round-back = Step back
round-next = Next round
round-previous = Round before
round-context = The text before this round: “{ $text }”

round-phase-draft = Draft
round-phase-verify = Verify
round-phase-judge = Accept or reject
round-phase-emit = Correct or add
round-phase-trim = Cut the caches
round-told-draft = **Draft, token { $position }.** The draft proposes “{ $token }”, drawn from its own law q with q = { $q }. The target has not been asked.
round-told-verify = **Verify.** One pass of the target over { $positions } positions: the last committed token and { $drafted ->
    [0] no drafted one
    [one] the drafted one
   *[other] the { $drafted } drafted ones
}. It gives the target's law p at each of them, one more than was drafted.
round-stopped-room = No more was drafted, since the length leaves no room for more.
round-stopped-end = No more was drafted, since the draft proposed the end of the text.
round-stopped-confidence = No more was drafted, since the draft was not sure enough.
round-stopped-nothing = No more was drafted, since the draft had nothing to propose.
round-stopped-oracle = No more was drafted, since the oracle knew that the next token would be rejected.
round-told-accepted = **Accepted.** For “{ $token }” the target has p = { $p }, the draft had q = { $q }. Accept with chance $\min(1, p/q)$ = { $acceptance }; the draw u = { $u } is below it.
round-told-rejected = **Rejected.** For “{ $token }” the target has p = { $p }, the draft had q = { $q }. Accept with chance $\min(1, p/q)$ = { $acceptance }; the draw u = { $u } is not below it. Nothing behind it is judged.
round-told-correction = **Correct.** In place of the rejected token “{ $token }” is drawn from the residual $p'$, what p has above q. The round emits { $emitted ->
    [one] one token
   *[other] { $emitted } tokens
}; { $left ->
    [0] no drafted token
    [one] one drafted token
   *[other] { $left } drafted tokens
} behind the rejection were never judged.
round-told-bonus = **Add one.** No draft was rejected, so the pass has a law to spare: “{ $token }” is drawn from it. The round emits { $emitted ->
    [one] one token
   *[other] { $emitted } tokens
}.
round-told-cut = **Cut.** “{ $token }” ended the text. The round emits { $emitted ->
    [one] one token
   *[other] { $emitted } tokens
}; what was drafted behind it is dropped, and no bonus is drawn.
round-told-trim = **Cut the caches.** Columns of tokens that do not stand are forgotten: { $target } in the target's cache, { $draft } in the draft's. The last emitted token has no column yet; the next round feeds it.
round-told-trim-target = **Cut the cache.** Columns of tokens that do not stand are forgotten: { $target } in the target's cache. The last emitted token has no column yet; the next round feeds it.

round-window-label = The window of round { $round }
round-row-position = position
round-row-drafted = draft proposes
round-row-q = q, draft
round-row-p = p, target
round-row-ratio = chance of acceptance
round-row-u = u
round-row-test = test
round-row-emitted = emitted
round-extra = one more
round-ready = known
round-mark-accepted = accepted
round-mark-rejected = rejected
round-mark-unjudged = never judged
round-meter = accepted below { $acceptance }, drawn u = { $u }

round-cache-target = The target's K/V cache
round-cache-draft = The draft's K/V cache
round-cache-none = This drafter has no cache: it looks at the text alone.
round-cache-before = { $positions } positions from before
round-cache-length = holds { $positions } positions
round-column-new = new column
round-column-kept = kept
round-column-trimmed = trimmed
round-legend = ✓ accepted, ✕ rejected, ◆ correction, + bonus, ○ never judged. In a cache: a solid frame is kept, a struck one is trimmed; a dashed frame is of a drafted token.

round-column-request = prompt
round-column-round = round
round-column-position = position
round-column-token = token
round-column-acceptance = chance of acceptance
round-column-verdict = verdict

round-notice-one = However many tokens are rejected, every round emits at least one, and it is always the target's own.
round-notice-caches = After a rejection the target keeps one column more than it accepted: that of the token it was fed first. The draft never has a column for its last proposal, so after full acceptance it is one behind and is fed two tokens in the next round.
round-notice-judged = Never judged is not rejected: nobody has asked the target about these tokens in the text that now stands.
round-try-full = Go to a round in which everything was accepted.
round-try-first = Go to a round whose first draft was rejected.
round-try-sampled = Set the temperature to 1 and run: now p and q are laws, and u decides.

token-accepted = token { $position }, accepted
token-rejected = token { $position }, rejected
token-corrected = token { $position }, correction
token-bonus = token { $position }, bonus
token-unjudged = token { $position }, never judged

round-recording = { speculate-recording }
round-request = { speculate-prompt }
round-run-prompt = { speculate-prompt }
round-run-own = { speculate-own }
    .help = { speculate-own.help }
round-run-draft = { speculate-draft }
    .help = { speculate-draft.help }
round-run-policy = { speculate-policy }
    .help = { speculate-policy.help }
round-run-gamma = { speculate-gamma }
round-run-temperature = { speculate-temperature }
round-run-length = { speculate-length }
round-run-seed = { speculate-seed }
