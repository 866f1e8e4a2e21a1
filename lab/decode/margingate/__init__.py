"""Stopping batch flips: when a fast lane's token is looked at again, and what happens then.

`strategies.py` says what each way of doing it is, as values; `run.py` decodes under one of them;
`replay.py` and `repair.py` are the two verifiers. `flips.py` measures how often a batch changes a
token, `calibrate.py` chooses a threshold from that, `compare.py` runs every strategy on one workload.
"""
