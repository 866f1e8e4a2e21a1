"""Slow references for the simulations: fractions and plain loops, sharing no code with them."""

from collections.abc import Callable
from fractions import Fraction
from math import floor

Round = Callable[[Fraction], Fraction]

PARAMETERS = {  # precision, exponent of the smallest normal number
    "fp32": (24, -126),
    "bf16": (8, -126),
    "fp16": (11, -14),
    "fp8_e4m3": (4, -6),
    "fp8_e5m2": (3, -14),
}


def binary_exponent(q: Fraction) -> int:
    """floor(log2 |q|), without trusting log2 at the edges."""
    guess = q.numerator.bit_length() - q.denominator.bit_length()
    while abs(q) >= Fraction(2) ** (guess + 1):
        guess += 1
    while abs(q) < Fraction(2) ** guess:
        guess -= 1
    return guess


def quantum(q: Fraction, key: str) -> Fraction:
    precision, smallest = PARAMETERS[key]
    exponent = max(binary_exponent(q), smallest) if q else smallest
    return Fraction(2) ** (exponent - precision + 1)


def nearest_even(key: str) -> Round:
    """Python rounds a Fraction half to even; scaling by the quantum does the rest (no overflow)."""
    return lambda q: round(q / quantum(q, key)) * quantum(q, key)


def truncate(key: str) -> Round:
    return lambda q: (floor(abs(q) / quantum(q, key)) * quantum(q, key)) * (1 if q >= 0 else -1)


def chain(x: list[Fraction], rnd: Round) -> Fraction:
    total = x[0]
    for addend in x[1:]:
        total = rnd(total + addend)
    return total


def pairwise(x: list[Fraction], rnd: Round) -> Fraction:
    if len(x) == 1:
        return x[0]
    half = 1
    while 2 * half < len(x):
        half *= 2
    return rnd(pairwise(x[:half], rnd) + pairwise(x[half:], rnd))


def halving(x: list[Fraction], rnd: Round) -> Fraction:
    while len(x) > 1:
        half = (len(x) + 1) // 2
        x = [rnd(x[i] + x[i + half]) if i + half < len(x) else x[i] for i in range(half)]
    return x[0]


def split_k(x: list[Fraction], parts: int, rnd: Round, rnd_partial: Round) -> Fraction:
    size = -(-len(x) // parts)
    partials = [chain(x[i : i + size], rnd) for i in range(0, len(x), size)]
    return chain([rnd_partial(p) for p in partials] if len(partials) > 1 else partials, rnd)


def lanes(x: list[Fraction], width: int, rnd: Round) -> Fraction:
    return halving([chain(x[j::width], rnd) for j in range(min(width, len(x)))], rnd)


def kahan(x: list[Fraction], rnd: Round) -> Fraction:
    s, c = x[0], Fraction(0)
    for addend in x[1:]:
        y = rnd(addend - c)
        t = rnd(s + y)
        c = rnd(rnd(t - s) - y)
        s = t
    return s


def neumaier(x: list[Fraction], rnd: Round) -> Fraction:
    s, c = x[0], Fraction(0)
    for addend in x[1:]:
        t = rnd(s + addend)
        larger, smaller = (s, addend) if abs(s) >= abs(addend) else (addend, s)
        c = rnd(c + rnd(rnd(larger - t) + smaller))
        s = t
    return rnd(s + c)
