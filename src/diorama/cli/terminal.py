"""Commands that fill the terminal, and need one."""

import sys

from diorama.contracts.errors import ConfigError


def require_terminal(command: str, *, instead: str) -> None:
    """Refuse to fill a pipe or a file with what only a terminal can show; keys are read from it, too.

    Raises:
        ConfigError: There is no terminal; the message says what to use `instead`.
    """
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise ConfigError(f"{command} needs a terminal, and this is none; {instead}")
