"""The decoding core: a real model, explicit arithmetic, and records of every step."""

__version__ = "0.1.0"
