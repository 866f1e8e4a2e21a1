family-title = Which drafter wins, and on whose machine?
    .nav = The family, side by side
family-why = All these methods let something cheap guess tokens and let one pass of the target check them. They differ in who guesses, and in whether the guesses stand in a line or in a tree. Tokens a pass are a matter of drafter and text; time is a matter of the machine. So one prompt goes through every method here, beside what each paper reports from its own machine and what a third party measured on one.

family-papers-title = 2022 to 2025: what each paper reports
family-papers-text = A line reaches over the speedups that a paper puts first, each over its own baseline, on its own model, machine and tasks. The open diamond is the same method on Spec-Bench’s board: { $machine }, { $model }, greedy, FP16, batch size 1. A line that starts at 1 is an “up to”.
family-papers-alt = Papers from { $first } to { $last } by month, each with the speedups it reports and, where it was measured, the one on Spec-Bench’s board. The same numbers stand in the list and in the table.
family-papers-table = All figures with their conditions
family-papers-gaps = An empty cell: the passages used here (abstracts, tables, the authors’ own notes) do not tell it. Tokens a pass counts the target’s own token too. T is the temperature.
family-axis-speedup = speedup over plain decoding
family-mark-bench = the same method on Spec-Bench
family-kind-chain = a smaller or shortened model, in a line
family-kind-tree = draft models, in a tree
family-kind-trained = trained on the target’s features
family-kind-matching = no model, text alone
family-paper-line = **{ $month }** · { $paper }: { $claim }. { $told }

family-paper-leviathan = The rule: keep a drafted token with chance $\min(1, p/q)$, and the output has the target’s own distribution. The paper measured 1.4 to 3.4 times in its tables; a table of word pairs as drafter should give 1.25 by its formula.
family-paper-chen = The same rule, found at the same time, on a target of 70 billion parameters spread over several chips. Exact, the paper says, within what the hardware’s numbers allow.
family-paper-specinfer = Guesses in a token tree, verified in one pass with a mask that shows each node its own ancestors. The baseline is other serving systems, not SpecInfer without guesses; with weights kept off the GPU the gain is larger, 2.6 to 3.5 times.
family-paper-staged = A tree again, and the drafter is itself speculated by something still cheaper.
family-paper-draft-verify = The target drafts for itself with some of its layers left out. No second model, no training.
family-paper-lookup = The drafter is a search: where did the last few tokens stand before, and what followed? Nothing is gained where a text repeats nothing; the authors measured summaries, questions about a given text and chat.
family-paper-medusa = Extra heads on the target’s last features guess several places ahead at once. 2.18 is Medusa-1, whose target is left as it is; Medusa-2 trains the target too and reaches 2.83. The abstract’s 3.6 is more than its table shows. With typical acceptance the output is approximate: its distribution is no longer the target’s.
family-paper-eagle = One small layer continues the target’s features instead of its tokens, and is told which token was drawn. 2.7 to 3.5 times is for 70 billion parameters; on Vicuna-13B the paper has 3.07.
family-paper-lookahead = The target guesses for itself with Jacobi steps in the same pass. The 4 times that the abstract adds for code needs several GPUs.
family-paper-layerskip = The first layers draft, the rest verify. The target must be trained so that its early layers can speak; the authors’ code gains on such models only.
family-paper-eagle-2 = EAGLE with a tree that grows where the drafter is sure. The 4.26 is its best: Vicuna-13B in conversation.
family-paper-eagle-3 = The drafter reads three depths of the target, is trained on its own guesses, and on about eight times the data. 6.5 is the best of all its figures; the mean on Vicuna-13B is 5.51.

