"""What is decoded: configurations, checkpoints, tokenizers, the transformer and its KV cache.

`zoo.load_checkpoint(name)` is the way in. Nothing here chooses tokens (that is `lab.decode`)
or decides how sums are ordered (that is `lab.numerics`).
"""
