"""The audit of a console as it may be handed on: line by line, and without anybody where people are hidden."""

from collections.abc import Callable, Container, Iterator
from pathlib import Path
from typing import Any

import msgspec

from diorama.contracts.values import JsonObject


def exported_audit(path: Path, hide: Callable[[JsonObject], JsonObject], commands: Container[str]) -> Iterator[bytes]:
    """Yield the lines of an audit file, oldest first, each with its newline.

    Args:
        path: The file; a line that is being written, or that a full disk cut off, is left out.
        hide: Puts aliases in the place of people and operators; returns the very same object while nobody is hidden.
        commands: Names that are nobody's own words.
    """
    with path.open("rb") as file:
        for data in file:
            try:
                line = msgspec.json.decode(data, type=dict[str, Any])
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                continue
            yield msgspec.json.encode(_exported(line, hide, commands)) + b"\n"


def _exported(line: JsonObject, hide: Callable[[JsonObject], JsonObject], commands: Container[str]) -> JsonObject:
    hidden = hide(line)
    if hidden is line:
        return line
    name = line.get("name")
    # Where somebody calls from says who they are, and what is no command's name was typed by somebody.
    return {**hidden, "client": None, "name": name if isinstance(name, str) and name in commands else None}
