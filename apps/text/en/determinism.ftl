determinism-title = What does determinism cost?
    .nav = What determinism costs
determinism-why = Every way of keeping a neighbour from changing your answer costs something. Here they all decode the same prompts: what stays equal, and how much longer a token takes.

determinism-strategies = Strategies
    .help = bf16: no check. fp32 and bf16-invariant: an arithmetic that the batch does not change. every-step and window-16, -32, -64: an FP32 verifier replays every token, after each one or once a window is full, as LLM-42 does. margingate: the paper's policy, with or without a queue. replay: this lab's, a verifier with its own cache that looks where the margin is small.
determinism-batches = Batch sizes
    .help = Real batches: requests join as others leave.
determinism-prompts = Prompts
determinism-length = New tokens
determinism-tau = Threshold τ
    .help = A token whose logit margin is at most τ asks for a look. For margingate and replay.
determinism-window = Window
    .help = Replay looks at the latest after so many unverified tokens of a row; the queue of margingate-queued too.
determinism-pass = Pass size
    .help = Replay waits until the flagged rows have so many positions to verify, and does them in one pass.
determinism-more = Queue, reference and schedule
determinism-queue = Queue
    .help = Flagged positions that margingate-queued gathers for one pass.
determinism-rounds = Rounds
    .help = How often each strategy is measured, in turns. Times are the medians: a busy machine disturbs single ones.
determinism-grid-run = Also run replay under 12 gates
    .help = τ of 0.125, 0.25 and 0.5, windows of 8 and 32, passes of 1 and 32 positions, at the largest batch size.
determinism-reference = Reference
    .help = What a verified run is compared with: fp32, or bf16-solo, the BF16 lane as it runs alone.
determinism-lane = Lane
    .help = The fast arithmetic. bf16-emulated computes as a GPU does; bf16-native is what torch does on this device.
determinism-split-k = Split-K table
    .help = Rows:splits pairs. 1:4,8:2 means: one row, four partial sums; up to 8 rows, two; above, one.

determinism-trace = Open a saved trace
determinism-open = A trace of this page or of `gate compare` (JSONL)
determinism-save = Trace (JSONL)
determinism-recorded = { $prompts } prompts, up to { $length } tokens each, batch sizes { $batches }, compared with { $reference }.
determinism-empty = No strategy has finished yet.
determinism-no-times = No increments here: they need real batches, and BF16 alone (bf16) among the strategies.
determinism-emulated = Some batch sizes are emulated: the schedule was set to the size and up to 32 rows shared a pass. Their flips and tokens count; their steps and passes are those of wider passes, and their times are left out.

determinism-verdict-bf16 = **BF16 alone:** { $shapes ->
    [1] { $equal } % of the sequences are the reference’s.
   *[other] { $identical } % of the sequences are the same at all batch sizes; { $equal } % are the reference’s at every one.
}
determinism-verdict-margingate = **MarginGate, as the paper words it:** { $shapes ->
    [1] { $equal } % the reference’s
   *[other] { $identical } % the same, { $equal } % the reference’s
}, with { $trigger } % of the rows flagged.
determinism-verdict-replay = **Margin-gated replay:** { $shapes ->
    [1] { $equal } % the reference’s
   *[other] { $identical } % the same, { $equal } % the reference’s
}, with { $trigger } % of the rows asking for a look.
determinism-verdict-ratio = Increment of every-step ÷ this one: { $at }.
determinism-verdict-at = { $ratio } at batch { $batch }
determinism-comma = ,{" "}

determinism-at = At batch size
determinism-axis-equal = sequences equal to the reference
determinism-one-size = One batch size: whether a sequence stays the same at others cannot be seen here. The chart shows the sequences equal to the reference instead.
determinism-axis-identical = sequences identical at all batch sizes
determinism-axis-increment = added to a token, over BF16 alone
determinism-cost-alt = For each strategy: identical sequences in per cent, and milliseconds a token more than BF16 alone, at batch size { $batch }. The same numbers stand in the table.
determinism-cpu = On a CPU the BF16 lane is emulated and slower than FP32. So the increment says what verification adds to BF16 alone, not how a GPU would rank the lanes. Open symbols verify nothing: their increment compares two arithmetics on this machine only, and can be below zero.

determinism-table = One row a strategy
determinism-exact-construction = greedy-identical in { $reference }, by construction
determinism-exact-invariant = same at every batch size by construction, its own tokens
determinism-exact-measured = as measured, nothing promised
determinism-exact-none = none

determinism-grid = When should replay look?
determinism-grid-why = Replay ends with the same tokens whatever its gate. The gate only moves the cost. **An early visit** finds a flip before much is written behind it, so few tokens are rolled back, but it verifies few positions, and a pass costs almost as much as a fuller one. **A late visit** fills its pass, but all that was decoded behind an unseen flip is lost.
determinism-grid-recorded = From the recorded trace: a run of one gate has no grid.
determinism-no-grid = This trace holds one gate of replay only.
determinism-no-tau = none
determinism-no-window = at the end
determinism-measure = Shown
determinism-measure-increment = added time
determinism-measure-waste = rolled back
determinism-measure-filling = positions a pass
determinism-grid-pass = Pass size
determinism-grid-increment = Milliseconds a token more than BF16 alone, at batch size { $batch }. Dark costs more.
determinism-grid-waste = Tokens rolled back, per cent of those that the lane made, at batch size { $batch }. Dark wastes more.
determinism-grid-filling = Positions in a pass, on average, at batch size { $batch }. Dark is fuller.
determinism-grid-best = Least added time in this trace: { $gate }, { $ms } ms a token at batch size { $batch }. Neighbouring gates often lie within the noise of the machine.
determinism-grid-alt = Replay at pass size { $size }: { $measure } for each threshold τ and window
determinism-axis-window = window
determinism-waste = **Rollbacks of a plain window.** If each token flips with the same chance, the last formula below gives how much of a window is lost on average. First the share of tokens expected to be rolled back, then the share seen. The formula takes flips as independent; real ones come in clusters, and a request’s last window is shorter.
determinism-waste-rate = Flips a token, verifying every step
determinism-waste-expected = Window { $window }: expected
determinism-waste-seen = Window { $window }: seen

