"""Speculative decoding: a drafter proposes, the target verifies in one pass, the law stays the target's.

Read in this order: `rule` (one token), `drafters` (who proposes), `policy` (how many), `drafting` and
`rounds` (the loop). Of trees: `tree`, `shapes` (their form), `siblings` (their tokens), `branching` and
`growing` (who proposes, level by level), `walks` (what stands); then `family` (all methods side by side).
"""
