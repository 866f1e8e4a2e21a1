"""Rotary position embeddings: the frequencies, and the ways of stretching them to longer contexts.

Knows the default law (Su et al., 2021, arXiv:2104.09864), linear position interpolation
(Chen et al., 2023, arXiv:2306.15595), Llama 3.1's per-wavelength scaling and YaRN (Peng et al.,
2023, arXiv:2309.00071). Does not rotate anything: the transformer does. Does not know LongRoPE,
multimodal RoPE or a rotation of only part of a head; `rope_from_hub` refuses them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch

from lab.models.fields import count, flag, positive, refused

if TYPE_CHECKING:
    from lab.models.config import ModelConfig

DEFAULT_THETA = 10_000.0


@dataclass(frozen=True)
class LinearScaling:
    """Every frequency divided by `factor`: positions are interpolated."""

    factor: float


@dataclass(frozen=True)
class Llama3Scaling:
    """Wavelengths longer than `original_context / low_freq_factor` divided by `factor`, those shorter
    than `original_context / high_freq_factor` kept, a linear blend between."""

    factor: float
    low_freq_factor: float
    high_freq_factor: float
    original_context: int


@dataclass(frozen=True)
class YarnScaling:
    """YaRN: dimensions that turn more than `beta_fast` times in `original_context` tokens are kept, those
    that turn fewer than `beta_slow` times are interpolated by `factor`, a ramp between (§3.2 of the paper).

    `attention_factor` multiplies cos and sin (so that logits scale by its square).
    `truncate` rounds the ramp's ends outwards to whole dimensions.
    """

    factor: float
    original_context: int
    attention_factor: float
    beta_fast: float = 32.0
    beta_slow: float = 1.0
    truncate: bool = True


@dataclass(frozen=True)
class FrequencyDivisors:
    """One divisor for each frequency, as a GGUF file stores Llama 3.1's scaling (tensor `rope_freqs`)."""

    divisors: tuple[float, ...]


RopeScaling = LinearScaling | Llama3Scaling | YarnScaling | FrequencyDivisors


@dataclass(frozen=True)
class RopeConfig:
    """Base `theta` of the frequencies, and how they are scaled (None: not at all)."""

    theta: float = DEFAULT_THETA
    scaling: RopeScaling | None = None


def rope_frequencies(config: ModelConfig) -> tuple[torch.Tensor, float]:
    """Inverse frequencies, float32 [head_dim / 2] in radians per position, and the factor on cos and sin.

    Unscaled: ω_i = θ^(−2i / head_dim). Computed in float32 in the order that the checkpoints were
    trained with, so that they are the published models' frequencies bit for bit.
    """
    rope, dim = config.rope, config.head_dim
    wave = rope.theta ** (torch.arange(0, dim, 2, dtype=torch.int64).float() / dim)  # [dim/2] radians⁻¹
    match rope.scaling:
        case None:
            return 1.0 / wave, 1.0
        case LinearScaling(factor):
            return (1.0 / wave) / factor, 1.0
        case FrequencyDivisors(divisors):
            return (1.0 / wave) / torch.tensor(divisors, dtype=torch.float32), 1.0
        case Llama3Scaling() as scaling:
            return _llama3(1.0 / wave, scaling), 1.0
        case YarnScaling() as scaling:
            return _yarn(wave, rope.theta, dim, scaling), scaling.attention_factor


def _llama3(frequencies: torch.Tensor, scaling: Llama3Scaling) -> torch.Tensor:
    wavelength = 2 * math.pi / frequencies  # [dim/2] tokens per turn
    longest_kept = scaling.original_context / scaling.high_freq_factor
    shortest_divided = scaling.original_context / scaling.low_freq_factor
    span = scaling.high_freq_factor - scaling.low_freq_factor
    blend = (scaling.original_context / wavelength - scaling.low_freq_factor) / span
    blended = (1 - blend) * frequencies / scaling.factor + blend * frequencies
    scaled = torch.where(wavelength > shortest_divided, frequencies / scaling.factor, blended)
    return torch.where(wavelength < longest_kept, frequencies, scaled)


