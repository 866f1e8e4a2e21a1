"""What the page of this machine's kernels shows of its records: pictures, sentences, table.

Plain functions of `lab.numerics.machine`. Nothing here draws or measures.
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd  # type: ignore[import-untyped]
import plotly.graph_objects as go

from apps.text import n, t
from apps.text.catalogue import isolated
from apps.widgets import AGREE, FLIP, FLIP_MARKER
from lab.numerics.machine import CASES, Case, summarise
from lab.records import KernelRecord
from lab.traces import Record, RunInfo

HOVER = "M = %{x}: %{y:.2%}<br>median %{customdata[0]:g} ulp, max %{customdata[1]:,} ulp<extra></extra>"
TICKS = (1, 16, 32, 48, 64)
NAMES = {f"{case.operator}-{case.dtype}-{case.kernel}": case for case in CASES}


def name(case: Case) -> str:
    """An operator and its arithmetic, in the reader's language."""
    return t(f"machine-kernels-case-{case.operator}-{case.dtype}-{case.kernel}")


def measured(records: Sequence[Record]) -> list[KernelRecord]:
    return [record for record in records if isinstance(record, KernelRecord)]


def case_of(record: KernelRecord) -> Case:
    return Case(record.operator, record.dtype, record.kernel)


def of_case(records: Sequence[KernelRecord], case: Case) -> list[KernelRecord]:
    return [record for record in records if case_of(record) == case]


def overview_figure(records: Sequence[KernelRecord]) -> go.Figure:
    """Every case at every M: whether some row changed its bits."""
    figure = go.Figure()
    _add_marks(
        figure,
        kept=[(record.rows, _label(case_of(record))) for record in records if not record.changed],
        changed=[(record.rows, _label(case_of(record))) for record in records if record.changed],
    )
    figure.update_xaxes(title=t("machine-kernels-rows-axis"), tickvals=TICKS, showgrid=False)
    cases = dict.fromkeys(map(case_of, records))
    figure.update_yaxes(
        categoryorder="array",
        categoryarray=[_label(case) for case in cases][::-1],
        showgrid=False,
        tickfont_size=11,
    )
    return figure


def _label(case: Case) -> str:
    """The name in two short lines where it is long: a phone has little room beside the picture."""
    return isolated(name(case).replace(" (", "<br>("))


def rows_figure(records: Sequence[KernelRecord]) -> go.Figure:
    """One case: every row at every M, whether it changed its bits. The first row stands on top."""
    figure = go.Figure()
    marks: dict[bool, list[tuple[int, int]]] = {False: [], True: []}
    for record in records:
        counts = record.changed or (0,) * record.rows
        for row, count in enumerate(counts, start=1):
            marks[count > 0].append((record.rows, row))
    _add_marks(figure, kept=marks[False], changed=marks[True], size=5)
    figure.update_xaxes(title=t("machine-kernels-rows-axis"), tickvals=TICKS, showgrid=False)
    figure.update_yaxes(
        title=t("machine-kernels-row-axis"), autorange="reversed", tickvals=TICKS, showgrid=False
    )
    return figure


def amounts_figure(records: Sequence[KernelRecord]) -> go.Figure:
    """One case: the share of changed elements at every M; hovering tells by how many ulps."""
    figure = go.Figure()
    figure.add_bar(
        x=[record.rows for record in records],
        y=[record.changed_share for record in records],
        customdata=[(record.median_ulps, record.max_ulps) for record in records],
        hovertemplate=HOVER,
        marker={
            "color": FLIP,
            "pattern": {"shape": "/", "fgcolor": "#7A5200", "size": 5, "fillmode": "overlay"},
        },
        name=t("machine-kernels-elements"),
    )
    top = max((record.changed_share for record in records), default=0)
    figure.update_xaxes(title=t("machine-kernels-rows-axis"), tickvals=TICKS)
    figure.update_yaxes(title=t("machine-kernels-elements"), tickformat="~%", range=[0, max(1.1 * top, 0.01)])
    return figure


