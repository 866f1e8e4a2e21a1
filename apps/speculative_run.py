"""A speculative run as the pages of the race, the round and the rule read it: controls, settings, records.

Records are those of `lab.decode.speculative.settings.start_speculate`. Nothing here decodes; the four things
that it draws are the same on every one of these pages.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd  # type: ignore[import-untyped]
import streamlit as st

from apps import machine
from apps.recordings import recording
from apps.text import n, t
from apps.text.catalogue import Argument
from apps.trace_files import open_trace, save_trace
from apps.widgets import Choice, Controls, Number, Panel, Text, table
from apps.widgets.errors import literal
from lab.decode.prompt_set import Prompt, built_in
from lab.decode.sampling import Sampling
from lab.decode.settings import settings_from
from lab.decode.speculative.making import DRAFTERS
from lab.decode.speculative.settings import (
    PLAIN,
    POLICIES,
    SpeculateSettings,
    Spoken,
    start_speculate,
)
from lab.decode.speculative.shipped import SPECULATED
from lab.decode.speculative.tales import TALES
from lab.device import DEVICES
from lab.errors import LabError
from lab.models.zoo import DEFAULT_MODEL
from lab.records import TokenRecord
from lab.round_records import RoundRecord
from lab.traces import RunInfo, Trace

PROMPTS = {prompt.name: prompt for prompt in (*TALES, *built_in()[:16])}
EXAMPLE = "python -m lab speculate 'Tell me a story.' --out speculate.jsonl"

RECORDING = Choice("recording", tuple(SPECULATED), texts="speculate-recording")
PARAMETERS = (
    Choice("run-prompt", tuple(PROMPTS), initial=TALES[0].name),
    Text("run-own", limit=2000),
    Choice("run-draft", DRAFTERS, texts="speculate-draft"),
    Choice("run-policy", POLICIES, texts="speculate-policy"),
    Number("run-gamma", 4, 0, 16),
    Number("run-temperature", 0.0, 0, 2, 0.1),
    Number("run-length", 48, 8, 128),
    Number("run-seed", 0, 0, 10**6, look="field"),
)


@dataclass(frozen=True)
class Made:
    """Records of one step of a run, or of a whole trace, with the settings that they were made with."""

    settings: SpeculateSettings
    records: tuple[Spoken, ...]


@dataclass(frozen=True)
class Finished:
    """A recorded run, as a panel wants it."""

    info: RunInfo
    records: tuple[Made, ...]


@dataclass(frozen=True)
class Run:
    """All records of a run so far, by request."""

    settings: SpeculateSettings
    records: tuple[Spoken, ...]

    @property
    def requests(self) -> tuple[str, ...]:
        """Those with rounds, in the order of the prompts."""
        return tuple(dict.fromkeys(each.request for each in self.records if isinstance(each, RoundRecord)))

    def rounds(self, request: str) -> tuple[RoundRecord, ...]:
        return tuple(r for r in self.records if isinstance(r, RoundRecord) and r.request == request)

    def tokens(self, request: str) -> tuple[TokenRecord, ...]:
        """Of the speculative run, the one that the prompt's pass gave first."""
        return tuple(r for r in self.records if isinstance(r, TokenRecord) and r.request == request)

    def plain(self, request: str) -> tuple[TokenRecord, ...]:
        """Of the plain run; none where it was not made."""
        return self.tokens(PLAIN + request)


def run_of(made: Sequence[Made]) -> Run:
    """Raises IndexError where nothing was made."""
    return Run(made[0].settings, tuple(record for one in made for record in one.records))


def by_token(settings: SpeculateSettings, records: Iterable[Spoken]) -> Iterator[Made]:
    """One value a token, with what belongs to it, for a panel that counts tokens."""
    here: list[Spoken] = []
    for record in records:
        if isinstance(record, TokenRecord) and here:
            yield Made(settings, tuple(here))
            here = []
        here.append(record)
    if here:
        yield Made(settings, tuple(here))


def finished(trace: Trace) -> Finished:
    """A trace of the kind `speculate` with its settings. Raises LabError where it has none, or no rounds."""
    settings = settings_from(SpeculateSettings, trace.info.settings)
    made = Made(settings, tuple(record for record in trace.records if isinstance(record, Spoken)))
    if not run_of([made]).requests:
        raise LabError(
            "The trace has no rounds.", "Record it again with `python -m lab speculate PROMPT --out FILE`."
        )
    return Finished(trace.info, (made,))


