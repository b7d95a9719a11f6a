"""Types a command, as the tests of a group of commands do."""

from pathlib import Path

from typer.testing import CliRunner, Result

from diorama.cli.app import app


def invoke(*arguments: str, typed: str | None = None) -> Result:
    """Run `diorama` with these arguments, and with what is typed meanwhile; its errors are the caller's."""
    return CliRunner().invoke(app, arguments, input=typed, catch_exceptions=False)


def store_random_run(root: Path, run_id: str) -> None:
    """Write a short run of `prospector` whose backend is random."""
    options = ("--preset", "quick", "--backend", "random", "--steps", "32", "--run-id", run_id, "--run-root", str(root))
    assert invoke("train", "prospector", *options).exit_code == 0