def _add_marks(
    figure: go.Figure,
    kept: Sequence[tuple[int, int | str]],
    changed: Sequence[tuple[int, int | str]],
    size: int = 7,
) -> None:
    looks = {
        "kept": (kept, {"color": AGREE, "symbol": "circle", "size": size - 2}),
        "changed": (changed, {**FLIP_MARKER, "size": size, "line": {"color": "#7A5200", "width": 0.5}}),
    }
    for label, (points, marker) in looks.items():
        if points:
            figure.add_scatter(
                x=[x for x, _ in points],
                y=[y for _, y in points],
                mode="markers",
                marker=marker,
                name=t(f"machine-kernels-{label}"),
            )


def verdicts(records: Sequence[KernelRecord]) -> list[str]:
    """One sentence for each arithmetic of the library's kernels, and one for each kernel of the lab."""
    summaries = summarise(records)
    told = []
    for dtype in dict.fromkeys(summary.case.dtype for summary in summaries):
        own = [s for s in summaries if s.case.dtype == dtype and s.case.kernel == "library"]
        changed = [t(f"machine-kernels-operator-{s.case.operator}") for s in own if s.changed_sizes]
        if changed:
            told.append(
                t(
                    "machine-kernels-some",
                    format=dtype.upper(),
                    operators=t("machine-kernels-comma").join(changed),
                )
            )
        else:
            told.append(t("machine-kernels-none", format=dtype.upper()))
    for summary in summaries:
        if summary.case.kernel != "library":
            outcome = "changed" if summary.changed_sizes else "kept"
            told.append(t(f"machine-kernels-{summary.case.kernel}-{outcome}"))
    told.append(t(f"machine-kernels-repeats-{'yes' if all(s.repeats for s in summaries) else 'no'}"))
    return told


def reasons(records: Sequence[KernelRecord], device: str) -> list[str]:
    """What explains the outcome, as far as it is known; each reason only where its outcome was measured."""
    changed = {summary.case: bool(summary.changed_sizes) for summary in summarise(records)}
    library = {
        (case.operator, case.dtype): value for case, value in changed.items() if case.kernel == "library"
    }
    cpu = device.startswith("cpu")
    known = {
        "blocks": library.get(("matmul", "fp32"), False) and cpu,
        "bf16": cpu and library.get(("matmul", "bf16")) is False,
        "gpu": not cpu,
        "rows": not any(
            value for (operator, _), value in library.items() if operator in ("rms_norm", "softmax")
        ),
        "attention": any(value for (operator, _), value in library.items() if operator == "attention"),
        "emulated": changed.get(Case("matmul", "bf16", "emulated"), False),
    }
    return [t(f"machine-kernels-why-{reason}") for reason, holds in known.items() if holds]


def amounts(records: Sequence[KernelRecord]) -> list[tuple[str, str]]:
    """Facts of one case at its largest M, and over all M."""
    last = max(records, key=lambda record: record.rows)
    return [
        (t("machine-kernels-fact-rows", rows=last.rows), f"{n(last.changed_rows)} / {n(last.rows)}"),
        (t("machine-kernels-elements"), n(last.changed_share, ".2%")),
        (t("machine-kernels-median"), n(last.median_ulps, ",g")),
        (t("machine-kernels-max"), n(last.max_ulps)),
        (t("machine-kernels-delta"), f"{last.max_delta:.2g}"),
    ]


def machine_facts(info: RunInfo) -> list[tuple[str, str]]:
    """Device, threads and library versions of a run."""
    versions = info.settings.get("libraries", {})
    return [
        (t("machine-kernels-device"), info.device),
        (t("machine-kernels-threads"), n(info.threads)),
        *versions.items(),
    ]


def frame(records: Sequence[KernelRecord]) -> pd.DataFrame:
    """A row for each case and M."""
    return pd.DataFrame(
        [
            {
                "operator": record.operator,
                "format": record.dtype,
                "kernel": record.kernel,
                "rows": record.rows,
                "changed_rows": record.changed_rows,
                "changed_share": record.changed_share,
                "median_ulps": record.median_ulps,
                "max_ulps": record.max_ulps,
                "max_delta": record.max_delta,
                "repeats": record.repeats,
                "milliseconds": 1000 * record.seconds,
            }
            for record in records
        ]
    )
