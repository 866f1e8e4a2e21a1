"""Published rules by which kernels choose a reduction from the batch.

Each rule is a small function of shapes with its source. Only what is published is here: cuBLAS
does not publish its heuristics, so `SplitTable` is a rule of the lab's own kind, with thresholds
to set. The times that make a kernel prefer one rule are not modelled.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from sims.errors import InputError
from sims.trees import Chain, Halving, Lanes, Pairwise, Shape, SplitK, Tiles

WARP = 32  # threads of an NVIDIA warp, lanes of an Apple SIMD group


@dataclass(frozen=True)
class SplitTable:
    """Split counts of a matmul by rows M: `steps` = ((rows up to here, splits), …), else one split.

    Illustrative: real GEMM libraries split K where few rows leave the processor idle, but keep
    their tables to themselves.
    """

    steps: tuple[tuple[int, int], ...] = ((1, 8), (16, 4), (64, 2))

    def __post_init__(self) -> None:
        limits = [rows for rows, _ in self.steps]
        if limits != sorted(set(limits)) or any(value < 1 for step in self.steps for value in step):
            raise InputError(
                f"{self.steps} is no split table.", "Give rising row limits and splits of 1 or more."
            )

    def splits(self, rows: int) -> int:
        """The split count for M = `rows`."""
        return next((splits for limit, splits in self.steps if rows <= limit), 1)

    def shape(self, rows: int) -> Shape:
        return SplitK(self.splits(rows))


def flash_attention_splits(work: int, processors: int, kv_blocks: int, max_splits: int = 128) -> int:
    r"""K/V splits of FlashAttention-2's decoding: one if the work fills 0.8 of the processors, else
    the smallest eligible count within 85 % of the best wave efficiency.

    $\mathrm{eff}(s) = w_s / \lceil w_s \rceil$ with $w_s = \text{work} \cdot s / \text{processors}$;
    s is eligible if it changes $\lceil \text{kv\_blocks} / s \rceil$.
    `work`: batch · heads · query blocks. `processors`: what the caller counts as such, there twice
    the number of SMs. Source: Dao-AILab/flash-attention, csrc/flash_attn/flash_api.cpp,
    num_splits_heuristic.
    """
    _require_positive(work=work, processors=processors, kv_blocks=kv_blocks, max_splits=max_splits)
    if np.float32(work) >= np.float32(0.8) * np.float32(processors):
        return 1
    splits = np.arange(1, min(max_splits, processors, kv_blocks) + 1)
    blocks = -(-kv_blocks // splits)
    eligible = np.concatenate(([True], blocks[1:] != blocks[:-1]))
    waves = (work * splits).astype(np.float32) / np.float32(processors)
    efficiency = np.where(eligible, waves / np.ceil(waves), np.float32(0)).astype(np.float64)
    return int(splits[eligible & (efficiency >= 0.85 * efficiency.max())][0])


def flash_attention_work(batch: int, heads: int, queries: int = 1) -> int:
    """Blocks of work before any split: batch · heads · ceil(queries / 64).

    With grouped-query attention at one query position, `heads` counts K/V heads and `queries` the
    query heads that share one. Source: as `flash_attention_splits`, set_params_splitkv.
    """
    return batch * heads * -(-queries // 64)


def flash_attention_kv_blocks(keys: int, head_dim: int) -> int:
    """K/V blocks of 256, 128 or 64 keys, for heads up to 64, up to 128, or wider. Source: as above."""
    return -(-keys // (256 if head_dim <= 64 else 128 if head_dim <= 128 else 64))


def flash_cute_splits(work: int, processors: int, kv_blocks: int, max_splits: int = 128) -> int:
    """K/V splits of FlashAttention's CuTe kernels: none for 4 blocks or fewer, else fill the processors.

    Source: Dao-AILab/flash-attention, flash_attn/cute/interface.py, num_splits_heuristic (0, where
    there is more work than processors, is run as one split).
    """
    _require_positive(work=work, processors=processors, kv_blocks=kv_blocks, max_splits=max_splits)
    return 1 if kv_blocks <= 4 else max(1, min(processors // work, max_splits, kv_blocks))


def rms_norm_threads(tokens: int, hidden: int, vector: int = 1) -> int:
    """Threads that sum one row's squares: 1024 at most below 256 tokens, 256 at most from there on.

    `vector`: neighbouring elements that one thread loads at once; it has hidden / vector loads to
    share out. Source: vLLM, csrc/layernorm_kernels.cu, and issue vllm-project/vllm#48271.
    """
    _require_positive(tokens=tokens, hidden=hidden, vector=vector)
    return min(max(hidden // vector, 1), 1024 if tokens < 256 else 256)


def rms_norm_shape(tokens: int, hidden: int, vector: int = 1) -> Shape:
    """How a row's squares are summed: strided threads, then warps by neighbouring pairs, then the warps.

    The last two steps are CUB's default block reduction; another version may join them otherwise.
    Source: as `rms_norm_threads`.
    """
    threads = rms_norm_threads(tokens, hidden, vector)
    return Lanes(threads, vector, combine=Tiles(WARP, inner=Pairwise(), combine=Chain()))


MlxKernel = Literal["qmv", "qmm_splitk", "qmm"]


def mlx_splits(rows: int, outputs: int, inner: int, group: int = 64) -> int:
    """Split count of MLX's quantized matmul (rows M, outputs N, inner K): aim at 512 tiles of 32 x 32.

    Lowered until every part holds whole quantization groups. Source: ml-explore/mlx#3120 and
    mlx/backend/metal/quantized.cpp, qmm_splitk.
    """
    _require_positive(rows=rows, outputs=outputs, inner=inner, group=group)
    tiles = -(-rows // 32) * -(-outputs // 32)
    splits = min(max(1, 512 // tiles), max(1, inner // group))
    while splits > 1 and inner % (splits * group):
        splits -= 1
    return splits


def mlx_kernel(rows: int, outputs: int, inner: int, vector_limit: int = 10) -> MlxKernel:
    """Which of MLX's three kernels multiplies M = `rows` rows by a quantized N x K matrix.

    `vector_limit` depends on the chip and the shapes (6 to 33). Source: ml-explore/mlx#3473.
    """
    if rows < vector_limit:
        return "qmv"
    return "qmm_splitk" if mlx_splits(rows, outputs, inner) > 1 else "qmm"


def mlx_shape(rows: int, outputs: int, inner: int, vector_limit: int = 10) -> Shape:
    """That kernel's reduction over K: a SIMD group and its butterfly, split-K, or one chain.

    qmv's lanes take runs of 16 inputs here; the run length differs with the quantization, and
    Metal does not say in which order simd_sum adds. Source: the table in ml-explore/mlx#3473.
    """
    match mlx_kernel(rows, outputs, inner, vector_limit):
        case "qmv":
            return Lanes(WARP, 16, combine=Halving())
        case "qmm_splitk":
            return SplitK(mlx_splits(rows, outputs, inner))
    return Chain()


def _require_positive(**sizes: int) -> None:
    for name, value in sizes.items():
        if value < 1:
            raise InputError(f"{name} is {value}.", "Use 1 or more.")
