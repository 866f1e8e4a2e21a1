home-title = What decides the next token?
    .nav = Home
home-why = This lab runs a real language model on your machine. You can see, change and measure two facts about how it chooses tokens.

home-arithmetic = Temperature 0 does not fix the arithmetic
home-arithmetic-text = Temperature 0 is a sampling rule: take the token with the largest logit. It says nothing about how the logits are computed. A sum in BF16 depends on the order of its terms, and kernels choose that order from the batch size. So the same prompt can give another token when it is decoded beside other requests. *MarginGate* looks again, in FP32, only at the steps where the two largest logits are close.
home-checking = Checking is cheaper than generating
home-checking-text = In speculative decoding a small draft model proposes $\gamma$ tokens, and the target model checks all of them in one pass. The distribution of the output does not change. The time saved depends on the acceptance rate $\alpha$, on $\gamma$, and on the cost coefficient $c$.
home-meeting = Where the two meet
home-meeting-text = Checking $\gamma + 1$ tokens in one pass is itself another batch shape. In BF16, greedy decoding with a draft can therefore part from plain greedy decoding. The gate of the first fact repairs the second.

home-readers = Where to start
home-teacher = You teach
home-teacher-text = Open a page in front of the class. It shows a recorded trace at once; Run replaces it by a live run. Every setting is in the address, so a link is an experiment that you can hand out.
home-student = You study
home-student-text = `make notebook` opens the lessons. They use the same functions as these pages, and their exercises check your answer beside the specification.
home-engineer = You build
home-engineer-text = `python -m lab --help` lists the commands for your own prompts and models. Each page shows its formula, its code and its table, and offers the table for download.

home-pages = The pages
