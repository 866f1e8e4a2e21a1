"""The command line as the tests of its commands call it: in this process, 80 columns wide."""

from __future__ import annotations

from typer.testing import CliRunner

from lab.cli import app


def lab(*arguments: str) -> str:
    """What a command prints; it must end well."""
    done = CliRunner().invoke(app, list(arguments), env={"COLUMNS": "80"})
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == 0, done.output
    return done.output
