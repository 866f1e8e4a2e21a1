"""How the shipped drafts are made: text of the target, distillation on its laws, evaluation.

`python -m lab train` is the way in. Nothing outside this package and its commands imports it: a
trained draft is loaded by `lab.models.draft`.
"""