determinism-papers = Beside the papers
determinism-papers-how = Read these beside each other, not against each other. The papers ran models of 7 to 14 billion parameters on GPUs, with other verifiers. { $link } chose τ on MATH500, and its reduction is against LLM-42’s increment. Ours is SmolLM2-135M unless the trace says otherwise, and its reduction is against verifying every step. The abstract gives no machine and no τ.
determinism-paper-ours = this page: { $strategy }{ $batch ->
    [0] {""}
   *[other] , batch { $batch }
}
determinism-paper-column-who = source
determinism-paper-column-model = model
determinism-paper-column-trigger_percent = rows flagged, %
determinism-paper-column-identical_percent = sequences identical, %
determinism-paper-column-reduction = increment falls by a factor of
determinism-paper-llm42-throughput = offline throughput as a share of SGLang without determinism (8B model, one GPU, six workloads): { $low } to { $high } where all requests ask for determinism, { $half } to { $half_best } where half do.
determinism-paper-llm42-grouping = throughput with windows of 16, as a share of its best: { $alone } when one request is verified at a time, { $grouped } when 32 are. Full passes pay.
determinism-paper-llm42-recompute = tokens computed again, one request a pass: { $short } % with a window of 16, { $long } % with 512. With 32 requests and a window of 16: { $grouped } %.
determinism-paper-llm42-invariant = a batch-invariant matrix product in Triton takes { $one } times as long as the usual one at 1 token, { $many } times at 128, { $most } times at 2048 (one GPU). That is the cost of kernels that the batch does not change.
determinism-paper-thinking-machines = 1,000 sequences of Qwen3-8B on one GPU, about 100 tokens each: { $default } s with the usual kernels, { $first } s with the first batch-invariant ones, { $improved } s with better attention. Read in summaries of the post.

determinism-notice-measured = The paper’s policy repairs confirmed flips only. Its verifier reads K/V that were never verified, and those drift. So on this small model a larger τ does not bring it to 100 %. The paper measured 100 % on larger ones.
determinism-notice-construction = Every strategy that replays with its own FP32 cache reaches 100 %. That is no measurement’s luck: each token is verified in the end. They differ only in cost.
determinism-notice-batch = The increment per token falls as the batch grows, because a pass serves more rows. At batch 32 a CPU is bound by arithmetic, so a fuller pass saves less.
determinism-notice-plain = The trigger rate by step is far above the rate by row: one flagged row in 32 is enough. The latency follows the steps, so it does not fall in proportion to the rows.

determinism-try-tau = Set τ to 1 and run margingate: more rows are looked at, and it is still not 100 %. Replay is.
determinism-try-early = Let replay look at every flagged row at once (pass size 1): fewer rollbacks, more passes.
determinism-try-windows = Compare a window of 16 with one of 64, on 64 tokens: which wastes more, which fills its passes?
determinism-command = The same comparison on the command line; this page opens the file that it writes.

determinism-column-strategy = strategy
determinism-column-identical_percent = identical at all sizes, %
determinism-column-equal_percent = equal to the reference, %
determinism-column-exact = exact
determinism-column-gate = gate
determinism-column-trigger_row_percent = rows asking, %
determinism-column-trigger_step_percent = steps asking, %
determinism-column-corrections = corrections
determinism-column-rolled_back = rolled-back tokens
determinism-column-bonuses = tokens from the verifier
determinism-column-visits = verifier passes
determinism-column-verified = positions verified
determinism-column-ms_b1 = ms a token, batch 1
determinism-column-increment_b1 = added ms, batch 1
determinism-column-ratio_b1 = every-step ÷ this, batch 1
determinism-column-ms_b2 = ms a token, batch 2
determinism-column-increment_b2 = added ms, batch 2
determinism-column-ratio_b2 = every-step ÷ this, batch 2
determinism-column-ms_b4 = ms a token, batch 4
determinism-column-increment_b4 = added ms, batch 4
determinism-column-ratio_b4 = every-step ÷ this, batch 4
determinism-column-ms_b8 = ms a token, batch 8
determinism-column-increment_b8 = added ms, batch 8
determinism-column-ratio_b8 = every-step ÷ this, batch 8
determinism-column-ms_b16 = ms a token, batch 16
determinism-column-increment_b16 = added ms, batch 16
determinism-column-ratio_b16 = every-step ÷ this, batch 16
determinism-column-ms_b32 = ms a token, batch 32
determinism-column-increment_b32 = added ms, batch 32
determinism-column-ratio_b32 = every-step ÷ this, batch 32