def _yarn(wave: torch.Tensor, theta: float, dim: int, scaling: YarnScaling) -> torch.Tensor:
    def dimension_turning(turns: float) -> float:
        """The (fractional) dimension that makes this many turns within the original context."""
        return dim * math.log(scaling.original_context / (turns * 2 * math.pi)) / (2 * math.log(theta))

    low, high = dimension_turning(scaling.beta_fast), dimension_turning(scaling.beta_slow)
    if scaling.truncate:
        low, high = math.floor(low), math.ceil(high)
    low, high = max(low, 0), min(high, dim - 1)
    if low == high:
        high += 0.001  # a ramp of no width would divide by zero
    ramp = ((torch.arange(dim // 2, dtype=torch.float32) - low) / (high - low)).clamp(0, 1)
    kept = 1 - ramp
    return (1.0 / (scaling.factor * wave)) * (1 - kept) + (1.0 / wave) * kept


def rope_from_hub(raw: Mapping[str, Any], max_context: int) -> RopeConfig:
    """Read a hub configuration's `rope_parameters`, or the older `rope_theta` and `rope_scaling`.

    `dynamic` scaling changes nothing up to `max_context` tokens, and the lab decodes no further, so it
    reads as no scaling. Raises LabError for kinds of scaling that the lab does not have.
    """
    nested = raw.get("rope_scaling") or raw.get("rope_parameters") or {}
    if not isinstance(nested, Mapping) or any(isinstance(value, Mapping) for value in nested.values()):
        raise refused("rope_parameters", nested, "The lab rotates every layer alike.")
    fields = {**raw, **{key: value for key, value in nested.items() if value is not None}}
    if fields.get("partial_rotary_factor") not in (None, 1, 1.0):
        raise refused("partial_rotary_factor", fields["partial_rotary_factor"], "It must be 1.")
    theta = positive(fields, "rope_theta", DEFAULT_THETA)
    kind = nested.get("rope_type", nested.get("type")) or "default"
    # A field beside the configuration's own keys wins over the nested one, as in the published loaders.
    original = raw.get("original_max_position_embeddings") or nested.get("original_max_position_embeddings")
    fields["original_max_position_embeddings"] = original or max_context
    match kind:
        case "default" | "dynamic":
            return RopeConfig(theta)
        case "linear":
            return RopeConfig(theta, LinearScaling(positive(fields, "factor")))
        case "llama3":
            return RopeConfig(theta, _llama3_from_hub(fields))
        case "yarn":
            return RopeConfig(theta, _yarn_from_hub(fields, max_context))
    raise refused("rope_type", kind, "The lab has default, linear, dynamic, llama3 and yarn.")


def _llama3_from_hub(fields: Mapping[str, Any]) -> Llama3Scaling:
    low, high = positive(fields, "low_freq_factor"), positive(fields, "high_freq_factor")
    if high <= low:
        raise refused("high_freq_factor", high, f"It must be larger than low_freq_factor ({low}).")
    original = count(fields, "original_max_position_embeddings")
    return Llama3Scaling(positive(fields, "factor"), low, high, original)


def _yarn_from_hub(fields: Mapping[str, Any], max_context: int) -> YarnScaling:
    original = count(fields, "original_max_position_embeddings")
    factor = positive(fields, "factor", max_context / original)
    mscale = [positive(fields, key) for key in ("mscale", "mscale_all_dim") if fields.get(key)]
    default = yarn_attention_factor(factor, *(mscale if len(mscale) == 2 else ()))
    return YarnScaling(
        factor=factor,
        original_context=original,
        attention_factor=positive(fields, "attention_factor", default),
        beta_fast=positive(fields, "beta_fast", 32.0),
        beta_slow=positive(fields, "beta_slow", 1.0),
        truncate=flag(fields, "truncate", True),
    )


def yarn_attention_factor(
    factor: float, mscale: float | None = None, mscale_all: float | None = None
) -> float:
    """√(1/t) of YaRN, eq. 22: 0.1·ln(factor) + 1; DeepSeek's `mscale` pair gives a ratio of two such."""

    def scale(weight: float) -> float:
        return 0.1 * weight * math.log(factor) + 1.0 if factor > 1 else 1.0

    return scale(mscale) / scale(mscale_all) if mscale and mscale_all else scale(1.0)


def rope_to_hub(rope: RopeConfig) -> dict[str, Any]:
    """The `rope_parameters` of a hub configuration. Raises LabError for `FrequencyDivisors`: it has none."""
    base: dict[str, Any] = {"rope_theta": rope.theta, "rope_type": "default"}
    match rope.scaling:
        case None:
            return base
        case LinearScaling(factor):
            return base | {"rope_type": "linear", "factor": factor}
        case Llama3Scaling() as s:
            fields = {"low_freq_factor": s.low_freq_factor, "high_freq_factor": s.high_freq_factor}
            kind = {"rope_type": "llama3", "factor": s.factor}
            return base | kind | fields | {"original_max_position_embeddings": s.original_context}
        case YarnScaling() as s:
            fields = {"beta_fast": s.beta_fast, "beta_slow": s.beta_slow, "truncate": s.truncate}
            kind = {"rope_type": "yarn", "factor": s.factor, "attention_factor": s.attention_factor}
            return base | kind | fields | {"original_max_position_embeddings": s.original_context}
        case FrequencyDivisors():
            raise refused("rope_freqs", "one divisor a frequency", "Keep this model as a GGUF file.")
