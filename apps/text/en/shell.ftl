# Words of the shell and of the blocks that every page uses.

shell-name = Decoding Lab
lang = Language
lang-en = English
lang-ar = العربية
lang-fa = فارسی

section-start = Start
section-numbers = Numbers and sums
section-batch = The batch and the token
section-repair = Repair
section-speculation = Speculative decoding

machine-title = Model and device
model = Model
    .help = Live runs decode with this model. Recorded traces name their own.
device = Device
    .help = The automatic choice takes a CUDA device, else MPS, else the CPU.
device-auto = automatic
machine-threads = { $threads ->
    [one] torch computes with one thread.
   *[other] torch computes with { $threads } threads.
}

link-copy = Copy link
link-copied = Link copied
link-shown = Copy this link:

error-title = This cannot run.

run = Run
stop = Stop
run-forget = Show the recorded trace
run-loading = Loading the model…
run-progress = { $done } of { $total } steps
run-stopped = Stopped after { $done } of { $total } steps.
run-stale = The settings have changed since this run. Press Run to run with the new ones.

origin-recorded = Recorded
origin-live = Live
origin = { $model } · { $machine } · { $date } · code { $code }

notice = What to notice
try-this = Try this
formula = The formula and its code

download-csv = CSV
download-jsonl = JSONL

token-plain = token { $position }
token-agree = token { $position }, agrees
token-flip = token { $position }, flip
token-prompt = token { $position }, prompt
