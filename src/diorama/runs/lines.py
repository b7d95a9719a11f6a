"""Reads files of JSON lines."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final, TypeVar

from diorama.contracts.errors import UnknownName
from diorama.storage.json_text import decode_json
from diorama.storage.line_files import whole_lines

MAX_LINES_BYTES: Final = 256 << 20  # of one file

T = TypeVar("T")


def read_lines(path: Path, kind: type[T], *, within: Path | None = None) -> Iterator[T]:
    """Read all whole lines; a last one without its end is being written and is left out, and no file has no lines.

    Args:
        path: Of the file.
        kind: What each line must hold.
        within: The folder that the file must lie in, without links on the way; its own one unless given.

    Raises:
        DocumentError: It is no ordinary file of the folder or too large, or a line is broken; with its number,
            counted from 1.
    """
    lines = enumerate(whole_lines(path, within=within, most_bytes=MAX_LINES_BYTES), start=1)
    try:
        for number, line in lines:
            yield decode_json(line, kind, where=f"{path} line {number}")
    except UnknownName:
        return
