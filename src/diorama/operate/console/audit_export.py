"""The audit of a console as it may be handed on: line by line, and without anybody where people are hidden."""

from collections.abc import Callable, Container, Iterator
from contextlib import ExitStack, suppress
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec

from diorama.contracts.values import JsonObject
from diorama.telemetry.live.transports.rotation import put_aside_files


def exported_audit(path: Path, hide: Callable[[JsonObject], JsonObject], commands: Container[str]) -> Iterator[bytes]:
    """Yield the lines of an audit file, oldest first, each with its newline.

    Args:
        path: The file; those that were put aside come first. A line that is being written, or that a full disk cut
            off, is left out.
        hide: Puts aliases in the place of people and operators; returns the very same object while nobody is hidden.
        commands: Names that are nobody's own words.
    """
    for data in _lines(path):
        try:
            line = msgspec.json.decode(data, type=dict[str, Any])
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            continue
        yield msgspec.json.encode(_exported(line, hide, commands)) + b"\n"


def _lines(path: Path) -> Iterator[bytes]:
    # Opened before anything is yielded: what is put aside or removed meanwhile is read all the same, and once.
    with ExitStack() as stack:
        opened = []
        for file in [*put_aside_files(path), path]:
            with suppress(FileNotFoundError):
                opened.append(stack.enter_context(file.open("rb")))
        yield from chain.from_iterable(opened)


def _exported(line: JsonObject, hide: Callable[[JsonObject], JsonObject], commands: Container[str]) -> JsonObject:
    hidden = hide(line)
    if hidden is line:
        return line
    name = line.get("name")
    # Where somebody calls from says who they are, and what is no command's name was typed by somebody.
    return {**hidden, "client": None, "name": name if isinstance(name, str) and name in commands else None}
