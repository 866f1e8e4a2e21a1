flips-title = When does a neighbour change my answer?
    .nav = When answers change
flips-why = One prompt shows that a batch can change a token. A study over many prompts and batch sizes shows how often, where, and what such steps have in common.

flips-prompts = Prompts
    .help = From the start of the lab's own set of 128: questions, arithmetic, code and stories in turn.
flips-length = New tokens
flips-batches = Batch sizes
    .help = Up to five sizes from 2 to 64, such as 2, 8, 32. Each is compared with the base run.
flips-more = Prompts, base run and schedule
flips-set = Prompt set
flips-set-built-in = the lab's own
flips-set-own = your own…
flips-own = Your prompts, one a line
flips-kinds = Kinds of prompts
flips-kinds-question = questions
flips-kinds-arithmetic = arithmetic
flips-kinds-code = code
flips-kinds-story = stories
flips-base = Base run
    .help = What every batch size is compared with. bf16-solo: the same lane, each prompt alone. fp32: the FP32 lane.
flips-base-bf16-solo = alone, in the same lane (bf16-solo)
flips-base-fp32 = FP32 (fp32)
flips-lane = Lane
    .help = The arithmetic. bf16-emulated computes as a GPU does: the order of sums follows the batch size. fp32 and bf16-invariant keep one order. bf16-native is what torch does on this device.
flips-split-k = Split-K table
    .help = Rows:splits pairs. 1:4,8:2 means: one row, four partial sums; up to 8 rows, two; above, one.
flips-attribute = Find the operator
    .help = Also run each operator alone in a batch of 8: its order follows the batch, the other operators keep theirs. Takes about twice as long.
flips-count = How to count
    .help = The batched run is fed the tokens of the base run, so every step compares equal contexts. All steps: each of them counts. Until the first flip: only the steps before a free run would part, and the one where it parts.
flips-count-forced = all steps (teacher-forced)
flips-count-first = until the first flip

flips-trace = Open a saved trace
flips-open = A flip study of this page or of the command line (JSONL)
flips-save = Trace (JSONL)
flips-recorded = The recorded study: { $prompts } prompts, up to { $length } tokens each, lane { $lane }, batch sizes { $batches }, base run { $base }.

flips-coming = All prompts and batch sizes go step by step side by side. The map comes when the last step is done.
flips-differ = **{ $parted } of { $cells } answers part from the base run.** Fed the same tokens, { $share } % of { $steps } steps flip. A logit moves by up to { $epsilon }, yet no step flips whose margin is above { $margin }.
flips-same = **No token flips** in { $steps } steps of { $cells } answers. The logits do change, by up to { $epsilon }.
flips-same-bits = **The same bits:** in { $steps } steps of { $cells } answers no logit changes.

flips-fact-share = Steps that flip
flips-fact-flips = Flips, of all steps
flips-fact-parted = Answers that part
flips-of = { $part } of { $whole }
flips-fact-epsilon = ε: largest |Δlogit|
flips-fact-median = Median of max |Δlogit|
flips-fact-margin = Largest margin of a flip

flips-map-alt = Map of prompts and batch sizes: each cell shows how many steps flip, or the step at which the answer parts. The table below has the same numbers.
flips-map-batch = batch size, and its share of steps that flip
flips-map-cell = { $prompt }, batch { $batch }
flips-map-flips = flips: { $flips } of { $steps } steps
flips-map-first = parts at step { $step }
flips-map-none = never parts
flips-map-key-forced = **=** no flip. **◆ 2** two steps flip. Click a cell, or choose one below the map, to read both answers.
flips-map-key-first = **=** never parts. **◆ 12** parts at step 12, counted from 0. Click a cell, or choose one below the map, to read both answers.
flips-at-prompt = Prompt to read
flips-at-batch = Batch size to read

