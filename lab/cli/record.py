"""`record`: runs of the real model whose numbers pages and lessons show."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lab import traces
from lab.cli.output import DEFAULT, Device, Model, load, progress_bar, results
from lab.decode import head
from lab.decode.prompts import PROMPTS
from lab.decode.settings import NeighbourSettings, start
from lab.records import PairRecord

app = typer.Typer(help="Record what pages and lessons show.", no_args_is_help=True)


@app.callback()
def about() -> None:
    """Record what pages and lessons show."""


@app.command("neighbours")
def neighbours(
    folder: Annotated[Path, typer.Argument(help="Write neighbours-<prompt>.jsonl files here.")],
    model: Model = DEFAULT,
    device: Device = "cpu",
) -> None:
    """Record each built-in prompt alone and beside its neighbours, with the page's default settings."""
    loaded = load(model, device)
    for name, prompt in PROMPTS.items():
        info, records = start(NeighbourSettings(prompt=prompt), lambda: loaded)
        path = folder / f"neighbours-{name}.jsonl"
        traces.write(path, info, (record for record in records if isinstance(record, PairRecord)))
        results.print(str(path))


@app.command("logits")
def logits(
    out: Annotated[Path, typer.Argument(help="Write the recording (.npz) here.")],
    model: Model = DEFAULT,
    device: Device = "cpu",
    length: Annotated[int, typer.Option(help="Tokens of each prompt.")] = 64,
) -> None:
    """Record hidden states and output rows of a few steps, under 1, 2, 4 and 8 splits of every linear."""
    loaded = load(model, device)
    steps: list[head.HeadStep] = []
    with progress_bar() as bar:
        task = bar.add_task("Decoding", total=length * len(PROMPTS))
        for step in head.head_steps(loaded.transformer, loaded.tokenizer, PROMPTS, length):
            steps.append(step)
            bar.advance(task)
    info = traces.run_info(
        "head",
        loaded.name,
        "bf16-emulated",
        str(loaded.transformer.device),
        {"prompts": PROMPTS, "length": length, "splits": head.SPLITS},
    )
    head.write(out, info, PROMPTS, steps)
    results.print(f"{out}: {len(head.choose(steps))} of {len(steps)} steps.")