family-boards-title = One harness, two machines
family-boards-text = Spec-Bench runs all methods behind the same code: greedy, FP16, batch size 1, PyTorch 2.5.1. Choose two of its boards, and the tasks.
family-board-a = First board
family-board-b = Second board
family-board-option-a100-13b = A100 · Vicuna-13B
family-board-option-a100-7b = A100 · Vicuna-7B
family-board-option-3090-7b = RTX 3090 · Vicuna-7B
family-board-option-a100-33b = A100 · Vicuna-33B
family-task = Tasks
family-task-all = all six
family-task-conversation = conversation
family-task-translation = translation
family-task-summary = summaries
family-task-question = questions
family-task-maths = maths
family-task-retrieval = answers from retrieved text
family-boards-same = Both boards are the same. Choose another one.
family-boards-told = { $swapped ->
    [0] No two of { $methods } methods change places.
    [one] One of { $pairs } pairs of methods changes places between the two.
   *[other] { $swapped } of { $pairs } pairs of methods change places between the two.
} The farthest move: { $mover }, from place { $before } to place { $after }.
family-boards-told-none = All { $methods } methods keep their places.
family-boards-alt = Speedup of each method on both boards, with its tokens a pass. The same numbers stand in the table.
family-boards-table = Both boards
family-boards-source = From Spec-Bench’s { $leaderboard }, commit fd2c1cd.
family-boards-tokens = tokens a pass, all tasks (second board)

family-notice-machine = The same target, Vicuna-7B, on two GPUs: on the RTX 3090 a draft model gains more than Medusa’s heads (1.79 against 1.44), on the A100 less (1.52 against 1.71). Tokens a pass hardly move. What changes is what a pass and a draft step cost.
family-notice-third-party = On Vicuna-13B, EAGLE-2’s paper has 4.26 times in conversation. Spec-Bench measures 2.95 there, and 2.46 over six tasks. The order of EAGLE, EAGLE-2 and EAGLE-3 stays; the sizes do not.
family-notice-tokens = More tokens a pass is not more speed. On the A100 with Vicuna-7B, prompt lookup gives 1.75 tokens a pass and is 1.66 times as fast; a draft model gives 2.28 and is 1.52 times as fast. Its guesses cost time, those of a search almost none.
family-notice-task = The text decides, too. On the A100 with Vicuna-13B, prompt lookup is 2.3 times as fast in summaries, which repeat their source, and gains nothing in translation.

family-try-machines = Compare the RTX 3090 with the A100, same model: which methods change places?
family-try-summary = Look at summaries alone: who overtakes EAGLE?
family-try-size = Compare 7 with 33 billion parameters on the A100: what does a larger target change?

family-column-month = month
family-column-name = method
family-column-kind = who guesses
family-column-low = from
family-column-high = to
family-column-tokens = tokens a pass
family-column-model = model
family-column-machine = machine
family-column-batch = batch size
family-column-temperature = T
family-column-task = task
family-column-exact = target’s law
family-column-source = source
family-column-board = board
family-column-method = method
family-column-speedup = speedup, all tasks
family-column-conversation = conversation
family-column-translation = translation
family-column-summary = summaries
family-column-question = questions
family-column-maths = maths
family-column-retrieval = retrieval

family-run-title = One prompt, every method, this machine
family-run-text = The target decodes one prompt by each method in turn. Serial decoding comes first, and speedups are over it, in the same run. Passes over the prompt are left out everywhere.
family-open-title = Open a saved trace
family-open-text = A *family* trace holds one prompt decoded by every method, with all rounds. This makes one:
family-open = A trace of this page (JSONL)
family-save = Trace (JSONL)
family-controls = A run of your own: prompt, methods, temperature
family-run-prompt = { speculate-prompt }
family-run-own = { speculate-own }
    .help = { speculate-own.help }
family-run-methods = Methods
    .help = Serial decoding always runs, to compare with.
family-run-temperature = { speculate-temperature }
family-run-length = { speculate-length }
family-run-seed = { speculate-seed }
family-told = Temperature { $temperature }, up to { $length } new tokens, seed { $seed }, lane { $lane }.
family-waiting = Serial decoding runs first. A method’s row comes when it is done.
family-done = { $done } of { $all } methods are done.

