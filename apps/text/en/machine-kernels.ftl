machine-kernels-title = What does this machine do when the batch grows?
    .nav = What this machine does
machine-kernels-why = The same row goes through the same kernel, alone and beside up to 63 others. Here your own machine tells whether its bits stay.

machine-kernels-rows = Largest number of rows M
    .help = Every M from 1 to this one is run, and each row is compared with the same row run alone.
machine-kernels-seed = Seed
machine-kernels-case = Operator and format
machine-kernels-case-matmul-fp32-library = matrix product · FP32
machine-kernels-case-matmul-bf16-library = matrix product · BF16
machine-kernels-case-matmul-fp16-library = matrix product · FP16
machine-kernels-case-rms_norm-fp32-library = RMSNorm · FP32
machine-kernels-case-rms_norm-bf16-library = RMSNorm · BF16
machine-kernels-case-rms_norm-fp16-library = RMSNorm · FP16
machine-kernels-case-attention-fp32-library = attention · FP32
machine-kernels-case-attention-bf16-library = attention · BF16
machine-kernels-case-attention-fp16-library = attention · FP16
machine-kernels-case-softmax-fp32-library = softmax · FP32
machine-kernels-case-softmax-bf16-library = softmax · BF16
machine-kernels-case-softmax-fp16-library = softmax · FP16
machine-kernels-case-matmul-fp32-lab = matrix product · FP32 (the lab’s)
machine-kernels-case-matmul-bf16-emulated = matrix product · BF16 (emulated)
machine-kernels-operator-matmul = matrix product
machine-kernels-operator-rms_norm = RMSNorm
machine-kernels-operator-attention = attention
machine-kernels-operator-softmax = softmax

machine-kernels-some = **{ $format }: rows change** in { $operators }.
machine-kernels-none = **{ $format }: nothing changes.** Every row keeps its bits in all four operators.
machine-kernels-comma = ,{" "}
machine-kernels-lab-kept = **The lab’s own FP32 product keeps every bit.** The reference lane computes with it.
machine-kernels-lab-changed = **The lab’s own FP32 product changes rows here.** The reference lane is not batch-invariant on this machine.
machine-kernels-emulated-changed = **The emulated BF16 product changes rows**, as its split table says: 4 partial sums at one row, 2 up to 8 rows, 1 above. It is a model of a GPU, not this machine’s own kernel.
machine-kernels-emulated-kept = **The emulated BF16 product kept its bits** in this run, although its split table changes with M.
machine-kernels-repeats-yes = Every run gave the same bits twice: all kernels are repeatable here, also those that are not batch-invariant.
machine-kernels-repeats-no = Some runs did not give the same bits twice: these kernels are not even repeatable. The table tells which.

machine-kernels-rows-axis = rows M in the batch
machine-kernels-row-axis = row
machine-kernels-kept = all bits as alone
machine-kernels-changed = some bits differ from alone
machine-kernels-elements = changed elements
machine-kernels-overview-alt = For every operator, format and number of rows: whether some row has other bits than alone
machine-kernels-rows-alt = { $name }: which rows have other bits than alone, at every number of rows
machine-kernels-amounts-alt = { $name }: the share of elements that changed, at every number of rows
machine-kernels-closely = One operator closely
machine-kernels-empty = The run has not come to this operator yet.
machine-kernels-fact-rows = Changed rows at M = { $rows }
machine-kernels-median = Median change (ulp)
machine-kernels-max = Largest change (ulp)
machine-kernels-delta = Largest change (absolute)
machine-kernels-device = Device
machine-kernels-threads = Threads

machine-kernels-why-known = Why, as far as it is known
machine-kernels-why-blocks = **FP32 matrix product.** MKL picks a kernel by the shape: one for a single row, others for a few rows and for many. Each adds the 576 products of an element in its own order. Its rules are not published.
machine-kernels-why-bf16 = **BF16 matrix product.** This CPU runs torch’s BF16 product without a change. Where the processor has no BF16 matrix instructions, torch computes each element as a dot product of its own: sums in FP32, one rounding, and nothing in it depends on M. So BF16 flips of a GPU do not show on such a machine; the lab emulates them.
machine-kernels-why-gpu = **GPU.** cuBLAS picks a kernel, and with it a tile and a split of K, by the shape. Its heuristics are not published; what you see is what they did here.
machine-kernels-why-rows = **RMSNorm and softmax.** Each row is summed by itself, and here in the same way at every M. GPUs may change the block size at large batches; 64 rows do not reach that.
machine-kernels-why-attention = **Attention.** The threads share out sequences and heads, so how a row is computed can depend on how many there are. With one thread the same machine may change nothing: set `OMP_NUM_THREADS=1` and run again.
machine-kernels-why-emulated = **Emulated product.** Sums stay in FP32 and only their order changes, so few elements move, and most of them by one ulp: a sum has to lie close to the middle between two BF16 numbers.

machine-kernels-notice-ulps = The median change is a few ulp. The largest can be thousands: where products cancel, an element is close to 0, its ulp is tiny, and the same absolute change counts many of them.
machine-kernels-notice-repeat = Repeatable and batch-invariant are two things. A kernel can give the same bits in every run and still give other bits at another M.
machine-kernels-notice-threads = The result belongs to this device, these library versions and this number of threads. Another machine can answer differently.

machine-kernels-try-lab = Look at the lab’s own FP32 product: its weights are packed once, and one order serves every M.
machine-kernels-try-emulated = Look at the emulated BF16 product: where do rows change, and where not?
machine-kernels-try-run = Take another seed and press Run: the same kernels change the same rows.

machine-kernels-column-operator = operator
machine-kernels-column-format = format
machine-kernels-column-kernel = kernel
machine-kernels-column-rows = rows M
machine-kernels-column-changed_rows = changed rows
machine-kernels-column-changed_share = changed elements
machine-kernels-column-median_ulps = median ulp
machine-kernels-column-max_ulps = largest ulp
machine-kernels-column-max_delta = largest change
machine-kernels-column-repeats = repeatable
machine-kernels-column-milliseconds = ms
