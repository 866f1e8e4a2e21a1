"""Numbers out of a configuration that somebody else wrote: read, checked, or refused by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lab.errors import LabError


def count(raw: Mapping[str, Any], key: str, default: int | None = None) -> int:
    """A whole number from 1 to 2³¹ − 1. Raises LabError naming the key and the value."""
    value = default if raw.get(key) is None else raw[key]
    if isinstance(value, bool) or not isinstance(value, int) or not 0 < value < 2**31:
        raise refused(key, value, "It must be a whole number from 1 to 2147483647.")
    return value


def positive(raw: Mapping[str, Any], key: str, default: float | None = None) -> float:
    """A number > 0 and below 1e30, so that float32 holds it. Raises LabError naming the key and the value."""
    value = default if raw.get(key) is None else raw[key]
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1e30:
        raise refused(key, value, "It must be a positive number.")
    return float(value)


def flag(raw: Mapping[str, Any], key: str, default: bool = False) -> bool:
    """A truth value. Raises LabError naming the key and the value."""
    value = default if raw.get(key) is None else raw[key]
    if not isinstance(value, bool):
        raise refused(key, value, "It must be true or false.")
    return value


def refused(key: str, value: object, remedy: str) -> LabError:
    """The error for a configuration value that the lab cannot use."""
    return LabError(f"The model's configuration has {key} = {value!r}, which the lab cannot use.", remedy)
