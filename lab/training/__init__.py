"""How the shipped drafts and heads are made: text of the target, its laws and features, training, evaluation.

`python -m lab train` is the way in. Nothing outside this package and its commands imports it: a
trained draft is loaded by `lab.models.draft`, heads by `lab.models.medusa` and `lab.models.eagle`.
"""
