token-title = How does a sum decide a token?
    .nav = From a sum to a token
token-why = A logit is one long sum, and the token is the largest logit. Here are real steps of a real model: the batch size sets how the sum is cut, and two close logits tie or swap.

token-step = Step
    .help = Steps of SmolLM2 that were recorded: flips, exact ties, close steps that hold, and clear ones.
token-step-flip1 = A flip, 1
token-step-flip2 = A flip, 2
token-step-flip3 = A flip, 3
token-step-flip4 = A flip, 4
token-step-flip5 = A flip, 5
token-step-tie1 = A tie that holds, 1
token-step-tie2 = A tie that holds, 2
token-step-tie3 = A tie that holds, 3
token-step-near1 = A near-tie that holds, 1
token-step-near2 = A near-tie that holds, 2
token-step-clear1 = A clear step, 1
token-step-clear2 = A clear step, 2
token-batch = Batch size M
    .help = Sequences that are decoded together: the rows of every matrix product.
token-reach = What is split
    .help = Every layer: the hidden state is the one that the model had when all its linear layers were split so. Last product: one hidden state, and only its product with the output matrix is split.
token-reach-model = every layer
token-reach-product = the last product only
token-table = Split table
    .help = Rows:splits pairs. 1:4,8:2 means: one row, four partial sums; up to 8 rows, two; above, one. Recorded split counts are 1, 2, 4 and 8.
token-arithmetic = Sums of the last product
    .help = The recorded layers before it always keep partial sums in FP32.
token-arithmetic-tensor_core = FP32, one rounding at the end
token-arithmetic-reduced_partials = FP32, partial sums rounded to BF16
token-arithmetic-all_bf16 = every addition rounded to BF16

token-context = Prompt: “{ $prompt }” · step { $step } · so far: “{ $before }”
token-wins = At { $batch ->
    [one] batch size 1
   *[other] batch size { $batch }
} the sums are cut into { $splits ->
    [one] one part
   *[other] { $splits } parts
}. { $first } wins with { $logit }; { $second } has { $other }, a margin of { $margin }.
token-tied = At { $batch ->
    [one] batch size 1
   *[other] batch size { $batch }
} the sums are cut into { $splits ->
    [one] one part
   *[other] { $splits } parts
}. **A tie**: { $first } and { $second } both have { $logit }. The lower id wins: { $id } before { $other_id }.
token-flipped = Alone, { $alone } wins: **the batch has flipped the token.**
token-held = Alone, { $alone } wins too.

token-splits = Parts of the sum
token-chosen = Token
token-margin = Margin
token-spacing = Gap between BF16 numbers here
token-logit = logit
token-line-alone = logit alone (M = 1)
token-line-sum = sum before rounding
token-line-logit = logit in BF16
token-line-chosen = chosen, as alone
token-line-flip = chosen, another than alone
token-line-alt = Number lines of the top candidates at batch size { $batch }: “{ $first }” is chosen, margin { $margin }
token-batches = Over all batch sizes
token-batches-alt = The logits of the leading candidates at batch sizes 1 to 64, and the token chosen at each
token-batch-axis = batch size M

token-notice-grid = Every logit sits on the vertical lines: the BF16 numbers. Between 16 and 32 they are 0.125 apart. A sum that moves a little stays where it is, or moves by a whole gap.
token-notice-tie = On a coarse grid, close logits become equal. Then the lowest id wins, by rule. A tie can therefore be a flip although neither logit overtakes the other.
token-notice-reach = Cut the last product only, with sums in FP32: nothing moves in these steps. What moves the logits is the hidden state. Thirty layers round to BF16 after each product, and each rounding passes a small change on.

token-try-tie = Fourth flip, batch size 8: the tie alone flips the token.
token-try-product = Third flip, but split only the last product: the token holds.
token-try-partials = Second flip, last product only, partial sums rounded to BF16, batch size 16: now one product can flip a token.
token-try-clear = A clear step: the logits move just as much, and nothing happens.

token-chance = How likely is a flip?
token-chance-text = Say that the batch adds an unknown change to each logit. A flip needs the runner-up to gain more than the margin. The formula and the simulation take the law of that change from you; the diamonds are what the recorded steps did.
token-noise = Law of the change
    .help = Measured: the changes of the margin in the recorded steps, every split count against one split. Gaussian, uniform: each logit changes by itself.
token-noise-measured = measured
token-noise-gaussian = Gaussian
token-noise-uniform = uniform, with a bound
token-size = Size: σ or bound ε (logits)
token-grid = Round to the BF16 grid (0.125)
    .help = With the grid, both batch shapes round and both give a tie to the lower id. Two logits that tie in both do not flip.
token-seed = Seed
token-chance-alt = Probability of a flip against the margin: largest below one grid step, and nearly zero a few steps on
token-flip-margin = margin before rounding (logits)
token-flip-plain = formula
token-flip-lower = formula, runner-up has the lower id
token-flip-higher = formula, runner-up has the higher id
token-flip-simulated = Monte Carlo, 20,000 draws a point
token-flip-observed = recorded steps
token-flip-here = this step
token-assumes = What the curve assumes
token-assumes-independent = The changes of the two logits are independent. In the model they share one hidden state, so this is not exactly so.
token-assumes-gaussian = The change of a logit is Gaussian with standard deviation σ.
token-assumes-uniform = The change of a logit is uniform between −ε and ε. Beyond a margin of 2ε no flip is possible.
token-assumes-same_law = Every logit changes by the same law.
token-assumes-measured = The change of the margin is drawn from the recorded ones. Nothing is assumed about independence or shape.
token-assumes-any_margin = The change has the same law at every margin.
token-assumes-phase = Where the logits lie between two grid points is uniform. The spacing is 0.125, as for logits from 16 to 32.
token-ties = Of { $steps } recorded steps, { $ties } are exact ties; { $expected } are expected from the margins alone. Over { $pairs } pairs of a step and a split count, { $flips } flip. Steps of one text are not independent, so the intervals of the diamonds (95 %) are somewhat too narrow.

token-column-batch = batch size
token-column-splits = parts
token-column-id = id
token-column-token = token
token-column-sum = sum before rounding
token-column-logit = logit in BF16
token-column-chosen = chosen
token-column-margin = margin
token-column-lower_id = runner-up has the lower id
token-column-formula = formula
token-column-simulated = Monte Carlo
token-column-low = 95 % from
token-column-high = 95 % to

input-split_count = The model was not recorded with { $count } parts. Use a table with { $recorded }, or split the last product only.
input-split_table = The split table “{ $piece }” cannot be read. Write rows:splits pairs with rising rows, such as 1:4,8:2.
