"""Writes the audit of a live world's console to a file."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import typer

from diorama.contracts.errors import ConfigError

_STDOUT: Final = Path("-")


def write_audit(lines: Iterator[bytes], target: Path) -> int:
    """Write lines as they come; return the exit code.

    Raises:
        ConfigError: The file exists already, or cannot be written.
        ConsoleFailure: The lines do not come.
    """
    if target == _STDOUT:
        for line in lines:
            typer.echo(line.decode(), nl=False)
        return 0
    if target.exists():
        raise ConfigError(f"--audit {target}: the file exists already; choose another name")
    written = list(lines)  # before the file is made: nobody wants an empty one because the token was wrong
    try:
        target.write_bytes(b"".join(written))
    except OSError as error:
        raise ConfigError(f"--audit {target}: cannot be written ({error.strerror})") from None
    typer.echo(f"{len(written)} lines in {target}")
    return 0
