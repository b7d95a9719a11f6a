"""Commands that fill the terminal, and need one."""

import sys
from typing import TextIO

from diorama.contracts.errors import ConfigError


def require_terminal(command: str, *, instead: str, shown_on: TextIO | None = None) -> None:
    """Refuse to fill a pipe or a file with what only a terminal can show; keys are read from it, too.

    Args:
        command: What needs it.
        instead: What can be used without one, for the message.
        shown_on: The stream that is drawn on; the standard error where none is named.

    Raises:
        ConfigError: There is no terminal; the message says what to use.
    """
    if not (sys.stdin.isatty() and (shown_on or sys.stderr).isatty()):
        raise ConfigError(f"{command} needs a terminal, and this is none; {instead}")
