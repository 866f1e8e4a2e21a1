"""What this machine's kernels do with a row when the batch grows: measured here and now.

Every operator is run on the first M rows of one input, for each M, and compared with the same rows
run alone. A row that changes its bits was summed in another order, since its numbers were the same.
Each product is also run twice at the same M: repeatable and batch-invariant are different things.

This module measures and explains nothing: libraries do not publish their rules.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor

from lab.errors import LabError
from lab.numerics.kernels import Gemm, choose_kernels
from lab.numerics.lanes import bf16_emulated
from lab.numerics.weight import Weight
from lab.records import KernelRecord
from lab.traces import RunInfo, run_info

DTYPES = {"fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16}
MAX_ROWS = 64
HIDDEN, OUTPUTS, HEADS, KV_HEADS, HEAD_DIM, POSITIONS, VOCABULARY = 576, 1536, 9, 3, 64, 256, 49_152
"""Shapes of SmolLM2-135M: a gate projection, a decode step of attention over 256 positions, a softmax
over the vocabulary."""

Rows = Callable[[slice], Tensor]


@dataclass(frozen=True)
class Case:
    """One operator in one arithmetic. `kernel`: "library" is torch's own; "lab" is the row-invariant
    product of the reference lane; "emulated" is `bf16-emulated`, whose split-K follows the batch by rule.
    """

    operator: str
    dtype: str
    kernel: str = "library"


CASES: tuple[Case, ...] = (
    *(
        Case(operator, dtype)
        for operator in ("matmul", "rms_norm", "attention", "softmax")
        for dtype in DTYPES
    ),
    Case("matmul", "fp32", "lab"),
    Case("matmul", "bf16", "emulated"),
)


def start(device: torch.device, max_rows: int, seed: int) -> tuple[RunInfo, Iterator[KernelRecord]]:
    """The header and the records of a measurement, made as the records are asked for."""
    settings = {"rows": max_rows, "seed": seed, "libraries": libraries()}
    info = run_info("kernels", libraries_text(), "native", str(device), settings)
    return info, measure(device, max_rows, seed)


def measure(
    device: torch.device, max_rows: int = MAX_ROWS, seed: int = 0, cases: Sequence[Case] = CASES
) -> Iterator[KernelRecord]:
    """For M = 1 … `max_rows`, one record for each case. Inputs are standard normal, drawn from `seed`.

    Raises LabError for `max_rows` outside 1 … 64.
    """
    if not 1 <= max_rows <= MAX_ROWS:
        raise LabError(f"{max_rows} rows are asked for.", f"Ask for 1 to {MAX_ROWS} rows.")
    prepared = {case: _prepare(case, device, max_rows, seed) for case in cases}
    alone = {
        case: torch.cat([run(slice(row, row + 1)) for row in range(max_rows)])
        for case, run in prepared.items()
    }
    for rows in range(1, max_rows + 1):
        for case, run in prepared.items():
            yield _compare(case, run, alone[case][:rows], rows)


def _compare(case: Case, run: Rows, alone: Tensor, rows: int) -> KernelRecord:
    started = time.perf_counter()
    together = run(slice(0, rows))
    if together.is_cuda:
        torch.cuda.synchronize()
    seconds = time.perf_counter() - started
    differs = together != alone
    ulps = ulps_apart(together[differs], alone[differs])
    return KernelRecord(
        operator=case.operator,
        dtype=case.dtype,
        kernel=case.kernel,
        rows=rows,
        row_elements=together[0].numel(),
        changed=tuple(differs.sum(1).tolist()) if len(ulps) else (),
        median_ulps=float(ulps.double().quantile(0.5)) if len(ulps) else 0.0,
        max_ulps=int(ulps.max()) if len(ulps) else 0,
        max_delta=float((together.float() - alone.float()).abs().max()),
        repeats=torch.equal(run(slice(0, rows)), together),
        seconds=seconds,
    )


def ulps_apart(a: Tensor, b: Tensor) -> Tensor:
    """How many steps from number to number of their dtype lie between finite a and b, element by element."""
    return (ordinals(a) - ordinals(b)).abs()


def ordinals(x: Tensor) -> Tensor:
    """Position of each finite number among all numbers of its dtype, in order; both zeros are 0."""
    bits = x.contiguous().view({2: torch.int16, 4: torch.int32}[x.element_size()]).long()
    magnitude = bits & (2 ** (8 * x.element_size() - 1) - 1)
    return torch.where(bits < 0, -magnitude, magnitude)


def _prepare(case: Case, device: torch.device, rows: int, seed: int) -> Rows:
    """The operator on its input; of a span of rows it computes those rows, flattened to [rows, elements]."""
    dice = torch.Generator().manual_seed(seed)
    dtype = DTYPES[case.dtype]

    def normal(*shape: int) -> Tensor:
        return torch.randn(shape, generator=dice).to(device, dtype)

    match case.operator:
        case "matmul":
            x, weight = normal(rows, HIDDEN), normal(OUTPUTS, HIDDEN)
            product = _product(case, weight, device)
            return lambda span: product(x[span])
        case "rms_norm":
            x = normal(rows, HIDDEN)
            return lambda span: F.rms_norm(x[span], (HIDDEN,), eps=1e-5)
        case "attention":
            q = normal(rows, HEADS, 1, HEAD_DIM)
            k, v = (normal(rows, KV_HEADS, POSITIONS, HEAD_DIM) for _ in range(2))
            return lambda span: F.scaled_dot_product_attention(
                q[span], k[span], v[span], enable_gqa=True
            ).flatten(1)
        case "softmax":
            logits = normal(rows, VOCABULARY)
            return lambda span: torch.softmax(logits[span], -1)
    raise LabError(f"There is no operator {case.operator!r}.", "Use a case of lab.numerics.machine.CASES.")


def _product(case: Case, weight: Tensor, device: torch.device) -> Callable[[Tensor], Tensor]:
    if case.kernel == "library":
        return lambda x: F.linear(x, weight)
    kernels = choose_kernels(device, [(HIDDEN, OUTPUTS)], HEAD_DIM)
    if case.kernel == "lab":
        gemm: Gemm = kernels.gemm
        packed = gemm.prepare(weight)
        return lambda x: gemm.apply(x, packed)
    lane, held = bf16_emulated(), Weight(weight, None, kernels)
    return lambda x: lane.linear(x.float(), held).to(torch.bfloat16)


LIBRARIES = {
    "MKL": r"Math Kernel Library Version ([\w.]+)",
    "oneDNN": r"(?:MKL-DNN|oneDNN) v([\d.]+)",
    "CUDA": r"CUDA Runtime ([\d.]+)",
    "cuDNN": r"CuDNN ([\d.]+)",
    "OpenMP": r"\(a\.k\.a\. OpenMP ([\d.]+)\)",
}


def libraries(config: str | None = None) -> dict[str, str]:
    """Versions of torch and of the libraries it was built with, as torch tells them.

    cuBLAS has no version of its own there: it comes with the CUDA toolkit.
    """
    told = torch.__config__.show() if config is None else config
    found = {name: re.search(pattern, told) for name, pattern in LIBRARIES.items()}
    return {"torch": torch.__version__} | {name: match[1] for name, match in found.items() if match}


def libraries_text() -> str:
    """The same in one line: `torch 2.13.0, MKL 2024.2, …`."""
    return ", ".join(f"{name} {version}" for name, version in libraries().items())


@dataclass(frozen=True)
class KernelSummary:
    """One case over all its numbers of rows."""

    case: Case
    sizes: int
    """How many numbers of rows M were run."""
    changed_sizes: int
    """At how many of them some row had other bits than alone."""
    first: int | None
    """The smallest such M; None if there is none."""
    changed_share: float
    """Changed elements ÷ elements at the largest M."""
    median_ulps: float
    """Of the changed elements at the largest M."""
    max_ulps: int
    """Over all M."""
    repeats: bool
    """Whether every run gave the same bits twice."""


def summarise(records: Sequence[KernelRecord]) -> list[KernelSummary]:
    """One summary for each case, in the order in which the cases ran."""
    grouped: dict[Case, list[KernelRecord]] = {}
    for record in records:
        grouped.setdefault(Case(record.operator, record.dtype, record.kernel), []).append(record)
    return [_summary(case, own) for case, own in grouped.items()]


def _summary(case: Case, records: list[KernelRecord]) -> KernelSummary:
    changed = [record.rows for record in records if record.changed]
    last = max(records, key=lambda record: record.rows)
    return KernelSummary(
        case=case,
        sizes=len(records),
        changed_sizes=len(changed),
        first=min(changed, default=None),
        changed_share=last.changed_share,
        median_ulps=last.median_ulps,
        max_ulps=max(record.max_ulps for record in records),
        repeats=all(record.repeats for record in records),
    )