def of_chains(trace: Trace) -> Finished:
    """The same for a page that shows chains. Raises LabError for trees too."""
    made = finished(trace)
    if any(isinstance(record, RoundRecord) and record.parents for record in made.records[0].records):
        raise LabError(
            "The rounds of this trace are trees, and this page shows chains.",
            "Open it on the page of token trees.",
        )
    return made


def settings(values: Mapping[str, Any], *, plain: bool) -> SpeculateSettings:
    """The run that the controls describe. Raises LabError for values that do not fit together."""
    made = SpeculateSettings(
        prompts=(chosen_prompt(values),),
        length=values["run-length"],
        drafter=values["run-draft"],
        policy=values["run-policy"],
        gamma=values["run-gamma"],
        sampling=Sampling(temperature=values["run-temperature"]),
        seed=values["run-seed"],
        plain=plain or values["run-policy"] == "oracle",
    )
    made.make_policy()  # refuses what does not fit
    return made


def chosen_prompt(values: Mapping[str, Any]) -> Prompt:
    """The reader's own, where there is one."""
    own = values["run-own"].strip()
    return Prompt("own", "own", own) if own else PROMPTS[values["run-prompt"]]


def shown_run(
    controls: Controls, draw: Callable[[Sequence[Made]], None], *, plain: bool
) -> tuple[Run, RunInfo] | None:
    """A run of chains, as `shown_as` shows it. `plain`: whether a live run decodes plainly first."""
    asked = partial(settings, plain=plain)
    return shown_as(controls, draw, asked, _draw_controls, "speculate", of_chains)


def shown_as(
    controls: Controls,
    draw: Callable[[Sequence[Made]], None],
    settings: Callable[[Mapping[str, Any]], SpeculateSettings],
    draw_controls: Callable[[Controls], None],
    recordings: str,
    read: Callable[[Trace], Finished],
) -> tuple[Run, RunInfo] | None:
    """A run, recorded at once and live on demand, drawn by `draw`; what is shown, once it has rounds.

    `settings`: of a live run, from the values of the controls. Recordings are named `<recordings>-<name>`;
    `read` reads them and opened traces. Raises LabError for what does not fit.
    """
    trace = _opened()
    name = controls.values["recording"] if trace else controls.draw("recording")
    draw_controls(controls)
    asked = settings(controls.values)
    held = trace or recording(f"{recordings}-{name}")
    panel: Panel[Made] = Panel(
        controls.page_id,
        inputs={**asked.as_json(), "model": machine.model(), "device": machine.device()},
        start=starter(asked),
        total=asked.total,
        draw=draw,
        recorded=read(held) if held else None,
    )
    run = run_of(panel.records) if panel.records else None
    return (run, panel.origin) if run and run.requests and isinstance(panel.origin, RunInfo) else None


def _draw_controls(controls: Controls) -> None:
    """The controls of a run, folded away: a recorded one is shown first."""
    with st.expander(t("speculate-controls"), icon=":material/tune:"):
        controls.row("run-prompt", "run-draft")
        controls.draw("run-own")
        controls.row("run-gamma", "run-temperature", "run-length")
        controls.row("run-policy", "run-seed")


def _opened() -> Trace | None:
    """A trace that the reader has opened; one of another kind is refused with a message."""
    with st.expander(t("speculate-open-title"), icon=":material/folder_open:"):
        st.markdown(t("speculate-open-text"))
        st.code(EXAMPLE, language="bash", wrap_lines=True)
        return open_trace("speculate", "speculate")


def kept(run: Run, info: RunInfo, frame: pd.DataFrame, controls: Controls, name: str) -> None:
    """The table under the picture, the command of the same run, and the trace as a file."""
    with st.expander(t("speculate-table"), icon=":material/table:"):
        st.code(command(run.settings), language="bash", wrap_lines=True)
        table(frame, controls.page_id, name)
        save_trace("speculate", info, run.records, name)


def told(run: Run) -> str:
    """The settings of a run, in a line."""
    made = run.settings
    shared: dict[str, Argument] = {
        "draft": made.drafter,
        "temperature": n(made.sampling.temperature, "g"),
        "seed": made.seed,
        "lane": made.arithmetic.lane,
    }
    if made.drafts_trees:
        tree: dict[str, Argument] = {
            "siblings": t(f"tree-siblings-{made.siblings}"),
            "rule": t(f"tree-rule-{made.rule}"),
        }
        return t("tree-told", shape=shape_told(made), **tree, **shared)
    return t("speculate-told", policy=t(f"speculate-policy-{made.policy}"), gamma=made.gamma, **shared)


