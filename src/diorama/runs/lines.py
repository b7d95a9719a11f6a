"""Reads files of JSON lines."""

from pathlib import Path
from typing import TypeVar

from diorama.contracts.errors import DocumentError
from diorama.runs.documents import decode
from diorama.storage.line_files import whole_lines

T = TypeVar("T")


def read_lines(path: Path, kind: type[T]) -> list[T]:
    """Read all whole lines; a last one without its end is being written and is left out, and no file has no lines.

    Raises:
        DocumentError: With the number of the first broken line, counted from 1.
    """
    if not path.exists():
        return []
    try:
        lines = whole_lines(path)
    except OSError as error:
        raise DocumentError(f"{path}: cannot be read ({error.strerror or error})") from error
    return [decode(line, kind, where=f"{path} line {number}") for number, line in enumerate(lines, start=1)]
