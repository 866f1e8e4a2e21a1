paper-results-title = Does the formula tell what the paper measured?
    .nav = The paper’s results
paper-results-why = The paper predicts each speedup from α, γ and c, and then measures it. Both stand here, with the prediction computed again as you look, and the same for this machine.

paper-results-conditions = { $paper }, ICML 2023. Target T5-XXL with 11 billion parameters, batch size 1, one TPU-v4. Tasks: English–German translation (EnDe) and summaries (CNNDM); for α also unconditional text (lm1b) and dialog.
paper-results-task = Task
paper-results-task-all = all
paper-results-draft = Draft
paper-results-draft-all = all
paper-results-temperature = Temperature
paper-results-temperature-all = all
paper-results-own-kind = Kind of prompt
paper-results-own-kind-all = all
paper-results-own-draft = Draft
paper-results-own-draft-all = all
paper-results-own-temperature = Temperature
paper-results-own-temperature-all = all
paper-results-none = Nothing of this table fits the filters.

paper-results-speedups = Tables 2 and 4: expected against measured
paper-results-speedups-told = In { $above } of { $rows } rows the measured speedup is above the expected one. On the dashed line they are equal. Colours tell the task, shapes the draft; open marks are at temperature 1.
paper-results-speedups-alt = The expected speedup of each run, by Theorem 3.8, against the measured one. The same numbers stand in the table.
paper-results-rounded = Recomputed: Theorem 3.8 at the printed α, γ and c. Three rows come out 0.1 below the printed ones (EnDe with T5-base and T5-large at T = 1, CNNDM with T5-large at T = 1): the α and c that are printed were rounded before.
paper-results-diagonal = measured = expected
paper-results-axis-expected = expected speedup
paper-results-axis-measured = measured speedup

paper-results-alphas = Table 3: acceptance rates
paper-results-alphas-told = α is the mean of $\sum \min(p, q)$ over tokens that the target generated. Even a table of word pairs is accepted now and then.
paper-results-alphas-alt = α of each draft and task, at temperature 0 and 1. The same numbers stand in the table.
paper-results-alphas-table = Table 3

paper-results-own = The same from this machine
paper-results-no-recording = No measurement has been recorded yet. This command records one:
paper-results-own-told = { $runs } runs. Mean distance of the prediction from the measured speedup: { $theorem } % by Theorem 3.8, { $with_v } % with this machine’s v, { $by_position } % with v and the measured acceptance at each position.
paper-results-own-alt = Predicted against measured speedup of each run on this machine: open marks by Theorem 3.8, filled ones with the measured v. The same numbers stand in the table.
paper-results-point-theorem = { $draft }, Theorem 3.8
paper-results-point-with-v = { $draft }, with v

paper-results-operations = Table 1: operations and speedup
paper-results-operations-note = For a draft that costs nothing: c = ĉ = 0. Operations are those a token, beside plain decoding.
paper-results-lenience = Appendix A.5: lenience
paper-results-lenience-note = Approximate: below l = 1 the output no longer has the target’s distribution, and moves away from it by at least what α gains. English–German translation; T is the temperature; the other columns are α by lenience l.
paper-results-lenience-greedy = The last row at γ = 8 and c = 0.015. The speedups that the paper prints for temperature 1 are left out: they lie above what Theorem 3.8 gives at any γ.

paper-results-notice-above = Summaries run faster than expected, with T5-small 3.1 times instead of 2.4. The formula takes acceptances as independent. One possible reason is streaks: where easy text comes together, a round gives more tokens at the same α.
paper-results-notice-large = T5-large has the highest α and the lowest speedup: with c = 0.11 its drafts cost more than they bring. The best draft was about a hundred times smaller than the target.
paper-results-notice-c = The text says that c was always below 0.05. Table 4 lists 0.11 for T5-large.
paper-results-notice-sharp = α is mostly higher at temperature 0. The sharper the target’s distribution, the easier it is to guess.

paper-results-try-large = Show T5-large alone: how far is measured below expected?
paper-results-try-summaries = Show summaries at temperature 0: which run gains most over its prediction?
paper-results-try-bigram = Show the bigram draft: α is about 0.2 in translation. The link below opens that draft at γ = 3 with its gain of a quarter.

paper-results-column-task = task
paper-results-column-draft = draft
paper-results-column-temperature = T
paper-results-column-gamma = γ
paper-results-column-alpha = α
paper-results-column-c = c
paper-results-column-recomputed = expected (Theorem 3.8)
paper-results-column-printed = expected, as printed
paper-results-column-measured = measured
paper-results-column-ratio = measured ÷ expected
paper-results-column-target = target
paper-results-column-alpha_t0 = α at T = 0
paper-results-column-alpha_t1 = α at T = 1
paper-results-column-operations_printed = operations, as printed
paper-results-column-operations = operations
paper-results-column-speedup_printed = speedup, as printed
paper-results-column-speedup = speedup
paper-results-column-lenience = lenience l
paper-results-column-distance = distance from the target’s law, at least
paper-results-column-kind = kind of prompt
paper-results-column-batch = batch size
paper-results-column-alpha_error = standard error of α
paper-results-column-v = v
paper-results-column-tokens = tokens a pass
paper-results-column-with_v = with v
paper-results-column-by_position = with v, by position
paper-results-column-low = first quartile
paper-results-column-high = third quartile
