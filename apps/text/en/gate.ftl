gate-title = Which tokens should be looked at again?
    .nav = The gate
gate-why = Most BF16 tokens cannot flip: their first logit leads by far. A gate lets those pass and has the few near-ties computed again in the reference lane. Its one dial is τ, the margin up to which a token is looked at.

gate-open-title = Open a saved trace
gate-open-text = A *watch* trace holds both lanes at every step and serves any τ; a *gate* trace is one run behind a gate. This makes a watch trace:
gate-open = A trace of this page (JSONL)
gate-save = Trace (JSONL)
gate-recorded = The reference lane ({ $reference }) wrote each prompt's tokens; the fast lane ({ $fast }), with { $batch } prompts in a batch, computed every one of those steps too. So one record answers for every τ.

gate-tau = The gate's threshold τ
    .help = A step is flagged if the fast lane's margin is at most τ.
gate-verdict-caught = **τ = { $tau } holds every row on the reference's tokens:** { $flips ->
    [one] the one flip was flagged.
   *[other] all { $flips } flips were flagged.
}
gate-verdict-missed = **τ = { $tau } is too small:** { $missed ->
    [one] one flip
   *[other] { $missed } flips
} of { $flips } passed unflagged, and { $left ->
    [one] one prompt leaves
   *[other] { $left } prompts leave
} the reference's tokens. What follows there is faded.
gate-verdict-none = **Nothing to catch:** no step of this trace flips.

gate-lanes-alt = Each of { $prompts } prompts as two lanes, step by step, at τ = { $tau }: the fast lane above, the inspection lane below
gate-lanes-cut = The picture has the first { $shown } of { $prompts } prompts; the counts and the table have all.
gate-axis-step = step
gate-mark-passed = passed
gate-mark-flagged = flagged
gate-mark-confirmed = looked at, confirmed
gate-mark-repaired = looked at, flip repaired
gate-mark-missed = flip missed
gate-hover = { $request }, step { $step }: fast “{ $fast }”, reference “{ $reference }”, margin { $margin }
gate-hover-flagged = rows flagged:

gate-of = { $part } of { $whole }
gate-share-of = { $part } of { $whole } ({ $share } %)
gate-meter-rows = Rows flagged
gate-meter-steps = Steps with a flagged row
gate-meter-passes = Verifier passes
gate-meter-caught = Flips caught
gate-meter-missed = Flips missed
gate-meter-left = Prompts that leave
gate-meter-bound = Escapes per step, 95 % bound
gate-paper = Beside it, the paper: { $trigger } % triggered with { $model }, τ calibrated on MATH500 ([arXiv 2605.30218]({ $url })). Another model, other prompts, a GPU's kernels; its abstract does not say whether rows or steps are counted. Here faded steps are counted too, since the record stays on the reference's tokens.

gate-step-title = One step in both lanes
gate-prompt = Prompt
gate-step = Step
    .help = A click on a mark of the picture chooses the step as well.
gate-step-prompt = The prompt: “{ $prompt }”
gate-step-passed = **Passed.** The margin { $margin } is above τ, and both lanes choose “{ $fast }”.
gate-step-confirmed = **Flagged, confirmed.** The margin { $margin } is at most τ; the reference lane computed the step again and also chose “{ $reference }”.
gate-step-repaired = **Flagged, repaired.** At margin { $margin } the fast lane chose “{ $fast }”. The reference lane chose “{ $reference }”: that token is committed, and the step's K/V column is replaced in every layer.
gate-step-missed = **Missed.** At margin { $margin }, above τ, the fast lane's “{ $fast }” passes. The reference lane would have written “{ $reference }”.
gate-fact-margin-fast = Margin, fast lane
gate-fact-margin-reference = Margin, reference
gate-fact-delta = Largest |Δlogit|
gate-fact-kv = K/V column, relative change
gate-top-fast-token = fast lane
gate-top-fast-logit = logit, fast
gate-top-reference-token = reference lane
gate-top-reference-logit = logit, ref.

gate-curve-title = How large must τ be?
gate-curve-alt = Share of flips caught and of rows flagged against τ, with the margin of every flip
gate-axis-share = share
gate-line-caught = flips caught
gate-line-triggered = rows flagged
gate-line-flips = margin of a flip
gate-line-tau = this τ
gate-line-catching = smallest τ that catches all
gate-epsilon = **ε against the flips' own margins.** Some logit moves by up to ε = { $epsilon }. A margin above $2\varepsilon$ = { $start } therefore cannot flip, but a gate at $2\varepsilon$ flags { $start_rate } % of the rows. A flip needs less: only the *difference* of the two best logits must change sign, and the two mostly move together. The largest margin of a flip here is { $catching }; a gate at that τ flags { $catching_rate } % and misses none of those seen. That is an observation, not a proof: over { $steps } steps, taken as independent trials, the share of escapes is below { $bound } % with 95 % confidence (Clopper–Pearson).

gate-table = The steps as a table, for any τ
gate-column-prompt = prompt
gate-column-step = step
gate-column-flip = flip
gate-column-fast = fast lane
gate-column-reference = reference
gate-column-fast_margin = margin, fast lane
gate-column-reference_margin = margin, reference
gate-column-max_delta = max |Δlogit|
gate-column-kv_change = K/V change
gate-column-token = committed
gate-column-flagged = flagged
gate-column-verified = verified
gate-column-corrected = corrected
gate-column-dropped = rolled back

