"""Types a command, as the tests of a group of commands do."""

from typer.testing import CliRunner, Result

from diorama.cli.app import app


def invoke(*arguments: str, typed: str | None = None) -> Result:
    """Run `diorama` with these arguments, and with what is typed meanwhile; its errors are the caller's."""
    return CliRunner().invoke(app, arguments, input=typed, catch_exceptions=False)
