speedup-title = What do α, γ and c buy?
    .nav = What α, γ and c buy
speedup-why = Drafting costs time and saves time. Three numbers say which wins: how often a drafted token is accepted (α), how many are drafted in a round (γ), and how long a draft step takes beside a target step (c).

speedup-runs = Measured runs in the chart
    .help = Picking runs shows all their γ, and sets α, c and v as they were measured on this machine.
speedup-runs-fastest = the fastest γ of each draft and kind of prompt
speedup-alpha = Acceptance rate α
    .help = The chance that a drafted token is accepted: the mean of $\sum \min(p, q)$.
speedup-gamma = Drafted tokens a round, γ
    .help = 0 is plain decoding.
speedup-c = Cost coefficient c
    .help = Time of one draft step ÷ time of one target step.
speedup-dial = What verifying costs, $v(γ)$
    .help = Time of a target pass over γ + 1 positions ÷ over one position.
speedup-dial-paper = v = 1, as in the paper
speedup-dial-machine = measured on this machine
speedup-dial-roofline = a roofline
speedup-machine-batch = Batch size of the measurement
speedup-device = Machine
speedup-device-h200 = H200 (data sheet)
speedup-device-h100 = H100 (data sheet)
speedup-device-a100 = A100 80 GB (data sheet)
speedup-device-cpu = two CPU cores (measured)
speedup-batch = Batch size
    .help = Sequences that are verified together. A pass then has batch · (γ + 1) rows.
speedup-roofline = Bandwidth, peak and model
speedup-bandwidth = Memory bandwidth, GB/s
speedup-peak = Peak, TFLOP/s
speedup-billions = Parameters of the target, billions
speedup-bytes = Bytes a parameter
speedup-experts = Experts
    .help = 2-of-8: each token goes through 2 of 8 experts. All weights are taken to be the experts’, and routing to be even.
speedup-experts-dense = none (dense)
speedup-cache = K/V cache of a sequence, MB
    .help = Each pass reads it once a sequence. A model with 8 billion parameters and 8 K/V heads holds about 0.13 MB a token.
speedup-roofline-note = A pass takes the longer of two times: reading its weights, or its multiplications at the peak. No machine is better than its roofline. So this v shows how verification grows with the batch, not what you will measure.
speedup-roofline-told = { $bandwidth } GB/s, { $peak } TFLOP/s, { $billions } billion parameters of { $bytes ->
    [1] one byte
   *[other] { $bytes } bytes
}. From { $rows } rows on, a dense pass takes longer for its multiplications than for its weights.
speedup-no-recording = No measurement has been recorded yet, so v = 1 is used. This command records one:
speedup-cut = The measured curve ends at γ = { $last }; that is used.

speedup-verdict = At γ = { $gamma } a round gives { $tokens } tokens and takes as long as { $cost } plain steps: **speedup { $gain }×**.
speedup-verdict-loss = **Here speculation loses: speedup { $gain }×.** At γ = { $gamma } a round gives { $tokens } tokens and takes as long as { $cost } plain steps.
speedup-reason-pass = The reason is verification: a pass over { $positions } positions alone takes as long as { $v } plain steps, more than the round gives.
speedup-reason-draft = The reason is the draft: α = { $alpha } is not above c = { $c }, and then no γ gains, however cheap verification is (Corollary 3.9).
speedup-reason-long = The reason is γ: the drafts of a round take as long as { $drafting } plain steps, and most of the late ones are rejected.
speedup-reason-both = The reason is both together: drafting takes { $drafting } plain steps and the pass { $v }. Either alone would leave a gain.
speedup-best = Best γ: { $best }, speedup { $gain }×{ $last ->
    [yes] {" "}(the largest γ that is looked at).
   *[no] .
}
speedup-best-none = No γ up to { $last } gains here: plain decoding is best.

speedup-fact-tokens = Tokens a round
speedup-fact-cost = Cost of a round, plain steps
speedup-fact-v = v at this γ
speedup-fact-gain = Speedup
speedup-fact-best = Best γ
speedup-fact-oracle = Oracle γ

speedup-line-gain = speedup
speedup-line-paper = with v = 1
speedup-line-oracle = oracle γ
speedup-line-best = best γ
speedup-line-chosen = chosen γ
speedup-line-measured = measured
speedup-axis-gain = speedup
speedup-gain-alt = Speedup against γ, with the chosen γ, the best γ, the oracle, and measured runs where there are any. The same numbers stand in the table.
speedup-line-all = if all were accepted
speedup-line-tokens = tokens a round
speedup-line-cost = cost of a round
speedup-axis-balance = tokens, plain steps
speedup-balance-alt = Tokens that a round gives and its cost in plain steps, against γ. Speculation gains where the tokens lie above the cost.

speedup-show = Look at
speedup-show-map = all α and c
speedup-show-price = operations and reads
speedup-show-simulation = simulated rounds
speedup-show-lenience = lenience

speedup-map-note = v is that of the dial. The dark line is “no gain”: above it some γ pays. The ring is your α and c, diamonds are the runs of { $paper }, crosses the runs of this machine.
speedup-map-gain = Speedup at the best γ of 1 or more
speedup-map-best = Best γ
speedup-map-gain-alt = A map over c and α: the speedup at the best γ, and the line of no gain.
speedup-map-best-alt = A map over c and α: the best γ, 0 where nothing is gained.
speedup-mark-paper = paper
speedup-mark-machine = this machine
speedup-mark-here = here
speedup-mark-even = no gain

