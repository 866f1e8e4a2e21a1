serial-title = What does speculation do with the same time?
    .nav = Serial against speculative
serial-why = Plain decoding runs the whole target once for every token. Speculation lets a cheap draft propose several, and one pass of the target checks them all, so each pass gives one token or more.

serial-lane-plain = Plain decoding
serial-lane-speculative = Speculative decoding
serial-legend-draft = a step of the draft
serial-legend-verify = a pass of the target, over one position or over a window
serial-kind-token = target, one token
serial-kind-draft = draft step
serial-kind-verify = target, one pass over all drafted tokens
serial-hover = { $kind }, number { $round }: { $length }
serial-unit-ms = ms
serial-unit-steps = target steps

serial-player-play = Play
serial-player-pause = Pause
serial-player-back = Step back
serial-player-next = Step forward
serial-player-time = Time
serial-player-speed = Speed
serial-player-lanes = Both lanes on one time axis
serial-player-elapsed = Elapsed
serial-player-plain = Tokens, plain
serial-player-speculative = Tokens, speculative
serial-player-speedup = Speed-up so far

serial-real-title = A real run
serial-real-text = Both lanes decode the same prompt with the same target. Passes alone are drawn, of the target and of the draft: what is done between them (drawing tokens, keeping this trace) is left out in both lanes, and so is the target's pass over the prompt, whose token stands at time 0. The tokens of a round appear together, when its pass ends.
serial-verdict-faster = **Speculation is ×{ $speedup } as fast here:** { $tokens } tokens in { $rounds } rounds, { $mean } tokens a pass of the target.
serial-verdict-slower = **Speculation loses here, ×{ $speedup }:** { $tokens } tokens in { $rounds } rounds, { $mean } tokens a pass of the target. Draft steps and wider passes cost more than they save.
serial-verdict-same = **Speculation and plain decoding take the same time here, ×{ $speedup }:** { $tokens } tokens in { $rounds } rounds, { $mean } tokens a pass of the target.
serial-plain-first = The plain run comes first, to compare with. The rounds follow.
serial-fact-alpha = Tests passed ÷ tests made
serial-fact-c = c: draft step ÷ target step
serial-fact-v = v: pass of a full round ÷ target step
serial-fact-rest = Between passes, not drawn, ms a round
serial-text-same = Both lanes wrote the same tokens.
serial-text-differs = The two texts part at token { $index }. At a temperature above 0 that is no mistake: speculation keeps the law of the text, not the draw.
serial-text-parts = The two texts part at token { $index }, at temperature 0. In exact arithmetic that cannot be: a pass over several positions has rounded otherwise than a pass over one.

serial-sliders-title = The same race from four numbers
serial-sliders-text = Every draft is accepted with chance α, whatever came before it. Times are in target steps, so plain decoding takes one a token.
serial-alpha = α, acceptance
    .help = The chance that one drafted token is accepted.
serial-gamma = γ, drafted tokens a round
serial-c = c, a draft step
    .help = Time of a draft step ÷ time of a target step.
serial-v = v, a pass over γ + 1 positions
    .help = Time of that pass ÷ time of a target step. The paper takes 1.
serial-tokens = Tokens
serial-seed = Seed
serial-sliders-told = This draw: ×{ $drawn }. The formula, as a mean over many: ×{ $formula }, with { $expected } tokens a round.
serial-sliders-loss = Here speculation loses: a round costs { $cost } target steps and gives { $expected } tokens.
serial-sliders-table = These lanes as a table

serial-column-lane = lane
serial-column-round = round
serial-column-kind = work
serial-column-start_seconds = start, s
serial-column-end_seconds = end, s
serial-column-start_steps = start, steps
serial-column-end_steps = end, steps
serial-column-tokens = tokens by then

serial-notice-pass = One wide pass of the target takes little longer than a pass for one token, since both read all weights once. That is all the gain there is.
serial-notice-burst = Speculative tokens come in bursts. The first token of a burst comes later than plain decoding would have had it.
serial-notice-reject = A round whose first draft is rejected still gives one token, the target's own. It has cost the draft steps on top.
serial-try-run = Set the sliders to what the run above has shown.
serial-try-good = A good, cheap draft: α = 0.9, γ = 6, c = 0.02.
serial-try-poor = A poor draft: α = 0.2, γ = 6. Speculation loses.
serial-try-wide = A machine on which width costs: v = 3 eats the gain.

serial-recording = { speculate-recording }
serial-request = { speculate-prompt }
serial-run-prompt = { speculate-prompt }
serial-run-own = { speculate-own }
    .help = { speculate-own.help }
serial-run-draft = { speculate-draft }
    .help = { speculate-draft.help }
serial-run-policy = { speculate-policy }
    .help = { speculate-policy.help }
serial-run-gamma = { speculate-gamma }
serial-run-temperature = { speculate-temperature }
serial-run-length = { speculate-length }
serial-run-seed = { speculate-seed }
