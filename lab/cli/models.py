"""`models`: what can be decoded, and fetching it."""

from __future__ import annotations

import json as jsonlib
from typing import Annotated

import typer
from rich.table import Table

from lab.cli.output import AsJson, progress_bar, results
from lab.models.zoo import DEFAULT_MODEL, MODELS, installed, load_checkpoint

app = typer.Typer(help="What can be decoded, and fetching it.", no_args_is_help=True)


@app.command("list")
def list_models(json: AsJson = False) -> None:
    """List the pinned models and those found in the hub's cache."""
    here = installed()
    rows = [
        {"name": name, "title": model.title, "licence": model.licence, "installed": name in here}
        for name, model in MODELS.items()
    ] + [
        {"name": name, "title": name, "licence": "", "installed": True} for name in here if name not in MODELS
    ]
    if json:
        for row in rows:
            results.print(jsonlib.dumps(row, ensure_ascii=False))
        return
    table = Table("name", "model", "licence", "on this machine")
    for row in rows:
        table.add_row(
            str(row["name"]), str(row["title"]), str(row["licence"]), "yes" if row["installed"] else "no"
        )
    results.print(table)


@app.command("fetch")
def fetch(name: Annotated[str, typer.Argument(help="A pinned model or a hub id.")] = DEFAULT_MODEL) -> None:
    """Fetch a model, check its sha256 and keep a copy that loads fast."""
    with progress_bar() as bar:
        task = bar.add_task(f"Fetching {name}", total=1.0)
        checkpoint = load_checkpoint(
            name, lambda share, stage: bar.update(task, completed=share, description=f"{name}: {stage}")
        )
    results.print(f"{checkpoint.name} is ready ({checkpoint.source}).")


@app.command("show")
def show(
    name: Annotated[str, typer.Argument(help="As for generate --model.")] = DEFAULT_MODEL,
    json: AsJson = False,
) -> None:
    """Show a model's shape."""
    config = load_checkpoint(name).config
    fields = config.to_hub() | {"parameters": config.parameters}
    if json:
        results.print(jsonlib.dumps(fields, ensure_ascii=False))
        return
    table = Table("setting", "value")
    for key, value in fields.items():
        table.add_row(key, str(value))
    results.print(table)