speedup-size = Size of the draft ÷ size of the target, ĉ
    .help = By parameters: so many operations and weight bytes a draft step has, beside a target step.
speedup-price-told = At γ = { $gamma } a token costs **{ $operations }** times the operations of plain decoding, and **{ $reads } %** of its weight reads. Of { $verified } verified positions in a round, { $wasted } give no token on average.
speedup-price-alt = Operations a token, weight bytes read a token, and the share of verified positions that give no token, against γ. 1 is plain decoding.
speedup-line-operations = operations a token
speedup-line-reads = weight bytes read a token
speedup-line-wasted = verified positions without a token (share)
speedup-axis-price = beside plain decoding

speedup-process = Acceptances
speedup-process-independent = independent
speedup-process-position = by position
speedup-process-streaks = in streaks
speedup-rounds = Simulated rounds
speedup-seed = Seed
speedup-slope = Change of acceptance from one position to the next
    .help = Below 0: late drafts are worse. Above 0: a draft that came far is on easy text.
speedup-stay = Chance that an outcome repeats the one before it
    .help = Otherwise it is drawn anew with chance α. So α stays the mean, but accepted tokens come together.
speedup-process-independent-told = Every draft is accepted with chance α, whatever came before. This is the assumption of Eq. 1.
speedup-process-position-told = The chance changes with the position in the round. Tokens a round beside Eq. 1: { $gap }. The product over positions gives the right mean; one α for all does not.
speedup-process-streaks-told = Easy text and hard text come in streaks, and α is the same on average. Tokens a round beside Eq. 1: { $gap }. So a measured α can predict too little.
speedup-fact-simulated = Tokens a round, simulated
speedup-fact-by-position = by position, formula
speedup-fact-equation = by Eq. 1
speedup-fact-simulated-gain = Speedup, simulated
speedup-fact-ratio = Accepted ÷ drafted (not α)
speedup-rounds-title = How many tokens a round gives
speedup-rounds-alt = The share of simulated rounds by the number of tokens they give, beside the formula.
speedup-positions-title = Acceptance by position
speedup-positions-alt = Acceptance at each position of a round: given that it was reached, and as a share of all rounds. The dashed line is α.
speedup-bar-simulated = simulated
speedup-bar-formula = formula
speedup-axis-tokens = tokens a round
speedup-axis-share = share of rounds
speedup-line-conditional = if reached
speedup-line-unconditional = of all rounds
speedup-axis-position = position in the round
speedup-axis-accepted = accepted

speedup-lenience-approximate = Approximate: with a lenience below 1 the output no longer has the target’s distribution.
speedup-lenience-note = Lenience l accepts a drafted token with chance $\min(1, p / (l q))$. No token becomes more likely than p / l, but rare ones may vanish. The distribution of a token moves away from the target’s by at least what α gains (total variation distance). α as measured by { $paper } for English–German translation.
speedup-lenient = Draft
speedup-lenient-unigram-t1 = unigram, T = 1
speedup-lenient-bigram-t1 = bigram, T = 1
speedup-lenient-T5-small-t1 = T5-small, T = 1
speedup-lenient-T5-base-t1 = T5-base, T = 1
speedup-lenient-T5-small-t0 = T5-small, T = 0
speedup-lenience-alphas = Acceptance, and the drift that it costs
speedup-lenience-alphas-alt = α at each lenience: the part that is exact, and the part that is drift.
speedup-lenience-gains = Speedup at the best γ, at your c and v
speedup-lenience-gains-alt = The speedup at the best γ for each lenience.
speedup-bar-exact = exact
speedup-bar-drift = drift
speedup-axis-lenience = lenience l

speedup-table = One row a γ

speedup-column-gamma = γ
speedup-column-tokens = tokens a round
speedup-column-v = v
speedup-column-cost = cost, plain steps
speedup-column-speedup = speedup
speedup-column-operations = operations a token
speedup-column-reads = weight reads a token
speedup-column-wasted_percent = verified without a token, %
speedup-column-lenience = lenience l
speedup-column-alpha = α
speedup-column-distance = distance from the target’s law, at least

speedup-notice-bonus = A round gives one token even if nothing is accepted, and γ + 1 if all are. Leaving that token out makes every speedup too small.
speedup-notice-best = The curve is flat near its best γ and falls slowly behind it. A γ that is a little too large costs little, unless c or v is large.
speedup-notice-batch = On the roofline, a small batch leaves the multiplier idle and v stays at 1. Once batch · (γ + 1) rows keep it busy, v grows like γ + 1, and rejected tokens are paid in full.
speedup-notice-price = Speculation never saves operations: it spends more of them to read the weights less often. That pays where reading is the bottleneck.

speedup-try-random = Take a draft that guesses at random: α = 0.02. Which γ is best, and why?
speedup-try-large = Take a draft almost as slow as the target: α = 0.7, c = 0.8. Which γ gains?
speedup-try-batch = Verify 32 sequences together on two CPU cores. What happens to v?
speedup-try-streaks = Let acceptances come in streaks, with α = 0.6: how far is Eq. 1 off?