gate-run-title = A run behind the gate
gate-run-text = Now the gate decodes. In the paper's policy (*margingate*) the verifier computes a flagged step again over the fast lane's own K/V cache, and repairs what differs. In *replay*, this lab's own policy, the verifier keeps a cache of its own in the reference lane: each look replays every position since the last one, commits them up to the first mismatch, and rolls the rest back. Where all agree, its pass gives the next token as well.
gate-policy = Policy
gate-policy-margingate = margingate: repair
gate-policy-replay = replay: roll back
gate-live-tau = τ of this run
gate-prompts = Prompts in the batch
gate-length = New tokens
gate-more = Repair, window, reference and schedule
gate-repair = Repair
    .help = Which K/V columns the paper's policy replaces. The paper: those where the tokens differ.
gate-repair-mismatch = columns of a mismatch
gate-repair-flagged = every flagged column
gate-repair-step = all rows of a flagged step
gate-prompt-lane = Prompts computed in
    .help = The lane that the prompt's K/V come from, in the paper's policy. Replay always takes the reference lane.
gate-prompt-lane-fast = the fast lane
gate-prompt-lane-reference = the reference lane
gate-window = Window
    .help = Most tokens of a row that may wait for a look; 0: no bound.
gate-pass-size = Pass size
    .help = Positions that flagged rows gather before a pass of the verifier runs.
gate-reference = Reference
    .help = Whose tokens count as right. fp32: FP32 throughout. bf16-solo: the fast lane with the prompt alone.
gate-split-k = Split-K table
    .help = Rows:splits pairs. 1:4,8:2 means: one row, four partial sums; up to 8 rows, two; above, one.
gate-run-recorded = The recorded run: { $policy }, τ = { $tau }, { $prompts } prompts × { $length } tokens, reference { $reference }.
gate-run-reference = The reference lane decodes first, to compare with. The run behind the gate follows.
gate-run-legend = ■ looked at and confirmed, ◆ repaired, ✕ leaves the reference's tokens; no sign: not looked at. Point at a token for its margin. On this CPU the BF16 lane is emulated, so times say nothing about a GPU.
gate-run-equal = Equal to the reference
gate-run-corrections = Corrections
gate-run-dropped = Tokens rolled back
gate-run-bonus = Tokens the verifier gave
gate-run-passes = Verifier passes
gate-run-positions = Positions in them
gate-run-rows = Rows flagged by margin
gate-run-steps = Steps with a flagged row
gate-run-table = The run as a table
gate-row = { $request }: { $repaired ->
    [0] nothing repaired
    [one] one token repaired
   *[other] { $repaired } tokens repaired
}, { $dropped ->
    [0] none rolled back
   *[other] { $dropped } rolled back
}; { $end }
gate-row-same = the reference's tokens
gate-row-left = leaves the reference at step { $step }
gate-note-margin = margin { $margin }
gate-note-bonus = the verifier's pass gave this token of itself
gate-note-confirmed = looked at, confirmed
gate-note-repaired = the fast lane had “{ $token }”; rolled back behind it: { $dropped }
gate-note-kv = K/V column changed by { $change } %
gate-note-reference = the reference has { $token }
gate-note-after = after leaving the reference, there is nothing to compare with
gate-reason-unflagged = **{ $request }, step { $step }: not flagged.** The fast lane's margin was { $margin }, above τ.
gate-reason-agreed = **{ $request }, step { $step }: flagged, and wrongly confirmed.** At margin { $margin } the verifier looked, but over the fast lane's K/V cache; there it chose the fast lane's token too.
gate-reason-corrected = **{ $request }, step { $step }: flagged, and wrongly corrected.** At margin { $margin } the verifier, reading the fast lane's K/V cache, put a token that the reference run does not have.

gate-why-title = Why a larger τ is not enough
gate-why-text = Unflagged steps leave K/V columns with BF16 noise in the cache, and the paper's verifier reads them. Its verdict at a near-tie is then the reference lane's *on a drifting context*, and can itself be wrong. A larger τ brings more looks, all over the same noisy cache. Repairing more columns puts the reference lane's values there, but computed over columns that are still noisy, those of the prompt first of all. Only the widest repair, all rows of a flagged step with prompts in the reference lane too, keeps this workload equal, from τ = 0.25 on; by then almost every step is computed twice, and nothing promises the same of the next workload. Replay reads no such column: its verifier's cache holds only what the reference lane computed for committed tokens, so every token is the reference's, whatever τ. There the gate decides when to look, not whether.
gate-why-alt = Share of sequences equal to the reference against τ, for each policy
gate-axis-equal = equal sequences
gate-line-replay = replay
gate-line-margingate-step-reference = repair all rows of a flagged step, prompts in the reference lane
gate-line-margingate-mismatch-reference = repair on mismatch, prompts in the reference lane
gate-line-margingate-step = repair all rows of a flagged step
gate-line-margingate-flagged = repair every flagged column
gate-line-margingate-mismatch = repair on mismatch (the paper)
gate-why-conditions = { $sequences } prompts of 48 tokens, orders of sums of a batch of { $batch }, reference fp32. The paper reports 100 % for its policy on its models; for this small model at these near-ties it is not so. With so few sequences a difference of one or two says little.

gate-notice-margins = Flips sit at the smallest margins, several at an exact tie of two BF16 logits. τ = 0 flags those ties already.
gate-notice-step = Few rows are flagged, but in a batch most steps have one. The verifier runs by step, so its passes follow the second rate, not the first.
gate-notice-drift = After a missed flip nothing warns: the tokens go on fluently, and the margins look as before.

gate-try-small = Set τ to 1/64: a flip passes, and its prompt fades.
gate-try-replay = Choose replay with a window of 32 and run: every row equals the reference.
gate-try-flagged = Repair every flagged column at τ = 0.5 and run; count the equal rows.

token-confirmed = token { $position }, looked at and confirmed
token-repaired = token { $position }, repaired
token-missed = token { $position }, leaves the reference
token-after = token { $position }, after leaving the reference
