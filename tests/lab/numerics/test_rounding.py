import ml_dtypes
import numpy as np
import torch

from lab.numerics.rounding import round_bf16


def test_equals_ml_dtypes_on_random_bits() -> None:
    """A million FP32 bit patterns: ties, subnormals, overflow, NaN and both zeros among them."""
    bits = np.random.default_rng(0).integers(0, 2**32, 1_000_000, dtype=np.uint32)
    ties = (np.arange(2**16, dtype=np.uint32) << 16) | 0x8000
    values = np.concatenate([bits, ties]).view(np.float32)
    ours = round_bf16(torch.from_numpy(values)).numpy()
    with np.errstate(invalid="ignore", over="ignore"):
        theirs = values.astype(ml_dtypes.bfloat16).astype(np.float32)
    nan = np.isnan(values)
    assert np.array_equal(np.isnan(ours), nan)
    assert np.array_equal(ours[~nan].view(np.uint32), theirs[~nan].view(np.uint32))


def test_bf16_values_stay() -> None:
    values = torch.arange(2**16, dtype=torch.int32).to(torch.int16).view(torch.bfloat16).float()
    kept = round_bf16(values)
    assert torch.equal(kept[~values.isnan()], values[~values.isnan()])
