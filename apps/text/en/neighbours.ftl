neighbours-title = Same prompt, different neighbours: is the answer the same?
    .nav = Different neighbours
neighbours-why = A server decodes your prompt together with other people's. Their company changes the batch size, the batch size changes the order of sums, and in BF16 that can change a token.

neighbours-prompt = Prompt
neighbours-prompt-sky = Why is the sky blue?
neighbours-prompt-lighthouse = A story about a lighthouse keeper
neighbours-prompt-sum = What is 17 + 26?
neighbours-prompt-reverse = Reverse a list in Python
neighbours-prompt-copper = Three uses of copper
neighbours-prompt-letter = A letter about a hedge
neighbours-prompt-tides = What causes the tides?
neighbours-prompt-soup = A recipe for lentil soup
neighbours-prompt-own = your own…
neighbours-own-prompt = Your prompt
neighbours-company = Neighbours
    .help = Who shares the batch. Even copies of the prompt itself change the batch size.
neighbours-company-others = other questions
neighbours-company-copies = copies of the prompt
neighbours-company-own = your own…
neighbours-own-company = Your neighbours, one prompt a line
neighbours-batches = Batch sizes
    .help = One or more sizes from 2 to 64, such as 2, 8, 32. Each is compared with the prompt alone.
neighbours-length = New tokens
neighbours-lane = Lane
    .help = The arithmetic. bf16-emulated computes as a GPU does and lets the schedule below decide the order of sums. fp32 and bf16-invariant keep one order. bf16-native is what torch does on this device.
neighbours-more = Neighbours and schedule
neighbours-schedule = **What the batch may change in bf16-emulated.** Each switch ties one operator's order of sums to the batch.
neighbours-linears = Linears (split-K)
neighbours-attention = Attention (split-KV)
neighbours-norm = RMSNorm (block)
neighbours-split-k = Split-K table
    .help = Rows:splits pairs. 1:4,8:2 means: one row, four partial sums; up to 8 rows, two; above, one.
neighbours-partials = Round partial sums to BF16
    .help = cuBLAS's reduced-precision reduction. Partial sums otherwise stay in FP32.
neighbours-forced = Teacher forcing
    .help = The batched run follows the tokens of the run alone, so that every step compares the same context.
neighbours-arrive = Steps between arrivals
    .help = 0: all neighbours are there from the start. Above: they join one by one, and the batch grows.

neighbours-trace = Open a saved trace
neighbours-open = A trace of this page (JSONL)
neighbours-save = Trace (JSONL)
neighbours-recorded = The recorded trace: “{ $prompt }”, { $length } tokens in { $lane }, alone and in batches of { $batches }.

neighbours-alone = Alone
neighbours-beside = In a batch of { $batch }
neighbours-margin = margin { $margin }
neighbours-delta = margin alone { $margin }, max |Δlogit| { $delta }
neighbours-parted = the contexts differ from here on, so the logits cannot be compared
neighbours-same-bits = **Batch { $batch }: the same bits.** All { $compared } compared steps gave equal logits.
neighbours-same = **Batch { $batch }: the same tokens, other logits.** Over { $compared } steps the largest |Δlogit| is { $epsilon }; the smallest margin is { $margin }.
neighbours-differ = **Batch { $batch }: another token at step { $first }.** { $flips ->
    [one] One flip
   *[other] { $flips } flips
} in { $compared } compared steps; the largest |Δlogit| is { $epsilon }, the smallest margin { $margin }.

neighbours-chart = Margin of the run alone at every step, with the largest logit change in each batch
neighbours-chart-margin = margin alone
neighbours-chart-delta = max |Δlogit|, batch { $batch }
neighbours-chart-flip = flip
neighbours-chart-step = step
neighbours-chart-logits = logits

neighbours-notice-first = The first step is equal: the prompt is fed alone in both runs. From the second step on, another batch shape computes it.
neighbours-notice-margin = A token flips only where the margin is small: at most twice the largest change of a logit. Most steps are nowhere near.
neighbours-notice-delta = The logits change at almost every step, though the tokens do not. BF16 logits from 16 to 32 lie on a grid of 0.125, so changes come in such steps.

neighbours-try-fp32 = Choose the lane fp32 and run: every Δ is 0, in any company.
neighbours-try-copies = Let the neighbours be copies of the prompt itself: it still meets another batch size.
neighbours-try-forced = Force the tokens, at batch 2, 8 and 32, and count the flips of every step.

neighbours-column-batch = batch
neighbours-column-step = step
neighbours-column-sequences = sequences then
neighbours-column-alone = token alone
neighbours-column-beside = token in the batch
neighbours-column-flip = flip
neighbours-column-max_delta = max |Δlogit|
neighbours-column-alone_margin = margin alone
neighbours-column-beside_margin = margin in the batch
neighbours-column-alone_id = id alone
neighbours-column-beside_id = id in the batch
