"""Rounding to BF16, with the result held in FP32 so that it can enter FP32 arithmetic."""

import torch
from torch import Tensor


def round_bf16(x: Tensor) -> Tensor:
    """The nearest BF16 value of each element (ties to even), in FP32. Any shape."""
    return x.to(torch.bfloat16).to(torch.float32)


def keep_fp32(x: Tensor) -> Tensor:
    """No rounding: the counterpart of `round_bf16` for lanes that stay in FP32."""
    return x