flips-cell = { $prompt } in a batch of { $batch }
flips-cell-prompt = The prompt: “{ $text }”
flips-cell-same = Both runs choose the same token at all { $steps } steps.
flips-cell-parts = The answers part at step { $step }, where the base run has a margin of { $margin }. The first word that differs is marked.
flips-cell-base = Base run
flips-cell-beside = In a batch of { $batch }
flips-cell-word = (first difference)
flips-steps-alt = Margin and largest logit change at every step of { $prompt } in a batch of { $batch }, with its flips
flips-steps-margin = margin of the base run
flips-steps-delta = max |Δlogit|
flips-steps-flip = flip
flips-steps-step = step
flips-steps-logits = logits

flips-near = How many tokens are in the running?
flips-near-told = N(Δ) counts the tokens whose logit is at most Δ below the top one. The top token itself is one of them, so 1 means that it has no rival. The MarginGate paper (arXiv 2605.30218, Table 4) finds a mean of about 1 on stable steps and about 2 on flipped ones, for its own models.
flips-near-alt = Mean N(Δ) for four Δ, on stable and on flipped steps: higher on flipped steps
flips-near-stable = stable steps
flips-near-flipped = flipped steps
flips-near-delta = Δ (logits)
flips-near-tokens = tokens, mean

flips-layers = Does the cache drift away?
flips-layers-told = Until its first flip, a batched run writes slightly other K and V than the base run. The chart shows how far off a new column is, layer by layer: the norm of the change over the norm of the column.
flips-layers-alt = Relative change of new K and V columns against the layer
flips-layers-layer = layer
flips-layers-change = relative change
flips-slope = Along the answer, the change in the deepest layer's K has a median slope of { $median } per token (eight in ten of { $sequences } answers between { $low } and { $high }).
flips-slope-none = No answer stays with the base run for { $steps } steps, so no slope can be told.
flips-slope-paper = The paper reports slopes within ±0.007 per token for its five models (arXiv 2605.30218): the change stays, but does not build up.

flips-operators = Which operator is it?
flips-operators-told = In a batch of { $batch }, one operator's order of sums follows the batch, and the others keep the order of a prompt alone. Shares need not add up: a small change anywhere spreads through all later layers.
flips-operators-alt = Share of steps that flip when one operator alone follows a batch of { $batch }
flips-operator-all = all operators
flips-operator-linears = linears (split-K)
flips-operator-attention = attention (split-KV)
flips-operator-norm = RMSNorm (block)
flips-operator-share = steps that flip (%)
flips-operators-norm = RMSNorm gives no flip, and it cannot in a batch of { $batch }: its kernel changes its block, and with it its order of sums, at 256 rows only. A decoding step has one row for each sequence.
flips-operators-attention = Attention changes no logit here: in a batch of { $batch }, and at these lengths, FlashAttention's rule splits K/V as it does for one prompt.

flips-notice-margin = Every flip has a small margin, far below 2ε. A logit may move by ε, but a flip needs the two leading logits to move apart by their margin. They share one hidden state and mostly move together.
flips-notice-first = Count until the first flip: the share stays about the same. One flip in a hundred steps is little for a step and much for an answer, since every later token builds on it.
flips-notice-batch = Batch sizes that split K alike share their flips: 2, 4 and 8 do in the default table. A larger batch is not worse than a smaller one; it only has another order of sums.

flips-try-first = Count until the first flip, and read in the map where each answer parts.
flips-try-invariant = Choose the lane bf16-invariant and run: the map is all =, with Δ of 0.
flips-try-split = Give every batch size the same split of K (64:4) and run: only attention is left. It splits otherwise in a batch of 32, and only past 64 positions.

flips-command = The same study on the command line:
flips-prompts-file = Its prompts (prompts.jsonl)

flips-column-prompt = prompt
flips-column-kind = kind
flips-column-batch = batch size
flips-column-operators = operators that follow the batch
flips-column-steps = steps
flips-column-flips = flips
flips-column-first = parts at step
flips-column-epsilon = largest |Δlogit|
flips-column-median_delta = median of max |Δlogit|
flips-column-smallest_margin = smallest margin
flips-column-flipped_margin = largest margin of a flip
