"""Where the tensors live: chosen for the reader, or by the reader."""

from __future__ import annotations

import torch

from lab.errors import LabError

DEVICES = ("auto", "cpu", "cuda", "mps")


def choose_device(name: str = "auto") -> torch.device:
    """`auto` takes CUDA, else MPS, else the CPU. Raises LabError for a device that is not here."""
    present = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available(), "cpu": True}
    if name == "auto":
        return torch.device(next(device for device, here in present.items() if here))
    if name not in present:
        raise LabError(f"There is no device {name!r}.", f"Use one of: {', '.join(DEVICES)}.")
    if not present[name]:
        raise LabError(f"Device {name!r} is not on this machine.", "Use auto or cpu.")
    return torch.device(name)
