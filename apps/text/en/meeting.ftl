meeting-title = Is greedy speculation lossless in BF16?
    .nav = Speculation meets the gate
meeting-why = On paper, greedy speculation changes no token: whatever is drafted, the target has the last word. But its word is a sum, and a round computes γ + 1 rows in a pass where plain decoding computes one. In BF16 that is another order of sums. Here one workload runs both ways: in FP32, in BF16, and in BF16 behind the gate.

meeting-open-title = Open a saved trace
meeting-open-text = A *meeting* trace holds all five runs of one workload. This makes one:
meeting-open = A trace of this page (JSONL)
meeting-save = Trace (JSONL)

meeting-controls = A run of your own: drafter, γ, batch, lane, gate
meeting-drafter = Drafter
    .help = Who proposes. In exact arithmetic every one of them gives the same tokens.
meeting-gamma = γ, drafted tokens a round
    .help = A round's pass has γ + 1 rows for each prompt; 0 is plain decoding.
meeting-prompts = Prompts
    .help = The first of the built-in stories. All five runs decode them.
meeting-length = New tokens
meeting-batch = Prompts at a time
meeting-lane = Fast lane
    .help = The arithmetic of the runs called BF16. bf16-emulated follows a GPU's orders of sums; bf16-invariant has one order for every shape; bf16-native is what torch does on this machine.
meeting-split-k = Split-K table
    .help = Rows:splits pairs. 1:4,8:2 means: one row, four partial sums; up to 8 rows, two; above, one.
meeting-tau = The gate's threshold τ
    .help = A token asks for a look if its margin is at most τ.
meeting-window = Window
    .help = Tokens of a row that may wait for a look. A round may overfill it before the verifier comes.
meeting-pass-size = Pass size
    .help = Positions that flagged rows gather before a pass of the verifier runs.

meeting-told = Prompts: { $prompts }, { $length } tokens each, { $batch } at a time. Drafter { $drafter }, γ = { $gamma }. Fast lane { $lane }. Gate: τ = { $tau }, window { $window }, pass size { $pass_size }.
meeting-runs-done = { $done } of { $all } runs are done.
meeting-verdict-parted = **No.** In BF16, rounds leave plain decoding's tokens in { $parted } of { $prompts } prompts, first at token { $first }.
meeting-verdict-equal = **Here it is:** in BF16, rounds give plain decoding's tokens in all { $prompts } prompts. Longer texts or another γ may still part.

meeting-run-fp32 = FP32, plain
meeting-run-fp32-speculative = FP32, in rounds
meeting-run-bf16 = BF16, plain
meeting-run-bf16-speculative = BF16, in rounds
meeting-run-bf16-speculative-gated = BF16, in rounds, gated
meeting-against = { $run } = { $partner }
meeting-than = against { $partner }

meeting-matrix = Where each run parts from its partner
meeting-matrix-legend = “=”: all tokens are the partner's. ◆: the first token that differs, counted from 0, and the run's own margin there. Up to that token both runs have read the same text.
meeting-cell-equal = equal
meeting-cell-parted = token { $step }
meeting-cell-margin = margin { $margin }
meeting-cell-ended = the run has ended

meeting-texts-title = One prompt in full
meeting-prompt = Prompt
meeting-prompt-told = The prompt: “{ $prompt }”
meeting-strip = { $run }
meeting-strip-both = { $run } and { $partner }: the same tokens
meeting-texts-legend = ◆ in the first two texts of a pair: here the runs part, and what follows is no longer comparable. ◆ in the gated text: the verifier overruled the BF16 lane. Point at a token for its margin, its runner-up and the rows of its pass.
meeting-note = margin { $margin }, runner-up “{ $runner }”, rows of the pass: { $rows }
meeting-note-after = after the runs have parted
meeting-note-corrected = corrected by the verifier
meeting-place-equal = All { $tokens } tokens are equal.
meeting-place-verified = All { $tokens } tokens are equal; { $corrected ->
    [0] the verifier corrected none.
    [one] the verifier corrected one on the way.
   *[other] the verifier corrected { $corrected } on the way.
}
meeting-place-parted = **They part at token { $step }.** { $partner } { $own }
meeting-choice = { $run }: “{ $token }”, margin { $margin } before “{ $runner }”, rows of the pass: { $rows }.
meeting-choice-ended = { $run } had ended.

meeting-margins-title = Where they part, the margin is small
meeting-margins-alt = Share of plain BF16's steps up to each margin, with the steps at which runs part
meeting-margins-text = The curve counts every step of plain BF16. A mark stands at plain BF16's margin where a run parts. To the left of τ the gate looks at once; it looks at all the others too, but later, when the window is full.
meeting-axis-margin = margin of plain BF16
meeting-axis-share = steps up to this margin
meeting-line-all = all steps
meeting-line-tau = τ = { $tau }
meeting-mark-bf16-speculative = rounds leave plain BF16
meeting-mark-bf16 = plain BF16 leaves FP32

meeting-cost = What each run took
meeting-cost-tokens = tokens
meeting-cost-passes = passes
meeting-cost-per-pass = tokens a pass
meeting-cost-visits = verifier passes
meeting-cost-corrected = corrected
meeting-cost-text = Passes of the lane over one prompt's tokens, summed over prompts; those over the prompts themselves are left out. A pass of the verifier is one in FP32. Seconds would say nothing of a GPU: on this CPU the BF16 lane is emulated.

meeting-table = The pairs as a table
meeting-column-prompt = prompt
meeting-column-run = run
meeting-column-partner = partner
meeting-column-equal = equal
meeting-column-parted = parts at
meeting-column-token = token
meeting-column-partner_token = partner's token
meeting-column-margin = margin
meeting-column-partner_margin = partner's margin
meeting-column-runner_up = runner-up
meeting-column-rows = rows
meeting-column-partner_rows = partner's rows
meeting-column-passes = passes
meeting-column-visits = verifier passes
meeting-column-corrected = corrected

meeting-notice-rows = The rule of acceptance is exact; the logits it is given are not those of plain decoding. With γ = 4 a pass has 5 rows, and the split-K table gives 5 rows two partial sums where one row gets four. The other orders stay: attention's rule counts blocks of 64 queries, which 5 rows of this model do not fill, and RMSNorm changes at 256 rows.
meeting-notice-margin = Runs part at near-ties only. Which of the two tokens is “right” no one can say: plain BF16 itself leaves FP32 at such places.
meeting-notice-fp32 = In FP32 nothing parts, and not by luck: the lab's FP32 kernels give a row the same bits whatever stands beside it. With ordinary FP32 kernels the order changes too, only the ties that it could break are far rarer.
meeting-notice-gate = Behind the gate, the verifier computes each position again in FP32, in a cache of its own, and takes back what differs, the drafts behind it as well. So the tokens are those of FP32 decoding, whatever the drafter, γ, batch or τ.
meeting-notice-cost = The gate's passes come on top of the rounds' own. Its bonus gives a token back: where all agrees, the pass has the next token too.

meeting-try-zero = Set γ = 0 and run: a round of one row is plain decoding, bit for bit.
meeting-try-split = Give one to 64 rows the same split (64:4) and run: nothing parts, so split-K was the cause.
meeting-try-invariant = Take the bf16-invariant lane and run: rounds equal plain BF16, and both may still leave FP32.
