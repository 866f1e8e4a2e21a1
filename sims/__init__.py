"""Simulations of numbers, sums and flips in plain numpy.

Nothing here imports torch, `lab` or `apps`, starts a thread or reads a file, so every module
also runs in a browser. Nothing here draws: functions return small frozen records or arrays.
"""
