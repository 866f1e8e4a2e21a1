rule-title = Why may a draft's token stand as the target's?
    .nav = The rule, token by token
rule-why = A drafted token is kept with chance $\min(1, p/q)$, and after a rejection another one is drawn from what p has above q. Together that gives each token exactly the chance p, whatever the draft.

rule-pick = The text of the run: choose a token
rule-token = Token
    .help = A press on a token of the text chooses it as well.
rule-legend = ✓ accepted, ◆ correction after a rejection, + bonus after a round without one.
rule-told-accepted = **Accepted.** The draft proposed “{ $token }”: q = { $q }, p = { $p }. Kept with chance $\min(1, p/q)$ = { $acceptance }; u = { $u } is below it.
rule-told-corrected = **Rejected and corrected.** The draft proposed “{ $token }”: q = { $q }, p = { $p }. Kept with chance $\min(1, p/q)$ = { $acceptance }; u = { $u } is not below it. So “{ $correction }” was drawn from the residual $p'$.
rule-told-bonus = **Bonus.** Nothing was drafted here: the pass had a law to spare, and “{ $token }” was drawn from p itself.
rule-fact-q = q of the drafted token
rule-fact-p = p of it
rule-fact-acceptance = Chance of acceptance
rule-fact-u = u
rule-fact-beta = β = Σ min(p, q)
rule-fact-support-p = Tokens with p > 0
rule-fact-support-q = Tokens with q > 0
rule-no-laws = This trace kept no laws. Record it with laws, or run here.
rule-laws-alt = p, q and the residual of the likeliest tokens at token { $index }
rule-tail = all others
rule-line-p = p, target
rule-line-q = q, draft
rule-line-residual = p′, residual
rule-axis-probability = probability
rule-axis-token = token

rule-play-title = A vocabulary small enough to check
rule-play-text = Set the weights of both laws; they are normalised. No token is drawn: every way in which one can come out is added up. A bar has two parts, accepted drafts and corrections, and should end at the mark of p.
rule-size = Tokens in the vocabulary
rule-p1 = p of A
rule-p2 = p of B
rule-p3 = p of C
rule-p4 = p of D
rule-p5 = p of E
rule-p6 = p of F
rule-p7 = p of G
rule-p8 = p of H
rule-q1 = q of A
rule-q2 = q of B
rule-q3 = q of C
rule-q4 = q of D
rule-q5 = q of E
rule-q6 = q of F
rule-q7 = q of G
rule-q8 = q of H
rule-preset-near = somewhat alike
rule-preset-equal = p = q
rule-preset-disjoint = disjoint
rule-preset-greedy = target at T = 0
rule-preset-zeros = zero probabilities
rule-preset-flat = flat draft
rule-rule = The rule
rule-rule-exact = the rule
rule-rule-accept-always = mistake: accept always
rule-rule-correct-from-target = mistake: correct from p
rule-rule-softmax-residual = mistake: softmax the residual
rule-rule-reversed-test = mistake: test u > p/q
rule-rule-greedy-draft = mistake: draft its top token, test with q
rule-part-accepted = accepted drafts
rule-part-corrected = corrections
rule-parts-alt = For each token the chance that it comes out, accepted and corrected, beside p and q
rule-verdict-exact = **Exact.** For every token the accepted part min(p, q) and the corrected part max(0, p − q) add up to p.
rule-verdict-hidden = **No error to see with these two laws.** The mistake is still there: a test on such a pair does not find it.
rule-verdict-wrong = **Wrong law.** Token { $token } comes out with chance { $out }; it should be { $p }. Total variation from p: { $error }.
rule-play-alpha = β = Σ min(p, q)
rule-play-accepted = Drafts accepted
rule-play-error = Total variation from p
rule-play-deviation = Largest |law − p|
rule-gamma = γ of the enumerated round
rule-round-title = Every outcome of a round of { $gamma } drafts, by the rule
rule-round-outcomes = Outcomes
rule-round-total = Their sum
rule-round-first = First token: largest |law − p|
rule-round-mean = Tokens a round, enumerated
rule-round-formula = Tokens a round, Eq. 1
rule-outcomes = The outcomes as a table
rule-rules = All rules on these two laws
rule-column-index = token
rule-column-token = text
rule-column-how = came out as
rule-column-round = round
rule-column-drafted = drafted
rule-column-acceptance = chance of acceptance
rule-column-beta = β
rule-column-emitted = emitted
rule-column-tokens = tokens
rule-column-probability = probability
rule-column-rule = rule
rule-column-accepted = accepted
rule-column-distance = total variation from p

input-no_weight = All weights of { $law } are 0. Raise at least one.

rule-notice-fill = The accepted part is never above p and never above q: it is where both laws overlap. The residual fills exactly what is missing.
rule-notice-draft = A worse draft changes how often tokens are rejected, not which law comes out. At β = 0 every token is a correction, drawn from p.
rule-notice-greedy = At temperature 0 both laws are one-hot: the rule asks whether they name the same token, and the text is the target's own.
rule-try-zeros = Zero probabilities: what the target never says is never kept.
rule-try-softmax = Softmax the residual: tokens with p < q get a share that they must not have.
rule-try-hidden = p = q with the mistake u > p/q: nothing shows.

rule-recording = { speculate-recording }
rule-request = { speculate-prompt }
rule-run-prompt = { speculate-prompt }
rule-run-own = { speculate-own }
    .help = { speculate-own.help }
rule-run-draft = { speculate-draft }
    .help = { speculate-draft.help }
rule-run-policy = { speculate-policy }
    .help = { speculate-policy.help }
rule-run-gamma = { speculate-gamma }
rule-run-temperature = { speculate-temperature }
rule-run-length = { speculate-length }
rule-run-seed = { speculate-seed }