def shape_told(made: SpeculateSettings) -> str:
    """The form of a run's trees, in words."""
    if made.shape == "dynamic":
        return t("tree-told-dynamic", levels=made.gamma, width=made.width, nodes=made.nodes)
    if made.shape == "k-ary":
        return t("tree-told-k-ary", widths="·".join(map(str, made.widths)))
    return t(f"tree-told-{made.shape}", nodes=made.make_shape().nodes)


def opened(page: str, made: Sequence[Made], nothing: str = "speculate-no-rounds") -> tuple[Run, str] | None:
    """The run as far as it has come, told in a line, and the prompt to look at.

    None, and the message `nothing` said, before there is one.
    """
    run = run_of(made)
    st.caption(told(run))
    if not run.requests:
        st.caption(t(nothing))
        return None
    return run, pick_request(page, run)


def pick_request(page: str, run: Run) -> str:
    """The prompt to look at: a choice where the run has several."""
    picker = Controls(page, Choice("request", run.requests))
    request = str(picker.draw("request")) if len(run.requests) > 1 else run.requests[0]
    text = next((prompt.text for prompt in run.settings.prompts if prompt.name == request), "")
    if text:
        st.caption(t("speculate-prompt-told", prompt=shortened(text)))
    return request


def shortened(text: str, most: int = 240) -> str:
    """A text for a caption, as it stands."""
    return literal(text if len(text) <= most else f"{text[:most]}…")


def command(made: SpeculateSettings) -> str:
    """The command line of the same run."""
    plain = SpeculateSettings()
    given = {
        "--drafter": (made.drafter, plain.drafter),
        "--policy": (made.policy, plain.policy),
        "--gamma": (made.gamma, plain.gamma),
        "--temperature": (f"{made.sampling.temperature:g}", "0"),
        "--max-new-tokens": (made.length, None),
        "--seed": (made.seed, plain.seed),
        "--threshold": (made.threshold, plain.threshold),
        "--alpha": (made.alpha, plain.alpha),
        "--c": (made.c, plain.c),
        "--top-k": (made.sampling.top_k, plain.sampling.top_k),
        "--top-p": (made.sampling.top_p, plain.sampling.top_p),
        "--min-p": (made.sampling.min_p, plain.sampling.min_p),
        "--repetition-penalty": (
            made.sampling.repetition_penalty,
            plain.sampling.repetition_penalty,
        ),
        "--lenience": (made.lenience, plain.lenience),
        "--shape": (made.shape, plain.shape),
        "--widths": (",".join(map(str, made.widths)), ",".join(map(str, plain.widths))),
        "--ranks": (made.ranks, plain.ranks),
        "--width": (made.width, plain.width),
        "--nodes": (made.nodes, plain.nodes),
        "--siblings": (made.siblings, plain.siblings),
        "--rule": (made.rule, plain.rule),
        "--max-batch": (made.batch, plain.batch),
        "--lane": (made.arithmetic.lane, plain.arithmetic.lane),
        "--model": (machine.model(), DEFAULT_MODEL),
        "--device": (machine.device(), DEVICES[0]),
    }
    changed = [
        f"{name} {shlex.quote(str(value))}" for name, (value, usual) in given.items() if value != usual
    ]
    changed += [f"--stop {shlex.quote(stop)}" for stop in made.stop]
    changed += [flag for flag, on in (("--raw", made.raw), ("--no-plain", not made.plain)) if on]
    texts = [shlex.quote(prompt.text) for prompt in made.prompts]
    # After `--` a prompt may begin with a dash.
    dashed = ["--"] if any(prompt.text.startswith("-") for prompt in made.prompts) else []
    return " ".join(["python -m lab speculate --out speculate.jsonl", *changed, *dashed, *texts])


def starter(made: SpeculateSettings) -> Callable[[], tuple[RunInfo, Iterator[Made]]]:
    """What a panel calls to begin the run."""

    def start() -> tuple[RunInfo, Iterator[Made]]:
        info, records = start_speculate(made, machine.loaded)
        return info, by_token(made, records)

    return start
