"""Where commands print their results."""

from typing import Final

from rich.console import Console

_PIPE_COLUMNS: Final = 160


def result_console() -> Console:
    """Return a console on the standard output that does not squeeze tables into a pipe."""
    console = Console()
    return console if console.is_terminal else Console(width=_PIPE_COLUMNS)