family-method-serial = serial decoding
family-method-chain = draft model, chain
family-method-ngram = n-gram table
family-method-lookup = prompt lookup
family-method-early-exit = early exit
family-method-staged = staged
family-method-specinfer = SpecInfer tree
family-method-medusa = Medusa
family-method-eagle = EAGLE
family-method-eagle-2 = EAGLE-2

family-verdict-gain = **Fastest here: { $method }, { $speedup } times serial decoding.**
family-verdict-loss = **No method is faster than serial decoding here.** Nearest is { $method }, { $speedup } times.
family-verdict-tokens = Most tokens a pass: { $method }, { $tokens }.
family-verdict-slower = Slower than serial decoding: { $methods }.
family-verdict-board = Of these methods, Spec-Bench’s board has { $method } first, { $speedup } times.
family-comma = ,{" "}

family-run-alt = Each method’s speedup in this run, its tokens a pass, the speedups of its paper and the one on Spec-Bench’s board. The same numbers stand in the table.
family-mark-here = measured here
family-mark-tokens = tokens a pass, here
family-mark-paper = in its paper
family-run-legend = The grey bar is what the blue dot would reach if guesses cost nothing and a wide pass of the target no more than a narrow one.

family-table-label = This run beside the papers and Spec-Bench
family-head-method = method
family-head-promise = promise
family-head-tokens = tokens a pass
family-head-passes = passes
family-head-nodes = guesses verified
family-head-time = time, s
family-head-speedup = × serial
family-head-paper = its paper: speedup · tokens a pass
family-drafting = drafting { $share }
family-promise-law = the target’s distribution
family-promise-greedy = the target’s own tokens, in FP32
family-promise-approximate = approximate
family-text-equal = serial decoding’s text
family-text-parted = another text
family-table-note = Under each figure stand its conditions: model, machine, batch size B, temperature T, tasks. They are other models on other machines, so read the columns downwards rather than the rows across. Spec-Bench: greedy, FP16, batch size 1, speedup · tokens a pass.
family-table-run = The run as a table

family-text-title = What each wrote, pass by pass
family-text-of = Method
family-strip-legend = ✓ a guess that stands, ◆ the target’s own token after a rejection, + its own after all guesses stood. Each pass ends with ◆ or +, or with ✓ at the end of the text. An orange frame: the first token that is not serial decoding’s.
family-strip-parted = serial decoding has “{ $token }” here
family-strip-ended = serial decoding has ended here

family-notice-run = More guesses verified means more tokens a pass, never more than the depth of the tree plus one. What a wide pass costs, the machine decides: on a GPU at batch size 1 almost nothing more than a narrow one, on a CPU a good deal.
family-notice-exact = At temperature 0, in FP32, every method must write serial decoding’s tokens; typical acceptance is then the greedy walk. Above 0 an exact method keeps the target’s distribution and not the draw, so its text may be another. Medusa’s typical acceptance keeps neither and is labelled approximate.
family-try-repeat = Let the model repeat a sentence, then run: prompt lookup takes the lead, and drafters of stories fall behind.
family-try-sampled = Set the temperature to 1 and run: which texts stay the same, and which method is now approximate?

family-column-drafter = drafter
family-column-shape = shape
family-column-rule = rule
family-column-exactness = promise
family-column-new_tokens = new tokens
family-column-passes = passes
family-column-tokens_per_pass = tokens a pass
family-column-nodes = guesses verified
family-column-levels = draft steps
family-column-seconds = time, s
family-column-draft_seconds = drafting, s
family-column-verify_seconds = verifying, s
family-column-run_speedup = × serial
family-column-equal = serial’s text
family-column-paper = paper
family-column-paper_low = paper, from
family-column-paper_high = paper, to
family-column-paper_tokens = paper, tokens a pass
family-column-conditions = paper’s conditions
family-column-bench_speedup = Spec-Bench, speedup
family-column-bench_tokens = Spec-Bench, tokens a pass
family-column-text = text
